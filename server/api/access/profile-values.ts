import { badRequest, quoted } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isSystemBot } from "../queries/bots.ts";
import { FIELD_LIMITS, FIELD_TYPE, type ProfileField } from "../queries/profile-fields.ts";
import { ROLES, type User, userById } from "../queries/users.ts";
import { canSeeUser } from "./people.ts";
import { isWebAddress, profileFieldToChange } from "./profile-fields.ts";

/** As clients send it: null, an empty text or an empty list removes the value. */
export interface ProfileValueInput {
  id: number;
  value: string | readonly number[] | null;
}

/** A field whose value the actor may change; some are for administrators only. */
export function profileFieldToFill(reader: Reader, actor: User, id: number): ProfileField {
  const field = profileFieldToChange(reader, id);
  if (!field.editable_by_user && actor.role > ROLES.administrator)
    throw badRequest(`Only administrators may change ${field.name}: insufficient permission.`);
  return field;
}

const isEmpty = (value: ProfileValueInput["value"]): boolean => value === null || value.length === 0;

/** A value as it is stored; undefined: it is removed. */
export function validValue(
  reader: Reader,
  actor: User,
  field: ProfileField,
  input: ProfileValueInput["value"],
): string | undefined {
  if (field.type === FIELD_TYPE.USER) return validUsers(reader, actor, field, input);
  if (isEmpty(input)) return undefined;
  if (typeof input !== "string") throw badRequest(`${field.name} must be text.`);
  const value = input.trim();
  if (value === "") return undefined;
  switch (field.type) {
    case FIELD_TYPE.LONG_TEXT:
      return noLonger(field, value, FIELD_LIMITS.longText);
    case FIELD_TYPE.SELECT:
      if (!Object.hasOwn(JSON.parse(field.field_data), value))
        throw badRequest(`${field.name} has no option ${quoted(value)}.`);
      return value;
    case FIELD_TYPE.DATE:
      if (!isDate(value)) throw badRequest(`${field.name} must be a date: YYYY-MM-DD.`);
      return value;
    case FIELD_TYPE.LINK:
      if (!isWebAddress(value)) throw badRequest(`${field.name} must be a web address.`);
      return noLonger(field, value, FIELD_LIMITS.link);
    default:
      if (/\p{Cc}/u.test(value)) throw badRequest(`${field.name} must be one line without control characters.`);
      return noLonger(field, value, FIELD_LIMITS.shortText);
  }
}

function noLonger(field: ProfileField, value: string, limit: number): string {
  if ([...value].length > limit) throw badRequest(`${field.name} is too long: at most ${limit} characters.`);
  return value;
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** A list of users; one who is hidden from the actor gets the error of one who does not exist. */
function validUsers(
  reader: Reader,
  actor: User,
  field: ProfileField,
  input: ProfileValueInput["value"],
): string | undefined {
  const ids = typeof input === "string" && input !== "" ? listIn(input) : input;
  if (ids === undefined || typeof ids === "string" || ids === null || ids.length === 0) {
    if (ids === undefined) throw badRequest(`${field.name} must be a list of user IDs.`);
    return undefined;
  }
  for (const id of ids) {
    const user = userById(reader, id);
    if (!user || isSystemBot(user) || !canSeeUser(reader, actor, user))
      throw badRequest(`${field.name}: invalid user ID ${id}`);
    if (!user.is_active) throw badRequest(`${field.name}: the user ${id} is deactivated.`);
    if (user.is_bot) throw badRequest(`${field.name}: the user ${id} is a bot.`);
  }
  return JSON.stringify([...new Set(ids)]);
}

/** The list in a text of the stored form. */
function listIn(text: string): readonly number[] | undefined {
  if (!/^\s*\[[\d,\s]*\]\s*$/.test(text)) return undefined;
  try {
    return JSON.parse(text) as number[];
  } catch {
    return undefined;
  }
}
