import assert from "node:assert/strict";
import test from "node:test";
import type { Locator, Page } from "playwright-core";
import { generatedPicture } from "../../server/presenters/pictures.ts";
import { assertAccessible, assertAccessibleInBothThemes, assertFits, visit } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { call, serve } from "../support/server-process.ts";
import {
  CLEO,
  composer,
  enter,
  GUEST,
  inTopic,
  messageWith,
  OWNER,
  signIn,
  startVenue,
  write,
} from "../support/venue.ts";

test("two people chat in two browsers", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "Who sails on Saturday?");
  const ann = await enter(t, venue, OWNER);
  const cleo = await enter(t, venue, CLEO, inTopic(venue));
  await ann.page
    .getByRole("link", { name: /^harbour/ })
    .first()
    .click();
  await messageWith(ann.page, "Who sails on Saturday?").waitFor();
  await ann.page
    .getByRole("link", { name: /^regatta/ })
    .first()
    .click();
  await write(ann.page, "I **do**, with @**Cleo Patra**");
  await messageWith(cleo.page, "I do, with @Cleo Patra").waitFor();
  assert.equal(await messageWith(cleo.page, "I do").locator("strong").textContent(), "do");
  await cleo.page.getByRole("link", { name: /^Mentions/ }).waitFor();

  await composer(cleo.page).pressSequentially("so ");
  await ann.page.getByText("Cleo Patra is typing…").waitFor();
  await write(cleo.page, "So do I");
  await messageWith(ann.page, "So do I").waitFor();
  await ann.page.getByText("Cleo Patra is typing…").waitFor({ state: "detached" });
  assert.deepEqual([ann.complaints, cleo.complaints], [[], []]);
});

test("what is sent shows at once, and survives an outage and a reload", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "Read before");
  const bot = { full_name: "Gull", short_name: "gull", bot_type: "1" };
  const { api_key: botKey } = await call(venue.url, venue.owner, "POST /bots", bot);
  const { page } = await enter(t, venue, OWNER, inTopic(venue), { serviceWorkers: "allow" });
  await messageWith(page, "Read before").waitFor();
  const copy = await until(() => page.evaluate(copyForOutage), "a copy in the browser");
  assert.ok(copy.includes("Read before") && copy.includes("Gull") && botKey.length > 20);
  assert.ok(!copy.includes(botKey), "no bot's key is in it");
  venue.server.child.kill("SIGKILL");
  await venue.server.ended;
  await write(page, "Written in the dark");
  await page.getByText("Waits for Hearth to answer.").waitFor();
  await page.getByText("Hearth doesn't answer.").waitFor();
  await page.goto("about:blank");
  await page.goto(`${venue.url}/${inTopic(venue)}`);
  await page.getByText("You see what this browser kept").waitFor();
  await messageWith(page, "Read before").waitFor();
  await page.getByText("Written in the dark").waitFor();
  await write(page, "And one more");
  await serve(t, venue.folder, Number(new URL(venue.url).port));
  await messageWith(page, "Written in the dark").waitFor();
  await messageWith(page, "And one more").waitFor();
  await page.getByText("Hearth doesn't answer.").waitFor({ state: "detached" });
  const narrow = JSON.stringify([
    { operator: "channel", operand: venue.channelId },
    { operator: "topic", operand: "regatta" },
  ]);
  const { messages } = await call(venue.url, venue.owner, "GET /messages", { anchor: "newest", num_before: 9, narrow });
  assert.equal(messages.length, 3, "each was sent once");

  await composer(page).fill("half a thought");
  await page.reload();
  await composer(page).waitFor();
  assert.equal(await composer(page).inputValue(), "half a thought");
});

/** The copy of the chat, as JSON, once the browser can open the page without the server. */
async function copyForOutage(): Promise<string | undefined> {
  await navigator.serviceWorker.ready;
  const databases = await indexedDB.databases();
  if (!databases.some(({ name }) => name === "hearth-offline")) return undefined;
  return new Promise((resolve) => {
    const opening = indexedDB.open("hearth-offline", 1);
    opening.onsuccess = () => {
      const reading = opening.result.transaction("copies").objectStore("copies").getAll();
      reading.onsuccess = () => resolve(reading.result.length > 0 ? JSON.stringify(reading.result) : undefined);
      opening.result.close();
    };
  });
}

