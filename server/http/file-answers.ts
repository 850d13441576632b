import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";

/**
 * An answer that is a file. Ranges, HEAD and conditions are handled here; the content type, how it is to be shown and
 * who may keep it are the endpoint's to say.
 */
export class FileAnswer {
  /** Bytes. */
  readonly size: number;
  /** Names the content: another content has another. */
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes from `start` up to and without `end`; a piece is good until the second one after it is asked for. */
  readonly read: (start: number, end: number) => AsyncIterable<Uint8Array>;

  constructor(answer: Pick<FileAnswer, "size" | "etag" | "headers" | "read">) {
    this.size = answer.size;
    this.etag = `"${answer.etag}"`;
    this.headers = answer.headers;
    this.read = answer.read;
  }
}

/** A file that is made for one caller, to be saved under `name`; nobody caches it. */
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

/** Sends the browser elsewhere. */
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
  /** The first byte behind it. */
  readonly end: number;
}

/**
 * Which part of a file a request asks for (RFC 9110, sections 13 and 14). Several ranges are answered with the whole
 * file, as a server may: a list of overlapping ranges would make one request send a file many times.
 */
export function partOf(headers: IncomingHttpHeaders, size: number, etag: string): Part {
  const whole: Part = { status: 200, start: 0, end: size };
  const known = headers["if-none-match"];
  if (known?.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag))
    return { status: 304, start: 0, end: 0 };
  const [, first = "", last = ""] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(headers.range ?? "") ?? [];
  if (first === "" && last === "") return whole;
  if (headers["if-range"] !== undefined && headers["if-range"] !== etag) return whole;
  // Digits without end become Infinity, which is behind every file.
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (first !== "" && last !== "" && Number(last) < Number(first)) return whole;
  if (start >= size || start >= end) return { status: 416, start: 0, end: 0 };
  return { status: 206, start, end };
}

/** Sends the file, or the part that was asked for, as fast as the caller takes it. Cuts the connection where a read fails. */
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
  // A file that cannot be read is an error that can still be told before the first bytes.
  const pieces = answer.read(start, end)[Symbol.asyncIterator]();
  try {
    let piece = await pieces.next();
    response.writeHead(status, { ...common, ...range, ...length });
    // One piece is on its way while the next is read.
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

/** Resolves when the system has taken the bytes, or the caller has gone. */
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
