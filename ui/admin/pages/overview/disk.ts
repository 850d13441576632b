import type { HostState } from "../../../api/host-feed.ts";

/** Less is little. */
export const LOW_BYTES = 1_000_000_000;

export const isDiskLow = ({ disk_free_bytes, accepts_writes }: HostState["storage"]): boolean =>
  !accepts_writes || disk_free_bytes < LOW_BYTES;
