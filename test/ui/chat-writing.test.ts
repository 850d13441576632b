import assert from "node:assert/strict";
import test from "node:test";
import { type Client, Refusal } from "../../ui/api/client.ts";
import { composerAction, isComposing } from "../../ui/chat/composer/composer-keys.ts";
import { type Format, formatted } from "../../ui/chat/composer/formatting.ts";
import { Drafts, narrowOfDraft } from "../../ui/chat/model/drafts.ts";
import type { Message } from "../../ui/chat/model/feed-state.ts";
import { FileRefused, type SendFile } from "../../ui/chat/model/send-file.ts";
import { Uploads } from "../../ui/chat/model/uploads.ts";
import { pollText, todoText, widgetOf } from "../../ui/chat/model/widgets.ts";
import { assertAccessible, assertFits } from "../support/browser.ts";
import { BrowserMemory } from "../support/browser-memory.ts";
import { until } from "../support/patience.ts";
import { call } from "../support/server-process.ts";
import { CLEO, composer, enter, inTopic, messageWith, startVenue } from "../support/venue.ts";

const SELF = 7;
const TOPIC = { kind: "topic", channelId: 5, topic: "lunch" } as const;

/** A server that stores drafts, and answers like the real one. */
function startDrafts(storage = new BrowserMemory()) {
  const stored = new Map<number, { content: string }>();
  const calls: string[] = [];
  const call = async (
    route: string,
    input: { draft_id: number; draft: { content: string }; drafts: { content: string }[] },
  ) => {
    calls.push(route);
    if (route === "POST /drafts") {
      if ((input.drafts[0] as { topic?: string }).topic === "refused")
        throw new Refusal(400, { code: "BAD_REQUEST", msg: "Invalid channel ID" });
      const id = stored.size + 1;
      stored.set(id, input.drafts[0] as { content: string });
      return { ids: [id] };
    }
    if (route.startsWith("PATCH")) stored.set(input.draft_id, input.draft);
    else stored.delete(input.draft_id);
    return {};
  };
  const drafts = new Drafts({ client: { call } as unknown as Client, storage, userId: SELF });
  const text = () => [...drafts.store.value.values()].map((one) => one.text);
  return { drafts, stored, calls, storage, text };
}
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

test("what is typed is stored here at once and on the server soon", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { drafts, stored, storage, text } = startDrafts();
  drafts.follow(state());
  drafts.set(TOPIC, { text: "half" });
  assert.deepEqual(startDrafts(storage).text(), ["half"], "after a reload");
  drafts.set(TOPIC, { text: "half a thought " });
  t.mock.timers.tick(1_500);
  await until(() => stored.get(1)?.content === "half a thought " || undefined, "on the server");
  await until(() => drafts.store.value.get("topic 5 lunch")?.isSynced || undefined, "marked as stored");

  // Neither the server's spelling of it, nor a late event about an earlier text, nor a list without it, changes it.
  drafts.follow(state(server(2, "elsewhere", { topic: "tea" })));
  drafts.follow(state(server(1, "half a thought")));
  drafts.follow(state(server(1, "half")));
  assert.deepEqual(text(), ["half a thought "]);
  // Another device goes on with it, and then sends it.
  const timestamp = Math.floor(Date.now() / 1000) + 60;
  drafts.follow(state(server(1, "half a thought, continued", { timestamp })));
  assert.deepEqual(text(), ["half a thought, continued"]);
  drafts.follow(state());
  assert.deepEqual([text(), storage.length], [[], 0]);
});

test("texts of two devices both stay", async (t) => {
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

test("tabs of one browser share what is typed, and the newer text stays", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 100_000 });
  const storage = new BrowserMemory();
  const [one, two] = [startDrafts(storage), startDrafts(storage)];
  const KEY = `hearth-draft-${SELF}-topic 5 lunch`;
  const stored = () => storage.getItem(KEY);
  const after = async (milliseconds: number) => {
    t.mock.timers.tick(milliseconds);
    await new Promise(setImmediate); // every answer is there
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

  // The tab in which it was typed is closed before the server has it.
  two.drafts.stop();
  await after(6_000);
  assert.equal(one.stored.get(1)?.content, "half a thought", "by the tab that is left");
  // It is sent: both fields are empty, and nothing is left in the browser.
  one.drafts.set(TOPIC, { text: "" });
  two.drafts.followTab(KEY, stored());
  assert.deepEqual(two.text(), [""]);
  await after(1_500);
  assert.equal(stored(), null);
  two.drafts.followTab(KEY, null);
  assert.deepEqual([one.text(), two.text(), one.calls.length], [[], [], 3]);
});

