import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, badRequest, problem } from "../errors.ts";
import { MAX_FIELDS, notUtf8, readBody, tooManyFields } from "./body-limits.ts";
import { requestSource } from "./caller.ts";
import { multipartFields } from "./multipart.ts";
import type { Fields } from "./params.ts";
import { nextTurn } from "./turns.ts";

/** Larger bodies, in bytes, are parsed in turns: several can arrive in the same iteration of the event loop. */
const LARGE = 1 << 16;

const wrongType = (reason: "unsupported_content_type" | "compression_not_supported" | "json_body_not_accepted") =>
  new ApiError("BAD_REQUEST", problem(reason), {}, { status: 415 });
export const noFormFields = () => wrongType("unsupported_content_type");

/** A body as it arrived, and its fields if it is a form. */
export interface RawBody {
  readonly bytes: Buffer;
  readonly form: Fields;
  /** The body was too large and has been dropped. The handler throws this error after it has recorded the request. */
  readonly refusal?: ApiError;
}

type ReadFields = (body: Buffer, headers: IncomingHttpHeaders) => Fields | Promise<Fields>;
type Done = (error: Error | null, body?: unknown) => void;

/**
 * The routes of `api` read their bodies as form fields: `request.body` is a Map, or undefined without a body.
 * `readFiles` reads a multipart body with files. It returns undefined if the endpoint takes no files.
 */
export function addFieldParsers(
  api: FastifyInstance,
  limit: number,
  readFiles?: (request: FastifyRequest) => Promise<unknown> | undefined,
): void {
  api.removeAllContentTypeParsers();
  const add = (type: string | RegExp, read: ReadFields) => api.addContentTypeParser(type, parser(limit, read));
  add("application/x-www-form-urlencoded", urlencodedFields);
  const readMultipart = parser(limit, (body, headers) => multipartFields(body, headers["content-type"]));
  api.addContentTypeParser("multipart/form-data", (request, payload, done) => {
    if (ignoresBody(request)) return readMultipart(request, payload, done);
    assertPlain(request.headers);
    const form = readFiles?.(request);
    if (form) form.then((read) => done(null, read), done);
    else readMultipart(request, payload, done);
  });
  add("application/json", refuseJson);
  add(/^[^;]+\+json(?:;|$)/, refuseJson);
  add("*", () => {
    throw noFormFields();
  });
}

/** As in the public protocol, the parameters of a GET are in its query only. Its body is read and dropped. */
const ignoresBody = ({ method }: FastifyRequest): boolean => method === "GET" || method === "HEAD";

/** The routes of `api` read their bodies as bytes: `request.body` is a RawBody, or undefined without a body. */
export function addRawParser(api: FastifyInstance, limitOf: (request: FastifyRequest) => number): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("*", (request, payload, done) => {
    readBody(payload, limitOf(request), (error, bytes) => {
      if (error) return done(null, { bytes, form: new Map(), refusal: error } satisfies RawBody);
      rawBody(bytes, request).then((body) => done(null, body), done);
    });
  });
}

async function rawBody(bytes: Buffer, request: FastifyRequest): Promise<RawBody> {
  if (bytes.length <= LARGE) return { bytes, form: await formIn(bytes, request.headers) };
  await turnOf(request);
  const form = await formIn(bytes, request.headers);
  await turnOf(request); // for the handler
  return { bytes, form };
}

const turnOf = ({ call, raw }: FastifyRequest): Promise<void> => nextTurn(call?.caller ?? requestSource(raw));

/** Some services label JSON as a form. It has no fields. */
async function formIn(body: Buffer, headers: IncomingHttpHeaders): Promise<Fields> {
  const type = headers["content-type"] ?? "";
  assertPlain(headers);
  if (/^multipart\/form-data/i.test(type)) return multipartFields(body, type);
  if (!/^application\/x-www-form-urlencoded/i.test(type) || /^\s*[[{]/.test(body.toString("latin1"))) return new Map();
  return urlencodedFields(body);
}

/** With callbacks: a promise for each request measurably slows down sends. */
function parser(limit: number, read: ReadFields) {
  const parse = (body: Buffer, headers: IncomingHttpHeaders, done: Done) => {
    let fields: Fields | Promise<Fields>;
    try {
      assertPlain(headers);
      fields = read(body, headers);
    } catch (error) {
      return done(error as Error);
    }
    if (fields instanceof Promise) fields.then((read) => done(null, read), done);
    else done(null, fields);
  };
  return (request: FastifyRequest, payload: IncomingMessage, done: Done) => {
    readBody(payload, limit, (error, body) => {
      if (error) return done(error);
      if (body.length === 0 || ignoresBody(request)) return done(null);
      if (body.length <= LARGE) parse(body, request.headers, done);
      else void turnOf(request).then(() => parse(body, request.headers, done));
    });
  };
}

function assertPlain({ "content-encoding": encoding }: IncomingHttpHeaders): void {
  if (encoding !== undefined && encoding !== "identity") throw wrongType("compression_not_supported");
}

function urlencodedFields(body: Buffer): Fields {
  if (!isUtf8(body)) throw notUtf8();
  return fieldsOf(body.toString("utf8"));
}

/**
 * The fields of `a=b&c=d`. The last value of a repeated name wins. `+` is a space, and a name without `=` has an empty
 * value.
 * @throws ApiError 400 for escapes that are not UTF-8, and for too many fields.
 */
export function fieldsOf(encoded: string): Map<string, string> {
  const fields = new Map<string, string>();
  let start = 0;
  let count = 0;
  while (start < encoded.length) {
    let end = encoded.indexOf("&", start);
    if (end < 0) end = encoded.length;
    if (end > start) {
      if (++count > MAX_FIELDS) throw tooManyFields();
      let equals = encoded.indexOf("=", start);
      if (equals < 0 || equals > end) equals = end;
      const name = decode(encoded.slice(start, equals), undefined);
      fields.set(name, equals === end ? "" : decode(encoded.slice(equals + 1, end), name));
    }
    start = end + 1;
  }
  return fields;
}

/** The fields of a URL's query. */
export function fieldsOfQuery(url: string): Map<string, string> | undefined {
  const question = url.indexOf("?");
  return question < 0 ? undefined : fieldsOf(url.slice(question + 1));
}

function decode(encoded: string, field: string | undefined): string {
  const spaced = encoded.includes("+") ? encoded.replaceAll("+", " ") : encoded;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw field === undefined ? badRequest("parameter_name_not_utf8") : badRequest("not_utf8", { parameter: field });
  }
}

function refuseJson(body: Buffer): never {
  try {
    if (body.length <= LARGE) JSON.parse(body.toString("utf8"));
  } catch {
    throw new ApiError("INVALID_JSON", problem("body_not_json"));
  }
  throw wrongType("json_body_not_accepted");
}
