import { createHmac } from "node:crypto";
import { messageVisibility } from "../../api/access/messages.ts";
import { messageOnWire } from "../../api/presenters/messages.ts";
import { type Bot, INTERFACE } from "../../api/queries/bots.ts";
import { channelById } from "../../api/queries/channels.ts";
import { type MessageRow, messageRows } from "../../api/queries/messages.ts";
import { organizationSetting } from "../../api/queries/organization.ts";
import type { WebhookDelivery } from "../../api/queries/webhook-deliveries.ts";
import type { Reader } from "../../storage/transaction.ts";

export interface Payload {
  headers: Record<string, string>;
  body: string;
  /** The body for the log of deliveries, without the token. */
  shown: string;
}

const MASK = "********";
const TEST_TEXT = "This is a test delivery.";

/**
 * The request for each delivery, with its message as it is now; undefined if the message is deleted or the bot can no
 * longer read it. The number of queries is fixed. Shapes: docs/protocol.md#outgoing-webhooks.
 */
export function payloadsOf(
  reader: Reader,
  deliveries: readonly { bot: Bot; delivery: WebhookDelivery; token: string | undefined }[],
): (Payload | undefined)[] {
  const readable = deliveries.map(({ bot, delivery: { message_id } }) =>
    message_id !== null && messageVisibility(reader, bot.user).sees(message_id) ? message_id : undefined,
  );
  const ids = readable.filter((id) => id !== undefined);
  const messages = new Map(ids.length > 0 ? messageRows(reader, ids).map((row) => [row.id, row]) : []);
  return deliveries.map(({ bot, delivery: { message_id, trigger }, token = "" }, index) => {
    const message = messages.get(readable[index] ?? 0);
    return message_id === null || message ? payloadOf(reader, bot, { trigger, message }, token) : undefined;
  });
}

function payloadOf(reader: Reader, bot: Bot, fields: Subject, token: string): Payload {
  const [type, body] =
    bot.service?.interface === INTERFACE.slack
      ? ["application/x-www-form-urlencoded", new URLSearchParams(slackFields(reader, bot, fields, token)).toString()]
      : ["application/json; charset=utf-8", JSON.stringify(genericFields(reader, bot, fields, token))];
  return {
    headers: { "content-type": type, "user-agent": "HearthOutgoingWebhook/1.0" },
    body,
    // A token is base64url, which neither format escapes.
    shown: token === "" ? body : body.replaceAll(token, MASK),
  };
}

interface Subject {
  trigger: WebhookDelivery["trigger"];
  /** Undefined: a test. */
  message: MessageRow | undefined;
}

function genericFields(reader: Reader, { user }: Bot, { trigger, message }: Subject, token: string): object {
  return {
    bot_email: user.email,
    bot_full_name: user.full_name,
    data: message?.content ?? TEST_TEXT,
    trigger,
    token,
    message: message && {
      // Receivers declare no capability for empty topics: docs/protocol.md#empty-topic.
      ...messageOnWire(reader, message, { applyMarkdown: false, allowEmptyTopic: false, viewer: user }),
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
  // As the bot may see them.
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

/**
 * Headers of the Standard Webhooks specification, whose libraries verify them: a receiver authenticates the sender and
 * detects repeats. The signature is the HMAC-SHA256 of `id.timestamp.body`. Its key is the secret: base64 after `whsec_`.
 */
export function signatureHeaders(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const digest = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${digest}` };
}
