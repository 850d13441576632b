import { channelTexts } from "../../server/locales/en/channels.ts";
import { permissionTexts } from "../../server/locales/en/permissions.ts";
import { expiringTexts } from "./en/expiring.ts";
import { savingTexts } from "./en/saving.ts";

/** Additional texts of the chat page for a channel's permissions, folder and retention. */
export const channelSettingsTexts = {
  ...channelTexts,
  ...expiringTexts,
  ...permissionTexts,
  ...savingTexts,
} as const;
