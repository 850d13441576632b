import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { jsonPieces } from "../../server/http/json-pieces.ts";

test("JSON pieces equal the output of JSON.stringify", () => {
  const leaf = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.date({ noInvalidDate: true }), fc.double());
  const value = fc.dictionary(fc.string(), fc.oneof(leaf, fc.array(leaf), fc.dictionary(fc.string(), fc.array(leaf))));
  fc.assert(fc.property(value, (given) => [...jsonPieces(given)].join("") === JSON.stringify(given)));
  const lists = { a: Array.from({ length: 200 }, (_, id) => ({ id, b: new Array(120).fill([id, undefined]) })), c: [] };
  assert.equal([...jsonPieces(lists)].join(""), JSON.stringify(lists));
});

test("pieces have a limited length", () => {
  const value = { users: Array.from({ length: 5000 }, (_, id) => ({ id, name: "x".repeat(200) })), text: "short" };
  const pieces = [...jsonPieces(value)].map(({ length }) => length);
  assert.ok(pieces.length >= 8 && Math.max(...pieces) < 140_000, pieces.join());
});
