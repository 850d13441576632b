import { sharedTexts } from "../../locales/de/shared.ts";
import { signInTexts } from "../../locales/de/sign-in.ts";

/** In German: see en-every-page.ts. */
export const everyPageTexts = {
  ...sharedTexts,
  ...signInTexts,
};
