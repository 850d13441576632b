/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, intercept } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { call } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";
import { enter, inTopic, OWNER, startVenue } from "../support/venue.ts";

test("marks everything as read and as unread again", async (t) => {
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
  /** The newest of several notifications undoes the latest action. */
  const press = (name: string) => page.getByRole("button", { name, exact: true }).last().click();
  await page.getByRole("link", { name: en.views.inbox }).click();
  await page.getByRole("link", { name: `Cleo Patra Four ${uiText("chat.unread", { count: 2 })}` }).waitFor();
  await assertAccessibleInBothThemes(page, "an inbox with what marks as read");
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `the inbox at ${width}`);
  }

  // Without a response, the page says so and continues on request.
  await intercept(page, "**/messages/flags", (route) => route.abort());
  await press(en.chat.markEverythingRead);
  await page.getByText(uiText("marking.read.stopped", { done: 0, count: 4, reason: en.marking.noAnswer })).waitFor();
  await page.unroute("**/messages/flags");
  const stopped = page.getByRole("alert").filter({ hasText: likeText(en.marking.read.stopped_other) });
  const isCut = (one: Element) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth;
  for (const part of [stopped, stopped.getByRole("button", { name: en.marking.goOn })])
    assert.equal(await part.evaluate(isCut), false, "all of it is in sight");
  await press(en.marking.goOn);
  await page.getByText(uiText("marking.read.done", { count: 4 })).waitFor();
  await page.getByText(en.chat.allRead).waitFor();
  await becomesUnread([]);
  await press(en.saving.undo);
  await becomesUnread(said);
  await page.getByText(en.saving.undone).waitFor();

  // Marks a line, a heading, and messages. The keyboard continues with the next line.
  const sails = page.getByRole("button", { name: uiText("chat.markReadNamed", { name: "sails" }) });
  await sails.focus();
  await page.keyboard.press("Enter");
  await sails.waitFor({ state: "detached" });
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
    uiText("chat.markReadNamed", { name: "regatta" }),
  );
  await press(uiText("chat.markReadNamed", { name: en.chat.directMessages }));
  await becomesUnread([said[0] as number]);
  await page.getByText(uiText("marking.read.done", { count: 2 })).waitFor();
  await page.keyboard.press("Control+z");
  await becomesUnread([said[0], ...said.slice(2)] as number[]);
  await press(uiText("chat.markReadNamed", { name: "harbour" }));
  await becomesUnread(said.slice(2));
  await page.goto(`${url}/#narrow/channel/${channelId}-harbour`);
  await page.getByRole("heading", { name: "harbour" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: en.search.goTitle }).fill("catch up");
  await page.getByRole("option", { name: en.chat.markEverythingRead, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await becomesUnread([]);
  await page.getByText(uiText("marking.read.done", { count: 2 })).waitFor();
  await press(en.saving.undo);
  await becomesUnread(said.slice(2));
  // The number includes messages that the inbox does not show.
  const quiet = await venue.say(cleo, "Hum", "engine room");
  await call(url, owner, "POST /user_topics", { stream_id: channelId, topic: "engine room", visibility_policy: 1 });
  await becomesUnread([...said.slice(2), quiet]);
  await page.getByRole("button", { name: likeText(en.chat.account) }).click();
  await press(en.chat.markEverythingRead);
  await page.getByText(uiText("marking.read.doneWithMuted", { count: 3, muted: 1 })).waitFor();
  await becomesUnread([]);

  // Marking from a topic's and a channel's menu can be undone alike, also in the open conversation.
  await page.goto(`${url}/${inTopic(venue)}`);
  await page.reload(); // removes the earlier notifications
  const newest = page.locator(`[data-message-id="${said[0]}"]`);
  await newest.hover();
  await newest.getByRole("button", { name: en.messageMenu.more }).click();
  await page.getByRole("menuitem", { name: en.messageMenu.markUnread }).click();
  await becomesUnread([said[0] as number]);
  await press(en.chat.markRead);
  const notice = page.getByText(uiText("marking.read.done", { count: 1 }));
  await notice.waitFor();
  // Writing continues next to the notification.
  for (const width of [390, 800, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const [above, form] = await Promise.all([
      page.getByRole("alert").filter({ has: notice }).boundingBox(),
      page.getByRole("form", { name: en.chat.compose.label }).boundingBox(),
    ]);
    assert.ok(above && form);
    const isBeside = above.y + above.height <= form.y || above.x + above.width <= form.x;
    assert.ok(isBeside, `at ${width}, the notice is beside the composer: ${JSON.stringify({ above, form })}`);
  }
  await press(en.saving.undo);
  await becomesUnread([said[0] as number]);
  assert.deepEqual(
    complaints.filter((one) => !one.includes("ERR_FAILED")),
    [],
  );
});
