import { type Problem, storedProblem } from "../../errors.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { mailTimeFor, personToMail } from "../access/mails.ts";
import { messageVisibility } from "../access/messages.ts";
import { linkDigest, SIGN_IN_LINK_SECONDS } from "../access/sign-in-links.ts";
import { usersWhoMayChange } from "../access/users.ts";
import { channelById } from "../queries/channels.ts";
import {
  channelsWithMails,
  failingAddress,
  failingAddresses,
  hasKnownSources,
  isMailOn,
  type Mail,
  type MissedMessage,
  missedMessages,
  type SignInFacts,
} from "../queries/mails.ts";
import { ReadState } from "../queries/read-state.ts";
import { userSetting } from "../queries/user-settings.ts";
import { emailKey, type User, userByEmail, userById } from "../queries/users.ts";
import { insertRow, upsertRow } from "./rows.ts";
import { createSignInLink } from "./sign-in-links.ts";
import { changeSubscription } from "./subscriptions.ts";
import { changeUserSettings } from "./user-settings.ts";

/** For this long, a mail is retried. */
const RETRIED_MS = 2 * 86_400_000;
const MINUTE_MS = 60_000;
/** The pause after a refusal "for now" doubles up to this. */
const MAX_PAUSE_MS = 4 * 60 * MINUTE_MS;
/** More messages of a mail are counted only. */
const MAX_MESSAGES = 200;
const MAX_PROGRAM_LENGTH = 300;

/** The pause before the next attempt. */
export const retryPause = (attempts: number): number => Math.min(MAX_PAUSE_MS, MINUTE_MS * 2 ** Math.min(attempts, 20));

interface NewMail {
  kind: Mail["kind"];
  user_id?: number;
  invitation_id?: number;
  address_key?: string;
  facts: object;
  lastsMs?: number;
}

function enqueue(tx: Transaction, { lastsMs = RETRIED_MS, facts, ...mail }: NewMail): void {
  insertRow(tx, "mails", {
    ...mail,
    facts: JSON.stringify(facts),
    created_at: tx.now,
    expires_at: tx.now + lastsMs,
    due_at: tx.now,
    attempts: 0,
  });
}

/** Puts the user's messages that are still unread into one mail, unless the user is active. */
export function mailMissedMessages(tx: Transaction, userId: number): void {
  const user = isMailOn(tx) ? personToMail(tx, userId) : undefined;
  const missed = missedMessages(tx, userId);
  const time = mailTimeFor(tx, userId, { sentAt: 0, now: tx.now });
  if (user && time > tx.now) {
    tx.run("UPDATE missed_mails SET due_at = ? WHERE user_id = ? AND due_at < ?", time, userId, time);
    return;
  }
  tx.run("DELETE FROM missed_mails WHERE user_id = ?", userId);
  if (!user || failingAddress(tx, user)) return;
  const messages = stillMissed(tx, user, missed).slice(-MAX_MESSAGES);
  if (messages.length > 0) enqueue(tx, { kind: "missed", user_id: userId, facts: { messages } });
}

/** The user has had many mails. */
export function postponeMissedMessages(tx: Transaction, userId: number): void {
  tx.run("UPDATE missed_mails SET due_at = ? WHERE user_id = ?", tx.now + 10 * MINUTE_MS, userId);
}

const PERSONAL: readonly string[] = ["direct", "mention", "wildcard"];

function stillMissed(tx: Transaction, user: User, missed: readonly MissedMessage[]): MissedMessage[] {
  const wantsPersonal = userSetting(tx, user.id, "enable_offline_email_notifications");
  const visibility = messageVisibility(tx, user);
  const state = new ReadState(tx, user.id);
  return missed
    .filter(({ trigger }) => wantsPersonal || !PERSONAL.includes(trigger))
    .filter(({ message_id: id }) => visibility.sees(id) && state.isUnread(id))
    .map(({ message_id, trigger }) => ({ message_id, trigger }));
}

/** Looks up no account, so that the request takes the same time for each address. */
export function requestReset(tx: Transaction, address: string, seed: string): void {
  const address_key = emailKey(address);
  tx.run("DELETE FROM mails WHERE kind = 'reset' AND address_key = ?", address_key);
  enqueue(tx, { kind: "reset", address_key, facts: { seed }, lastsMs: SIGN_IN_LINK_SECONDS * 1000 });
}

/** Creates the link of a reset, unless an earlier attempt has. Returns its user; undefined if there is no account. */
export function prepareReset(tx: Transaction, mail: Mail & { kind: "reset" }, token: string): User | undefined {
  const user = userByEmail(tx, mail.address_key);
  if (!user || personToMail(tx, user.id) === undefined) return undefined;
  const digest = linkDigest(token);
  const isThere = tx.value("SELECT user_id FROM sign_in_links WHERE digest = ?", digest) !== undefined;
  if (!isThere) createSignInLink(tx, user, user, token, { isByMail: true });
  return user;
}

/** Replaces an earlier mail that still waits. */
export function mailInvitation(tx: Transaction, invitationId: number): void {
  tx.run("DELETE FROM mails WHERE kind = 'invitation' AND invitation_id = ?", invitationId);
  enqueue(tx, { kind: "invitation", invitation_id: invitationId, facts: {} });
}

