import { adminTexts } from "../../locales/en/admin.ts";
import { computerTexts } from "../../locales/en/computer.ts";
import { firstRunTexts } from "../../locales/en/first-run.ts";
import { invitationTexts } from "../../locales/en/invitations.ts";
import { invitationPageTexts } from "../../locales/en/invitations-page.ts";
import { overviewTexts } from "../../locales/en/overview.ts";
import { peopleTexts } from "../../locales/en/people.ts";
import { savingTexts } from "../../locales/en/saving.ts";
import { updateTexts } from "../../locales/en/updates.ts";

/** What the admin window says beside what every page says: around its pages, on Overview, and before there is either. */
export const adminWindowTexts = {
  ...adminTexts,
  ...computerTexts,
  ...firstRunTexts,
  ...invitationTexts,
  ...invitationPageTexts,
  ...overviewTexts,
  ...peopleTexts,
  ...savingTexts,
  ...updateTexts,
} as const;
