import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import Fastify, { type FastifyInstance } from "fastify";
import { ApiError } from "../errors.ts";
import { refuseOversize } from "./body.ts";
import { Dispatcher, type DispatchOptions, MOST_URL } from "./dispatch.ts";
import type { AnyEndpoint, Viewer } from "./endpoint.ts";
import { errorBody, toApiError } from "./envelope.ts";
import { HostRule } from "./hosts.ts";
import { openApiDocument, openApiEndpoint } from "./openapi.ts";
import { Router } from "./router.ts";

export interface HttpOptions<App, V extends Viewer> extends DispatchOptions<App, V> {
  readonly endpoints: readonly AnyEndpoint[];
  /** Names that are answered beside IP addresses, localhost, *.local and the machine's own: the setting ALLOWED_HOSTS. */
  readonly allowedHosts?: (() => readonly string[]) | undefined;
  /** For the OpenAPI document. */
  readonly version?: string | undefined;
  readonly timeouts?: Partial<typeof TIMEOUTS> | undefined;
}

/** In milliseconds. */
const TIMEOUTS = {
  /** From a request's first byte, or the connection, to the end of its headers. */
  headers: 15_000,
  /** To the end of its body. How long the answer takes is not limited. */
  request: 30_000,
  /** Above the minute after which proxies and clients give up a quiet connection themselves. */
  keepAlive: 75_000,
  /** A connection without a byte either way: a reader who has gone. Above the longest long poll (a heartbeat each 55 s). */
  silence: 180_000,
  /** How often the first two are looked at. */
  check: 5_000,
  /** From close() until connections that are still busy are cut. */
  stop: 500,
};

export interface Http {
  /** For pages: routes outside /api and /host. Their requests have passed the Host rule too. */
  readonly fastify: FastifyInstance;
  readonly server: Server;
  /** @throws Error of Node's listen (EADDRINUSE …). */
  listen(where: { host: string; port: number }): Promise<{ port: number }>;
  /** From now on new requests get 503 and idle connections are closed; what is under way goes on. */
  closing(): void;
  /** Ends within the grace of `timeouts.stop`, whatever callers do. */
  close(): Promise<void>;
}

/** The HTTP side of one server: declared endpoints under one set of rules, and Fastify for everything else. */
export function createHttp<App, V extends Viewer>(options: HttpOptions<App, V>): Http {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const document = () => openApiDocument(router.routes, { title: "Hearth", version: options.version ?? "0" });
  const router: Router = new Router([...options.endpoints, openApiEndpoint(document)]);
  const dispatcher = new Dispatcher(router, new HostRule(options.allowedHosts ?? (() => [])), options);
  const bodyLimit = options.bodyLimit ?? 2 * 1024 * 1024;

  // Fastify's routing, hooks and reply cost several times what the rest of a request does, and a send is a request:
  // declared endpoints are answered before it.
  let elsewhere: RequestListener = () => {};
  const onRequest = (request: IncomingMessage, response: ServerResponse) =>
    dispatcher.handle(request, response, elsewhere);
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: timeouts.check,
      maxHeaderSize: MOST_URL + 32 * 1024,
      // Node's own answer to a missing Host has no envelope.
      requireHostHeader: false,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    },
    onRequest,
  );
  server.timeout = timeouts.silence;
  server.maxHeadersCount = 100;
  server.maxConnections = 5000;
  server.on("clientError", refuseUnparsed);
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    endWith(socket, new ApiError("BAD_REQUEST", "This is no proxy.", {}, { status: 400 }));
  });
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    try {
      refuseOversize(request, bodyLimit);
    } catch (error) {
      return dispatcher.refuse(response, error as ApiError);
    }
    response.writeContinue();
    onRequest(request, response);
  });
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    dispatcher.refuse(
      response,
      new ApiError("BAD_REQUEST", "The Expect header asks for what this server does not do.", {}, { status: 417 }),
    );
  });

  const fastify = Fastify({
    logger: false,
    bodyLimit,
    // A path that is no UTF-8 in percent-encoding.
    frameworkErrors: (error, _request, reply) => {
      reply.hijack();
      dispatcher.refuse(reply.raw, new ApiError("BAD_REQUEST", error.message, {}, { status: error.statusCode ?? 400 }));
    },
    serverFactory: (handler) => {
      elsewhere = handler as RequestListener;
      return server;
    },
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("*", (_request, _payload, done) => done(null));
  fastify.setNotFoundHandler((request, reply) => {
    reply.hijack();
    dispatcher.notFound(request.raw, reply.raw);
  });
  fastify.setErrorHandler((error: unknown, request, reply) => {
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    const refused = !(error instanceof ApiError) && status < 500 && error instanceof Error;
    const { answer, unexpected } = toApiError(
      refused ? new ApiError("BAD_REQUEST", error.message, {}, { status }) : error,
    );
    if (unexpected) options.logger.error(`${request.method} ${request.routeOptions.url ?? "a page"} failed`, error); // addresses hold tokens
    reply.hijack();
    dispatcher.refuse(reply.raw, answer);
  });

  const closing = () => {
    dispatcher.closing = true;
    server.closeIdleConnections();
  };
  let closed: Promise<void> | undefined;
  return {
    fastify,
    server,
    async listen({ host, port }) {
      await fastify.ready();
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen({ host, port, backlog: 1024 }, () => {
          server.off("error", reject);
          resolve();
        });
      });
      return { port: (server.address() as AddressInfo).port };
    },
    closing,
    close() {
      closed ??= (async () => {
        closing();
        const cut = setTimeout(() => server.closeAllConnections(), timeouts.stop);
        if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
        clearTimeout(cut);
        await fastify.close();
      })();
      return closed;
    },
  };
}

/** What Node's parser refuses never becomes a request; its sender gets an envelope all the same. */
function refuseUnparsed(error: Error & { code?: string }, socket: Duplex) {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  if (error.code === "HPE_HEADER_OVERFLOW")
    return endWith(socket, refusal(431, "The request's headers are too large."));
  if (error.code === "HPE_CHUNK_EXTENSIONS_OVERFLOW")
    return endWith(socket, refusal(413, "The request's chunk extensions are too large."));
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT")
    return endWith(socket, refusal(408, "The request took too long to arrive."));
  endWith(socket, refusal(400, "The request is not valid HTTP."));
}

const refusal = (status: number, message: string) => new ApiError("BAD_REQUEST", message, {}, { status });

const REASONS: Record<number, string> = {
  400: "Bad Request",
  408: "Request Timeout",
  413: "Payload Too Large",
  431: "Request Header Fields Too Large",
};

function endWith(socket: Duplex, error: ApiError) {
  const body = errorBody(error);
  // What still comes is thrown away for a while: a connection cut with unread bytes loses the answer.
  let discarded = 0;
  socket.removeAllListeners("data");
  socket.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > 1024 * 1024) socket.destroy();
  });
  if (socket instanceof Socket) socket.setTimeout(2000, () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${error.status} ${REASONS[error.status]}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
