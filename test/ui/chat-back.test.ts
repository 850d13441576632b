/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { until } from "../support/patience.ts";
import { composer, enter, inTopic, messageWith, OWNER, startVenue } from "../support/venue.ts";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

// Chromium's close requests: Back on Android, which needs a real phone, and Escape, which a page handles the same way.

test("on a phone, a close request closes the top layer and keeps the conversation", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.owner, "A message");
  const { page, complaints } = await enter(t, venue, OWNER, inTopic(venue), PHONE);
  await messageWith(page, "A message").waitFor();
  assert.equal(await page.evaluate(() => matchMedia("(hover: none) and (pointer: coarse)").matches), true);
  const below = await page
    .getByRole("button", { name: en.chat.compose.send, exact: true })
    .evaluate((one) => window.innerHeight - one.getBoundingClientRect().bottom);
  assert.ok(below < 20, `no empty line stands below what one writes in: ${below} px`);
  const address = page.url();
  const dialog = page.getByRole("dialog");
  const search = page
    .getByRole("searchbox", { name: en.chat.emoji.search })
    .or(page.getByRole("combobox", { name: en.chat.emoji.search }));
  const back = () => page.keyboard.press("Escape");

  await page.getByRole("button", { name: en.chat.compose.emoji }).tap();
  await search.waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "DIV", "no keyboard covers the emoji");
  await back();
  await search.waitFor({ state: "detached" });

  await messageWith(page, "A message").getByRole("button", { name: "Owner" }).first().tap();
  await dialog.waitFor();
  await dialog.getByRole("button", { name: en.chatPeople.status.set }).tap();
  await page.getByRole("dialog", { name: en.chatPeople.status.title }).waitFor();
  await page.getByRole("button", { name: en.chatPeople.status.emoji }).tap();
  await search.waitFor();
  await back();
  await search.waitFor({ state: "detached" });
  await dialog.waitFor();
  await back();
  await dialog.waitFor({ state: "detached" });

  assert.equal(page.url(), address);
  await messageWith(page, "A message").waitFor();
  assert.deepEqual(complaints, []);
});

/** Waits until Back or Forward has reached this URL. */
const isAt = (page: Page, hash: string) =>
  until(() => page.evaluate((wanted) => window.location.hash === wanted || undefined, hash), hash);

test("with browser history only, Back closes the layer and leaves no entry", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "A message");
  await venue.say(venue.owner, "Mine");
  const before = "delete globalThis.CloseWatcher";
  const { page, complaints } = await enter(t, venue, OWNER, "#recent", { ...PHONE, before });
  await page
    .getByRole("link", { name: /regatta/ })
    .last()
    .tap();
  await messageWith(page, "A message").waitFor();
  const here = new URL(page.url()).hash;
  const dialog = page.getByRole("dialog");
  const menu = page.getByRole("menu");
  const back = () => page.evaluate(() => window.history.back());
  const entries = () => page.evaluate(() => window.history.length);
  await composer(page).fill("half a thought");
  const first = await entries();

  const openCard = () => messageWith(page, "A message").getByRole("button", { name: "Cleo Patra" }).first().tap();
  await openCard();
  await dialog.waitFor();
  await back();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: en.writing.more }).tap();
  await menu.waitFor();
  await back();
  await menu.waitFor({ state: "detached" });
  await page.getByRole("button", { name: en.chatPeople.panel.show }).tap();
  const panel = page.getByRole("complementary");
  await panel.waitFor();
  await panel.getByRole("button", { name: "Cleo Patra" }).first().tap();
  await dialog.waitFor();
  await back();
  await dialog.waitFor({ state: "detached" });
  await panel.waitFor();
  await back();
  await panel.waitFor({ state: "detached" });
  // Back closes two open dialogs one at a time.
  await messageWith(page, "Mine").getByRole("button", { name: "Owner" }).tap();
  await dialog.getByRole("button", { name: en.chatPeople.status.set }).tap();
  await page.getByRole("button", { name: en.chatPeople.status.emoji }).tap();
  const search = page.getByRole("searchbox", { name: en.chat.emoji.search });
  await search.waitFor();
  await back();
  await search.waitFor({ state: "detached" });
  await dialog.waitFor();
  await back();
  await dialog.waitFor({ state: "detached" });
  await isAt(page, here);
  assert.equal(await composer(page).inputValue(), "half a thought");
  assert.equal(await entries(), first + 1);

  // A dialog closed by its button leaves no history entry, and neither does navigation from it.
  await openCard();
  await dialog.getByRole("button", { name: en.dialog.close }).tap();
  await dialog.waitFor({ state: "detached" });
  await back();
  await isAt(page, "#recent");
  await page.evaluate(() => window.history.forward());
  await isAt(page, here);
  await openCard();
  await dialog.getByRole("button", { name: en.chatPeople.message }).tap();
  await page.getByRole("heading", { name: "Cleo Patra" }).waitFor();
  await back();
  await messageWith(page, "A message").waitFor();
  await isAt(page, here);
  await back();
  await isAt(page, "#recent");
  assert.deepEqual(complaints, []);
});

test("closing a dialog opened by its URL leaves no entry", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "A message");
  const { page } = await enter(t, venue, OWNER, "#recent");
  await page.evaluate((hash) => (window.location.hash = hash), inTopic(venue));
  await messageWith(page, "A message").waitFor();
  const here = new URL(page.url()).hash;
  await page.evaluate((hash) => (window.location.hash = hash), `#user/${venue.cleo.id}`);
  const dialog = page.getByRole("dialog", { name: "Cleo Patra" });
  await dialog.getByRole("button", { name: en.dialog.close }).click();
  await dialog.waitFor({ state: "detached" });
  await isAt(page, here);
  await page.evaluate(() => window.history.back());
  await isAt(page, "#recent");
});
