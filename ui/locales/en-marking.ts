import { markingTexts } from "./en/marking.ts";
import { savingTexts } from "./en/saving.ts";

/** What is said while messages are marked, with what notices say. */
export const markingPartTexts = { ...markingTexts, ...savingTexts } as const;
