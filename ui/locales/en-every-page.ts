import { sharedTexts } from "./en/shared.ts";
import { signInTexts } from "./en/sign-in.ts";

/** What every page says; the pages that people join and sign in by say no more. */
export const everyPageTexts = {
  ...sharedTexts,
  ...signInTexts,
} as const;
