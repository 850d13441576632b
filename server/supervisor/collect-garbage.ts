import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects all garbage of the calling thread, and gives back what room is left: a start leaves tens of megabytes, which
 * an idle server would keep forever, since V8 collects when memory is requested. Takes about 80 ms.
 */
export function collectGarbage(): void {
  exposed()({ type: "major", execution: "sync", flavor: "last-resort" });
}

/**
 * Collects what was garbage soon after it was made: in less than a millisecond, since that is little to look through. A
 * socket's chunks are such garbage, but V8 counts their bytes as if they were to stay, and otherwise looks through the
 * whole heap for every 30 MB that come.
 */
export function collectYoungGarbage(): void {
  exposed()({ type: "minor" });
}

type Kind = { type: "minor" } | { type: "major"; execution: "sync"; flavor: "last-resort" };

let gc: ((kind: Kind) => void) | undefined;

function exposed(): NonNullable<typeof gc> {
  if (gc) return gc;
  setFlagsFromString("--expose-gc");
  gc = runInNewContext("gc") as NonNullable<typeof gc>;
  return gc;
}
