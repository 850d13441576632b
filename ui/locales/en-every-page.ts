import { sharedTexts } from "./en/shared.ts";
import { signInTexts } from "./en/sign-in.ts";

/** Texts of every page. The sign-in and join pages need no others. */
export const everyPageTexts = {
  ...sharedTexts,
  ...signInTexts,
} as const;
