import assert from "node:assert/strict";
import test from "node:test";
import type { Page, Route } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, intercept } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { call } from "../support/server-process.ts";
import { enter, inTopic, messageWith, OWNER, startVenue, write } from "../support/venue.ts";

/** Whether the page's fonts draw an emoji, not an empty glyph. */
async function drawsEmoji(): Promise<boolean> {
  const font = `20px ${getComputedStyle(document.body).fontFamily}`;
  await document.fonts.load(font, "🎉");
  const drawing = new OffscreenCanvas(40, 40).getContext("2d") as OffscreenCanvasRenderingContext2D;
  drawing.font = font;
  drawing.fillText("🎉", 4, 30);
  return drawing.getImageData(0, 0, 40, 40).data.some((value) => value > 0);
}

test("a conversation opens again at what is unread now", async (t) => {
  const venue = await startVenue(t);
  for (let n = 0; n < 20; n += 1) await venue.say(venue.cleo, `message number ${n}`);
  const { page } = await enter(t, venue, OWNER, inTopic(venue));
  const line = page.getByText(en.chat.unreadLine, { exact: true });
  await line.waitFor();
  const inbox = page.getByRole("navigation").getByRole("link", { name: en.views.inbox });
  await page.getByRole("log").press("End");
  await inbox.click();
  await page.getByText(en.chat.allRead).waitFor();
  for (let n = 20; n < 40; n += 1) await venue.say(venue.cleo, `message number ${n}`);
  await page
    .locator("#conversation")
    .getByRole("link", { name: /regatta/ })
    .click();
  await until(async () => (await isOnScreen(page, "message number 20")) || undefined, "the first unread message");
  const below = await line.locator("xpath=..").evaluate((one) => one.nextElementSibling?.textContent);
  assert.match(below ?? "", /message number 20/);
});

test("shows that a search finds nothing while a message is not sent", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "One");
  const { page } = await enter(t, venue, OWNER, inTopic(venue));
  await intercept(page, "**/api/v1/messages", (route) =>
    route.request().method() === "POST" ? undefined : route.continue(),
  );
  await write(page, "Two");
  await page.goto(`${venue.url}/#narrow/search/nothing`);
  await page.getByText(en.views.empty.search).waitFor();
});

