import type { ServerState } from "../../../api/server-state.ts";

/** Figures of the machine, for the operator and owners. */
export type HostFigures = NonNullable<ServerState["host"]>;

/** Health warns below this free space. */
const LOW_BYTES = 2_000_000_000;
/** A banner on every page warns below this. */
export const NEARLY_FULL_BYTES = 500_000_000;

const hasLessThan = (least: number, { accepts_writes, host }: ServerState): boolean =>
  !accepts_writes || (host !== null && host.storage.disk_free_bytes < least);

/** Viewers without access to the figures see only a full disk. */
export const isDiskLow = (state: ServerState): boolean => hasLessThan(LOW_BYTES, state);
export const isDiskNearlyFull = (state: ServerState): boolean => hasLessThan(NEARLY_FULL_BYTES, state);
