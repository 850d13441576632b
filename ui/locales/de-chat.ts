import { chatTexts } from "./de/chat.ts";
import { chatChannelTexts } from "./de/chat-channels.ts";
import { chatHelpTexts } from "./de/chat-help.ts";
import { chatPeopleTexts } from "./de/chat-people.ts";
import { chatSettingsTexts } from "./de/chat-settings.ts";
import { pictureTexts } from "./de/pictures.ts";
import { savingTexts } from "./de/saving.ts";
import { searchTexts } from "./de/search.ts";
import { shortcutTexts } from "./de/shortcuts.ts";
import { spectatorTexts } from "./de/spectators.ts";
import { topicTexts } from "./de/topics.ts";
import { viewTexts } from "./de/views.ts";
import { writingTexts } from "./de/writing.ts";

/** In German: see en-chat.ts. */
export const chatPageTexts = {
  ...chatTexts,
  ...chatChannelTexts,
  ...chatHelpTexts,
  ...chatPeopleTexts,
  ...chatSettingsTexts,
  ...viewTexts,
  ...pictureTexts,
  ...savingTexts,
  ...searchTexts,
  ...shortcutTexts,
  ...spectatorTexts,
  ...topicTexts,
  ...writingTexts,
};
