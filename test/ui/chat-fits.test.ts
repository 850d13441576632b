import assert from "node:assert/strict";
import test from "node:test";
import type { Locator, Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, intercept, visit } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { likeText, uiText } from "../support/ui-texts.ts";
import { composer, enter, inTopic, messageWith, OWNER, startVenue } from "../support/venue.ts";

test("the chat is accessible in both themes and fits", async (t) => {
  const venue = await startVenue(t);
  await venue.say(
    venue.cleo,
    "A table:\n\n| boat | seats |\n|---|---|\n| Anna | 4 |\n\n```python\nprint('x' * 500)\n```",
  );
  await venue.say(venue.cleo, `@**all** ${"long".repeat(200)}`);
  const { page } = await enter(t, venue, OWNER, "#inbox");
  await page.getByRole("heading", { name: en.views.inbox }).waitFor();
  await assertAccessibleInBothThemes(page, "the inbox");
  await page.goto(`${venue.url}/${inTopic(venue)}`);
  await messageWith(page, "A table").waitFor();
  await assertAccessibleInBothThemes(page, "a topic");
  await messageWith(page, "A table").focus();
  await page.keyboard.press("m");
  const form = page.getByRole("form", { name: en.topics.moveTitle });
  await form.waitFor();
  const labels = await form
    .locator("label > span, div > label")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y));
  assert.ok(labels.length > 2 && labels.every((y) => y === labels[0]), `labels side by side are level: ${labels}`);
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  for (const width of [320, 390, 800, 1440, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `a topic at ${width}`);
  }
  await page.setViewportSize({ width: 390, height: 800 });
  // Three levels: the conversations, a channel's topics, a topic.
  await page.getByRole("link", { name: en.topics.back }).click();
  const topic = page.getByRole("list", { name: en.chat.topics }).getByRole("link", { name: /^regatta/ });
  await topic.waitFor();
  // Each shows its last message and time, with the counts at the edge.
  await venue.say(venue.cleo, "Is *anybody* there?", "quay");
  const unread = page.getByRole("link", {
    name: `quay Cleo Patra: Is anybody there? now ${uiText("chat.unread", { count: 1 })}`,
  });
  await unread.waitFor();
  await page.getByRole("link", { name: /^regatta Cleo Patra: @all long/ }).waitFor();
  const edgeOf = (part: Locator) => part.evaluate((one) => Math.round(one.getBoundingClientRect().right));
  assert.equal(
    await edgeOf(unread.getByText("1", { exact: true }).locator("..")),
    await edgeOf(unread.locator("time")),
  );
  await assertAccessibleInBothThemes(page, "the topics on a phone");
  await assertFits(page, "the topics on a phone");
  await page.getByRole("link", { name: en.chat.back }).click();
  await page.getByRole("link", { name: /^harbour/ }).waitFor();
  await assertAccessibleInBothThemes(page, "the conversations on a phone");
  await assertFits(page, "the conversations on a phone");
  await page.getByRole("link", { name: /^harbour/ }).click();
  await topic.click();
  await messageWith(page, "A table").waitFor();

  // With text at 200 %, and a finger that rests on a message.
  await page.goto(`${venue.url}/${inTopic(venue)}`);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `a topic with large text at ${width}`);
    const send = await page.getByRole("button", { name: en.chat.compose.send, exact: true }).boundingBox();
    assert.ok(send && send.x + send.width <= width, `the button that sends is on the screen at ${width}`);
  }
  await venue.say(venue.cleo, "שלום לכולם, נפגשים ב-10:00\n\nSee you there `x = 1`");
  const hebrew = messageWith(page, "שלום").locator("p");
  assert.deepEqual(
    await Promise.all([hebrew.first(), hebrew.last()].map((one) => one.evaluate(startsOnRight))),
    [true, false],
    "each paragraph begins where its words do",
  );
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "";
    document.documentElement.dir = "rtl";
  });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `a topic from right to left at ${width}`);
  }
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
    document.documentElement.dir = "ltr";
  });
  await press(messageWith(page, "A table"));
  await page.getByRole("menuitem", { name: en.messageMenu.reply }).waitFor();
  await assertFits(page, "the menu of a message with large text");
});

