import { channelTexts } from "../../server/locales/en/channels.ts";
import { exportTexts } from "../../server/locales/en/exports.ts";
import { groupTexts } from "../../server/locales/en/groups.ts";
import { permissionTexts } from "../../server/locales/en/permissions.ts";
import { safetyTexts } from "../../server/locales/en/safety.ts";
import { settingsTexts } from "../../server/locales/en/settings.ts";
import { userSettingTexts } from "../../server/locales/en/user-settings.ts";
import { backupTexts } from "./en/backups.ts";
import { botsTexts } from "./en/bots.ts";
import { computerTexts } from "./en/computer.ts";
import { emailTexts } from "./en/email.ts";
import { expiringTexts } from "./en/expiring.ts";
import { firstRunTexts } from "./en/first-run.ts";
import { folderTexts } from "./en/folders.ts";
import { importedPeopleTexts } from "./en/imported-people.ts";
import { integrationsTexts } from "./en/integrations.ts";
import { invitationPageTexts } from "./en/invitations-page.ts";
import { keyTexts } from "./en/keys.ts";
import { moveInTexts } from "./en/move-in.ts";
import { newMemberTexts } from "./en/new-members.ts";
import { ownTexts } from "./en/own.ts";
import { webhooksTexts } from "./en/webhooks.ts";

/** Texts of all pages of the admin window except Overview, with their dialogs. Loaded with the first of these pages. */
export const adminPageTexts = {
  ...backupTexts,
  ...botsTexts,
  ...channelTexts,
  ...emailTexts,
  ...expiringTexts,
  ...exportTexts,
  ...folderTexts,
  ...groupTexts,
  ...integrationsTexts,
  ...keyTexts,
  ...importedPeopleTexts,
  ...invitationPageTexts,
  ...firstRunTexts,
  ...computerTexts,
  ...moveInTexts,
  ...newMemberTexts,
  ...ownTexts,
  ...permissionTexts,
  ...safetyTexts,
  ...settingsTexts,
  ...userSettingTexts,
  ...webhooksTexts,
} as const;
