import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { WebSocketServer } from "ws";
import { topicNamed } from "../../api/access/ntfy-topics.ts";
import type { NtfyTopics } from "../../host/credentials/derived-keys.ts";
import { hostOf, isEncrypted, requestSource } from "../../http/caller.ts";
import type { RateLimiter } from "../../http/rate-limits.ts";
import type { WebSockets } from "../../http/server.ts";
import type { SignInThrottle } from "../../http/throttle.ts";
import type { Reader } from "../../storage/transaction.ts";
import { CONTENT_TYPES, encode, type Format } from "./events.ts";
import { type Connection, MAX_STREAMS, type NtfyStreams, type Subscription, type Topic } from "./streams.ts";
import { readSubscribeParams } from "./subscribe-params.ts";

/** In one request. */
const MAX_TOPICS = 20;
/** WebSocket clients send only control frames. */
const MAX_FRAME_BYTES = 1024;
const MAX_UNCONFIRMED_PINGS = 2;
/** First parts of paths that are not topics. */
const RESERVED = /^(?:api|host|json|assets|generated|user_avatars|join|admin|reset|chat)$/;

/** ntfy's errors: https://github.com/binwiederhier/ntfy/blob/main/server/errors.go */
const ERRORS = {
  since: [40008, "invalid since parameter"],
  priority: [40007, "invalid priority parameter"],
  tooManyTopics: [40009, "invalid request: topic invalid"],
  noWebSocket: [40016, "invalid request: client not using the websocket protocol"],
  forbidden: [40301, "forbidden"],
  tooManyRequests: [42901, "limit reached: too many requests"],
  tooManyStreams: [42903, "limit reached: too many active subscriptions"],
  tooManyFailures: [42909, "limit reached: too many auth failures"],
} as const;

class Refusal extends Error {
  readonly status: number;
  readonly body: string;

  constructor(reason: keyof typeof ERRORS) {
    const [code, error] = ERRORS[reason];
    super(error);
    this.status = Math.floor(code / 100);
    this.body = `${JSON.stringify({ code, http: this.status, error })}\n`;
  }
}

/** Other web pages may read the responses: the topic is the only credential, and no cookie counts. */
const CORS = { "access-control-allow-origin": "*" };
const HEADERS = { ...CORS, "cache-control": "no-store", "x-content-type-options": "nosniff" };

export interface NtfyRoutes {
  readonly reader: Reader;
  readonly streams: NtfyStreams;
  readonly topics: NtfyTopics;
  readonly now: () => number;
  /** Wrong topics, by source. */
  readonly wrongTopics: SignInThrottle;
  /** Requests with a right topic, by person. */
  readonly requests: RateLimiter;
}

/**
 * The part of ntfy's API that its apps use to subscribe: docs/protocol.md#ntfy. Returns the handler of WebSockets.
 */
export function addNtfy(fastify: FastifyInstance, ntfy: NtfyRoutes): WebSockets {
  type Path = { Params: { topics: string; action: string } };
  fastify.route<Path>({
    method: "GET",
    url: "/:topics/:action(^(?:json|sse|raw|ws|auth|publish|send|trigger)$)",
    exposeHeadRoute: false,
    handler(request, reply) {
      const { topics, action } = request.params;
      if (RESERVED.test(topics)) return reply.callNotFound();
      reply.hijack();
      respond(ntfy, { topics, action }, request.raw, reply.raw);
    },
  });
  fastify.route<Path>({
    method: "OPTIONS",
    url: "/:topics/:action(^(?:json|sse|raw|auth)$)",
    handler: (_request, reply) =>
      reply.headers({ ...CORS, "access-control-allow-methods": "GET", "access-control-allow-headers": "*" }).send(),
  });
  // Publishing.
  fastify.route<Path>({
    method: ["POST", "PUT"],
    url: "/:topics",
    handler(request, reply) {
      if (RESERVED.test(request.params.topics)) return reply.callNotFound();
      reply.hijack();
      refuse(reply.raw, new Refusal("forbidden"));
    },
  });
  fastify.get("/v1/health", { exposeHeadRoute: false }, (_request: FastifyRequest, reply) =>
    reply.headers(HEADERS).send({ healthy: true }),
  );
  return new NtfySockets(ntfy);
}

function respond(
  ntfy: NtfyRoutes,
  { topics, action }: { topics: string; action: string },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  try {
    if (["publish", "send", "trigger"].includes(action)) throw new Refusal("forbidden");
    const subscription = subscriptionOf(ntfy, topics, request);
    if (action === "ws") throw new Refusal("noWebSocket");
    if (action === "auth") {
      response.writeHead(200, { ...HEADERS, "content-type": "application/json" }).end('{"success":true}\n');
      return;
    }
    stream(ntfy, subscription, action as keyof typeof CONTENT_TYPES, response);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refuse(response, error);
  }
}

function refuse(response: ServerResponse, { status, body }: Refusal): void {
  response.writeHead(status, { ...HEADERS, "content-type": "application/json" }).end(body);
}

