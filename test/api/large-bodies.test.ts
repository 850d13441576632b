import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import fastify from "fastify";
import { z } from "zod";
import { addFieldParsers } from "../../server/http/body.ts";
import { jsonBounds, MAX_JSON_DEPTH, MAX_JSON_VALUES } from "../../server/http/json-bounds.ts";
import { integer, json, listOf, MAX_ITEMS, ParamReader } from "../../server/http/params.ts";

test("parses one long body per turn", async () => {
  const api = fastify();
  addFieldParsers(api, 2 ** 20);
  let turn = 0;
  const count = () => {
    turn += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  api.post("/", async () => ({ turn }));
  await api.ready();
  const turnsOf = async (length: number) => {
    const payload = `text=${"x".repeat(length)}`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answers = await Promise.all(
      [1, 2, 3].map(() => api.inject({ method: "POST", url: "/", headers, payload }).then((answer) => answer.json())),
    );
    return new Set(answers.map((answer) => answer.turn)).size;
  };
  assert.equal(await turnsOf(100), 1, "short ones share a turn");
  assert.equal(await turnsOf(100_000), 3);
  clearImmediate(timer);
  await api.close();
});

test("rejects a list that is too long before parsing it", () => {
  const reader = new ParamReader({ ids: listOf(integer()), values: json(z.unknown()).optional() }, []);
  const read = (ids: string, values?: string) =>
    reader.read(new Map(Object.entries({ ids, ...(values && { values }) })), []);
  // Invalid JSON follows, but parsing does not get there.
  const long = `[${"10000,".repeat(MAX_ITEMS)}}}`;
  assert.throws(() => read(long), /ids is too long: at most 20000 items/);
  assert.throws(
    () => read("[1]", "[".repeat(200_000)),
    /values is too large: at most 50000 values, nested at most 100/,
  );
  assert.throws(() => read("[1]", `{"a":[${"1,".repeat(MAX_JSON_VALUES)}1]}`), /values is too large/);
  assert.equal((read(`[${new Array(MAX_ITEMS).fill(10_000).join()}]`)["ids"] as number[]).length, MAX_ITEMS);
});

test("commas inside strings do not count", () => {
  const texts = [
    ",".repeat(200_000),
    "[{".repeat(100_000),
    '\\"[,'.repeat(50_000),
    '"'.repeat(100_000),
    "\\".repeat(99_999),
  ];
  for (const text of texts) assert.equal(jsonBounds(JSON.stringify([text, { [text]: text }])), "fits");
  const deep = (depth: number) => `${"[".repeat(depth)}"${"x".repeat(100_000)}"${"]".repeat(depth)}`;
  assert.equal(jsonBounds(deep(MAX_JSON_DEPTH)), "fits");
  assert.equal(jsonBounds(deep(MAX_JSON_DEPTH + 1)), "too many values");
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 30 }), (list) => {
      const text = JSON.stringify([...list, "x".repeat(100_000)]);
      assert.equal(jsonBounds(text, list.length + 1), "fits");
      assert.equal(jsonBounds(text, list.length), "too many items");
    }),
  );
});

test("rejects a long JSON body without parsing it", async () => {
  const api = fastify();
  addFieldParsers(api, 2 ** 20);
  api.post("/", async () => ({}));
  const refused = async (payload: string) => {
    const answer = await api.inject({
      method: "POST",
      url: "/",
      headers: { "content-type": "application/json" },
      payload,
    });
    return answer.json().message;
  };
  assert.match(await refused("{"), /not valid JSON/);
  assert.match(await refused("[".repeat(200_000)), /as form fields, not as a JSON body/);
  await api.close();
});
