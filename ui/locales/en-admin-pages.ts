import { backupTexts } from "../../locales/en/backups.ts";
import { botsTexts } from "../../locales/en/bots.ts";
import { channelTexts } from "../../locales/en/channels.ts";
import { expiringTexts } from "../../locales/en/expiring.ts";
import { exportTexts } from "../../locales/en/exports.ts";
import { folderTexts } from "../../locales/en/folders.ts";
import { groupTexts } from "../../locales/en/groups.ts";
import { integrationsTexts } from "../../locales/en/integrations.ts";
import { keyTexts } from "../../locales/en/keys.ts";
import { newMemberTexts } from "../../locales/en/new-members.ts";
import { ownTexts } from "../../locales/en/own.ts";
import { paletteKeywordTexts } from "../../locales/en/palette-keywords.ts";
import { permissionTexts } from "../../locales/en/permissions.ts";
import { safetyTexts } from "../../locales/en/safety.ts";
import { settingKeywordTexts } from "../../locales/en/setting-keywords.ts";
import { settingsTexts } from "../../locales/en/settings.ts";
import { webhooksTexts } from "../../locales/en/webhooks.ts";

/** What the pages of the admin window say but Overview, with their dialogs: loaded with the first of them. */
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
} as const;