test("a person without stored drafts keeps them in the browser", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { drafts, calls, text } = startDrafts();
  drafts.follow({ drafts: [], user_settings: { enable_drafts_synchronization: false } } as never);
  drafts.set(TOPIC, { text: "mine" });
  t.mock.timers.tick(60_000);
  assert.deepEqual([text(), calls], [["mine"], []]);
});

test("a text that the server refuses holds up no other", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { drafts, stored, calls } = startDrafts();
  drafts.follow(state());
  const stores = async () => {
    t.mock.timers.tick(1_500);
    await new Promise(setImmediate); // every answer is there
    return [...stored.values()].map(({ content }) => content);
  };
  drafts.set({ ...TOPIC, topic: "refused" }, { text: "of a channel that is gone" });
  drafts.set(TOPIC, { text: "mine" });
  assert.deepEqual(await stores(), ["mine"]);
  drafts.set(TOPIC, { text: "mine again" });
  assert.deepEqual(await stores(), ["mine again"]);
  assert.equal(calls.filter((route) => route === "POST /drafts").length, 2, "the refused one is not sent once more");
});

test("a text goes with its conversation when that is moved", () => {
  const { drafts, text } = startDrafts();
  const moved = { ...TOPIC, topic: "dinner" };
  drafts.set(TOPIC, { text: "mine" });
  drafts.set(moved, { text: "there already" });
  drafts.move(TOPIC, moved);
  assert.deepEqual(text(), ["", "mine\nthere already"]);
  drafts.move(TOPIC, moved);
  assert.deepEqual(text(), ["", "mine\nthere already"], "nothing is left to be moved");
});

/** Files that are sent when the test says so. */
function startUploads(maxBytes = 100) {
  const { drafts } = startDrafts();
  const sends: { name: string; resolve(url: string): void; reject(error: Error): void; signal: AbortSignal }[] = [];
  const send: SendFile = ({ name }, _, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
      sends.push({ name, resolve, reject, signal });
    });
  const uploads = new Uploads({ drafts, send, maxBytes: () => maxBytes });
  const text = () => drafts.store.value.get("topic 5 lunch")?.text;
  const states = () => uploads.store.value.map(({ file, state, reason }) => [file.name, state, reason ?? ""].join(" "));
  const next = async (name: string) =>
    (await until(() => sends.find((one) => one.name === name), name)) as (typeof sends)[0];
  return { drafts, uploads, text, states, next };
}

test("files come where they were put, and divide nothing that was typed since", async () => {
  const { drafts, uploads, text, next } = startUploads();
  drafts.set(TOPIC, { text: "See  below" });
  uploads.add(TOPIC, [new File(["x"], "a.png"), new File(["x"], "b.png"), new File(["x"], "c.png")], 4);
  (await next("a.png")).resolve("/1/a.png");
  (await next("b.png")).resolve("/1/b.png");
  await next("c.png");
  assert.equal(text(), "See [a.png](/1/a.png)\n[b.png](/1/b.png)\n below");
  drafts.set(TOPIC, { text: "Hello wor" });
  (await next("c.png")).resolve("/1/c.png");
  await until(() => uploads.store.value.length === 0 || undefined, "the end");
  assert.equal(text(), "Hello wor [c.png](/1/c.png)\n");
  assert.equal(uploads.placed.value?.caret, undefined, "the caret stays in the word");
});

