import { ownSettingsTexts } from "../own-settings.ts";
import { userSettingTexts } from "../../../../server/locales/de/user-settings.ts";

export const texts = { ...ownSettingsTexts, ...userSettingTexts };
