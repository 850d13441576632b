import { markingTexts } from "./en/marking.ts";
import { ownSettingsTexts } from "./en/own-settings.ts";
import { trustTexts } from "./en/trust.ts";
import { unclearAddressTexts } from "./en/unclear-address.ts";
import { adminWindowTexts } from "./en-admin.ts";
import { adminPageTexts } from "./en-admin-pages.ts";
import { chatPageTexts } from "./en-chat.ts";
import { everyPageTexts } from "./en-every-page.ts";

/** Every text that a user reads. Keys that end in _one and _other are plural forms, chosen by `count`. */
export const en = {
  ...everyPageTexts,
  ...adminWindowTexts,
  ...adminPageTexts,
  ...chatPageTexts,
  ...ownSettingsTexts,
  ...markingTexts,
  ...unclearAddressTexts,
  ...trustTexts,
} as const;
