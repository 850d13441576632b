import type { Reader } from "../../storage/transaction.ts";

export const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = (typeof ROLES)[keyof typeof ROLES];

export const BOT_TYPE = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const;
export type BotType = (typeof BOT_TYPE)[keyof typeof BOT_TYPE];

export interface User {
  id: number;
  email: string;
  full_name: string;
  role: Role;
  is_bot: boolean;
  /** Null for people. */
  bot_type: BotType | null;
  bot_owner_id: number | null;
  is_active: boolean;
  timezone: string;
  /** Number of picture changes, from 1. */
  avatar_version: number;
  /** The file of the uploaded picture, which is part of its URL; null: the generated one. */
  avatar: string | null;
  key_generation: number;
  /** The name of the server's own bot (`SYSTEM_BOTS` of bots.ts); null for all other users. */
  system_bot: string | null;
  /** Milliseconds since the epoch. */
  joined_at: number;
  /** Whether an import created the account, and nobody has claimed it yet. Such accounts are deactivated. */
  is_imported_stub: boolean;
}

type Truth = "is_bot" | "is_active" | "is_imported_stub";
type Row = Omit<User, Truth> & Record<Truth, number>;

const COLUMNS = `id, email, full_name, role, is_bot, bot_type, bot_owner_id, is_active, timezone, avatar_version,
  avatar, key_generation, system_bot, joined_at, is_imported_stub`;

const fromRow = (row: Row): User => ({
  ...row,
  is_bot: row.is_bot === 1,
  is_active: row.is_active === 1,
  is_imported_stub: row.is_imported_stub === 1,
});

/** The normalized form for comparing email addresses. */
export const emailKey = (email: string): string => email.trim().normalize("NFC").toLowerCase();

interface Cached {
  byId: Map<number, User>;
  idByEmail: Map<string, number>;
}

// Filled on demand and cleared by any change of a user: a send reads no user rows, and adding the thousandth user does
// not read the other 999.
const cached = (reader: Reader): Cached =>
  reader.derived("users seen", ["users"], () => ({ byId: new Map(), idByEmail: new Map() }));

export function userById(reader: Reader, id: number): User | undefined {
  const { byId } = cached(reader);
  const cachedUser = byId.get(id);
  if (cachedUser) return cachedUser;
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM users WHERE id = ?`, id);
  if (!row) return undefined;
  const user = fromRow(row);
  byId.set(id, user);
  return user;
}

/**
 * The id of the user who is responsible for this user's actions: a bot's owner while they are active. Limits and turns
 * count for that person, who can have any number of bots.
 */
export function answerableFor(reader: Reader, id: number): number {
  const { bot_owner_id: ownerId = null } = userById(reader, id) ?? {};
  return ownerId !== null && userById(reader, ownerId)?.is_active ? ownerId : id;
}

/** The ids of the person who is responsible for this user, and of all their bots. */
export function accountsTogether(reader: Reader, id: number): readonly number[] {
  const seen = reader.derived("accounts together", ["users"], () => new Map<number, number[]>());
  const person = answerableFor(reader, id);
  let ids = seen.get(person);
  if (ids === undefined) {
    ids = reader.values<number>("SELECT id FROM users WHERE id = ?1 OR bot_owner_id = ?1 ORDER BY id", person);
    seen.set(person, ids);
  }
  return ids;
}

/** The result of the query for a person and their bots; its parameter is a JSON array of ids. */
export const sumForPerson = (reader: Reader, user: User, sql: string): number =>
  reader.value<number | null>(sql, JSON.stringify(accountsTogether(reader, user.id))) ?? 0;

/** By login email address, ignoring case. Includes deactivated users and bots. */
export function userByEmail(reader: Reader, email: string): User | undefined {
  const { idByEmail } = cached(reader);
  const key = emailKey(email);
  const id = idByEmail.get(key) ?? reader.value<number>("SELECT id FROM users WHERE email_key = ?", key);
  if (id === undefined) return undefined;
  idByEmail.set(key, id);
  return userById(reader, id);
}

/** The normalized form for names in mentions. */
const nameKey = (name: string): string => name.normalize("NFKC").toLowerCase();

const idsByName = (reader: Reader): ReadonlyMap<string, readonly number[]> =>
  reader.derived("user ids by name", ["users"], (rows) => {
    const ids = new Map<string, number[]>();
    for (const { id, name } of rows.all<{ id: number; name: string }>("SELECT id, full_name AS name FROM users")) {
      const namesakes = ids.get(nameKey(name));
      if (namesakes) namesakes.push(id);
      else ids.set(nameKey(name), [id]);
    }
    return ids;
  });

/** All users with that name, ignoring case. Includes deactivated users and bots. */
export const usersByName = (reader: Reader, name: string): User[] =>
  (idsByName(reader).get(nameKey(name)) ?? []).map((id) => userById(reader, id) as User);

/** All users by id, including deactivated users and bots, without the server's own bots. */
export const allUsers = (reader: Reader): User[] =>
  reader.all<Row>(`SELECT ${COLUMNS} FROM users WHERE system_bot IS NULL ORDER BY id`).map(fromRow);

/** Ascending. Includes bots, except the server's own. Callers must not modify the result. */
export const activeUserIds = (reader: Reader): readonly number[] =>
  reader.derived("active user ids", ["users"], (rows) =>
    rows.values<number>("SELECT id FROM users WHERE is_active = 1 AND system_bot IS NULL ORDER BY id"),
  );

/** Callers must not modify it. */
export const deactivatedUserIds = (reader: Reader): ReadonlySet<number> =>
  reader.derived(
    "deactivated user ids",
    ["users"],
    (rows) => new Set(rows.values<number>("SELECT id FROM users WHERE is_active = 0")),
  );

/** The hash for `Passwords.verify`; null for bots and for people without a password. */
export const passwordHashOf = (reader: Reader, user: User): string | null =>
  reader.value<string | null>("SELECT password_hash FROM users WHERE id = ?", user.id) ?? null;

/**
 * Whether the name is an IANA time zone in its exact spelling, including legacy names. Clients cannot look up offsets,
 * or names with different case.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
