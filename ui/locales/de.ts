import { markingTexts } from "./de/marking.ts";
import { ownSettingsTexts } from "./de/own-settings.ts";
import { unclearAddressTexts } from "./de/unclear-address.ts";
import { adminWindowTexts } from "./de-admin.ts";
import { adminPageTexts } from "./de-admin-pages.ts";
import { chatPageTexts } from "./de-chat.ts";
import { everyPageTexts } from "./de-every-page.ts";

/** The texts in German, with the keys of en.ts: test/ui/locales.test.ts names those that are missing. */
export const de = {
  ...everyPageTexts,
  ...adminWindowTexts,
  ...adminPageTexts,
  ...chatPageTexts,
  ...ownSettingsTexts,
  ...markingTexts,
  ...unclearAddressTexts,
};