test("a refused message says why, and goes nowhere", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, CLEO, inTopic(venue));
  await composer(page).fill("Anybody here?");
  const archived = await call(venue.url, venue.owner, `DELETE /streams/${venue.channelId}`);
  assert.equal(archived.status, 200);
  await composer(page).press("Control+Enter");
  await page.getByRole("alert").filter({ hasText: "Not sent." }).waitFor();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByText("Anybody here?").waitFor({ state: "detached" });
});

test("own messages are edited, deleted with undo, starred, quoted and reacted to", async (t) => {
  const venue = await startVenue(t);
  const id = await venue.say(venue.owner, "First wrods");
  await venue.say(venue.cleo, "Another's `code`");
  const { page } = await enter(t, venue, OWNER, inTopic(venue));
  const own = page.locator(`[data-message-id="${id}"]`);
  await own.hover();
  await own.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("The message's text").fill("First words");
  await page.getByRole("button", { name: "Save" }).click();
  await messageWith(page, "First words").getByText("edited").waitFor();

  await own.hover();
  await own.getByRole("button", { name: "React" }).click();
  await page.getByLabel("Find an emoji").fill("tad");
  await page.getByTitle(":tada:").waitFor();
  await page.keyboard.press("Enter");
  await own.getByRole("button", { name: "tada: Owner", pressed: true }).click();
  await own.getByRole("button", { name: "tada: Owner" }).waitFor({ state: "detached" });

  const other = messageWith(page, "Another's");
  await other.hover();
  assert.equal(await other.getByRole("button", { name: "Edit" }).count(), 0, "nobody edits another's message");
  await other.getByRole("button", { name: "Star" }).click();
  await other.getByRole("button", { name: "Remove the star" }).waitFor();
  await other.getByRole("button", { name: "Quote" }).click();
  await until(
    async () => (await composer(page).inputValue()).includes("```quote\nAnother's `code`\n```") || undefined,
    "quote",
  );
  await composer(page).fill("");

  await own.hover();
  await own.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Deleted.").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await messageWith(page, "First words").waitFor();
  await own.hover();
  await own.getByRole("button", { name: "Delete" }).click();
  await own.waitFor({ state: "detached" });

  await page.getByRole("link", { name: "Starred" }).click();
  await messageWith(page, "Another's").hover();
  await messageWith(page, "Another's").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByText("Deleted.").waitFor();
  await page.goto(`${venue.url}/${inTopic(venue)}`);
  await page.getByText("Nothing was written here yet.").waitFor();
});

test("the feed opens where reading stopped, loads both ways and marks what was seen", async (t) => {
  const venue = await startVenue(t);
  const ids: number[] = [];
  for (let n = 0; n < 200; n += 1) ids.push(await venue.say(venue.cleo, `message number ${n}`));
  const read = JSON.stringify(ids.slice(0, 100));
  await call(venue.url, venue.owner, "POST /messages/flags", { messages: read, op: "add", flag: "read" });
  const { page } = await enter(t, venue, OWNER, inTopic(venue));
  await page.getByText("New", { exact: true }).waitFor();
  await until(
    async () => (await isOnScreen(page, "message number 100")) || undefined,
    "the first unread on the screen",
  );
  assert.equal(await isOnScreen(page, "message number 199"), false);

  // Loading older messages must not move what is read.
  const log = page.getByRole("log");
  await until(async () => {
    await page.mouse.move(800, 400);
    await page.mouse.wheel(0, -4000);
    return (await log.getByText("message number 0", { exact: true }).count()) > 0 || undefined;
  }, "the oldest message");
  await page.getByRole("button", { name: "To the newest" }).click();
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
});

async function isOnScreen(page: Page, text: string): Promise<boolean> {
  return await page.evaluate((wanted) => {
    const row = [...document.querySelectorAll("article")].find((one) => one.textContent?.includes(wanted));
    const rect = row?.getBoundingClientRect();
    return rect !== undefined && rect.bottom > 0 && rect.top < window.innerHeight;
  }, text);
}

test("links of the public web client open here, back and forward work", async (t) => {
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

  // Somebody has moved it: the old link leads to where it is now.
  const moved = { topic: "new engine", propagate_mode: "change_all" };
  assert.equal((await call(venue.url, venue.owner, `PATCH /messages/${id}`, moved)).status, 200);
  await page.goto(`${venue.url}/#narrow/channel/${venue.channelId}-harbour/topic/old.20engine/with/${id}`);
  await page.getByRole("heading", { name: "new engine" }).waitFor();
  await messageWith(page, "The one to find").waitFor();

  await page.getByRole("button", { name: "Search messages" }).click();
  await page.getByRole("combobox", { name: "Search messages" }).fill("find");
  await page.keyboard.press("Enter");
  await messageWith(page, "The one to find").locator(".highlight").waitFor();
  await page
    .getByRole("link", { name: /new engine/ })
    .last()
    .click();
  await page.getByRole("heading", { name: "new engine" }).waitFor();
});

