import { readdirSync, readFileSync } from "node:fs";

/** More than one desktop needs. */
const MAX_CONNECTIONS = 5000;
/** A checkpoint's thread takes ten, the log's next segment three; the rest is for pages and uploads that are read. */
const RESERVED_FILES = 20;
const MIN_CONNECTIONS = 4;

/**
 * How many connections the system's limit of open files permits, so that storage always finds a file descriptor:
 * called when everything else is open.
 */
export function maxConnections(proc = "/proc/self"): number {
  let [limit, open] = [Number.NaN, 0];
  try {
    // "unlimited" is no number.
    limit = Number(/^Max open files\s+(\S+)/m.exec(readFileSync(`${proc}/limits`, "utf8"))?.[1]);
    open = readdirSync(`${proc}/fd`).length;
  } catch {
    // No Linux: the usual limits are far above MAX_CONNECTIONS.
  }
  if (Number.isNaN(limit)) return MAX_CONNECTIONS;
  return Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, limit - open - RESERVED_FILES));
}
