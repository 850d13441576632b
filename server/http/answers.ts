import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { noFormFields } from "./body.ts";
import type { RequestCall } from "./call.ts";
import { RawJson, type Viewer } from "./endpoint.ts";
import { errorBody, successBody, successPieces, toApiError, unavailable, withIgnored } from "./envelope.ts";
import { FileAnswer, Redirect, sendFile } from "./file-answers.ts";
import { isSmall } from "./json-pieces.ts";
import type { HttpOptions, HttpStore, Logger } from "./options.ts";
import type { Fields } from "./params.ts";
import { rateLimitHeaders } from "./rate-limits.ts";
import type { Route } from "./routes.ts";
import { secretsOf } from "./secrets.ts";
import { nextTurn, noteUnconfirmed } from "./turns.ts";

/** How long an answer is written in one turn, in milliseconds. */
const WRITING_MS = 10;

/** Text, or bytes in pieces. */
type Body = string | Uint8Array | readonly Uint8Array[];
type Headers = Readonly<Record<string, string>>;
type AnyCall = RequestCall<unknown, Viewer>;

type Options = Pick<HttpOptions<unknown, Viewer>, "store" | "logger" | "checkResponses">;

const JSON_HEADERS: Headers = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** Bytes from which an answer is compressed: below, what the network saves is less than what the compression takes. */
const MIN_COMPRESSED = 16_384;
/** The fastest: JSON shrinks to a quarter or less by it, and the others take three times as long for little more. */
const compress = promisify(gzip) as (body: string | Uint8Array, options: { level: number }) => Promise<Buffer>;
const LEVEL = 1;
/** What one step of a long compression gives, in bytes. */
const CHUNK = 1 << 18;

/** Without putting them together, which would be a turn of its own. */
async function compressPieces(pieces: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const compressed: Uint8Array[] = [];
  const stream = createGzip({ level: LEVEL, chunkSize: CHUNK });
  for await (const chunk of Readable.from(pieces).pipe(stream)) compressed.push(chunk as Uint8Array);
  return compressed;
}

/**
 * Compression takes a thread of the four that Node has for files too, and the log needs one. So large answers are
 * compressed one after the other; of those that come when so many wait, none is, since they would fill the memory.
 */
const LARGE = 1 << 20;
const MAX_WAITING = 4;
let waitingLarge = 0;
let compressedLarge: Promise<unknown> = Promise.resolve();

/** The compressed body; undefined where it goes out as it is. */
function compressed(body: Body, length: number): Promise<Body> | undefined {
  const run = (): Promise<Body> => (isPieces(body) ? compressPieces(body) : compress(body, { level: LEVEL }));
  if (length < LARGE) return run();
  if (waitingLarge > MAX_WAITING) return undefined;
  waitingLarge += 1;
  const own = compressedLarge.then(run).finally(() => {
    waitingLarge -= 1;
  });
  compressedLarge = own.catch(() => {});
  return own;
}

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

  /** Answers with what the handler returned. */
  success(result: unknown, request: FastifyRequest, reply: FastifyReply) {
    const call = request.call as AnyCall;
    let body: Body;
    if (result instanceof FileAnswer || result instanceof Redirect) return this.#other(result, request, reply);
    try {
      if (this.#checkResponses) checkResponse(call, result);
      const ignored = call.fields.size === 0 ? undefined : call.route?.reader.ignored(call.fields);
      if (result instanceof RawJson) {
        body = ignored ? withIgnored(result.body, ignored) : result.body;
        return this.#send(200, body, call.headers, request, reply);
      }
      const written = encode(result as object | undefined, ignored, call, reply);
      if (written instanceof Promise) {
        written
          .then((pieces) => this.#sendDurably(200, pieces, call.headers, request, reply))
          .catch((error) => this.error(error, request, reply));
        return;
      }
      body = written;
    } catch (error) {
      return this.error(error, request, reply);
    }
    this.#sendDurably(200, body, call.headers, request, reply);
  }

  /** Answers with what is no JSON. */
  async #other(answer: FileAnswer | Redirect, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      await this.#store.durable(this.#store.seq);
      const response = reply.raw;
      if (response.destroyed) return;
      const { rateLimit } = request.call as AnyCall;
      const own = {
        "x-content-type-options": "nosniff",
        ...(this.isClosing && { connection: "close" }),
        ...(rateLimit && rateLimitHeaders(rateLimit)),
      };
      reply.hijack();
      if (answer instanceof FileAnswer) return await sendFile(answer, request.raw, response, own);
      const { location, headers } = answer;
      response.writeHead(302, { ...own, "cache-control": "no-store", ...headers, location, "content-length": 0 }).end();
    } catch (error) {
      // Behind the first bytes there is only the log to tell.
      if (reply.raw.headersSent) this.#logger.error("A file could not be sent whole", error);
      else this.error(error, request, reply);
    }
  }

  /** Answers whatever was thrown, in any stage and for any route. */
  error(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const { answer, unexpected } = toApiError(fromFastify(error));
    // What a handler throws when its caller has gone is not news.
    if (unexpected && !(reply.raw.destroyed && (error as Error)?.name === "AbortError")) {
      // Not the address itself: it can hold a token.
      const name = request.call?.route?.endpoint.route ?? `${request.method} ${request.routeOptions.url ?? "a page"}`;
      const { fields, rawQuery } = (request.call as AnyCall | null) ?? { fields: NO_FIELDS, rawQuery: NO_FIELDS };
      this.#logger.error(`${name} failed`, error, secretsOf(request.raw, [fields, rawQuery]));
    }
    const headers = answer.status === 401 ? challenge(answer, request.raw) : answer.headers;
    // What went wrong outside the endpoints shows nothing of the store.
    if (request.call) this.#sendDurably(answer.status, errorBody(answer), headers, request, reply);
    else this.#send(answer.status, errorBody(answer), headers, request, reply);
  }

  /** The barrier: nothing leaves before everything that the handler could have seen is on disk. */
  #sendDurably(status: number, body: Body, headers: Headers | undefined, request: FastifyRequest, reply: FastifyReply) {
    let pending: Promise<void> | undefined;
    try {
      pending = this.#store.durable(this.#store.seq);
    } catch (error) {
      return this.#notDurable(error, request, reply);
    }
    if (pending === undefined) return this.#send(status, body, headers, request, reply);
    noteUnconfirmed(1);
    pending.then(
      () => {
        noteUnconfirmed(-1);
        this.#send(status, body, headers, request, reply);
      },
      (error) => {
        noteUnconfirmed(-1);
        this.#notDurable(error, request, reply);
      },
    );
  }

  #notDurable(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const { answer, unexpected } = toApiError(error);
    if (unexpected) this.#logger.error("Waiting for the log failed", error);
    const restarting = "The server's storage has failed; it is starting again.";
    const refusal = answer.status === 503 ? answer : unavailable(restarting);
    this.#send(refusal.status, errorBody(refusal), refusal.headers, request, reply);
  }

  #send(status: number, body: Body, own: Headers | undefined, request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    const length = lengthOf(body);
    const compressing = length < MIN_COMPRESSED || !takesGzip(request.raw) ? undefined : compressed(body, length);
    if (!compressing) {
      this.#write(status, body, own, request, reply);
      return;
    }
    compressing.then(
      (bytes) => this.#write(status, bytes, { ...own, ...COMPRESSED_HEADERS }, request, reply),
      (error) => {
        this.#logger.error("An answer could not be compressed", error);
        this.#write(status, body, own, request, reply);
      },
    );
  }

  #report(call: AnyCall | null, status: number): void {
    if (!call?.route || !this.#logger.answered) return;
    const { route } = call.route.endpoint;
    this.#logger.answered(status, () => ({
      route,
      ms: Math.round(performance.now() - call.startedAt),
      user_id: call.viewer?.id,
      address: call.address,
      client: call.client,
    }));
  }

  /** Past Fastify's reply, whose hooks and headers show in what a send costs: each message answers many long polls. */
  #write(
    status: number,
    body: Body,
    own: Headers | undefined,
    { call }: FastifyRequest,
    { raw: response }: FastifyReply,
  ): void {
    if (response.destroyed || response.headersSent) return;
    this.#report(call as AnyCall | null, status);
    const length = lengthOf(body);
    const rateLimit = call?.rateLimit;
    const headers =
      own || rateLimit || this.isClosing
        ? {
            ...JSON_HEADERS,
            ...(this.isClosing && { connection: "close" }),
            ...own,
            ...(rateLimit && rateLimitHeaders(rateLimit)),
            "content-length": length,
          }
        : { ...JSON_HEADERS, "content-length": length };
    response.writeHead(status, headers);
    if (!isPieces(body)) {
      response.end(body);
      return;
    }
    response.cork();
    for (const piece of body) response.write(piece);
    response.end();
  }
}

