import { profileFields } from "../queries/profile-fields.ts";
import type { RegisterPart } from "./register-context.ts";

const NAMED_TYPES = {
  SHORT_TEXT: { id: 1, name: "Text (short)" },
  LONG_TEXT: { id: 2, name: "Text (long)" },
  SELECT: { id: 3, name: "List of options" },
  DATE: { id: 4, name: "Date" },
  LINK: { id: 5, name: "Link" },
  USER: { id: 6, name: "Users" },
  EXTERNAL_ACCOUNT: { id: 7, name: "External account" },
  PRONOUNS: { id: 8, name: "Pronouns" },
};

export const registerParts: Record<string, RegisterPart> = {
  custom_profile_fields: ({ reader }) => ({
    custom_profile_fields: profileFields(reader),
    custom_profile_field_types: NAMED_TYPES,
  }),
};
