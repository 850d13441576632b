import { messageVisibility } from "../access/messages.ts";
import { messageOnWire } from "../presenters/messages.ts";
import type { Bot } from "../queries/bots.ts";
import { INTERFACE } from "../queries/bots.ts";
import { channelById } from "../queries/channels.ts";
import { type MessageRow, messageRow } from "../queries/messages.ts";
import { organizationSetting } from "../queries/organization.ts";
import type { User } from "../queries/users.ts";
import type { WebhookDelivery } from "../queries/webhook-deliveries.ts";
import type { Reader } from "../storage/transaction.ts";

export interface Payload {
  headers: Record<string, string>;
  body: string;
  /** As the log of deliveries keeps it: without the token. */
  shown: string;
}

const MASK = "********";
const TEST_TEXT = "This is a test delivery.";

/**
 * What is posted for a delivery, as the message is now; undefined where it is gone, or the bot can no longer read it.
 * Shapes: docs/protocol.md#outgoing-webhooks.
 */
export function payloadOf(reader: Reader, bot: Bot, delivery: WebhookDelivery): Payload | undefined {
  const message = delivery.message_id === null ? undefined : readableMessage(reader, bot.user, delivery.message_id);
  if (delivery.message_id !== null && !message) return undefined;
  const fields = { trigger: delivery.trigger, message };
  const token = bot.service?.token ?? "";
  const [type, body] =
    bot.service?.interface === INTERFACE.slack
      ? ["application/x-www-form-urlencoded", new URLSearchParams(slackFields(reader, bot, fields, token)).toString()]
      : ["application/json; charset=utf-8", JSON.stringify(genericFields(reader, bot, fields, token))];
  return {
    headers: { "content-type": type, "user-agent": "HearthOutgoingWebhook/1.0" },
    body,
    // A token is base64url: both forms write it as it is.
    shown: token === "" ? body : body.replaceAll(token, MASK),
  };
}

interface Subject {
  trigger: WebhookDelivery["trigger"];
  /** Undefined: a test. */
  message: MessageRow | undefined;
}

function readableMessage(reader: Reader, bot: User, id: number): MessageRow | undefined {
  return messageVisibility(reader, bot).sees(id) ? messageRow(reader, id) : undefined;
}

function genericFields(reader: Reader, { user }: Bot, { trigger, message }: Subject, token: string): object {
  return {
    bot_email: user.email,
    bot_full_name: user.full_name,
    data: message?.content ?? TEST_TEXT,
    trigger,
    token,
    message: message && {
      ...messageOnWire(reader, message, { applyMarkdown: false, viewer: user }),
      rendered_content: message.rendered_content,
    },
  };
}

function slackFields(
  reader: Reader,
  { user, service }: Bot,
  { message }: Subject,
  token: string,
): Record<string, string> {
  const channel = message?.channel_id == null ? undefined : channelById(reader, message.channel_id);
  // As the bot may know them.
  const sender = message && messageOnWire(reader, message, { viewer: user });
  return {
    token,
    team_id: "T1",
    team_domain: organizationSetting(reader, "email_host"),
    channel_id: channel ? `C${channel.id}` : `D${message?.recipient_id ?? 0}`,
    channel_name: channel?.name ?? "directmessage",
    thread_ts: message ? String(message.sent_at / 1000) : "",
    timestamp: message ? String(Math.floor(message.sent_at / 1000)) : "",
    user_id: `U${message?.sender_id ?? user.id}`,
    user_name: sender?.sender_full_name ?? user.full_name,
    text: message?.content ?? TEST_TEXT,
    trigger_word: message ? (/@\*\*[^*]+\*\*/.exec(message.content)?.[0] ?? "") : "",
    service_id: service?.name ?? "",
  };
}
