import assert from "node:assert/strict";
import test from "node:test";
import { narrowOfDraft } from "../../ui/chat/model/drafts.ts";
import { BrowserMemory } from "../support/browser-memory.ts";
import { SELF, startDrafts, TOPIC } from "../support/drafts.ts";
import { until } from "../support/patience.ts";
import { CLEO, composer, enter, inTopic, startVenue } from "../support/venue.ts";

const server = (id: number, content: string, more = {}) => ({
  id,
  content,
  type: "stream" as const,
  to: [5],
  topic: "lunch",
  timestamp: 100,
  ...more,
});
const state = (...drafts: ReturnType<typeof server>[]) =>
  ({ user_id: SELF, drafts, user_settings: { enable_drafts_synchronization: true } }) as never;

test("stores typed text in the browser immediately and on the server soon", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { drafts, stored, storage, text } = startDrafts();
  drafts.follow(state());
  drafts.set(TOPIC, { text: "half" });
  assert.deepEqual(startDrafts(storage).text(), ["half"], "after a reload");
  drafts.set(TOPIC, { text: "half a thought " });
  t.mock.timers.tick(1_500);
  await until(() => stored.get(1)?.content === "half a thought " || undefined, "on the server");
  await until(() => drafts.store.value.get("topic 5 lunch")?.isSynced || undefined, "marked as stored");

  // The server's spelling, a late event of an earlier text, and a list without it change nothing.
  drafts.follow(state(server(2, "elsewhere", { topic: "tea" })));
  drafts.follow(state(server(1, "half a thought")));
  drafts.follow(state(server(1, "half")));
  assert.deepEqual(text(), ["half a thought "]);
  // Another device continues the draft and then sends it.
  const timestamp = Math.floor(Date.now() / 1000) + 60;
  drafts.follow(state(server(1, "half a thought, continued", { timestamp })));
  assert.deepEqual(text(), ["half a thought, continued"]);
  drafts.follow(state());
  assert.deepEqual([text(), storage.length], [[], 0]);
});

test("keeps a topic without text in this browser until sending", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { drafts, stored, storage, calls } = startDrafts();
  const narrow = { kind: "channel", channelId: 5 } as const;
  const draft = () => drafts.store.value.get("channel 5");
  drafts.follow(state());
  const rest = async () => {
    while (draft()?.isSynced === false) {
      t.mock.timers.tick(1_500);
      await new Promise(setImmediate);
    }
  };
  drafts.set(narrow, { topic: "boats" });
  await rest();
  assert.deepEqual(
    [draft()?.topic, startDrafts(storage).drafts.store.value.get("channel 5")?.topic],
    ["boats", "boats"],
  );
  assert.deepEqual(calls, []);
  // A text that is typed and removed changes nothing either.
  drafts.set(narrow, { text: "Who rows?" });
  await rest();
  assert.equal(stored.size, 1);
  drafts.set(narrow, { text: "" });
  await rest();
  assert.deepEqual([draft()?.topic, draft()?.serverId, stored.size], ["boats", undefined, 0]);
  drafts.set(narrow, { topic: "" });
  await rest();
  assert.deepEqual([draft(), storage.length], [undefined, 0]);
});

test("keeps the texts of two devices", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { drafts, stored, calls, text } = startDrafts();
  drafts.set(TOPIC, { text: "mine" });
  drafts.follow(state(server(9, "theirs"), server(10, "elsewhere", { topic: "tea" })));
  assert.deepEqual(text(), ["mine", "elsewhere"]);
  assert.deepEqual(
    drafts.unopened().map(({ id }) => id),
    [9],
  );
  assert.deepEqual(drafts.open(server(9, "theirs"), SELF), TOPIC);
  assert.deepEqual(text(), ["mine\ntheirs", "elsewhere"]);
  t.mock.timers.tick(1_500);
  await until(() => stored.get(1)?.content === "mine\ntheirs" || undefined, "both on the server");
  assert.ok(calls.includes("DELETE /drafts/{draft_id}"));
});

