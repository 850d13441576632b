/// <reference lib="dom" />
import type { Page } from "playwright-core";
import { sendMessage } from "../../server/api/actions/messages.ts";
import { type Channel, channelById } from "../../server/api/queries/channels.ts";
import { type User, userById } from "../../server/api/queries/users.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";
import { openStore } from "../../server/storage/store.ts";
import { loadedKb, openBrowser, scrolled, signedIn } from "./browser.ts";
import { type Account, addChannel, makeOrganization, personId } from "./organization.ts";
import { type Child, removeFolder, startHearth } from "./processes.ts";
import { call } from "./requests.ts";
import type { Section } from "./section.ts";
import { median } from "./start.ts";

const UNREAD = { messages: 10_000, topics: 500 };
const LONG_TOPIC = { messages: 100_000, quick: 5_000 };
/** Conversations opened, each with a message that arrives during that time. As many as in a working day, and a few. */
const SWITCHES = { usual: 3_000, quick: 100 };
const PER_TRANSACTION = 500;
const ROUNDS = 5;
const TARGETS = {
  firstLoadKb: 250,
  usable: 1000,
  known: 100,
  unknown: 200,
  other: 150,
  own: 50,
  rows: 200,
  fps: 58,
  heapMb: 3,
};

export const chatPage: Section = async ({ quick, tell }) => {
  const count = quick ? LONG_TOPIC.quick : LONG_TOPIC.messages;
  const { folder, accounts } = await filled(count);
  const server = await startHearth(folder);
  const browser = await openBrowser();
  try {
    const page = await signedIn(browser, server, "/#inbox", "Inbox");
    for (const figure of [
      await firstLoad(page, server),
      await usable(page, server),
      await inbox(page),
      ...(await opening(page)),
      await ownMessage(page),
      await othersMessage(page, server, accounts[1] as Account),
      ...(await scrolling(page, count)),
      await heapGrowth(page, server, accounts[1] as Account, quick ? SWITCHES.quick : SWITCHES.usual),
    ])
      tell(figure);
  } finally {
    await browser.close();
    await server.stop();
    removeFolder(folder);
  }
};

/** Two people: the second has written everything, and the first has read only the long topic. */
async function filled(long: number) {
  const names = ["unread", "long", "known", "unknown"];
  const made = await makeOrganization(2, (tx, users) => {
    for (const name of names) addChannel(tx, name, users);
  });
  const store = await openStore({ folder: made.folder });
  const [reader, writer] = [1, 2].map((number) => userById(store.reader, personId(number)) as User) as [User, User];
  const channel = (at: number) => channelById(store.reader, at + 1) as Channel;
  const send = async (count: number, from: User, to: (index: number) => { channel: Channel; topic: string }) => {
    for (let first = 0; first < count; first += PER_TRANSACTION) {
      for (let room = store.untilRoom(); room; room = store.untilRoom()) await room;
      store.transact({ actor: null, action: "bench" }, (tx) => {
        for (let index = first; index < Math.min(count, first + PER_TRANSACTION); index += 1) {
          const content = `Message ${index}: shall we meet at the pier, or **later** in the kitchen?`;
          const rendered = renderMarkdown(content);
          sendMessage(tx, from, { to: to(index), content, rendered, client: "bench", readBySender: true });
        }
      });
      await store.durable();
    }
  };
  await send(UNREAD.messages, writer, (index) => ({ channel: channel(0), topic: `topic ${index % UNREAD.topics}` }));
  await send(long, reader, () => ({ channel: channel(1), topic: "long" }));
  for (const at of [2, 3]) await send(60, reader, () => ({ channel: channel(at), topic: "talk" }));
  await store.close();
  return made;
}

async function firstLoad(page: Page, { url }: Child) {
  await page.goto("about:blank");
  await page.goto(`${url}/#inbox`);
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  const value = await loadedKb(page);
  return { name: "first load of the chat page", value, unit: "kB", atMost: TARGETS.firstLoadKb };
}

async function usable(page: Page, { url }: Child) {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.goto("about:blank");
    await page.goto(`${url}/#narrow/channel/3-known/topic/talk`);
    await page.locator("#composer").waitFor();
    await page.locator("article").first().waitFor();
    taken.push(await page.evaluate(() => performance.now()));
  }
  return { name: "chat page until one can write", value: median(taken), unit: "ms", atMost: TARGETS.usable };
}

