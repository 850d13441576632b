import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { generatedPicture } from "../../server/api/presenters/pictures.ts";
import { en } from "../../ui/locales/en.ts";
import { assertAccessible, assertAccessibleInBothThemes, assertFits, intercept } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { call } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";
import { CLEO, composer, enter, inTopic, messageWith, OWNER, startVenue } from "../support/venue.ts";

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
const focused = (page: Page, text: string) => page.locator("article:focus").filter({ hasText: text });

test("the keyboard reaches and does everything", async (t) => {
  const venue = await startVenue(t);
  const form = new FormData();
  form.set("gull.png", new Blob([new Uint8Array(generatedPicture("gull", "medium"))]), "gull.png");
  const { authorization } = venue.owner;
  const added = await fetch(`${venue.url}/api/v1/realm/emoji/gull`, {
    method: "POST",
    headers: { authorization },
    body: form,
  });
  assert.equal(added.status, 200);
  await venue.say(venue.cleo, "Who sails?");
  await venue.say(venue.cleo, "Who cooks?", "galley");
  const { page, complaints } = await enter(t, venue, OWNER, "#inbox");
  await heading(page, en.views.inbox).waitFor();

  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("k");
  await page.locator("#conversation li a:focus").waitFor();

  // Reads on from the inbox through the unread messages.
  await page.keyboard.press("n");
  await focused(page, "Who sails?").waitFor();
  await page.keyboard.press("n");
  await focused(page, "Who cooks?").waitFor();
  // The title counts unread messages. Until the server knows that both are read, "n" returns to the first.
  await page.waitForFunction(() => !document.title.startsWith("("));
  await page.keyboard.press("n");
  await page.getByText(en.shortcuts.nothingUnread).waitFor();

  // Acts on the selected message.
  await page.keyboard.press("+");
  await page.getByRole("button", { name: "+1: Owner", pressed: true }).waitFor();
  await page.keyboard.press("=");
  await page.getByRole("button", { name: "+1: Owner" }).waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  await page.getByRole("button", { name: en.chat.tools.unstar }).waitFor();
  await page.keyboard.press(":");
  await page.getByLabel(en.chat.emoji.search).fill("tada");
  await page.getByTitle(":tada:").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "tada: Owner", pressed: true }).waitFor();
  await page.keyboard.press(":");
  await page.getByLabel(en.chat.emoji.search).fill("gul");
  await page.getByTitle(":gull:").locator("img").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "gull: Owner", pressed: true }).locator("img").waitFor();
  // Arrows move over all emoji, and letters continue the search.
  await page.keyboard.press(":");
  await page.getByRole("region", { name: en.chat.emoji.sections.flags }).waitFor({ state: "attached" });
  await page.keyboard.press("ArrowDown");
  const ofGroup = (group: string) => page.getByRole("region", { name: group }).locator("button:focus");
  // It was just used, so it is first.
  await ofGroup(en.chat.emoji.sections.often).and(page.getByTitle(":gull:")).waitFor();
  await page.keyboard.press("ArrowRight");
  await ofGroup(en.chat.emoji.sections.often).and(page.getByTitle(":tada:")).waitFor();
  await page.keyboard.press("End");
  await ofGroup(en.chat.emoji.sections.flags).waitFor();
  await page.keyboard.press("Home");
  await ofGroup(en.chat.emoji.sections.often).and(page.getByTitle(":gull:")).waitFor();
  for (const group of [
    en.chat.emoji.sections.often,
    en.chat.emoji.sections.own,
    en.chat.emoji.sections.smileys,
    en.chat.emoji.sections.smileys,
  ]) {
    await page.keyboard.press("ArrowDown");
    await ofGroup(group).waitFor();
  }
  await page.keyboard.press("ArrowUp");
  await ofGroup(en.chat.emoji.sections.smileys).waitFor();
  await page.keyboard.type("oct");
  await page.getByTitle(":octopus:").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "octopus: Owner", pressed: true }).waitFor();

  await page.keyboard.press("-");
  await page.getByRole("button", { name: en.chat.expand }).waitFor();
  await page.keyboard.press("-");
  await messageWith(page, "Who cooks?").waitFor();
  // Keys typed while a card or dialog loads belong to it and are no shortcuts.
  const loading: (() => void)[] = [];
  await intercept(page, /\/assets\/(?:PersonCard|StatusDialog|NewDirectMessage)-[^/]*\.js$/, async (route) => {
    await new Promise<void>((resolve) => loading.push(resolve));
    await route.continue();
  });
  const load = async () => (await until(() => loading.shift(), "a part that is asked for"))();
  await page.keyboard.press("u");
  await page.keyboard.type("xt");
  await load();
  await page.getByRole("dialog", { name: "Cleo Patra" }).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 1);
  assert.match(page.url(), /galley/);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: likeText(en.chat.account) }).click();
  await page.getByRole("button", { name: en.chatPeople.status.set }).click();
  await page.keyboard.type("to lunch");
  await load();
  const status = page.getByRole("dialog", { name: en.chatPeople.status.title }).getByLabel(en.chatPeople.status.text);
  await until(async () => (await status.inputValue()) === "to lunch" || undefined, "the status that was typed");
  await status.fill("");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await messageWith(page, "Who cooks?").focus();
  await page.keyboard.press("U");
  await page.getByRole("link", { name: likeText(`galley{{}}${uiText("chat.unread", { count: 1 })}`) }).waitFor();

  // Replies, edits the last message, and returns to the messages.
  await messageWith(page, "Who cooks?").focus();
  await page.keyboard.press("r");
  await page.keyboard.type("I cuok");
  // It edits the last message though the server does not have it yet.
  const held: (() => void)[] = [];
  await intercept(page, "**/api/v1/messages", async (route) => {
    if (route.request().method() === "POST" && held.length === 0)
      await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.keyboard.press("Control+Enter");
  const release = await until(() => held[0], "a message on its way");
  await page.keyboard.press("ArrowUp");
  release();
  await messageWith(page, "I cuok").waitFor();
  const edited = page.getByLabel(en.chat.editText);
  await until(async () => (await edited.inputValue()) === "I cuok" || undefined, "the newest of one's own");
  await edited.fill("I cook");
  await page.keyboard.press("Control+Enter");
  await messageWith(page, "I cook").waitFor();
  await until(
    async () => (await composer(page).evaluate((one) => one === document.activeElement)) || undefined,
    "focus",
  );
  await page.keyboard.press("Escape");
  await focused(page, "I cook").waitFor();
  await page.keyboard.press("k");
  await focused(page, "Who cooks?").waitFor();
  await page.keyboard.press("j");
  await focused(page, "I cook").waitFor();
  await page.keyboard.press("@");
  await until(async () => (await composer(page).inputValue()).startsWith("@**Owner|") || undefined, "a mention");
  await composer(page).fill("");
  await page.keyboard.press("Escape");

  // Opens a narrower view, a wider one, and a new topic in the channel.
  await page.keyboard.press("s");
  await heading(page, "harbour").waitFor();
  await focused(page, "I cook").waitFor();
  await page.keyboard.press("s");
  await heading(page, "galley").waitFor();
  await page.keyboard.press("c");
  await page.keyboard.type("fog");
  await until(
    async () => (await page.getByLabel(en.chat.compose.topic, { exact: true }).inputValue()) === "fog" || undefined,
    "a topic",
  );
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  await heading(page, en.views.recent).waitFor();
  await page.getByRole("link", { name: /harbour\s*galley/ }).waitFor();
  await page.keyboard.press("*");
  await heading(page, en.views.starred).waitFor();
  await messageWith(page, "Who cooks?").waitFor();
  await page.keyboard.press("Escape");
  await heading(page, en.views.inbox).waitFor();
  // The focused element is gone, so the next Tab continues from the conversation, which has no frame.
  const frame = await until(
    () =>
      page.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.id === "conversation" ? getComputedStyle(activeElement).outlineStyle : undefined;
      }),
    "the focus in the conversation",
  );
  assert.equal(frame, "none");

  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: en.help.titles.keys }).waitFor();
  const undo = page.getByRole("dialog").locator("dl > div", { hasText: en.shortcuts.undo });
  assert.deepEqual(await undo.locator("kbd").allTextContents(), [en.shortcuts.ctrl, "Z"]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("x");
  await page.keyboard.type("cleo");
  // One Enter adds her, the next opens the conversation.
  for (const key of ["Enter", "Enter"]) await page.keyboard.press(key);
  await load();
  await heading(page, "Cleo Patra").waitFor();
  await page.goBack();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (const [key, sigil] of [
    ["q", "#"],
    ["w", "@"],
  ] as const) {
    await page.keyboard.press(key);
    const field = page.getByRole("combobox", { name: en.search.goTitle });
    await until(async () => (await field.inputValue()) === sigil || undefined, `the field after ${key}`);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await page.keyboard.press("g");
  await page.getByRole("button", { name: en.chat.signOut }).waitFor();
  await page.keyboard.press("Escape");
  assert.deepEqual(complaints, []);
});

