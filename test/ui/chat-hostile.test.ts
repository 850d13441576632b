import assert from "node:assert/strict";
import test from "node:test";
import { generatedPicture } from "../../server/api/presenters/pictures.ts";
import { en } from "../../ui/locales/en.ts";
import { assertFits, assertNone } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { call } from "../support/server-process.ts";
import { uiText } from "../support/ui-texts.ts";
import { enter, inTopic, messageWith, OWNER, startVenue } from "../support/venue.ts";

test("hostile content shows as text", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "<img src=x onerror=alert(1)> <b>bold</b> [x](javascript:alert(1))", "<u>topic</u>");
  const { page, complaints } = await enter(t, venue, OWNER, `#narrow/channel/${venue.channelId}`);
  await messageWith(page, "<img src=x onerror=alert(1)> <b>bold</b>").waitFor();
  await page
    .getByRole("link", { name: /<u>topic<\/u>/ })
    .first()
    .waitFor();
  await assertNone(page.locator("article [href^='javascript:']"));
  assert.deepEqual(complaints, []);
});

test("on a phone, touch edits and deletes; hostile names and pictures do nothing", async (t) => {
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
  new DataView(vast.buffer).setUint32(16, 60_000); // the width that the PNG claims
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
    const offered = page.getByRole("menuitem", { name: item }).first();
    // A row that moves during the touch is missed.
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
  // A reaction takes two touches. An emoji from the full list is then the first suggestion.
  const reactions = own.getByRole("list", { name: en.chat.reactions }).getByRole("button");
  await choose(en.messageMenu.moreReactions);
  await page.getByLabel(en.chat.emoji.search).fill("sailboat");
  await page.getByRole("button", { name: "boat", exact: true }).tap();
  await reactions.filter({ hasText: "⛵" }).waitFor();
  await choose(uiText("messageMenu.takeBack", { name: "boat" }));
  await reactions.first().waitFor({ state: "detached" });
  await choose(uiText("messageMenu.reactWith", { name: "boat" }));
  await reactions.filter({ hasText: "⛵" }).waitFor();
  await choose(en.chat.tools.edit);
  await page.getByLabel(en.chat.editText).fill("First words");
  await page.getByRole("button", { name: en.chat.save }).tap();
  await messageWith(page, "First words").getByText(en.chat.edited).waitFor();
  await choose(en.chat.tools.delete);
  await page.getByRole("button", { name: en.chat.undo }).tap();
  await messageWith(page, "First words").waitFor();
  await choose(en.chat.tools.delete);
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
  await shown.first().click();
  const viewer = page.getByRole("dialog");
  await viewer.getByText(hostile).waitFor();
  await viewer.getByRole("time").waitFor();
  await assertFits(page, "a picture and who sent it");
  await viewer.getByRole("link", { name: en.pictures.toMessage }).click();
  await viewer.waitFor({ state: "detached" });
  await until(async () => /\/(near|with)\/\d+$/.test(page.url()) || undefined, "the address of the message");
  assert.notEqual(await page.title(), "taken");
  // The emptied topic requests its message's new location and is refused.
  assert.deepEqual(
    complaints.filter((text) => !text.includes("400 (Bad Request)")),
    [],
  );
});
