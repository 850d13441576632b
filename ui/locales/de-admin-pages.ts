import { backupTexts } from "../../locales/de/backups.ts";
import { botsTexts } from "../../locales/de/bots.ts";
import { channelTexts } from "../../locales/de/channels.ts";
import { expiringTexts } from "../../locales/de/expiring.ts";
import { exportTexts } from "../../locales/de/exports.ts";
import { folderTexts } from "../../locales/de/folders.ts";
import { groupTexts } from "../../locales/de/groups.ts";
import { integrationsTexts } from "../../locales/de/integrations.ts";
import { keyTexts } from "../../locales/de/keys.ts";
import { newMemberTexts } from "../../locales/de/new-members.ts";
import { ownTexts } from "../../locales/de/own.ts";
import { paletteKeywordTexts } from "../../locales/de/palette-keywords.ts";
import { permissionTexts } from "../../locales/de/permissions.ts";
import { safetyTexts } from "../../locales/de/safety.ts";
import { settingKeywordTexts } from "../../locales/de/setting-keywords.ts";
import { settingsTexts } from "../../locales/de/settings.ts";
import { webhooksTexts } from "../../locales/de/webhooks.ts";

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
  ...paletteKeywordTexts,
  ...permissionTexts,
  ...safetyTexts,
  ...settingKeywordTexts,
  ...settingsTexts,
  ...webhooksTexts,
};
