import { operatorSettingTexts } from "../../server/locales/en/operator-settings.ts";
import { overviewTexts } from "../../server/locales/en/overview.ts";
import { peopleTexts } from "../../server/locales/en/people.ts";
import { adminTexts } from "./en/admin.ts";
import { computerTexts } from "./en/computer.ts";
import { firstRunTexts } from "./en/first-run.ts";
import { invitationTexts } from "./en/invitations.ts";
import { invitationPageTexts } from "./en/invitations-page.ts";
import { savingTexts } from "./en/saving.ts";
import { updateTexts } from "./en/updates.ts";

/** What the admin window says beside what every page says: around its pages, on Overview, and before there is either. */
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
} as const;
