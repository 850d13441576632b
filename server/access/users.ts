import { badRequest } from "../errors.ts";
import type { Reader } from "../storage/transaction.ts";
import { isBlank } from "./names.ts";

export const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = (typeof ROLES)[keyof typeof ROLES];

export interface User {
  id: number;
  email: string;
  full_name: string;
  role: Role;
  is_bot: boolean;
  /** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded; null for people. */
  bot_type: 1 | 2 | 3 | 4 | null;
  bot_owner_id: number | null;
  is_active: boolean;
  timezone: string;
  avatar_version: number;
  key_generation: number;
  /** Which of the server's own bots this is (`system-bots.ts`); null: anybody else. */
  system_bot: string | null;
  /** Milliseconds since the epoch. */
  joined_at: number;
}

type Row = Omit<User, "is_bot" | "is_active"> & { is_bot: number; is_active: number };

const COLUMNS = `id, email, full_name, role, is_bot, bot_type, bot_owner_id, is_active, timezone, avatar_version,
  key_generation, system_bot, joined_at`;

const fromRow = (row: Row): User => ({ ...row, is_bot: row.is_bot === 1, is_active: row.is_active === 1 });

/** The form in which addresses are compared. */
export const emailKey = (email: string): string => email.trim().normalize("NFC").toLowerCase();

interface Known {
  byId: Map<number, User>;
  idByEmail: Map<string, number>;
}

// Filled as asked for, and emptied by any change of a user: a send then reads no row of users, and adding the
// thousandth user does not read the other 999.
const known = (reader: Reader): Known =>
  reader.derived("users seen", ["users"], () => ({ byId: new Map(), idByEmail: new Map() }));

export function userById(reader: Reader, id: number): User | undefined {
  const { byId } = known(reader);
  const kept = byId.get(id);
  if (kept) return kept;
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM users WHERE id = ?`, id);
  if (!row) return undefined;
  const user = fromRow(row);
  byId.set(id, user);
  return user;
}

/** By login address, whatever its case; deactivated users and bots too. */
export function userByEmail(reader: Reader, email: string): User | undefined {
  const { idByEmail } = known(reader);
  const key = emailKey(email);
  const id = idByEmail.get(key) ?? reader.value<number>("SELECT id FROM users WHERE email_key = ?", key);
  if (id === undefined) return undefined;
  idByEmail.set(key, id);
  return userById(reader, id);
}

/** Everyone, deactivated users and bots too, but for the server's own bots; in the order of their ids. */
export const allUsers = (reader: Reader): User[] =>
  reader.all<Row>(`SELECT ${COLUMNS} FROM users WHERE system_bot IS NULL ORDER BY id`).map(fromRow);

/** Ascending; bots too, but for the server's own. Not to be changed by the caller. */
export const activeUserIds = (reader: Reader): readonly number[] =>
  reader.derived("active user ids", ["users"], (rows) =>
    rows
      .all<{ id: number }>("SELECT id FROM users WHERE is_active = 1 AND system_bot IS NULL ORDER BY id")
      .map(({ id }) => id),
  );

/** What `verify` of passwords takes; null for bots, and for people without one. */
export const passwordHashOf = (reader: Reader, user: User): string | null =>
  reader.value<string | null>("SELECT password_hash FROM users WHERE id = ?", user.id) ?? null;

const NAME_LENGTH = { least: 2, most: 100 };
const EMAIL_MOST = 254;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it keeps out
const NOT_IN_NAMES = /[*`\\>"@\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** A person's name as it is kept (contract/settings.json, userFields), or an error that says what is wrong with it. */
export function validFullName(name: string): string {
  const trimmed = name.trim().normalize("NFC");
  const length = [...trimmed].length;
  if (length < NAME_LENGTH.least) throw badRequest(`A name has at least ${NAME_LENGTH.least} characters.`);
  if (length > NAME_LENGTH.most) throw badRequest(`A name has at most ${NAME_LENGTH.most} characters.`);
  if (isBlank(trimmed)) throw badRequest("A name needs a character that can be seen.");
  const found = NOT_IN_NAMES.exec(trimmed);
  if (found) throw badRequest(`A name cannot contain ${JSON.stringify(found[0])}.`);
  return trimmed;
}

const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?";
/** A domain needs no dot: names of a home network have none. */
const ADDRESS = new RegExp(`^[^\\s@"(),:;<>[\\]\\\\\\p{C}]+@${LABEL}(?:\\.${LABEL})*$`, "u");

/** An address as it is kept, or an error. */
export function validEmail(email: string): string {
  const trimmed = email.trim().normalize("NFC");
  if (trimmed.length > EMAIL_MOST) throw badRequest(`An email address has at most ${EMAIL_MOST} characters.`);
  // A domain that can never be anybody's (RFC 2606): the server's own bots have their addresses there.
  if (!ADDRESS.test(trimmed) || /[@.]invalid$/i.test(trimmed)) throw badRequest("That is not an email address.");
  return trimmed;
}

/** The address, if nobody has it yet; letter case makes no difference. */
export function freeEmail(reader: Reader, email: string): string {
  const valid = validEmail(email);
  if (reader.value("SELECT id FROM users WHERE email_key = ?", emailKey(valid)) !== undefined) {
    throw badRequest(`Somebody has an account with ${valid} already.`);
  }
  return valid;
}
