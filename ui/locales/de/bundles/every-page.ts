import { sharedTexts } from "../shared.ts";
import { signInTexts } from "../sign-in.ts";

export const texts = {
  ...sharedTexts,
  ...signInTexts,
};
