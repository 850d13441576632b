import {
  DISPLAY,
  type Legacy,
  NOTICE,
  SOUNDS,
  USER_SETTING_NAMES,
  USER_SETTINGS,
  userSettingDefaults,
  userSettings,
} from "../queries/user-settings.ts";
import type { RegisterPart } from "./register-context.ts";

const EMOJI_SETS = { google: "Google", twitter: "Twitter", text: "Plain text", "google-blob": "Google blobs" };

const CHOICES = {
  emojiset_choices: Object.entries(EMOJI_SETS).map(([key, text]) => ({ key, text })),
  available_notification_sounds: SOUNDS,
};

const legacyPart =
  (legacy: Legacy, choices: Record<string, unknown>): RegisterPart =>
  ({ reader, viewer, capabilities }) => {
    if (capabilities["user_settings_object"]) return {};
    const inForce = userSettings(reader, viewer);
    const names = USER_SETTING_NAMES.filter((name) => USER_SETTINGS[name].legacy === legacy);
    return { ...Object.fromEntries(names.map((name) => [name, inForce[name]])), ...choices };
  };

export const registerParts: Record<string, RegisterPart> = {
  user_settings: ({ reader, viewer }) => ({ user_settings: { ...userSettings(reader, viewer), ...CHOICES } }),
  update_display_settings: legacyPart(DISPLAY, { emojiset_choices: CHOICES.emojiset_choices }),
  update_global_notifications: legacyPart(NOTICE, {
    available_notification_sounds: CHOICES.available_notification_sounds,
  }),
  realm_user_settings_defaults: ({ reader }) => ({
    realm_user_settings_defaults: { ...userSettingDefaults(reader), ...CHOICES },
  }),
};
