import { z } from "zod";
import type { App } from "../../app.ts";
import { ApiError, badRequest, notFound, problem } from "../../errors.ts";
import type { RawRequest, Transact } from "../../http/endpoint.ts";
import { jsonBounds, MAX_JSON_DEPTH, MAX_JSON_VALUES } from "../../http/json-bounds.ts";
import { boolean, integer, listOf, oneOf, rawOrJson, text } from "../../http/params.ts";
import { runInSlices, runIteratorInSlices, tookTooLong } from "../../http/run-in-slices.ts";
import { clientName, type IncomingRequest, type Integration } from "../../integrations/incoming/integration.ts";
import { readIncoming } from "../../integrations/incoming/reading.ts";
import { integrationNamed, integrations } from "../../integrations/incoming/registry.ts";
import type { Reader } from "../../storage/transaction.ts";
import { botIdsToManage, botToManage, openedSecrets } from "../access/bots.ts";
import { botByKey, botIdByKey } from "../access/incoming-webhooks.ts";
import { receiptOf } from "../access/webhook-deliveries.ts";
import { pauseBot } from "../actions/webhook-deliveries.ts";
import { masked, maskedFields } from "../actions/webhook-log.ts";
import {
  isMissingChannel,
  MAX_PAYLOAD,
  type NewReceipt,
  notifyOfMissingChannel,
  notifyOfMissingHeader,
  recordReceipt,
  sendFromIntegration,
  setWebhookSecret,
} from "../actions/webhook-receipts.ts";
import { receiptInWire, wireReceipt } from "../presenters/webhook-receipts.ts";
import type { Bot } from "../queries/bots.ts";
import { channelByName } from "../queries/channels.ts";
import { answerableFor } from "../queries/users.ts";
import { waitingDeliveryCount } from "../queries/webhook-deliveries.ts";
import { RECEIPT_STATES, receiptLog, webhookReceipts } from "../queries/webhook-receipts.ts";
import { endpoint } from "./endpoint.ts";
import { logSpan, pageOf } from "./params.ts";
import { countStoredBytes } from "./stored-bytes.ts";

interface Received {
  reader: Reader;
  transact: Transact;
  app: App;
  raw: RawRequest;
}

const parameter = ({ form, query }: RawRequest, name: string): string | undefined => form.get(name) ?? query.get(name);

/** Counts the request for the bot, so that senders behind a shared address do not slow each other down. */
const botOfRequest = ({ reader, app, raw }: Pick<Received, "reader" | "app" | "raw">): number | undefined =>
  botIdByKey(reader, app.keys, parameter(raw, "api_key"));

const senderOf = ({ reader, app, raw }: Received): Bot => botByKey(reader, app.keys, parameter(raw, "api_key"));

/** Above this size in bytes, checking, parsing and posting take separate turns. */
const LARGE = 1 << 16;

type Answered = Record<string, unknown>;