/** For sign-ins from a new source. Not for the first sign-in, which follows from an invitation or a new password. */
export function mailNewSignIn(tx: Transaction, user: User, { source, program }: SignInFacts): void {
  const isWanted = isMailOn(tx) && userSetting(tx, user.id, "enable_login_emails") && hasKnownSources(tx, user.id);
  if (!isWanted || !personToMail(tx, user.id) || failingAddress(tx, user)) return;
  const facts: SignInFacts = { source, program: program.slice(0, MAX_PROGRAM_LENGTH) };
  enqueue(tx, { kind: "sign_in", user_id: user.id, facts });
}

/** The mail was accepted. An accepted mail also shows that its receiver's address works. */
export function completeMail(tx: Transaction, mail: Mail, receiver: number | null): void {
  deleteMail(tx, mail);
  noteState(tx, { last_sent_at: tx.now });
  if (receiver !== null) clearFailingAddress(tx, receiver);
}

/** There is no reason to send it any more. */
export function deleteMail(tx: Transaction, { id }: Pick<Mail, "id">): void {
  tx.run("DELETE FROM mails WHERE id = ?", id);
}

/** Without a problem: after too many attempts, whose last failure stays. */
export function giveUpMail(tx: Transaction, mail: Mail, problem?: Problem): void {
  deleteMail(tx, mail);
  if (problem) noteFailure(tx, problem);
  else noteState(tx, {});
  tx.run("UPDATE mail_state SET given_up = given_up + 1 WHERE id = 1");
}

/** The mail server refused this mail for now. */
export function postponeMail(tx: Transaction, mail: Mail, problem: Problem): void {
  noteFailure(tx, problem);
  tx.run(
    "UPDATE mails SET attempts = attempts + 1, due_at = ? WHERE id = ?",
    tx.now + retryPause(mail.attempts),
    mail.id,
  );
}

/** The mail server itself failed. Its mails stay due. */
export const noteFailure = (tx: Transaction, problem: Problem): void =>
  noteState(tx, { last_failure_at: tx.now, last_failure: storedProblem(problem) });

function noteState(tx: Transaction, values: Record<string, number | string | null>): void {
  tx.run("INSERT INTO mail_state (id, given_up) VALUES (1, 0) ON CONFLICT DO NOTHING");
  if (Object.keys(values).length === 0) return;
  const sets = Object.keys(values).map((name) => `${name} = ?`);
  tx.run(`UPDATE mail_state SET ${sets.join(", ")} WHERE id = 1`, ...Object.values(values));
}

/** Mails to the address pause until it changes, or until someone retries. */
export function noteFailingAddress(tx: Transaction, user: User, response: string): void {
  upsertRow(tx, "failing_addresses", { user_id: user.id }, { email: user.email, response, failed_at: tx.now });
  tx.run("DELETE FROM mails WHERE user_id = ?", user.id);
  tx.run("DELETE FROM missed_mails WHERE user_id = ?", user.id);
  announceAddress(tx, user);
}

export function clearFailingAddress(tx: Transaction, userId: number): void {
  if (!failingAddresses(tx).has(userId)) return;
  tx.run("DELETE FROM failing_addresses WHERE user_id = ?", userId);
  announceAddress(tx, userById(tx, userId) as User);
}

/** For Hearth's own pages. */
function announceAddress(tx: Transaction, user: User): void {
  const users = [...new Set([user.id, ...usersWhoMayChange(tx, user)])].sort((a, b) => a - b);
  tx.emit({ type: "failing_address", op: "update", user_id: user.id }, { users });
}

/** `sealed`: null removes the password. */
export function storeSmtpPassword(tx: Transaction, sealed: string | null): void {
  tx.run("DELETE FROM smtp_password");
  if (sealed !== null) insertRow(tx, "smtp_password", { id: 1, sealed });
  startMailsAgain(tx);
}

/** After the mail server changes, earlier failures say nothing. Without one, nothing waits. */
export function startMailsAgain(tx: Transaction): void {
  tx.run("DELETE FROM mail_state");
  for (const id of failingAddresses(tx).keys()) clearFailingAddress(tx, id);
  if (isMailOn(tx)) {
    tx.run("UPDATE mails SET due_at = ? WHERE due_at > ?", tx.now, tx.now);
    return;
  }
  tx.run("DELETE FROM mails");
  tx.run("DELETE FROM missed_mails");
}

/** Turns off all mails about messages. */
export function unsubscribeFromMails(tx: Transaction, user: User): void {
  changeUserSettings(tx, user, {
    enable_offline_email_notifications: false,
    enable_stream_email_notifications: false,
    enable_followed_topic_email_notifications: false,
  });
  for (const id of channelsWithMails(tx, user.id)) {
    const channel = channelById(tx, id);
    if (channel) changeSubscription(tx, user, { channel, property: "email_notifications", value: false });
  }
  tx.run("DELETE FROM missed_mails WHERE user_id = ?", user.id);
  tx.run("DELETE FROM mails WHERE user_id = ? AND kind = 'missed'", user.id);
}
