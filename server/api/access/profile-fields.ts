import type { z } from "zod";
import { aboutParameter, badRequest, refusedParameter, shortened } from "../../errors.ts";
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
  if (!field) throw badRequest("profile_field_not_found", { id });
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
    throw badRequest("profile_field_name_taken", { name: field.name }, { var_name: "name" });
  if (field.display_in_profile_summary) assertFitsSummary(type, others);
  if (field.use_for_user_matching && type !== FIELD_TYPE.SHORT_TEXT && type !== FIELD_TYPE.EXTERNAL_ACCOUNT)
    throw refusedParameter("use_for_user_matching", "user_matching_not_supported");
  return field;
}

/** Clients can omit the name and hint of a well-known account but cannot change them. */
function assertNotRenamed(account: { name: string; hint: string }, input: ProfileFieldInput): void {
  for (const property of ["name", "hint"] as const) {
    if (input[property] !== undefined && input[property].trim() !== account[property])
      throw refusedParameter(property, "known_account_fixed");
  }
}

export const fieldNameKey = (name: string): string => name.normalize("NFC").toLowerCase();

const isLonger = (text: string, limit: number): boolean => [...text].length > limit;

function validName(input: string): string {
  const name = input.trim();
  if (name === "") throw refusedParameter("name", "profile_field_name_required");
  if (isLonger(name, FIELD_LIMITS.name)) throw refusedParameter("name", "name_too_long", { count: FIELD_LIMITS.name });
  return name;
}

function validHint(input: string): string {
  const hint = input.trim();
  if (isLonger(hint, FIELD_LIMITS.hint)) throw refusedParameter("hint", "hint_too_long", { count: FIELD_LIMITS.hint });
  return hint;
}

function assertFitsSummary(type: FieldType, others: readonly ProfileField[]): void {
  if (type === FIELD_TYPE.LONG_TEXT || type === FIELD_TYPE.USER)
    throw refusedParameter("display_in_profile_summary", "profile_summary_not_supported");
  if (others.filter((other) => other.display_in_profile_summary).length >= FIELD_LIMITS.inSummary)
    throw refusedParameter("display_in_profile_summary", "too_many_in_summary", { count: FIELD_LIMITS.inSummary });
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
  throw refusedParameter("field_data", "field_data_not_supported");
}

function validOptions(input: unknown): z.output<typeof selectData> {
  const parsed = selectData.safeParse(input);
  if (!parsed.success) throw refusedParameter("field_data", "options_invalid");
  const options = Object.entries(parsed.data);
  if (options.length === 0) throw refusedParameter("field_data", "options_required");
  const texts = new Set<string>();
  for (const [key, option] of options) {
    option.text = option.text.trim();
    if (key.trim() === "" || option.text === "") throw refusedParameter("field_data", "option_incomplete");
    if (!/^\d{1,9}$/.test(option.order)) throw refusedParameter("field_data", "option_order_invalid");
    if (texts.has(option.text))
      throw refusedParameter("field_data", "option_duplicate", { option: shortened(option.text) });
    texts.add(option.text);
  }
  return parsed.data;
}

function validAccount(input: unknown): z.output<typeof accountData> {
  const parsed = accountData.safeParse(input);
  if (!parsed.success) throw refusedParameter("field_data", "account_type_required");
  const { subtype, url_pattern } = parsed.data;
  if (isKnownAccount(subtype)) {
    if (url_pattern !== undefined) throw refusedParameter("field_data", "url_pattern_custom_only");
    return { subtype };
  }
  if (subtype !== "custom")
    throw refusedParameter("field_data", "account_type_not_found", { value: shortened(subtype) });
  if (url_pattern === undefined) throw refusedParameter("field_data", "url_pattern_required");
  if (url_pattern.split(USERNAME).length !== 2)
    throw refusedParameter("field_data", "url_pattern_placeholder_invalid", { placeholder: USERNAME });
  if (!isWebAddress(url_pattern.replace(USERNAME, "username")))
    throw refusedParameter("field_data", "url_pattern_not_web");
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
    throw refusedParameter("order", "profile_field_order_incomplete");
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
    throw badRequest("profile_field_administrators_only", { field: field.name });
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
  if (typeof input !== "string") throw badRequest("profile_value_not_text", { field: field.name });
  const value = input.trim();
  if (value === "") return undefined;
  switch (field.type) {
    case FIELD_TYPE.LONG_TEXT:
      return noLonger(field, value, FIELD_LIMITS.longText);
    case FIELD_TYPE.SELECT:
      if (!Object.hasOwn(JSON.parse(field.field_data), value))
        throw badRequest("profile_option_not_found", { field: field.name, value: shortened(value) });
      return value;
    case FIELD_TYPE.DATE:
      if (!isDate(value)) throw badRequest("profile_value_not_date", { field: field.name });
      return value;
    case FIELD_TYPE.LINK:
      if (!isWebAddress(value)) throw badRequest("profile_value_not_url", { field: field.name });
      return noLonger(field, value, FIELD_LIMITS.link);
    default:
      if (/\p{Cc}/u.test(value)) throw badRequest("profile_value_control_characters", { field: field.name });
      return noLonger(field, value, FIELD_LIMITS.shortText);
  }
}

function noLonger(field: ProfileField, value: string, limit: number): string {
  const { length } = [...value];
  if (length > limit) throw badRequest("too_long", { parameter: field.name, count: limit, length });
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
    if (ids === undefined) throw badRequest("profile_value_not_users", { field: field.name });
    return undefined;
  }
  for (const id of ids) {
    const user = userById(reader, id);
    if (!user || isSystemBot(user) || !canSeeUser(reader, actor, user))
      throw badRequest("invalid_user_in_parameter", { parameter: field.name, id });
    if (!user.is_active) throw badRequest("profile_user_deactivated", { field: field.name, id });
    if (user.is_bot) throw badRequest("profile_user_is_bot", { field: field.name, id });
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
