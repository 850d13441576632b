import assert from "node:assert/strict";
import test from "node:test";
import { nextText, openPhone, openSocket, polledTexts, pollNtfy, startWithTopic } from "../support/ntfy-client.ts";

test("a direct message and a mention ring", async (t) => {
  const { chat, url, topic, direct, mention } = await startWithTopic(t);
  const phone = await openPhone(t, `${url}/json`);
  const id = await direct("**Lunch** at two?");
  const { time, expires = 0, id: eventId = "", icon, ...rest } = (await phone.next()) ?? ({} as never);
  assert.deepEqual(rest, {
    event: "message",
    topic,
    sequence_id: `message-${id}`,
    title: "Othello",
    message: "Lunch at two?",
    priority: 4,
    tags: ["speech_balloon"],
    click: `${chat.url}/#narrow/dm/${chat.ids["othello"]}-dm/near/${id}`,
  });
  assert.match(eventId, /^[\dA-Za-z]{12}$/);
  assert.equal(expires - time, 3 * 86_400);
  assert.equal((await fetch(icon ?? "")).headers.get("content-type"), "image/png", "without a sign-in");
  await mention("the boat leaks");
  assert.equal(await nextText(phone), "Othello (rowing › boats): @Hamlet the boat leaks");
});

test("messages of a channel have the usual priority", async (t) => {
  const { chat, url } = await startWithTopic(t);
  const subscription_data = [{ stream_id: chat.ids["rowing"], property: "push_notifications", value: true }];
  await chat.as("hamlet").post("/users/me/subscriptions/properties", { subscription_data });
  const phone = await openPhone(t, `${url}/json`);
  await chat.as("othello").post("/messages", { type: "stream", to: "rowing", topic: "boats", content: "calm" });
  const { priority, tags } = (await phone.next()) ?? ({} as never);
  assert.deepEqual([priority, tags], [3, undefined]);
});

test("a message that is read elsewhere disappears from the phone", async (t) => {
  const { chat, url, direct } = await startWithTopic(t);
  const phone = await openPhone(t, `${url}/json`);
  const [read, deleted] = [await direct("read me"), await direct("delete me")];
  await phone.next();
  await phone.next();
  await chat.as("hamlet").post("/messages/flags", { messages: [read], op: "add", flag: "read" });
  assert.equal(await nextText(phone), `message_clear message-${read}`);
  await chat.as("othello").delete(`/messages/${deleted}`);
  assert.equal(await nextText(phone), `message_delete message-${deleted}`);
});

test("after a restart, since= brings the messages that are unread", async (t) => {
  const { chat, url, direct } = await startWithTopic(t);
  const phone = await openPhone(t, `${url}/json`);
  await direct("before");
  const last = (await phone.next())?.id;
  await phone.close();
  const read = await direct("read in time");
  await direct("missed");
  await chat.as("hamlet").post("/messages/flags", { messages: [read], op: "add", flag: "read" });
  await chat.restart();
  const again = await openPhone(t, `${url}/json?since=${last}`);
  assert.equal(await nextText(again), "Othello: missed");
  assert.equal(await nextText(again), `message_clear message-${read}`);
  await direct("live");
  assert.equal(await nextText(again), "Othello: live");
});

test("a phone gets no text that its person may not read any more", async (t) => {
  const { chat, url, mention, direct } = await startWithTopic(t);
  await mention("secret while away", "crew");
  await chat.as("hamlet").delete("/users/me/subscriptions", { subscriptions: ["crew"] });
  await mention("secret after leaving", "crew");
  const phone = await openPhone(t, `${url}/json?since=all`);
  assert.match(await nextText(phone), /^message_\w+ message-\d+$/);
  await mention("secret while connected", "crew");
  await direct("for him");
  assert.equal(await nextText(phone), "Othello: for him");
  assert.deepEqual(
    (await pollNtfy(`${url}/json?poll=1`)).filter(({ message = "" }) => message.includes("secret")),
    [],
  );
});

test("the texts of messages are hidden if the person chose so", async (t) => {
  const { chat, url, direct } = await startWithTopic(t);
  await chat.as("hamlet").patch("/settings", { message_content_in_push_notifications: false });
  await direct("the code is 1234");
  assert.deepEqual(await polledTexts(url), ["New direct message"]);
});

test("quiet hours hold messages back", async (t) => {
  const clock = { now: Date.UTC(2026, 10, 28, 12) };
  const { chat, url, direct } = await startWithTopic(t, { unwatched: true, now: () => clock.now });
  await chat.as("hamlet").patch("/settings", { quiet_until: clock.now / 1000 + 3600 });
  const phone = await openPhone(t, `${url}/json`);
  await direct("at night");
  clock.now += 61 * 60_000;
  await chat.runChores();
  const { message, time } = (await phone.next()) ?? ({} as never);
  assert.deepEqual([message, time], ["at night", clock.now / 1000]);
});

test("other people's messages do not reach the phone", async (t) => {
  const { chat, url, direct } = await startWithTopic(t);
  const { ntfy } = await chat.as("cordelia").post("/users/me/ntfy");
  const phone = await openPhone(t, `${url}/json`);
  await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["cordelia"]], content: "not for him" });
  await direct("for him");
  assert.equal(await nextText(phone), "Othello: for him");
  assert.deepEqual(await polledTexts(`${chat.url}/${ntfy.topic}`), ["not for him"]);
});

test("a subscribed phone does not count as an active person", async (t) => {
  const { chat, url, direct } = await startWithTopic(t);
  const phone = await openPhone(t, `${url}/json`);
  await direct("hello");
  await phone.next();
  const presence = await chat.as("othello").get("/users/hamlet@example.com/presence");
  assert.equal(presence.status, 400, "no presence yet");
});

test("a stop ends all streams, and nothing is lost", async (t) => {
  const { chat, url, direct } = await startWithTopic(t);
  const [phone, socket] = [await openPhone(t, `${url}/json`), await openSocket(t, `${url}/ws`)];
  await chat.restart();
  await Promise.all([phone.ended, socket.ended]);
  await direct("after the stop");
  assert.deepEqual(await polledTexts(url), ["after the stop"]);
});

test("one request can have several topics", async (t) => {
  const { chat, topic, url, direct } = await startWithTopic(t);
  const { ntfy } = await chat.as("cordelia").post("/users/me/ntfy");
  const phone = await openPhone(t, `${chat.url}/${topic},${ntfy.topic}/json`);
  await direct("one");
  await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["cordelia"]], content: "two" });
  const events = [await phone.next(), await phone.next()];
  assert.deepEqual(
    events.map((event) => [event?.topic, event?.message]),
    [
      [topic, "one"],
      [ntfy.topic, "two"],
    ],
  );
  assert.deepEqual(await polledTexts(url), ["one"]);
});
