import { chatTexts } from "./de/chat.ts";
import { chatPeopleTexts } from "./de/chat-people.ts";
import { firstRunTexts } from "./de/first-run.ts";
import { overviewTexts } from "./de/overview.ts";
import { ownSettingsTexts } from "./de/own-settings.ts";
import { sharedTexts } from "./de/shared.ts";
import { signInTexts } from "./de/sign-in.ts";

/** The texts in German, with the keys of en.ts: test/ui/locales.test.ts names those that are missing. */
export const de = {
  ...sharedTexts,
  ...signInTexts,
  ...firstRunTexts,
  ...overviewTexts,
  ...chatTexts,
  ...chatPeopleTexts,
  ...ownSettingsTexts,
};
