import { DAY_MS, isAhead } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { BOT_TYPE, userById } from "./users.ts";

export const TRIGGERS = ["direct_message", "mention", "test"] as const;
export type Trigger = (typeof TRIGGERS)[number];
export const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface WebhookDelivery {
  id: number;
  /** Lets receivers detect repeated deliveries. */
  uid: string;
  bot_id: number;
  /** Null: a test. */
  message_id: number | null;
  trigger: Trigger;
  state: DeliveryState;
  /** Times in milliseconds since the epoch. */
  created_at: number;
  /** The delivery is given up if it has not succeeded by then. */
  expires_at: number;
  due_at: number;
  attempts: number;
  tried_at: number | null;
  /** HTTP status of the last response. */
  status: number | null;
  /** Milliseconds. */
  latency: number | null;
  /** A stored problem: `readProblem`. */
  error: string | null;
  /** Truncated, and without the token. */
  request: string | null;
  answer: string | null;
  /** The message that the response created. */
  reply_id: number | null;
}

const COLUMNS = `id, uid, bot_id, message_id, trigger, state, created_at, expires_at, due_at, attempts, tried_at, status,
  latency, error, request, answer, reply_id`;

export const webhookDeliveryById = (reader: Reader, id: number): WebhookDelivery | undefined =>
  reader.get(`SELECT ${COLUMNS} FROM webhook_deliveries WHERE id = ?`, id);

/** A delivery that was postponed while the clock was ahead is due now, since its bot's later ones wait for it. */
export const isDue = ({ due_at }: Pick<WebhookDelivery, "due_at">, now: number): boolean =>
  due_at <= now || isAhead(due_at, now);

/** For the bot `bots.value`. The index is named, because SQLite would otherwise scan a month of finished deliveries. */
const FIRST_IN_LINE = `SELECT id FROM webhook_deliveries INDEXED BY webhook_deliveries_waiting
  WHERE bot_id = bots.value AND state = 'waiting' AND (trigger = 'test') = 0 ORDER BY id LIMIT 1`;

/** The oldest pending message delivery of each of these bots. Later ones wait for it. */
export const firstInLine = (reader: Reader, botIds: readonly number[]): WebhookDelivery[] =>
  reader.all(
    `SELECT ${COLUMNS} FROM webhook_deliveries WHERE id IN (SELECT (${FIRST_IN_LINE}) FROM json_each(?) AS bots)`,
    JSON.stringify(botIds),
  );

/** For each of these bots: a due test, since a person waits for its result; otherwise the first delivery in line. */
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

/** A bot's deliveries that wait for a retry, the next one first: tests, and messages that have been tried. */
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

/** 0 if there are none. */
const newestDeliveryId = (reader: Reader): number =>
  reader.value<number>("SELECT MAX(id) FROM webhook_deliveries") ?? 0;

export interface OutgoingBot {
  id: number;
  is_paused: number;
}

/** Undefined if the bot is not an outgoing webhook, or is deactivated. */
export const outgoingBot = (reader: Reader, id: number): OutgoingBot | undefined =>
  outgoingBots(reader).find((bot) => bot.id === id);

/** Active outgoing webhooks with a URL, ascending by id. */
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
  /** Only deliveries with a lower id. */
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

/** Filters a log of several bots. An empty list matches nothing; an absent field matches everything. */
export interface DeliveryLogFilter {
  bot_ids: readonly number[];
  states?: readonly DeliveryState[] | undefined;
  triggers?: readonly Trigger[] | undefined;
  /** Milliseconds since the epoch, inclusive. */
  since?: number | undefined;
  until?: number | undefined;
  /** Only deliveries with a lower id. */
  before?: number | undefined;
  limit: number;
}

/** Number of log entries to scan in one step, for any bots: a few milliseconds of work. */
export const LOG_STRIDE = 4000;

/**
 * Newest first, without requests and responses. An iterator, so that it can run in slices: rare entries are searched
 * for among those of all bots. The unary plus prevents SQLite from collecting and sorting all of the bots' deliveries.
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

/**
 * The numbers of pending deliveries, and of those that were given up and not repeated since. Each count uses its own
 * index.
 */
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
  /** Number of pending deliveries. */
  waiting: number;
}

/** Bots whose next message failed and is being retried: at most `limit` of them, and the total count. */
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

/** Deliveries that were given up, oldest first, at most `limit`. */
export const failedDeliveryIds = (reader: Reader, botId: number, limit: number): number[] =>
  reader.values<number>(
    `SELECT id FROM webhook_deliveries INDEXED BY webhook_deliveries_failed
       WHERE bot_id = ? AND state = 'failed' ORDER BY id LIMIT ?`,
    botId,
    limit,
  );