test("a file that fails is told of, holds up no other, and is sent again", async () => {
  const { uploads, text, states, next } = startUploads(3);
  const [first, vast, second] = [new File(["x"], "first"), new File(["vast"], "vast"), new File(["x"], "second")];
  uploads.add(TOPIC, [first, vast, second, new File(["x"], "third")], 0);
  (await next("first")).reject(new Error("no answer"));
  (await next("second")).reject(new FileRefused("No room."));
  const { signal } = await next("third");
  const failed = ["first failed unreachable", "vast failed tooLarge", "second failed refused"];
  assert.deepEqual(states(), [...failed, "third sending "]);
  uploads.remove(uploads.store.value[3]?.id ?? 0);
  assert.equal(signal.aborted, true);
  await until(() => states().length === 3 || undefined, "three");
  uploads.wake();
  assert.deepEqual(states().slice(1), failed.slice(1), "only what the server did not answer is tried by itself");
  const again = await until(() => states()[0]?.startsWith("first sending") || undefined, "again");
  assert.ok(again);
  assert.equal(text(), undefined);
});

test("a key of an input method sends nothing", () => {
  const key = (name: string, more = {}) => ({
    key: name,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...more,
  });
  assert.ok(isComposing({ isComposing: true, keyCode: 13 }) && isComposing({ isComposing: false, keyCode: 229 }));
  assert.equal(isComposing({ isComposing: false, keyCode: 13 }), false);
  const on = { text: "x", sendsOnEnter: true };
  const off = { text: "", sendsOnEnter: false };
  assert.equal(composerAction(key("Enter"), on), "send");
  assert.equal(composerAction(key("Enter", { shiftKey: true }), on), undefined);
  assert.equal(composerAction(key("Enter"), off), undefined);
  assert.equal(composerAction(key("Enter", { metaKey: true }), off), "send");
  assert.equal(composerAction(key("ArrowUp"), on), undefined);
  assert.equal(composerAction(key("ArrowUp"), off), "editLast");
  assert.deepEqual(composerAction(key("L", { ctrlKey: true, shiftKey: true }), on), { format: "link" });
});

test("a draft of the server belongs to its conversation", () => {
  assert.deepEqual(narrowOfDraft(server(1, "x"), SELF), TOPIC);
  assert.deepEqual(narrowOfDraft(server(1, "x", { topic: "" }), SELF), { kind: "channel", channelId: 5 });
  const direct = server(1, "x", { type: "private", to: [9, SELF, 3], topic: "" });
  assert.deepEqual(narrowOfDraft(direct, SELF), { kind: "direct", userIds: [3, 9] });
  assert.equal(narrowOfDraft(server(1, "x", { type: "", to: [] }), SELF), undefined);
});

test("polls and to-do lists follow from what people did", () => {
  let id = 0;
  const sub = (sender_id: number, content: object) =>
    ({
      id: ++id,
      sender_id,
      message_id: 1,
      msg_type: "widget",
      content: JSON.stringify(content),
    }) as Message["submessages"][number];
  const poll = { widget_type: "poll", extra_data: { question: "Day?", options: ["Sat", "Sun"] } };
  const vote = (sender: number, key: string, vote: 1 | -1) => sub(sender, { type: "vote", key, vote });
  const submessages = [
    sub(3, poll),
    vote(3, "canned,0", 1),
    vote(4, "canned,0", 1),
    vote(4, "canned,0", 1),
    vote(3, "canned,0", -1),
    sub(4, { type: "new_option", idx: 1, option: "Mon" }),
    sub(5, { type: "new_option", idx: 1, option: "Mon" }),
    vote(5, "4,1", 1),
    sub(3, { type: "question", question: "Which day?" }),
    sub(3, { type: "unheard of" }),
    { ...sub(3, {}), content: "no JSON" },
  ];
  assert.deepEqual(widgetOf({ submessages }), {
    kind: "poll",
    question: "Which day?",
    options: [
      { key: "canned,0", text: "Sat", voters: [4] },
      { key: "canned,1", text: "Sun", voters: [] },
      { key: "4,1", text: "Mon", voters: [5] },
    ],
  });
  const todo = {
    widget_type: "todo",
    extra_data: { task_list_title: "Sail", tasks: [{ task: "ropes", desc: "two" }] },
  };
  const actions = [
    sub(3, todo),
    sub(4, { type: "new_task", key: 2, task: "lamps", desc: "", completed: false }),
    sub(3, { type: "strike", key: "0,canned" }),
    sub(3, { type: "strike", key: "2,4" }),
    sub(4, { type: "strike", key: "2,4" }),
  ];
  assert.deepEqual(widgetOf({ submessages: actions }), {
    kind: "todo",
    title: "Sail",
    tasks: [
      { key: "0,canned", text: "ropes", description: "two", isDone: true },
      { key: "2,4", text: "lamps", description: "", isDone: false },
    ],
  });
  assert.equal(widgetOf({ submessages: [sub(3, { widget_type: "zform" })] }), undefined);
  assert.equal(pollText(" Which\nday? ", ["Sat", " Sun "]), "/poll Which day?\nSat\nSun");
  assert.equal(todoText("", ["ropes"]), "/todo \nropes");
});