function receive(call: Received, name: string): Answered | Promise<Answered> {
  const integration = integrationNamed(name);
  if (!integration) throw notFound("integration_not_found");
  const bot = senderOf(call);
  const work = readAndPost(call, integration, bot);
  if (call.raw.body.length > LARGE) return receiveInTurns(call.app, bot, work);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

async function receiveInTurns(app: App, { user }: Bot, work: Iterator<undefined, Answered>): Promise<Answered> {
  let answer: Answered | undefined;
  // Continues even if the sender disconnects.
  await runInSlices({ app, caller: answerableFor(app.store.reader, user.id), onGone: () => {} }, () => {
    const step = work.next();
    if (step.done) answer = step.value;
    return step.done === true;
  });
  if (!answer) throw tookTooLong("timed_out");
  return answer;
}

/**
 * Posts the request as the bot of the URL's key and stores a receipt. Data may change at each `yield`, so the bot is
 * looked up again.
 */
function* readAndPost(call: Received, integration: Integration, bot: Bot): Generator<undefined, Answered> {
  const { reader, transact, app } = call;
  const raw = unescapedTwice(reader, integration, call.raw);
  const began = performance.now();
  const keep = (what: Omit<NewReceipt, "integration" | "latency" | "payload">): NewReceipt => ({
    ...what,
    integration: integration.name,
    latency: performance.now() - began,
    payload: payloadOf(raw),
  });
  try {
    if (raw.refusal) throw raw.refusal;
    assertSigned(app, bot, integration, raw);
    assertReadable(raw);
    yield;
    const outcome = readIncoming(integration, requestOf(raw, app.now()));
    yield;
    const { user } = senderOf(call);
    if (outcome.is === "unsupported")
      throw new ApiError("UNSUPPORTED_WEBHOOK_EVENT_TYPE", outcome.why, {
        webhook_name: clientName(integration),
        event_type: outcome.event,
      });
    const messages = outcome.is === "messages" ? outcome.messages : [];
    transact((tx) => {
      const messageId =
        sendFromIntegration(
          tx,
          user,
          { stream: parameter(raw, "stream") },
          {
            messages,
            client: clientName(integration),
            count: (stored) => countStoredBytes({ app, viewer: user, isOperator: false }, stored),
          },
        ) ?? null;
      const state = messageId === null ? "ignored" : "posted";
      const missing = messages.length > 0 ? problem("webhook_channel_not_found") : null;
      const error = messageId !== null ? null : outcome.is === "ignored" ? outcome.why : missing;
      recordReceipt(tx, user, keep({ event: outcome.event, state, status: 200, error, messageId }));
    });
    return integration.answer ?? {};
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message, status, data, headers } = error;
    const { user } = senderOf(call);
    const event = typeof data["event_type"] === "string" ? data["event_type"] : null;
    transact((tx) => {
      recordReceipt(tx, user, keep({ event, state: "refused", status, error: error.problem, messageId: null }));
      if (isMissingChannel(error)) notifyOfMissingChannel(tx, user, parameter(raw, "stream") ?? "");
      if (error.code === "MISSING_HTTP_EVENT_HEADER") notifyOfMissingHeader(tx, user, integration.displayName);
    });
    throw integration.answer
      ? new ApiError(error.code, error.problem, { ...data, ok: false, error: message }, { status, headers })
      : error;
  }
}

/** If a secret is set, unsigned requests are refused, also for services that cannot sign. */
function assertSigned(app: App, bot: Bot, integration: Integration, raw: RawRequest): void {
  if (bot.sealedWebhookSecret === null) return;
  const { webhook_secret } = openedSecrets(app.webhookSecrets, bot);
  if (webhook_secret === undefined)
    throw new ApiError("UNAUTHORIZED", problem("webhook_secret_unreadable"), {}, { status: 401 });
  if (integration.verify?.(requestOf(raw, app.now()), webhook_secret) !== true)
    throw new ApiError("UNAUTHORIZED", problem("invalid_signature"), {}, { status: 401 });
}

/** Call it before parsing, which takes one turn. */
function assertReadable({ body, form }: RawRequest): void {
  const texts = form.size > 0 ? form.values() : [body.toString("latin1")];
  for (const text of texts)
    if (jsonBounds(text) !== "fits")
      throw badRequest("payload_too_complex", { count: MAX_JSON_VALUES, depth: MAX_JSON_DEPTH });
}

const requestOf = (raw: RawRequest, now: number): IncomingRequest => ({ ...raw, receivedAt: Math.floor(now / 1000) });

const ESCAPED = /%[0-9a-f]{2}/i;

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Some services, such as Atlassian's, escape a URL twice. It is unescaped again if the integration says so, or if only
 * the unescaped channel name exists.
 */
