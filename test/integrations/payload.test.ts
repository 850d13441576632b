import assert from "node:assert/strict";
import test from "node:test";
import { Payload } from "../../server/integrations/incoming/payload.ts";
import { messageOf } from "./requests.ts";

/** The limit for a body of 5 MB: far more than senders use, and little enough to convert in one turn. */
const MAX_CHARACTERS = 150_000;
const MAX_ITEMS = 5000;

test("limits the characters read of a long payload", () => {
  const payload = new Payload({ list: new Array(5000).fill({ text: "x".repeat(1000), status: "ok" }) });
  const items = payload.list("list");
  const read = items.map((item) => `${item.text("text")}${item.maybeText("text") ?? ""}`.length);
  assert.equal(items.length, 2500);
  assert.deepEqual([read[0], read[2499]], [2000, 0]);
  assert.ok(read.reduce((sum, each) => sum + each, 0) < MAX_CHARACTERS);
});

test("short texts count less than long ones", () => {
  const payload = new Payload({ list: new Array(1200).fill({ text: "x".repeat(1000), status: "ok" }) });
  const items = payload.list("list").map((item) => [item.text("text").length, item.text("status")]);
  assert.deepEqual(items[0], [1000, "ok"]);
  assert.deepEqual(items[300], [100, "ok"]);
});

test("nested lists have a common item limit", () => {
  const payload = new Payload({ list: new Array(8000).fill({ list: [{ a: 1 }, { a: 2 }] }) });
  let items = 0;
  for (const item of payload.list("list")) items += 1 + item.maybeList("list").length;
  assert.ok(items > 2500 && items <= MAX_ITEMS, `${items}`);
});

test("long Slack texts become one message", () => {
  const text = { type: "mrkdwn", text: "*a* `b` <https://a.example|c> ".repeat(80) };
  const { content } = messageOf("slack_incoming", { blocks: new Array(2000).fill({ type: "section", text }) });
  assert.ok(content.startsWith("**a** `b` [c](https://a.example)"));
  assert.ok(content.length > 9000 && content.length <= 10_000);
});

test("counts all commits of a large push", () => {
  const commit = {
    id: "c".repeat(40),
    message: "m".repeat(1000),
    url: "https://a.example",
    author: { username: "ann" },
  };
  const push = { ref: "refs/heads/main", commits: new Array(2048).fill(commit), sender: { login: "bob" } };
  const body = { ...push, repository: { full_name: "a/b", name: "b", html_url: "https://a.example" } };
  const { content } = messageOf("github", body, { headers: { "X-GitHub-Event": "push" } });
  assert.match(content, /2048 commits/);
  assert.match(content, /Commits by ann \(2048\)/);
});
