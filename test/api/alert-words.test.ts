import assert from "node:assert/strict";
import test from "node:test";
import { type Registered, startChat } from "../support/chat.ts";

const general = { name: "general", subscribers: ["hamlet", "othello", "iago"] };
const without = ({ id: _, ...event }: Record<string, unknown>) => event;

test("alert words are added, listed and removed case-insensitively", async (t) => {
  const chat = await startChat(t);
  const hamlet = chat.as("hamlet");
  const [own, other] = [await chat.register("hamlet"), await chat.register("othello")];
  assert.deepEqual(own.state.alert_words, []);
  const added = await hamlet.post("/users/me/alert_words", {
    alert_words: [" skull ", "Yorick", "skull", "SKULL", "  ", "to be"],
  });
  assert.deepEqual([added.status, added.alert_words], [200, ["skull", "Yorick", "to be"]]);
  // An existing word changes nothing and sends no event.
  const again = await hamlet.post("/users/me/alert_words", { alert_words: ["YORICK"] });
  assert.deepEqual(again.alert_words, ["skull", "Yorick", "to be"]);
  const removed = await hamlet.delete("/users/me/alert_words", { alert_words: ["Skull", "unknown"] });
  assert.deepEqual([removed.status, removed.alert_words], [200, ["Yorick", "to be"]]);
  assert.deepEqual((await hamlet.get("/users/me/alert_words")).alert_words, ["Yorick", "to be"]);
  assert.deepEqual((await own.events()).map(without), [
    { type: "alert_words", alert_words: ["skull", "Yorick", "to be"] },
    { type: "alert_words", alert_words: ["Yorick", "to be"] },
  ]);
  assert.deepEqual(await other.events(), []);
  assert.deepEqual((await chat.as("othello").get("/users/me/alert_words")).alert_words, []);
  await chat.restart();
  assert.deepEqual((await chat.register("hamlet")).state.alert_words, ["Yorick", "to be"]);
});

test("a list with an invalid alert word is rejected", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const hamlet = chat.as("hamlet");
  for (const alert_words of [
    ["fine", "x".repeat(101)],
    "word",
    [1],
    undefined,
    Array.from({ length: 501 }, (_, n) => `word${n}`),
  ]) {
    const answer = await hamlet.post("/users/me/alert_words", { alert_words });
    assert.equal(answer.status, 400, JSON.stringify(alert_words)?.slice(0, 40));
    assert.equal(answer.var_name, "alert_words");
  }
  assert.equal((await hamlet.delete("/users/me/alert_words")).code, "REQUEST_VARIABLE_MISSING");
  assert.deepEqual((await hamlet.get("/users/me/alert_words")).alert_words, []);
  const maximum = ["é".repeat(100), ...Array.from({ length: 499 }, (_, n) => `word${n}`)];
  assert.equal((await hamlet.post("/users/me/alert_words", { alert_words: maximum })).status, 200);
  assert.equal((await hamlet.post("/users/me/alert_words", { alert_words: ["one more"] })).status, 400);
  assert.equal((await hamlet.get("/users/me/alert_words")).alert_words.length, 500);
});

test("a message with an alert word gets the flag", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const words: Record<string, string[]> = { hamlet: ["tea time"], othello: ["Skull", "tea"], cordelia: ["skull"] };
  for (const [name, alert_words] of Object.entries(words))
    assert.equal((await chat.as(name).post("/users/me/alert_words", { alert_words })).status, 200);
  const queues = new Map<string, Registered>();
  for (const name of ["hamlet", "othello", "iago", "cordelia"]) queues.set(name, await chat.register(name));
  const flagsOf = async (type: string) => {
    const found: Record<string, unknown> = {};
    for (const [name, queue] of queues) {
      const event = (await queue.events()).find((one: { type: string }) => one.type === type);
      if (event) found[name] = event.flags;
    }
    return found;
  };
  const post = (content: string) =>
    chat.as("iago").post("/messages", { type: "channel", to: "general", topic: "t", content });
  // Cordelia is not subscribed, so she gets no message and no flag.
  const { id } = await post("a **SKULL**, at tea\ntime");
  assert.deepEqual(await flagsOf("message"), {
    hamlet: ["has_alert_word"],
    othello: ["has_alert_word"],
    iago: ["read"],
  });
  const { message } = await chat.as("othello").get(`/messages/${id}`);
  assert.deepEqual(message.flags, ["has_alert_word"]);
  assert.ok(!(await chat.as("cordelia").get(`/messages/${id}`)).message.flags.includes("has_alert_word"));
  const alerted = await chat.as("hamlet").get("/messages", {
    narrow: [{ operator: "is", operand: "alerted" }],
    anchor: "newest",
    num_before: 9,
  });
  assert.deepEqual(
    alerted.messages.map((one: { id: number }) => one.id),
    [id],
  );
  await chat.as("iago").patch(`/messages/${id}`, { content: "no teatime, and skulls" });
  assert.deepEqual(await flagsOf("update_message"), {
    hamlet: [],
    othello: [],
    iago: ["read"],
    cordelia: ["read", "historical"],
  });
  await chat.as("iago").patch(`/messages/${id}`, { content: "`tea` @**Othello**" });
  assert.deepEqual((await flagsOf("update_message"))["othello"], ["mentioned", "has_alert_word"]);
  // A removed word flags no new message; older flags stay.
  await chat.as("othello").delete("/users/me/alert_words", { alert_words: ["tea"] });
  await post("tea");
  assert.deepEqual((await chat.as("othello").get(`/messages/${id}`)).message.flags, ["mentioned", "has_alert_word"]);
  assert.deepEqual(await flagsOf("message"), { hamlet: [], othello: [], iago: ["read"] });
});

test("alert words flag direct messages for their participants", async (t) => {
  const chat = await startChat(t);
  for (const name of ["othello", "cordelia"])
    await chat.as(name).post("/users/me/alert_words", { alert_words: ["handkerchief"] });
  const [othello, cordelia] = [await chat.register("othello"), await chat.register("cordelia")];
  await chat.as("iago").post("/messages", { type: "direct", to: [chat.ids["othello"]], content: "Handkerchief!" });
  assert.deepEqual(
    (await othello.events()).filter(({ type }) => type === "message").map(({ flags }) => flags),
    [["has_alert_word"]],
  );
  assert.deepEqual(await cordelia.events(), []);
});
