import { malformedMultipart } from "./body.ts";

/** What a body is made of, in order. Bytes are good until the call returns. */
export interface PartListener {
  /** A part begins: what its headers are, up to the empty line and with it. */
  head(bytes: Buffer): void;
  content(bytes: Buffer): void;
  /** The part that began last is whole. */
  end(): void;
}

/** A head has two or three short lines; a file's name may be long. */
const MAX_HEAD_BYTES = 16 << 10;
const LINE_END = Buffer.from("\r\n");
const EMPTY_LINE = Buffer.from("\r\n\r\n");
const RETURN = 0x0d;
const DASH = 0x2d;
const NOTHING = Buffer.alloc(0);

/**
 * Splits a multipart body (RFC 2046) into its parts while it comes. What a part's head means is for others to read.
 * Content is not copied and passes no stream: streams and their garbage took a third of a large upload's CPU.
 */
export class MultipartParts {
  readonly #listener: PartListener;
  readonly #delimiter: Buffer;
  #state: "preamble" | "delimited" | "head" | "content" | "over" = "preamble";
  /** What could be told only with what comes next. The first delimiter needs no line before it. */
  #held = LINE_END;
  /** The end of the empty line, which can be the beginning of a delimiter but is no content. */
  #skipped = 0;

  constructor(boundary: string, listener: PartListener) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
    this.#listener = listener;
  }

  /** @throws ApiError 400 for a head that is too long, and what the listener throws. */
  write(chunk: Buffer): void {
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    const heldFrom = this.#read(bytes);
    // Copied, since what is held would keep all of the chunk.
    this.#held = heldFrom < bytes.length ? Buffer.from(bytes.subarray(heldFrom)) : NOTHING;
  }

  /** @throws ApiError 400 where the last delimiter is missing. */
  end(): void {
    if (this.#state !== "over") throw malformedMultipart();
  }

  /** Gives from where on bytes are needed again. */
  #read(bytes: Buffer): number {
    let at = 0;
    for (;;) {
      if (this.#state === "over") return bytes.length; // an epilogue
      if (this.#state === "delimited") {
        if (bytes.length < at + 2) return at;
        this.#state = bytes[at] === DASH && bytes[at + 1] === DASH ? "over" : "head";
      } else if (this.#state === "head") {
        const end = bytes.indexOf(EMPTY_LINE, at);
        const until = end < 0 ? bytes.length : end;
        const delimiter = bytes.subarray(at, until).indexOf(this.#delimiter);
        if (delimiter >= 0) {
          // A part without an empty line is none.
          this.#state = "delimited";
          at += delimiter + this.#delimiter.length;
          continue;
        }
        if (until - at > MAX_HEAD_BYTES) throw malformedMultipart();
        if (end < 0) return at;
        this.#listener.head(bytes.subarray(at, end + EMPTY_LINE.length));
        this.#state = "content";
        this.#skipped = LINE_END.length;
        at = end + EMPTY_LINE.length - LINE_END.length;
      } else {
        const found = bytes.indexOf(this.#delimiter, at);
        const end = found < 0 ? this.#mayBegin(bytes, at) : found;
        if (this.#state === "content") this.#content(bytes, at, end);
        if (found < 0) return end;
        if (this.#state === "content") this.#listener.end();
        this.#state = "delimited";
        at = found + this.#delimiter.length;
      }
    }
  }

  #content(bytes: Buffer, from: number, end: number): void {
    if (end === from) return;
    const start = from + this.#skipped;
    this.#skipped = 0;
    if (start < end) this.#listener.content(bytes.subarray(start, end));
  }

  /** Where a delimiter may begin of which the rest is still to come. A boundary has no line ends. */
  #mayBegin(bytes: Buffer, from: number): number {
    const tail = Math.max(from, bytes.length - this.#delimiter.length + 1);
    const inTail = bytes.subarray(tail).lastIndexOf(RETURN);
    if (inTail < 0) return bytes.length;
    const start = tail + inTail;
    return bytes.compare(this.#delimiter, 0, bytes.length - start, start) === 0 ? start : bytes.length;
  }
}

/** The boundary that a content type names. @throws ApiError 400 where it names none. */
export function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"\\]{1,200})"|([^\s;"\\]{1,200}))\s*(?:;|$)/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformedMultipart();
  return boundary;
}
