import { channelTexts } from "../../server/locales/en/channels.ts";
import { permissionTexts } from "../../server/locales/en/permissions.ts";
import { expiringTexts } from "./en/expiring.ts";
import { savingTexts } from "./en/saving.ts";

/** What the chat page says beside its own texts where a channel's permissions, folder and retention are set. */
export const channelSettingsTexts = {
  ...channelTexts,
  ...expiringTexts,
  ...permissionTexts,
  ...savingTexts,
} as const;
