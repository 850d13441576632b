import { sharedTexts } from "./de/shared.ts";
import { signInTexts } from "./de/sign-in.ts";

/** In German: see en-every-page.ts. */
export const everyPageTexts = {
  ...sharedTexts,
  ...signInTexts,
};
