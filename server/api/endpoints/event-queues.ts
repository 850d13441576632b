import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { App } from "../../app.ts";
import { badRequest, refusedParameter } from "../../errors.ts";
import type { QueueOptions } from "../../events/queue.ts";
import { DESKTOP_CLIENT } from "../../http/caller.ts";
import { type Call, RawJson } from "../../http/endpoint.ts";
import { boolean, integer, json, listOf, oneOf, rawOrJson, text } from "../../http/params.ts";
import { runInSlices } from "../../http/run-in-slices.ts";
import { compileEventNarrow } from "../../search/narrow-events.ts";
import { MAX_NARROW_TERMS } from "../../search/narrow-terms.ts";
import { FEATURE_LEVEL, ZULIP_MERGE_BASE, ZULIP_VERSION } from "../../version.ts";
import { viewerAsOfNow } from "../access/authentication.ts";
import { tokenOf } from "../access/bots.ts";
import { isSpectator } from "../access/public-access.ts";
import { createEventQueue, deleteEventQueues } from "../actions/event-queues.ts";
import { capabilitiesIn, capabilitiesInput } from "../presenters/client-capabilities.ts";
import type { RegisterContext } from "../presenters/register-part.ts";
import { publicState, readAhead, readPublicState, readState, registerState } from "../presenters/register-parts.ts";
import { botById } from "../queries/bots.ts";
import { accountsTogether, type User } from "../queries/users.ts";
import { endpoint, type ValuesOf } from "./endpoint.ts";

const IDLE_SECONDS = 600;
const MAX_IDLE_SECONDS = 604_800;
/** `idle_queue_timeout=mobile`: phones suspend their apps. */
const MOBILE_IDLE_SECONDS = 43_200;
/** More than one person's programs need. Each queue costs a row and some memory. */
const MAX_QUEUES_PER_USER = 500;
/** For a person and their bots together. */
const MAX_QUEUES_PER_PERSON = 2500;
/** Characters of the JSON. */
const MAX_OPTIONS_LENGTH = 20_000;

const registerParams = {
  apply_markdown: boolean().default(false).describe("Message content as HTML instead of Markdown."),
  client_gravatar: boolean()
    .optional()
    .describe("No effect: the server hosts all pictures. Refused if true without an account."),
  include_subscribers: oneOf("true", "false", "partial").default("false"),
  slim_presence: boolean().default(false).describe("Presences by user ID."),
  presence_history_limit_days: integer({ min: 0 }).default(14),
  event_types: listOf(z.string()).optional().describe("Event types of the queue; all if omitted."),
  fetch_event_types: listOf(z.string()).optional().describe("Parts of the response; default: event_types."),
  all_public_streams: boolean()
    .optional()
    .describe("Messages of all public channels; default: the bot's default_all_public_streams."),
  client_capabilities: json(capabilitiesInput).optional(),
  narrow: json(z.array(z.array(z.string()).min(2).max(2)).max(MAX_NARROW_TERMS))
    .default([])
    .describe("Messages of the queue, as [operator, operand] pairs."),
  idle_queue_timeout: rawOrJson(z.union([z.int().min(0), z.literal("mobile")]))
    .optional()
    .describe("Seconds without requests after which the queue expires: at least 600, at most 604800. mobile: 43200."),
  queue_lifespan_secs: integer({ min: 0, max: MAX_IDLE_SECONDS })
    .default(0)
    .describe("Deprecated: use idle_queue_timeout."),
};

type RegisterParams = ValuesOf<typeof registerParams>;

function idleSeconds({ idle_queue_timeout, queue_lifespan_secs }: RegisterParams): number {
  const requested = idle_queue_timeout ?? queue_lifespan_secs;
  if (requested === "mobile") return MOBILE_IDLE_SECONDS;
  return Math.min(Math.max(requested, IDLE_SECONDS), MAX_IDLE_SECONDS);
}

const registered = {
  last_event_id: z.int(),
  zulip_feature_level: z.int(),
  zulip_version: z.string(),
  zulip_merge_base: z.string(),
  service_feature_level: z.int(),
  service_version: z.string(),
  idle_queue_timeout_secs: z.int().describe("After this time without requests, the queue expires."),
};
const registeredPerson = z.object({ queue_id: z.string(), ...registered, ...registerState.shape });
const registeredSpectator = z.object({
  queue_id: z.null().describe("Null, because queues need an account."),
  ...registered,
  ...publicState.shape,
});

type Registration = Call<App, User, RegisterParams>;

const always = ({ app: { version }, params }: Registration) => ({
  zulip_feature_level: FEATURE_LEVEL,
  zulip_version: ZULIP_VERSION,
  zulip_merge_base: ZULIP_MERGE_BASE,
  service_feature_level: FEATURE_LEVEL,
  service_version: version,
  idle_queue_timeout_secs: idleSeconds(params),
});

function contextOf(
  { reader, app, baseUrl, params }: Registration,
  viewer: User,
  ahead: RegisterContext["ahead"] = new Map(),
): RegisterContext {
  const requested = params.fetch_event_types ?? params.event_types;
  const names = requested && new Set(requested);
  return {
    reader,
    viewer,
    fetches: (name) => names === undefined || names.has(name),
    names,
    capabilities: capabilitiesIn(params.client_capabilities),
    includeSubscribers: params.include_subscribers,
    slimPresence: params.slim_presence,
    presenceHistoryLimitDays: params.presence_history_limit_days,
    baseUrl,
    now: app.now(),
    keyOf: (user) => app.keys.keyOf(user),
    tokenOf: (bot) => tokenOf(app.webhookSecrets, bot),
    ahead,
  };
}

