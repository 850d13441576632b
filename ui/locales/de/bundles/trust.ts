import { trustTexts } from "../trust.ts";

export const texts = trustTexts;
