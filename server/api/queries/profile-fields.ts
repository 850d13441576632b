import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";

/** By number: docs/protocol.md#other-records. */
export const FIELD_TYPE = {
  SHORT_TEXT: 1,
  LONG_TEXT: 2,
  SELECT: 3,
  DATE: 4,
  LINK: 5,
  USER: 6,
  EXTERNAL_ACCOUNT: 7,
  PRONOUNS: 8,
} as const;
export type FieldType = (typeof FIELD_TYPE)[keyof typeof FIELD_TYPE];
export const FIELD_TYPES = Object.values(FIELD_TYPE);

/** Unicode code points, and the number of fields in a summary. */
export const FIELD_LIMITS = { name: 40, hint: 80, shortText: 50, longText: 500, link: 2000, inSummary: 2 } as const;

/** Accounts on other sites whose URLs all clients know. `custom` ones have their own URL pattern. */
export const EXTERNAL_ACCOUNTS = {
  github: { name: "GitHub username", text: "GitHub", hint: "", url_pattern: "https://github.com/%(username)s" },
  twitter: { name: "Twitter username", text: "Twitter", hint: "", url_pattern: "https://twitter.com/%(username)s" },
} as const;
export const isKnownAccount = (kind: string): kind is keyof typeof EXTERNAL_ACCOUNTS =>
  Object.hasOwn(EXTERNAL_ACCOUNTS, kind);

/** The placeholder for the name in the pattern of a custom account. */
export const USERNAME = "%(username)s";

export const selectData = z.record(z.string(), z.object({ text: z.string(), order: z.string() }));
export const accountData = z.object({ subtype: z.string(), url_pattern: z.string().optional() });

export interface ProfileField {
  id: number;
  type: FieldType;
  order: number;
  name: string;
  hint: string;
  /** JSON: the options of a list, or the kind of account; empty for other types. */
  field_data: string;
  display_in_profile_summary: boolean;
  required: boolean;
  editable_by_user: boolean;
  use_for_user_matching: boolean;
}

type Flag = "display_in_profile_summary" | "required" | "editable_by_user" | "use_for_user_matching";
type Row = Omit<ProfileField, Flag> & Record<Flag, number>;

/** All fields in display order. Callers must not modify the result. */
export const profileFields = (reader: Reader): readonly ProfileField[] =>
  reader.derived("profile fields", ["profile_fields"], (rows) =>
    rows
      .all<Row>(
        `SELECT id, type, position AS "order", name, hint, field_data, display_in_profile_summary, required,
           editable_by_user, use_for_user_matching FROM profile_fields ORDER BY position, id`,
      )
      .map((row) => ({
        ...row,
        display_in_profile_summary: row.display_in_profile_summary === 1,
        required: row.required === 1,
        editable_by_user: row.editable_by_user === 1,
        use_for_user_matching: row.use_for_user_matching === 1,
      })),
  );

export const profileFieldById = (reader: Reader, id: number): ProfileField | undefined =>
  profileFields(reader).find((field) => field.id === id);

/** Whether values of the field are rendered as Markdown. */
export const isMarkdown = ({ type }: Pick<ProfileField, "type">): boolean =>
  type === FIELD_TYPE.SHORT_TEXT || type === FIELD_TYPE.LONG_TEXT;

/** A user's values, by field id as text. */
export type ProfileData = Record<string, { value: string; rendered_value?: string }>;

const values = (reader: Reader): ReadonlyMap<number, ProfileData> =>
  reader.derived("profile values", ["profile_values"], (rows) => {
    const found = new Map<number, ProfileData>();
    for (const { user, field, value, rendered } of rows.all<{
      user: number;
      field: number;
      value: string;
      rendered: string | null;
    }>(
      "SELECT user_id AS user, field_id AS field, value, rendered_value AS rendered FROM profile_values ORDER BY user_id, field_id",
    )) {
      const data = found.get(user) ?? {};
      found.set(user, data);
      data[field] = rendered === null ? { value } : { value, rendered_value: rendered };
    }
    return found;
  });

/** The tables that `profileDataOf` reads. */
export const PROFILE_TABLES = ["profile_values"] as const;

/** Callers must not modify the result. */
export const profileDataOf = (reader: Reader, userId: number): ProfileData => values(reader).get(userId) ?? {};

/** The users whose value of the field is none of these, ascending. */
export const usersWithOtherValues = (reader: Reader, fieldId: number, allowed: readonly string[]): number[] =>
  reader
    .all<{ id: number; value: string }>(
      "SELECT user_id AS id, value FROM profile_values WHERE field_id = ? ORDER BY user_id",
      fieldId,
    )
    .filter(({ value }) => !allowed.includes(value))
    .map(({ id }) => id);
