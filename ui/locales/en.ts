import { adminTexts } from "./en/admin.ts";
import { botsTexts } from "./en/bots.ts";
import { channelTexts } from "./en/channels.ts";
import { chatTexts } from "./en/chat.ts";
import { chatPeopleTexts } from "./en/chat-people.ts";
import { firstRunTexts } from "./en/first-run.ts";
import { folderTexts } from "./en/folders.ts";
import { groupTexts } from "./en/groups.ts";
import { integrationsTexts } from "./en/integrations.ts";
import { invitationTexts } from "./en/invitations.ts";
import { invitationPageTexts } from "./en/invitations-page.ts";
import { newMemberTexts } from "./en/new-members.ts";
import { overviewTexts } from "./en/overview.ts";
import { ownSettingsTexts } from "./en/own-settings.ts";
import { peopleTexts } from "./en/people.ts";
import { permissionTexts } from "./en/permissions.ts";
import { safetyTexts } from "./en/safety.ts";
import { searchTexts } from "./en/search.ts";
import { settingsTexts } from "./en/settings.ts";
import { sharedTexts } from "./en/shared.ts";
import { shortcutTexts } from "./en/shortcuts.ts";
import { signInTexts } from "./en/sign-in.ts";
import { topicTexts } from "./en/topics.ts";
import { viewTexts } from "./en/views.ts";
import { webhooksTexts } from "./en/webhooks.ts";
import { writingTexts } from "./en/writing.ts";

/** Every text that a user reads. Keys that end in _one and _other are plural forms, chosen by `count`. */
export const en = {
  ...sharedTexts,
  ...signInTexts,
  ...firstRunTexts,
  ...adminTexts,
  ...permissionTexts,
  ...invitationTexts,
  ...channelTexts,
  ...folderTexts,
  ...newMemberTexts,
  ...overviewTexts,
  ...settingsTexts,
  ...safetyTexts,
  ...botsTexts,
  ...webhooksTexts,
  ...integrationsTexts,
  ...invitationPageTexts,
  ...peopleTexts,
  ...groupTexts,
  ...chatTexts,
  ...chatPeopleTexts,
  ...ownSettingsTexts,
  ...viewTexts,
  ...searchTexts,
  ...shortcutTexts,
  ...topicTexts,
  ...writingTexts,
} as const;
