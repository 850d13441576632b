import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { type Params, startChat } from "../support/chat.ts";
import { botOf, channelOf, direct, notices, say } from "../support/notices.ts";

const general = { name: "general", subscribers: ["hamlet", "othello"] };
const secret = { name: "secret", private: true, subscribers: ["hamlet", "othello"] };
const moderators = { name: "moderators", private: true, subscribers: ["iago"] };
const plain = { name: "plain", private: true, subscribers: ["iago"] };

async function start(t: TestContext) {
  const chat = await startChat(t, { channels: [general, secret, moderators, plain] });
  const set = async (channel: number) => {
    const answer = await chat.as("desdemona").patch("/realm", { moderation_request_channel_id: channel });
    assert.equal(answer.result, "success", answer.msg);
  };
  const report = (name: string, id: number, params: Params = { report_type: "spam" }) =>
    chat.as(name).post(`/messages/${id}/report`, params);
  const person = (name: string) => `@_**${name}|${chat.ids[name.toLowerCase()]}**`;
  return { chat, set, report, person };
}

test("a report reaches the moderators and nobody else", async (t) => {
  const { chat, set, report, person } = await start(t);
  await set(chat.ids.moderators as number);
  const content = "Buy ```` @**all** now";
  const id = await say(chat, "othello", { to: "secret", topic: "a*b", content });
  const [iago, hamlet, othello] = await Promise.all(["iago", "hamlet", "othello"].map((name) => chat.register(name)));
  const answer = await report("hamlet", id, { report_type: "spam", description: " twice @**Iago** " });
  assert.deepEqual([answer.status, answer.result], [200, "success"]);

  const link = `/#narrow/channel/${chat.ids.secret}-secret/topic/a.2Ab/near/${id}`;
  const [notice, ...more] = await notices(chat, "iago", "moderators", "Reports about Othello");
  assert.deepEqual(more, []);
  assert.equal(
    notice,
    [
      `${person("Hamlet")} reported a message from ${person("Othello")} in [&#35;secret &#62; a&#42;b](${link}).`,
      "Reason: **Spam**",
      "```quote\ntwice @**Iago**\n```",
      "The message:",
      `\`\`\`quote\n${content}\n\`\`\``,
    ].join("\n\n"),
  );
  const heard = (await iago!.events()).filter(({ type }) => type === "message");
  assert.deepEqual(
    heard.map(({ type, flags, message }) => [type, flags, message.sender_id]),
    [["message", [], botOf(chat).id]], // no mentions
  );
  assert.deepEqual([await hamlet!.events(), await othello!.events()], [[], []]);
  for (const name of ["hamlet", "othello"]) assert.deepEqual(await direct(chat, name), []);
});

test("a direct message is reported by its recipients only", async (t) => {
  const { chat, set, report, person } = await start(t);
  await set(chat.ids.moderators as number);
  const sent = async (name: string, to: string[], content = "psst") =>
    (await chat.as(name).post("/messages", { type: "direct", to: to.map((one) => chat.ids[one]), content })).id;
  const id = await sent("othello", ["hamlet", "iago"]);
  const alone = await sent("othello", ["othello"], "x".repeat(10_000));
  assert.equal((await report("hamlet", id, { report_type: "harassment" })).result, "success");
  assert.equal((await report("othello", alone, { report_type: "other", description: "by mistake" })).result, "success");
  const [first, second = ""] = await notices(chat, "iago", "moderators", "Reports about Othello");
  const to = [person("Iago"), person("Hamlet")].join(", ");
  assert.equal(
    first,
    `${person("Hamlet")} reported a direct message from ${person("Othello")} to ${to}.\n\nReason: **Harassment**\n\nThe message:\n\n\`\`\`quote\npsst\n\`\`\``,
  );
  assert.match(second, /to themselves\.\n\nReason: \*\*Another reason\*\*\n\n```quote\nby mistake\n```/);
  assert.ok(second.length <= 10_000 && second.endsWith("x\n[…]\n```"));
  // Users without access get the same response as for a missing message.
  const hidden = await say(chat, "othello", { to: "secret" });
  for (const [name, unseen] of [
    ["cordelia", id],
    ["cordelia", hidden],
    ["cordelia", 99_999],
  ] as const) {
    const { status, code, msg } = await report(name, unseen);
    assert.deepEqual([status, code, msg], [400, "BAD_REQUEST", "Invalid message(s)"]);
  }
  assert.equal((await notices(chat, "iago", "moderators", "Reports about Othello")).length, 2);
});

test("reports work for guests, long names and topicless channels", async (t) => {
  const { chat, set, report } = await start(t);
  await set(chat.ids.moderators as number);
  const full_name = `Othello ${"of Venice ".repeat(8)}`.trim();
  assert.equal((await chat.as("desdemona").patch(`/users/${chat.ids.othello}`, { full_name })).result, "success");
  await chat.as("desdemona").post("/users/me/subscriptions", {
    subscriptions: [{ name: "general" }],
    principals: [chat.ids.polonius],
  });
  const id = await say(chat, "othello");
  assert.equal((await report("polonius", id, { report_type: "norms" })).result, "success");
  const topic = `Reports about ${full_name}`.slice(0, 59);
  assert.equal((await notices(chat, "iago", "moderators", `${topic}…`)).length, 1);
  const changed = await chat.as("iago").patch(`/streams/${chat.ids.plain}`, { topics_policy: "empty_topic_only" });
  assert.equal(changed.result, "success", changed.msg);
  await set(chat.ids.plain as number);
  assert.equal((await report("polonius", id, { report_type: "inappropriate" })).result, "success");
  assert.equal((await notices(chat, "iago", "plain", "")).length, 1);
});

test("invalid reports and a missing report channel are rejected", async (t) => {
  const { chat, set, report } = await start(t);
  const id = await say(chat, "othello");
  const refused = async (params: Params, expected: RegExp) => {
    const { status, msg } = await report("hamlet", id, params);
    assert.equal(status, 400);
    assert.match(msg, expected);
  };
  await refused({ report_type: "spam" }, /moderation_request_channel_id/);
  await set(chat.ids.moderators as number);
  await refused({}, /report_type/);
  await refused({ report_type: "envy" }, /report_type/);
  await refused({ report_type: "other" }, /description/);
  await refused({ report_type: "other", description: " \n" }, /description/);
  await refused({ report_type: "spam", description: "x".repeat(1001) }, /description.*1000/);
  const { status } = await chat.as("desdemona").delete(`/streams/${channelOf(chat, "moderators").id}`, {});
  assert.equal(status, 200);
  await refused({ report_type: "spam" }, /moderation_request_channel_id/);
});
