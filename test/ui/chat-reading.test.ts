/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import { assertAccessibleInBothThemes, assertFits } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { call } from "../support/server-process.ts";
import { enter, inTopic, OWNER, startVenue } from "../support/venue.ts";

test("everything is marked as read, and what became read is unread again", async (t) => {
  const venue = await startVenue(t);
  const { url, owner, cleo, channelId } = venue;
  const { page, complaints } = await enter(t, venue, OWNER, "#drafts");
  await call(url, owner, "POST /mark_all_as_read");
  const before = await venue.say(cleo, "Read before");
  await call(url, owner, "POST /messages/flags", { messages: `[${before}]`, op: "add", flag: "read" });
  const said = [await venue.say(cleo, "One"), await venue.say(cleo, "Two", "sails")];
  for (const content of ["Three", "Four"]) {
    const direct = { type: "private", to: JSON.stringify([owner.id]), content };
    said.push((await call(url, cleo, "POST /messages", direct))["id"]);
  }
  const unread = async () => {
    const input = { anchor: "newest", num_before: 50, num_after: 0, narrow: '[{"operator":"is","operand":"unread"}]' };
    return (await call(url, owner, "GET /messages", input))["messages"].map(({ id }: { id: number }) => id);
  };
  const becomesUnread = (ids: readonly number[]) =>
    until(async () => String(await unread()) === String(ids) || undefined, `unread: ${ids}`);
  /** Of several notices, the newest takes back what was done last. */
  const press = (name: string) => page.getByRole("button", { name, exact: true }).last().click();
  await page.getByRole("link", { name: /^Inbox/ }).click();
  await page.getByRole("link", { name: /^Cleo Patra Four 2 unread messages$/ }).waitFor();
  await assertAccessibleInBothThemes(page, "an inbox with what marks as read");
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `the inbox at ${width}`);
  }

  // The server does not answer: the page says so, and goes on when it is asked to.
  await page.route("**/messages/flags", (route) => route.abort());
  await press("Mark everything as read");
  await page.getByText("0 of 4 messages are marked as read, then it stopped: Hearth doesn't answer.").waitFor();
  await page.unroute("**/messages/flags");
  const stopped = page.getByRole("alert").filter({ hasText: "then it stopped" });
  const isCut = (one: Element) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth;
  for (const part of [stopped, stopped.getByRole("button", { name: "Go on" })])
    assert.equal(await part.evaluate(isCut), false, "all of it is in sight");
  await press("Go on");
  await page.getByText("4 messages marked as read").waitFor();
  await page.getByText("All read").waitFor();
  await becomesUnread([]);
  await press("Undo");
  await becomesUnread(said);
  await page.getByText("Undone").waitFor();

  // A line, a heading, and where messages are read. The keyboard goes on with the next line.
  const sails = page.getByRole("button", { name: "Mark as read: sails" });
  await sails.focus();
  await page.keyboard.press("Enter");
  await sails.waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Mark as read: regatta");
  await press("Mark as read: Direct messages");
  await becomesUnread([said[0] as number]);
  await page.getByText("2 messages marked as read").waitFor();
  await page.keyboard.press("Control+z");
  await becomesUnread([said[0], ...said.slice(2)] as number[]);
  await press("Mark as read: harbour");
  await becomesUnread(said.slice(2));
  await page.goto(`${url}/#narrow/channel/${channelId}-harbour`);
  await page.getByRole("heading", { name: "harbour" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to" }).fill("catch up");
  await page.getByRole("option", { name: "Mark everything as read", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await becomesUnread([]);
  await page.getByText("2 messages marked as read").waitFor();
  await press("Undo");
  await becomesUnread(said.slice(2));
  // Of what the inbox does not show, the number says so.
  const quiet = await venue.say(cleo, "Hum", "engine room");
  await call(url, owner, "POST /user_topics", { stream_id: channelId, topic: "engine room", visibility_policy: 1 });
  await becomesUnread([...said.slice(2), quiet]);
  await page.getByRole("button", { name: /^Your account/ }).click();
  await press("Mark everything as read");
  await page.getByText("3 messages marked as read, 1 of them in muted topics").waitFor();
  await becomesUnread([]);

  // What the menus of a topic and a channel mark is taken back alike, also where one looks at it.
  await page.goto(`${url}/${inTopic(venue)}`);
  await page.reload(); // without the notices of before
  const newest = page.locator(`[data-message-id="${said[0]}"]`);
  await newest.hover();
  await newest.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Mark as unread from here" }).click();
  await becomesUnread([said[0] as number]);
  await press("Mark all as read");
  const notice = page.getByText("1 message marked as read");
  await notice.waitFor();
  // One writes on beside the notice.
  for (const width of [390, 800, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const [above, form] = await Promise.all([
      page.getByRole("alert").filter({ has: notice }).boundingBox(),
      page.getByRole("form", { name: "Write" }).boundingBox(),
    ]);
    assert.ok(above && form);
    const isBeside = above.y + above.height <= form.y || above.x + above.width <= form.x;
    assert.ok(isBeside, `at ${width}, the notice is beside the composer: ${JSON.stringify({ above, form })}`);
  }
  await press("Undo");
  await becomesUnread([said[0] as number]);
  assert.deepEqual(
    complaints.filter((one) => !one.includes("ERR_FAILED")),
    [],
  );
});