test("counts above 100 are not cut off, even next to a menu", async (t) => {
  const venue = await startVenue(t);
  await Promise.all(Array.from({ length: 110 }, (_, n) => venue.say(venue.cleo, `Message ${n}`)));
  const { page } = await enter(t, venue, OWNER, "#recent");
  const inList = page
    .getByRole("main")
    .getByRole("link", { name: /regatta/ })
    .getByText("110", { exact: true });
  const { height = 0 } = (await inList.boundingBox()) ?? {};
  assert.ok(height > 0 && height < 30, `one line: ${height}`);
  const channel = page.getByRole("navigation").getByRole("link", { name: /^harbour/ });
  await channel.hover();
  const menu = await page.getByRole("button", { name: uiText("channelMenu.label", { name: "harbour" }) }).boundingBox();
  const count = await channel.getByText(/^1\d\d$/).boundingBox();
  assert.ok(menu && count && count.x + count.width <= menu.x, "the button covers no figure");
  await page.goto(`${venue.url}/#inbox`);
  const open = page.locator("nav a[aria-current=page]", { hasText: en.views.inbox });
  await open.waitFor();
  const grounds = await open.evaluate((line) =>
    [line, line.querySelector("[class*=count]") as Element].map((one) => getComputedStyle(one).backgroundColor),
  );
  assert.notEqual(grounds[0], grounds[1], "the count of the open line is on a ground of its own");
});

test("small screens and large text keep everything reachable and readable", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "* פריט ראשון\n* second item");
  const { page } = await enter(t, venue, OWNER, inTopic(venue), { viewport: { width: 640, height: 400 } });
  await messageWith(page, "second item").focus();
  const [first, second] = [
    messageWith(page, "second item").locator("li").first(),
    page.locator("li", { hasText: "second" }),
  ];
  assert.deepEqual(
    await Promise.all([first, second].map((one) => one.evaluate(startsOnRight))),
    [true, true],
    "a line of a list is beside its bullet",
  );
  await page.keyboard.press("i");
  const menu = page.getByRole("menu");
  await menu.getByRole("menuitem", { name: en.messageMenu.reply }).waitFor();
  await isWithin(page, menu, "the menu of a message");
  await page.keyboard.press("ArrowUp");
  await isWithin(page, menu.getByRole("menuitem").last(), "its last item");
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });

  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  for (const [width, height] of [
    [320, 640],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.getByRole("button", { name: en.chat.compose.emoji }).click();
    await isWithin(page, page.getByLabel(en.chat.emoji.search), `the emoji's search at ${width}`);
    await page.keyboard.press("Escape");
    await page.getByLabel(en.chat.emoji.search).waitFor({ state: "detached" });
    for (const [name, target] of [
      ["title", page.getByRole("heading", { name: "regatta" })],
      ["field", composer(page)],
    ] as const) {
      const box = await target.boundingBox();
      assert.ok(box && box.width > 120, `the ${name} has ${box?.width} px at ${width}`);
    }
    const [field, form] = [await composer(page).boundingBox(), await page.locator("form:has(#composer)").boundingBox()];
    assert.ok(field && form && field.width > 0.7 * form.width, `one writes on ${field?.width} px at ${width}`);
  }
  // The window fills immediately, though one load of messages has fewer conversations than fit.
  await intercept(page, /messages\?anchor=.*num_before=500/, (route) =>
    route.continue({ url: route.request().url().replace("num_before=500", "num_before=1") }),
  );
  await page.goto(`${venue.url}/#recent`);
  await page.getByRole("main").getByRole("listitem").filter({ hasText: "channel events" }).waitFor();
  await page.setViewportSize({ width: 320, height: 640 });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  const name = page.getByRole("listitem").getByText("regatta");
  const box = await name.last().boundingBox();
  assert.ok(box && box.width > 100, `a recent conversation's name has ${box?.width} px`);
  await page.goto(`${venue.url}/#user/${venue.cleo.id}`);
  const dot = page.getByRole("dialog").locator("[data-presence]");
  await dot.waitFor();
  const [dotBox, words] = [await dot.boundingBox(), await dot.locator("xpath=following-sibling::*").boundingBox()];
  assert.ok(dotBox && words && dotBox.y > words.y && dotBox.x < words.x, "the dot is beside what it says");
});

/** Waits until an element is completely on the screen. */
async function isWithin(page: Page, target: Locator, what: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await until(async () => {
    const box = await target.boundingBox();
    return (box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height) || undefined;
  }, what);
}

/** Rests a finger on a message until its menu shows. A row that is drawn again under the finger ends the press. */
async function press(target: Locator): Promise<void> {
  const finger = { pointerType: "touch", isPrimary: true, pointerId: 1, bubbles: true, clientX: 200, clientY: 200 };
  const menu = target.page().getByRole("menu");
  await until(async () => {
    await target.scrollIntoViewIfNeeded();
    await target.locator("p").first().dispatchEvent("pointerdown", finger);
    return menu.waitFor({ timeout: 5000 }).then(
      () => true,
      () => undefined,
    );
  }, "the menu of a message");
}