test("hostile content shows as text", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "<img src=x onerror=alert(1)> <b>bold</b> [x](javascript:alert(1))", "<u>topic</u>");
  const { page, complaints } = await enter(t, venue, OWNER, `#narrow/channel/${venue.channelId}`);
  await messageWith(page, "<img src=x onerror=alert(1)> <b>bold</b>").waitFor();
  await page
    .getByRole("link", { name: /<u>topic<\/u>/ })
    .first()
    .waitFor();
  assert.equal(await page.locator("article [href^='javascript:']").count(), 0);
  assert.deepEqual(complaints, []);
});

test("a picture is attached, and shows in the message", async (t) => {
  const venue = await startVenue(t);
  const { page, complaints } = await enter(t, venue, CLEO, inTopic(venue));
  await composer(page).fill("Look at it:");
  const picture = { name: "Möwe [1].png", mimeType: "image/png", buffer: generatedPicture("gull", "medium") };
  await page.locator("input[type=file]").setInputFiles(picture);
  await until(
    async () => /^Look at it: \[Möwe 1\.png\]\(\/user_uploads\//.test(await composer(page).inputValue()) || undefined,
    "a link",
  );
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const image = messageWith(page, "Look at it:").locator(
    "img:not(.image-loading-placeholder)[src^='/user_uploads/thumbnail/']",
  );
  await image.waitFor();
  await until(
    async () => (await image.evaluate((one: HTMLImageElement) => one.naturalWidth)) > 0 || undefined,
    "a picture",
  );
  await image.click();
  const large = page.getByRole("dialog").getByRole("img", { name: /Möwe/ });
  await until(async () => (await large.evaluate((one: HTMLImageElement) => one.naturalWidth)) > 0 || undefined, "it");
  await page.getByText("1 of 1").waitFor();
  await assertAccessible(page, "a picture seen large");
  await page.keyboard.press("Escape");
  await large.waitFor({ state: "detached" });
  await messageWith(page, "Look at it:").focus();
  await page.keyboard.press("v");
  await large.waitFor();
  await page.goBack();
  await large.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});

test("a direct conversation begins with a name", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, OWNER);
  const cleo = await enter(t, venue, CLEO);
  await page.getByRole("button", { name: "New direct message" }).click();
  await page.getByLabel("Who?").fill("cleo");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Cleo Patra" }).waitFor();
  await write(page, "Only for you");
  await messageWith(page, "Only for you").waitFor();
  await cleo.page
    .getByRole("link", { name: /^Owner.*1 unread message$/ })
    .first()
    .waitFor();
  assert.match(await cleo.page.title(), /^\(\d+\) Inbox – Venice$/);
  await cleo.page
    .getByRole("link", { name: /^Owner/ })
    .first()
    .click();
  await messageWith(cleo.page, "Only for you").waitFor();
  await cleo.page.getByRole("link", { name: "Owner", exact: true }).waitFor();
  const guest = await enter(t, venue, GUEST, `#narrow/dm/${venue.owner.id},${venue.cleo.id}`);
  await guest.page.getByText("Nothing was written here yet.").waitFor();
});

test("channels are found, made, joined and left", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, CLEO);
  await page.getByRole("button", { name: "Browse channels" }).click();
  await page.getByLabel("Find or name a channel").fill("crew");
  await page.getByRole("button", { name: "Create the channel crew" }).click();
  await page.getByRole("button", { name: "Leave crew" }).click();
  await page.getByRole("button", { name: "Join crew" }).click();
  await page.getByRole("button", { name: "Leave crew" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: /^crew/ }).waitFor();
});

test("where there is no organization yet, the chat leads to the first run", async (t) => {
  const venue = await startVenue(t);
  const { page } = await visit(t, "about:blank");
  const session = { setup: true, code_needed: false, data_folder: "", at_desktop: false, user: null };
  await page.route("**/host/session", (route) => route.fulfill({ json: { result: "success", msg: "", ...session } }));
  await page.goto(venue.url);
  await page.waitForURL(`${venue.url}/admin/`);
});

