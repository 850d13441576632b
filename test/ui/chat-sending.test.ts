import assert from "node:assert/strict";
import test from "node:test";
import { isDeepStrictEqual } from "node:util";
import { generatedPicture } from "../../server/api/presenters/pictures.ts";
import { en } from "../../ui/locales/en.ts";
import { assertAccessible, assertFits, assertNone, intercept } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { pngOf } from "../support/pictures.ts";
import { call, serve } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";
import {
  CLEO,
  composer,
  enter,
  inTopic,
  messageWith,
  OWNER,
  startKillableVenue,
  startVenue,
  write,
} from "../support/venue.ts";

test("a sent message shows immediately and survives an outage and a reload", async (t) => {
  const venue = await startKillableVenue(t);
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
  await page.getByText(en.chat.outgoing.waiting).waitFor();
  await page.getByText(en.chat.connectionLost).waitFor();
  await page.goto("about:blank");
  await page.goto(`${venue.url}/${inTopic(venue)}`);
  await page.getByText(likeText(en.chat.copiedAt)).waitFor();
  await messageWith(page, "Read before").waitFor();
  await page.getByText("Written in the dark").waitFor();
  await write(page, "And one more");
  assert.equal(await page.getByText(en.chat.outgoing.waiting).count(), 2);
  await page.getByRole("button", { name: en.chat.tryNow }).click();
  await serve(t, venue.folder, Number(new URL(venue.url).port));
  await messageWith(page, "Written in the dark").waitFor();
  await messageWith(page, "And one more").waitFor();
  await page.getByText(en.chat.connectionLost).waitFor({ state: "detached" });
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

test("an unloaded conversation explains itself and loads on click", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "Who is there?");
  const { page } = await enter(t, venue, OWNER, "#inbox");
  await intercept(page, "**/api/v1/messages?**", (route) => route.abort());
  await page.goto(`${venue.url}/${inTopic(venue)}`);
  await page.getByText(en.chat.awaitsServer).waitFor();
  await assertAccessible(page, "a conversation that is not loaded");
  await page.unroute("**/api/v1/messages?**");
  await page.getByRole("button", { name: en.chat.outgoing.retry }).click();
  await messageWith(page, "Who is there?").waitFor();
});

/** The chat's cache as JSON, after the browser can open the page offline. */
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

test("a refused message explains why and is not sent", async (t) => {
  const venue = await startVenue(t);
  const id = await venue.say(venue.owner, "Who is there?");
  const { page } = await enter(t, venue, CLEO, inTopic(venue));
  await messageWith(page, "Who is there?").waitFor();
  await composer(page).fill("Anybody here?");
  // The topic is renamed during writing. The page and the text follow it.
  await call(venue.url, venue.owner, `PATCH /messages/${id}`, { topic: "crew", propagate_mode: "change_all" });
  await page.getByRole("heading", { name: "crew" }).waitFor();
  const written = async () => (await composer(page).inputValue()) === "Anybody here?" || undefined;
  await until(written, "the text in the renamed topic");
  // The channel is archived while one message is being sent and another waits.
  const held: (() => void)[] = [];
  await intercept(page, "**/api/v1/messages", async (route) => {
    if (route.request().method() === "POST" && held.length === 0)
      await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await composer(page).press("Control+Enter");
  const release = await until(() => held[0], "a message on its way");
  await write(page, "Nobody, then");
  const archived = await call(venue.url, venue.owner, `DELETE /streams/${venue.channelId}`);
  assert.equal(archived.status, 200);
  await page.getByText(en.writing.closed.gone).first().waitFor();
  await composer(page).waitFor({ state: "detached" });
  release();
  await until(
    async () => (await page.getByText(en.chat.outgoing.failed).count()) === 2 || undefined,
    "two that are not sent",
  );
  // Other views show the failure, on a phone above the conversations too.
  const banner = page.getByText(likeText(uiText("chat.unsent", { count: 2, place: "{{}}crew" })));
  await page.evaluate(() => window.location.assign("#inbox"));
  await banner.waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.evaluate(() => window.location.assign("#home"));
  await page.getByRole("link", { name: en.views.inbox }).waitFor();
  await assertAccessible(page, "messages that were refused");
  await assertFits(page, "messages that were refused");
  await page.getByRole("button", { name: en.chat.toUnsent_other }).click();
  await page.getByText(en.chat.outgoing.failed).first().waitFor();
  await assertNone(banner, "where they are seen, nothing is said of them");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: en.chat.outgoing.discard }).last().click();
  await page.getByText("Nobody, then").waitFor({ state: "detached" });
  await page.getByRole("button", { name: en.chat.outgoing.edit }).click();
  await page.getByText(en.writing.closed.written).waitFor();
  await page.getByText("Anybody here?").waitFor();
  await assertNone(page.getByText(en.chat.outgoing.failed));
});

