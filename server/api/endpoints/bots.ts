import { randomBytes } from "node:crypto";
import { z } from "zod";
import { aboutParameter, badRequest, missingParameter, refusedParameter, shortened } from "../../errors.ts";
import { boolean, integer, json, oneOf, rawOrJson, text } from "../../http/params.ts";
import { integrationNamed } from "../../integrations/incoming/registry.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { viewerAsOfNow } from "../access/authentication.ts";
import {
  allowedBotRole,
  assertMayCreateBot,
  botToDeactivate,
  botToManage,
  defaultBotChannel,
  freeBotName,
  isServiceInterface,
  newBotOwner,
  validShortName,
} from "../access/bots.ts";
import { apiEmail } from "../access/email-visibility.ts";
import { validFullName } from "../access/users.ts";
import { allowedWebhookAddress } from "../access/webhook-addresses.ts";
import { webhookToManage } from "../access/webhook-deliveries.ts";
import { type AvatarFiles, setAvatar } from "../actions/avatars.ts";
import {
  changeBot,
  createBot,
  regenerateBotKey,
  regenerateServiceCredential,
  type ServiceInput,
} from "../actions/bots.ts";
import { deactivateUser } from "../actions/user-deactivation.ts";
import { botsManagedBy, defaultsOnWire, wireBot } from "../presenters/bots.ts";
import { storedProblemInWire, wireProblem } from "../presenters/problems.ts";
import { avatarUrl } from "../presenters/users.ts";
import { type Bot, type BotDefaults, type BotHealth, botHealth, botsOwnedBy, INTERFACE } from "../queries/bots.ts";
import { BOT_TYPE, ROLES, type User, userById } from "../queries/users.ts";
import { DELIVERY_STATES } from "../queries/webhook-deliveries.ts";
import { RECEIPT_STATES } from "../queries/webhook-receipts.ts";
import { endpoint, type ValuesOf } from "./endpoint.ts";
import { rejectHeldPolls } from "./password.ts";
import { onePicture, removeReplaced, storeAvatarIfSent } from "./uploaded-pictures.ts";

const MAX_CONFIG_LENGTH = 10_000;
const MAX_SERVICE_NAME_LENGTH = 100;

const config = json(z.record(z.string(), z.string())).describe("Options of the integration, by name.");
const defaultChannels = {
  default_sending_stream: text().optional().describe("A channel's name; empty for none."),
  default_events_register_stream: text().optional().describe("A channel's name; empty for none."),
  default_all_public_streams: boolean().optional(),
};
const defaultsShape = wireBot.pick({
  default_sending_stream: true,
  default_events_register_stream: true,
  default_all_public_streams: true,
});

/** Leaves out missing parameters. */
function givenDefaults(
  reader: Reader,
  viewer: User,
  params: {
    default_sending_stream?: string | undefined;
    default_events_register_stream?: string | undefined;
    default_all_public_streams?: boolean | undefined;
  },
): Partial<BotDefaults> {
  const channelId = (name: "default_sending_stream" | "default_events_register_stream") =>
    aboutParameter(name, () => defaultBotChannel(reader, viewer, params[name] as string)?.id ?? null);
  return {
    ...(params.default_sending_stream !== undefined && { sendingChannelId: channelId("default_sending_stream") }),
    ...(params.default_events_register_stream !== undefined && {
      eventsChannelId: channelId("default_events_register_stream"),
    }),
    ...(params.default_all_public_streams !== undefined && { allPublicChannels: params.default_all_public_streams }),
  };
}

const validConfig = (given: Record<string, string> | undefined): Record<string, string> | null => {
  if (given === undefined) return null;
  if (JSON.stringify(given).length > MAX_CONFIG_LENGTH)
    throw refusedParameter("config_data", "config_data_too_long", { count: MAX_CONFIG_LENGTH });
  return given;
};

function existingIntegration(name: string | undefined): string | null {
  if (name === undefined) return null;
  if (!integrationNamed(name)) throw refusedParameter("service_name", "unknown_integration", { name: shortened(name) });
  return name;
}

