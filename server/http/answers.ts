import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError, problem } from "../errors.ts";
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
import { nextTurn, noteUnconfirmed } from "./turns.ts";

/** Longest part of writing a response in one turn, in milliseconds. */
const WRITING_MS = 10;

/** Text, or bytes in pieces. */
type Body = string | Uint8Array | readonly Uint8Array[];
type Headers = Readonly<Record<string, string>>;

type Options = Pick<HttpOptions<unknown, Viewer>, "store" | "logger" | "checkResponses">;

const JSON_HEADERS: Headers = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** Smaller responses, in bytes, gain less time on the network than their compression takes. */
const MIN_COMPRESSED = 16_384;
/** The fastest level makes JSON four times smaller. The others take three times as long for little more. */
const compress = promisify(gzip) as (body: string | Uint8Array, options: { level: number }) => Promise<Buffer>;
const LEVEL = 1;
/** Output of one step of a long compression, in bytes. */
const CHUNK = 1 << 18;

/** Concatenating the pieces first would take a turn of its own. */
async function compressPieces(pieces: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const compressed: Uint8Array[] = [];
  const stream = createGzip({ level: LEVEL, chunkSize: CHUNK });
  for await (const chunk of Readable.from(pieces).pipe(stream)) compressed.push(chunk as Uint8Array);
  return compressed;
}

/**
 * Compression shares Node's four threads with files, and the log needs a thread. So large responses are compressed in
 * sequence. If too many are pending, further ones are sent uncompressed, because pending responses use memory.
 */
const LARGE = 1 << 20;
const MAX_WAITING = 4;
let waitingLarge = 0;
let compressedLarge: Promise<unknown> = Promise.resolve();

/** Undefined if the body goes out uncompressed. */
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

/** Sends the responses of endpoints, and errors. */
export class Answers {
  /** Each response closes its connection. */
  isClosing = false;
  readonly #store: HttpStore;
  readonly #logger: Logger;
  readonly #checkResponses: boolean;

  constructor({ store, logger, checkResponses = false }: Options) {
    this.#store = store;
    this.#logger = logger;
    this.#checkResponses = checkResponses;
  }

  /** Responds with the result of a handler. */
  success(result: unknown, request: FastifyRequest, reply: FastifyReply) {
    const call = request.call as RequestCall;
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

  /** Responds with a file or a redirect. */
  async #other(answer: FileAnswer | Redirect, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      await this.#store.durable(this.#store.seq);
      const response = reply.raw;
      if (response.destroyed) return;
      const { rateLimit, headers: callHeaders } = request.call as RequestCall;
      const own = {
        ...callHeaders,
        "x-content-type-options": "nosniff",
        ...(this.isClosing && { connection: "close" }),
        ...(rateLimit && rateLimitHeaders(rateLimit)),
      };
      reply.hijack();
      if (answer instanceof FileAnswer) return await sendFile(answer, request.raw, response, own);
      const { location, headers } = answer;
      response.writeHead(302, { ...own, "cache-control": "no-store", ...headers, location, "content-length": 0 }).end();
    } catch (error) {
      // After the first bytes, an error can only be logged.
      if (reply.raw.headersSent) this.#logger.error("A file could not be sent whole", error);
      else this.error(error, request, reply);
    }
  }

  /** Responds to an error of any stage and any route. */
  error(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const { answer, unexpected } = toApiError(fromFastify(error));
    // A handler can throw because its client has disconnected.
    if (unexpected && !(reply.raw.destroyed && (error as Error)?.name === "AbortError")) {
      // Not the URL, which can contain a token.
      const name = request.call?.route?.endpoint.route ?? `${request.method} ${request.routeOptions.url ?? "a page"}`;
      const { fields, rawQuery } = (request.call as RequestCall | null) ?? { fields: NO_FIELDS, rawQuery: NO_FIELDS };
      this.#logger.error(`${name} failed`, error, secretsOf(request.raw, [fields, rawQuery]));
    }
    const headers = answer.status === 401 ? challenge(answer, request.raw) : answer.headers;
    // Errors outside the endpoints reveal nothing of the store, so they need not wait for the disk.
    if (request.call) this.#sendDurably(answer.status, errorBody(answer, request.raw), headers, request, reply);
    else this.#send(answer.status, errorBody(answer, request.raw), headers, request, reply);
  }

  /** Waits until everything that the handler could have read is on disk. */
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
    const refusal = answer.status === 503 ? answer : unavailable("storage_failed");
    this.#send(refusal.status, errorBody(refusal, request.raw), refusal.headers, request, reply);
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

  #report(call: RequestCall | null, status: number): void {
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

  /** Bypasses Fastify's reply: its hooks and headers are a measurable part of a send, which ends many long polls. */
  #write(
    status: number,
    body: Body,
    own: Headers | undefined,
    { call }: FastifyRequest,
    { raw: response }: FastifyReply,
  ): void {
    if (response.destroyed || response.headersSent) return;
    this.#report(call as RequestCall | null, status);
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
  { caller, takesTurns }: RequestCall,
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

/** Whether the client accepts gzip. `gzip;q=0` refuses it. */
const takesGzip = ({ headers }: IncomingMessage): boolean =>
  /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))/.test(headers["accept-encoding"]?.toString() ?? "");

/** Converts errors of Fastify, which have a status. */
function fromFastify(error: unknown): unknown {
  const { code, statusCode = 500 } = (error ?? {}) as { code?: string; statusCode?: number };
  if (error instanceof ApiError || !(error instanceof Error) || statusCode >= 500) return error;
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return noFormFields();
  return new ApiError("BAD_REQUEST", problem("unknown", { cause: error.message }), {}, { status: statusCode });
}

/** For the scheme Basic, browsers open their own sign-in window over the page. */
function challenge(error: ApiError, { headers }: IncomingMessage): Headers {
  const basic = error.headers["www-authenticate"] ?? 'Basic realm="zulip"';
  const scheme = /^Mozilla\//.test(headers["user-agent"] ?? "") ? 'Session realm="hearth"' : basic;
  return { ...error.headers, "www-authenticate": scheme };
}

/** Responds to a request that does not reach Fastify. */
export function answerBeforeFastify(response: ServerResponse, error: ApiError): void {
  const body = errorBody(error);
  const headers = { ...JSON_HEADERS, "content-length": Buffer.byteLength(body), ...error.headers };
  response.writeHead(error.status, headers).end(body);
}

/** Names of fields with secrets. `code` authorizes the setup of a new server. */
const SECRET_FIELD = /passw|secret|token|key|code|credential/i;

/** The secrets in a request, as sent: the message of an error can quote them. */
function secretsOf(request: IncomingMessage, fields: readonly Fields[]): string[] {
  const { authorization = "", cookie = "" } = request.headers;
  const credentials = authorization.replace(/^\w+ +/, "");
  const plain = /^basic /i.test(authorization) ? Buffer.from(credentials, "base64").toString("utf8") : "";
  const cookies = cookie.split(";").map((one) => one.slice(one.indexOf("=") + 1).trim());
  const sent = fields.flatMap((some) => [...some].flatMap(([name, value]) => (SECRET_FIELD.test(name) ? [value] : [])));
  return [credentials, plain.slice(plain.indexOf(":") + 1), ...cookies, ...sent].filter((secret) => secret !== "");
}

function checkResponse({ route }: RequestCall, result: unknown): void {
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
