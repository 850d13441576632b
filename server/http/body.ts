import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, badRequest } from "../errors.ts";
import { requestSource } from "./caller.ts";
import type { Fields } from "./params.ts";
import { nextTurn } from "./turns.ts";

export const MAX_FIELDS = 1000;
/** How much of a body that is too large is read and thrown away, so that its sender can read the error. */
const MAX_DISCARDED = 16 * 1024 * 1024;

export const tooLarge = (limit: number) =>
  new ApiError(
    "BAD_REQUEST",
    `The request is too large: at most ${limit} bytes.`,
    {},
    { status: 413, headers: { connection: "close" } },
  );
const wrongType = (message: string) => new ApiError("BAD_REQUEST", message, {}, { status: 415 });
export const noFormFields = () =>
  wrongType("Send parameters as application/x-www-form-urlencoded or multipart/form-data.");
const notUtf8 = () => badRequest("The request's body is not UTF-8.");
export const malformedMultipart = () => badRequest("The request's multipart body is malformed.");
export const tooManyFields = () => badRequest(`The request has too many fields: at most ${MAX_FIELDS}.`);

/** The body's length as its sender says it, 0 where it does not. */
export const announcedLength = ({ headers }: IncomingMessage): number => Number(headers["content-length"] ?? 0);

/** @throws ApiError 413 where the announced length is above the limit. */
export function assertLength(request: IncomingMessage, limit: number): void {
  if (announcedLength(request) > limit) throw tooLarge(limit);
}

/**
 * Has every route of `api` read its body as form fields: `request.body` is their Map, undefined without a body.
 * `readFiles` reads a multipart body itself, or returns undefined where it is to be read like the others.
 */
export function addFieldParsers(
  api: FastifyInstance,
  limit: number,
  readFiles?: (request: FastifyRequest) => Promise<unknown> | undefined,
): void {
  api.removeAllContentTypeParsers();
  const add = (type: string | RegExp, read: ReadFields) => api.addContentTypeParser(type, parser(limit, read));
  add("application/x-www-form-urlencoded", urlencodedFields);
  const multipart = parser(limit, multipartFields);
  api.addContentTypeParser("multipart/form-data", (request, payload, done) => {
    assertPlain(request.headers);
    const form = readFiles?.(request);
    if (form) form.then((read) => done(null, read), done);
    else multipart.call(api, request, payload, done);
  });
  add("application/json", noFieldsInJson);
  add(/^[^;]+\+json(?:;|$)/, noFieldsInJson);
  add("*", () => {
    throw noFormFields();
  });
}

/** A body as it came, and its fields where it is a form. */
export interface RawBody {
  readonly bytes: Buffer;
  readonly form: Fields;
  /** It was too large, and thrown away: for a handler that keeps account of what it was sent. */
  readonly refusal?: ApiError;
}

/** Has every route of `api` read its body as it comes: `request.body` is a RawBody, undefined without a body. */
export function addRawParser(api: FastifyInstance, limitOf: (request: FastifyRequest) => number): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("*", (request, payload, done) => {
    const { headers } = request;
    readBody(payload as Readable, Number(headers["content-length"] ?? 0), limitOf(request), (error, bytes) => {
      if (error) return done(null, { bytes, form: new Map(), refusal: error } satisfies RawBody);
      rawBody(bytes, request).then((body) => done(null, body), done);
    });
  });
}

async function rawBody(bytes: Buffer, request: FastifyRequest): Promise<RawBody> {
  if (bytes.length <= LARGE) return { bytes, form: await formIn(bytes, request.headers) };
  await turnOf(request);
  const form = await formIn(bytes, request.headers);
  await turnOf(request); // to be understood
  return { bytes, form };
}

/** Bodies above these bytes are read one in a turn: several may have come in the same iteration of the event loop. */
const LARGE = 1 << 16;
const turnOf = ({ call, raw }: FastifyRequest): Promise<void> => nextTurn(call?.caller ?? requestSource(raw));