const randomToken = (): string => randomBytes(24).toString("base64url");
/** The format of the Standard Webhooks specification. */
const randomSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

export const getBots = endpoint({
  route: "GET /bots",
  summary: "List the caller's active bots.",
  who: "member",
  response: z.object({
    bots: z.array(
      defaultsShape.extend({
        username: z.string(),
        full_name: z.string(),
        api_key: z.string(),
        avatar_url: z.string(),
      }),
    ),
  }),
  handle: ({ viewer, reader, app }) => ({
    bots: botsOwnedBy(reader, viewer.id)
      .filter(({ user }) => user.is_active)
      .map((bot) => ({
        username: bot.user.email,
        full_name: bot.user.full_name,
        api_key: app.keys.keyOf(bot.user),
        avatar_url: avatarUrl(bot.user),
        ...defaultsOnWire(reader, bot),
      })),
  }),
});

export const postBot = endpoint({
  route: "POST /bots",
  summary: "Create a bot, which the caller owns.",
  who: "member",
  bots: false,
  params: {
    full_name: text().describe("2 to 100 characters."),
    short_name: text().describe("The part before -bot@ in its address."),
    bot_type: oneOf(...Object.values(BOT_TYPE))
      .default(BOT_TYPE.generic)
      .describe("1 generic, 2 incoming webhook, 3 outgoing webhook."),
    payload_url: rawOrJson(z.string()).default("").describe("URL that receives the messages of an outgoing webhook."),
    service_name: text()
      .maxLength(MAX_SERVICE_NAME_LENGTH)
      .optional()
      .describe("An incoming webhook's integration; an outgoing webhook's name."),
    config_data: config.optional(),
    interface_type: integer().default(INTERFACE.generic).describe("1 the protocol's JSON, 2 Slack-compatible."),
    ...defaultChannels,
  },
  takesFiles: onePicture,
  response: defaultsShape.extend({ user_id: z.int(), api_key: z.string(), avatar_url: z.string() }),
  handle: async ({ viewer, params, files, reader, transact, app }) => {
    const type = params.bot_type;
    const short_name = aboutParameter("short_name", () => validShortName(params.short_name));
    const isOutgoing = type === BOT_TYPE.outgoingWebhook;
    const [token, secret] = [randomToken(), randomSecret()];
    const { interface_type: kind } = params;
    if (isOutgoing && params.payload_url === "") throw missingParameter("payload_url");
    if (!isServiceInterface(kind)) throw refusedParameter("interface_type", "invalid_webhook_interface");
    assertMayCreateBot(reader, viewer, type);
    const make = (tx: Transaction, owner: User, avatar: AvatarFiles | null): Bot => {
      assertMayCreateBot(tx, owner, type);
      const service: ServiceInput | null = isOutgoing
        ? {
            name: params.service_name ?? short_name,
            base_url: aboutParameter("payload_url", () =>
              allowedWebhookAddress(tx, owner, params.payload_url, "payload_url"),
            ),
            interface: kind,
            sealedFor: (botId) => ({
              token: app.webhookSecrets.seal("token", botId, token),
              secret: app.webhookSecrets.seal("signing_secret", botId, secret),
            }),
          }
        : null;
      const bot = createBot(tx, owner, {
        full_name: aboutParameter("full_name", () => freeBotName(tx, validFullName(params.full_name))),
        short_name,
        type,
        defaults: {
          sendingChannelId: null,
          eventsChannelId: null,
          allPublicChannels: false,
          ...givenDefaults(tx, owner, params),
        },
        integration: type === BOT_TYPE.incomingWebhook ? existingIntegration(params.service_name) : null,
        config: validConfig(params.config_data),
        service,
      });
      return avatar ? { ...bot, user: setAvatar(tx, owner, bot.user, avatar).user } : bot;
    };
    const bot = await storeAvatarIfSent(app, viewer, files, (avatar) =>
      transact((tx) => make(tx, viewerAsOfNow(tx, viewer), avatar)),
    );
    return {
      user_id: bot.user.id,
      api_key: app.keys.keyOf(bot.user),
      avatar_url: avatarUrl(bot.user),
      ...defaultsOnWire(app.store.reader, bot),
    };
  },
});

