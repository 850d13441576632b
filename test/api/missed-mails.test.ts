import assert from "node:assert/strict";
import test from "node:test";
import { type ReceivedMail, startMailingChat } from "../support/smtp.ts";

const MINUTE = 60_000;
const CHANNELS = [
  { name: "rowing", subscribers: ["hamlet", "othello"] },
  { name: "crew", private: true, subscribers: ["hamlet", "othello"] },
];

type Mailing = Awaited<ReturnType<typeof startMailingChat>>;

const direct = async ({ chat }: Mailing, content: string, by = "othello"): Promise<number> =>
  (await chat.as(by).post("/messages", { type: "direct", to: [chat.ids["hamlet"]], content }))["id"];
const inChannel = async ({ chat }: Mailing, content: string, to = "rowing", topic = "boats"): Promise<number> =>
  (await chat.as("othello").post("/messages", { type: "stream", to, topic, content }))["id"];

/** The mails after two minutes, the default batching period. */
async function mailsAfter({ clock, send, server }: Mailing, minutes = 2): Promise<ReceivedMail[]> {
  clock.now += minutes * MINUTE;
  await send();
  return server.mails.splice(0);
}

test("unread direct messages and mentions become one mail, by conversation", async (t) => {
  const mailing = await startMailingChat(t, { channels: CHANNELS });
  await direct(mailing, "**Lunch** at two?");
  await inChannel(mailing, "nothing for anybody");
  await inChannel(mailing, "@**Hamlet** the boat leaks");
  await direct(mailing, "Or three?");
  assert.deepEqual(await mailsAfter(mailing, 1), []);
  const [mail, ...others] = await mailsAfter(mailing, 1);
  assert.equal(others.length, 0);
  assert.deepEqual([mail?.receivers, mail?.subject], [["hamlet@example.com"], "3 unread messages in 2 conversations"]);
  for (const part of [mail?.text, mail?.html]) {
    assert.match(part ?? "", /Lunch at two\?.*Or three\?.*#rowing › boats.*@Hamlet the boat leaks/s);
    assert.match(part ?? "", /https:\/\/chat\.example\.org\/#narrow\/dm\/\d+-dm\/near\/\d+/);
    assert.match(part ?? "", /Direct message to you.*You were mentioned/s);
    assert.doesNotMatch(part ?? "", /nothing for anybody/);
  }
  assert.deepEqual(await mailsAfter(mailing, 60), []);
});

test("messages that were read in time, deleted or became unreadable are not mailed", async (t) => {
  const mailing = await startMailingChat(t, { channels: CHANNELS });
  const { chat } = mailing;
  const read = await direct(mailing, "read in time");
  const deleted = await direct(mailing, "deleted");
  await inChannel(mailing, "@**Hamlet** secret", "crew");
  await chat.as("hamlet").post("/messages/flags", { messages: [read], op: "add", flag: "read" });
  for (const by of ["desdemona", "othello"]) await chat.as(by).delete(`/messages/${deleted}`);
  await chat.as("hamlet").delete("/users/me/subscriptions", { subscriptions: ["crew"] });
  assert.deepEqual(await mailsAfter(mailing), []);
});

test("a mail has no text that its receiver can no longer read, even on a later attempt", async (t) => {
  const mailing = await startMailingChat(t, { channels: CHANNELS });
  const { chat, server } = mailing;
  await inChannel(mailing, "@**Hamlet** secret", "crew");
  await direct(mailing, "not secret");
  server.onMail = () => Object.assign(new Error("4.3.0 later"), { responseCode: 451 });
  assert.deepEqual(await mailsAfter(mailing), []);
  await chat.as("hamlet").delete("/users/me/subscriptions", { subscriptions: ["crew"] });
  server.onMail = () => undefined;
  const [mail] = await mailsAfter(mailing);
  assert.match(mail?.text ?? "", /not secret/);
  assert.doesNotMatch(mail?.raw ?? "", /crew|@Hamlet/);
});

test("active people get the mail after they are away, if the message is still unread", async (t) => {
  const mailing = await startMailingChat(t);
  const { chat } = mailing;
  await chat.as("hamlet").post("/users/me/presence", { status: "active" });
  await direct(mailing, "later");
  assert.deepEqual(await mailsAfter(mailing, 3), []);
  await chat.as("hamlet").post("/users/me/presence", { status: "active" });
  assert.deepEqual(await mailsAfter(mailing, 4), []);
  assert.equal((await mailsAfter(mailing, 1)).length, 1);
});

test("quiet hours do not delay mails", async (t) => {
  const mailing = await startMailingChat(t);
  const quiet_until = mailing.clock.now / 1000 + 3600;
  await mailing.chat.as("hamlet").patch("/settings", { quiet_until });
  await direct(mailing, "hello");
  assert.equal((await mailsAfter(mailing)).length, 1);
});

test("the person's own period collects messages", async (t) => {
  const mailing = await startMailingChat(t);
  await mailing.chat.as("hamlet").patch("/settings", { email_notifications_batching_period_seconds: 3600 });
  await direct(mailing, "first");
  assert.deepEqual(await mailsAfter(mailing, 59), []);
  await direct(mailing, "second");
  const [mail] = await mailsAfter(mailing, 1);
  assert.match(mail?.text ?? "", /first.*second/s);
});

test("people who turned mails off, bots and deactivated people get none", async (t) => {
  const mailing = await startMailingChat(t, { channels: CHANNELS });
  const { chat } = mailing;
  await chat.as("hamlet").patch("/settings", { enable_offline_email_notifications: false });
  await direct(mailing, "off");
  const to = [chat.ids["bot"], chat.ids["cordelia"], chat.ids["hamlet"]];
  await chat.as("othello").post("/messages", { type: "direct", to, content: "to several" });
  await chat.as("desdemona").delete(`/users/${chat.ids["cordelia"]}`);
  await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["iago"]], content: "to iago" });
  await chat.as("iago").patch("/settings", { enable_offline_email_notifications: false });
  assert.deepEqual(await mailsAfter(mailing), []);
});

