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
  const id = await venue.say(venue.owner, "Who is there?");
  const { page } = await enter(t, venue, CLEO, inTopic(venue));
  await messageWith(page, "Who is there?").waitFor();
  await composer(page).fill("Anybody here?");
  // The topic gets another name while one writes: the page goes with it, and what is typed, too.
  await call(venue.url, venue.owner, `PATCH /messages/${id}`, { topic: "crew", propagate_mode: "change_all" });
  await page.getByRole("heading", { name: "crew" }).waitFor();
  const written = async () => (await composer(page).inputValue()) === "Anybody here?" || undefined;
  await until(written, "the text in the renamed topic");
  // The channel is archived while a message is on its way, and another one behind it.
  const held: (() => void)[] = [];
  await page.route("**/api/v1/messages", async (route) => {
    if (route.request().method() === "POST" && held.length === 0)
      await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await composer(page).press("Control+Enter");
  const release = await until(() => held[0], "a message on its way");
  await write(page, "Nobody, then");
  const archived = await call(venue.url, venue.owner, `DELETE /streams/${venue.channelId}`);
  assert.equal(archived.status, 200);
  await page.getByText("This channel is not there any more").first().waitFor();
  assert.equal(await composer(page).count(), 0, "nothing more is written here");
  release();
  await until(async () => (await page.getByText("Not sent.").count()) === 2 || undefined, "two that are not sent");
  await page.getByRole("button", { name: "Discard" }).last().click();
  await page.getByText("Nobody, then").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByText("What you have written here:").waitFor();
  await page.getByText("Anybody here?").waitFor();
  assert.equal(await page.getByText("Not sent.").count(), 0);
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
  // Nothing typed is lost: not by leaving the field, and not by a reload.
  await page.keyboard.press("Escape");
  await own.getByText("Your change is not saved.").waitFor();
  await page.reload();
  await own.getByRole("button", { name: "Go on with it" }).click();
  await until(
    async () => (await page.getByLabel("The message's text").inputValue()) === "First words" || undefined,
    "what was typed",
  );
  await page.getByRole("button", { name: "Save" }).click();
  await messageWith(page, "First words").getByText("edited").waitFor();
  assert.equal(await page.getByText("Your change is not saved.").count(), 0);

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
  // Nor must another width of the window, in which other lines break.
  await scrollingEnds(page);
  const first = await firstOnScreen(page);
  await page.setViewportSize({ width: 420, height: 800 });
  await until(async () => Math.abs((await topOf(page, first.text)) - first.top) < 2 || undefined, "the same first row");
  await page.setViewportSize({ width: 1280, height: 800 });
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

/** A turn of the wheel scrolls over several frames. */
const scrollingEnds = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const feed = document.getElementById("feed") as HTMLElement;
    for (let frames = 0, at = feed.scrollTop; frames < 30; frames += 1) {
      await new Promise(requestAnimationFrame);
      if (feed.scrollTop !== at) [frames, at] = [0, feed.scrollTop];
    }
  });

