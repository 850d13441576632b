import { markingTexts } from "../marking.ts";
import { savingTexts } from "../saving.ts";

export const texts = { ...markingTexts, ...savingTexts };
