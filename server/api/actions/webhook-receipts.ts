import { ApiError, type Problem, storedProblem } from "../../errors.ts";
import type { Rendered } from "../../markdown/render.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoManageBot } from "../access/bots.ts";
import { type Destination, destinationToWriteTo } from "../access/destinations.ts";
import { receiptInEvents } from "../presenters/webhook-receipts.ts";
import type { User } from "../queries/users.ts";
import { type ReceiptState, webhookReceiptById } from "../queries/webhook-receipts.ts";
import { announceWebhookSettings } from "./bot-events.ts";
import { sendMessage } from "./messages.ts";
import { notifyBotOwner, personLink, plainText } from "./notices.ts";
import { renderMessage } from "./rendering.ts";
import { insertRow } from "./rows.ts";
import { bounded } from "./webhook-log.ts";

/** Logged characters of a payload. */
export const MAX_PAYLOAD = 10_000;
/** Per bot, so that a sender in a loop cannot fill the disk. */
const MAX_RECEIPTS = 1000;

export interface NewReceipt {
  integration: string;
  event: string | null;
  state: ReceiptState;
  latency: number;
  status: number;
  error: Problem | null;
  payload: string;
  messageId: number | null;
}

export function recordReceipt(tx: Transaction, bot: User, receipt: NewReceipt): void {
  const { payload } = receipt;
  const id = insertRow(tx, "webhook_receipts", {
    bot_id: bot.id,
    integration: receipt.integration,
    event: receipt.event,
    state: receipt.state,
    received_at: tx.now,
    latency: Math.round(receipt.latency),
    status: receipt.status,
    error: storedProblem(receipt.error),
    payload: bounded(payload, MAX_PAYLOAD),
    message_id: receipt.messageId,
  });
  tx.run(
    `DELETE FROM webhook_receipts WHERE bot_id = ? AND id <= (
       SELECT id FROM webhook_receipts WHERE bot_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    bot.id,
    bot.id,
    MAX_RECEIPTS,
  );
  const users = usersWhoManageBot(tx, bot);
  const stored = webhookReceiptById(tx, id);
  if (stored && users.length > 0)
    tx.emit({ type: "webhook_receipt", op: "add", receipt: receiptInEvents(stored) }, { users });
}

/** A channel name, or an ID if all digits. Undefined: a direct message to the owner. */
export interface Target {
  stream: string | undefined;
}

interface FromIntegration {
  messages: readonly { topic: string; content: string }[];
  client: string;
  /** Called before each message, to count it towards the bot's limit. */
  count(stored: { content: string; rendered: Rendered }): void;
}

/**
 * Sends an integration's messages as the bot. Returns the first ID. If the named channel does not exist or is hidden,
 * tells the owner and returns undefined.
 * Errors: those of a send; STREAM_DOES_NOT_EXIST for an ID.
 */
export function sendFromIntegration(
  tx: Transaction,
  bot: User,
  { stream }: Target,
  { messages, client, count }: FromIntegration,
): number | undefined {
  const isName = stream !== undefined && !/^\d+$/.test(stream);
  const ids: number[] = [];
  for (const { topic, content } of messages) {
    let to: Destination;
    try {
      to =
        stream === undefined
          ? destinationToWriteTo(tx, bot, { direct: true, to: [bot.bot_owner_id ?? 0], topic: undefined })
          : destinationToWriteTo(tx, bot, { direct: false, to: [isName ? stream : Number(stream)], topic });
    } catch (error) {
      if (!isName || !isMissingChannel(error)) throw error;
      notifyOfMissingChannel(tx, bot, stream);
      return undefined;
    }
    const rendered = renderMessage(tx, bot, { to, content });
    count({ content, rendered });
    ids.push(sendMessage(tx, bot, { to, content, rendered, client, readBySender: true }).id);
  }
  return ids[0];
}

export const isMissingChannel = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "STREAM_DOES_NOT_EXIST";

/** `stream`: a name or an ID. */
export const notifyOfMissingChannel = (tx: Transaction, bot: User, stream: string): void =>
  notifyOwner(tx, bot, `It posts to the channel ${plainText(stream)}, which does not exist.`);

export const notifyOfMissingHeader = (tx: Transaction, bot: User, integration: string): void =>
  notifyOwner(tx, bot, `A request from ${plainText(integration)} came without the header that names the event.`);

const notifyOwner = (tx: Transaction, bot: User, what: string): void =>
  notifyBotOwner(tx, bot, `${personLink(bot)}: ${what}`);

/** `sealed`: null turns signature checks off. */
export function setWebhookSecret(tx: Transaction, bot: User, sealed: string | null): void {
  tx.run("UPDATE bots SET webhook_secret = ? WHERE user_id = ?", sealed, bot.id);
  announceWebhookSettings(tx, bot);
}
