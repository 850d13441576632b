import { adminTexts } from "./de/admin.ts";
import { backupTexts } from "./de/backups.ts";
import { botsTexts } from "./de/bots.ts";
import { channelTexts } from "./de/channels.ts";
import { chatTexts } from "./de/chat.ts";
import { chatPeopleTexts } from "./de/chat-people.ts";
import { computerTexts } from "./de/computer.ts";
import { firstRunTexts } from "./de/first-run.ts";
import { folderTexts } from "./de/folders.ts";
import { groupTexts } from "./de/groups.ts";
import { integrationsTexts } from "./de/integrations.ts";
import { invitationTexts } from "./de/invitations.ts";
import { invitationPageTexts } from "./de/invitations-page.ts";
import { newMemberTexts } from "./de/new-members.ts";
import { overviewTexts } from "./de/overview.ts";
import { ownTexts } from "./de/own.ts";
import { ownSettingsTexts } from "./de/own-settings.ts";
import { peopleTexts } from "./de/people.ts";
import { permissionTexts } from "./de/permissions.ts";
import { pictureTexts } from "./de/pictures.ts";
import { safetyTexts } from "./de/safety.ts";
import { searchTexts } from "./de/search.ts";
import { settingsTexts } from "./de/settings.ts";
import { sharedTexts } from "./de/shared.ts";
import { shortcutTexts } from "./de/shortcuts.ts";
import { signInTexts } from "./de/sign-in.ts";
import { spectatorTexts } from "./de/spectators.ts";
import { topicTexts } from "./de/topics.ts";
import { viewTexts } from "./de/views.ts";
import { webhooksTexts } from "./de/webhooks.ts";
import { writingTexts } from "./de/writing.ts";

/** The texts in German, with the keys of en.ts: test/ui/locales.test.ts names those that are missing. */
export const de = {
  ...adminTexts,
  ...backupTexts,
  ...botsTexts,
  ...channelTexts,
  ...chatPeopleTexts,
  ...chatTexts,
  ...computerTexts,
  ...firstRunTexts,
  ...folderTexts,
  ...groupTexts,
  ...integrationsTexts,
  ...invitationPageTexts,
  ...invitationTexts,
  ...newMemberTexts,
  ...overviewTexts,
  ...ownSettingsTexts,
  ...ownTexts,
  ...peopleTexts,
  ...permissionTexts,
  ...safetyTexts,
  ...pictureTexts,
  ...searchTexts,
  ...settingsTexts,
  ...sharedTexts,
  ...shortcutTexts,
  ...signInTexts,
  ...spectatorTexts,
  ...topicTexts,
  ...viewTexts,
  ...webhooksTexts,
  ...writingTexts,
};
