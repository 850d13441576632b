import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { inputValueOf, laterTimes } from "../../ui/chat/model/later.ts";
import { en } from "../../ui/locales/en.ts";
import { assertAccessible, assertFits, assertNone, intercept } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { call } from "../support/server-process.ts";
import { uiText } from "../support/ui-texts.ts";
import { CLEO, composer, enter, inTopic, messageWith, OWNER, startVenue } from "../support/venue.ts";

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

async function choose(page: Page, menu: string | RegExp, item: string | RegExp): Promise<void> {
  await page.locator("#conversation header").getByRole("button", { name: menu }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

test("a topic's menu follows, mutes, resolves, renames, moves and deletes it", async (t) => {
  const venue = await startVenue(t);
  const { url, owner, channelId } = venue;
  await venue.say(venue.cleo, "One");
  const later = await venue.say(venue.cleo, "Two");
  await call(url, owner, "POST /users/me/subscriptions", { subscriptions: JSON.stringify([{ name: "galley" }]) });
  const { page, complaints } = await enter(t, venue, OWNER, inTopic(venue));
  const other = await enter(t, venue, CLEO, `#narrow/channel/${channelId}`);
  const policies = async () => {
    const { user_topics } = await call(url, owner, "POST /register", { fetch_event_types: '["user_topic"]' });
    return user_topics.map((one: { topic_name: string; visibility_policy: number }) => one.visibility_policy);
  };
  await messageWith(page, "Two").waitFor();

  await choose(page, uiText("topics.menu", { topic: "regatta" }), en.topics.follow);
  await until(async () => ((await policies()).includes(3) ? true : undefined), "followed");
  await page
    .getByRole("button", { name: uiText("topics.menu", { topic: "regatta" }) })
    .first()
    .focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: en.topics.unfollow }).waitFor();
  await assertAccessible(page, "the menu of a topic");
  await page.keyboard.press("Escape");
  await choose(page, uiText("topics.menu", { topic: "regatta" }), en.topics.mute);
  await until(async () => ((await policies()).includes(1) ? true : undefined), "muted");

  await page.getByRole("button", { name: en.chat.resolve }).first().click();
  await heading(page, "✔ regatta").waitFor();
  await other.page.getByRole("link", { name: "✔ regatta" }).first().waitFor();
  await choose(page, uiText("topics.menu", { topic: "✔ regatta" }), en.chat.unresolve);
  await heading(page, "regatta").waitFor();

  await choose(page, uiText("topics.menu", { topic: "regatta" }), en.topics.rename);
  await page.getByRole("menu").waitFor({ state: "detached" });
  await page.keyboard.type("the race"); // the field has the focus and its text is selected
  await page.keyboard.press("Enter");
  await heading(page, "the race").waitFor();
  await messageWith(page, "One").waitFor();

  // Only the later message moves to another channel.
  await page.locator(`[data-message-id="${later}"]`).focus();
  await page.keyboard.press("m");
  await page.getByRole("combobox", { name: en.topics.channel, exact: true }).selectOption({ label: "galley" });
  await page.getByLabel(en.chat.compose.topic, { exact: true }).fill("soup");
  await assertFits(page, "moving");
  await page.getByRole("button", { name: en.topics.move, exact: true }).click();
  await heading(page, "soup").waitFor();
  await messageWith(page, "Two").waitFor();
  await assertNone(messageWith(page, "One"));

  await choose(page, uiText("topics.menu", { topic: "soup" }), en.topics.delete);
  await page.getByRole("button", { name: uiText("topics.deleteNamed", { topic: "soup" }) }).click();
  await heading(page, "galley").waitFor();
  await messageWith(page, "Two").waitFor({ state: "detached" });

  await other.page
    .getByRole("button", { name: uiText("topics.menu", { topic: "the race" }) })
    .last()
    .click();
  await other.page.getByRole("menuitem", { name: en.topics.rename }).waitFor();
  await assertNone(other.page.getByRole("menuitem", { name: en.topics.delete }), "only who administers deletes topics");
  await choose(page, uiText("channelMenu.label", { name: "galley" }), en.channelMenu.pin);
  await page
    .locator("#conversation header")
    .getByRole("button", { name: uiText("channelMenu.label", { name: "galley" }) })
    .click();
  await page.getByRole("menuitem", { name: en.channelMenu.unpin }).waitFor();
  // A page whose conversation empties before its deletion's response requests the messages' location and is refused.
  assert.deepEqual(
    complaints.filter((text) => !text.includes("400 (Bad Request)")),
    [],
  );
});

