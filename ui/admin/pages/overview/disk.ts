import type { ServerState } from "../../../api/server-state.ts";

/** Less is little. */
export const LOW_BYTES = 1_000_000_000;

export const isDiskLow = ({ disk_free_bytes, accepts_writes }: ServerState["storage"]): boolean =>
  !accepts_writes || disk_free_bytes < LOW_BYTES;
