import { chatTexts } from "../../locales/de/chat.ts";
import { chatChannelTexts } from "../../locales/de/chat-channels.ts";
import { chatHelpTexts } from "../../locales/de/chat-help.ts";
import { chatPeopleTexts } from "../../locales/de/chat-people.ts";
import { chatSettingsTexts } from "../../locales/de/chat-settings.ts";
import { pictureTexts } from "../../locales/de/pictures.ts";
import { searchTexts } from "../../locales/de/search.ts";
import { shortcutTexts } from "../../locales/de/shortcuts.ts";
import { spectatorTexts } from "../../locales/de/spectators.ts";
import { topicTexts } from "../../locales/de/topics.ts";
import { viewTexts } from "../../locales/de/views.ts";
import { writingTexts } from "../../locales/de/writing.ts";

/** In German: see en-chat.ts. */
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
};