test("Enter after a new topic focuses the message, then sends it", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "One", "race");
  const { page } = await enter(t, venue, OWNER, `#narrow/channel/${venue.channelId}`);
  await messageWith(page, "One").waitFor();
  const field = page.getByRole("combobox", { name: en.chat.compose.topic });
  await field.fill("boats");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Who rows?");
  assert.deepEqual([await field.inputValue(), await composer(page).inputValue()], ["boats", "Who rows?"]);
  await field.focus();
  await page.keyboard.press("Enter");
  await messageWith(page, "Who rows?").waitFor();
  assert.match(page.url(), /\/topic\/boats\b/);
});

test("suggests a channel's topics in the topic field", async (t) => {
  const venue = await startVenue(t);
  const { url, owner, channelId } = venue;
  const done = await venue.say(venue.cleo, "One", "race");
  for (const topic of ["lunch", "regatta", "late lunch"]) await venue.say(venue.cleo, "Two", topic);
  await call(url, owner, `PATCH /messages/${done}`, { topic: "✔ race", propagate_mode: "change_all" });
  const { page, complaints } = await enter(t, venue, OWNER, `#narrow/channel/${channelId}`);
  await messageWith(page, "One").waitFor();
  const field = page.getByRole("combobox", { name: en.chat.compose.topic });
  const options = page.getByRole("listbox", { name: en.topics.ofChannel }).getByRole("option");
  const offers = (names: readonly string[]) =>
    until(async () => (await options.allTextContents()).join() === names.join() || undefined, names.join());
  const press = (key: string) => page.keyboard.press(key);
  const hasTopic = async (topic: string) => assert.equal(await field.inputValue(), topic);

  await page.keyboard.press("Escape");
  await press("c");
  await offers(["late lunch", "regatta", "lunch", "✔ race"]);
  await assertAccessible(page, "topics that are offered");
  await page.keyboard.type("lun");
  await offers(["lunch", "late lunch"]);
  await press("Escape");
  await offers([]);
  await press("ArrowDown");
  await press("ArrowUp");
  await options.filter({ hasText: "✔ race" }).and(page.locator("[aria-selected=true]")).waitFor();
  await field.fill("lunc");
  await press("ArrowDown");
  await press("Enter");
  await hasTopic("lunch");
  await page.keyboard.type("Who cooks?");
  assert.equal(await composer(page).inputValue(), "Who cooks?", "one writes on");
  // Text without a chosen suggestion stays as typed.
  await field.fill("late");
  await offers(["late lunch"]);
  await press("Tab");
  await hasTopic("late");
  await field.fill("late");
  await press("ArrowDown");
  await press("Tab");
  await hasTopic("late lunch");
  await field.fill("reg");
  await options.filter({ hasText: "regatta" }).click();
  await hasTopic("regatta");

  // A completed channel is followed by its topics.
  await composer(page).fill("");
  await composer(page).pressSequentially("#harb");
  const suggested = page.getByRole("listbox", { name: en.chat.compose.completions }).getByRole("option");
  await suggested.filter({ hasText: "harbour" }).waitFor();
  await press("Tab");
  await page.keyboard.type(">la");
  await suggested.filter({ hasText: "late lunch" }).waitFor();
  await press("Tab");
  assert.equal(await composer(page).inputValue(), "#**harbour>late lunch** ");
  await page.keyboard.type("#harbour>");
  await suggested.filter({ hasText: "channel events" }).waitFor();
  await composer(page).fill("");

  await page.locator(`[data-message-id="${done}"]`).focus();
  await press("m");
  const moved = page
    .getByRole("form", { name: en.topics.moveTitle })
    .getByRole("combobox", { name: en.chat.compose.topic });
  await moved.press("ArrowDown");
  await offers(["late lunch", "regatta", "lunch", "✔ race"]);
  await press("Enter");
  assert.equal(await moved.inputValue(), "late lunch");
  assert.deepEqual(complaints, []);
});

