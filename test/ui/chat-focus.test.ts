/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import type { Locator } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessible, assertFocusVisible } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { call } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";
import { composer, enter, inTopic, messageWith, OWNER, startVenue, write } from "../support/venue.ts";

const hasFocus = (target: Locator, what: string) =>
  until(async () => (await target.evaluate((one) => one === document.activeElement)) || undefined, what);

test("removing the focused element moves the focus", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "Who rows?");
  const { page, complaints } = await enter(t, venue, OWNER, inTopic(venue));
  await write(page, "I row");
  const row = messageWith(page, "I row");
  await row.waitFor();
  const press = (key: string) => page.keyboard.press(key);
  const address = page.url();

  // After a dialog, the field or the message has the focus.
  const dialog = page.getByRole("dialog");
  await composer(page).focus();
  await press("Control+k");
  await dialog.waitFor();
  await press("Escape");
  await hasFocus(composer(page), "the field after the palette");
  await press("Escape");
  await hasFocus(row, "the message after the field");
  for (const key of ["?", "u", "V"]) {
    await press(key);
    await dialog.waitFor();
    await press("Escape");
    await dialog.waitFor({ state: "detached" });
    await hasFocus(row, `the message after ${key}`);
  }
  // Clicking Send keeps the focus in the composer.
  await write(page, "So do you");
  await messageWith(page, "So do you").waitFor();
  await hasFocus(composer(page), "the field after its button");
  await row.focus();
  // A menu handles its own Escape, and the conversation stays open.
  await press("i");
  const menu = page.getByRole("menu");
  await menu.getByRole("menuitem", { name: en.messageMenu.reply }).waitFor();
  await press("Escape");
  await menu.waitFor({ state: "detached" });
  await hasFocus(row, "the message after its menu");
  assert.equal(page.url(), address);
  await press("i");
  await menu.getByRole("menuitem", { name: en.writing.remind }).press("Enter");
  await dialog.waitFor();
  await press("Escape");
  await hasFocus(row, "the message after a dialog of its menu");
  await press("m");
  await page.getByRole("form", { name: en.topics.moveTitle }).waitFor();
  await press("Escape");
  await hasFocus(row, "the message after the form that moves it");
  // When opened by a menu it also has the focus, and Escape closes it from anywhere.
  const form = page.getByRole("form", { name: en.topics.moveTitle });
  const topicMenu = page
    .locator("#conversation header")
    .getByRole("button", { name: uiText("topics.menu", { topic: "regatta" }) });
  await topicMenu.click();
  await page.getByRole("menuitem", { name: en.topics.rename }).click();
  await menu.waitFor({ state: "detached" });
  await hasFocus(form.getByRole("combobox", { name: en.chat.compose.topic }), "the topic of the form");
  await press("Escape");
  await hasFocus(topicMenu, "the menu's button after the form");
  for (const elsewhere of [row, composer(page)]) {
    await row.focus();
    await press("m");
    await form.waitFor();
    await elsewhere.focus();
    await press("Escape");
    await form.waitFor({ state: "detached" });
    await hasFocus(elsewhere, "what had the focus beside the form");
  }
  // When opened from the sidebar, the form has the focus though the conversation opens below it.
  await page.goto(`${venue.url}/#feed`);
  await page.getByRole("navigation").getByRole("link", { name: "harbour", exact: true }).click();
  await page
    .getByRole("navigation")
    .getByRole("button", { name: uiText("topics.menu", { topic: "regatta" }) })
    .click();
  await page.getByRole("menuitem", { name: en.topics.rename }).click();
  await row.waitFor();
  await hasFocus(
    form.getByRole("combobox", { name: en.chat.compose.topic }),
    "the topic of the form above a conversation that opens",
  );
  await press("Escape");
  await form.waitFor({ state: "detached" });
  await row.focus();

  // Buttons that disappear when you press them.
  await press("+");
  await row.getByRole("button", { name: /^\+1/ }).press("Enter");
  await hasFocus(row, "the message after the last reaction");
  await press("-");
  await page.getByRole("button", { name: en.chat.expand }).press("Enter");
  await hasFocus(row, "the message when it is shown again");
  await press("e");
  await page.getByLabel(en.chat.editText).fill("I row, too");
  await press("Escape");
  await row.getByRole("button", { name: en.dialog.discard }).press("Enter");
  await hasFocus(row, "the message without its change");
  await row.getByRole("button", { name: en.chat.tools.delete }).press("Enter");
  const undo = page.getByRole("button", { name: en.chat.undo });
  await hasFocus(undo, "the way back from a deletion");
  await press("Enter");
  await hasFocus(row, "the message that is back");
  await row.getByRole("button", { name: en.chat.tools.delete }).press("Enter");
  await hasFocus(undo, "the way back once more");
  await undo.waitFor({ state: "detached" });
  await hasFocus(messageWith(page, "So do you"), "the message beside the deleted one");
  assert.deepEqual(complaints, []);
});

