import { badRequest } from "../../errors.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { apiEmail, couldBeStandIn, deliveryEmail } from "../access/email-visibility.ts";
import { allowedEmail, freeFullName } from "../access/organization.ts";
import { usersWhoCanSee } from "../access/people.ts";
import { freeEmail, validFullName } from "../access/users.ts";
import { channelById } from "../queries/channels.ts";
import { organizationSetting } from "../queries/organization.ts";
import { systemGroupId, systemGroupsOf } from "../queries/user-group-members.ts";
import { changedDefaults, type UserSettings } from "../queries/user-settings.ts";
import { activeUserIds, emailKey, ROLES, type Role, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { announceBot } from "./bot-events.ts";
import { notifyTopic, personInNotice } from "./notices.ts";
import { insertRow } from "./rows.ts";
import { restoreParticipation } from "./user-participation.ts";
import { announceNewPerson } from "./user-visibility.ts";

/** Topic of messages about new people. */
const SIGNUPS_TOPIC = "signups";

export interface NewUser {
  email: string;
  full_name: string;
  /** From passwords.hash, before the transaction. Null for bots and for people without a password. */
  password_hash: string | null;
  /** Default: member. */
  role?: Role;
  is_bot?: boolean;
  bot_type?: User["bot_type"];
  bot_owner_id?: number | null;
  /** Values that differ from the defaults. */
  settings?: Partial<Omit<UserSettings, "timezone">>;
}

/** The organization's defaults apply to people, not to bots. */
function settingsAtFirst(
  reader: Reader,
  { is_bot = false, settings }: Pick<NewUser, "is_bot" | "settings">,
): Partial<UserSettings> {
  if (is_bot) return settings ?? {};
  const language = organizationSetting(reader, "default_language");
  return { ...changedDefaults(reader), ...(language !== "en" && { default_language: language }), ...settings };
}

export function insertFirstSettings(
  tx: Transaction,
  userId: number,
  input: Pick<NewUser, "is_bot" | "settings">,
): void {
  for (const [name, value] of Object.entries(settingsAtFirst(tx, input)))
    insertRow(tx, "user_settings", { user_id: userId, name, value: JSON.stringify(value) });
}

function announceSignup(tx: Transaction, user: User): void {
  const channel = channelById(tx, organizationSetting(tx, "signup_announcements_stream_id"));
  if (channel && !channel.is_archived) notifyTopic(tx, channel, SIGNUPS_TOPIC, `${personInNotice(tx, user)} joined.`);
}

/**
 * Announces the user, also as a member of system groups. A null actor is the operator or the first start. Errors:
 * BAD_REQUEST for an invalid or used name or address.
 */
export function createUser(tx: Transaction, actor: User | null, input: NewUser): User {
  const email = freeEmail(tx, input.email);
  if (couldBeStandIn(tx, email)) throw badRequest("email_reserved", { email });
  const isBot = input.is_bot ?? false;
  const id = insertRow(tx, "users", {
    email,
    email_key: emailKey(email),
    full_name: validFullName(input.full_name),
    role: input.role ?? ROLES.member,
    is_bot: isBot ? 1 : 0,
    bot_type: isBot ? (input.bot_type ?? 1) : null,
    bot_owner_id: isBot ? (input.bot_owner_id ?? null) : null,
    password_hash: input.password_hash,
    joined_at: tx.now,
  });
  if (isBot) tx.run("INSERT INTO bots (user_id, default_all_public_streams) VALUES (?, 0)", id);
  insertFirstSettings(tx, id, input);
  const user = userById(tx, id) as User;
  announceNewPerson(tx, user);
  const everyone = activeUserIds(tx);
  for (const group of systemGroupsOf(tx, user, tx.now)) {
    const group_id = systemGroupId(tx, group);
    tx.emit({ type: "user_group", op: "add_members", group_id, user_ids: [id] }, { users: everyone });
  }
  recordAudit(tx, actor, {
    action: "create user",
    target: `user ${id}`,
    after: { email, full_name: user.full_name, role: user.role, is_bot: isBot },
  });
  if (!isBot) announceSignup(tx, user);
  return user;
}

/**
 * Gives an imported account to its person. History, mentions, reactions and direct conversations stay with its ID.
 * Errors: BAD_REQUEST for an invalid or used name or address.
 */
export function activateStub(
  tx: Transaction,
  stub: User,
  input: Pick<NewUser, "email" | "full_name" | "password_hash"> & { role: Role },
): User {
  const email = freeEmail(tx, input.email, stub);
  if (couldBeStandIn(tx, email)) throw badRequest("email_reserved", { email });
  const full_name = validFullName(input.full_name);
  const announceEmail = watchEmail(tx, stub);
  tx.run(
    `UPDATE users SET email = ?, email_key = ?, full_name = ?, role = ?, password_hash = ?, is_active = 1,
       is_imported_stub = 0 WHERE id = ?`,
    email,
    emailKey(email),
    full_name,
    input.role,
    input.password_hash,
    stub.id,
  );
  tx.run("DELETE FROM user_settings WHERE user_id = ?", stub.id);
  insertFirstSettings(tx, stub.id, {});
  const user = userById(tx, stub.id) as User;
  const users = usersWhoCanSee(tx, user);
  const { id: user_id, role } = user;
  if (full_name !== stub.full_name)
    tx.emit({ type: "realm_user", op: "update", person: { user_id, full_name } }, { users });
  if (role !== stub.role) tx.emit({ type: "realm_user", op: "update", person: { user_id, role } }, { users });
  announceEmail(user);
  tx.emit({ type: "realm_user", op: "update", person: { user_id, is_imported_stub: false } }, { users });
  restoreParticipation(tx, user);
  announceSignup(tx, user);
  return user;
}

/** Call it before the address or its visibility changes, and the returned function afterwards. */
function watchEmail(tx: Transaction, user: User): (changed: User) => void {
  const apiEmailBefore = apiEmail(tx, user);
  const seenBefore = new Map(
    usersWhoCanSee(tx, user).map((id) => [id, deliveryEmail(tx, user, userById(tx, id) as User)]),
  );
  return (changed) => {
    const viewers = usersWhoCanSee(tx, changed);
    const user_id = user.id;
    const new_email = apiEmail(tx, changed);
    if (new_email !== apiEmailBefore)
      tx.emit({ type: "realm_user", op: "update", person: { user_id, new_email } }, { users: viewers });
    for (const delivery_email of [changed.email, null]) {
      const users = viewers.filter((id) => {
        const seen = deliveryEmail(tx, changed, userById(tx, id) as User);
        return seen === delivery_email && seen !== (seenBefore.get(id) ?? null);
      });
      if (users.length > 0)
        tx.emit({ type: "realm_user", op: "update", person: { user_id, delivery_email } }, { users });
    }
  };
}

/** Errors: BAD_REQUEST for a name that is invalid or not unique. */
export function changeFullName(tx: Transaction, actor: User, user: User, name: string): void {
  const full_name = freeFullName(tx, validFullName(name), user);
  if (full_name === user.full_name) return;
  tx.run("UPDATE users SET full_name = ? WHERE id = ?", full_name, user.id);
  tx.emit(
    { type: "realm_user", op: "update", person: { user_id: user.id, full_name } },
    { users: usersWhoCanSee(tx, user) },
  );
  if (user.is_bot) announceBot(tx, user, { full_name });
  recordAudit(tx, actor, {
    action: "rename user",
    target: `user ${user.id}`,
    before: { full_name: user.full_name },
    after: { full_name },
  });
}

/** Rules for domains do not apply to bots, whose addresses receive no mail. */
function validNewEmail(reader: Reader, user: User, address: string): string {
  const email = freeEmail(reader, address);
  return user.is_bot ? email : allowedEmail(reader, email);
}

/** Errors: BAD_REQUEST for an email address that is invalid or taken. */
export function changeEmail(tx: Transaction, actor: User, user: User, address: string): void {
  const isSame = emailKey(address) === user.email.normalize("NFC").toLowerCase();
  if (isSame && address.trim() === user.email) return;
  // The user's own email address in another case is not taken.
  const email = isSame ? address.trim().normalize("NFC") : validNewEmail(tx, user, address);
  if (couldBeStandIn(tx, email)) throw badRequest("email_reserved", { email });
  const announceEmail = watchEmail(tx, user);
  tx.run("UPDATE users SET email = ?, email_key = ? WHERE id = ?", email, emailKey(email), user.id);
  const changed = userById(tx, user.id) as User;
  announceEmail(changed);
  if (user.is_bot) announceBot(tx, changed, { email });
  recordAudit(tx, actor, {
    action: "change email",
    target: `user ${user.id}`,
    before: { email: user.email },
    after: { email },
  });
}
