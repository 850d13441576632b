import { adminTexts } from "../../locales/de/admin.ts";
import { computerTexts } from "../../locales/de/computer.ts";
import { firstRunTexts } from "../../locales/de/first-run.ts";
import { invitationTexts } from "../../locales/de/invitations.ts";
import { invitationPageTexts } from "../../locales/de/invitations-page.ts";
import { overviewTexts } from "../../locales/de/overview.ts";
import { peopleTexts } from "../../locales/de/people.ts";
import { savingTexts } from "../../locales/de/saving.ts";
import { updateTexts } from "../../locales/de/updates.ts";

/** In German: see en-admin.ts. */
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
};