test("the feed opens where reading stopped, loads both ways and marks as read", async (t) => {
  const venue = await startVenue(t);
  const ids: number[] = [];
  for (let n = 0; n < 200; n += 1) ids.push(await venue.say(venue.cleo, `message number ${n}`));
  const read = JSON.stringify(ids.slice(0, 100));
  await call(venue.url, venue.owner, "POST /messages/flags", { messages: read, op: "add", flag: "read" });
  const { page } = await enter(t, venue, OWNER, inTopic(venue), { before: "delete globalThis.SharedWorker;" });
  await page.getByText(en.chat.unreadLine, { exact: true }).waitFor();
  await until(
    async () => (await isOnScreen(page, "message number 100")) || undefined,
    "the first unread on the screen",
  );
  assert.equal(await isOnScreen(page, "message number 199"), false);

  // A failed load shows the error and its next attempt.
  const log = page.getByRole("log");
  const refuse = (route: Route) => route.abort();
  const loading = "**/api/v1/messages?*num_after=0*";
  await intercept(page, loading, refuse);
  await page.locator("#feed").evaluate((feed) => feed.scrollTo({ top: 0 }));
  await log.getByRole("button", { name: en.chat.outgoing.retry }).waitFor();
  await intercept(page, "**/api/v1/events?*", refuse);
  await venue.say(venue.cleo, "the last that arrives", "elsewhere");
  await page.getByText(en.chat.awaits.older).waitFor();
  await page.unroute(loading);
  await page.unroute("**/api/v1/events?*");
  await page.getByText(en.chat.awaits.older).waitFor({ state: "detached" });

  // Loading older messages must not move the text being read.
  await until(async () => {
    await page.mouse.move(800, 400);
    await page.mouse.wheel(0, -4000);
    return (await log.getByText("message number 0", { exact: true }).count()) > 0 || undefined;
  }, "the oldest message");
  // Another window width, with other line breaks, must not move it either.
  await scrollingEnds(page);
  const first = await firstOnScreen(page);
  await page.setViewportSize({ width: 420, height: 800 });
  await until(async () => Math.abs((await topOf(page, first.text)) - first.top) < 2 || undefined, "the same first row");
  await page.setViewportSize({ width: 1280, height: 800 });
  // Neither must growth above during scrolling, before an observer reports it.
  await scrollingEnds(page);
  const scrolled = await firstOnScreen(page);
  await page.getByRole("log").evaluate((rows) => {
    rows.style.paddingTop = "50px";
    document.getElementById("feed")?.scrollBy({ top: 10 });
  });
  await scrollingEnds(page);
  assert.ok(Math.abs((await topOf(page, scrolled.text)) - scrolled.top + 10) < 2, "scrolled by 10 px, and no more");
  // Back, Forward and a reload restore the reading position.
  await page.mouse.wheel(0, 777);
  await scrollingEnds(page);
  const left = await firstOnScreen(page);
  const isWhereItWas = () =>
    until(async () => Math.abs((await topOf(page, left.text)) - left.top) < 2 || undefined, "where one was reading");
  await page.getByRole("navigation").getByRole("link", { name: "channel events" }).click();
  await messageWith(page, "created this channel").waitFor();
  await page.goBack();
  await isWhereItWas();
  await page.reload();
  await isWhereItWas();
  // So does Back from a distant message of the same topic, but not a link to the topic.
  await page.evaluate((id) => window.location.assign(`${window.location.hash}/near/${id}`), ids.at(-1));
  await until(async () => (await isOnScreen(page, "message number 199")) || undefined, "the message of a link");
  // The page changes while the messages around that position are loading.
  const around = `**/api/v1/messages?anchor=${ids[Number(left.text.split(" ").at(-1))]}&*`;
  let asked: Route[] | undefined = [];
  await intercept(page, around, (route) => void (asked ? asked.push(route) : route.continue()));
  await page.goBack();
  await until(() => asked?.[0], "a question for the messages around it");
  const reactions = `/messages/${ids.at(-1)}/reactions`;
  await call(venue.url, venue.cleo, `POST ${reactions}`, { emoji_name: "tada" });
  const reaction = messageWith(page, "message number 199").getByRole("button", { name: /tada/ });
  await reaction.waitFor({ state: "attached" });
  assert.ok(await page.evaluate(drawsEmoji), "the font shows emoji on a system without any");
  const held = asked;
  asked = undefined;
  for (const route of held) await route.continue();
  await isWhereItWas();
  await call(venue.url, venue.cleo, `DELETE ${reactions}`, { emoji_name: "tada" });
  await page.goForward();
  await until(async () => (await isOnScreen(page, "message number 199")) || undefined, "the message once more");
  await page.getByRole("navigation").getByRole("link", { name: "channel events" }).click();
  await page.getByRole("navigation").getByRole("link", { name: "regatta" }).click();
  await messageWith(page, "message number").first().waitFor();
  assert.equal(await isOnScreen(page, left.text), false);
  await page.getByRole("button", { name: en.chat.toNewest }).click();
  await until(async () => (await isOnScreen(page, "message number 199")) || undefined, "the newest message");
  await until(async () => {
    const narrow = JSON.stringify([{ operator: "is", operand: "unread" }]);
    const { messages } = await call(venue.url, venue.owner, "GET /messages", {
      anchor: "newest",
      num_before: 1,
      num_after: 0,
      narrow,
    });
    return messages[0]?.id !== ids.at(-1) || undefined;
  }, "the newest message marked read");
  assert.ok((await page.getByRole("article").count()) <= 200);

  // In a view of many conversations, the current heading stays, covers no selected message and links to its
  // conversation.
  await page.goto(`${venue.url}/#feed`);
  const heading = page.locator("#feed a", { hasText: "regatta" }).first();
  await heading.waitFor();
  await page.getByRole("button", { name: en.chat.toNewest }).click();
  await messageWith(page, "message number 199").focus();
  const below = await messageWith(page, "the last that arrives").evaluate(
    (row) =>
      (document.getElementById("feed")?.getBoundingClientRect().bottom ?? 0) - row.getBoundingClientRect().bottom,
  );
  assert.ok(below >= 32, `the last message is ${below} px from the edge of the window`);
  const scrollTop = () => page.evaluate(() => document.getElementById("feed")?.scrollTop);
  for (let n = 0; n < 30; n += 1) {
    await page.keyboard.press("k");
    const hidden = await heading.evaluate((link) => {
      const { bottom = 0 } = link.parentElement?.getBoundingClientRect() ?? {};
      return bottom - (document.activeElement?.getBoundingClientRect().top ?? 0);
    });
    assert.ok(hidden <= 1, `the heading covers ${hidden} px of message ${n}`);
  }
  const { edge, isOnTop } = await heading.evaluate((link) => {
    const { left, top, height } = link.getBoundingClientRect();
    const edge = document.getElementById("feed")?.getBoundingClientRect().top ?? 0;
    return { edge: top - edge, isOnTop: link.contains(document.elementFromPoint(left + 20, top + height / 2)) };
  });
  assert.ok(edge >= 0 && edge < 12 && isOnTop, `the heading is ${edge} px below the edge of the feed`);
  const alone = messageWith(page, "the last that arrives");
  // Loading above may put another row under the mouse.
  await until(async () => {
    await alone.hover();
    return (await alone.getByRole("toolbar").isVisible()) || undefined;
  }, "the buttons of the message under the mouse");
  const isCovered = await alone.getByRole("toolbar").evaluate((tools) => {
    const { left, top, bottom } = tools.getBoundingClientRect();
    return [top + 2, bottom - 2].some((y) => !tools.contains(document.elementFromPoint(left + 10, y)));
  });
  assert.ok(!isCovered, "the heading of a message covers no button of it");
  const shown = await heading.evaluate((link) => {
    const { bottom = 0 } = link.parentElement?.getBoundingClientRect() ?? {};
    const rows = [...document.querySelectorAll<HTMLElement>("#feed article")];
    return rows.find((one) => one.getBoundingClientRect().bottom > bottom + 1)?.dataset["messageId"];
  });
  const before = await scrollTop();
  await heading.focus();
  assert.equal(await scrollTop(), before, "nothing moves when the heading gets the focus");
  await heading.click();
  await page.getByRole("heading", { name: "regatta" }).waitFor();
  assert.ok(page.url().endsWith(`/near/${shown}`), `${page.url()} leads to ${shown}`);

  // Your sent message appears from any position, under your name, and stays in place when the server has it.
  await page.locator("#feed").evaluate((feed) => feed.scrollTo({ top: 0 }));
  await page.getByRole("button", { name: en.chat.toNewest }).waitFor();
  const unsent: (() => void)[] = [];
  await intercept(page, "**/api/v1/messages", async (route) => {
    await new Promise<void>((resolve) => unsent.push(resolve));
    await route.continue();
  });
  await write(page, "sent from above");
  const sending = page.locator("[data-state=sending]");
  const isSeen = () => sending.evaluate((row) => row.getBoundingClientRect().bottom < window.innerHeight || undefined);
  await until(isSeen, "what is sent on the screen");
  assert.match(await sending.innerText(), /^Owner\s+sent from above/);
  // On a slow machine, the row already shows its state below the text, which moves the text up.
  const y = await sending.evaluate((row) => {
    const text = [...row.querySelectorAll("p")].find(({ textContent }) => textContent === "sent from above");
    const state = row.querySelector("[role=status]");
    return (text?.getBoundingClientRect().y ?? Number.NaN) + (state?.getBoundingClientRect().height ?? 0);
  });
  (await until(() => unsent[0], "a message on its way"))();
  const arrived = await messageWith(page, "sent from above").getByText("sent from above").boundingBox();
  // Scrolling ends on whole screen pixels, although heights have fractions.
  assert.ok(Math.abs((arrived?.y ?? Number.NaN) - y) < 1, `it moved from ${y} to ${arrived?.y}`);

  // When the message under the pointer is deleted, the next one gets the buttons.
  const deleted = messageWith(page, "message number 195");
  await deleted.hover();
  await call(venue.url, venue.owner, `DELETE /messages/${ids[195]}`);
  await deleted.waitFor({ state: "detached" });
  await page.locator("article:hover").getByRole("toolbar").waitFor();
});

