import { ApiError, badRequest, type Problem, problem, problemText, readProblem, storedProblem } from "../../errors.ts";
import { messageText } from "../../markdown/render.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { destinationToWriteTo } from "../access/destinations.ts";
import type { Bot } from "../queries/bots.ts";
import { membersOf } from "../queries/conversations.ts";
import { MAX_MESSAGE_LENGTH, messageRow } from "../queries/messages.ts";
import { isDeactivated } from "../queries/organization.ts";
import type { User } from "../queries/users.ts";
import {
  firstInLine,
  laterDeliveries,
  type WebhookDelivery,
  waitingDeliveryCount,
  webhookDeliveryById,
} from "../queries/webhook-deliveries.ts";
import { recordAudit } from "./audit.ts";
import { announceWebhookSettings } from "./bot-events.ts";
import { sendMessage } from "./messages.ts";
import { notifyBotOwner, personLink, plainText } from "./notices.ts";
import { renderMessage } from "./rendering.ts";
import { bounded, masked } from "./webhook-log.ts";
import { announceDelivery, announceStoredDelivery, DELIVERY_EXPIRES_MS, enqueueDelivery } from "./webhook-outbox.ts";

const CLIENT = "HearthOutgoingWebhook";
/** Logged characters of a request or response. */
const MAX_LOGGED = 4000;
const FIRST_WAIT_MS = 5000;
const MAX_WAIT_MS = 3_600_000;

/** The result of one request. */
export interface Attempt {
  /** HTTP status; null without a response. */
  status: number | null;
  /** Milliseconds. */
  latency: number;
  error: Problem | null;
  /** Without the token. */
  request: string;
  answer: string | null;
}

/** The slice bounds the work of masking. */
const logged = (text: string): string => bounded(masked(text.slice(0, 2 * MAX_LOGGED)), MAX_LOGGED);

/** During the request, a user may have canceled the delivery or rescheduled it. */
const asOfNow = (tx: Transaction, delivery: WebhookDelivery): WebhookDelivery =>
  webhookDeliveryById(tx, delivery.id) ?? delivery;

function write(
  tx: Transaction,
  delivery: WebhookDelivery,
  attempt: Attempt,
  to: { state: WebhookDelivery["state"]; dueAt: number; replyId: number | null },
): void {
  const tried: WebhookDelivery = {
    ...delivery,
    state: to.state,
    due_at: to.dueAt,
    attempts: delivery.attempts + 1,
    tried_at: tx.now,
    status: attempt.status,
    latency: Math.round(attempt.latency),
    error: storedProblem(attempt.error),
    request: bounded(attempt.request, MAX_LOGGED),
    answer: attempt.answer === null ? null : logged(attempt.answer),
    reply_id: to.replyId,
  };
  tx.run(
    `UPDATE webhook_deliveries SET state = ?, due_at = ?, attempts = ?, tried_at = ?, status = ?, latency = ?,
       error = ?, request = ?, answer = ?, reply_id = ? WHERE id = ?`,
    tried.state,
    tried.due_at,
    tried.attempts,
    tried.tried_at,
    tried.status,
    tried.latency,
    tried.error,
    tried.request,
    tried.answer,
    tried.reply_id,
    tried.id,
  );
  announceDelivery(tx, tried, "update");
}

/** The owner gets one message per failure period. */
const setFailing = (tx: Transaction, bot: Bot, isFailing: boolean): void => {
  if (bot.isFailing === isFailing) return;
  tx.run("UPDATE bots SET is_failing = ? WHERE user_id = ?", isFailing ? 1 : 0, bot.user.id);
  announceWebhookSettings(tx, bot.user);
};

/**
 * Renders the reply of the receiver. Returns a function that marks the delivery as delivered and sends the reply. Call
 * it in the same synchronous turn, in one transaction, so that a crash cannot send it twice. Errors: BAD_REQUEST if the
 * bot cannot send the reply.
 */
