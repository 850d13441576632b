import assert from "node:assert/strict";
import test from "node:test";
import { superfluous } from "../../server/host/backups/thinning.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 23);

/** The backups that remain with daily backups and immediate thinning, as days before the last. */
function keptAfter(days: number): number[] {
  let kept: { created_at: number; lacks: string }[] = [];
  const start = Date.UTC(2024, 0, 1, 12);
  for (let day = 0; day < days; day += 1) {
    kept.push({ created_at: start + day * DAY, lacks: "" });
    const gone = new Set(superfluous(kept, start + day * DAY));
    kept = kept.filter((backup) => !gone.has(backup));
  }
  return kept.map(({ created_at }) => days - 1 - (created_at - start) / DAY).sort((a, b) => a - b);
}

test("keeps 7 daily, 4 weekly and 12 monthly backups", () => {
  assert.deepEqual(keptAfter(7), [0, 1, 2, 3, 4, 5, 6]);
  const after = keptAfter(800);
  assert.deepEqual(after.slice(0, 7), [0, 1, 2, 3, 4, 5, 6]);
  assert.ok(after.length <= 7 + 4 + 12 && after.length >= 7 + 2 + 10, String(after));
  const months = new Set(
    after.map((ago) => new Date(Date.UTC(2024, 0, 1) + (799 - ago) * DAY).toISOString().slice(0, 7)),
  );
  assert.equal(months.size, 12);
  assert.ok((after.at(-1) as number) > 300);
  // The last day is Tuesday, 10 March. The Sundays before it are 2, 9 and 16 days ago; February ended 10 days ago.
  assert.deepEqual(
    after.filter((ago) => ago > 6 && ago < 20),
    [9, 10, 16],
  );
});

test("keeps the newest of a day and tolerates gaps", () => {
  const at = (...times: string[]) => times.map((time) => ({ created_at: Date.parse(time), lacks: "" }));
  const day = at("2026-11-22T01:00Z", "2026-11-22T09:00Z", "2026-11-22T23:00Z");
  assert.deepEqual(superfluous(day, NOW), [day[1], day[0]]);
  const rare = at("2020-01-01", "2021-06-01", "2023-01-01", "2026-11-22");
  assert.deepEqual(superfluous(rare, NOW), []);
  assert.deepEqual(superfluous([], NOW), []);
});

test("keeps the last good copy of damaged files", () => {
  // One file is damaged on day 10, another one on day 20.
  const lacks = (day: number) => (day < 10 ? "" : day < 20 ? "one" : "both");
  let kept: { created_at: number; lacks: string }[] = [];
  for (let day = 0; day < 900; day += 1) {
    kept.push({ created_at: day * DAY, lacks: lacks(day) });
    const gone = new Set(superfluous(kept, day * DAY));
    kept = kept.filter((backup) => !gone.has(backup));
  }
  const days = kept.map(({ created_at }) => created_at / DAY);
  assert.deepEqual(days.slice(0, 2), [9, 19]);
  assert.ok(days.length <= 7 + 4 + 12 + 2, String(days));
  const repaired = [...kept, { created_at: 900 * DAY, lacks: "" }];
  assert.deepEqual(superfluous(repaired, 900 * DAY).slice(-2), kept.slice(0, 2).reverse());
});
