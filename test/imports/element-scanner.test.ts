import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { ElementScanner } from "../../server/imports/element-scanner.ts";

/** The elements of a JSON text that arrives in pieces of some bytes. */
function elementsOf(json: string, path: readonly string[], size: number, maxBytes = 1e6): unknown[] | undefined {
  const scanner = new ElementScanner(path, maxBytes);
  const bytes = Buffer.from(json);
  const elements: unknown[] = [];
  for (let at = 0; at < bytes.length; at += size) elements.push(...scanner.write(bytes.subarray(at, at + size)));
  return scanner.isEnded ? elements : undefined;
}

/** Nested objects with a list at the path, between other fields. */
const nested = (path: readonly string[], list: unknown, before: object, after: object): unknown =>
  path.reduceRight<unknown>((inner, name) => {
    const others = (fields: object) => Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name));
    return { ...others(before), [name]: inner, ...others(after) };
  }, list);

test("finds what a parser finds, however the text is divided", () => {
  const key = fc.constantFrom("a", "b", 'q"\\', "[{,:", "ü");
  const other = fc.dictionary(key, fc.jsonValue());
  const space = fc.constantFrom(undefined, 1, "\t");
  const sizes = fc.integer({ min: 1, max: 30 });
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue()),
      fc.array(key, { maxLength: 3 }),
      other,
      other,
      space,
      sizes,
      (list, path, before, after, indent, size) => {
        const json = JSON.stringify(nested(path, list, before, after), null, indent);
        assert.deepEqual(elementsOf(json, path, size), JSON.parse(JSON.stringify(list)));
      },
    ),
    { numRuns: 1000 },
  );
});

test("ignores arrays at other paths", () => {
  for (const json of [
    '{"b": {"a": [1]}, "c": "a", "d": [["a"], {"a": [2]}]}',
    '[{"a": [1]}]',
    '{"a": {"a": [1]}}',
    '{"a": "x", "b": [1]}',
    "{}",
  ])
    assert.deepEqual(elementsOf(json, ["a"], 3), [], json);
  assert.deepEqual(elementsOf("\ufeff[1, 2] \n", [], 2), [1, 2]);
});

test("malformed texts and large elements are errors", () => {
  for (const json of [
    "[1,]",
    "[,1]",
    "[1,,2]",
    "[1 2]",
    "[{]",
    '["a]',
    "[nul]",
    "[1]]",
    "[1] x",
    '[{"a":1,}]',
    "",
    "text",
    '{"a": [1}',
    "[[1]",
  ])
    assert.throws(() => assert.ok(elementsOf(json, json.startsWith("{") ? ["a"] : [], 2)), json);
  assert.throws(() => elementsOf(`["${"x".repeat(100)}"]`, [], 7, 50), RangeError);
  assert.throws(() => elementsOf(`{"${"x".repeat(100)}": []}`, ["a"], 7, 50), RangeError);
});

test("a key named like a prototype is an ordinary key", () => {
  const [element] = elementsOf('[{"__proto__": {"x": 1}}]', [], 5) as [Record<string, unknown>];
  assert.ok(Object.hasOwn(element, "__proto__"));
  assert.equal(({} as Record<string, unknown>)["x"], undefined);
});
