import { channelTexts } from "../../server/locales/de/channels.ts";
import { exportTexts } from "../../server/locales/de/exports.ts";
import { groupTexts } from "../../server/locales/de/groups.ts";
import { permissionTexts } from "../../server/locales/de/permissions.ts";
import { safetyTexts } from "../../server/locales/de/safety.ts";
import { settingsTexts } from "../../server/locales/de/settings.ts";
import { userSettingTexts } from "../../server/locales/de/user-settings.ts";
import { backupTexts } from "./de/backups.ts";
import { botsTexts } from "./de/bots.ts";
import { expiringTexts } from "./de/expiring.ts";
import { folderTexts } from "./de/folders.ts";
import { integrationsTexts } from "./de/integrations.ts";
import { keyTexts } from "./de/keys.ts";
import { newMemberTexts } from "./de/new-members.ts";
import { ownTexts } from "./de/own.ts";
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
