import { notificationTexts } from "../../server/locales/en/notifications.ts";
import { chatTexts } from "./en/chat.ts";
import { chatChannelTexts } from "./en/chat-channels.ts";
import { chatHelpTexts } from "./en/chat-help.ts";
import { chatPeopleTexts } from "./en/chat-people.ts";
import { chatSettingsTexts } from "./en/chat-settings.ts";
import { pictureTexts } from "./en/pictures.ts";
import { savingTexts } from "./en/saving.ts";
import { searchTexts } from "./en/search.ts";
import { shortcutTexts } from "./en/shortcuts.ts";
import { spectatorTexts } from "./en/spectators.ts";
import { topicTexts } from "./en/topics.ts";
import { viewTexts } from "./en/views.ts";
import { writingTexts } from "./en/writing.ts";

/** Texts of the chat page besides those of every page. */
export const chatPageTexts = {
  ...chatTexts,
  ...chatChannelTexts,
  ...chatHelpTexts,
  ...chatPeopleTexts,
  ...chatSettingsTexts,
  ...notificationTexts,
  ...viewTexts,
  ...pictureTexts,
  ...savingTexts,
  ...searchTexts,
  ...shortcutTexts,
  ...spectatorTexts,
  ...topicTexts,
  ...writingTexts,
} as const;
