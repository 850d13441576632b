import { operatorSettingTexts } from "../../server/locales/en/operator-settings.ts";
import { overviewTexts } from "../../server/locales/en/overview.ts";
import { peopleTexts } from "../../server/locales/en/people.ts";
import { adminTexts } from "./en/admin.ts";
import { invitationTexts } from "./en/invitations.ts";
import { savingTexts } from "./en/saving.ts";
import { updateTexts } from "./en/updates.ts";

/** Texts of the admin window besides those of every page: its frame, Overview, and the screens before sign-in. */
export const adminWindowTexts = {
  ...adminTexts,
  ...invitationTexts,
  ...operatorSettingTexts,
  ...overviewTexts,
  ...peopleTexts,
  ...savingTexts,
  ...updateTexts,
} as const;
