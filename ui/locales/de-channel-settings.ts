import { channelTexts } from "./de/channels.ts";
import { expiringTexts } from "./de/expiring.ts";
import { permissionTexts } from "./de/permissions.ts";
import { savingTexts } from "./de/saving.ts";

export const channelSettingsTexts = {
  ...channelTexts,
  ...expiringTexts,
  ...permissionTexts,
  ...savingTexts,
};
