import { notificationTexts } from "../../../../server/locales/de/notifications.ts";
import { chatTexts } from "../chat.ts";
import { chatChannelTexts } from "../chat-channels.ts";
import { chatHelpTexts } from "../chat-help.ts";
import { chatPeopleTexts } from "../chat-people.ts";
import { chatSettingsTexts } from "../chat-settings.ts";
import { pictureTexts } from "../pictures.ts";
import { savingTexts } from "../saving.ts";
import { searchTexts } from "../search.ts";
import { shortcutTexts } from "../shortcuts.ts";
import { spectatorTexts } from "../spectators.ts";
import { topicTexts } from "../topics.ts";
import { viewTexts } from "../views.ts";
import { writingTexts } from "../writing.ts";

export const texts = {
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
};
