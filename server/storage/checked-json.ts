import { createHash } from "node:crypto";

/**
 * Small files with keys or paths: JSON in one line, and its SHA-256 in the next. Without a checksum a flipped bit would
 * be another key or another path, and would be used.
 */
export function encodeChecked(value: object): Buffer {
  const json = JSON.stringify(value);
  return Buffer.from(`${json}\n${createHash("sha256").update(json).digest("hex")}\n`);
}

/** Undefined for anything that `encodeChecked` did not write. */
export function decodeChecked(bytes: Buffer): unknown {
  const json = bytes.subarray(0, Math.max(0, bytes.indexOf("\n"))).toString();
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  return typeof value === "object" && value !== null && encodeChecked(value).equals(bytes) ? value : undefined;
}
