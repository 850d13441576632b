import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { Busboy } from "@fastify/busboy";
import { ApiError, badRequest } from "../errors.ts";

const MOST_FIELDS = 1000;
/** How much of a body that is too large is read and thrown away, so that its sender can read the refusal. */
const MOST_DISCARDED = 16 * 1024 * 1024;

const tooLarge = (limit: number) =>
  new ApiError(
    "BAD_REQUEST",
    `The request is too large: at most ${limit} bytes.`,
    {},
    { status: 413, headers: { connection: "close" } },
  );
const wrongType = (message: string) => new ApiError("BAD_REQUEST", message, {}, { status: 415 });
const notUtf8 = () => badRequest("The request's body is not UTF-8.");
const tooManyFields = () => badRequest(`The request has too many fields: at most ${MOST_FIELDS}.`);

export function hasBody(request: IncomingMessage): boolean {
  const { headers } = request;
  const length = headers["content-length"];
  return (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined;
}

/** @throws ApiError 413 where the announced length is above the limit. */
export function refuseOversize(request: IncomingMessage, limit: number): void {
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
}

/**
 * Reads a whole body into memory, then calls back once: with the bytes, with an ApiError (413), or, when the caller
 * went away, not at all. A callback, since a promise on each request shows in what a send costs.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (error: ApiError | undefined, body: Buffer) => void,
) {
  let first: Buffer | undefined;
  let chunks: Buffer[] | undefined;
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) return discard();
    if (!first) first = chunk;
    else if (chunks) chunks.push(chunk);
    else chunks = [first, chunk];
  };
  const onEnd = () => done(undefined, chunks ? Buffer.concat(chunks, size) : (first ?? EMPTY));
  const discard = () => {
    first = chunks = undefined;
    request.off("data", onData).off("end", onEnd);
    let told = false;
    const tell = () => {
      if (told) return;
      told = true;
      done(tooLarge(limit), EMPTY);
    };
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_DISCARDED) tell();
    });
    request.on("end", tell);
  };
  if (Number(request.headers["content-length"] ?? 0) > limit) return discard();
  request.on("data", onData);
  request.on("end", onEnd);
}

const EMPTY = Buffer.alloc(0);

/**
 * Adds the fields of a body to those of the query; a name sent again replaces the value.
 * @throws ApiError 400 for a malformed body, 415 for a type that carries no fields.
 */
export function addBodyFields(
  fields: Map<string, string>,
  body: Buffer,
  request: IncomingMessage,
  done: (error: ApiError | undefined) => void,
) {
  if (body.length === 0) return done(undefined);
  const { "content-type": contentType = "", "content-encoding": encoding } = request.headers;
  if (encoding !== undefined && encoding !== "identity")
    return done(wrongType("Compressed requests are not supported."));
  const semicolon = contentType.indexOf(";");
  const type = (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") {
    let error: ApiError | undefined;
    try {
      if (!isUtf8(body)) throw notUtf8();
      addUrlencoded(fields, body.toString("utf8"));
    } catch (caught) {
      if (!(caught instanceof ApiError)) throw caught;
      error = caught;
    }
    return done(error);
  }
  if (type === "multipart/form-data") return addMultipart(fields, body, contentType, done);
  if (type === "application/json" || type.endsWith("+json")) {
    try {
      JSON.parse(body.toString("utf8"));
    } catch {
      return done(new ApiError("INVALID_JSON", "The request's body is not valid JSON."));
    }
    return done(
      wrongType(
        "Parameters are sent as form fields (JSON text inside a field where one needs it), not as a JSON body.",
      ),
    );
  }
  done(wrongType("Send parameters as application/x-www-form-urlencoded or multipart/form-data."));
}

/**
 * Adds the fields of `a=b&c=d`. `+` is a space; a name without `=` has the empty value.
 * @throws ApiError 400 for escapes that are not UTF-8, and for too many fields.
 */
export function addUrlencoded(fields: Map<string, string>, encoded: string): void {
  let start = 0;
  let count = 0;
  while (start < encoded.length) {
    let end = encoded.indexOf("&", start);
    if (end < 0) end = encoded.length;
    if (end > start) {
      if (++count > MOST_FIELDS) throw tooManyFields();
      let equals = encoded.indexOf("=", start);
      if (equals < 0 || equals > end) equals = end;
      const name = decode(encoded.slice(start, equals), undefined);
      fields.set(name, equals === end ? "" : decode(encoded.slice(equals + 1, end), name));
    }
    start = end + 1;
  }
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

function addMultipart(
  fields: Map<string, string>,
  body: Buffer,
  contentType: string,
  done: (error: ApiError | undefined) => void,
) {
  let told = false;
  const tell = (error?: ApiError) => {
    if (told) return;
    told = true;
    done(error);
  };
  const malformed = () => tell(badRequest("The request's multipart body is malformed."));
  try {
    const form = new Busboy({
      headers: { "content-type": contentType },
      limits: { fields: MOST_FIELDS, parts: MOST_FIELDS, fieldSize: body.length, fieldNameSize: 1000, headerPairs: 20 },
    });
    // A part names its own character set, and one of UTF-16 can be half a surrogate pair.
    form.on("field", (name: string | undefined, value) => {
      if (!name?.isWellFormed() || !value.isWellFormed()) malformed();
      else fields.set(name, value);
    });
    form.on("file", (name: string | undefined, stream) => {
      stream.resume();
      tell(badRequest(`${name ?? "A part without a name"} is a file: this endpoint takes none.`));
    });
    form.on("fieldsLimit", () => tell(tooManyFields()));
    form.on("partsLimit", () => tell(tooManyFields()));
    form.on("error", malformed);
    form.on("finish", () => tell(isUtf8(body) ? undefined : notUtf8()));
    form.end(body);
  } catch {
    malformed();
  }
}
