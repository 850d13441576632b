import assert from "node:assert/strict";
import test from "node:test";
import { writtenJson } from "../../server/integrations/incoming/json.ts";
import { messageOf, outcome } from "./requests.ts";

const build = { build: { number: 7, ok: false, steps: [{ name: "**lint**" }, { name: "a\nb" }], none: null } };
const templated = (template: string, topic_template = "Build {{build.number}}") =>
  messageOf("json", build, { query: { template, topic_template } });

test("shows JSON indented in its own order", () => {
  assert.deepEqual(messageOf("json", '{"b":1,"a":[]}'), {
    topic: "JSON",
    content: '```json\n{\n  "b": 1,\n  "a": []\n}\n```',
  });
});

test("truncates long JSON inside its code block", () => {
  const { content } = messageOf("json", { text: "x\n".repeat(20_000) });
  assert.match(content, /\n…\n```$/);
  assert.ok(content.length < 10_000);
});

test("a template formats the message and escapes values", () => {
  assert.deepEqual(templated("**{{build.number}}** {{build.ok}}: {{build.steps.0.name}}, {{ build.steps.1.name }}"), {
    topic: "Build 7",
    content: "**7** false: &#42;&#42;lint&#42;&#42;, a b",
  });
  assert.equal(templated("[{{build.none}}{{build.missing}}{{constructor.name}}]").content, "[]");
  assert.equal(templated("{{build.steps}}").content, '`[{"name":"**lint**"},{"name":"a\\nb"}]`');
  assert.equal(outcome("json", build, { query: { template: "{{nothing}}" } }).is, "ignored");
});

test("rejects anything but an object", () => {
  for (const body of ["[]", "1", "null", "", "{", Buffer.from([0x7b, 0xff, 0x7d]).toString("latin1").slice(0, 1)]) {
    assert.throws(() => outcome("json", body), { code: "BAD_REQUEST", status: 400 });
  }
});

test("sends Home Assistant's message unchanged", () => {
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

test("fills a template that repeats a long value quickly", () => {
  let written = 0;
  const list = Array.from({ length: 2000 }, () => "x");
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
  assert.ok(written <= 2000, `${written}`);
});

test("truncates long values", () => {
  const many = { list: new Array(100_000).fill({ a: "b" }) };
  for (const indent of [0, 2]) {
    const written = writtenJson(many, { indent, length: 500 });
    assert.ok(written.length < 600);
    assert.ok(JSON.stringify(many, null, indent).startsWith(written.slice(0, 490)));
  }
  const all = { a: [], b: {}, c: [1, null, [true, "\n"]], d: { e: "f" } };
  for (const indent of [0, 2])
    assert.equal(writtenJson(all, { indent, length: 500 }), JSON.stringify(all, null, indent));
});

test("a value mentions only explicitly, and never everyone", () => {
  const mention = (template: string, value: string) => messageOf("json", { value }, { query: { template } }).content;
  assert.equal(mention("{{value}}", "@**all**"), "@&#42;&#42;all&#42;&#42;");
  for (const name of ["all", "everyone", "channel", "stream", "topic"])
    assert.equal(mention("@**{{value}}**", name), `@_**${name}**`);
  assert.equal(mention("@**a{{value}}** @**{{value}}**", "ll"), "@_**all** @**ll**");
  assert.equal(mention("@*{{value}}*", "role:everyone"), "@_*role:everyone*");
  assert.equal(mention("@**{{value}}**: @**all**", "Iago"), "@**Iago**: @**all**");
});

test("a value cannot close a link, code or URL", () => {
  const filled = (template: string, value: string) => messageOf("json", { value }, { query: { template } }).content;
  assert.equal(
    filled("[a]({{value}})", "https://a.example/) @**all**"),
    "[a](https://a.example/%29%20@%2A%2Aall%2A%2A)",
  );
  assert.equal(filled("[a](https://a.example/{{value}}/b)", "c)(d"), "[a](https://a.example/c%29%28d/b)");
  assert.equal(filled("[{{value}}](https://a.example)", "x](y"), "[x&#93;(y](https://a.example)");
  assert.equal(filled("{{value}}(b)", "[a]"), "&#91;a&#93;(b)");
  assert.equal(filled("`{{value}}` {{value}}", "a`b*"), "`a'b*` a&#96;b&#42;");
});
