import { z } from "zod";
import { FIELD_TYPE, type ProfileField, profileFields } from "../queries/profile-fields.ts";
import { registerPart } from "./register-part.ts";

export const wireProfileField = z.object({
  id: z.int(),
  type: z.int(),
  order: z.int(),
  name: z.string(),
  hint: z.string(),
  field_data: z
    .string()
    .describe("JSON with the options of a list, or the type of an account. Empty for other field types."),
  display_in_profile_summary: z.literal(true).exactOptional().describe("Absent if false, as in the public protocol."),
  required: z.boolean(),
  editable_by_user: z.boolean(),
  use_for_user_matching: z.boolean(),
});
export type WireProfileField = z.output<typeof wireProfileField>;

export const profileFieldOnWire = ({ display_in_profile_summary, ...field }: ProfileField): WireProfileField => ({
  ...field,
  ...(display_in_profile_summary && { display_in_profile_summary }),
});

const NAMED_TYPES = {
  SHORT_TEXT: { id: FIELD_TYPE.SHORT_TEXT, name: "Text (short)" },
  LONG_TEXT: { id: FIELD_TYPE.LONG_TEXT, name: "Text (long)" },
  SELECT: { id: FIELD_TYPE.SELECT, name: "List of options" },
  DATE: { id: FIELD_TYPE.DATE, name: "Date" },
  LINK: { id: FIELD_TYPE.LINK, name: "Link" },
  USER: { id: FIELD_TYPE.USER, name: "Users" },
  EXTERNAL_ACCOUNT: { id: FIELD_TYPE.EXTERNAL_ACCOUNT, name: "External account" },
  PRONOUNS: { id: FIELD_TYPE.PRONOUNS, name: "Pronouns" },
} satisfies Record<keyof typeof FIELD_TYPE, object>;

export const registerParts = {
  custom_profile_fields: registerPart({
    fields: {
      custom_profile_fields: z.array(wireProfileField),
      custom_profile_field_types: z.record(
        z.enum(Object.keys(FIELD_TYPE) as (keyof typeof FIELD_TYPE)[]),
        z.object({ id: z.int(), name: z.string() }),
      ),
    },
    read: ({ reader }) => ({
      custom_profile_fields: profileFields(reader).map(profileFieldOnWire),
      custom_profile_field_types: NAMED_TYPES,
    }),
    spectators: { custom_profile_fields: [], custom_profile_field_types: NAMED_TYPES },
  }),
};
