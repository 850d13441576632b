import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { ApiError, problem } from "../errors.ts";
import { Answers, answerBeforeFastify } from "./answers.ts";
import { Authentication } from "./authentication.ts";
import { assertLength } from "./body-limits.ts";
import { hostOf } from "./caller.ts";
import { CONNECTION_LIMITS, Connections, maxConnections } from "./connection-limits.ts";
import { answerUnparsed, endWith } from "./connections.ts";
import { type ControlSocket, listenAtControlSocket, signControlRequest } from "./control-socket.ts";
import type { Viewer } from "./endpoint.ts";
import { toApiError, unavailable } from "./envelope.ts";
import { TrustedProxies } from "./forwarded.ts";
import { HostnameRule } from "./hostnames.ts";
import { mountEndpoints } from "./mount.ts";
import { isMultipart } from "./multipart.ts";
import { openApiDocument, openApiEndpoint } from "./openapi.ts";
import { BODY_LIMIT, type HttpOptions, TIMEOUTS } from "./options.ts";
import { RequestLimits } from "./rate-limits.ts";
import { METHODS, type Route, routedUrl, routeOf, routeOtherMethod, sentMethod } from "./routes.ts";
import { encryptedPage, httpsNeeded, isExposed, SecureConnections } from "./secure-connections.ts";

// See test/support/import-rules.ts for the reason that this is not an import.
const { createServer, IncomingMessage: NodeRequest } = process.getBuiltinModule("node:http");

/** A message of 10,000 characters in a PATCH's query, as zulip-js sends it, takes up to 120,000 bytes. */
const MAX_URL_LENGTH = 131_072;

export interface Http {
  /** For pages: routes outside /api and /host. */
  readonly fastify: FastifyInstance;
  /** Handles the requests for WebSockets. Without it, they are like other requests. */
  webSockets: WebSockets | undefined;
  readonly server: Server;
  /** Number of requests since the start. */
  readonly requests: number;
  readonly connections: {
    readonly open: number;
    readonly max: number;
    readonly max_of_address: number;
    readonly ms_since_other_machine: number | null;
  };
  /** @throws Error of Node's listen (EADDRINUSE …). */
  listen(where: { host: string; port: number }): Promise<{ port: number }>;
  /**
   * Also serves the operator at a Unix socket in the data folder. `host`: the server's host in links.
   * @throws errors of the system.
   */
  listenInFolder(folder: string, host: string): Promise<void>;
  /** Refuses new requests with 503 and closes idle connections. Running requests continue. */
  closing(): void;
  /** Resolves within `timeouts.stop`. */
  close(): Promise<void>;
}

