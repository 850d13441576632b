import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ApiError, problem } from "../errors.ts";
import { errorBody } from "./envelope.ts";

/** Responds to bytes that Node's parser rejects, with an envelope. */
export function answerUnparsed(error: Error & { code?: string }, socket: Duplex) {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  if (error.code === "HPE_HEADER_OVERFLOW") return endWith(socket, unparsed(431, "headers_too_large"));
  if (error.code === "HPE_CHUNK_EXTENSIONS_OVERFLOW")
    return endWith(socket, unparsed(413, "chunk_extensions_too_large"));
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return endWith(socket, unparsed(408, "request_timeout"));
  endWith(socket, unparsed(400, "not_http"));
}

const unparsed = (
  status: number,
  reason: "headers_too_large" | "chunk_extensions_too_large" | "request_timeout" | "not_http",
) => new ApiError("BAD_REQUEST", problem(reason), {}, { status });

// See test/support/import-rules.ts for the reason that this is not an import.
const { STATUS_CODES } = process.getBuiltinModule("node:http");

export function endWith(socket: Duplex, error: ApiError) {
  const body = errorBody(error);
  // Drops further bytes for a while: a connection that is closed with unread bytes loses the response.
  let discarded = 0;
  socket.removeAllListeners("data");
  socket.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > 1024 * 1024) socket.destroy();
  });
  if (socket instanceof Socket) socket.setTimeout(2000, () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
