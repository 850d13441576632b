import { markingTexts } from "./en/marking.ts";
import { savingTexts } from "./en/saving.ts";

/** Texts for marking messages as read or unread, and for saving. */
export const markingPartTexts = { ...markingTexts, ...savingTexts } as const;
