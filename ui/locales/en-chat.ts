import { chatTexts } from "../../locales/en/chat.ts";
import { chatChannelTexts } from "../../locales/en/chat-channels.ts";
import { chatHelpTexts } from "../../locales/en/chat-help.ts";
import { chatPeopleTexts } from "../../locales/en/chat-people.ts";
import { chatSettingsTexts } from "../../locales/en/chat-settings.ts";
import { pictureTexts } from "../../locales/en/pictures.ts";
import { searchTexts } from "../../locales/en/search.ts";
import { shortcutTexts } from "../../locales/en/shortcuts.ts";
import { spectatorTexts } from "../../locales/en/spectators.ts";
import { topicTexts } from "../../locales/en/topics.ts";
import { viewTexts } from "../../locales/en/views.ts";
import { writingTexts } from "../../locales/en/writing.ts";

/** What the chat page says beside what every page says. */
export const chatPageTexts = {
  ...chatTexts,
  ...chatChannelTexts,
  ...chatHelpTexts,
  ...chatPeopleTexts,
  ...chatSettingsTexts,
  ...viewTexts,
  ...pictureTexts,
  ...searchTexts,
  ...shortcutTexts,
  ...spectatorTexts,
  ...topicTexts,
  ...writingTexts,
} as const;