export function completeDelivery(
  reader: Reader,
  bot: Bot,
  delivery: WebhookDelivery,
  attempt: Attempt,
  said: { content: string; widget?: object } | undefined,
): (tx: Transaction) => void {
  const reply = said && prepareReply(reader, bot, delivery, said);
  return (tx) => {
    const replyId = reply?.(tx) ?? null;
    // The delivery succeeded even if it was canceled during the request.
    write(tx, asOfNow(tx, delivery), attempt, { state: "delivered", dueAt: delivery.due_at, replyId });
    const isRetried = () => firstInLine(tx, [bot.user.id]).some(({ attempts }) => attempts > 0);
    // A test does not show whether a failing message can be delivered.
    if (attempt.error === null) setFailing(tx, bot, bot.isFailing && delivery.trigger === "test" && isRetried());
    else notifyOwner(tx, bot, attempt.error, "Its answer could not be used");
  };
}

function prepareReply(
  reader: Reader,
  { user }: Bot,
  { message_id }: WebhookDelivery,
  { content: given, widget }: { content: string; widget?: object },
): ((tx: Transaction) => number) | undefined {
  const message = message_id === null ? undefined : messageRow(reader, message_id);
  if (!message) return undefined; // A test delivery, or a deleted message.
  if (!user.is_active) throw badRequest("bot_deactivated_before_response");
  if (isDeactivated(reader)) throw badRequest("organization_deactivated_before_response");
  const content = messageText(given);
  if ([...content].length > MAX_MESSAGE_LENGTH)
    throw badRequest("response_content_too_long", { count: MAX_MESSAGE_LENGTH });
  const to =
    message.channel_id === null
      ? destinationToWriteTo(reader, user, {
          direct: true,
          to: membersOf(message.conversation_key ?? ""),
          topic: undefined,
        })
      : destinationToWriteTo(reader, user, { direct: false, to: [message.channel_id], topic: message.topic });
  const rendered = renderMessage(reader, user, { to, content });
  return (tx) => sendMessage(tx, user, { to, content, rendered, client: CLIENT, readBySender: true, widget }).id;
}

/** Exponential backoff up to an hour, with jitter. */
function waitAfter(attempts: number, random = Math.random()): number {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), MAX_WAIT_MS);
  return Math.round(wait * (0.75 + random / 2));
}

/** Schedules another attempt. Gives up if a retry is useless, or after a day. `random`: 0 to 1, for the jitter. */
export function retryDelivery(
  tx: Transaction,
  bot: Bot,
  begun: WebhookDelivery,
  attempt: Attempt,
  { again, random }: { again: boolean; random: number },
): void {
  const delivery = asOfNow(tx, begun);
  const dueAt = tx.now + waitAfter(delivery.attempts + 1, random);
  const isGivenUp = !again || delivery.state !== "waiting" || dueAt >= delivery.expires_at;
  write(tx, delivery, attempt, { state: isGivenUp ? "failed" : "waiting", dueAt, replyId: null });
  const error = attempt.error ?? problem("delivery_failed");
  if (isGivenUp) notifyOwner(tx, bot, error, "A message was not delivered");
  else if (!bot.isFailing)
    notifyOwner(tx, bot, error, "A message could not be delivered yet; it is tried again for a day");
  setFailing(tx, bot, true);
}

/** The message was deleted, or the bot can no longer read it. */
export function cancelDelivery(tx: Transaction, delivery: WebhookDelivery): void {
  tx.run(
    "UPDATE webhook_deliveries SET state = 'failed', error = ? WHERE id = ?",
    storedProblem(problem("message_not_readable")),
    delivery.id,
  );
  announceStoredDelivery(tx, delivery.id, "update");
}

/** At most one message per minute for each bot. */
function notifyOwner(tx: Transaction, { user, service }: Bot, error: Problem, what: string): void {
  const address = service ? ` at ${plainText(service.base_url)}` : "";
  notifyBotOwner(tx, user, `${personLink(user)}${address}: ${what}. ${plainText(problemText(error))}`);
}

/** Starts the deliveries again with a new expiry time. They keep their IDs for receivers. */
export function replayDeliveries(tx: Transaction, ids: readonly number[]): void {
  for (const id of ids) {
    tx.run(
      `UPDATE webhook_deliveries SET state = 'waiting', attempts = 0, due_at = ?, expires_at = ?
       WHERE id = ? AND state <> 'waiting'`,
      tx.now,
      tx.now + DELIVERY_EXPIRES_MS,
      id,
    );
    announceStoredDelivery(tx, id, "update");
  }
}

