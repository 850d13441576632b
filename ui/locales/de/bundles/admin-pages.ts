import { backupTexts } from "../backups.ts";
import { botsTexts } from "../bots.ts";
import { channelTexts } from "../channels.ts";
import { expiringTexts } from "../expiring.ts";
import { exportTexts } from "../exports.ts";
import { folderTexts } from "../folders.ts";
import { groupTexts } from "../groups.ts";
import { integrationsTexts } from "../integrations.ts";
import { keyTexts } from "../keys.ts";
import { newMemberTexts } from "../new-members.ts";
import { ownTexts } from "../own.ts";
import { permissionTexts } from "../permissions.ts";
import { safetyTexts } from "../safety.ts";
import { settingsTexts } from "../settings.ts";
import { userSettingTexts } from "../user-settings.ts";
import { webhooksTexts } from "../webhooks.ts";

export const texts = {
  ...backupTexts,
  ...botsTexts,
  ...channelTexts,
  ...expiringTexts,
  ...exportTexts,
  ...folderTexts,
  ...groupTexts,
  ...integrationsTexts,
  ...keyTexts,
  ...newMemberTexts,
  ...ownTexts,
  ...permissionTexts,
  ...safetyTexts,
  ...settingsTexts,
  ...userSettingTexts,
  ...webhooksTexts,
};