const changedBot = defaultsShape.extend({
  full_name: z.string(),
  avatar_url: z.string(),
  service_interface: z.int(),
  service_payload_url: z.string().nullable(),
  config_data: z.record(z.string(), z.string()).nullable(),
  bot_owner: z.string().optional().describe("The owner's address, if it changed."),
});

const changes = {
  bot_id: integer(),
  full_name: text().optional().describe("2 to 100 characters."),
  short_name: text().optional().describe("The part before -bot@ in its address."),
  role: oneOf(...Object.values(ROLES))
    .optional()
    .describe("Never above its owner's."),
  bot_owner_id: integer().optional(),
  config_data: config.optional(),
  service_payload_url: rawOrJson(z.string()).optional(),
  service_interface: integer().optional(),
  ...defaultChannels,
};

function change(tx: Transaction, viewer: User, params: ValuesOf<typeof changes>, avatar: AvatarFiles | null) {
  const before = botToManage(tx, viewer, params.bot_id);
  const { full_name, short_name, role, bot_owner_id, service_payload_url: url, service_interface: kind } = params;
  if (kind !== undefined && !isServiceInterface(kind))
    throw refusedParameter("service_interface", "invalid_webhook_interface");
  if ((url !== undefined || kind !== undefined) && !before.service) throw badRequest("webhook_parameters_not_allowed");
  const bot = changeBot(tx, viewer, before, {
    full_name:
      full_name === undefined
        ? undefined
        : aboutParameter("full_name", () => freeBotName(tx, validFullName(full_name), before.user)),
    short_name: short_name === undefined ? undefined : validShortName(short_name),
    role: role === undefined ? undefined : aboutParameter("role", () => allowedBotRole(tx, viewer, before, role)),
    owner: bot_owner_id === undefined ? undefined : aboutParameter("bot_owner_id", () => newBotOwner(tx, bot_owner_id)),
    defaults: givenDefaults(tx, viewer, params),
    config: validConfig(params.config_data) ?? undefined,
    service: {
      ...(url !== undefined && {
        base_url: aboutParameter("service_payload_url", () =>
          allowedWebhookAddress(tx, viewer, url, "service_payload_url"),
        ),
      }),
      ...(kind !== undefined && { interface: kind }),
    },
  });
  const { user, replaced } = avatar ? setAvatar(tx, viewer, bot.user, avatar) : { user: bot.user, replaced: [] };
  return {
    answer: changedAnswer(tx, { ...bot, user }, bot_owner_id !== undefined),
    isKeyVoid: user.key_generation !== before.user.key_generation,
    replaced,
  };
}

function ownerEmail(reader: Reader, { bot_owner_id }: User): string {
  const owner = bot_owner_id === null ? undefined : userById(reader, bot_owner_id);
  return owner ? apiEmail(reader, owner) : "";
}

const changedAnswer = (reader: Reader, bot: Bot, withOwner: boolean): z.output<typeof changedBot> => ({
  full_name: bot.user.full_name,
  avatar_url: avatarUrl(bot.user),
  // The protocol has a number for every bot.
  service_interface: bot.service?.interface ?? INTERFACE.generic,
  service_payload_url: bot.service?.base_url ?? null,
  config_data: bot.config,
  ...defaultsOnWire(reader, bot),
  ...(withOwner && { bot_owner: ownerEmail(reader, bot.user) }),
});

export const patchBot = endpoint({
  route: "PATCH /bots/{bot_id}",
  summary: "Change a bot. For its owner and administrators; only administrators change its role.",
  who: "member",
  params: changes,
  takesFiles: onePicture,
  response: changedBot,
  handle: async ({ viewer, params, files, reader, transact, app }) => {
    botToManage(reader, viewer, params.bot_id);
    const { answer, isKeyVoid, replaced } = await storeAvatarIfSent(app, viewer, files, (avatar) =>
      transact((tx) => change(tx, viewerAsOfNow(tx, viewer), params, avatar)),
    );
    if (isKeyVoid) rejectHeldPolls(app, params.bot_id);
    removeReplaced(app, replaced);
    return answer;
  },
});

