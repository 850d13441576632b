import type { IncomingMessage } from "node:http";
import { ApiError, type ParamsFor, problem, type Reason } from "../errors.ts";
import { RecordTooLarge, StorageBusy, StorageClosed, StorageFailed, StorageFull } from "../storage/errors.ts";
import { jsonPieces } from "./json-pieces.ts";

/** The envelope of each response: docs/protocol.md#envelope. */
export function successBody(fields: object | undefined, ignored: readonly string[] | undefined): string {
  const all = ignored ? { ...fields, ignored_parameters_unsupported: ignored } : fields;
  const json = all === undefined ? "{}" : JSON.stringify(all);
  return json === "{}" ? EMPTY_SUCCESS : `{"result":"success","msg":"",${json.slice(1)}`;
}

/** The same, in pieces: json-pieces.ts. */
export function* successPieces(fields: object, ignored: readonly string[] | undefined): Generator<string, void> {
  const envelope = { result: "success", msg: "", ...fields };
  yield* jsonPieces(ignored ? { ...envelope, ignored_parameters_unsupported: ignored } : envelope);
}

const EMPTY_SUCCESS = '{"result":"success","msg":""}';

/** Adds the ignored names to an encoded success. */
export function withIgnored(body: string | Uint8Array, ignored: readonly string[]): string | Uint8Array {
  const tail = `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}}`;
  return typeof body === "string" ? body.slice(0, -1) + tail : Buffer.concat([body.subarray(0, -1), Buffer.from(tail)]);
}

/** A 500 and a 405 have no code, since their status is enough. */
export const NO_CODE = "";

/**
 * Strict clients of the public protocol refuse unknown fields, so only a request with this header gets the reason, and
 * the parameter's name in a BAD_REQUEST.
 */
const REASON_HEADER = "hearth-error-reason";

export function errorBody(error: ApiError, request?: IncomingMessage): string {
  const code = error.code === NO_CODE ? {} : { code: error.code };
  const { var_name: _, ...others } = error.data;
  const fields = error.code === "BAD_REQUEST" ? others : error.data;
  const wantsReason = request?.headers[REASON_HEADER] !== undefined;
  const all = wantsReason ? { ...error.data, ...error.problem } : fields;
  return JSON.stringify({ result: "error", msg: error.message, ...code, ...all });
}

export const unavailable = <R extends Reason>(reason: R, ...params: ParamsFor<R>) =>
  new ApiError("SERVER_NOT_READY", problem(reason, ...params), {}, { status: 503, headers: { "retry-after": "1" } });

/**
 * The response to anything thrown. Except for failures of storage, everything that is not an ApiError is our bug, and
 * the caller learns nothing about it.
 */
export function toApiError(error: unknown): { answer: ApiError; unexpected: boolean } {
  if (error instanceof ApiError) return { answer: error, unexpected: false };
  if (error instanceof StorageFull) {
    const answer = new ApiError("STORAGE_FULL", problem("server_disk_full"), {}, { status: 507 });
    return { answer, unexpected: false };
  }
  if (error instanceof StorageFailed) {
    return { answer: unavailable("storage_failed"), unexpected: false };
  }
  if (error instanceof StorageBusy) {
    return { answer: unavailable("storage_busy"), unexpected: false };
  }
  if (error instanceof StorageClosed) return { answer: unavailable("server_stopping"), unexpected: false };
  if (error instanceof RecordTooLarge) {
    return { answer: new ApiError("BAD_REQUEST", error.problem, {}, { status: 413 }), unexpected: false };
  }
  return {
    answer: new ApiError(NO_CODE, problem("internal_error"), {}, { status: 500 }),
    unexpected: true,
  };
}
