import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest, onSendHookHandler } from "fastify";
import { ApiError } from "../errors.ts";
import { noFormFields } from "./body.ts";
import type { RequestCall } from "./call.ts";
import { RawJson, type Viewer } from "./endpoint.ts";
import { errorBody, successBody, toApiError, unavailable, withIgnored } from "./envelope.ts";
import type { HttpOptions, HttpStore, Logger } from "./options.ts";
import { rateLimitHeaders } from "./rate-limits.ts";
import type { Route } from "./routes.ts";

type Headers = Readonly<Record<string, string>>;
type AnyCall = RequestCall<unknown, Viewer>;

type Options = Pick<HttpOptions<unknown, Viewer>, "store" | "logger" | "checkResponses">;

const JSON_HEADERS: Headers = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** How requests are answered: successes, errors, and what has to be on disk before. */
export class Answers {
  /** Every answer ends its connection. */
  isClosing = false;
  readonly #store: HttpStore;
  readonly #logger: Logger;
  readonly #checkResponses: boolean;

  constructor({ store, logger, checkResponses = false }: Options) {
    this.#store = store;
    this.#logger = logger;
    this.#checkResponses = checkResponses;
  }

  /** The body of a success, for Fastify to send; its headers go into the reply. Undefined where it has been sent. */
  success(call: AnyCall, result: unknown, reply: FastifyReply): string | undefined {
    if (this.#checkResponses) checkResponse(call, result);
    if (result instanceof RawJson) return this.#sendRaw(call, result, reply);
    reply.headers(this.#headers(call, call.headers)).serializer(asItIs);
    return successBody(result as object | undefined, ignoredIn(call));
  }

  /**
   * Sends past Fastify's reply, and so without the barrier, what is encoded and durable already: each message answers
   * many long polls at once, and what the reply does for one shows there.
   */
  #sendRaw(call: AnyCall, { body }: RawJson, reply: FastifyReply): undefined {
    reply.hijack();
    const response = reply.raw;
    if (response.destroyed) return;
    const ignored = ignoredIn(call);
    const whole = ignored ? withIgnored(body, ignored) : body;
    const length = typeof whole === "string" ? Buffer.byteLength(whole) : whole.length;
    response.writeHead(200, { ...this.#headers(call, call.headers), "content-length": length });
    response.end(whole);
  }

  /** Answers whatever was thrown, in any stage and for any route. */
  error(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const { answer, unexpected } = toApiError(fromFastify(error));
    // What a handler throws when its caller has gone is not news.
    if (unexpected && !(reply.raw.destroyed && (error as Error)?.name === "AbortError")) {
      // Not the address itself: it can hold a token.
      const name = request.call?.route?.endpoint.route ?? `${request.method} ${request.routeOptions.url ?? "a page"}`;
      this.#logger.error(`${name} failed`, error);
    }
    reply.send(this.#failure(answer, request, reply));
  }

  /** The barrier: nothing leaves before everything that the handler could have seen is on disk. */
  readonly waitUntilDurable: onSendHookHandler = (request, reply, _body, done) => {
    const failed = (error: unknown) => done(null, this.#notDurable(error, request, reply));
    let pending: Promise<void> | undefined;
    try {
      pending = this.#store.durable(this.#store.seq);
    } catch (error) {
      return failed(error);
    }
    if (pending === undefined) done();
    else pending.then(() => done(), failed);
  };

  #notDurable(error: unknown, request: FastifyRequest, reply: FastifyReply): string {
    const { answer, unexpected } = toApiError(error);
    if (unexpected) this.#logger.error("Waiting for the log failed", error);
    const restarting = "The server's storage has failed; it is starting again.";
    return this.#failure(answer.status === 503 ? answer : unavailable(restarting), request, reply);
  }

  #failure(error: ApiError, { call, raw }: FastifyRequest, reply: FastifyReply): string {
    // Fastify closes a connection after a body that it could not parse; ours have been read to their end.
    reply.removeHeader("connection");
    reply.code(error.status).headers(this.#headers(call, error.headers)).serializer(asItIs);
    if (error.status === 401) reply.header("www-authenticate", challenge(error, raw));
    return errorBody(error);
  }

  #headers(call: AnyCall | null, own: Headers | undefined): Headers {
    const rateLimit = call?.rateLimit;
    if (!own && !rateLimit && !this.isClosing) return JSON_HEADERS;
    return {
      ...JSON_HEADERS,
      ...(this.isClosing && { connection: "close" }),
      ...own,
      ...(rateLimit && rateLimitHeaders(rateLimit)),
    };
  }
}

const ignoredIn = ({ fields, route }: AnyCall) => (fields.size === 0 ? undefined : route?.reader.ignored(fields));

/** Fastify would add a charset to the content type, which JSON does not have. */
const asItIs = (body: unknown) => body as string;

/** Fastify's own errors have a status and no envelope. */
function fromFastify(error: unknown): unknown {
  const { code, statusCode = 500 } = (error ?? {}) as { code?: string; statusCode?: number };
  if (error instanceof ApiError || !(error instanceof Error) || statusCode >= 500) return error;
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return noFormFields();
  return new ApiError("BAD_REQUEST", error.message, {}, { status: statusCode });
}

/** How to sign in. A browser that hears of Basic asks for name and password in a window of its own, over our page. */
function challenge(error: ApiError, { headers }: IncomingMessage): string {
  if (/^Mozilla\//.test(headers["user-agent"] ?? "")) return 'Session realm="hearth"';
  return error.headers["www-authenticate"] ?? 'Basic realm="zulip"';
}

/** Answers a request that does not reach Fastify. */
export function answerBeforeFastify(response: ServerResponse, error: ApiError): void {
  const body = errorBody(error);
  const headers = { ...JSON_HEADERS, "content-length": Buffer.byteLength(body), ...error.headers };
  response.writeHead(error.status, headers).end(body);
}

function checkResponse({ route }: AnyCall, result: unknown): void {
  const { endpoint } = route as Route;
  let fields = result as Record<string, unknown> | undefined;
  if (result instanceof RawJson) {
    if (endpoint.response === undefined) return;
    const { result: _result, msg: _msg, ...rest } = JSON.parse(Buffer.from(result.body as string).toString("utf8"));
    fields = rest;
  }
  if (endpoint.response === undefined) {
    if (Object.keys(fields ?? {}).length > 0)
      throw new Error(`${endpoint.route} declares no response, but answers with one`);
    return;
  }
  const parsed = endpoint.response.safeParse(fields);
  if (!parsed.success) throw new Error(`${endpoint.route} answers otherwise than it declares: ${parsed.error.message}`);
}
