import { DAY_MS, isAhead } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { BOT_TYPE, userById } from "./users.ts";

export const TRIGGERS = ["direct_message", "mention", "test"] as const;
export type Trigger = (typeof TRIGGERS)[number];
export const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface WebhookDelivery {
  id: number;
  /** What receivers tell a repeat by. */
  uid: string;
  bot_id: number;
  /** Null: a test. */
  message_id: number | null;
  trigger: Trigger;
  state: DeliveryState;
  /** Times in milliseconds since the epoch. */
  created_at: number;
  /** Given up when it has not been delivered by then. */
  expires_at: number;
  due_at: number;
  attempts: number;
  tried_at: number | null;
  /** HTTP status of the last answer. */
  status: number | null;
  /** Milliseconds. */
  latency: number | null;
  error: string | null;
  /** Bounded, the token left out. */
  request: string | null;
  answer: string | null;
  /** The message that the answer became. */
  reply_id: number | null;
}

const COLUMNS = `id, uid, bot_id, message_id, trigger, state, created_at, expires_at, due_at, attempts, tried_at, status,
  latency, error, request, answer, reply_id`;

export const webhookDeliveryById = (reader: Reader, id: number): WebhookDelivery | undefined =>
  reader.get(`SELECT ${COLUMNS} FROM webhook_deliveries WHERE id = ?`, id);

/** One that was put off while the clock was ahead is due: the later ones of its bot wait for it. */
export const isDue = ({ due_at }: Pick<WebhookDelivery, "due_at">, now: number): boolean =>
  due_at <= now || isAhead(due_at, now);

/** Of the bot `bots.value`. The index is named, since SQLite would walk a month of deliveries that are done. */
const FIRST_IN_LINE = `SELECT id FROM webhook_deliveries INDEXED BY webhook_deliveries_waiting
  WHERE bot_id = bots.value AND state = 'waiting' AND (trigger = 'test') = 0 ORDER BY id LIMIT 1`;

/** Of each of these bots, the oldest delivery of a message that it has yet to get: the later ones wait for it. */
export const firstInLine = (reader: Reader, botIds: readonly number[]): WebhookDelivery[] =>
  reader.all(
    `SELECT ${COLUMNS} FROM webhook_deliveries WHERE id IN (SELECT (${FIRST_IN_LINE}) FROM json_each(?) AS bots)`,
    JSON.stringify(botIds),
  );

/** Of each of these bots a test that is due, since somebody looks at what comes of it; else what is first in line. */
export const nextDeliveries = (reader: Reader, botIds: readonly number[], now: number): WebhookDelivery[] =>
  reader.all(
    `SELECT ${COLUMNS} FROM webhook_deliveries WHERE id IN (
       SELECT coalesce((SELECT id FROM webhook_deliveries INDEXED BY webhook_deliveries_by_due
                        WHERE bot_id = bots.value AND state = 'waiting' AND trigger = 'test'
                          AND (due_at <= ? OR due_at > ?)
                        ORDER BY due_at LIMIT 1), (${FIRST_IN_LINE})) FROM json_each(?) AS bots)`,
    now,
    now + DAY_MS,
    JSON.stringify(botIds),
  );

/** Those of a bot that wait for their next try, the soonest first: tests, and messages that have been tried. */
export const laterDeliveries = (
  reader: Reader,
  { bot_id, now, limit }: { bot_id: number; now: number; limit: number },
): Pick<WebhookDelivery, "id" | "trigger">[] =>
  reader.all(
    `SELECT id, trigger FROM webhook_deliveries INDEXED BY webhook_deliveries_by_due
     WHERE bot_id = ? AND state = 'waiting' AND (trigger = 'test' OR attempts > 0) AND due_at > ?
     ORDER BY due_at LIMIT ?`,
    bot_id,
    now,
    limit,
  );

/** 0 where there was none yet. */
const newestDeliveryId = (reader: Reader): number =>
  reader.value<number>("SELECT MAX(id) FROM webhook_deliveries") ?? 0;

export interface OutgoingBot {
  id: number;
  is_paused: number;
}

/** One of them; undefined where the bot is none, or is deactivated. */
export const outgoingBot = (reader: Reader, id: number): OutgoingBot | undefined =>
  outgoingBots(reader).find((bot) => bot.id === id);

/** Ascending by id; only active ones, with an address. */
export const outgoingBots = (reader: Reader): readonly OutgoingBot[] =>
  reader.derived("outgoing bots", ["users", "bots", "bot_services"], (rows) =>
    rows.all(
      `SELECT users.id, bots.is_paused FROM users JOIN bots ON bots.user_id = users.id
         JOIN bot_services ON bot_services.bot_id = users.id
       WHERE users.bot_type = ? AND users.is_active = 1 ORDER BY users.id`,
      BOT_TYPE.outgoingWebhook,
    ),
  );

export interface DeliveryFilter {
  bot_id: number;
  /** Older than this one. */
  before?: number | undefined;
  state?: DeliveryState | undefined;
  limit: number;
}

