import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const LOOK_MS = 300;
/** A thread that is busy for a smaller part of its time serves nobody who would notice. */
const IDLE = 0.05;

/**
 * Collects all garbage of the calling thread once it is idle, and gives back what room is left: a start leaves tens of
 * megabytes, which an idle server would keep forever, since V8 collects when memory is requested. It takes about 80 ms,
 * for which whoever sends would wait.
 */
export function collectGarbageWhenIdle(collect = collectGarbage): void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > IDLE) return;
    clearInterval(timer);
    collect();
  }, LOOK_MS).unref();
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as (kind: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;
  gc({ type: "major", execution: "sync", flavor: "last-resort" });
}