test("screen readers announce new messages, but not history", async (t) => {
  const venue = await startVenue(t);
  let last = 0;
  for (let n = 0; n < 60; n += 1) last = await venue.say(venue.cleo, `message number ${n}`);
  const { page } = await enter(t, venue, OWNER, `${inTopic(venue)}/near/${last}`);
  const log = page.getByRole("log");
  await messageWith(page, "message number").first().waitFor();
  await log.evaluate((element) => {
    const announced: string[] = [];
    const onChange = (records: MutationRecord[]) => {
      if (element.ariaLive !== "polite") return;
      for (const { addedNodes } of records) for (const node of addedNodes) announced.push(node.textContent ?? "");
    };
    new MutationObserver(onChange).observe(element, { childList: true, subtree: true });
    Object.assign(globalThis, { announced });
  });
  const announced = () => page.evaluate(() => (globalThis as unknown as { announced: string[] }).announced);
  await page.locator("#feed").evaluate((feed) => feed.scrollTo({ top: 0 }));
  await log.getByText("message number 0", { exact: true }).waitFor();
  assert.deepEqual(await announced(), []);
  await page.getByRole("button", { name: en.chat.toNewest }).click();
  await venue.say(venue.cleo, "the last that arrives");
  await messageWith(page, "the last that arrives").waitFor();
  assert.match((await announced()).join(), /the last that arrives/);
});

