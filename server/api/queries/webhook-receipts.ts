import type { Reader } from "../../storage/transaction.ts";
import { LOG_STRIDE } from "./webhook-deliveries.ts";

export const RECEIPT_STATES = ["posted", "ignored", "refused"] as const;
export type ReceiptState = (typeof RECEIPT_STATES)[number];

/** A request to an incoming webhook, and its result. */
export interface WebhookReceipt {
  id: number;
  bot_id: number;
  integration: string;
  /** The sender's name of the event; null if it has none, or was not understood. */
  event: string | null;
  state: ReceiptState;
  /** Milliseconds since the epoch. */
  received_at: number;
  /** Milliseconds. */
  latency: number;
  /** HTTP status of the response. */
  status: number;
  /** Why no message was sent: `readProblem`. */
  error: string | null;
  /** Truncated, and without keys and signatures. */
  payload: string;
  /** The first message that it created. */
  message_id: number | null;
}

const COLUMNS = `id, bot_id, integration, event, state, received_at, latency, status, error, payload, message_id`;

export const webhookReceiptById = (reader: Reader, id: number): WebhookReceipt | undefined =>
  reader.get(`SELECT ${COLUMNS} FROM webhook_receipts WHERE id = ?`, id);

/** Filters a log of several bots. An empty list matches nothing; an absent field matches everything. */
export interface ReceiptLogFilter {
  bot_ids: readonly number[];
  states?: readonly ReceiptState[] | undefined;
  /** Names of integrations, as in URLs. */
  integrations?: readonly string[] | undefined;
  /** Milliseconds since the epoch, inclusive. */
  since?: number | undefined;
  until?: number | undefined;
  /** Only requests with a lower id. */
  before?: number | undefined;
  limit: number;
}

type ReceiptInLog = Omit<WebhookReceipt, "payload">;

/** Newest first, without payloads. See `deliveryLog` in webhook-deliveries.ts for the method. */
export function* receiptLog(reader: Reader, filter: ReceiptLogFilter): Generator<undefined, ReceiptInLog[]> {
  const found: ReceiptInLog[] = [];
  const { oldest, newest } = reader.get<{ oldest: number | null; newest: number | null }>(
    "SELECT (SELECT MIN(id) FROM webhook_receipts) AS oldest, (SELECT MAX(id) FROM webhook_receipts) AS newest",
  ) ?? { oldest: null, newest: null };
  let before = Math.min(filter.before ?? Number.MAX_SAFE_INTEGER, (newest ?? 0) + 1);
  for (; before > (oldest ?? 0) && found.length < filter.limit; before -= LOG_STRIDE) {
    found.push(...receiptsIn(reader, { ...filter, before, limit: filter.limit - found.length }));
    yield;
  }
  return found;
}

const receiptsIn = (reader: Reader, filter: ReceiptLogFilter & { before: number }): ReceiptInLog[] =>
  reader.all(
    `SELECT id, bot_id, integration, event, state, received_at, latency, status, error, message_id
     FROM webhook_receipts
     WHERE +bot_id IN (SELECT value FROM json_each(?)) AND id >= ? AND id < ? AND received_at BETWEEN ? AND ?
       AND state IN (SELECT value FROM json_each(?))
       AND (? IS NULL OR integration IN (SELECT value FROM json_each(?)))
     ORDER BY id DESC LIMIT ?`,
    JSON.stringify(filter.bot_ids),
    filter.before - LOG_STRIDE,
    filter.before,
    filter.since ?? 0,
    filter.until ?? Number.MAX_SAFE_INTEGER,
    JSON.stringify(filter.states ?? RECEIPT_STATES),
    filter.integrations ? 1 : null,
    JSON.stringify(filter.integrations ?? []),
    filter.limit,
  );

/** Newest first. */
export const webhookReceipts = (
  reader: Reader,
  {
    bot_id,
    before,
    state,
    limit,
  }: { bot_id: number; before?: number | undefined; state?: ReceiptState | undefined; limit: number },
): WebhookReceipt[] =>
  reader.all(
    `SELECT ${COLUMNS} FROM webhook_receipts
     WHERE bot_id = ? AND (? IS NULL OR id < ?) AND (? IS NULL OR state = ?) ORDER BY id DESC LIMIT ?`,
    bot_id,
    before ?? null,
    before ?? null,
    state ?? null,
    state ?? null,
    limit,
  );
