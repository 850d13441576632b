import { channelTexts } from "../../locales/de/channels.ts";
import { expiringTexts } from "../../locales/de/expiring.ts";
import { permissionTexts } from "../../locales/de/permissions.ts";
import { savingTexts } from "../../locales/de/saving.ts";

export const channelSettingsTexts = {
  ...channelTexts,
  ...expiringTexts,
  ...permissionTexts,
  ...savingTexts,
};
