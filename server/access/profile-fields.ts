import type { z } from "zod";
import { badRequest, quoted } from "../errors.ts";
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
  type WireProfileField,
} from "../queries/profile-fields.ts";
import type { Reader } from "../storage/transaction.ts";

/** What of a field can be given when it is made, and changed later; its type stays. */
export type FieldSettings = Omit<WireProfileField, "id" | "type" | "order">;

/** The same as clients send it. */
export interface ProfileFieldInput {
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

/** A field of this type as it is kept, or an error that says what is wrong with it. `before`: the field as it was. */
export function validField(
  reader: Reader,
  type: FieldType,
  given: ProfileFieldInput,
  before?: ProfileField | undefined,
): FieldSettings {
  const field_data = given.field_data === undefined && before ? before.field_data : validData(type, given.field_data);
  const known = accountOf(type, field_data);
  if (known && before) assertNotRenamed(known, given);
  const field: FieldSettings = {
    // Accounts that every client knows are called alike everywhere.
    name: known?.name ?? validName(given.name ?? before?.name ?? ""),
    hint: known?.hint ?? validHint(given.hint ?? before?.hint ?? ""),
    field_data,
    display_in_profile_summary: given.display_in_profile_summary ?? before?.display_in_profile_summary ?? false,
    required: given.required ?? before?.required ?? false,
    editable_by_user: given.editable_by_user ?? before?.editable_by_user ?? true,
    use_for_user_matching: given.use_for_user_matching ?? before?.use_for_user_matching ?? false,
  };
  const others = profileFields(reader).filter(({ id }) => id !== before?.id);
  if (others.some((other) => fieldNameKey(other.name) === fieldNameKey(field.name)))
    throw badRequest(`There is a profile field called ${JSON.stringify(field.name)} already.`);
  if (field.display_in_profile_summary) assertFitsSummary(type, others);
  if (field.use_for_user_matching && type !== FIELD_TYPE.SHORT_TEXT && type !== FIELD_TYPE.EXTERNAL_ACCOUNT)
    throw badRequest("use_for_user_matching is for short texts and external accounts.");
  return field;
}

/** Who makes one need not know what it is called. */
function assertNotRenamed(known: { name: string; hint: string }, given: ProfileFieldInput): void {
  for (const property of ["name", "hint"] as const) {
    if (given[property] !== undefined && given[property].trim() !== known[property])
      throw badRequest(`${property}: an account that clients know keeps its own.`);
  }
}

export const fieldNameKey = (name: string): string => name.normalize("NFC").toLowerCase();

const isLonger = (text: string, limit: number): boolean => [...text].length > limit;

function validName(given: string): string {
  const name = given.trim();
  if (name === "") throw badRequest("name: a profile field needs a name.");
  if (isLonger(name, FIELD_LIMITS.name)) throw badRequest(`name is too long: at most ${FIELD_LIMITS.name} characters.`);
  return name;
}

function validHint(given: string): string {
  const hint = given.trim();
  if (isLonger(hint, FIELD_LIMITS.hint)) throw badRequest(`hint is too long: at most ${FIELD_LIMITS.hint} characters.`);
  return hint;
}

function assertFitsSummary(type: FieldType, others: readonly ProfileField[]): void {
  if (type === FIELD_TYPE.LONG_TEXT || type === FIELD_TYPE.USER)
    throw badRequest("display_in_profile_summary is not for long texts and lists of users.");
  if (others.filter((other) => other.display_in_profile_summary).length >= FIELD_LIMITS.inSummary)
    throw badRequest(`display_in_profile_summary: at most ${FIELD_LIMITS.inSummary} fields can have it.`);
}

/** The kind of account, of those that every client knows. */
function accountOf(type: FieldType, fieldData: string) {
  if (type !== FIELD_TYPE.EXTERNAL_ACCOUNT) return undefined;
  const { subtype } = accountData.parse(JSON.parse(fieldData));
  return isKnownAccount(subtype) ? EXTERNAL_ACCOUNTS[subtype] : undefined;
}

function validData(type: FieldType, given: unknown = {}): string {
  if (type === FIELD_TYPE.SELECT) return JSON.stringify(validOptions(given));
  if (type === FIELD_TYPE.EXTERNAL_ACCOUNT) return JSON.stringify(validAccount(given));
  if (typeof given === "object" && given !== null && Object.keys(given).length === 0) return "";
  throw badRequest("field_data is for lists of options and external accounts.");
}

function validOptions(given: unknown): z.output<typeof selectData> {
  const parsed = selectData.safeParse(given);
  if (!parsed.success) throw badRequest("field_data of a list must hold {text, order} for each of its options.");
  const options = Object.entries(parsed.data);
  if (options.length === 0) throw badRequest("field_data: a list needs an option.");
  const texts = new Set<string>();
  for (const [key, option] of options) {
    option.text = option.text.trim();
    if (key.trim() === "" || option.text === "") throw badRequest("field_data: an option needs a key and a text.");
    if (!/^\d{1,9}$/.test(option.order)) throw badRequest("field_data: an option's order must be a number, as text.");
    if (texts.has(option.text)) throw badRequest(`field_data: the option ${quoted(option.text)} is there twice.`);
    texts.add(option.text);
  }
  return parsed.data;
}

function validAccount(given: unknown): z.output<typeof accountData> {
  const parsed = accountData.safeParse(given);
  if (!parsed.success) throw badRequest("field_data of an external account must hold its subtype.");
  const { subtype, url_pattern } = parsed.data;
  if (isKnownAccount(subtype)) {
    if (url_pattern !== undefined) throw badRequest("field_data: url_pattern is for custom accounts.");
    return { subtype };
  }
  if (subtype !== "custom") throw badRequest(`field_data: there is no kind of account ${quoted(subtype)}.`);
  if (url_pattern === undefined) throw badRequest("field_data: a custom account needs a url_pattern.");
  if (url_pattern.split(USERNAME).length !== 2) throw badRequest(`field_data: url_pattern must hold ${USERNAME} once.`);
  if (!isWebAddress(url_pattern.replace(USERNAME, "username")))
    throw badRequest("field_data: url_pattern must be a web address.");
  return { subtype, url_pattern };
}

/** Leads to the web, and nowhere else. */
export function isWebAddress(text: string): boolean {
  if (/\s/.test(text) || !/^https?:\/\//i.test(text)) return false;
  return URL.canParse(text);
}

/** All fields' ids, each once, in the order that they are to have. */
export function completeOrder(reader: Reader, order: readonly number[]): readonly number[] {
  const known = profileFields(reader).map(({ id }) => id);
  const given = new Set(order);
  if (given.size !== order.length || given.size !== known.length || !known.every((id) => given.has(id)))
    throw badRequest("order must hold the ID of every profile field, once each.");
  return order;
}
