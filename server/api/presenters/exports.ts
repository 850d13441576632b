import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { allExports, type Export, isAvailable, isPending, MAX_LISTED_EXPORTS } from "../queries/exports.ts";

const seconds = z.number().describe("UNIX seconds.");

/** An export in the public protocol: docs/protocol.md#exports. */
export const wireExport = z.object({
  id: z.int(),
  acting_user_id: z.int(),
  export_time: seconds,
  deleted_timestamp: seconds.nullable(),
  failed_timestamp: seconds.nullable(),
  export_url: z.string().nullable().describe("Relative to the server. Only for administrators."),
  pending: z.boolean(),
  export_type: z.int(),
});
export type WireExport = z.output<typeof wireExport>;

/** The URL of its file. */
export const exportUrl = ({ id }: Pick<Export, "id">): string => `/host/exports/${id}/file`;

const inSeconds = (time: number | null): number | null => (time === null ? null : time / 1000);

const exportOnWire = (one: Export): WireExport => ({
  id: one.id,
  acting_user_id: one.acting_user_id,
  export_time: one.requested_at / 1000,
  deleted_timestamp: inSeconds(one.deleted_at),
  failed_timestamp: inSeconds(one.failed_at),
  export_url: isAvailable(one) ? exportUrl(one) : null,
  pending: isPending(one),
  export_type: one.type,
});

/** Oldest first. */
export const exportsOnWire = (reader: Reader): WireExport[] =>
  allExports(reader, MAX_LISTED_EXPORTS).map(exportOnWire).reverse();
