import { z } from "zod";
import { boolean, integer, json, listOf, oneOf, text } from "../../http/params.ts";
import { completeOrder, profileFieldToChange, validField } from "../access/profile-fields.ts";
import {
  createProfileField,
  deleteProfileField,
  editProfileField,
  removeProfileValues,
  reorderProfileFields,
  setProfileValues,
} from "../actions/profile-fields.ts";
import { profileFieldOnWire, wireProfileField } from "../presenters/profile-fields.ts";
import { FIELD_LIMITS, FIELD_TYPES, profileFields } from "../queries/profile-fields.ts";
import { endpoint } from "./endpoint.ts";
import { givenValues } from "./params.ts";

const settings = {
  name: text().optional().describe(`At most ${FIELD_LIMITS.name} characters. Well-known accounts have a fixed name.`),
  hint: text().optional().describe(`At most ${FIELD_LIMITS.hint} characters.`),
  field_data: json(z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])))
    .optional()
    .describe("Options of a list by key, each {text, order}; or {subtype, url_pattern} of an account."),
  display_in_profile_summary: boolean().optional().describe(`For at most ${FIELD_LIMITS.inSummary} fields.`),
  required: boolean().optional(),
  editable_by_user: boolean()
    .optional()
    .describe("Whether users can edit their value. Otherwise only administrators can."),
  use_for_user_matching: boolean().optional().describe("Whether users can be found by its value."),
};

export const getProfileFields = endpoint({
  route: "GET /realm/profile_fields",
  summary: "List custom profile fields in order.",
  who: "guest",
  response: z.object({ custom_fields: z.array(wireProfileField) }),
  handle: ({ reader }) => ({ custom_fields: profileFields(reader).map(profileFieldOnWire) }),
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
  summary: "Reorder profile fields.",
  who: "administrator",
  params: { order: listOf(integer()).describe("The IDs of all fields.") },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => reorderProfileFields(tx, viewer, completeOrder(tx, params.order))),
});

export const patchProfileField = endpoint({
  route: "PATCH /realm/profile_fields/{field_id}",
  summary: "Change a profile field. Omitted settings do not change.",
  who: "administrator",
  params: { field_id: integer(), ...settings },
  handle: ({ viewer, params: { field_id, ...given }, transact }) => {
    transact((tx) => {
      const before = profileFieldToChange(tx, field_id);
      editProfileField(tx, viewer, before, validField(tx, before.type, given, before));
    });
  },
});

export const removeProfileField = endpoint({
  route: "DELETE /realm/profile_fields/{field_id}",
  summary: "Delete a profile field and its values.",
  who: "administrator",
  params: { field_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => deleteProfileField(tx, viewer, profileFieldToChange(tx, params.field_id))),
});

export const patchProfileData = endpoint({
  route: "PATCH /users/me/profile_data",
  summary: "Set values of the caller's profile. Empty values are removed.",
  who: "guest",
  bots: false,
  params: { data: givenValues },
  handle: ({ viewer, params, transact }) => transact((tx) => setProfileValues(tx, viewer, viewer, params.data)),
});

export const removeProfileData = endpoint({
  route: "DELETE /users/me/profile_data",
  summary: "Remove values from the caller's profile.",
  who: "guest",
  bots: false,
  params: { data: listOf(integer()).describe("Field IDs.") },
  handle: ({ viewer, params, transact }) => transact((tx) => removeProfileValues(tx, viewer, params.data)),
});
