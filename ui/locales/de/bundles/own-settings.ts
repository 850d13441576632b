import { ownSettingsTexts } from "../own-settings.ts";
import { userSettingTexts } from "../user-settings.ts";

export const texts = { ...ownSettingsTexts, ...userSettingTexts };
