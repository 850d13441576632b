import type { z } from "zod";
import { aboutParameter, badRequest, quoted, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isSystemBot } from "../queries/bots.ts";
import {
  accountData,
  EXTERNAL_ACCOUNTS,
  FIELD_LIMITS,
  FIELD_TYPE,
  type FieldType,
  isKnownAccount,
  type ProfileField,
  profileFieldById,
  profileFields,
  selectData,
  USERNAME,
} from "../queries/profile-fields.ts";
import { ROLES, type User, userById } from "../queries/users.ts";
import { canSeeUser } from "./people.ts";

/** The type of a field never changes. */
export type FieldSettings = Omit<ProfileField, "id" | "type" | "order">;

/** Undefined values do not change. */
interface ProfileFieldInput {
  name?: string | undefined;
  hint?: string | undefined;
  field_data?: unknown;
  display_in_profile_summary?: boolean | undefined;
  required?: boolean | undefined;
  editable_by_user?: boolean | undefined;
  use_for_user_matching?: boolean | undefined;
}

export function profileFieldToChange(reader: Reader, id: number): ProfileField {
  const field = profileFieldById(reader, id);
  if (!field) throw badRequest(`There is no profile field ${id}.`);
  return field;
}

/** `before`: the field before the change. */
export function validField(
  reader: Reader,
  type: FieldType,
  input: ProfileFieldInput,
  before?: ProfileField | undefined,
): FieldSettings {
  const field_data = input.field_data === undefined && before ? before.field_data : validData(type, input.field_data);
  const account = wellKnownAccount(type, field_data);
  if (account && before) assertNotRenamed(account, input);
  const field: FieldSettings = {
    // Well-known accounts have a fixed name.
    name: account?.name ?? aboutParameter("name", () => validName(input.name ?? before?.name ?? "")),
    hint: account?.hint ?? aboutParameter("hint", () => validHint(input.hint ?? before?.hint ?? "")),
    field_data,
    display_in_profile_summary: input.display_in_profile_summary ?? before?.display_in_profile_summary ?? false,
    required: input.required ?? before?.required ?? false,
    editable_by_user: input.editable_by_user ?? before?.editable_by_user ?? true,
    use_for_user_matching: input.use_for_user_matching ?? before?.use_for_user_matching ?? false,
  };
  const others = profileFields(reader).filter(({ id }) => id !== before?.id);
  if (others.some((other) => fieldNameKey(other.name) === fieldNameKey(field.name)))
    throw badRequest(`There is a profile field called ${JSON.stringify(field.name)} already.`, { var_name: "name" });
  if (field.display_in_profile_summary) assertFitsSummary(type, others);
  if (field.use_for_user_matching && type !== FIELD_TYPE.SHORT_TEXT && type !== FIELD_TYPE.EXTERNAL_ACCOUNT)
    throw refusedParameter("use_for_user_matching", "use_for_user_matching is for short texts and external accounts.");
  return field;
}

/** Clients can omit the name and hint of a well-known account but cannot change them. */
function assertNotRenamed(account: { name: string; hint: string }, input: ProfileFieldInput): void {
  for (const property of ["name", "hint"] as const) {
    if (input[property] !== undefined && input[property].trim() !== account[property])
      throw refusedParameter(property, `${property}: an account that clients know keeps its own.`);
  }
}

export const fieldNameKey = (name: string): string => name.normalize("NFC").toLowerCase();

const isLonger = (text: string, limit: number): boolean => [...text].length > limit;

function validName(input: string): string {
  const name = input.trim();
  if (name === "") throw refusedParameter("name", "name: a profile field needs a name.");
  if (isLonger(name, FIELD_LIMITS.name))
    throw refusedParameter("name", `name is too long: at most ${FIELD_LIMITS.name} characters.`);
  return name;
}

function validHint(input: string): string {
  const hint = input.trim();
  if (isLonger(hint, FIELD_LIMITS.hint))
    throw refusedParameter("hint", `hint is too long: at most ${FIELD_LIMITS.hint} characters.`);
  return hint;
}

function assertFitsSummary(type: FieldType, others: readonly ProfileField[]): void {
  if (type === FIELD_TYPE.LONG_TEXT || type === FIELD_TYPE.USER)
    throw refusedParameter(
      "display_in_profile_summary",
      "display_in_profile_summary is not for long texts and lists of users.",
    );
  if (others.filter((other) => other.display_in_profile_summary).length >= FIELD_LIMITS.inSummary)
    throw refusedParameter(
      "display_in_profile_summary",
      `display_in_profile_summary: at most ${FIELD_LIMITS.inSummary} fields can have it.`,
    );
}

