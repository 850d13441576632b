import { channelTexts } from "../../locales/en/channels.ts";
import { expiringTexts } from "../../locales/en/expiring.ts";
import { permissionTexts } from "../../locales/en/permissions.ts";
import { savingTexts } from "../../locales/en/saving.ts";

/** What the chat page says beside its own texts where a channel's permissions, folder and retention are set. */
export const channelSettingsTexts = {
  ...channelTexts,
  ...expiringTexts,
  ...permissionTexts,
  ...savingTexts,
} as const;
