import assert from "node:assert/strict";
import test from "node:test";
import { messageOf, outcome } from "./requests.ts";

const build = { build: { number: 7, ok: false, steps: [{ name: "**lint**" }, { name: "a\nb" }], none: null } };
const templated = (template: string, topic_template = "Build {{build.number}}") =>
  messageOf("json", build, { query: { template, topic_template } });

test("JSON is shown indented, in its own order", () => {
  assert.deepEqual(messageOf("json", '{"b":1,"a":[]}'), {
    topic: "JSON",
    content: '```json\n{\n  "b": 1,\n  "a": []\n}\n```',
  });
});

test("long JSON is cut inside its block", () => {
  const { content } = messageOf("json", { text: "x\n".repeat(20_000) });
  assert.match(content, /\n…\n```$/);
  assert.ok(content.length < 10_000);
});

test("a template makes a message of it, in which values show as they are", () => {
  assert.deepEqual(templated("**{{build.number}}** {{build.ok}}: {{build.steps.0.name}}, {{ build.steps.1.name }}"), {
    topic: "Build 7",
    content: "**7** false: &#42;&#42;lint&#42;&#42;, a b",
  });
  assert.equal(templated("[{{build.none}}{{build.missing}}{{constructor.name}}]").content, "[]");
  assert.equal(templated("{{build.steps}}").content, '`[{"name":"**lint**"},{"name":"a\\nb"}]`');
  assert.equal(outcome("json", build, { query: { template: "{{nothing}}" } }).is, "ignored");
});

test("what is no object is refused", () => {
  for (const body of ["[]", "1", "null", "", "{", Buffer.from([0x7b, 0xff, 0x7d]).toString("latin1").slice(0, 1)]) {
    assert.throws(() => outcome("json", body), { code: "BAD_REQUEST", status: 400 });
  }
});

test("Home Assistant's message is sent as it is", () => {
  assert.deepEqual(messageOf("homeassistant", { message: "**Warm** @**all**" }), {
    topic: "homeassistant",
    content: "**Warm** @_**all**",
  });
  assert.throws(() => outcome("homeassistant", { title: "x" }), { data: { path: "message" } });
});

test("Hello World links to its article", () => {
  const body = { featured_title: "Chat [1]", featured_url: "https://en.example/Chat_(a)" };
  assert.deepEqual(messageOf("helloworld", body), {
    topic: "Hello World",
    content: "Hello! Today's article is [Chat [1]](https://en.example/Chat_%28a%29).",
  });
});

test("a template that names a long value often is filled quickly", () => {
  let written = 0;
  const list = Array.from({ length: 2000 }, (_, number) => number);
  const body = JSON.stringify({ list });
  const { stringify } = JSON;
  JSON.stringify = ((...given: Parameters<typeof stringify>) => {
    written += 1;
    return stringify(...given);
  }) as typeof stringify;
  try {
    const { content } = messageOf("json", body, { query: { template: "{{list}} ".repeat(2000) } });
    assert.ok(content.length <= 10_000);
  } finally {
    JSON.stringify = stringify;
  }
  assert.equal(written, 1);
});
