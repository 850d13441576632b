import { backupTexts } from "./de/backups.ts";
import { botsTexts } from "./de/bots.ts";
import { channelTexts } from "./de/channels.ts";
import { expiringTexts } from "./de/expiring.ts";
import { exportTexts } from "./de/exports.ts";
import { folderTexts } from "./de/folders.ts";
import { groupTexts } from "./de/groups.ts";
import { integrationsTexts } from "./de/integrations.ts";
import { keyTexts } from "./de/keys.ts";
import { newMemberTexts } from "./de/new-members.ts";
import { ownTexts } from "./de/own.ts";
import { permissionTexts } from "./de/permissions.ts";
import { safetyTexts } from "./de/safety.ts";
import { settingsTexts } from "./de/settings.ts";
import { userSettingTexts } from "./de/user-settings.ts";
import { webhooksTexts } from "./de/webhooks.ts";

/** In German: see en-admin-pages.ts. */
export const adminPageTexts = {
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
