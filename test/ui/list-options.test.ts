import assert from "node:assert/strict";
import test from "node:test";
import { changedOptions } from "../../ui/admin/pages/profile-fields/list-options.ts";

const BOATS = [
  { key: "0", text: "Eight" },
  { key: "1", text: "Four" },
  { key: "2", text: "Single" },
];
const keys = (...lines: string[]) =>
  changedOptions(BOATS, lines.join("\n")).options.map(({ key, text }) => `${key} ${text}`);
const removed = (...lines: string[]) => changedOptions(BOATS, lines.join("\n")).removed.map(({ text }) => text);

test("renaming an option in place keeps its key", () => {
  assert.deepEqual(keys("Eight", "Coxed four", "Single"), ["0 Eight", "1 Coxed four", "2 Single"]);
  assert.deepEqual(keys("Eight+", "Four+", "Single"), ["0 Eight+", "1 Four+", "2 Single"]);
  assert.deepEqual(keys("Single", "Four", "Eight"), ["2 Single", "1 Four", "0 Eight"]);
  assert.deepEqual(changedOptions(BOATS, "Eight\nFour\nSkiff").renamed, [{ key: "2", from: "Single", to: "Skiff" }]);
});

test("a removed option is reported and its key is not reused", () => {
  assert.deepEqual(keys("Four", "Single", "Pair"), ["1 Four", "2 Single", "3 Pair"]);
  assert.deepEqual(removed("Four", "Single", "Pair"), ["Eight"]);
  assert.deepEqual(keys("Pair", "Double", "Four", "Single"), ["3 Pair", "4 Double", "1 Four", "2 Single"]);
  assert.deepEqual(removed("Pair", "Double", "Four", "Single"), ["Eight"]);
});