/** Per request: each delivery sends an event. */
const MAX_TRIED = 500;

/**
 * Makes a delivery due, and earlier ones of the same bot. Without a delivery, makes all pending ones due. Returns the
 * number of pending deliveries.
 */
export function tryDeliveriesNow(tx: Transaction, actor: User, { user }: Bot, delivery?: WebhookDelivery): number {
  const later = laterDeliveries(tx, { bot_id: user.id, now: tx.now, limit: MAX_TRIED });
  const goesFirst = ({ id, trigger }: Pick<WebhookDelivery, "id" | "trigger">): boolean =>
    !delivery || id === delivery.id || (delivery.trigger !== "test" && trigger !== "test" && id < delivery.id);
  const ids = new Set(later.filter(goesFirst).map(({ id }) => id));
  if (delivery && delivery.due_at > tx.now) ids.add(delivery.id);
  const deliveries = [...ids].sort((a, b) => a - b);
  for (const id of deliveries) {
    tx.run("UPDATE webhook_deliveries SET due_at = ? WHERE id = ?", tx.now, id);
    announceStoredDelivery(tx, id, "update");
  }
  if (deliveries.length > 0)
    recordAudit(tx, actor, {
      action: "try webhook deliveries now",
      target: `user ${user.id}`,
      after: { deliveries },
    });
  return waitingDeliveryCount(tx, user.id);
}

/** The delivery counts as failed and can be replayed. The bot's next delivery continues. */
export function abandonDelivery(tx: Transaction, actor: User, { user }: Bot, delivery: WebhookDelivery): void {
  tx.run(
    "UPDATE webhook_deliveries SET state = 'failed', error = ? WHERE id = ?",
    storedProblem(
      delivery.error === null
        ? problem("delivery_canceled")
        : problem("delivery_canceled_after_error", {
            cause: readProblem(delivery.error) ?? problem("delivery_failed"),
          }),
    ),
    delivery.id,
  );
  announceStoredDelivery(tx, delivery.id, "update");
  recordAudit(tx, actor, {
    action: "give up webhook delivery",
    target: `user ${user.id}`,
    before: { delivery: delivery.id, ...(delivery.message_id !== null && { message: delivery.message_id }) },
  });
}

export function sendTestDelivery(tx: Transaction, bot: Bot): number {
  return enqueueDelivery(tx, { botId: bot.user.id, messageId: null, trigger: "test" });
}

/** Deliveries of a paused bot stay pending. */
export function pauseBot(tx: Transaction, actor: User, bot: Bot, isPaused: boolean): void {
  if (bot.isPaused === isPaused) return;
  tx.run("UPDATE bots SET is_paused = ? WHERE user_id = ?", isPaused ? 1 : 0, bot.user.id);
  announceWebhookSettings(tx, bot.user);
  recordAudit(tx, actor, { action: isPaused ? "pause bot" : "resume bot", target: `user ${bot.user.id}` });
}

const DELETED_AT_ONCE = 500;
const KEPT_MS = 30 * 24 * 3_600_000;

/** Deletes finished deliveries and receipts after a month. */
export function deleteOldDeliveries(tx: Transaction): void {
  for (const [table, time] of [
    ["webhook_deliveries", "created_at"],
    ["webhook_receipts", "received_at"],
  ] as const) {
    const waiting = table === "webhook_deliveries" ? "AND state <> 'waiting'" : "";
    const before = tx.now - KEPT_MS;
    if (tx.value(`SELECT 1 FROM ${table} WHERE ${time} < ? ${waiting} LIMIT 1`, before) === undefined) continue;
    tx.run(
      `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${time} < ? ${waiting} ORDER BY id LIMIT ?)`,
      before,
      DELETED_AT_ONCE,
    );
  }
}

/** Returns the reason of a refused reply. Throws other errors. */
export function refusalIn(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  throw error;
}
