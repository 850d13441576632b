import assert from "node:assert/strict";
import test from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
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
  startKillableVenue,
  write,
} from "../support/venue.ts";

const TRAVELLER = { email: "tahir@example.com", full_name: "Tahir", password: "far from the harbour" };

test("six browsers chat through server kills and end as fresh pages do", async (t) => {
  const venue = await startKillableVenue(t);
  const { url, owner, channelId } = venue;
  const joined = await call(url, owner, "POST /users", TRAVELLER);
  const principals = JSON.stringify([joined["user_id"]]);
  const subscriptions = JSON.stringify([{ name: "harbour" }]);
  assert.equal((await call(url, owner, "POST /users/me/subscriptions", { subscriptions, principals })).status, 200);
  const first = await venue.say(venue.cleo, "Who sails?");

  const here = inTopic(venue);
  const open = async (who: typeof OWNER, options = {}) =>
    (await enter(t, venue, who, here, { timezoneId: "Europe/Stockholm", ...options })).page;
  const pages: Record<"owner" | "member" | "guest" | "phone" | "sleeper" | "traveller", Page> = {
    owner: await open(OWNER),
    member: await open(CLEO),
    guest: await open(GUEST),
    phone: await open(OWNER, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }),
    // A shared worker does not sleep with a tab.
    sleeper: await open(CLEO, { before: "delete globalThis.SharedWorker" }),
    traveller: await open(TRAVELLER, { timezoneId: "Pacific/Auckland" }),
  };
  const names = Object.keys(pages) as (keyof typeof pages)[];
  const said = ["Who sails?"];
  const say = async (name: keyof typeof pages, text: string) => {
    said.push(text);
    if (name !== "phone") return write(pages[name], text);
    await composer(pages.phone).fill(text);
    await pages.phone.getByRole("button", { name: en.chat.compose.send, exact: true }).tap();
  };
  const seenBy = async (readers: readonly (keyof typeof pages)[]) => {
    for (const name of readers) for (const text of said) await messageWith(pages[name], text).waitFor();
  };
  let { server } = venue;
  const restart = async (signal: NodeJS.Signals) => {
    server.child.kill(signal);
    await server.ended;
    return async () => {
      server = await serve(t, venue.folder, Number(new URL(url).port));
    };
  };

  // The system messages at the start of the channel have another topic.
  for (const name of names) await pages[name].evaluate(() => fetch("/api/v1/mark_all_as_read", { method: "POST" }));
  for (const name of names) await say(name, `${name} is in`);
  await seenBy(names);
  const timeOn = (page: Page) => page.locator(`[data-message-id="${first}"] time`).first().textContent();
  assert.notEqual(await timeOn(pages.traveller), await timeOn(pages.owner), "each reads the time of where they are");

  // One page sleeps until the server drops its event queue.
  const queueId = await queueOf(pages.sleeper);
  const lifecycle = await pages.sleeper.context().newCDPSession(pages.sleeper);
  await lifecycle.send("Page.setWebLifecycleState", { state: "frozen" });
  await pages.sleeper.context().setOffline(true);
  const ended = await call(url, venue.cleo, "DELETE /events", { queue_id: queueId });
  assert.equal(ended.status, 200, ended["msg"]);
  const awake = names.filter((name) => name !== "sleeper");

  // Killed while nobody writes. Later messages wait.
  await pages.member.locator(`[data-message-id="${first}"]`).focus();
  await pages.member.keyboard.press("+");
  await pages.owner.locator(`[data-message-id="${first}"] [aria-label*="Cleo Patra"]`).waitFor();
  const startAgain = await restart("SIGKILL");
  for (const name of awake) await say(name, `${name} in the dark`);
  await pages.traveller.getByText(en.chat.outgoing.waiting).waitFor();
  await startAgain();
  await seenBy(awake);

  // Killed while all write.
  const sending = awake.map((name) => say(name, `${name} at once`));
  const startOnceMore = await restart("SIGKILL");
  await Promise.all(sending);
  await startOnceMore();
  await seenBy(awake);
  await pages.owner.locator(`[data-message-id="${first}"]`).focus();
  await pages.owner.keyboard.press("+");

  // A page wakes and sends before it is up to date, while the server stops cleanly.
  await lifecycle.send("Page.setWebLifecycleState", { state: "active" });
  await say("sleeper", "sleeper is back");
  const startLast = await restart("SIGTERM");
  await pages.sleeper.context().setOffline(false);
  await startLast();
  await say("guest", "guest goes home");
  await seenBy(names);

  for (const name of names) {
    const page = pages[name];
    const shown = await until(() => settled(page), `${name} to have read everything`);
    const texts = said.map((text) => [text, shown.messages.filter((one) => one.includes(text)).length]);
    assert.deepEqual(
      texts,
      said.map((text) => [text, 1]),
      `${name} sees each once`,
    );
    assert.equal(shown.messages.length, said.length, `${name} sees nothing else`);
    await page.reload();
    let fresh: Shown | undefined;
    const isSame = async () => {
      fresh = await settled(page);
      return isDeepStrictEqual(fresh, shown) || undefined;
    };
    await until(isSame, "a fresh page").catch(() => assert.deepEqual(fresh, shown, `${name} on a fresh page`));
  }
  const narrow = JSON.stringify([
    { operator: "channel", operand: channelId },
    { operator: "topic", operand: "regatta" },
  ]);
  const all = { anchor: "oldest", num_before: 0, num_after: 100, narrow, apply_markdown: "false" };
  const { messages } = await call(url, owner, "GET /messages", all);
  const contents = messages.map(({ content }: { content: string }) => content);
  assert.deepEqual(contents.toSorted(), said.toSorted(), "the server has each once");
});

/** The event queue of a page without a worker. */
async function queueOf(page: Page): Promise<string> {
  const polls = await until(
    () =>
      page.evaluate(() => {
        const names = performance.getEntriesByType("resource").map(({ name }) => name);
        return names.filter((name) => name.includes("/api/v1/events?")).at(-1);
      }),
    "a poll",
  );
  return new URL(polls).searchParams.get("queue_id") as string;
}

interface Shown {
  title: string;
  /** Each message's ID and full text: sender, time, contents and reactions. */
  messages: string[];
  /** The sidebar with its unread counts. */
  sidebar: string;
}

/** The contents of a page, or undefined while something is unread, pending or loading. */
const settled = (page: Page): Promise<Shown | undefined> =>
  page.evaluate(() => {
    const words = (element: Element) => (element.textContent ?? "").replace(/\s+/g, " ").trim();
    const rows = [...document.querySelectorAll("[role=log] [data-message-id]")];
    const sidebar = document.querySelector("nav");
    const isBusy = document.querySelector("[role=log] [data-state]") !== null || rows.length === 0 || !sidebar;
    if (isBusy || /unread/.test(sidebar.textContent ?? "") || /^\(\d+\)/.test(document.title)) return undefined;
    return {
      title: document.title,
      messages: rows.map((row) => `${row.getAttribute("data-message-id")} ${words(row)}`),
      sidebar: words(sidebar),
    };
  });