/** Newest first. */
export const webhookDeliveries = (
  reader: Reader,
  { bot_id, before, state, limit }: DeliveryFilter,
): WebhookDelivery[] =>
  reader.all(
    `SELECT ${COLUMNS} FROM webhook_deliveries
     WHERE bot_id = ? AND (? IS NULL OR id < ?) AND (? IS NULL OR state = ?) ORDER BY id DESC LIMIT ?`,
    bot_id,
    before ?? null,
    before ?? null,
    state ?? null,
    state ?? null,
    limit,
  );

/** What a log over several bots is narrowed to. Empty lists let nothing through; what is absent lets all. */
export interface DeliveryLogFilter {
  bot_ids: readonly number[];
  states?: readonly DeliveryState[] | undefined;
  triggers?: readonly Trigger[] | undefined;
  /** Milliseconds since the epoch, both included. */
  since?: number | undefined;
  until?: number | undefined;
  /** Older than this one. */
  before?: number | undefined;
  limit: number;
}

/** Entries of a log that are looked at in one step, whosever they are: a few milliseconds of work. */
export const LOG_STRIDE = 4000;

/**
 * Newest first, without requests and answers. An iterator, for slices: what is rare is looked for among those of all
 * bots. The unary plus keeps SQLite from collecting all of the bots' deliveries to sort them.
 */
export function* deliveryLog(reader: Reader, filter: DeliveryLogFilter): Generator<undefined, WebhookDelivery[]> {
  const found: WebhookDelivery[] = [];
  const oldest = reader.value<number>("SELECT MIN(id) FROM webhook_deliveries") ?? 0;
  let before = Math.min(filter.before ?? Number.MAX_SAFE_INTEGER, newestDeliveryId(reader) + 1);
  for (; before > oldest && found.length < filter.limit; before -= LOG_STRIDE) {
    found.push(...deliveriesIn(reader, { ...filter, before, limit: filter.limit - found.length }));
    yield;
  }
  return found;
}

const deliveriesIn = (reader: Reader, filter: DeliveryLogFilter & { before: number }): WebhookDelivery[] =>
  reader.all(
    `SELECT id, uid, bot_id, message_id, trigger, state, created_at, expires_at, due_at, attempts, tried_at, status,
       latency, error, NULL AS request, NULL AS answer, reply_id FROM webhook_deliveries
     WHERE +bot_id IN (SELECT value FROM json_each(?)) AND id >= ? AND id < ? AND created_at BETWEEN ? AND ?
       AND state IN (SELECT value FROM json_each(?)) AND trigger IN (SELECT value FROM json_each(?))
     ORDER BY id DESC LIMIT ?`,
    JSON.stringify(filter.bot_ids),
    filter.before - LOG_STRIDE,
    filter.before,
    filter.since ?? 0,
    filter.until ?? Number.MAX_SAFE_INTEGER,
    JSON.stringify(filter.states ?? DELIVERY_STATES),
    JSON.stringify(filter.triggers ?? TRIGGERS),
    filter.limit,
  );

export const waitingDeliveryCount = (reader: Reader, botId: number): number =>
  reader.value<number>(
    `SELECT COUNT(*) FROM webhook_deliveries INDEXED BY webhook_deliveries_waiting
     WHERE bot_id = ? AND state = 'waiting'`,
    botId,
  ) ?? 0;

/** How many are waiting, and how many were given up and not repeated since. Each is counted by an index of its own. */
export const deliveryCounts = (reader: Reader): { waiting: number; failed: number } => ({
  waiting:
    reader.value<number>(
      "SELECT COUNT(*) FROM webhook_deliveries INDEXED BY webhook_deliveries_waiting WHERE state = 'waiting'",
    ) ?? 0,
  failed:
    reader.value<number>(
      "SELECT COUNT(*) FROM webhook_deliveries INDEXED BY webhook_deliveries_failed WHERE state = 'failed'",
    ) ?? 0,
});

export interface RetriedBot {
  bot_id: number;
  full_name: string;
  /** Deliveries that it has yet to get. */
  waiting: number;
}

/** Bots whose next message was not taken and is tried again: so many of them, and how many there are. */
export function retriedBots(reader: Reader, limit: number): { count: number; bots: RetriedBot[] } {
  const active = outgoingBots(reader).flatMap(({ id, is_paused }) => (is_paused ? [] : id));
  const retried = firstInLine(reader, active).filter(({ attempts }) => attempts > 0);
  const bots = retried.slice(0, limit).map(({ bot_id }) => ({
    bot_id,
    full_name: userById(reader, bot_id)?.full_name ?? "",
    waiting: waitingDeliveryCount(reader, bot_id),
  }));
  return { count: retried.length, bots };
}

/** Those that were given up, oldest first, so many at the most. */
export const failedDeliveryIds = (reader: Reader, botId: number, limit: number): number[] =>
  reader.values<number>(
    `SELECT id FROM webhook_deliveries INDEXED BY webhook_deliveries_failed
       WHERE bot_id = ? AND state = 'failed' ORDER BY id LIMIT ?`,
    botId,
    limit,
  );