test("resolving and moving can be undone, unless topics merge", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "One");
  await venue.say(venue.cleo, "Two", "soup");
  const { page } = await enter(t, venue, OWNER, inTopic(venue));
  await messageWith(page, "One").waitFor();
  const notice = (text: string) => page.getByRole("alert").filter({ hasText: text });
  const undo = (text: string) => notice(text).getByRole("button", { name: en.saving.undo });
  const rename = async (topic: string) => {
    await choose(page, uiText("topics.menu", { topic: "regatta" }), en.topics.rename);
    await page.getByRole("menu").waitFor({ state: "detached" });
    await page.keyboard.type(topic);
    await page.keyboard.press("Enter");
    form.resolve();
    await heading(page, topic).waitFor();
  };
  // Keys typed while the form loads belong to it.
  const form = Promise.withResolvers<void>();
  await intercept(page, "**/assets/MoveForm-*.js", async (route) => {
    await form.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: en.chat.resolve }).first().click();
  await heading(page, "✔ regatta").waitFor();
  await undo(en.marking.resolved).click();
  await heading(page, "regatta").waitFor();
  await rename("the race");
  await undo(en.marking.moved).click();
  await heading(page, "regatta").waitFor();
  await rename("soup");
  await notice(en.marking.moved).last().waitFor();
  await assertNone(undo(en.marking.moved), "the messages are among others");
});

test("shortens a topic without room for the resolved mark", async (t) => {
  const venue = await startVenue(t);
  const { url, owner, channelId } = venue;
  const long = "r".repeat(59);
  await call(url, owner, "POST /messages", { type: "channel", to: channelId, topic: long, content: "One" });
  const { page } = await enter(t, venue, OWNER, `#narrow/channel/${channelId}/topic/${long}`);
  await messageWith(page, "One").waitFor();

  await page.getByRole("button", { name: en.chat.resolve }).first().click();
  await page.getByText(uiText("chat.noRoomForMark", { count: 58 })).waitFor();
  await page.getByLabel(en.chat.compose.topic, { exact: true }).fill("r".repeat(58));
  await page.keyboard.press("Enter");
  await heading(page, "r".repeat(58)).waitFor();
  await page.getByRole("button", { name: en.chat.resolve }).first().click();
  await heading(page, `✔ ${"r".repeat(58)}`).waitFor();
});

test("a message's menu shows edits and readers, reminds, reports and forwards", async (t) => {
  const venue = await startVenue(t);
  const { url, owner, cleo } = venue;
  const id = await venue.say(cleo, "First wrods");
  await call(url, cleo, `PATCH /messages/${id}`, { content: "First words" });
  const subscriptions = JSON.stringify([{ name: "desk" }]);
  await call(url, owner, "POST /users/me/subscriptions", { subscriptions, invite_only: true });
  const { stream_id: desk } = await call(url, owner, "GET /get_stream_id", { stream: "desk" });
  assert.equal((await call(url, owner, "PATCH /realm", { moderation_request_channel_id: desk })).status, 200);
  const { page, complaints } = await enter(t, venue, OWNER, inTopic(venue));
  const row = page.locator(`[data-message-id="${id}"]`);
  const open = async (item: string) => {
    await row.focus();
    await page.keyboard.press("i");
    await page.getByRole("menuitem", { name: item }).click();
  };
  await messageWith(page, "First words").waitFor();

  await open(en.messageMenu.history);
  await page.getByRole("dialog").getByText("wrods", { exact: true }).waitFor();
  await assertAccessible(page, "the edits of a message");
  await page.keyboard.press("Escape");

  await open(en.messageMenu.remind);
  await page.getByLabel(en.messageMenu.remindNote).fill("Buy soup");
  await page.getByRole("button", { name: en.writing.later.inAnHour }).click();
  await page.getByText(en.messageMenu.reminded).waitFor();
  const { reminders } = await call(url, owner, "GET /reminders");
  assert.equal(reminders[0]?.reminder_target_message_id, id);
  assert.match(reminders[0]?.content, /Buy soup/);

  await open(en.messageMenu.report);
  await page.getByLabel(en.messageMenu.reasons.other).check();
  await page.getByRole("button", { name: en.messageMenu.reportSend }).click();
  await page.getByRole("alert").filter({ hasText: "Describe what's wrong with the message." }).waitFor();
  await page.getByLabel(en.messageMenu.reportMore).fill("It is about boats.");
  await page.getByRole("button", { name: en.messageMenu.reportSend }).click();
  await page.getByText(en.messageMenu.reported).waitFor();
  const narrow = JSON.stringify([{ operator: "channel", operand: desk }]);
  const { messages } = await call(url, owner, "GET /messages", {
    anchor: "newest",
    num_before: 5,
    num_after: 0,
    narrow,
  });
  assert.ok(messages.some(({ content }: { content: string }) => content.includes("It is about boats.")));

  await open(en.messageMenu.receipts);
  await page.getByRole("dialog", { name: en.messageMenu.receipts }).waitFor();
  await page.keyboard.press("Escape");

  const smile = { emoji_name: "smile" };
  assert.equal((await call(url, venue.cleo, `POST /messages/${id}/reactions`, smile)).status, 200);
  await row.getByRole("button", { name: "smile: Cleo Patra" }).waitFor();
  await open(en.messageMenu.reactors);
  const reactors = page.getByRole("dialog", { name: en.messageMenu.reactors });
  await reactors.getByRole("listitem").filter({ hasText: "Cleo Patra" }).waitFor();
  await call(url, venue.cleo, `DELETE /messages/${id}/reactions`, smile);
  await reactors.getByText(en.messageMenu.noReactors).waitFor();
  await assertAccessible(page, "who has reacted");
  await page.keyboard.press("Escape");

  await open(en.messageMenu.forward);
  await page.getByRole("combobox", { name: en.search.goTitle }).fill("cleo");
  await page.keyboard.press("Enter");
  await heading(page, "Cleo Patra").waitFor();
  const composer = page.getByRole("textbox", { name: uiText("chat.compose.placeholder", { title: "Cleo Patra" }) });
  await until(
    async () => (await composer.inputValue()).includes("```quote\nFirst words\n```") || undefined,
    "a quotation",
  );
  assert.equal(complaints.length, 1, "only the report without a reason was refused");
});

