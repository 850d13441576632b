import { systemGroupId, systemGroupsOf } from "../access/user-groups.ts";
import {
  activeUserIds,
  emailKey,
  freeEmail,
  ROLES,
  type Role,
  type User,
  userById,
  validFullName,
} from "../access/users.ts";
import { badRequest } from "../errors.ts";
import type { UserSettings } from "../queries/user-settings.ts";
import { deliveryEmail, hidesEmail, standsForHidden, userOnWire } from "../queries/users.ts";
import type { Transaction } from "../storage/transaction.ts";
import { recordAudit } from "./audit.ts";

export interface NewUser {
  email: string;
  full_name: string;
  /** From passwords.hash, made before the transaction; null for bots and for people without a password. */
  password_hash: string | null;
  /** 400 where it is left out. */
  role?: Role;
  is_bot?: boolean;
  bot_type?: User["bot_type"];
  bot_owner_id?: number | null;
  /** Those that begin otherwise than the catalogue says. */
  settings?: Partial<Omit<UserSettings, "timezone">>;
}

/**
 * Adds a person or bot and tells everyone, the system groups' growth included. `actor` is null where nobody is
 * signed in: at the desktop, and for the first owner.
 * Errors: BAD_REQUEST for a name or address that will not do, or an address that is taken.
 */
export function createUser(tx: Transaction, actor: User | null, input: NewUser): User {
  const email = freeEmail(tx, input.email);
  if (standsForHidden(tx, email)) throw badRequest(`${email} would stand for somebody who hides their address.`);
  const isBot = input.is_bot ?? false;
  const id = tx.run(
    `INSERT INTO users (email, email_key, full_name, role, is_bot, bot_type, bot_owner_id, password_hash, joined_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    email,
    emailKey(email),
    validFullName(input.full_name),
    input.role ?? ROLES.member,
    isBot ? 1 : 0,
    isBot ? (input.bot_type ?? 1) : null,
    isBot ? (input.bot_owner_id ?? null) : null,
    input.password_hash,
    tx.now,
  );
  for (const [name, value] of Object.entries(input.settings ?? {})) {
    tx.run("INSERT INTO user_settings (user_id, name, value) VALUES (?, ?, ?)", id, name, JSON.stringify(value));
  }
  const user = userById(tx, id) as User;
  const everyone = activeUserIds(tx);
  const person = userOnWire(tx, user);
  const keptOut = hidesEmail(tx, user)
    ? everyone.filter((viewerId) => deliveryEmail(tx, user, userById(tx, viewerId) as User) === null)
    : [];
  tx.emit(
    { type: "realm_user", op: "add", person },
    {
      users: everyone,
      differences: new Map(keptOut.map((viewerId) => [viewerId, { person: { ...person, delivery_email: null } }])),
    },
  );
  for (const group of systemGroupsOf(tx, user, tx.now)) {
    const group_id = systemGroupId(tx, group);
    tx.emit({ type: "user_group", op: "add_members", group_id, user_ids: [id] }, { users: everyone });
  }
  recordAudit(tx, actor, {
    action: "create user",
    target: `user ${id}`,
    after: { email, full_name: user.full_name, role: user.role, is_bot: isBot },
  });
  return user;
}