test("copies code unchanged by mouse, keyboard and touch", async (t) => {
  const venue = await startVenue(t);
  const code = "if a < b:\n\tprint('<&>')\n\n  # the end";
  await venue.say(venue.cleo, `Run this:\n\n\`\`\`python\n${code}\n\`\`\``);
  const permissions = ["clipboard-read", "clipboard-write"];
  const { page, complaints } = await enter(t, venue, OWNER, inTopic(venue), { permissions });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const forget = () => page.evaluate(() => navigator.clipboard.writeText("-"));
  const button = messageWith(page, "Run this").getByRole("button", { name: en.messageMenu.copyCode });
  const opacity = () => button.evaluate((one) => getComputedStyle(one).opacity);
  await button.waitFor();
  await page.mouse.move(0, 0);
  assert.equal(await opacity(), "0", "a page of code is no page of buttons");
  await messageWith(page, "Run this").hover();
  const grounds = await messageWith(page, "Run this").evaluate((row) =>
    [row, row.querySelector("pre") as Element].map((one) => getComputedStyle(one).backgroundColor),
  );
  assert.notEqual(grounds[0], grounds[1], "code stands out where the pointer is");
  await assertAccessibleInBothThemes(page, "code below the pointer");
  await button.click();
  await page.getByText(en.messageMenu.copied).waitFor();
  assert.equal(await copied(), code);
  await forget();
  await page.mouse.move(0, 0);
  await messageWith(page, "Run this").getByRole("button", { name: "Cleo Patra" }).focus();
  await until(async () => {
    await page.keyboard.press("Tab");
    return (await button.evaluate((one) => one === document.activeElement)) || undefined;
  }, "the button by keyboard");
  assert.equal(await opacity(), "1");
  await page.keyboard.press("Enter");
  await until(async () => (await copied()) === code || undefined, "the code by keyboard");
  assert.deepEqual(complaints, []);

  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const touched = (await enter(t, venue, OWNER, inTopic(venue), { permissions, ...phone })).page;
  const shown = messageWith(touched, "Run this").getByRole("button", { name: en.messageMenu.copyCode });
  assert.equal(await shown.evaluate((one) => getComputedStyle(one).opacity), "1");
});

/** A turn of the wheel scrolls over several frames. */
const scrollingEnds = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const feed = document.getElementById("feed") as HTMLElement;
    for (let frames = 0, at = feed.scrollTop; frames < 30; frames += 1) {
      await new Promise(requestAnimationFrame);
      if (feed.scrollTop !== at) [frames, at] = [0, feed.scrollTop];
    }
  });

/** The first visible row of the feed, and its distance from the feed's edge. */
const firstOnScreen = (page: Page): Promise<{ text: string; top: number }> =>
  page.evaluate(() => {
    const edge = document.getElementById("feed")?.getBoundingClientRect().top ?? 0;
    const rows = [...document.querySelectorAll("#feed article")];
    const row = rows.find((one) => one.getBoundingClientRect().bottom > edge) as Element;
    const [text = ""] = /message number \d+/.exec(row.textContent ?? "") ?? [];
    return { text, top: row.getBoundingClientRect().top - edge };
  });

const topOf = (page: Page, text: string): Promise<number> =>
  page.evaluate((wanted) => {
    const edge = document.getElementById("feed")?.getBoundingClientRect().top ?? 0;
    const rows = [...document.querySelectorAll("#feed article")];
    const row = rows.find((one) => new RegExp(`${wanted}(?!\\d)`).test(one.textContent ?? ""));
    return row ? row.getBoundingClientRect().top - edge : Number.NaN;
  }, text);

async function isOnScreen(page: Page, text: string): Promise<boolean> {
  return await page.evaluate((wanted) => {
    const row = [...document.querySelectorAll("article")].find((one) => one.textContent?.includes(wanted));
    const rect = row?.getBoundingClientRect();
    return rect !== undefined && rect.bottom > 0 && rect.top < window.innerHeight;
  }, text);
}
