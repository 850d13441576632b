import assert from "node:assert/strict";
import test from "node:test";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { RecentEvents } from "../../server/events/recent.ts";
import type { Published, Store } from "../../server/storage/store.ts";
import { UserSet } from "../../server/storage/user-set.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const KEPT = 10;
const PUSHED = 500;

const published = (id: number): Published => ({
  id,
  event: { type: "heartbeat" },
  users: UserSet.of([1]),
  perUserOverrides: undefined,
  alsoAllPublic: false,
  origin: undefined,
});

test("events beyond the limit are released", async () => {
  const limits = { recentEvents: KEPT, recentBytes: 1 << 30 };
  const recent = new RecentEvents({ lastEventId: 0 } as Store, limits, { keyOf: () => "", tokenOf: () => "" });
  const pushed = Array.from({ length: PUSHED }, (_, index) => {
    const one = published(index + 1);
    recent.push([one]);
    return new WeakRef(one);
  });
  await setImmediate(); // a WeakRef holds its target until the end of the turn
  collectGarbage();
  assert.equal(pushed.filter((one) => one.deref()).length, KEPT);
  assert.deepEqual(
    [...recent.next(PUSHED - 2).events].map(({ id }) => id),
    [PUSHED - 1, PUSHED],
  );
});