const NO_FIELDS: Fields = new Map();

const isPieces = (body: Body): body is readonly Uint8Array[] => Array.isArray(body);

function lengthOf(body: Body): number {
  if (typeof body === "string") return Buffer.byteLength(body);
  return isPieces(body) ? body.reduce((sum, { length }) => sum + length, 0) : body.length;
}

/** The body of a success. A large one is a promise, because it is written in several turns. */
function encode(
  result: object | undefined,
  ignored: readonly string[] | undefined,
  { caller, takesTurns }: AnyCall,
  { raw }: FastifyReply,
): string | Promise<Uint8Array[]> {
  if (!takesTurns || result === undefined || isSmall(result)) return successBody(result, ignored);
  return writeInTurns(successPieces(result, ignored), caller, raw);
}

async function writeInTurns(pieces: Iterator<string>, caller: number | string, response: ServerResponse) {
  const bytes: Uint8Array[] = [];
  for (let isDone = false; !isDone; ) {
    await nextTurn(caller, { begun: true });
    if (response.destroyed) return [];
    let text = "";
    const end = performance.now() + WRITING_MS;
    do {
      const piece = pieces.next();
      if (piece.done) isDone = true;
      else text += piece.value;
    } while (!isDone && performance.now() < end);
    bytes.push(Buffer.from(text));
  }
  return bytes;
}

const COMPRESSED_HEADERS: Headers = { "content-encoding": "gzip", vary: "accept-encoding" };

/** Whether the caller names gzip among the encodings it takes; `gzip;q=0` is none. */
const takesGzip = ({ headers }: IncomingMessage): boolean =>
  /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))/.test(headers["accept-encoding"]?.toString() ?? "");

/** Fastify's own errors have a status and no envelope. */
function fromFastify(error: unknown): unknown {
  const { code, statusCode = 500 } = (error ?? {}) as { code?: string; statusCode?: number };
  if (error instanceof ApiError || !(error instanceof Error) || statusCode >= 500) return error;
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return noFormFields();
  return new ApiError("BAD_REQUEST", error.message, {}, { status: statusCode });
}

/** Says how to sign in. A browser that hears of Basic asks for name and password in a window of its own, over our page. */
function challenge(error: ApiError, { headers }: IncomingMessage): Headers {
  const basic = error.headers["www-authenticate"] ?? 'Basic realm="zulip"';
  const scheme = /^Mozilla\//.test(headers["user-agent"] ?? "") ? 'Session realm="hearth"' : basic;
  return { ...error.headers, "www-authenticate": scheme };
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
