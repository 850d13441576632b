import type { IncomingMessage } from "node:http";
import { ApiError, badRequest, problem } from "../errors.ts";

export const MAX_FIELDS = 1000;
/** Bytes of a body above its limit that are read and dropped, so that its sender can read the error. */
const MAX_DISCARDED = 16 * 1024 * 1024;

export const tooLarge = (limit: number) =>
  new ApiError(
    "BAD_REQUEST",
    problem("request_too_large", { count: limit }),
    {},
    { status: 413, headers: { connection: "close" } },
  );
export const tooManyFields = () => badRequest("too_many_fields", { count: MAX_FIELDS });
export const notUtf8 = () => badRequest("body_not_utf8");

/** The Content-Length, or 0 without one. */
export const announcedLength = ({ headers }: IncomingMessage): number => Number(headers["content-length"] ?? 0);

/** @throws ApiError 413 if the Content-Length is above the limit. */
export function assertLength(request: IncomingMessage, limit: number): void {
  if (announcedLength(request) > limit) throw tooLarge(limit);
}

/** Reads a whole body into memory, then calls back once. It never calls back if the client disconnects. */
export function readBody(
  request: IncomingMessage,
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
    request.off("data", onData).off("end", onEnd);
    void discardBody(request, size).then(() => done(tooLarge(limit), Buffer.alloc(0)));
  };
  if (announcedLength(request) > limit) discard();
  else request.on("data", onData).on("end", onEnd);
}

/** Drops the rest of a body, up to a limit. `size`: bytes that have been read. */
export function discardBody(request: IncomingMessage, size: number): Promise<void> {
  return new Promise((resolve) => {
    if (request.readableEnded) return resolve();
    let discarded = size;
    request.on("data", (chunk: Buffer) => {
      discarded += chunk.length;
      if (discarded > MAX_DISCARDED) resolve();
    });
    request.on("end", resolve);
    request.resume();
  });
}
