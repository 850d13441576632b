import { userSettingTexts } from "../../../../server/locales/de/user-settings.ts";
import { ownSettingsTexts } from "../own-settings.ts";

export const texts = { ...ownSettingsTexts, ...userSettingTexts };
