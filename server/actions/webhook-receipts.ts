import { destinationToWriteTo } from "../access/destinations.ts";
import { channelByName } from "../queries/channels.ts";
import type { User } from "../queries/users.ts";
import type { ReceiptState } from "../queries/webhook-receipts.ts";
import { ownerNotifiedAt } from "../queries/webhook-receipts.ts";
import type { Transaction } from "../storage/transaction.ts";
import { sendMessage } from "./messages.ts";
import { notifyUser, personLink, plainText } from "./notices.ts";
import { renderMessage } from "./rendering.ts";

/** Characters of a payload that the log keeps. */
const MAX_PAYLOAD = 10_000;
/** A bot's owner is told at most once in this time. */
const NOTICE_EVERY_MS = 60_000;

export interface NewReceipt {
  integration: string;
  event: string | null;
  state: ReceiptState;
  latency: number;
  status: number;
  error: string | null;
  payload: string;
  messageId: number | null;
}

export function recordReceipt(tx: Transaction, bot: User, receipt: NewReceipt): void {
  const { payload } = receipt;
  tx.run(
    `INSERT INTO webhook_receipts (bot_id, integration, event, state, received_at, latency, status, error, payload,
       message_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    bot.id,
    receipt.integration,
    receipt.event,
    receipt.state,
    tx.now,
    Math.round(receipt.latency),
    receipt.status,
    receipt.error,
    payload.length <= MAX_PAYLOAD ? payload : `${payload.slice(0, MAX_PAYLOAD).toWellFormed()}…`,
    receipt.messageId,
  );
}

/** Where an address leads: a channel by name or, all digits, by id; without one, a direct message to the owner. */
export interface Target {
  stream: string | undefined;
}

/**
 * Sends an integration's messages as the bot. Returns the first one's id; undefined where the channel does not exist,
 * of which the owner is told.
 * Errors: those of a send; STREAM_DOES_NOT_EXIST for an id.
 */
export function sendFromIntegration(
  tx: Transaction,
  bot: User,
  { stream }: Target,
  messages: readonly { topic: string; content: string }[],
  client: string,
): number | undefined {
  if (stream !== undefined && !/^\d+$/.test(stream) && !channelByName(tx, stream)) {
    notifyOwner(tx, bot, `It posts to the channel ${plainText(stream)}, which does not exist.`);
    return undefined;
  }
  const ids = messages.map(({ topic, content }) => {
    const to =
      stream === undefined
        ? destinationToWriteTo(tx, bot, { direct: true, to: [bot.bot_owner_id ?? 0], topic: undefined })
        : destinationToWriteTo(tx, bot, {
            direct: false,
            to: [/^\d+$/.test(stream) ? Number(stream) : stream],
            topic,
          });
    const rendered = renderMessage(tx, bot, { to, content });
    return sendMessage(tx, bot, { to, content, rendered, client, readBySender: true }).id;
  });
  return ids[0];
}

function notifyOwner(tx: Transaction, bot: User, what: string): void {
  if (bot.bot_owner_id === null || tx.now - ownerNotifiedAt(tx, bot.id) < NOTICE_EVERY_MS) return;
  tx.run("UPDATE bots SET notified_at = ? WHERE user_id = ?", tx.now, bot.id);
  notifyUser(tx, bot.bot_owner_id, `${personLink(bot)}: ${what}`);
}

/** The secret that senders sign with; null: signatures are not checked. */
export const setWebhookSecret = (tx: Transaction, bot: User, secret: string | null): number =>
  tx.run("UPDATE bots SET webhook_secret = ? WHERE user_id = ?", secret, bot.id);
