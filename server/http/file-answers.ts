import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";

/**
 * A response with a file. It handles ranges, HEAD and conditions. The endpoint sets the headers for content type,
 * disposition and caching.
 */
export class FileAnswer {
  /** Bytes. */
  readonly size: number;
  /** Identifies the content. */
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes from `start` up to, but not including, `end`. A piece is valid until the second one after it is requested. */
  readonly read: (start: number, end: number) => AsyncIterable<Uint8Array>;

  constructor(answer: Pick<FileAnswer, "size" | "etag" | "headers" | "read">) {
    this.size = answer.size;
    this.etag = `"${answer.etag}"`;
    this.headers = answer.headers;
    this.read = answer.read;
  }
}

/** A generated file for one caller, which browsers save under `name` and do not cache. */
export function downloadAnswer(name: string, contentType: string, content: string | Buffer): FileAnswer {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return new FileAnswer({
    size: bytes.length,
    etag: createHash("sha256").update(bytes).digest("base64url"),
    headers: {
      "content-type": contentType,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
    async *read(start, end) {
      yield bytes.subarray(start, end);
    },
  });
}

/** Redirects the browser. */
export class Redirect {
  readonly location: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(location: string, headers: Readonly<Record<string, string>> = {}) {
    this.location = location;
    this.headers = headers;
  }
}

interface Part {
  readonly status: 200 | 206 | 304 | 416;
  readonly start: number;
  /** The position after its last byte. */
  readonly end: number;
}

/**
 * The part of a file that a request asks for (RFC 9110, sections 13 and 14). Several ranges get the whole file, which
 * the RFC permits: with a list of overlapping ranges, one request could make us send a file many times.
 */
export function partOf(headers: IncomingHttpHeaders, size: number, etag: string): Part {
  const whole: Part = { status: 200, start: 0, end: size };
  const known = headers["if-none-match"];
  if (known?.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag))
    return { status: 304, start: 0, end: 0 };
  const [, first = "", last = ""] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(headers.range ?? "") ?? [];
  if (first === "" && last === "") return whole;
  if (headers["if-range"] !== undefined && headers["if-range"] !== etag) return whole;
  // A number that is too long becomes Infinity, which is after the end of each file.
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (first !== "" && last !== "" && Number(last) < Number(first)) return whole;
  if (start >= size || start >= end) return { status: 416, start: 0, end: 0 };
  return { status: 206, start, end };
}

/** Sends the file, or the requested part, as fast as the client reads it. Closes the connection if a read fails. */
export async function sendFile(
  answer: FileAnswer,
  { method, headers }: { method?: string | undefined; headers: IncomingHttpHeaders },
  response: ServerResponse,
  own: Readonly<Record<string, string | number>>,
): Promise<void> {
  const { status, start, end } = partOf(headers, answer.size, answer.etag);
  const common = { ...own, ...answer.headers, etag: answer.etag, "accept-ranges": "bytes" };
  if (status === 304) return void response.writeHead(304, common).end();
  if (status === 416) {
    const range = { "content-range": `bytes */${answer.size}`, "content-length": 0 };
    return void response.writeHead(416, { ...common, ...range }).end();
  }
  const range = status === 206 ? { "content-range": `bytes ${start}-${end - 1}/${answer.size}` } : {};
  const length = { "content-length": end - start };
  if (method === "HEAD" || start === end) {
    return void response.writeHead(status, { ...common, ...range, ...length }).end();
  }
  // Before the first bytes, a read that fails can still become an error response.
  const pieces = answer.read(start, end)[Symbol.asyncIterator]();
  try {
    let piece = await pieces.next();
    response.writeHead(status, { ...common, ...range, ...length });
    // Sends a piece while it reads the next one.
    let taken: Promise<void> | undefined;
    for (; !piece.done; piece = await pieces.next()) {
      await taken;
      if (response.destroyed) return;
      taken = written(response, piece.value);
    }
    await taken;
    response.end();
  } catch (error) {
    if (response.headersSent) response.destroy();
    throw error;
  } finally {
    await pieces.return?.();
  }
}

/** Resolves when the system has taken the bytes, or the client has disconnected. */
function written(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("close", done);
      resolve();
    };
    response.on("close", done);
    response.write(bytes, done);
  });
}
