import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOf, proseOfCode } from "./support/plain-english.ts";

test("names banned words and inverted openings", () => {
  const found = (text: string) => faultsOf(text).map((fault) => fault.found);
  assert.deepEqual(found("The key is told to whoever asks."), ["whoever", "is told"]);
  assert.deepEqual(found("Of the organization; -1: for ever."), ["Of the"]);
  assert.deepEqual(found("Read it. What is left stays."), ["What "]);
  assert.deepEqual(found("What is an owner? No one can leave."), []);
});

test("reads comments, test names and errors of code", () => {
  const code = [
    "/**",
    " * The first line,",
    " * and the second.",
    " */",
    'const name = "not prose"; // a reason',
    'test("rejects unknown commands", () => {',
    '  throw new Error("It broke.");',
  ].join("\n");
  assert.deepEqual(
    proseOfCode(code).map(({ text }) => text),
    ["The first line, and the second.", "a reason", "Rejects unknown commands", "It broke."],
  );
});