test("polls and to-do lists are created and change live", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.owner, "/poll Which day?\nSaturday\nSunday");
  await venue.say(venue.owner, "/todo Before we sail\nropes: two of them\nlamps");
  const ann = await enter(t, venue, OWNER, inTopic(venue));
  const cleo = await enter(t, venue, CLEO, inTopic(venue));
  const option = (page: Page, name: string) => page.getByRole("button", { name });
  await option(cleo.page, `Sunday ${uiText("writing.poll.votes", { count: 0 })}`).click();
  await option(ann.page, "Sunday Cleo Patra 1 vote").click();
  await option(cleo.page, "Sunday Cleo Patra, Owner 2 votes").waitFor();
  await option(ann.page, "Sunday Cleo Patra, Owner 2 votes").click();
  await option(cleo.page, "Sunday Cleo Patra 1 vote").waitFor();
  await cleo.page.getByLabel(en.writing.poll.addOption).fill("Monday");
  await cleo.page.keyboard.press("Enter");
  await option(ann.page, `Monday ${uiText("writing.poll.votes", { count: 0 })}`).click();
  await option(cleo.page, `Monday Owner ${uiText("writing.poll.votes", { count: 1 })}`).waitFor();

  await cleo.page.getByRole("checkbox", { name: /ropes/ }).click();
  await ann.page.locator("label[data-done=true]").filter({ hasText: "ropes" }).waitFor();
  await ann.page.getByLabel(en.writing.todo.addTask).fill("coffee");
  await ann.page.keyboard.press("Enter");
  await cleo.page.getByRole("checkbox", { name: "coffee" }).waitFor();
  await assertAccessible(ann.page, "a poll and a list");
  assert.deepEqual([ann.complaints, cleo.complaints], [[], []]);
});

test("suggested times are in the future by the user's clock", () => {
  const at = (text: string) => new Date(text).getTime();
  const offered = (text: string) => laterTimes(at(text)).map(({ name, at: time }) => [name, inputValueOf(time)]);
  assert.deepEqual(offered("2026-05-06T10:30"), [
    ["inAnHour", "2026-05-06T11:30"],
    ["thisEvening", "2026-05-06T18:00"],
    ["tomorrow", "2026-05-07T09:00"],
    ["nextWeek", "2026-05-11T09:00"],
  ]);
  assert.deepEqual(
    offered("2026-05-10T17:30").map(([name]) => name),
    ["inAnHour", "tomorrow"],
    "on a Sunday evening",
  );
  assert.deepEqual(offered("2026-05-11T08:00").at(-1), ["nextWeek", "2026-05-18T09:00"]);
});
