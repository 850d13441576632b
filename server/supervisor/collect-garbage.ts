import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * One full collection of the calling thread's heap. A start leaves tens of megabytes of garbage in pages that an idle
 * server would keep for good, since V8 collects when memory is asked for.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