test("channels, followed topics and muted people decide as for other notifications", async (t) => {
  const mailing = await startMailingChat(t, { channels: CHANNELS });
  const { chat } = mailing;
  const hamlet = chat.as("hamlet");
  const stream_id = chat.ids["rowing"];
  await hamlet.post("/user_topics", { stream_id, topic: "boats", visibility_policy: 3 });
  await inChannel(mailing, "followed");
  await inChannel(mailing, "other topic", "rowing", "oars");
  const subscription_data = [{ stream_id, property: "email_notifications", value: true }];
  await hamlet.post("/users/me/subscriptions/properties", { subscription_data });
  await inChannel(mailing, "by channel", "rowing", "oars");
  await hamlet.post(`/users/me/muted_users/${chat.ids["cordelia"]}`);
  await direct(mailing, "from a muted person", "cordelia");
  const [mail] = await mailsAfter(mailing);
  assert.match(mail?.text ?? "", /You follow this topic.*followed.*You get emails about this channel.*by channel/s);
  assert.doesNotMatch(mail?.text ?? "", /other topic|muted person/);
});

test("without text, a mail names only senders and conversations", async (t) => {
  const mailing = await startMailingChat(t, { channels: CHANNELS });
  const { chat } = mailing;
  for (const change of [
    () => chat.as("hamlet").patch("/settings", { message_content_in_email_notifications: false }),
    () => chat.as("desdemona").patch("/realm", { message_content_allowed_in_email_notifications: false }),
  ]) {
    await change();
    await direct(mailing, "confidential");
    const [mail] = await mailsAfter(mailing);
    assert.match(mail?.text ?? "", /Othello/);
    assert.doesNotMatch(mail?.raw ?? "", /confidential/);
    await chat.as("hamlet").patch("/settings", { message_content_in_email_notifications: true });
    await chat.as("hamlet").post("/mark_all_as_read");
  }
});

test("spoilers, HTML and names stay text, and no header can be injected", async (t) => {
  const mailing = await startMailingChat(t, { channels: CHANNELS });
  const { chat } = mailing;
  await chat.as("desdemona").patch("/realm", { name: "Venice <b>" });
  await chat.as("hamlet").patch("/settings", { realm_name_in_email_notifications_policy: 2 });
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
    tx.run(
      "UPDATE users SET full_name = ? WHERE id = ?",
      "Evil\r\nBcc: all@example.org\r\n\r\n<i>",
      chat.ids["othello"] ?? 0,
    ),
  );
  await direct(mailing, "<script>alert(1)</script>\n```spoiler Answer\nhidden\n```");
  const [mail] = await mailsAfter(mailing);
  assert.deepEqual(mail?.receivers, ["hamlet@example.com"]);
  assert.equal(mail?.subject, "[Venice <b>] New messages from Evil Bcc: all@example.org <i>");
  assert.equal(mail?.bcc, undefined);
  assert.doesNotMatch(mail?.html ?? "", /<script|<i>|<b>|<img/);
  assert.doesNotMatch(mail?.text ?? "", /hidden/);
});

