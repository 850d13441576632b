import type { Trigger } from "../../notifications/decision.ts";
import { DAY_MS } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { operatorSetting, type SmtpSetting } from "./operator-settings.ts";
import { emailKey, type User } from "./users.ts";

/** Whether the operator has set up a mail server. */
export const isMailOn = (reader: Reader): boolean => operatorSetting(reader, "SMTP") !== null;

/** The server and user that get the password. */
export const passwordBinding = ({ host, port, security, user }: SmtpSetting): string =>
  JSON.stringify([host, port, security, user]);

/** Sealed for a server, which `passwordBinding` names. */
export const sealedSmtpPassword = (reader: Reader): string | undefined =>
  reader.value<string>("SELECT sealed FROM smtp_password WHERE id = 1");

export const MAIL_KINDS = ["missed", "reset", "invitation", "sign_in"] as const;

/** A message in a mail about messages. */
export interface MissedMessage {
  message_id: number;
  trigger: Trigger;
}

export interface SignInFacts {
  /** The source: http/caller.ts. */
  source: string;
  /** The User-Agent header, truncated. */
  program: string;
}

interface Facts {
  missed: { user_id: number; facts: { messages: MissedMessage[] } };
  /** The link's token is derived from the seed. */
  reset: { address_key: string; facts: { seed: string } };
  invitation: { invitation_id: number; facts: Record<string, never> };
  sign_in: { user_id: number; facts: SignInFacts };
}

/** A mail that waits. Times are milliseconds since the epoch. */
export type Mail = {
  [Kind in keyof Facts]: {
    id: number;
    kind: Kind;
    created_at: number;
    expires_at: number;
    attempts: number;
  } & Facts[Kind];
}[keyof Facts];

const COLUMNS = `id, kind, user_id, invitation_id, address_key, facts, created_at, expires_at, attempts`;

/** A time that is further ahead comes from a wrong clock. The longest batching period is a week. */
const MAX_BATCHING_MS = 8 * DAY_MS;

export const dueMails = (reader: Reader, now: number, limit: number): Mail[] =>
  reader
    .all<{ facts: string }>(
      `SELECT ${COLUMNS} FROM mails WHERE due_at <= ? OR due_at > ? ORDER BY due_at, id LIMIT ?`,
      now,
      now + DAY_MS,
      limit,
    )
    .map((row) => ({ ...row, facts: JSON.parse(row.facts) }) as unknown as Mail);

/** Whether the mail still waits. */
export const isWaiting = (reader: Reader, mailId: number): boolean =>
  reader.value("SELECT id FROM mails WHERE id = ?", mailId) !== undefined;

/** People whose missed messages are due. */
export const usersWithDueMails = (reader: Reader, now: number, limit: number): number[] =>
  reader.values<number>(
    `SELECT user_id FROM (SELECT user_id, due_at FROM missed_mails WHERE due_at <= ? OR due_at > ?
       ORDER BY due_at LIMIT ?)
     GROUP BY user_id ORDER BY min(due_at), user_id`,
    now,
    now + MAX_BATCHING_MS,
    limit,
  );

/** Oldest first. */
export const missedMessages = (reader: Reader, userId: number): (MissedMessage & { due_at: number })[] =>
  reader.all("SELECT message_id, trigger, due_at FROM missed_mails WHERE user_id = ? ORDER BY message_id", userId);

export interface FailingAddress {
  user_id: number;
  email: string;
  /** The response of the mail server. */
  response: string;
  failed_at: number;
}

/** The refusal of the user's current address. */
export const failingAddress = (reader: Reader, user: Pick<User, "id" | "email">): FailingAddress | undefined => {
  const row = failingAddresses(reader).get(user.id);
  return row && emailKey(row.email) === emailKey(user.email) ? row : undefined;
};

/** By user, also of former addresses. */
export const failingAddresses = (reader: Reader): ReadonlyMap<number, FailingAddress> =>
  reader.derived(
    "failing addresses",
    ["failing_addresses"],
    (rows) =>
      new Map(
        rows
          .all<FailingAddress>("SELECT user_id, email, response, failed_at FROM failing_addresses ORDER BY user_id")
          .map((row) => [row.user_id, row]),
      ),
  );

export interface MailState {
  last_sent_at: number | null;
  last_failure_at: number | null;
  /** As `readProblem` takes it. */
  last_failure: string | null;
  /** The number of mails that were given up. */
  given_up: number;
}

export const mailState = (reader: Reader): MailState =>
  reader.get<MailState>(
    "SELECT last_sent_at, last_failure_at, last_failure, given_up FROM mail_state WHERE id = 1",
  ) ?? {
    last_sent_at: null,
    last_failure_at: null,
    last_failure: null,
    given_up: 0,
  };

export const waitingMails = (reader: Reader): number => reader.value<number>("SELECT count(*) FROM mails") ?? 0;

/** Channels whose own setting sends this person mails. */
export const channelsWithMails = (reader: Reader, userId: number): number[] =>
  reader.values<number>(
    "SELECT channel_id FROM subscriptions WHERE user_id = ? AND email_notifications = 1 ORDER BY channel_id",
    userId,
  );

/** Whether the user has signed in from anywhere since the credentials changed. */
export const hasKnownSources = (reader: Reader, userId: number): boolean =>
  reader.value("SELECT address FROM sign_in_addresses WHERE user_id = ? LIMIT 1", userId) !== undefined;