/** Milliseconds from a URL change until the new view is painted. */
const painted = (page: Page, hash: string, selector: string, atLeast = 1): Promise<number> =>
  page.evaluate(
    async ({ hash, selector, atLeast }) => {
      const start = performance.now();
      window.location.hash = hash;
      while (document.querySelectorAll(selector).length < atLeast) await new Promise(requestAnimationFrame);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return performance.now() - start;
    },
    { hash, selector, atLeast },
  );

async function inbox(page: Page) {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await painted(page, "#narrow/channel/3-known/topic/talk", "article");
    taken.push(await painted(page, "#inbox", "#conversation li a", UNREAD.topics));
  }
  const name = `inbox of ${UNREAD.messages.toLocaleString("en")} unread in ${UNREAD.topics} topics`;
  return { name, value: median(taken), unit: "ms", atMost: TARGETS.unknown };
}

async function opening(page: Page) {
  const unknown = await painted(page, "#narrow/channel/4-unknown/topic/talk", "article");
  const known: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await painted(page, "#inbox", "#conversation li a", UNREAD.topics);
    known.push(await painted(page, "#narrow/channel/3-known/topic/talk", "article"));
  }
  return [
    { name: "conversation opened that is known", value: median(known), unit: "ms", atMost: TARGETS.known },
    { name: "conversation opened that is not", value: unknown, unit: "ms", atMost: TARGETS.unknown },
  ];
}

/** When a text is painted, by the clock that browser and process share. */
const paintedAt = (page: Page, text: string): Promise<number> =>
  page.evaluate(async (wanted) => {
    const log = document.querySelector("[role=log]") as HTMLElement;
    while (!log.textContent?.includes(wanted)) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.timeOrigin + performance.now();
  }, text);

async function ownMessage(page: Page) {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const text = `Own message ${round}.`;
    await page.locator("#composer").fill(text);
    const [start, end] = await Promise.all([
      page.locator("#composer").evaluate((field) => {
        const at = performance.timeOrigin + performance.now();
        field.closest("form")?.requestSubmit();
        return at;
      }),
      paintedAt(page, text),
    ]);
    taken.push(end - start);
  }
  return { name: "Enter until one's own message is painted", value: median(taken), unit: "ms", atMost: TARGETS.own };
}

async function othersMessage(page: Page, server: Child, writer: Account) {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const content = `Message of another browser ${round}.`;
    const end = paintedAt(page, content);
    await call(server, writer, "POST", "/messages", { type: "channel", to: "known", topic: "talk", content });
    const start = performance.timeOrigin + performance.now();
    taken.push((await end) - start);
  }
  const name = "message of another browser painted after its answer";
  return { name, value: Math.max(0, median(taken)), unit: "ms", atMost: TARGETS.other };
}

async function scrolling(page: Page, count: number) {
  await painted(page, "#narrow/channel/2-long/topic/long", "article", 10);
  await page.mouse.move(900, 400);
  const { fps, most } = await scrolled(page, "article", -600);
  const of = `a topic of ${count.toLocaleString("en")} messages`;
  return [
    { name: `frames while scrolling ${of}`, value: fps, unit: "/s", atLeast: TARGETS.fps },
    { name: `rows in the page while scrolling ${of}`, value: most, unit: "rows", atMost: TARGETS.rows },
  ];
}

/** Heap growth of the page from the first conversation to many conversations and messages. */
async function heapGrowth(page: Page, server: Child, writer: Account, switches: number) {
  const session = await page.context().newCDPSession(page);
  const heapMb = async () => {
    await painted(page, "#inbox", "#conversation li a");
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize / 1e6;
  };
  const open = async (from: number, to: number) => {
    for (let at = from; at < to; at += 1) {
      const content = `Message ${at} of a long day.`;
      await call(server, writer, "POST", "/messages", { type: "channel", to: "known", topic: "talk", content });
      await painted(page, `#narrow/channel/1-unread/topic/topic.20${at % UNREAD.topics}`, "article");
    }
  };
  const warm = switches / 5;
  await open(0, warm);
  const before = await heapMb();
  await open(warm, switches);
  const value = Math.max(0, (await heapMb()) - before);
  return { name: `growth of the heap over ${switches} conversations`, value, unit: "MB", atMost: TARGETS.heapMb };
}
