import { channelTexts } from "../channels.ts";
import { expiringTexts } from "../expiring.ts";
import { permissionTexts } from "../permissions.ts";
import { savingTexts } from "../saving.ts";

export const texts = {
  ...channelTexts,
  ...expiringTexts,
  ...permissionTexts,
  ...savingTexts,
};
