import assert from "node:assert/strict";
import test from "node:test";
import { MAX_HTML, renderMarkdown } from "../../server/markdown/render.ts";
import { type ChatOptions, startChat } from "../support/chat.ts";
import { PROBLEM_TEXTS } from "../support/long-html.ts";

const general = { name: "general", subscribers: ["hamlet", "othello"] };

test("HTML is never much longer than its text", () => {
  for (const [name, text] of Object.entries(PROBLEM_TEXTS)) {
    const { html } = renderMarkdown(text);
    const most = MAX_HTML.floor + MAX_HTML.perUnit * text.length;
    assert.ok(html.length <= most, `${name}: ${html.length} units of HTML for ${text.length}`);
    assert.ok(Buffer.byteLength(html) <= 300_000, name);
  }
  const ordinary = "👍 $$x^2$$ **yes**\n".repeat(30);
  assert.match(renderMarkdown(ordinary).html, /class="emoji.*class="katex".*<strong>/);
});

test("a text with too much HTML is shown as typed and notifies nobody", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const content = `@**Othello** ${"👍".repeat(9000)}`;
  const to = { type: "channel", to: "general", topic: "t" };
  const { id } = await chat.as("hamlet").post("/messages", { ...to, content });
  const { message } = await chat.as("othello").get(`/messages/${id}`);
  assert.ok(message.content.startsWith("<p>@**Othello** 👍👍"));
  assert.deepEqual(message.flags, []);
});

test("a stored message with too much HTML stays editable", async (t) => {
  const chat = await startChat(t, {
    channels: [general],
    unwatched: true,
    testing: { segmentSize: 16 << 20 },
  });
  const hamlet = chat.as("hamlet");
  const { id } = await hamlet.post("/messages", { type: "channel", to: "general", topic: "t", content: "x" });
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
    tx.run("UPDATE messages SET rendered_content = ? WHERE id = ?", `<p>${"<em>x</em>".repeat(195_000)}</p>`, id),
  );
  const queue = await chat.register("othello");
  const content = "👍".repeat(10_000);
  const edited = await hamlet.patch(`/messages/${id}`, { content });
  assert.equal(edited.result, "success", edited.msg);
  const [event] = (await queue.events()).filter(({ type }) => type === "update_message");
  assert.equal(event?.["orig_rendered_content"], "<p>x</p>");
  assert.ok(JSON.stringify(event).length < 300_000);
});

test("limits the bytes that a member stores per hour", async (t) => {
  let now = 1_800_000_000_000;
  const limits = JSON.stringify({
    api_by_user: [[60, 10_000]],
    api_by_ip: [[60, 100]],
    authenticate_by_username: [[1800, 5]],
    authenticate_by_ip: [[1800, 30]],
    stored_bytes_by_user: [[3600, 100_000]],
  });
  const options: ChatOptions = {
    rateLimit: "on",
    now: () => now,
    operatorToken: "the operator's",
    unwatched: true,
    prepare: (tx) => tx.run("INSERT INTO host_settings (name, value) VALUES ('RATE_LIMITS', ?)", limits),
  };
  const chat = await startChat(t, options);
  const message = { type: "direct", to: [chat.ids["othello"]], content: "x".repeat(9000) };
  const send = (name = "hamlet") => chat.as(name).post("/messages", message);
  const { id } = await send();
  for (let at = 0; at < 4; at++) assert.equal((await send()).status, 200);
  const refused = await send();
  assert.deepEqual([refused.status, refused["code"]], [429, "RATE_LIMIT_HIT"]);
  assert.match(refused.msg, /too much text\. Try again in \d+ s\./);
  const edit = await chat.as("hamlet").patch(`/messages/${id}`, { content: "y".repeat(9000) });
  assert.equal(edit["code"], "RATE_LIMIT_HIT", "an edit counts too");
  const later = await chat.as("hamlet").post("/scheduled_messages", {
    ...message,
    scheduled_delivery_timestamp: Math.floor(now / 1000) + 900,
  });
  assert.equal(later["code"], "RATE_LIMIT_HIT", "so does a message that is sent later");
  assert.equal((await send("othello")).status, 200, "others are not concerned");
  const authorization = "Bearer the operator's";
  for (let at = 0; at < 8; at++)
    assert.equal((await chat.anonymous("POST", "/messages", message, { authorization })).status, 200);
  now += Math.ceil(refused["retry-after"] * 1000);
  assert.equal((await send()).status, 200);
});
