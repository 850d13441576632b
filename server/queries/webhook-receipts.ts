import type { Reader } from "../storage/transaction.ts";

export const RECEIPT_STATES = ["posted", "ignored", "refused"] as const;
export type ReceiptState = (typeof RECEIPT_STATES)[number];

/** What an incoming webhook was sent once, and what became of it. */
export interface WebhookReceipt {
  id: number;
  bot_id: number;
  integration: string;
  /** The sender's name for what happened; null where it has none, or was not understood. */
  event: string | null;
  state: ReceiptState;
  /** Milliseconds since the epoch. */
  received_at: number;
  /** Milliseconds. */
  latency: number;
  /** HTTP status of the answer. */
  status: number;
  /** Why nothing was posted. */
  error: string | null;
  /** Bounded; keys and signatures are in no part of it. */
  payload: string;
  /** The first message that it became. */
  message_id: number | null;
}

const COLUMNS = `id, bot_id, integration, event, state, received_at, latency, status, error, payload, message_id`;

export const webhookReceiptById = (reader: Reader, id: number): WebhookReceipt | undefined =>
  reader.get(`SELECT ${COLUMNS} FROM webhook_receipts WHERE id = ?`, id);

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