function wellKnownAccount(type: FieldType, fieldData: string) {
  if (type !== FIELD_TYPE.EXTERNAL_ACCOUNT) return undefined;
  const { subtype } = accountData.parse(JSON.parse(fieldData));
  return isKnownAccount(subtype) ? EXTERNAL_ACCOUNTS[subtype] : undefined;
}

function validData(type: FieldType, input: unknown = {}): string {
  if (type === FIELD_TYPE.SELECT) return JSON.stringify(validOptions(input));
  if (type === FIELD_TYPE.EXTERNAL_ACCOUNT) return JSON.stringify(validAccount(input));
  if (typeof input === "object" && input !== null && Object.keys(input).length === 0) return "";
  throw refusedParameter("field_data", "field_data is for lists of options and external accounts.");
}

function validOptions(input: unknown): z.output<typeof selectData> {
  const parsed = selectData.safeParse(input);
  if (!parsed.success)
    throw refusedParameter("field_data", "field_data of a list must hold {text, order} for each of its options.");
  const options = Object.entries(parsed.data);
  if (options.length === 0) throw refusedParameter("field_data", "field_data: a list needs an option.");
  const texts = new Set<string>();
  for (const [key, option] of options) {
    option.text = option.text.trim();
    if (key.trim() === "" || option.text === "")
      throw refusedParameter("field_data", "field_data: an option needs a key and a text.");
    if (!/^\d{1,9}$/.test(option.order))
      throw refusedParameter("field_data", "field_data: an option's order must be a number, as text.");
    if (texts.has(option.text))
      throw refusedParameter("field_data", `field_data: the option ${quoted(option.text)} is there twice.`);
    texts.add(option.text);
  }
  return parsed.data;
}

function validAccount(input: unknown): z.output<typeof accountData> {
  const parsed = accountData.safeParse(input);
  if (!parsed.success) throw refusedParameter("field_data", "field_data of an external account must hold its subtype.");
  const { subtype, url_pattern } = parsed.data;
  if (isKnownAccount(subtype)) {
    if (url_pattern !== undefined)
      throw refusedParameter("field_data", "field_data: url_pattern is for custom accounts.");
    return { subtype };
  }
  if (subtype !== "custom")
    throw refusedParameter("field_data", `field_data: there is no kind of account ${quoted(subtype)}.`);
  if (url_pattern === undefined)
    throw refusedParameter("field_data", "field_data: a custom account needs a url_pattern.");
  if (url_pattern.split(USERNAME).length !== 2)
    throw refusedParameter("field_data", `field_data: url_pattern must hold ${USERNAME} once.`);
  if (!isWebAddress(url_pattern.replace(USERNAME, "username")))
    throw refusedParameter("field_data", "field_data: url_pattern must be a web address.");
  return { subtype, url_pattern };
}

function isWebAddress(text: string): boolean {
  if (/\s/.test(text) || !/^https?:\/\//i.test(text)) return false;
  return URL.canParse(text);
}

export function completeOrder(reader: Reader, order: readonly number[]): readonly number[] {
  const ids = profileFields(reader).map(({ id }) => id);
  const ordered = new Set(order);
  if (ordered.size !== order.length || ordered.size !== ids.length || !ids.every((id) => ordered.has(id)))
    throw refusedParameter("order", "order must hold the ID of every profile field, once each.");
  return order;
}

/** Null, an empty string and an empty list remove the value. */
export interface ProfileValueInput {
  id: number;
  value: string | readonly number[] | null;
}

export function profileFieldToFill(reader: Reader, actor: User, id: number): ProfileField {
  const field = profileFieldToChange(reader, id);
  if (!field.editable_by_user && actor.role > ROLES.administrator)
    throw badRequest(`Only administrators may change ${field.name}: insufficient permission.`);
  return field;
}

const isEmpty = (value: ProfileValueInput["value"]): boolean => value === null || value.length === 0;

/** Returns the stored form, or undefined if the value is removed. */
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

/** Hidden and missing users get the same error. */
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

/** Parses a list in its stored form. */
function listIn(text: string): readonly number[] | undefined {
  if (!/^\s*\[[\d,\s]*\]\s*$/.test(text)) return undefined;
  try {
    return JSON.parse(text) as number[];
  } catch {
    return undefined;
  }
}
