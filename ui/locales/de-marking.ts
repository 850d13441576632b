import { markingTexts } from "./de/marking.ts";
import { savingTexts } from "./de/saving.ts";

/** In German: see en-marking.ts. */
export const markingPartTexts = { ...markingTexts, ...savingTexts };