/** @throws Refusal */
function subscriptionOf(ntfy: NtfyRoutes, topicList: string, request: IncomingMessage): Subscription {
  const topics = topicsIn(ntfy, topicList, requestSource(request));
  const { url = "", headers } = request;
  const query = url.includes("?") ? url.slice(url.indexOf("?") + 1) : "";
  const params = readSubscribeParams(query, headers, ntfy.now());
  if (typeof params === "string") throw new Refusal(params);
  if (topics.some(({ user_id }) => ntfy.streams.countOf(user_id) >= MAX_STREAMS)) throw new Refusal("tooManyStreams");
  return {
    ...params,
    topics,
    topicList,
    baseUrl: `${isEncrypted(request) ? "https" : "http"}://${hostOf(request)}`,
    takesClears: !/\biOS\b/.test(headers["user-agent"] ?? ""),
  };
}

/**
 * The valid topics. The app asks for all its topics of a server together, so a replaced topic that is still in the app
 * must not stop the new one.
 * @throws Refusal if there is none
 */
function topicsIn({ reader, topics, wrongTopics, requests }: NtfyRoutes, topicList: string, source: string): Topic[] {
  const names = [...new Set(topicList.split(",").filter((name) => name !== ""))];
  if (names.length > MAX_TOPICS) throw new Refusal("tooManyTopics");
  const found = names.flatMap((name) => {
    const topic = topicNamed(reader, topics, name);
    return topic ? [{ name, ...topic }] : [];
  });
  if (found.length === 0) {
    attempt(() => wrongTopics.begin("", source).failed(), "tooManyFailures");
    throw new Refusal("forbidden");
  }
  for (const { user_id } of found) attempt(() => requests.count(user_id), "tooManyRequests");
  return found;
}

function attempt(count: () => void, reason: keyof typeof ERRORS): void {
  try {
    count();
  } catch {
    throw new Refusal(reason);
  }
}

function stream(
  { streams }: NtfyRoutes,
  subscription: Subscription,
  format: keyof typeof CONTENT_TYPES,
  response: ServerResponse,
): void {
  // The last header stops nginx from buffering.
  response.writeHead(200, { ...HEADERS, "content-type": CONTENT_TYPES[format], "x-accel-buffering": "no" });
  response.flushHeaders();
  const { topicList } = subscription;
  const connection: Connection = {
    send: (event) => void response.write(encode(format, event)),
    keepAlive: () => connection.send(streams.keepAliveEvent(topicList)),
    get isBehind() {
      return response.writableNeedDrain;
    },
    end: () => void response.end(),
  };
  const { resume, close } = streams.open(subscription, connection);
  response.on("drain", resume);
  response.once("close", close);
}

/** WebSockets at `/{topic}/ws`. */
class NtfySockets implements WebSockets {
  readonly #ntfy: NtfyRoutes;
  /** Loaded with the first request. */
  #server: Promise<WebSocketServer> | undefined;

  constructor(ntfy: NtfyRoutes) {
    this.#ntfy = ntfy;
  }

  accepts = (url: string): boolean => topicsOfSocket(url) !== undefined;

  handle(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    try {
      const subscription = subscriptionOf(this.#ntfy, topicsOfSocket(request.url ?? "") ?? "", request);
      void this.#upgrade(subscription, request, socket, head);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refuseSocket(socket, error);
    }
  }

  async #upgrade(subscription: Subscription, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    this.#server ??= import("ws").then(
      ({ WebSocketServer }) =>
        new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: MAX_FRAME_BYTES }),
    );
    const server = await this.#server;
    if (socket.destroyed) return;
    server.handleUpgrade(request, socket, head, (client) => this.#open(subscription, client, socket));
  }

  #open(subscription: Subscription, client: import("ws").WebSocket, socket: Duplex): void {
    let unconfirmed = 0;
    client.on("pong", () => {
      unconfirmed = 0;
    });
    const connection: Connection = {
      send: (event) => client.send(encode("ws" satisfies Format, event)),
      keepAlive() {
        unconfirmed += 1;
        if (unconfirmed > MAX_UNCONFIRMED_PINGS) client.terminate();
        else client.ping();
      },
      get isBehind() {
        return socket.writableNeedDrain;
      },
      // After a closing handshake, the Android app does not connect again.
      end: (isComplete) => (isComplete ? client.close() : client.terminate()),
    };
    const { resume, close } = this.#ntfy.streams.open(subscription, connection);
    socket.on("drain", resume);
    client.on("error", () => client.terminate());
    client.once("close", close);
  }
}

const topicsOfSocket = (url: string): string | undefined => /^\/([^/?]+)\/ws(?:\?|$)/.exec(url)?.[1];

function refuseSocket(socket: Duplex, { status, message, body }: Refusal): void {
  socket.end(
    `HTTP/1.1 ${status} ${message}\r\ncontent-type: application/json\r\naccess-control-allow-origin: *\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