export const deleteBot = endpoint({
  route: "DELETE /bots/{bot_id}",
  summary: "Deactivate a bot. For its owner and administrators. Its messages stay.",
  who: "guest",
  params: { bot_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => deactivateUser(tx, viewer, botToDeactivate(tx, viewer, params.bot_id).user)),
});

export const regenerateKeyOfBot = endpoint({
  route: "POST /bots/{bot_id}/api_key/regenerate",
  summary: "Create a new API key for a bot. Voids the old key.",
  who: "member",
  params: { bot_id: integer() },
  response: z.object({ api_key: z.string() }),
  handle: ({ viewer, params, transact, app }) => {
    const bot = transact((tx) => regenerateBotKey(tx, viewer, botToManage(tx, viewer, params.bot_id)));
    rejectHeldPolls(app, bot.id);
    return { api_key: app.keys.keyOf(bot) };
  },
});

export const regenerateWebhookCredential = endpoint({
  route: "POST /host/bots/{bot_id}/service/regenerate",
  summary: "Create a new token or signing secret for an outgoing webhook. Voids the old one.",
  who: "member",
  outsideApi: true,
  params: { bot_id: integer(), credential: oneOf("token", "signing_secret") },
  response: z.object({ value: z.string() }),
  handle: ({ viewer, params: { bot_id, credential }, transact, app }) => {
    const value = credential === "token" ? randomToken() : randomSecret();
    const sealed = app.webhookSecrets.seal(credential, bot_id, value);
    transact((tx) =>
      regenerateServiceCredential(tx, viewer, webhookToManage(tx, viewer, bot_id), { credential, sealed }),
    );
    return { value };
  },
});

export const getBotHealth = endpoint({
  route: "GET /host/bots",
  summary: "Get the webhook health of bots that the caller manages.",
  who: "member",
  outsideApi: true,
  response: z.object({
    bots: z.array(
      z.object({
        bot_id: z.int(),
        is_paused: z.boolean().describe("Whether its deliveries are paused."),
        is_failing: z
          .boolean()
          .describe("Whether the owner was notified of a failure and no delivery has succeeded since."),
        integration: z.string().nullable(),
        waiting: z.int().describe("Pending deliveries."),
        failed: z.int().describe("Failed deliveries or refused requests of the last 30 days."),
        last: z
          .object({
            at: z.int().describe("Milliseconds since the epoch."),
            state: z.enum([...DELIVERY_STATES, ...RECEIPT_STATES]),
            error: wireProblem.nullable(),
          })
          .nullable()
          .describe("The newest attempted delivery or received request."),
      }),
    ),
  }),
  handle: ({ viewer, reader }) => ({
    bots: botsManagedBy(reader, viewer).map((bot) => ({
      bot_id: bot.user.id,
      is_paused: bot.isPaused,
      is_failing: bot.isFailing,
      integration: bot.integration,
      ...healthInWire(botHealth(reader, bot)),
    })),
  }),
});

const healthInWire = ({ last, ...health }: BotHealth) => ({
  ...health,
  last: last && { ...last, error: storedProblemInWire(last.error) },
});

export const getBotConfiguration = endpoint({
  route: "GET /host/bots/{bot_id}/zuliprc",
  summary: "Get a configuration file for client libraries of a bot. For its owner and administrators.",
  who: "member",
  outsideApi: true,
  params: { bot_id: integer() },
  response: z.object({ file_name: z.string(), content: z.string() }),
  handle: ({ viewer, params, reader, app, baseUrl }) => {
    const { user } = botToManage(reader, viewer, params.bot_id);
    const content = `[api]\nemail=${user.email}\nkey=${app.keys.keyOf(user)}\nsite=${baseUrl}\n`;
    return { file_name: "zuliprc", content };
  },
});
