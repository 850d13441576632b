import { channelTexts } from "../../../../server/locales/de/channels.ts";
import { exportTexts } from "../../../../server/locales/de/exports.ts";
import { groupTexts } from "../../../../server/locales/de/groups.ts";
import { permissionTexts } from "../../../../server/locales/de/permissions.ts";
import { safetyTexts } from "../../../../server/locales/de/safety.ts";
import { settingsTexts } from "../../../../server/locales/de/settings.ts";
import { userSettingTexts } from "../../../../server/locales/de/user-settings.ts";
import { backupTexts } from "../backups.ts";
import { botsTexts } from "../bots.ts";
import { computerTexts } from "../computer.ts";
import { emailTexts } from "../email.ts";
import { expiringTexts } from "../expiring.ts";
import { firstRunTexts } from "../first-run.ts";
import { folderTexts } from "../folders.ts";
import { importedPeopleTexts } from "../imported-people.ts";
import { integrationsTexts } from "../integrations.ts";
import { invitationPageTexts } from "../invitations-page.ts";
import { keyTexts } from "../keys.ts";
import { moveInTexts } from "../move-in.ts";
import { newMemberTexts } from "../new-members.ts";
import { ownTexts } from "../own.ts";
import { webhooksTexts } from "../webhooks.ts";

export const texts = {
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
};
