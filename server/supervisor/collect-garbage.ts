import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects all garbage of the calling thread. A start leaves tens of megabytes of it, which an idle server would keep
 * forever, since V8 collects when memory is requested.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