test("a session that ends elsewhere leads back to the sign-in", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, CLEO);
  await page.context().clearCookies();
  await page.reload();
  await page.getByRole("heading", { name: "Sign in to Venice" }).waitFor();
  await signIn(page, CLEO);
  await page.getByRole("button", { name: "Your account: Cleo Patra" }).click();
  assert.equal(await page.getByRole("link", { name: "Manage the organization" }).count(), 0, "members manage nothing");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to Venice" }).waitFor();

  // Where a channel may be read without an account, that is what is there, and the sign-in is one step away.
  await venue.say(venue.cleo, "The race is at **ten**");
  const open = new URLSearchParams({ WEB_PUBLIC_STREAMS_ENABLED: "true" });
  await fetch(`${venue.url}/host/settings`, {
    method: "PATCH",
    headers: { authorization: venue.owner.authorization },
    body: open,
  });
  for (const [route, params] of [
    ["PATCH /realm", { enable_spectator_access: true }],
    [`PATCH /streams/${venue.channelId}`, { is_web_public: true }],
  ] as const)
    assert.equal((await call(venue.url, venue.owner, route, params)).status, 200, route);
  await page.goto(`${venue.url}/#inbox`);
  await page.reload();
  await page
    .getByRole("link", { name: /^harbour/ })
    .last()
    .click();
  await messageWith(page, "The race is at ten").hover();
  assert.equal(await page.getByRole("toolbar").count(), 0, "nothing is done with messages");
  assert.equal(await page.getByRole("textbox").count(), 0, "nothing is written");
  await assertAccessible(page, "a channel without an account");
  await page.setViewportSize({ width: 320, height: 700 });
  await assertFits(page, "a channel without an account");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press("/");
  const search = page.getByRole("combobox", { name: "Search messages" });
  await search.fill("is:");
  await page.getByRole("option", { name: /is:resolved/ }).waitFor();
  assert.equal(await page.getByRole("option").count(), 2, "the other marks are people's own");
  await search.fill("ten");
  await search.press("Enter");
  await page.getByRole("heading", { name: "ten" }).waitFor();
  await messageWith(page, "The race is at ten").waitFor();
  await page.goto(`${venue.url}/#narrow/channel/99`);
  await page.getByText("This can't be read without an account").waitFor();
  await page.goto(`${venue.url}/${inTopic(venue)}`);
  const toSignIn = page.getByRole("region", { name: "Conversation" }).getByRole("button", { name: "Sign in" });
  await toSignIn.click();
  await page.getByRole("button", { name: "Read without an account" }).click();
  await toSignIn.click();
  await signIn(page, CLEO);
  await composer(page).waitFor();
  await messageWith(page, "The race is at ten").waitFor();
});

test("the chat is accessible in both themes, and fits", async (t) => {
  const venue = await startVenue(t);
  await venue.say(
    venue.cleo,
    "A table:\n\n| boat | seats |\n|---|---|\n| Anna | 4 |\n\n```python\nprint('x' * 500)\n```",
  );
  await venue.say(venue.cleo, `@**all** ${"long".repeat(200)}`);
  const { page } = await enter(t, venue, OWNER, "#inbox");
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  await assertAccessibleInBothThemes(page, "the inbox");
  await page.goto(`${venue.url}/${inTopic(venue)}`);
  await messageWith(page, "A table").waitFor();
  await assertAccessibleInBothThemes(page, "a topic");
  for (const width of [320, 390, 800, 1440, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `a topic at ${width}`);
  }
  await page.setViewportSize({ width: 390, height: 800 });
  // Three depths: the conversations, a channel's topics, a topic.
  await page.getByRole("link", { name: "The channel's topics" }).click();
  const topic = page.getByRole("list", { name: "Topics" }).getByRole("link", { name: /^regatta/ });
  await topic.waitFor();
  await assertAccessibleInBothThemes(page, "the topics on a phone");
  await assertFits(page, "the topics on a phone");
  await page.getByRole("link", { name: "All conversations" }).click();
  await page.getByRole("link", { name: /^harbour/ }).waitFor();
  await assertAccessibleInBothThemes(page, "the conversations on a phone");
  await assertFits(page, "the conversations on a phone");
  await page.getByRole("link", { name: /^harbour/ }).click();
  await topic.click();
  await messageWith(page, "A table").waitFor();

  // With twice the size of text, and with a finger that rests on a message.
  await page.goto(`${venue.url}/${inTopic(venue)}`);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `a topic with large text at ${width}`);
    const send = await page.getByRole("button", { name: "Send", exact: true }).boundingBox();
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
  await page.getByRole("menuitem", { name: "Reply" }).waitFor();
  await assertFits(page, "the menu of a message with large text");
});

/** Rests a finger on a message until its menu shows. A row that is drawn anew under the finger ends the press. */
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