test("tabs share typed text and the newer text wins", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 100_000 });
  const storage = new BrowserMemory();
  const [one, two] = [startDrafts(storage), startDrafts(storage)];
  const KEY = `hearth-draft-${SELF}-topic 5 lunch`;
  const stored = () => storage.getItem(KEY);
  const after = async (milliseconds: number) => {
    t.mock.timers.tick(milliseconds);
    await new Promise(setImmediate); // all responses have arrived
  };
  for (const { drafts } of [one, two]) drafts.follow(state());
  one.drafts.set(TOPIC, { text: "half" });
  two.drafts.followTab(KEY, stored());
  two.drafts.followTab("hearth-draft-8-topic 5 lunch", stored());
  assert.deepEqual(two.text(), ["half"]);
  const older = stored();
  await after(1_500);
  assert.equal(one.stored.get(1)?.content, "half");
  two.drafts.followTab(KEY, stored());
  two.drafts.set(TOPIC, { text: "half a thought" });
  two.drafts.followTab(KEY, older);
  assert.deepEqual(two.text(), ["half a thought"], "what the other tab stored before comes late");
  one.drafts.followTab(KEY, stored());
  one.drafts.follow(state(server(1, "half")));
  assert.deepEqual([one.text(), startDrafts(storage).text()], [["half a thought"], ["half a thought"]]);

  // The tab closes before the server has its text.
  two.drafts.stop();
  await after(6_000);
  assert.equal(one.stored.get(1)?.content, "half a thought", "by the tab that is left");
  // A late deletion by this tab does not remove newer text.
  two.drafts.set(TOPIC, { text: "half a thought more" });
  storage.removeItem(KEY);
  two.drafts.followTab(KEY, null);
  assert.deepEqual(startDrafts(storage).text(), ["half a thought more"]);
  one.drafts.followTab(KEY, stored());
  // After sending, both fields are empty and the browser stores nothing.
  one.drafts.set(TOPIC, { text: "" });
  two.drafts.followTab(KEY, stored());
  assert.deepEqual(two.text(), [""]);
  await after(1_500);
  assert.equal(stored(), null);
  two.drafts.followTab(KEY, null);
  assert.deepEqual([one.text(), two.text(), one.calls.length], [[], [], 3]);
});

test("a changed text is newer, whatever another device's clock says", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 100_000 });
  const storage = new BrowserMemory();
  const [one, two] = [startDrafts(storage), startDrafts(storage)];
  for (const { drafts } of [one, two]) drafts.follow(state(server(1, "half", { timestamp: 500 })));
  one.drafts.set(TOPIC, { text: "half a thought" });
  const key = storage.key(0) as string;
  two.drafts.followTab(key, storage.getItem(key));
  assert.deepEqual(two.text(), ["half a thought"]);
});

test("a person without stored drafts keeps them in the browser", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { drafts, calls, text } = startDrafts();
  drafts.follow({ drafts: [], user_settings: { enable_drafts_synchronization: false } } as never);
  drafts.set(TOPIC, { text: "mine" });
  t.mock.timers.tick(60_000);
  assert.deepEqual([text(), calls], [["mine"], []]);
});

test("a refused text does not block others", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { drafts, stored, calls } = startDrafts();
  drafts.follow(state());
  const stores = async () => {
    t.mock.timers.tick(1_500);
    await new Promise(setImmediate); // all responses have arrived
    return [...stored.values()].map(({ content }) => content);
  };
  drafts.set({ ...TOPIC, topic: "refused" }, { text: "of a channel that is gone" });
  drafts.set(TOPIC, { text: "mine" });
  assert.deepEqual(await stores(), ["mine"]);
  drafts.set(TOPIC, { text: "mine again" });
  assert.deepEqual(await stores(), ["mine again"]);
  assert.equal(calls.filter((route) => route === "POST /drafts").length, 2, "the refused one is not sent once more");
});

test("a text moves with its conversation", () => {
  const { drafts, text } = startDrafts();
  const moved = { ...TOPIC, topic: "dinner" };
  drafts.set(TOPIC, { text: "mine" });
  drafts.set(moved, { text: "there already" });
  drafts.move(TOPIC, moved);
  assert.deepEqual(text(), ["", "mine\nthere already"]);
  drafts.move(TOPIC, moved);
  assert.deepEqual(text(), ["", "mine\nthere already"], "nothing is left to be moved");
});

test("a server draft belongs to its conversation", () => {
  assert.deepEqual(narrowOfDraft(server(1, "x"), SELF), TOPIC);
  assert.deepEqual(narrowOfDraft(server(1, "x", { topic: "" }), SELF), { kind: "channel", channelId: 5 });
  const direct = server(1, "x", { type: "private", to: [9, SELF, 3], topic: "" });
  assert.deepEqual(narrowOfDraft(direct, SELF), { kind: "direct", userIds: [3, 9] });
  assert.equal(narrowOfDraft(server(1, "x", { type: "", to: [] }), SELF), undefined);
});

test("two tabs edit one draft, also during an outage", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, CLEO, inTopic(venue, "regatta"));
  const context = page.context();
  const other = await context.newPage();
  await other.goto(page.url());
  await composer(other).waitFor();
  await context.setOffline(true);
  await composer(other).focus();
  await composer(page).pressSequentially("Who rows");
  const shows = (tab: typeof page, text: string) =>
    until(async () => (await composer(tab).inputValue()) === text || undefined, text);
  await shows(other, "Who rows");
  // Typing continues after the received text.
  await composer(other).pressSequentially(" today?");
  await shows(page, "Who rows today?");
  await other.close();
  await page.close();
  await context.setOffline(false);
  const again = await context.newPage();
  await again.goto(other.url());
  await shows(again, "Who rows today?");
});