/** Senders label JSON as a form: what is no form has no fields. */
async function formIn(body: Buffer, headers: IncomingHttpHeaders): Promise<Fields> {
  const type = headers["content-type"] ?? "";
  assertPlain(headers);
  if (/^multipart\/form-data/i.test(type)) return multipartFields(body, headers);
  if (!/^application\/x-www-form-urlencoded/i.test(type) || /^\s*[[{]/.test(body.toString("latin1"))) return new Map();
  return urlencodedFields(body);
}

type ReadFields = (body: Buffer, headers: IncomingHttpHeaders) => Fields | Promise<Fields>;

type Done = (error: Error | null, body?: unknown) => void;

/** With a callback, since a promise on each request shows in what a send costs. */
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
    const { headers } = request;
    readBody(payload as Readable, Number(headers["content-length"] ?? 0), limit, (error, body) => {
      if (error) return done(error);
      if (body.length === 0) return done(null);
      if (body.length <= LARGE) parse(body, headers, done);
      else void turnOf(request).then(() => parse(body, headers, done));
    });
  };
}

/** Reads a whole body into memory, then calls back once; not at all when the caller goes away. */
function readBody(
  payload: Readable,
  announced: number,
  limit: number,
  done: (error: ApiError | undefined, body: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) discard();
    else chunks.push(chunk);
  };
  const onEnd = () => done(undefined, chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
  const discard = () => {
    chunks.length = 0;
    payload.off("data", onData).off("end", onEnd);
    void discardBody(payload, size).then(() => done(tooLarge(limit), EMPTY));
  };
  if (announced > limit) discard();
  else payload.on("data", onData).on("end", onEnd);
}

const EMPTY = Buffer.alloc(0);

/** Reads on after `size` bytes and throws away, so that the sender can read an error; not without end. */
export function discardBody(payload: Readable, size: number): Promise<void> {
  return new Promise((resolve) => {
    if (payload.readableEnded) return resolve();
    let discarded = size;
    payload.on("data", (chunk: Buffer) => {
      discarded += chunk.length;
      if (discarded > MAX_DISCARDED) resolve();
    });
    payload.on("end", resolve);
    payload.resume();
  });
}

function assertPlain({ "content-encoding": encoding }: IncomingHttpHeaders): void {
  if (encoding !== undefined && encoding !== "identity") throw wrongType("Compressed requests are not supported.");
}

function urlencodedFields(body: Buffer): Fields {
  if (!isUtf8(body)) throw notUtf8();
  return fieldsOf(body.toString("utf8"));
}

/**
 * The fields of `a=b&c=d`; a name sent again replaces the value. `+` is a space; a name without `=` has the empty value.
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

function decode(encoded: string, field: string | undefined): string {
  const spaced = encoded.includes("+") ? encoded.replaceAll("+", " ") : encoded;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw badRequest(
      field === undefined ? "A parameter's name is not UTF-8." : `${field} is not UTF-8 in percent-encoding.`,
    );
  }
}

/**
 * The fields of a multipart body that holds no file; multipart-files.ts takes files out of one. @fastify/multipart
 * limits each part and not the body, parses parts that call themselves JSON, and its hooks run for every request.
 */
export function multipartFields(body: Buffer, { "content-type": type = "" }: IncomingHttpHeaders): Promise<Fields> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    const malformed = () => reject(malformedMultipart());
    try {
      const form = new Busboy({
        headers: { "content-type": type },
        limits: {
          fields: MAX_FIELDS,
          parts: MAX_FIELDS,
          fieldSize: body.length,
          fieldNameSize: 1000,
          headerPairs: 20,
        },
      });
      // A part names its own character set, and one of UTF-16 can be half a surrogate pair.
      form.on("field", (name: string | undefined, value) => {
        if (!name?.isWellFormed() || !value.isWellFormed()) malformed();
        else fields.set(name, value);
      });
      form.on("file", (name: string | undefined, stream) => {
        stream.resume();
        reject(badRequest(`${name ?? "A part without a name"} is a file: this endpoint takes none.`));
      });
      form.on("fieldsLimit", () => reject(tooManyFields()));
      form.on("partsLimit", () => reject(tooManyFields()));
      form.on("error", malformed);
      form.on("finish", () => (isUtf8(body) ? resolve(fields) : reject(notUtf8())));
      form.end(body);
    } catch {
      malformed();
    }
  });
}

function noFieldsInJson(body: Buffer): never {
  try {
    if (body.length <= LARGE) JSON.parse(body.toString("utf8"));
  } catch {
    throw new ApiError("INVALID_JSON", "The request's body is not valid JSON.");
  }
  throw wrongType(
    "Parameters are sent as form fields (JSON text inside a field where one needs it), not as a JSON body.",
  );
}