test("mails of one conversation form a thread", async (t) => {
  const mailing = await startMailingChat(t);
  const mails: (ReceivedMail | undefined)[] = [];
  for (const by of ["othello", "othello", "iago"]) {
    await direct(mailing, "hello", by);
    mails.push((await mailsAfter(mailing))[0]);
    await mailing.chat.as("hamlet").post("/mark_all_as_read");
  }
  const [first, second, other] = mails.map((mail) => mail?.header("references"));
  assert.ok(first);
  assert.deepEqual([second === first, other === first], [true, false]);
  assert.equal(new Set(mails.map((mail) => mail?.messageId)).size, 3);
});

test("a mail is in the receiver's language and shows at most 20 messages", async (t) => {
  const mailing = await startMailingChat(t);
  await mailing.chat.as("hamlet").patch("/settings", { default_language: "de" });
  for (let count = 1; count <= 22; count++) await direct(mailing, `message ${count}.`);
  const [mail] = await mailsAfter(mailing);
  assert.equal(mail?.subject, "Neue Nachrichten von Othello");
  assert.match(mail?.text ?? "", /message 20\..*… und 2 weitere Nachrichten\./s);
  assert.doesNotMatch(mail?.text ?? "", /message 21\./);
});

test("the unsubscribe link turns off all mails about messages, without a sign-in", async (t) => {
  const mailing = await startMailingChat(t, { channels: CHANNELS });
  const { chat } = mailing;
  const subscription_data = [{ stream_id: chat.ids["rowing"], property: "email_notifications", value: true }];
  await chat.as("hamlet").post("/users/me/subscriptions/properties", { subscription_data });
  await direct(mailing, "hello");
  const [mail] = await mailsAfter(mailing);
  assert.equal(mail?.header("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
  const [, path = ""] =
    /^<https:\/\/chat\.example\.org(\/host\/unsubscribe\/[^>]+)>$/.exec(mail?.header("list-unsubscribe") ?? "") ?? [];
  const opened = await fetch(`${chat.url}${path}`, { redirect: "manual" });
  assert.match(opened.headers.get("location") ?? "", /^\/unsubscribe\/#\d+-[\w-]{43}$/);
  await direct(mailing, "waits");
  const done = await chat.anonymous("POST", path, { "List-Unsubscribe": "One-Click" });
  assert.equal(done.result, "success", done.msg);
  await inChannel(mailing, "by channel");
  await direct(mailing, "after");
  assert.deepEqual(await mailsAfter(mailing), []);
});

test("opening an unsubscribe link, or a forged link, changes nothing", async (t) => {
  const mailing = await startMailingChat(t);
  const { chat } = mailing;
  const token = chat.server.app.mailKeys.unsubscribeToken(chat.ids["hamlet"] ?? 0);
  await fetch(`${chat.url}/host/unsubscribe/${token}`, { redirect: "manual" });
  const ofOther = token.replace(/^\d+/, String(chat.ids["iago"]));
  for (const forged of [ofOther, `${token}x`, "5-", "", `${chat.ids["hamlet"]}`]) {
    const refused = await chat.anonymous("POST", `/host/unsubscribe/${forged || "-"}`);
    assert.deepEqual([refused.status, refused.reason], [400, "unsubscribe_link_invalid"], forged);
  }
  await direct(mailing, "hello");
  assert.equal((await mailsAfter(mailing)).length, 1);
});

test("a person gets a limited number of mails in an hour; the rest come later together", async (t) => {
  const mailing = await startMailingChat(t);
  await mailing.chat.as("hamlet").patch("/settings", { email_notifications_batching_period_seconds: 1 });
  let mails = 0;
  for (let count = 0; count < 34; count++) {
    await direct(mailing, `message ${count}`);
    mails += (await mailsAfter(mailing, 1 / 60)).length;
  }
  assert.equal(mails, 30);
  const [late] = await mailsAfter(mailing, 11);
  assert.match(late?.text ?? "", /message 30.*message 33/s);
});

test("imported people without an address of their own get no mails", async (t) => {
  const mailing = await startMailingChat(t, {
    prepare: (tx, ids) => {
      tx.run("UPDATE users SET email = ? WHERE id = ?", "imported-1-2@example.com", ids["othello"] ?? 0);
      tx.run("UPDATE users SET email = ? WHERE id = ?", "gone@old.localhost", ids["cordelia"] ?? 0);
    },
  });
  const { chat } = mailing;
  const to = [chat.ids["othello"], chat.ids["cordelia"], chat.ids["iago"]];
  await chat.as("hamlet").post("/messages", { type: "direct", to, content: "hello" });
  assert.deepEqual(
    (await mailsAfter(mailing)).flatMap(({ receivers }) => receivers),
    ["iago@example.com"],
  );
});