export interface WebSockets {
  /** Whether a request for a WebSocket, to this URL, is for this handler. */
  accepts(url: string): boolean;
  handle(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** The HTTP side of a server: declared endpoints, and pages. */
export function createHttp<App, V extends Viewer>(options: HttpOptions<App, V>): Http {
  const { bodyLimit = BODY_LIMIT, allowedHosts = () => [], trustedProxies = () => [] } = options;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const limits = new RequestLimits(options);
  const hostnames = new HostnameRule(allowedHosts);
  const document = () => openApiDocument(routes, { title: "Hearth", version: options.version ?? "0" });
  const routes: readonly Route[] = [...options.endpoints, openApiEndpoint(document)].map(routeOf);
  const answers = new Answers(options);
  const proxies = new TrustedProxies(trustedProxies);
  const connections = new Connections(
    { ...CONNECTION_LIMITS, total: maxConnections(), body: timeouts.request, ...options.connections },
    (address) => proxies.has(address),
  );

  const secure =
    options.encryption &&
    new SecureConnections(options.encryption, {
      patience: timeouts.headers,
      onSecured: (plain, secured) => connections.secured(plain, secured),
    });
  const needsHttps = (request: IncomingMessage) =>
    options.encryption?.isOn === true &&
    isExposed(request) &&
    !options.overHttp?.isServed(request.url?.split("?", 1)[0] ?? "");

  const admit = (request: IncomingMessage) => {
    const { url = "", headers } = request;
    if (answers.isClosing) throw unavailable("server_stopping");
    // Both hosts: after DNS rebinding, a web page can send the headers of a proxy.
    hostnames.check(headers.host);
    hostnames.check(hostOf(request));
    if (url.length > MAX_URL_LENGTH) throw tooLong();
  };
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    connections.upgraded(request);
    socket.on("error", () => socket.destroy());
    try {
      proxies.read(request);
      admit(request);
      if (needsHttps(request)) throw httpsNeeded(request);
      http.webSockets?.handle(request, socket, head);
    } catch (error) {
      endWith(socket, toApiError(error).answer);
    }
  };
  const nothingHere = (request: IncomingMessage) => {
    limits.countAddress(request);
    return new ApiError("BAD_REQUEST", problem("url_not_found"), {}, { status: 404 });
  };

  let control: ControlSocket | undefined;
  let controlHost = "";
  const fastify = Fastify({
    logger: false,
    bodyLimit,
    genReqId: () => "",
    rewriteUrl: ({ url = "" }) => routedUrl(url),
    // stages.ts reads queries, where their errors become responses.
    routerOptions: { maxParamLength: MAX_URL_LENGTH, querystringParser: () => ({}) },
    // params.ts reads parameters, so Fastify need not load its compilers of JSON schemas.
    schemaController: { compilersFactory: { buildValidator: withoutSchemas, buildSerializer: withoutSchemas } },
    frameworkErrors: answerUnroutable,
    serverFactory: (listener) => {
      const tracking = connections.tracking(listener as RequestListener);
      const listen: RequestListener = (request, response) => {
        proxies.read(request);
        routeOtherMethod(request);
        tracking(request, response);
      };
      const server = createNodeServer(listen, timeouts, bodyLimit, (url) => http.webSockets?.accepts(url) === true);
      server.on("upgrade", upgrade);
      secure?.watch(server);
      connections.watch(server);
      return server;
    },
    return503OnClosing: false,
  });
  // Pages ignore bodies.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("*", (_request, _payload, done) => done(null));
  fastify.addHook("onRequest", (request, reply, done) => {
    if (control) signControlRequest(request.raw, options.operatorToken ?? "", controlHost);
    admit(request.raw);
    if (!needsHttps(request.raw)) return done();
    const page = encryptedPage(request.raw);
    if (page === undefined) throw httpsNeeded(request.raw);
    if (options.overHttp?.sendPage(request.raw, reply)) return;
    reply.header("cache-control", "no-store").redirect(page, 307); // temporary, since HTTPS can be turned off again
  });
  fastify.setNotFoundHandler(({ raw }, reply) => {
    if (sentMethod(raw) !== "OPTIONS" || raw.url !== "*") throw nothingHere(raw);
    reply.code(204).header("allow", METHODS.join(", ")).send();
  });
  fastify.setErrorHandler((error, request, reply) => answers.error(error, request, reply));
  mountEndpoints(fastify, routes, { options, authentication: new Authentication(options, limits), limits, answers });

  /** For a path with malformed percent-encoding: Fastify runs no hooks for it. */
  function answerUnroutable(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
    try {
      admit(request.raw);
      throw needsHttps(request.raw) ? httpsNeeded(request.raw) : nothingHere(request.raw);
    } catch (error) {
      answers.error(error, request, reply);
    }
  }

  const closing = () => {
    answers.isClosing = true;
    void control?.close();
    fastify.server.closeIdleConnections();
    secure?.close();
  };
  let closed: Promise<void> | undefined;
  const close = async () => {
    closing();
    const cut = setTimeout(() => fastify.server.closeAllConnections(), timeouts.stop);
    await Promise.all([fastify.close(), control?.close()]);
    clearTimeout(cut);
  };
  const http: Http = {
    fastify,
    webSockets: undefined,
    server: fastify.server,
    get requests() {
      return connections.requests;
    },
    get connections() {
      return connections.counts;
    },
    async listen({ host, port }) {
      await fastify.listen({ host, port, backlog: 1024 });
      return { port: (fastify.server.address() as AddressInfo).port };
    },
    async listenInFolder(folder, host) {
      controlHost = host;
      control = await listenAtControlSocket(fastify.server, folder);
    },
    closing,
    close: () => (closed ??= close()),
  };
  return http;
}

function withoutSchemas(): never {
  throw new Error("Routes declare no JSON schemas: parameters are read by params.ts.");
}

const tooLong = () =>
  new ApiError("BAD_REQUEST", problem("url_too_long", { max: MAX_URL_LENGTH }), {}, { status: 414 });

/**
 * Node stops reading HTTP after the headers of any request with `Upgrade`, as soon as a server listens for upgrades.
 * But some clients offer HTTP/2 with this header in ordinary requests, and they must get an ordinary response.
 */
function requestClass(acceptsWebSocket: (url: string) => boolean): typeof IncomingMessage {
  return class extends NodeRequest {
    // Not a private field: Node's constructor sets the property first.
    declare hasUpgrade: boolean;

    get upgrade(): boolean {
      if (!this.hasUpgrade || this.method === "CONNECT") return this.hasUpgrade;
      const isWebSocket = this.method === "GET" && this.headers.upgrade?.toLowerCase() === "websocket";
      return isWebSocket && acceptsWebSocket(this.url ?? "");
    }

    set upgrade(value: boolean) {
      this.hasUpgrade = value;
    }
  };
}

/** Node's server with its limits. It responds to requests that do not reach Fastify. */
function createNodeServer(
  listener: RequestListener,
  timeouts: typeof TIMEOUTS,
  bodyLimit: number,
  acceptsWebSocket: (url: string) => boolean,
): Server {
  const server = createServer(
    {
      IncomingMessage: requestClass(acceptsWebSocket),
      headersTimeout: timeouts.headers,
      requestTimeout: 0, // connection-limits.ts gives files more time
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: timeouts.check,
      maxHeaderSize: MAX_URL_LENGTH + 32 * 1024,
      // Node's own response to a missing Host has no envelope.
      requireHostHeader: false,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    },
    listener,
  );
  server.timeout = timeouts.silence;
  server.maxHeadersCount = 100;
  server.on("clientError", answerUnparsed);
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    endWith(socket, new ApiError("BAD_REQUEST", problem("not_a_proxy"), {}, { status: 400 }));
  });
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    if (isMultipart(request)) {
      // A multipart body can be large, so stages.ts responds 100 only after sign-in. An earlier response closes the
      // connection, because the body does not follow.
      response.shouldKeepAlive = false;
      return listener(request, response);
    }
    try {
      assertLength(request, bodyLimit);
    } catch (error) {
      return answerBeforeFastify(response, error as ApiError);
    }
    response.writeContinue();
    listener(request, response);
  });
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const refusal = new ApiError("BAD_REQUEST", problem("expectation_not_supported"), {}, { status: 417 });
    answerBeforeFastify(response, refusal);
  });
  return server;
}
