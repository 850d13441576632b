import type { ServerState } from "../../../api/server-state.ts";

/** What concerns the machine; only the operator and owners get it. */
export type HostFigures = NonNullable<ServerState["host"]>;

/** With less free space than this, Health warns: time to make room. */
const LOW_BYTES = 2_000_000_000;
/** With less than this, a banner says so on every page. */
export const NEARLY_FULL_BYTES = 500_000_000;

const hasLessThan = (least: number, { accepts_writes, host }: ServerState): boolean =>
  !accepts_writes || (host !== null && host.storage.disk_free_bytes < least);

/** Who does not see how much is left learns of a full disk only. */
export const isDiskLow = (state: ServerState): boolean => hasLessThan(LOW_BYTES, state);
export const isDiskNearlyFull = (state: ServerState): boolean => hasLessThan(NEARLY_FULL_BYTES, state);
