import type { ServerState } from "../../../api/server-state.ts";

/** With less free space than this, the page warns. */
export const MIN_FREE_BYTES = 1_000_000_000;

export const isDiskLow = ({ disk_free_bytes, accepts_writes }: ServerState["storage"]): boolean =>
  !accepts_writes || disk_free_bytes < MIN_FREE_BYTES;