/** The first row of the feed that is on the screen, and how far it is from the feed's edge. */
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

  // What an address opens above the page closes with Back and with Escape, and leaves the conversation as it is.
  const visitAddress = (hash: string) => page.evaluate((to) => window.location.assign(to), hash);
  const heading = (name: string) => page.getByRole("dialog").getByRole("heading", { name, exact: true });
  await visitAddress("#message-formatting");
  await heading("Formatting messages").waitFor();
  await page.getByRole("dialog").locator("blockquote").waitFor();
  await assertAccessibleInBothThemes(page, "help about formatting");
  await page.goBack();
  await heading("Formatting messages").waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "old engine" }).waitFor();
  for (const [hash, title] of [
    ["#search-operators", "Searching"],
    ["#keyboard-shortcuts", "Keyboard shortcuts"],
    ["#about-zulip", "About Hearth"],
    ["#groups", "Groups"],
    ["#channels/new", "New channel"],
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
  assert.equal(await page.getByRole("combobox", { name: "Search messages" }).inputValue(), "is:starred ");
  await page.keyboard.press("Escape");
  await visitAddress("#organization/linkifier-settings");
  await page.waitForURL(`${venue.url}/admin/#/linkifiers`);

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

test("on a phone, a finger edits and deletes; hostile names and pictures do nothing", async (t) => {
  const venue = await startVenue(t);
  const { url, owner, cleo } = venue;
  const hostile = `O'Brien & Söhne &lt;b&gt; ${"W".repeat(70)}`;
  assert.equal((await call(url, owner, `PATCH /users/${cleo.id}`, { full_name: hostile })).status, 200);
  const upload = async (filename: string, bytes: Uint8Array<ArrayBuffer>) => {
    const body = new FormData();
    body.append("file", new Blob([bytes], { type: "image/png" }), filename);
    const { authorization } = cleo;
    const answer = await fetch(`${url}/api/v1/user_uploads`, { method: "POST", body, headers: { authorization } });
    return ((await answer.json()) as { url: string }).url;
  };
  const picture = Uint8Array.from(generatedPicture("gull", "medium"));
  const vast = picture.slice();
  new DataView(vast.buffer).setUint32(16, 60_000); // the width that a PNG claims
  new DataView(vast.buffer).setUint32(20, 60_000);
  for (const [name, bytes] of [
    ["cut.png", picture.slice(0, 200)],
    ["vast.png", vast],
    ["page.png", new TextEncoder().encode("<html><script>document.title = 'taken'</script>")],
    ["<img src=x onerror=alert(1)>.png", picture],
  ] as const)
    await venue.say(cleo, `[${name}](${await upload(name, bytes)})`, "pictures");
  const id = await venue.say(owner, "First wrods");
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const { page, complaints } = await enter(t, venue, OWNER, inTopic(venue), phone);
  const own = page.locator(`[data-message-id="${id}"]`);
  const finger = await page.context().newCDPSession(page);
  const choose = async (item: string) => {
    const offered = page.getByRole("menuitem", { name: item });
    // A row that moves while the finger comes down is missed.
    await until(async () => {
      const { x, y } = (await own.locator("p").last().boundingBox()) as { x: number; y: number };
      await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: x + 8, y: y + 8 }] });
      const isOpen = await offered.waitFor({ timeout: 5000 }).then(
        () => true,
        () => undefined,
      );
      await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      return isOpen;
    }, "the menu of a message");
    await offered.tap();
  };
  await choose("Edit");
  await page.getByLabel("The message's text").fill("First words");
  await page.getByRole("button", { name: "Save" }).tap();
  await messageWith(page, "First words").getByText("edited").waitFor();
  await choose("Delete");
  await page.getByRole("button", { name: "Undo" }).tap();
  await messageWith(page, "First words").waitFor();
  await choose("Delete");
  await own.waitFor({ state: "detached" });

  await page.goto(`${url}/${inTopic(venue, "pictures")}`);
  await messageWith(page, "onerror").waitFor();
  const shown = page.locator("article img:not([class*=avatar])");
  await until(async () => ((await shown.count()) === 1 ? true : undefined), "the one picture that is one");
  assert.equal(await page.getByRole("link", { name: /^(cut|vast|page)\.png$/ }).count(), 3);
  await page.getByRole("button", { name: hostile }).waitFor();
  await assertFits(page, "hostile names and pictures on a phone");
  for (const width of [820, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `hostile names and pictures at ${width}`);
    const beside = await page.locator("#feed").evaluate((feed) => feed.scrollWidth - feed.clientWidth);
    assert.equal(beside, 0, `the messages are not scrolled sideways at ${width}`);
  }
  assert.notEqual(await page.title(), "taken");
  // The emptied topic asks where its message is now, and is refused.
  assert.deepEqual(
    complaints.filter((text) => !text.includes("400 (Bad Request)")),
    [],
  );
});

