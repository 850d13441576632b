import { adminTexts } from "./en/admin.ts";
import { backupTexts } from "./en/backups.ts";
import { botsTexts } from "./en/bots.ts";
import { channelTexts } from "./en/channels.ts";
import { computerTexts } from "./en/computer.ts";
import { firstRunTexts } from "./en/first-run.ts";
import { folderTexts } from "./en/folders.ts";
import { groupTexts } from "./en/groups.ts";
import { integrationsTexts } from "./en/integrations.ts";
import { invitationTexts } from "./en/invitations.ts";
import { invitationPageTexts } from "./en/invitations-page.ts";
import { newMemberTexts } from "./en/new-members.ts";
import { overviewTexts } from "./en/overview.ts";
import { ownTexts } from "./en/own.ts";
import { peopleTexts } from "./en/people.ts";
import { permissionTexts } from "./en/permissions.ts";
import { safetyTexts } from "./en/safety.ts";
import { settingsTexts } from "./en/settings.ts";
import { webhooksTexts } from "./en/webhooks.ts";

/** What the admin window says beside what every page says. */
export const adminPageTexts = {
  ...adminTexts,
  ...backupTexts,
  ...botsTexts,
  ...channelTexts,
  ...computerTexts,
  ...firstRunTexts,
  ...folderTexts,
  ...groupTexts,
  ...integrationsTexts,
  ...invitationTexts,
  ...invitationPageTexts,
  ...newMemberTexts,
  ...overviewTexts,
  ...ownTexts,
  ...peopleTexts,
  ...permissionTexts,
  ...safetyTexts,
  ...settingsTexts,
  ...webhooksTexts,
} as const;