test("Escape closes the picker above a dialog, then the dialog", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, OWNER, "#inbox");
  await page.getByRole("button", { name: likeText(en.chat.account) }).press("Enter");
  await page.getByRole("button", { name: en.chatPeople.status.set }).press("Enter");
  const dialog = page.getByRole("dialog", { name: en.chatPeople.status.title });
  await dialog.getByRole("textbox").fill("At sea");
  await page.getByRole("button", { name: en.chatPeople.status.emoji }).press("Enter");
  const search = page.getByLabel(en.chat.emoji.search);
  await search.waitFor();
  await search.press("Escape");
  await search.waitFor({ state: "detached" });
  assert.equal(await dialog.getByRole("textbox").inputValue(), "At sea");
  await hasFocus(page.getByRole("button", { name: en.chatPeople.status.emoji }), "the button of the picker");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: en.dialog.goOn }).and(page.locator(":focus")).waitFor();
  await dialog.getByRole("button", { name: en.dialog.discard }).press("Enter");
  await dialog.waitFor({ state: "detached" });
});

test("removing a row focuses the next", async (t) => {
  const venue = await startVenue(t);
  const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 86_400;
  for (const content of ["one", "two", "three"]) {
    const message = { type: "channel", to: venue.channelId, topic: "regatta", content, scheduled_delivery_timestamp };
    assert.equal((await call(venue.url, venue.owner, "POST /scheduled_messages", message)).status, 200);
  }
  const { page } = await enter(t, venue, OWNER, "#scheduled");
  const line = (text: string) => page.getByRole("listitem").filter({ hasText: text });
  await line("two")
    .getByRole("button", { name: /delete|cancel/i })
    .press("Enter");
  await line("two").waitFor({ state: "detached" });
  await until(() => hasFocusIn(line("three")), "the focus in the third");
  await line("three")
    .getByRole("button", { name: /delete|cancel/i })
    .press("Enter");
  await until(() => hasFocusIn(line("one")), "the focus in the first");
});

const hasFocusIn = async (line: Locator) =>
  (await line.evaluate((one) => one.contains(document.activeElement))) || undefined;

test("clicking the background removes the focus", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, OWNER, "#inbox");
  await page.getByRole("link", { name: "harbour", exact: true }).focus();
  await page.getByRole("heading", { name: en.views.inbox }).click();
  await venue.say(venue.cleo, "Who rows?");
  await page.getByRole("main").getByText("regatta").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.closest("a") ?? null), null);
});

test("the overlay column has the focus and Escape closes it", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "Who rows?");
  const options = { viewport: { width: 900, height: 700 } };
  const { page } = await enter(t, venue, OWNER, inTopic(venue), options);
  const address = page.url();
  const toggle = page.getByRole("button", { name: en.chatPeople.panel.show });
  await toggle.press("Enter");
  const panel = page.getByRole("complementary");
  await hasFocus(panel, "the column");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await hasFocus(toggle, "the button that opened it");
  assert.equal(page.url(), address);
});

test("an icon button shows its label on hover and on keyboard focus", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "One");
  const { page } = await enter(t, venue, OWNER, inTopic(venue));
  await messageWith(page, "One").waitFor();
  const tooltip = page.getByRole("tooltip", { name: en.chat.resolve });
  const button = page.getByRole("button", { name: en.chat.resolve }).first();
  await button.hover();
  await tooltip.waitFor();
  await assertAccessible(page, "a tooltip");
  await page.mouse.move(600, 400);
  await tooltip.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "harbour" }).last().focus();
  await page.keyboard.press("Tab");
  await hasFocus(button, "the button after the channel");
  await tooltip.waitFor();
  await page.keyboard.press("Escape");
  await tooltip.waitFor({ state: "detached" });
});

test("the focus is visible on all sides", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "One", "sails");
  await venue.say(venue.cleo, "Two");
  await call(venue.url, venue.owner, "POST /drafts", {
    drafts: JSON.stringify([{ type: "stream", to: [venue.channelId], topic: "tea", content: "Three" }]),
  });
  const { page } = await enter(t, venue, OWNER, "#inbox");
  await page.getByRole("button", { name: en.views.more }).click();
  await page.evaluate(() => localStorage.setItem("hearth-format-bar", "true"));
  for (const place of ["#inbox", "#recent", "#drafts", `#topics/${venue.channelId}`, inTopic(venue)]) {
    await page.evaluate((hash) => window.location.assign(hash), place);
    await page.locator("#conversation h2").waitFor();
    await page.locator("#conversation").focus();
    assert.ok((await assertFocusVisible(page, place, 40)) > 8, place);
  }
});