/** Without an account there is no queue. */
function registerSpectator(call: Registration): z.output<typeof registeredSpectator> {
  const { viewer, reader, params } = call;
  for (const name of ["client_gravatar", "include_subscribers"] as const) {
    if (String(params[name]) === "true") throw refusedParameter(name, "account_required");
  }
  compileEventNarrow(reader, viewer, params.narrow);
  return { queue_id: null, last_event_id: -1, ...always(call), ...readPublicState(contextOf(call, viewer)) };
}

/** Milliseconds per turn. */
const READING_MS = 5;

/** Reads large parts ahead, in earlier turns. */
async function register(call: Registration): Promise<z.output<typeof registeredPerson>> {
  const ahead: RegisterContext["ahead"] = new Map();
  const steps = readAhead(contextOf(call, call.viewer, ahead));
  let isRead = false;
  await runInSlices(call, (begins) => {
    if (isRead) return true;
    const end = performance.now() + READING_MS;
    do isRead = steps.next().done === true;
    while (!isRead && performance.now() < end);
    return isRead && begins && performance.now() < end;
  });
  // A request must not fail because the machine is slow, so this reads the rest now.
  return registerNow(call, viewerAsOfNow(call.reader, call.viewer), ahead);
}

/** At the limit, a new queue replaces the one that has been idle longest: apps that start again leave long-lived queues. */
function queueToReplace(queues: App["queues"], userIds: readonly number[], max: number): string | undefined {
  if (queues.ofUsers(userIds) < max) return undefined;
  const idle = queues.longestIdle(userIds, IDLE_SECONDS * 1000);
  if (!idle) throw badRequest("too_many_event_queues", { count: max });
  return idle.id;
}

/** Reads the state and creates the queue in the same turn, so that no event is lost between them. */
function registerNow(
  call: Registration,
  viewer: User,
  ahead: RegisterContext["ahead"],
): z.output<typeof registeredPerson> {
  const { reader, transact, app, params } = call;
  const { queues, store } = app;
  compileEventNarrow(reader, viewer, params.narrow); // Throws for an invalid narrow.
  const replaced =
    queueToReplace(queues, [viewer.id], MAX_QUEUES_PER_USER) ??
    queueToReplace(queues, accountsTogether(reader, viewer.id), MAX_QUEUES_PER_PERSON);
  const context = contextOf(call, viewer, ahead);
  const options: QueueOptions = {
    ...context.capabilities,
    apply_markdown: params.apply_markdown,
    slim_presence: params.slim_presence,
    all_public_streams: params.all_public_streams ?? botById(reader, viewer.id)?.defaults.allPublicChannels ?? false,
    event_types: params.event_types ?? null,
    narrow: params.narrow,
    own_page: call.isOperator || call.session !== undefined,
    desk_window: call.session !== undefined && call.client === DESKTOP_CLIENT,
  };
  const storedOptions = JSON.stringify(options);
  if (storedOptions.length > MAX_OPTIONS_LENGTH) throw badRequest("event_filters_too_long");
  const last_event_id = store.lastEventId;
  const state = readState(context);
  const row = transact((tx) => {
    if (replaced !== undefined) deleteEventQueues(tx, [replaced]);
    const queue = {
      id: randomUUID(),
      options: storedOptions,
      lifespan_seconds: idleSeconds(params),
      first_event_id: last_event_id,
    };
    return createEventQueue(tx, viewer, queue);
  });
  if (replaced !== undefined) queues.remove(replaced);
  queues.add(row);
  return {
    queue_id: row.id,
    last_event_id,
    ...always(call),
    ...state,
  };
}

export const registerQueue = endpoint({
  route: "POST /register",
  summary: "Register an event queue and get the state from which its events continue.",
  who: "guest",
  spectators: true,
  takesTurns: true,
  params: registerParams,
  response: z.union([registeredPerson, registeredSpectator]),
  handle: (call) => (isSpectator(call.viewer) ? registerSpectator(call) : register(call)),
});

export const getEvents = endpoint({
  route: "GET /events",
  summary: "Wait for the next events of a queue. Without queue_id, registers a queue instead.",
  who: "guest",
  // Events determine how often a held poll returns, not the client.
  countsTowardsLimit: (fields) => !fields.has("queue_id") || /true/i.test(fields.get("dont_block") ?? ""),
  params: {
    queue_id: text().optional(),
    last_event_id: integer({ min: -1 })
      .optional()
      .describe("The newest received event. Acknowledges it and all earlier ones."),
    dont_block: boolean().default(false),
    ...registerParams,
  },
  response: z.looseObject({ events: z.array(z.looseObject({ id: z.int(), type: z.string() })), queue_id: z.string() }),
  handle: (call) => {
    const { viewer, params, app } = call;
    if (params.queue_id === undefined) return register(call).then((registered) => ({ events: [], ...registered }));
    const queue = app.queues.queueOf(viewer.id, params.queue_id);
    const answer = app.queues.poll(queue, params.last_event_id, !params.dont_block, (listener) =>
      call.onGone(listener),
    );
    return typeof answer === "string" ? new RawJson(answer) : answer.then((body) => new RawJson(body));
  },
});

export const deleteQueue = endpoint({
  route: "DELETE /events",
  summary: "Delete an event queue.",
  who: "guest",
  params: { queue_id: text() },
  handle: ({ viewer, params, transact, app }) => {
    const queue = app.queues.queueOf(viewer.id, params.queue_id);
    transact((tx) => deleteEventQueues(tx, [queue.id]));
    app.queues.remove(queue.id);
  },
});
