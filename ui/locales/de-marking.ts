import { markingTexts } from "../../locales/de/marking.ts";
import { savingTexts } from "../../locales/de/saving.ts";

/** In German: see en-marking.ts. */
export const markingPartTexts = { ...markingTexts, ...savingTexts };
