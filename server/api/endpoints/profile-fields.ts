import { z } from "zod";
import { boolean, integer, json, listOf, oneOf, text } from "../../http/params.ts";
import { completeOrder, profileFieldToChange, validField } from "../access/profile-fields.ts";
import {
  createProfileField,
  deleteProfileField,
  editProfileField,
  reorderProfileFields,
} from "../actions/profile-fields.ts";
import { removeProfileValues, setProfileValues } from "../actions/profile-values.ts";
import { wireProfileField } from "../presenters/profile-fields.ts";
import { FIELD_LIMITS, FIELD_TYPES, profileFields } from "../queries/profile-fields.ts";
import { endpoint } from "./endpoint.ts";
import { givenValues } from "./profile-params.ts";

const settings = {
  name: text()
    .optional()
    .describe(`At most ${FIELD_LIMITS.name} characters. Accounts that clients know bring their own.`),
  hint: text().optional().describe(`At most ${FIELD_LIMITS.hint} characters.`),
  field_data: json(z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])))
    .optional()
    .describe("A list's options by key, {text, order} each; or an account's {subtype, url_pattern}."),
  display_in_profile_summary: boolean().optional().describe(`For ${FIELD_LIMITS.inSummary} fields at most.`),
  required: boolean().optional(),
  editable_by_user: boolean().optional().describe("Else by administrators only."),
  use_for_user_matching: boolean().optional().describe("Whether its value finds people, where names are typed."),
};

export const getProfileFields = endpoint({
  route: "GET /realm/profile_fields",
  summary: "What people can say of themselves, in order.",
  who: "member",
  guests: true,
  response: z.object({ custom_fields: z.array(wireProfileField) }),
  handle: ({ reader }) => ({ custom_fields: [...profileFields(reader)] }),
});

export const postProfileField = endpoint({
  route: "POST /realm/profile_fields",
  summary: "Add a profile field.",
  who: "administrator",
  params: { field_type: oneOf(...FIELD_TYPES), ...settings },
  response: z.object({ id: z.int() }),
  handle: ({ viewer, params: { field_type, ...given }, transact }) => ({
    id: transact((tx) => createProfileField(tx, viewer, field_type, validField(tx, field_type, given))),
  }),
});

export const patchProfileFieldOrder = endpoint({
  route: "PATCH /realm/profile_fields",
  summary: "Put the profile fields into another order.",
  who: "administrator",
  params: { order: listOf(integer()).describe("The ID of every field.") },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => reorderProfileFields(tx, viewer, completeOrder(tx, params.order)));
    return {};
  },
});

export const patchProfileField = endpoint({
  route: "PATCH /realm/profile_fields/{field_id}",
  summary: "Change a profile field; what is left out stays.",
  who: "administrator",
  params: { field_id: integer(), ...settings },
  handle: ({ viewer, params: { field_id, ...given }, transact }) => {
    transact((tx) => {
      const before = profileFieldToChange(tx, field_id);
      editProfileField(tx, viewer, before, validField(tx, before.type, given, before));
    });
    return {};
  },
});

export const removeProfileField = endpoint({
  route: "DELETE /realm/profile_fields/{field_id}",
  summary: "Delete a profile field, with everybody's values.",
  who: "administrator",
  params: { field_id: integer() },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => deleteProfileField(tx, viewer, profileFieldToChange(tx, params.field_id)));
    return {};
  },
});

export const patchProfileData = endpoint({
  route: "PATCH /users/me/profile_data",
  summary: "Say something of oneself; what is empty is taken away.",
  who: "member",
  guests: true,
  bots: false,
  params: { data: givenValues },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => setProfileValues(tx, viewer, viewer, params.data));
    return {};
  },
});

export const removeProfileData = endpoint({
  route: "DELETE /users/me/profile_data",
  summary: "Say no longer what these fields hold.",
  who: "member",
  guests: true,
  bots: false,
  params: { data: listOf(integer()).describe("IDs of fields.") },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => removeProfileValues(tx, viewer, params.data));
    return {};
  },
});
