import type { Reader } from "../../storage/transaction.ts";
import { allUsers, BOT_TYPE, type User, userById } from "./users.ts";
import { type DeliveryState, waitingDeliveryCount } from "./webhook-deliveries.ts";
import type { ReceiptState } from "./webhook-receipts.ts";

/** The format of an outgoing webhook: the protocol's own JSON, or the one that receivers for Slack read. */
export const INTERFACE = { generic: 1, slack: 2 } as const;
export type ServiceInterface = (typeof INTERFACE)[keyof typeof INTERFACE];

export interface BotDefaults {
  sendingChannelId: number | null;
  eventsChannelId: number | null;
  allPublicChannels: boolean;
}

export interface BotService {
  name: string;
  base_url: string;
  interface: ServiceInterface;
  /** Sent with each delivery. Encrypted (server/host/credentials/derived-keys.ts). */
  sealedToken: string;
  /** The signing key of deliveries. Encrypted. */
  sealedSecret: string;
  /** The user who chose the URL. */
  chosen_by: number;
}

/** A user-created bot, with its properties besides those of its account. */
export interface Bot {
  user: User;
  defaults: BotDefaults;
  /** The integration of an incoming webhook; null: any. */
  integration: string | null;
  config: Record<string, string> | null;
  /** Only for outgoing webhooks. */
  service: BotService | null;
  /** Whether its deliveries are held back. */
  isPaused: boolean;
  /** Whether its owner was notified of failures, and no delivery has succeeded since. */
  isFailing: boolean;
  /** The key with which senders sign requests to an incoming webhook, encrypted. Null: signatures are not checked. */
  sealedWebhookSecret: string | null;
}

interface Row {
  default_sending_channel_id: number | null;
  default_events_channel_id: number | null;
  default_all_public_streams: number;
  integration: string | null;
  config: string | null;
  webhook_secret: string | null;
  is_paused: number;
  is_failing: number;
}

/** Undefined for people, for the server's own bots, and for unknown ids. */
export function botById(reader: Reader, id: number): Bot | undefined {
  const seen = reader.derived("bots seen", ["users", "bots", "bot_services"], () => new Map<number, Bot>());
  const bot = seen.get(id) ?? readBot(reader, id);
  if (bot) seen.set(id, bot);
  return bot;
}

function readBot(reader: Reader, id: number): Bot | undefined {
  const user = userById(reader, id);
  const row =
    user &&
    reader.get<Row>(
      `SELECT default_sending_channel_id, default_events_channel_id, default_all_public_streams, integration, config,
         webhook_secret, is_paused, is_failing FROM bots WHERE user_id = ?`,
      id,
    );
  if (!user || !row) return undefined;
  return {
    user,
    defaults: {
      sendingChannelId: row.default_sending_channel_id,
      eventsChannelId: row.default_events_channel_id,
      allPublicChannels: row.default_all_public_streams === 1,
    },
    integration: row.integration,
    config: row.config === null ? null : (JSON.parse(row.config) as Record<string, string>),
    service: botService(reader, id) ?? null,
    isPaused: row.is_paused === 1,
    isFailing: row.is_failing === 1,
    sealedWebhookSecret: row.webhook_secret,
  };
}

export const botService = (reader: Reader, botId: number): BotService | undefined =>
  reader.get(
    `SELECT name, base_url, interface, token AS sealedToken, secret AS sealedSecret, chosen_by
     FROM bot_services WHERE bot_id = ?`,
    botId,
  );

/** All user-created bots, including deactivated ones, ascending by id. */
export const allBots = (reader: Reader): Bot[] =>
  allUsers(reader)
    .filter((user) => user.is_bot)
    .flatMap(({ id }) => botById(reader, id) ?? []);

/** Ascending by id, including deactivated ones. */
export const botsOwnedBy = (reader: Reader, ownerId: number): Bot[] =>
  reader
    .all<{ id: number }>("SELECT id FROM users WHERE bot_owner_id = ? ORDER BY id", ownerId)
    .flatMap(({ id }) => botById(reader, id) ?? []);

