import { channelTexts } from "../../server/locales/de/channels.ts";
import { permissionTexts } from "../../server/locales/de/permissions.ts";
import { expiringTexts } from "./de/expiring.ts";
import { savingTexts } from "./de/saving.ts";

export const channelSettingsTexts = {
  ...channelTexts,
  ...expiringTexts,
  ...permissionTexts,
  ...savingTexts,
};
