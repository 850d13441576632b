import { operatorSettingTexts } from "../../../../server/locales/de/operator-settings.ts";
import { overviewTexts } from "../../../../server/locales/de/overview.ts";
import { peopleTexts } from "../../../../server/locales/de/people.ts";
import { adminTexts } from "../admin.ts";
import { invitationTexts } from "../invitations.ts";
import { savingTexts } from "../saving.ts";
import { updateTexts } from "../updates.ts";

export const texts = {
  ...adminTexts,
  ...invitationTexts,
  ...operatorSettingTexts,
  ...overviewTexts,
  ...peopleTexts,
  ...savingTexts,
  ...updateTexts,
};
