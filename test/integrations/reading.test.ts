import assert from "node:assert/strict";
import test from "node:test";
import { matchesName } from "../../server/integrations/incoming/reading.ts";
import { integrations } from "../../server/integrations/incoming/registry.ts";
import { fate, messageOf, messagesOf, outcome } from "./requests.ts";

const alerts = (count: number, message = "x") => ({
  alerts: Array.from({ length: count }, (_, index) => ({
    status: index % 2 === 0 ? "firing" : "resolved",
    labels: { alertname: `A${index}` },
    annotations: { message },
  })),
});

test("shell patterns match whole names case-sensitively", () => {
  for (const [pattern, name, matches] of [
    ["push*", "push_commits", true],
    ["push", "push_commits", false],
    ["*commits", "push_commits", true],
    ["*_*_*", "a_b_c", true],
    ["p?sh", "push", true],
    ["p?sh", "psh", false],
    ["[abp]ush", "push", true],
    ["[!abp]ush", "push", false],
    ["[a-z]ush", "push", true],
    ["[!]]x", "]x", false],
    ["[]]x", "]x", true],
    ["[x", "[x", true],
    ["PUSH", "push", false],
    ["*", "", true],
    ["", "", true],
    ["a.c", "abc", false],
  ] as const) {
    assert.equal(matchesName(pattern, name), matches, `${pattern} ${name}`);
  }
  const began = performance.now();
  assert.equal(matchesName(`${"*a".repeat(2000)}b`, "a".repeat(4000)), false);
  assert.ok(performance.now() - began < 2000);
});

test("filters each event separately", () => {
  const events = (query: Record<string, string>) => {
    const result = outcome("grafana", alerts(2), { query });
    return result.is === "messages" ? result.messages.map((each) => each.event) : result.is;
  };
  assert.deepEqual(events({}), ["firing", "resolved"]);
  assert.deepEqual(events({ only_events: '["fir*"]' }), ["firing"]);
  assert.deepEqual(events({ exclude_events: '["fir*", "x"]' }), ["resolved"]);
  assert.deepEqual(events({ only_events: '["*"]', exclude_events: '["*"]' }), "ignored");
  assert.deepEqual(events({ only_events: "[]" }), "ignored");
  for (const wrong of ["firing", '{"a": 1}', "[1]"]) {
    assert.throws(() => events({ only_events: wrong }), { code: "BAD_REQUEST", data: { var_name: "only_events" } });
  }
});

test("integrations without event names ignore filters", () => {
  assert.equal(fate("json", {}, { query: { only_events: '["x"]' } }), "messages");
});

test("topics are one line of at most sixty characters", () => {
  const topic = (text: string) => messageOf("homeassistant", { message: "x", topic: text }).topic;
  assert.equal(topic("  a\n\tb\u0000 "), "a b");
  assert.equal(topic("🔥".repeat(60)), "🔥".repeat(60));
  assert.equal(topic("🔥".repeat(61)), `${"🔥".repeat(57)}...`);
  assert.equal(
    messageOf("homeassistant", { message: "x", topic: "mine" }, { query: { topic: "yours" } }).topic,
    "yours",
  );
});

test("truncates long contents with a note and closes fences", () => {
  const message = `\`\`\`\n${"line of code\n".repeat(2000)}`;
  const { content } = messageOf("homeassistant", { message });
  assert.ok(Array.from(content).length <= 10_000);
  assert.match(content, /line of code\n```\n\n\*\(This message was too long, and has been cut\.\)\*$/);
  const { content: odd } = messageOf("homeassistant", { message: "\u0000\uD800\r\n\tx\n\n" });
  assert.equal(odd, " \uFFFD\n\tx");
  assert.throws(() => outcome("homeassistant", { message: " \n" }), { code: "BAD_REQUEST" });
});

test("one request creates at most fifty messages and counts the rest", () => {
  const messages = messagesOf("grafana", alerts(120));
  assert.equal(messages.length, 50);
  assert.match(messages.at(-1)!.content, /\*And 70 more, which are not shown\.\*$/);
});

test("each integration has name, color, instructions and a valid event list", () => {
  const names = integrations.map((each) => each.name);
  assert.equal(new Set(names).size, names.length);
  for (const each of integrations) {
    assert.match(each.name, /^[a-z0-9_]+$/);
    assert.match(each.color, /^#[0-9a-f]{6}$/);
    assert.ok(each.setUp.length > 50 && each.displayName && each.client);
    if (each.events) assert.equal(new Set(each.events).size, each.events.length, each.name);
  }
});

test("messages of one request have a common length limit", () => {
  const alert = { status: "firing", labels: { alertname: "disk" }, annotations: {} };
  const annotations = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`note ${index}`, "*".repeat(200)]));
  const alerts = new Array(40).fill({ ...alert, annotations });
  const messages = messagesOf("grafana", { version: "1", alerts });
  const total = messages.reduce((sum, { content }) => sum + content.length, 0);
  assert.ok(messages.length > 2 && total <= 70_000, `${messages.length} messages, ${total}`);
  assert.match(messages.at(-1)?.content ?? "", new RegExp(`And ${40 - messages.length} more`));
});