function unescapedTwice(reader: Reader, { escapesTwice }: Integration, raw: RawRequest): RawRequest {
  const stream = raw.query.get("stream");
  const isTwice = stream !== undefined && ESCAPED.test(stream) && !channelByName(reader, stream);
  if (!isTwice && (!escapesTwice || (stream !== undefined && ESCAPED.test(stream)))) return raw;
  return { ...raw, query: new Map([...raw.query].map(([name, value]) => [name, unescaped(value)])) };
}

/** The logged payload: the body, or the query of a request without a body. Secrets are masked. */
function payloadOf({ body, form, query }: RawRequest): string {
  const fields = form.size > 0 ? form : body.length === 0 ? query : undefined;
  // Enough bytes for the logged characters.
  if (!fields) return masked(body.subarray(0, 4 * MAX_PAYLOAD + 4).toString("utf8"));
  return maskedFields([...fields].map(([name, value]) => [name, value.slice(0, 2 * MAX_PAYLOAD)] as const));
}

const received = z.object({ ok: z.literal(true).optional().describe("For services whose libraries read it.") });

const receiving = {
  who: "anyone",
  ignoreCredentials: true,
  readsRaw: true,
  countsAs: botOfRequest,
  params: { integration: text() },
  response: received,
} as const;

export const receiveWebhook = endpoint({
  route: "POST /external/{integration}",
  summary: "Receive a request from another service. The bot with the api_key sends it as messages.",
  ...receiving,
  handle: (call) => receive(call, call.params.integration),
});

export const receiveWebhookByGet = endpoint({
  route: "GET /external/{integration}",
  summary: "Receive a request from a service that uses GET.",
  ...receiving,
  handle: (call) => {
    const { integration: name } = call.params;
    // Some services check the URL with HEAD.
    if (call.raw.method === "HEAD") return {};
    if (!integrationNamed(name)?.takesGet)
      throw new ApiError(
        "BAD_REQUEST",
        problem("post_required"),
        { allowed_methods: ["POST"] },
        { status: 405, headers: { allow: "POST" } },
      );
    return receive(call, name);
  },
});

export const getWebhookReceipts = endpoint({
  route: "GET /host/bots/{bot_id}/receipts",
  summary: "List requests to an incoming webhook, newest first. For its owner and administrators.",
  who: "member",
  outsideApi: true,
  params: {
    bot_id: integer(),
    before: integer({ min: 1 }).optional().describe("Only receipts before this ID."),
    state: oneOf(...RECEIPT_STATES).optional(),
    limit: integer({ min: 1, max: 200 }).default(50),
  },
  response: z.object({ receipts: z.array(wireReceipt), has_more: z.boolean() }),
  handle: ({ viewer, params, reader }) => {
    const { bot_id, before, state, limit } = params;
    botToManage(reader, viewer, bot_id);
    const found = webhookReceipts(reader, { bot_id, before, state, limit: limit + 1 });
    const { page, has_more } = pageOf(found, limit);
    return { receipts: page.map(receiptInWire), has_more };
  },
});

export const getReceiptLog = endpoint({
  route: "GET /host/webhook_receipts",
  summary: "List requests to all incoming webhooks that the caller manages, newest first.",
  who: "member",
  outsideApi: true,
  params: {
    bot_ids: listOf(integer()).optional().describe("All if omitted."),
    states: listOf(oneOf(...RECEIPT_STATES)).optional(),
    integrations: listOf(text()).optional().describe("Names of integrations, as in their URLs."),
    ...logSpan,
  },
  response: z.object({ receipts: z.array(wireReceipt), has_more: z.boolean() }),
  handle: async (call) => {
    const { viewer, params, reader } = call;
    const bot_ids = botIdsToManage(reader, viewer, params.bot_ids);
    const log = receiptLog(reader, { ...params, bot_ids, limit: params.limit + 1 });
    const found = await runIteratorInSlices(call, log);
    const { page, has_more } = pageOf(found, params.limit);
    return { receipts: page.map(receiptInWire), has_more };
  },
});