/** Bots that use the channel as their default for sending or events. Ascending by id, including deactivated ones. */
export const botsWithDefaultChannel = (reader: Reader, channelId: number): Bot[] =>
  reader
    .all<{ id: number }>(
      `SELECT user_id AS id FROM bots WHERE default_sending_channel_id = ? OR default_events_channel_id = ?
       ORDER BY user_id`,
      channelId,
      channelId,
    )
    .flatMap(({ id }) => botById(reader, id) ?? []);

/** Milliseconds since the epoch; 0 if a bot's owner was never notified of a problem. */
export const ownerNotifiedAt = (reader: Reader, botId: number): number =>
  reader.value<number | null>("SELECT notified_at FROM bots WHERE user_id = ?", botId) ?? 0;

/**
 * The server's own bots. No other account can have an email address in their domain (`validEmail`), and no one can sign
 * in as them.
 */
export const SYSTEM_BOTS = {
  notification: { email: "notification-bot@hearth.invalid", full_name: "Notification Bot" },
} as const;
export type SystemBotName = keyof typeof SYSTEM_BOTS;

export const systemBotIds = (reader: Reader): readonly number[] =>
  reader.derived("system bot ids", ["users"], (rows) =>
    rows.values<number>("SELECT id FROM users WHERE system_bot IS NOT NULL ORDER BY id"),
  );

/** Ascending by id. */
export const systemBots = (reader: Reader): User[] => systemBotIds(reader).map((id) => userById(reader, id) as User);

export const isSystemBot = (user: Pick<User, "system_bot">): boolean => user.system_bot !== null;

/** The bot that sends system messages. */
export function notificationBot(reader: Reader): User {
  const bot = systemBots(reader).find(({ system_bot }) => system_bot === "notification");
  if (!bot) throw new Error("The notification bot is missing: this database holds no organization.");
  return bot;
}

/** The latest delivery of an outgoing webhook, or the latest request to an incoming one. */
interface Last {
  /** Milliseconds since the epoch. */
  at: number;
  state: DeliveryState | ReceiptState;
  /** A stored problem: `readProblem`. */
  error: string | null;
}

/** The health of a bot's webhook, based on the retained log. */
export interface BotHealth {
  /** Number of pending deliveries. */
  waiting: number;
  /** Number of deliveries that were given up, or of refused requests. */
  failed: number;
  last: Last | null;
}

const NONE: BotHealth = { waiting: 0, failed: 0, last: null };

export function botHealth(reader: Reader, { user }: Bot): BotHealth {
  if (user.bot_type === BOT_TYPE.outgoingWebhook) return outgoingHealth(reader, user.id);
  return user.bot_type === BOT_TYPE.incomingWebhook ? incomingHealth(reader, user.id) : NONE;
}

const outgoingHealth = (reader: Reader, id: number): BotHealth => ({
  waiting: waitingDeliveryCount(reader, id),
  failed:
    reader.value<number>(
      `SELECT COUNT(*) FROM webhook_deliveries INDEXED BY webhook_deliveries_failed
       WHERE bot_id = ? AND state = 'failed'`,
      id,
    ) ?? 0,
  last:
    reader.get<Last>(
      `SELECT tried_at AS at, state, error FROM webhook_deliveries
       WHERE bot_id = ? AND tried_at IS NOT NULL ORDER BY id DESC LIMIT 1`,
      id,
    ) ?? null,
});

const incomingHealth = (reader: Reader, id: number): BotHealth => ({
  waiting: 0,
  failed: reader.value<number>("SELECT COUNT(*) FROM webhook_receipts WHERE bot_id = ? AND state = 'refused'", id) ?? 0,
  last:
    reader.get<Last>(
      "SELECT received_at AS at, state, error FROM webhook_receipts WHERE bot_id = ? ORDER BY id DESC LIMIT 1",
      id,
    ) ?? null,
});
