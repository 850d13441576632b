import { channelTexts } from "./en/channels.ts";
import { expiringTexts } from "./en/expiring.ts";
import { permissionTexts } from "./en/permissions.ts";
import { savingTexts } from "./en/saving.ts";

/** What the chat page says beside its own texts where a channel's permissions, folder and retention are set. */
export const channelSettingsTexts = {
  ...channelTexts,
  ...expiringTexts,
  ...permissionTexts,
  ...savingTexts,
} as const;
