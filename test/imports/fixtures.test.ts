import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { expectedFile, FIXTURES, linesOfFixture } from "./fixtures.ts";

for (const name of FIXTURES) {
  test(`reads ${name}`, async () => {
    const expected = readFileSync(expectedFile(name), "utf8").trimEnd().split("\n");
    assert.deepEqual(await linesOfFixture(name), expected);
  });
}
