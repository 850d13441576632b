/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import { enter, inTopic, messageWith, OWNER, startVenue } from "../support/venue.ts";

// Chromium's close requests: Back on Android, which only a phone can send, and Escape, which is the same to a page.

test("on a phone, a close request closes what is on top, and leaves the conversation open", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.owner, "A message");
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const { page, complaints } = await enter(t, venue, OWNER, inTopic(venue), phone);
  await messageWith(page, "A message").waitFor();
  assert.equal(await page.evaluate(() => matchMedia("(hover: none) and (pointer: coarse)").matches), true);
  const address = page.url();
  const dialog = page.getByRole("dialog");
  const search = page.getByRole("searchbox", { name: /emoji/i }).or(page.getByRole("combobox", { name: /emoji/i }));
  const back = () => page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Insert an emoji" }).tap();
  await search.waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "DIV", "no keyboard covers the emoji");
  await back();
  await search.waitFor({ state: "detached" });

  await messageWith(page, "A message").getByRole("button", { name: "Owner" }).first().tap();
  await dialog.waitFor();
  await dialog.getByRole("button", { name: /status/i }).tap();
  await page.getByRole("dialog", { name: /status/i }).waitFor();
  await page.getByRole("button", { name: "Choose an emoji" }).tap();
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