test("one field finds anyone and anything, and searches", async (t) => {
  const venue = await startVenue(t);
  const found = await venue.say(venue.cleo, "The lamp is broken", "winter storage");
  for (let n = 0; n < 3; n += 1) await venue.say(venue.cleo, `filler ${n}`, "winter storage");
  await venue.say(venue.owner, "My lamp works");
  const { page, complaints } = await enter(t, venue, CLEO, inTopic(venue));
  const goTo = page.getByRole("combobox", { name: en.search.goTitle });

  // Keys typed before the field appears go to it, not to the message or the page.
  await composer(page).press("Control+k");
  await page.keyboard.type("winter-e");
  await until(async () => (await goTo.inputValue()) === "winter-e" || undefined, "all that was typed");
  assert.equal(await composer(page).inputValue(), "");
  await goTo.fill("");
  const place = await goTo.boundingBox();
  await goTo.fill("winter");
  await page.getByRole("option", { name: "harbour › winter storage", selected: true }).waitFor();
  assert.deepEqual(await goTo.boundingBox(), place, "the field stays where it is, whatever is found");
  await page.keyboard.press("Enter");
  await heading(page, "winter storage").waitFor();
  // Everyday words also find settings and actions.
  await page.keyboard.press("Control+k");
  await goTo.fill("password");
  await page
    .getByRole("option", {
      name: `${en.ownSettingsNames.title}: ${en.ownSettingsNames.sections.account}`,
      selected: true,
    })
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: en.ownSettings.account.changePassword }).waitFor();
  await page.keyboard.press("Control+k");
  await goTo.fill("night");
  await page.getByRole("option", { name: `${en.scheme.label}: ${en.scheme.dark}`, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator("html[data-mantine-color-scheme=dark]").waitFor();
  await page.keyboard.press("Control+k");
  await goTo.fill("away");
  await page.getByRole("option", { name: en.chatPeople.status.set, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("heading", { name: en.chatPeople.status.title }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await goTo.fill("@own");
  await page.getByRole("option", { name: "Owner", exact: true }).click();
  await heading(page, "Owner").waitFor();
  await page.keyboard.press("Escape");

  // Operators are completed with explanations.
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: en.search.title });
  await field.fill("own");
  await page.getByRole("option", { name: uiText("search.searchFor", { text: "own" }), selected: true }).waitFor();
  await page.getByRole("option", { name: "Owner", exact: true }).waitFor();
  await field.fill("send");
  await page.getByRole("option", { name: likeText(`sender:{{}}${en.search.operators.sender}`) }).waitFor();
  await page.keyboard.press("Tab");
  await field.pressSequentially("cleo");
  await page.keyboard.press("Tab");
  assert.equal(await field.inputValue(), 'sender:"Cleo Patra" ');
  await assertAccessible(page, "the search field");
  await field.pressSequentially("lamp");
  await page.keyboard.press("Enter");
  await heading(page, '“sender:"Cleo Patra" lamp”').waitFor();
  await messageWith(page, "The lamp is broken").locator(".highlight").waitFor();
  assert.equal(await page.getByRole("article").count(), 1, "only what Cleo said");
  // Results stay current: a new message, an edited one, and one that no longer matches.
  const lit = await venue.say(venue.cleo, "A lamp for the jetty", "jetty");
  await venue.say(venue.owner, "My lamp again", "jetty");
  await messageWith(page, "A lamp for the jetty").locator(".highlight").waitFor();
  await call(venue.url, venue.cleo, `PATCH /messages/${lit}`, { content: "A light for the jetty" });
  await messageWith(page, "A lamp for the jetty").waitFor({ state: "detached" });
  assert.equal(await page.getByRole("article").count(), 1, "still only what Cleo said");
  assert.match(page.url(), new RegExp(`#narrow/sender/${venue.cleo.id}/search/lamp$`));
  await page.locator(`[data-message-id="${found}"]`).getByRole("link").first().click();
  await heading(page, "winter storage").waitFor();
  await messageWith(page, "filler 2").waitFor();
  await page.goBack();

  await page.getByRole("button", { name: en.search.change }).click();
  await field.fill("");
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  await page.keyboard.press("/");
  await page.keyboard.type("zebra");
  await page.keyboard.press("Enter");
  await page.getByText(en.views.empty.search).waitFor();
  await heading(page, "“zebra”").waitFor();
  assert.deepEqual(complaints, []);
  await page.keyboard.press("/");
  await field.fill("sender:nobody");
  await page.keyboard.press("Enter");
  const unclear = uiText("search.unclear.nobody", { term: "sender:nobody" });
  await page.getByRole("dialog").getByText(unclear).waitFor();
  await field.fill("sender:pat jetty");
  await page.keyboard.press("Enter");
  await messageWith(page, "A light for the jetty").waitFor();
  assert.deepEqual(complaints, []);
  await page.evaluate(() => window.location.assign("#narrow/sender/nobody"));
  await page.getByRole("alert").filter({ hasText: unclear }).waitFor();
  assert.equal((await call(venue.url, venue.cleo, "GET /messages/1")).status, 200, "the server is well");
});

test("lists and dialogs are accessible in both themes and fit", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "A message", `long ${"topic".repeat(9)}`);
  const { page } = await enter(t, venue, OWNER, "#recent");
  await page
    .getByRole("link", { name: /long topic/ })
    .last()
    .waitFor();
  await assertAccessibleInBothThemes(page, "recent conversations");
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await assertAccessibleInBothThemes(page, "the shortcuts");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  for (const width of [320, 800, 1600]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `recent conversations at ${width}`);
  }
});

test("Tab leads from the topic to the text", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, OWNER, `#narrow/channel/${venue.channelId}`);
  await composer(page).fill("[boat.png](/user_uploads/1/ab/boat.png)");
  await page.getByRole("button", { name: en.writing.more }).click();
  await page.getByRole("menuitem", { name: en.writing.showFormats }).click();
  await page.getByRole("toolbar", { name: en.writing.formatting }).waitFor();
  const topic = page.getByRole("combobox", { name: en.chat.compose.topic });
  await topic.focus();
  await page.keyboard.press("Tab");
  await page.locator("#composer:focus").waitFor();
  await page.keyboard.press("Shift+Tab");
  await topic.and(page.locator(":focus")).waitFor();
});