test("formats are put around what is selected, and taken back", () => {
  /** `|` stands for both ends of the selection. */
  const apply = (format: Format, shown: string) => {
    const [before = "", inner = "", after = ""] = shown.split("|");
    const text = before + inner + after;
    const { from, to, insert, start, end } = formatted(format, {
      text,
      start: before.length,
      end: before.length + inner.length,
    });
    const next = text.slice(0, from) + insert + text.slice(to);
    return `${next.slice(0, start)}|${next.slice(start, end)}|${next.slice(end)}`;
  };
  assert.equal(apply("bold", "a |b| c"), "a **|b|** c");
  assert.equal(apply("bold", "a **|b|** c"), "a |b| c");
  assert.equal(apply("italic", "**|b|**"), "***|b|***");
  assert.equal(apply("italic", "*|b|*"), "|b|");
  assert.equal(apply("code", "||"), "`||`");
  assert.equal(apply("code", "x|a\nb|"), "x\n```||\na\nb\n```\n");
  assert.equal(apply("quote", "one\nt|wo\nth|ree"), "one\n|> two\n> th|ree");
  assert.equal(apply("list", "* o||ne"), "o||ne");
  assert.equal(apply("link", "see |here|"), "see [here](|https://|)");
  assert.equal(apply("link", "|https://x.y|"), "[||](https://x.y)");
  assert.equal(apply("spoiler", "|end|"), "```spoiler ||\nend\n```\n");
});