test("a picture is attached, and shows in the message", async (t) => {
  const venue = await startVenue(t);
  const { page, complaints } = await enter(t, venue, CLEO, inTopic(venue));
  await composer(page).fill("Look at it:");
  const picture = { name: "Möwe [1].png", mimeType: "image/png", buffer: generatedPicture("gull", "medium") };
  // A server that does not answer: the file waits in the list, and is tried again.
  await page.route("**/user_uploads", (route) => route.abort());
  await page.locator("input[type=file]").setInputFiles(picture);
  await page.getByRole("list", { name: "Files on their way" }).getByRole("alert").waitFor();
  await assertAccessible(page, "a file that failed");
  await page.unroute("**/user_uploads");
  complaints.length = 0; // the browser tells of the failed request
  await page.getByRole("button", { name: "Try again" }).click();
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

  await page.goForward();
  // Files are dropped on the messages, what is written is sent once they are there, and a table is pasted.
  await composer(page).focus();
  const table = "<table><tr><th>Boat</th></tr><tr><td><b>Anna</b> | 4</td></tr></table>";
  await composer(page).evaluate((field, html) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", html);
    clipboardData.setData("text/plain", "Boat");
    clipboardData.items.add(new File(["of the cells"], "image.png", { type: "image/png" }));
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, table);
  assert.equal(await composer(page).inputValue(), "| Boat |\n| --- |\n| **Anna** \\| 4 |");
  await composer(page).fill("Twenty:");
  await page.locator("#feed").evaluate((feed) => {
    const dataTransfer = new DataTransfer();
    for (let at = 0; at < 20; at += 1) dataTransfer.items.add(new File([`${at}`], `file-${at}.txt`));
    feed.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  await composer(page).press("Control+Enter");
  await messageWith(page, "Twenty:").getByRole("link", { name: "file-19.txt" }).waitFor();
  const names = await messageWith(page, "Twenty:")
    .getByRole("link", { name: /^file-/ })
    .allTextContents();
  assert.deepEqual(
    names,
    Array.from({ length: 20 }, (_, at) => `file-${at}.txt`),
  );
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

test("channels are found, made, joined, changed and left", async (t) => {
  const venue = await startVenue(t);
  const { url, owner } = venue;
  const dialog = (page: Page) => page.getByRole("dialog");
  const press = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click();
  const crew = async () =>
    (await call(url, owner, "GET /streams", { include_all: true }))["streams"].find(
      ({ name }: { name: string }) => name === "crew" || name === "ship's crew",
    );
  const { page, complaints } = await enter(t, venue, CLEO);
  await page.getByRole("button", { name: "Browse channels" }).click();
  await dialog(page).getByLabel("Find or name a channel").fill("Harbour");
  await press(page, "New channel");
  await dialog(page).getByLabel("Name", { exact: true }).fill("HARBOUR");
  await press(page, "Make the channel");
  await dialog(page).getByText("There is a channel of this name.").waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Browse channels" }).click();
  await dialog(page).getByLabel("Find or name a channel").fill("crew");
  await press(page, "Make the channel crew…");
  await dialog(page).getByLabel("Description").fill("Who sails");
  await dialog(page)
    .getByLabel(/^Private, history hidden/)
    .check();
  assert.equal(
    await dialog(page)
      .getByLabel(/^Open to the web/)
      .count(),
    0,
    "public access is off",
  );
  await dialog(page).getByLabel("Who is in it, beside you").fill("gas");
  await page.keyboard.press("Enter");
  assert.ok(await dialog(page).getByRole("checkbox", { name: /Gast/ }).isChecked());
  await assertAccessibleInBothThemes(page, "a new channel");
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `a new channel at ${width}`);
  }
  await press(page, "Make the channel");
  await page.getByRole("heading", { name: "crew" }).waitFor();
  const { stream_id, invite_only, history_public_to_subscribers } = await crew();
  assert.deepEqual([invite_only, history_public_to_subscribers], [true, false]);

  // A guest is in it, and is offered nothing that the server would refuse.
  const guest = await enter(t, venue, GUEST, `#narrow/channel/${stream_id}`);
  await guest.page.getByRole("heading", { name: "crew" }).waitFor();
  await guest.page.getByRole("button", { name: "Channel settings" }).click();
  await press(guest.page, "The channel");
  await dialog(guest.page)
    .getByText(/^Private, history hidden/)
    .waitFor();
  assert.equal(await dialog(guest.page).getByRole("textbox").count(), 0);
  await press(guest.page, "People");
  await dialog(guest.page).getByRole("button", { name: "Cleo Patra" }).waitFor();
  assert.equal(
    await dialog(guest.page)
      .getByRole("button", { name: /Add people|Take .* out/ })
      .count(),
    0,
  );

  await guest.page.keyboard.press("Escape");
  await guest.page.getByRole("button", { name: "Browse channels" }).click();
  await dialog(guest.page).getByLabel("Find a channel", { exact: true }).waitFor();
  await guest.page.keyboard.press("Escape");
  await guest.page.getByRole("button", { name: "Channel settings" }).click();
  await press(guest.page, "People");

  await page.getByRole("button", { name: "Channel settings" }).click();
  await press(page, "People");
  await press(page, "Add people");
  await dialog(page).getByLabel("Add people").fill("own");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("button", { name: "Owner", exact: true }).waitFor();
  await dialog(guest.page).getByRole("button", { name: "Owner", exact: true }).waitFor();
  await assertAccessibleInBothThemes(page, "the people of a channel");
  await press(page, "Take Gast out of the channel");
  await dialog(page).getByRole("button", { name: "Gast", exact: true }).waitFor({ state: "detached" });
  await dialog(guest.page).waitFor({ state: "detached" });
  await press(page, "The channel");
  await dialog(page).getByLabel("Name").fill("ship's crew");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "ship's crew" }).first().waitFor();
  await dialog(page).getByLabel("Who reads it").selectOption("private");
  await press(page, "Change it");
  await until(async () => (await crew())["history_public_to_subscribers"] || undefined, "the history");
  await assertAccessibleInBothThemes(page, "a channel that one administers");
  await assertFits(page, "a channel that one administers");
  await press(page, "Archive the channel");
  await press(page, "Archive ship's crew");
  await dialog(page).waitFor({ state: "detached" });
  await page.getByRole("link", { name: /^ship's crew/ }).waitFor({ state: "detached" });

  // What others may do nothing about is shown to them, and refused by the server whatever a page offers.
  await page.getByRole("button", { name: "Browse channels" }).click();
  await press(page, "Leave harbour");
  await press(page, "Join harbour");
  await dialog(page).getByRole("button", { name: "Leave harbour" }).waitFor();
  await press(page, "harbour Boats and weather");
  await page.getByRole("button", { name: "Channel settings" }).click();
  await press(page, "The channel");
  await dialog(page).getByText("made by Owner").waitFor();
  assert.equal(
    await dialog(page)
      .getByRole("button", { name: /Archive/ })
      .count(),
    0,
  );
  const renamed = await call(url, venue.cleo, `PATCH /streams/${venue.channelId}`, { new_name: "mine" });
  assert.equal(renamed.status, 400);
  assert.deepEqual(complaints, []);
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

  // A server that fails to say so, or never does, is asked again.
  const { page: visitor } = await visit(t, "about:blank");
  await visitor.clock.install();
  for (const isHeld of [false, true]) {
    let asked = 0;
    await visitor.route("**/server_settings", (route) => {
      asked += 1;
      if (asked > 1) return route.continue();
      return isHeld ? undefined : route.fulfill({ status: 503, json: { result: "error", msg: "Starting" } });
    });
    await visitor.goto(`${venue.url}/#inbox`);
    await until(() => asked > 0 || undefined, "the first question");
    if (isHeld) {
      assert.equal(await visitor.getByLabel("Email address").count(), 0, "nothing is decided yet");
      await visitor.clock.fastForward(10_000);
    }
    await visitor
      .getByRole("link", { name: /^harbour/ })
      .first()
      .waitFor();
    assert.equal(asked, 2);
    await visitor.unroute("**/server_settings");
    await visitor.goto("about:blank");
  }

  // The day lines follow midnight.
  await visitor.goto(`${venue.url}/${inTopic(venue)}`);
  await visitor.getByText("Today", { exact: true }).waitFor();
  await visitor.clock.fastForward("24:00:00");
  await visitor.getByText("Yesterday", { exact: true }).waitFor();

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
