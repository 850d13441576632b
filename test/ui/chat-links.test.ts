import assert from "node:assert/strict";
import test from "node:test";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, assertNone } from "../support/browser.ts";
import { call } from "../support/server-process.ts";
import { likeText } from "../support/ui-texts.ts";
import { CLEO, enter, GUEST, inTopic, messageWith, OWNER, startVenue } from "../support/venue.ts";

test("links of the public web client open here, with history navigation", async (t) => {
  const venue = await startVenue(t);
  const id = await venue.say(venue.cleo, "The one to find", "old engine");
  await venue.say(
    venue.cleo,
    `See ${venue.url}/#narrow/stream/${venue.channelId}-harbour/topic/old.20engine/near/${id}`,
  );
  const { page } = await enter(t, venue, OWNER, inTopic(venue));
  await messageWith(page, "See").getByRole("link").last().click();
  await messageWith(page, "The one to find").waitFor();
  await page.getByRole("heading", { name: "old engine" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "regatta" }).waitFor();
  await page.goForward();
  await page.getByRole("heading", { name: "old engine" }).waitFor();

  // Layers opened by a URL close with Back and with Escape, and the conversation stays.
  const visitAddress = (hash: string) => page.evaluate((to) => window.location.assign(to), hash);
  const heading = (name: string) => page.getByRole("dialog").getByRole("heading", { name, exact: true });
  await visitAddress("#message-formatting");
  await heading(en.help.titles.formatting).waitFor();
  await page.getByRole("dialog").locator("blockquote").waitFor();
  await assertAccessibleInBothThemes(page, "help about formatting");
  await page.goBack();
  await heading(en.help.titles.formatting).waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "old engine" }).waitFor();
  for (const [hash, title] of [
    ["#search-operators", en.help.titles.operators],
    ["#keyboard-shortcuts", en.help.titles.keys],
    ["#about-zulip", en.help.titles.about],
    ["#groups", en.chatPeople.groups],
    ["#channels/new", en.newChannel.title],
    [`#user/${venue.cleo.id}/Cleo`, "Cleo Patra"],
    [`#channels/${venue.channelId}/harbour/subscribers`, "harbour"],
  ] as const) {
    await visitAddress(hash);
    await heading(title).waitFor();
    await assertFits(page, title);
    await page.keyboard.press("Escape");
    await heading(title).waitFor({ state: "detached" });
    assert.match(await page.evaluate(() => window.location.hash), /old\.20engine/);
  }
  await visitAddress("#search-operators");
  await page.getByRole("button", { name: /^is:starred/ }).click();
  assert.equal(await page.getByRole("combobox", { name: en.search.title }).inputValue(), "is:starred ");
  await page.keyboard.press("Escape");
  // An invalid URL shows a notice above the inbox.
  await visitAddress("#narrow/channel/1/smell/old.20engine");
  const status = page.getByRole("status").filter({ hasText: en.unclearAddress.said });
  await status.getByText("#narrow/channel/1/smell/old.20engine").waitFor();
  await page.getByRole("heading", { name: en.views.inbox }).waitFor();
  await assertAccessibleInBothThemes(page, "an address that leads nowhere");
  await page.setViewportSize({ width: 360, height: 700 });
  await assertFits(page, "an address that leads nowhere");
  await page.setViewportSize({ width: 1280, height: 800 });
  await status.getByRole("button", { name: en.unclearAddress.search }).click();
  await page.getByRole("combobox", { name: en.search.title }).waitFor();
  assert.equal(await page.getByRole("combobox", { name: en.search.title }).inputValue(), "channel:harbour old engine");
  await page.keyboard.press("Escape");
  await status.getByRole("button", { name: en.unclearAddress.toInbox }).click();
  await status.waitFor({ state: "detached" });
  // URLs of the other window work without a notice.
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  await page.evaluate((said) => {
    const look = () => document.body.textContent.includes(said) && console.log("it leads nowhere");
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
  }, en.unclearAddress.said);
  await visitAddress("#organization/linkifier-settings");
  await page.waitForURL(`${venue.url}/admin/#/linkifiers`);
  assert.ok(!said.includes("it leads nowhere"));

  // The message was moved, and the old link leads to its new location.
  const moved = { topic: "new engine", propagate_mode: "change_all" };
  assert.equal((await call(venue.url, venue.owner, `PATCH /messages/${id}`, moved)).status, 200);
  await page.goto(`${venue.url}/#narrow/channel/${venue.channelId}-harbour/topic/old.20engine/with/${id}`);
  await page.getByRole("heading", { name: "new engine" }).waitFor();
  await messageWith(page, "The one to find").waitFor();

  // Missing and inaccessible messages show one notice.
  const gone = await venue.say(venue.cleo, "Soon gone", "new engine");
  assert.equal((await call(venue.url, venue.owner, `DELETE /messages/${gone}`)).status, 200);
  await visitAddress(`#narrow/channel/${venue.channelId}-harbour/topic/new.20engine/near/${gone}`);
  await page.getByText(en.chat.linkedGone).waitFor();
  await messageWith(page, "The one to find").waitFor();
  await visitAddress("#narrow/dm/9999");
  await page.getByText(en.writing.closed.unknown).waitFor();
  await assertNone(page.getByRole("textbox", { name: likeText(en.chat.compose.placeholder) }), "nothing is sent there");
  await visitAddress("#narrow/channel/9999-nowhere");
  await page.getByRole("button", { name: en.chat.browseChannels }).nth(1).waitFor();
  assert.equal(await page.getByText(en.writing.closed.gone).count(), 1);

  await page.getByRole("button", { name: en.search.title }).click();
  await page.getByRole("combobox", { name: en.search.title }).fill("find");
  await page.keyboard.press("Enter");
  await messageWith(page, "The one to find").locator(".highlight").waitFor();
  await page
    .getByRole("link", { name: /new engine/ })
    .last()
    .click();
  await page.getByRole("heading", { name: "new engine" }).waitFor();
});

test("members reach their bots from account menu, palette and settings", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, CLEO, "#inbox");
  await page.keyboard.press("Control+K");
  await page.getByRole("combobox", { name: en.search.goTitle }).fill("bot");
  await page.getByRole("option", { name: en.chat.bots }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: likeText(en.chat.account) }).click();
  const link = page.getByRole("link", { name: en.chat.bots });
  assert.equal(await link.getAttribute("href"), "/admin/#/own");
  await page.keyboard.press("Escape");
  await page.evaluate(() => window.location.assign("#settings/access"));
  await link.click();
  await page.getByRole("heading", { name: en.own.title }).waitFor();

  const { page: guests } = await enter(t, venue, GUEST, "#settings/access");
  await guests.getByText(en.ownSettings.access.keyHint).waitFor();
  await assertNone(guests.getByRole("link", { name: en.chat.bots }));
});

test("people who can invite reach the invitations from the chat", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, CLEO, "#inbox");
  await page.getByRole("button", { name: likeText(en.chat.account) }).click();
  await page.getByRole("link", { name: en.chat.invite }).click();
  await page.getByRole("dialog", { name: en.chat.invite }).waitFor();

  const { page: guests } = await enter(t, venue, GUEST, "#inbox");
  await guests.getByRole("button", { name: likeText(en.chat.account) }).click();
  await guests.getByRole("link", { name: en.ownSettingsNames.title }).waitFor();
  await assertNone(guests.getByRole("link", { name: en.chat.invite }));
});
