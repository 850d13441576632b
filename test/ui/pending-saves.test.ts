import assert from "node:assert/strict";
import { test } from "node:test";
import { pendingMoves, shownFolder } from "../../ui/admin/pages/folders/moves.ts";
import {
  afterHeld,
  answered,
  asked,
  type PendingSaves,
  refused,
  shownValue,
} from "../../ui/parts/settings/pending-saves.ts";

/** The shown value after each step. The setting's first value is `held`. */
function shownAfter(held: string, steps: readonly ((before: PendingSaves<string>) => PendingSaves<string>)[]) {
  let pending: PendingSaves<string> = { held, saves: [] };
  return steps.map((step) => {
    pending = step(pending);
    return shownValue(pending, pending.held);
  });
}

const ask = (id: number, value: string) => (before: PendingSaves<string>) => asked(before, id, value);
const answer = (id: number) => (before: PendingSaves<string>) => answered(before, id);
const refuse = (id: number) => (before: PendingSaves<string>) => refused(before, id);
const event = (value: string) => (before: PendingSaves<string>) => afterHeld(before, value);

test("a saved value shows immediately, whatever the order of response and event", () => {
  assert.deepEqual(shownAfter("a", [ask(1, "b"), answer(1), event("b"), event("c")]), ["b", "b", "b", "c"]);
  assert.deepEqual(shownAfter("a", [ask(1, "b"), event("b"), answer(1), event("c")]), ["b", "b", "b", "c"]);
});

test("the first change's event does not revert a second change", () => {
  const steps = [ask(1, "b"), ask(2, "c"), answer(1), answer(2), event("b"), event("c"), event("b")];
  assert.deepEqual(shownAfter("a", steps), ["b", "c", "c", "c", "c", "c", "b"]);
});

test("undo before the event shows the previous value", () => {
  assert.deepEqual(shownAfter("a", [ask(1, "b"), answer(1), ask(2, "a"), answer(2), event("b"), event("a")]), [
    ...["b", "b", "a", "a", "a", "a"],
  ]);
});

test("a refusal shows the current value or the later change", () => {
  assert.deepEqual(shownAfter("a", [ask(1, "b"), refuse(1)]), ["b", "a"]);
  assert.deepEqual(shownAfter("a", [ask(1, "b"), ask(2, "c"), refuse(1), answer(2), event("c")]), [
    ...["b", "c", "c", "c", "c"],
  ]);
});

test("another user's value replaces a saved one", () => {
  assert.deepEqual(shownAfter("a", [ask(1, "b"), answer(1), event("d")]), ["b", "b", "d"]);
});

test("a change to the current value ends with its response", () => {
  assert.deepEqual(shownAfter("a", [ask(1, "a"), answer(1), event("b")]), ["a", "a", "b"]);
});

test("equal contents are the same value", () => {
  const pending = asked({ held: [1, 2], saves: [] }, 1, [2, 1]);
  assert.deepEqual(shownValue(afterHeld(pending, [1, 2]), [1, 2]), [2, 1]);
  assert.deepEqual(afterHeld(pending, [2, 1]).saves, []);
});

test("channels stay in place until their event arrives", () => {
  const moves = new Map([[7, asked<number | null>({ held: null, saves: [] }, 1, 3)]]);
  const before = [{ stream_id: 7, folder_id: null }];
  assert.equal(pendingMoves(moves, before), moves);
  assert.equal(shownFolder({ stream_id: 7, folder_id: null }, moves), 3);
  assert.equal(pendingMoves(moves, [{ stream_id: 7, folder_id: 3 }]).size, 0);
  assert.equal(pendingMoves(moves, []).size, 0);
});