test("a text is formatted, looked at, saved as a snippet and made a poll", async (t) => {
  const venue = await startVenue(t);
  const { page, complaints } = await enter(t, venue, CLEO, inTopic(venue));
  const menu = async (item: string) => {
    await page.getByRole("button", { name: "More to write with" }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await composer(page).fill("so warm");
  await composer(page).selectText();
  await page.keyboard.press("Control+b");
  assert.equal(await composer(page).inputValue(), "**so warm**");
  await menu("Formatting buttons");
  await page.getByRole("button", { name: "Italic" }).click();
  assert.equal(await composer(page).inputValue(), "***so warm***");
  await page.keyboard.press("Control+z");
  assert.equal(await composer(page).inputValue(), "**so warm**", "and it can be undone");
  await composer(page).press("Alt+p");
  await page.getByRole("region", { name: "Preview" }).locator("strong").filter({ hasText: "so warm" }).waitFor();
  await assertAccessible(page, "the preview");
  await assertFits(page, "the preview");
  await page.getByRole("button", { name: "Write on" }).click();

  await menu("Saved snippets");
  await page.getByLabel("Save what you are writing as").fill("Weather");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Delete Weather" }).waitFor();
  await page.getByRole("button", { name: /^Weather/ }).click();
  await until(
    async () => (await composer(page).inputValue()) === "**so warm**\n**so warm**" || undefined,
    "the snippet",
  );

  await composer(page).fill("");
  await composer(page).pressSequentially("/po");
  await page.getByRole("option", { name: /^\/poll\s*makes a poll/ }).waitFor();
  await composer(page).fill("/ping");
  await composer(page).press("Control+Enter");
  await page.getByText("Done.").waitFor();
  await menu("New poll");
  await page.getByLabel("Question").fill("Which day?");
  await page.getByLabel("Options").fill("Saturday\nSunday");
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("button", { name: "Saturday 0 votes" }).waitFor();
  await composer(page).fill("/me waves");
  await composer(page).press("Control+Enter");
  await messageWith(page, "waves").locator("[data-action], p").first().waitFor();
  assert.deepEqual(complaints, []);
});

test("drafts, scheduled messages and reminders are listed and changed", async (t) => {
  const venue = await startVenue(t);
  const { url, cleo } = venue;
  const id = await venue.say(venue.owner, "Remember this");
  const tomorrow = String(Math.floor(Date.now() / 1000) + 86_400);
  await call(url, cleo, "POST /reminders", { message_id: id, scheduled_delivery_timestamp: tomorrow });
  const { page, complaints } = await enter(t, venue, CLEO, inTopic(venue));
  await messageWith(page, "Remember this").waitFor();

  await composer(page).fill("not yet");
  const drafts = async () =>
    (await call(url, cleo, "GET /drafts")).drafts.map((one: { content: string }) => one.content);
  await until(async () => ((await drafts()).includes("not yet") ? true : undefined), "a draft on the server");
  const other = { type: "private", to: [venue.owner.id], topic: "", content: "from the phone" };
  await call(url, cleo, "POST /drafts", { drafts: JSON.stringify([other]) });
  await page.getByRole("button", { name: "More", exact: true }).first().click();
  await page.getByRole("link", { name: "Drafts" }).click();
  await page.getByText("harbour › regatta").waitFor();
  await assertAccessible(page, "drafts");
  await page.getByRole("listitem").filter({ hasText: "from the phone" }).getByRole("button", { name: "Open" }).click();
  await until(async () => (await composer(page).inputValue()) === "from the phone" || undefined, "the phone's draft");

  await page.getByRole("button", { name: "Send later" }).click();
  await page.getByRole("button", { name: /^Tomorrow morning/ }).click();
  await page.getByText(/^It will be sent/).waitFor();
  assert.equal(await composer(page).inputValue(), "");
  await until(async () => ((await drafts()).join() === "not yet" ? true : undefined), "only the other draft");
  await page.getByRole("link", { name: "Scheduled messages" }).click();
  const item = page.getByRole("listitem").filter({ hasText: "from the phone" });
  await item.getByRole("button", { name: "Another time" }).click();
  await page.getByRole("button", { name: /^In an hour/ }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await assertFits(page, "scheduled messages");
  await item.getByRole("button", { name: "Edit" }).click();
  await until(async () => (await composer(page).inputValue()) === "from the phone" || undefined, "the text again");
  assert.equal((await call(url, cleo, "GET /scheduled_messages")).scheduled_messages.length, 0);
  await page.getByRole("button", { name: "Send later" }).click();
  await page.getByRole("button", { name: /^In an hour/ }).click();
  await page.getByRole("link", { name: "Scheduled messages" }).click();
  await item.getByRole("button", { name: "Send now" }).click();
  await messageWith(page, "from the phone").waitFor();

  await page.getByRole("link", { name: "Reminders" }).click();
  await page.getByRole("button", { name: "Open" }).click();
  await messageWith(page, "Remember this").waitFor();
  await page.getByRole("link", { name: "Reminders" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Ask to be reminded of a message from its menu.").waitFor();
  assert.deepEqual(complaints, []);
});

test("two tabs type one text, also while the server is away", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, CLEO, inTopic(venue, "regatta"));
  const context = page.context();
  const other = await context.newPage();
  await other.goto(page.url());
  await composer(other).waitFor();
  await context.setOffline(true);
  await composer(page).pressSequentially("Who rows");
  const shows = (tab: typeof page, text: string) =>
    until(async () => (await composer(tab).inputValue()) === text || undefined, text);
  await shows(other, "Who rows");
  await composer(other).press("End");
  await composer(other).pressSequentially(" today?");
  await shows(page, "Who rows today?");
  await other.close();
  await page.close();
  await context.setOffline(false);
  const again = await context.newPage();
  await again.goto(other.url());
  await shows(again, "Who rows today?");
});
