import { z } from "zod";
import { alertWordsOf } from "../queries/alert-words.ts";
import {
  DISPLAY,
  type Legacy,
  NOTICE,
  SOUNDS,
  USER_SETTING_NAMES,
  USER_SETTINGS,
  type UserSettingName,
  type UserSettings,
  userSettingDefaults,
  userSettings,
} from "../queries/user-settings.ts";
import { type RegisterContext, registerPart } from "./register-part.ts";

const EMOJI_SETS = { google: "Google", twitter: "Twitter", text: "Plain text", "google-blob": "Google blobs" };

const CHOICES = {
  emojiset_choices: Object.entries(EMOJI_SETS).map(([key, text]) => ({ key, text })),
  available_notification_sounds: SOUNDS,
};

type Shape = { [Name in UserSettingName]: z.ZodType<UserSettings[Name]> };
const shapeOf = (names: readonly UserSettingName[]) =>
  Object.fromEntries(names.map((name) => [name, USER_SETTINGS[name].allowed])) as Shape;
const shape = shapeOf(USER_SETTING_NAMES);
const { timezone: _, ...defaultsShape } = shape;

const choices = {
  emojiset_choices: z.array(z.object({ key: z.string(), text: z.string() })),
  available_notification_sounds: z.array(z.string()),
};

// Clients without the capability `user_settings_object` read these settings at the top level.
const legacyNames = (legacy: Legacy) => USER_SETTING_NAMES.filter((name) => USER_SETTINGS[name].legacy === legacy);
const legacyFields = (legacy: Legacy) => z.object(shapeOf(legacyNames(legacy))).exactPartial().shape;
function legacySettings({ reader, viewer }: RegisterContext, legacy: Legacy): Partial<UserSettings> {
  const settings = userSettings(reader, viewer);
  return Object.fromEntries(legacyNames(legacy).map((name) => [name, settings[name]]));
}

export const registerParts = {
  alert_words: registerPart({
    fields: { alert_words: z.array(z.string()) },
    read: ({ reader, viewer }) => ({ alert_words: alertWordsOf(reader, viewer) }),
    spectators: { alert_words: [] },
  }),
  user_settings: registerPart({
    fields: { user_settings: z.object({ ...shape, ...choices }) },
    read: ({ reader, viewer }) => ({ user_settings: { ...userSettings(reader, viewer), ...CHOICES } }),
    spectators: "same",
  }),
  update_display_settings: registerPart({
    fields: { ...legacyFields(DISPLAY), emojiset_choices: choices.emojiset_choices.exactOptional() },
    read: (context) =>
      context.capabilities.user_settings_object
        ? {}
        : { ...legacySettings(context, DISPLAY), emojiset_choices: CHOICES.emojiset_choices },
    spectators: "same",
  }),
  update_global_notifications: registerPart({
    fields: {
      ...legacyFields(NOTICE),
      available_notification_sounds: choices.available_notification_sounds.exactOptional(),
    },
    read: (context) =>
      context.capabilities.user_settings_object
        ? {}
        : {
            ...legacySettings(context, NOTICE),
            available_notification_sounds: CHOICES.available_notification_sounds,
          },
    spectators: "same",
  }),
  realm_user_settings_defaults: registerPart({
    fields: { realm_user_settings_defaults: z.object({ ...defaultsShape, ...choices }) },
    read: ({ reader }) => ({ realm_user_settings_defaults: { ...userSettingDefaults(reader), ...CHOICES } }),
    spectators: "same",
  }),
};