/** Whether the first word of a paragraph is at its right edge. */
function startsOnRight(paragraph: Element): boolean {
  const word = document.createRange();
  word.setStart(paragraph.firstChild as Node, 0);
  word.setEnd(paragraph.firstChild as Node, 1);
  const [letter, line] = [word.getBoundingClientRect(), paragraph.getBoundingClientRect()];
  return line.right - letter.right < letter.left - line.left;
}

/** Scrolls each formula to its end. Returns whether it is inside of its message, and whether it scrolled. */
const scrolledFormulas = (page: Page) =>
  page.locator(".katex").evaluateAll((all) =>
    all.map((one) => {
      const box = one.closest("table") ?? one;
      const edges = [box.getBoundingClientRect().right, one.closest("article")?.getBoundingClientRect().right ?? 0];
      one.scrollLeft = 1_000_000;
      return { isInside: edges[0]! <= edges[1]!, scrolls: one.scrollLeft > 0 };
    }),
  );

test("long formulas scroll and keep their line", async (t) => {
  const venue = await startVenue(t);
  const long = `${"a+".repeat(120)}END`;
  const inline = `$$${long}$$`;
  const texts = [inline, `\`\`\`math\n${long}\n\`\`\``, `- ${inline}`, `> ${inline}`, `|a|\n|-|\n|${inline}|`];
  for (const text of [...texts, "small $$x$$"]) await venue.say(venue.cleo, text);
  const { page } = await enter(t, venue, OWNER, inTopic(venue));
  await messageWith(page, "small").waitFor();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `formulas at ${width}`);
    const formulas = await scrolledFormulas(page);
    assert.deepEqual(
      formulas,
      [...texts, ""].map((text) => ({ isInside: true, scrolls: text !== "" })),
    );
  }
  const small = messageWith(page, "small").locator("p");
  assert.ok(((await small.boundingBox())?.height ?? 99) < 32, "one line");
});

test("quotes, lists and tables have the direction of their own text", async (t) => {
  const venue = await startVenue(t);
  const hebrew = "שלום";
  const sides = (page: Page) =>
    page
      .locator("article :is(blockquote, ul, ol, table)")
      .evaluateAll((all) => all.map((one) => `${one.tagName} ${getComputedStyle(one).direction}`));
  await venue.say(venue.cleo, `Hello\n> ${hebrew}\n\n- ${hebrew}\n\n1. ${hebrew}\n\n|${hebrew}|\n|-|\n|b|\n\n- end`);
  await venue.say(venue.cleo, `> - ${hebrew}\n>\n> a\n>\n> 1. b\n\nFinish\n\n- ${hebrew}`);
  const { page } = await enter(t, venue, OWNER, inTopic(venue));
  await messageWith(page, "Finish").waitFor();
  assert.deepEqual(await sides(page), [
    ...["BLOCKQUOTE rtl", "UL rtl", "OL rtl", "TABLE rtl", "UL ltr"],
    ...["BLOCKQUOTE rtl", "UL rtl", "OL ltr", "UL rtl"],
  ]);
});

test("on a phone, channel parts fit one line, also in German", async (t) => {
  const venue = await startVenue(t);
  const { page } = await visit(t, `${venue.url}/#channels/${venue.channelId}/harbour/subscribers`, {
    as: OWNER,
    viewport: { width: 390, height: 800 },
    locale: "de-DE",
  });
  const parts = page.getByRole("dialog", { name: "harbour" }).locator("button[aria-pressed]");
  await parts.last().waitFor();
  const tops = await parts.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y));
  assert.equal(tops.length, 4);
  assert.deepEqual(new Set(tops), new Set(tops.slice(0, 1)));
});

test("on a phone, a notification covers neither the list search nor the composer", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "Who rows?");
  const { page } = await enter(t, venue, OWNER, "#", { viewport: { width: 390, height: 800 } });
  const search = page.getByRole("button", { name: en.search.title });
  await search.waitFor();
  await page.getByRole("button", { name: likeText(en.chat.account) }).click();
  await page.getByRole("button", { name: en.chat.markEverythingRead }).click();
  const notice = page.getByRole("alert").filter({ hasText: uiText("marking.read.done", { count: 1 }) });
  await notice.waitFor();
  assert.equal(await covers(notice, search), false, "the search is free");
  assert.ok(await isOnScreen(notice, 800), "all of it is on the screen");
  await page.goto(`${venue.url}/${inTopic(venue)}`);
  await messageWith(page, "Who rows?").waitFor();
  await composer(page).waitFor();
  assert.equal(await notice.count(), 1, "it is still there");
  assert.equal(await covers(notice, composer(page)), false, "one writes on");
});

async function covers(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  assert.ok(a && b);
  return a.y < b.y + b.height && b.y < a.y + a.height && a.x < b.x + b.width && b.x < a.x + a.width;
}

async function isOnScreen(one: Locator, height: number): Promise<boolean> {
  const box = await one.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}