export const getWebhookReceipt = endpoint({
  route: "GET /host/bots/{bot_id}/receipts/{receipt_id}",
  summary: "Get a request to an incoming webhook, with the start of its payload.",
  who: "member",
  outsideApi: true,
  params: { bot_id: integer(), receipt_id: integer() },
  response: z.object({ receipt: wireReceipt }),
  handle: ({ viewer, params, reader }) => {
    const bot = botToManage(reader, viewer, params.bot_id);
    return { receipt: receiptInWire(receiptOf(reader, bot, params.receipt_id)) };
  },
});

export const getBotSettings = endpoint({
  route: "GET /host/bots/{bot_id}",
  summary: "Get webhook settings of a bot. For its owner and administrators.",
  who: "member",
  outsideApi: true,
  params: { bot_id: integer() },
  response: z.object({
    is_paused: z.boolean().describe("Whether its deliveries are paused."),
    is_failing: z
      .boolean()
      .describe("Whether the owner was notified of a failure and no delivery has succeeded since."),
    waiting: z.int().describe("Pending deliveries."),
    integration: z.string().nullable(),
    webhook_secret: z.string().nullable().describe("Secret of senders to the bot."),
    signing_secret: z.string().nullable().describe("Secret that signs the bot's deliveries."),
    unreadable: z
      .array(z.enum(["webhook_secret", "token", "signing_secret"]))
      .describe(
        "Secrets that must be set again, because the server's secret key was replaced. They are null until then.",
      ),
  }),
  handle: ({ viewer, params, reader, app }) => {
    const bot = botToManage(reader, viewer, params.bot_id);
    const { webhook_secret = null, signing_secret = null, unreadable } = openedSecrets(app.webhookSecrets, bot);
    return {
      is_paused: bot.isPaused,
      is_failing: bot.isFailing,
      waiting: waitingDeliveryCount(reader, bot.user.id),
      integration: bot.integration,
      webhook_secret,
      signing_secret,
      unreadable,
    };
  },
});

export const patchBotSettings = endpoint({
  route: "PATCH /host/bots/{bot_id}",
  summary: "Pause or resume a bot's deliveries, or set the secret for its senders.",
  who: "member",
  outsideApi: true,
  params: {
    bot_id: integer(),
    is_paused: boolean().optional(),
    webhook_secret: rawOrJson(z.string().max(500).nullable()).optional().describe("Empty or null removes it."),
  },
  handle: ({ viewer, params, transact, app }) => {
    const { bot_id, is_paused: isPaused, webhook_secret: secret } = params;
    if (isPaused === undefined && secret === undefined) throw badRequest("nothing_to_change");
    const sealed = secret ? app.webhookSecrets.seal("webhook_secret", bot_id, secret) : null;
    transact((tx) => {
      const bot = botToManage(tx, viewer, bot_id);
      if (isPaused !== undefined) pauseBot(tx, viewer, bot, isPaused);
      if (secret !== undefined) setWebhookSecret(tx, bot.user, sealed);
    });
  },
});

export const getIntegrations = endpoint({
  route: "GET /host/integrations",
  summary: "List integrations for incoming webhooks, with setup instructions.",
  who: "member",
  outsideApi: true,
  response: z.object({
    integrations: z.array(
      z.object({
        name: z.string().describe("Part of the URL."),
        display_name: z.string(),
        color: z.string().describe("Color of its logo, as #rrggbb."),
        is_signed: z.boolean().describe("Whether requests are signed if the bot has a secret."),
        set_up: z.string().describe("Markdown. Replace {address} with the bot's URL for this service."),
      }),
    ),
  }),
  handle: () => ({
    integrations: integrations.map(({ name, displayName, color, verify, setUp }) => ({
      name,
      display_name: displayName,
      color,
      is_signed: verify !== undefined,
      set_up: setUp,
    })),
  }),
});