test("attaches a picture and shows it in the message", async (t) => {
  const venue = await startVenue(t);
  const { page, complaints } = await enter(t, venue, CLEO, inTopic(venue));
  await composer(page).fill("Look at it:");
  const picture = { name: "Möwe [1].png", mimeType: "image/png", buffer: generatedPicture("gull", "medium") };
  // Without a server response, the file waits in the list and is retried.
  await intercept(page, "**/user_uploads", (route) => route.abort());
  await page.locator("input[type=file]").setInputFiles(picture);
  await page.getByRole("list", { name: en.writing.files.label }).getByRole("alert").waitFor();
  await assertAccessible(page, "a file that failed");
  await page.unroute("**/user_uploads");
  complaints.length = 0; // the browser logs the failed request
  await page.getByRole("button", { name: en.chat.outgoing.retry }).click();
  await until(
    async () => /^Look at it: \[Möwe 1\.png\]\(\/user_uploads\//.test(await composer(page).inputValue()) || undefined,
    "a link",
  );
  const attached = page.getByRole("list", { name: en.writing.files.pictures });
  const shown = attached.getByRole("img", { name: "Möwe 1.png" });
  await until(async () => (await shown.evaluate((one: HTMLImageElement) => one.naturalWidth)) > 0 || undefined, "it");
  await assertAccessible(page, "a picture that goes with what is written");
  await attached.getByRole("button", { name: uiText("writing.files.remove", { name: "Möwe 1.png" }) }).click();
  await attached.waitFor({ state: "detached" });
  assert.equal(await composer(page).inputValue(), "Look at it: ");
  await page.keyboard.press("Control+z");
  await shown.waitFor();
  await page.getByRole("button", { name: en.chat.compose.send, exact: true }).click();
  await attached.waitFor({ state: "detached" });
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
  await assertNone(page.getByRole("button", { name: en.pictures.next }), "there is one");
  await assertAccessible(page, "a picture seen large");
  await page.keyboard.press("Escape");
  await large.waitFor({ state: "detached" });
  await messageWith(page, "Look at it:").focus();
  await page.keyboard.press("v");
  await large.waitFor();
  await page.goBack();
  await large.waitFor({ state: "detached" });

  await page.goForward();
  // Files are dropped on the messages, the text is sent after their upload, and a table is pasted.
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

  // One picture is large. Several are tiles of one size, whatever their shapes.
  const link = async (width: number, height: number) => {
    const body = new FormData();
    body.append("file", new Blob([new Uint8Array(pngOf(width, height, height))]), `${width}.png`);
    const { authorization } = venue.cleo;
    const answer = await fetch(`${venue.url}/api/v1/user_uploads`, {
      method: "POST",
      body,
      headers: { authorization },
    });
    return `[${width}.png](${((await answer.json()) as { url: string }).url})`;
  };
  const [wide, tall] = [await link(900, 400), await link(300, 800)];
  await venue.say(venue.cleo, `Alone: ${wide}`);
  await venue.say(venue.cleo, `Both: ${wide} ${tall}`);
  const sizes = (text: string) =>
    messageWith(page, text)
      .locator(".message_inline_image img")
      .evaluateAll((all) =>
        all.map((one) => {
          const { width, height } = one.getBoundingClientRect();
          return { width: Math.round(width), height: Math.round(height), edge: getComputedStyle(one).borderTopWidth };
        }),
      );
  await until(async () => ((await sizes("Alone:"))[0]?.width ?? 0) > 300 || undefined, "a large picture");
  const tile = { width: 192, height: 144, edge: "1px" };
  await until(async () => isDeepStrictEqual(await sizes("Both:"), [tile, tile]) || undefined, "two tiles of one size");
  assert.deepEqual(complaints, []);
});
