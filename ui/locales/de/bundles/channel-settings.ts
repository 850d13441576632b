import { channelTexts } from "../../../../server/locales/de/channels.ts";
import { permissionTexts } from "../../../../server/locales/de/permissions.ts";
import { expiringTexts } from "../expiring.ts";
import { savingTexts } from "../saving.ts";

export const texts = {
  ...channelTexts,
  ...expiringTexts,
  ...permissionTexts,
  ...savingTexts,
};
