import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import test from "node:test";
import { collectGarbageWhenIdle } from "../../server/host/supervisor/collect-garbage.ts";

test("collects garbage once, when the thread is idle", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let utilization = 0.9;
  t.mock.method(performance, "eventLoopUtilization", () => ({ idle: 0, active: 0, utilization }));
  let collected = 0;
  collectGarbageWhenIdle(() => (collected += 1));
  for (let looks = 0; looks < 5; looks += 1) t.mock.timers.tick(300);
  assert.equal(collected, 0, "people send");
  utilization = 0.01;
  t.mock.timers.tick(300);
  t.mock.timers.tick(3000);
  assert.equal(collected, 1);
});
