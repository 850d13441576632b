import type { ServerState } from "../../../api/server-state.ts";

/** What concerns the machine; only the operator and owners get it. */
export type HostFigures = NonNullable<ServerState["host"]>;

/** With less free space than this, the page warns. */
export const MIN_FREE_BYTES = 1_000_000_000;

/** Who does not see how much is left learns of a full disk only. */
export const isDiskLow = ({ accepts_writes, host }: ServerState): boolean =>
  !accepts_writes || (host !== null && host.storage.disk_free_bytes < MIN_FREE_BYTES);
