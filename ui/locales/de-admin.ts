import { operatorSettingTexts } from "../../server/locales/de/operator-settings.ts";
import { overviewTexts } from "../../server/locales/de/overview.ts";
import { peopleTexts } from "../../server/locales/de/people.ts";
import { adminTexts } from "./de/admin.ts";
import { computerTexts } from "./de/computer.ts";
import { firstRunTexts } from "./de/first-run.ts";
import { invitationTexts } from "./de/invitations.ts";
import { invitationPageTexts } from "./de/invitations-page.ts";
import { savingTexts } from "./de/saving.ts";
import { updateTexts } from "./de/updates.ts";

/** In German: see en-admin.ts. */
export const adminWindowTexts = {
  ...adminTexts,
  ...computerTexts,
  ...firstRunTexts,
  ...invitationTexts,
  ...invitationPageTexts,
  ...operatorSettingTexts,
  ...overviewTexts,
  ...peopleTexts,
  ...savingTexts,
  ...updateTexts,
};
