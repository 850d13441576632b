/// <reference lib="dom" />
import type { CDPSession, Page } from "playwright-core";
import { openBrowser, signedIn } from "./browser.ts";
import { type Account, addChannel, makeOrganization } from "./organization.ts";
import { type Child, removeFolder, startHearth } from "./processes.ts";
import { call } from "./requests.ts";
import type { Section } from "./section.ts";

/** Events of an hour in a busy team of 30, and the reader's actions. */
const EACH_HOUR = {
  messages: 300,
  edits: 30,
  deletions: 5,
  moves: 5,
  reactions: 100,
  typing: 150,
  presence: 300,
  narrowings: 60,
  ownMessages: 25,
  drafts: 20,
  searches: 5,
  lookups: 5,
} as const;
const HOURS = { usual: 8, quick: 2 };
const PEOPLE = 30;
const CHANNELS = 20;
const TOPICS = 10;
/** Counted after the first hour, in which every part of the page was opened once. */
const MAX_GROWTH_MB = 3;

export const chatDay: Section = async ({ quick, tell }) => {
  const { folder, accounts } = await makeOrganization(PEOPLE, (tx, users) => {
    for (let at = 0; at < CHANNELS; at += 1) addChannel(tx, `channel ${at}`, users);
  });
  const server = await startHearth(folder);
  const browser = await openBrowser();
  try {
    const page = await signedIn(browser, server, "/#inbox", "Inbox");
    const session = await page.context().newCDPSession(page);
    const day = new Day(server, accounts, page);
    const hours = quick ? HOURS.quick : HOURS.usual;
    const heaps: number[] = [];
    const nodes: number[] = [];
    for (let hour = 1; hour <= hours; hour += 1) {
      await day.hour();
      const { heapMb, domNodes } = await atRest(page, session);
      heaps.push(heapMb);
      nodes.push(domNodes);
      tell({ name: `heap after hour ${hour} of chat`, value: heapMb, unit: "MB" });
    }
    const grown = (values: number[]) => Math.max(0, (values.at(-1) ?? 0) - (values[0] ?? 0));
    const since = `hours 2 to ${hours} of chat`;
    tell({ name: `growth of the heap in ${since}`, value: grown(heaps), unit: "MB", atMost: MAX_GROWTH_MB });
    tell({ name: `growth of the nodes in ${since}`, value: grown(nodes), unit: "nodes", atMost: 1000 });
  } finally {
    await browser.close();
    await server.stop();
    removeFolder(folder);
  }
};

/** Heap and nodes after a collection, while the page shows the same state: an inbox without unread messages. */
async function atRest(page: Page, session: CDPSession): Promise<{ heapMb: number; domNodes: number }> {
  await goTo(page, "#inbox", "#conversation h2");
  await asReader(page, "POST", "/mark_all_as_read");
  await page.getByText("All read").waitFor();
  for (let round = 0; round < 3; round += 1) await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes } = await session.send("Memory.getDOMCounters");
  return { heapMb: usedSize / 1e6, domNodes: nodes };
}

async function asReader(page: Page, method: string, path: string, fields: Record<string, string> = {}): Promise<void> {
  const status = await page.evaluate(
    async ([how, where, body]) =>
      (await fetch(`/api/v1${where}`, { method: how, body: new URLSearchParams(body) })).status,
    [method, path, fields] as const,
  );
  if (status !== 200) throw new Error(`${method} ${path}: ${status}`);
}

const goTo = async (page: Page, hash: string, selector: string): Promise<void> => {
  await page.evaluate((to) => window.location.assign(to), hash);
  await page.locator(selector).first().waitFor();
};

function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

interface Sent {
  readonly id: number;
  readonly writer: Account;
  readonly isDirect: boolean;
}

class Day {
  readonly #server: Child;
  readonly #others: readonly Account[];
  readonly #page: Page;
  readonly #random = sequence(16);
  /** The newest messages of other people. */
  #recent: Sent[] = [];
  #count = 0;

  constructor(server: Child, [, ...others]: readonly Account[], page: Page) {
    this.#server = server;
    this.#others = others;
    this.#page = page;
  }

  /** One hour of events and actions, mixed. */
  async hour(): Promise<void> {
    const left: Record<string, number> = { ...EACH_HOUR };
    for (;;) {
      const kinds = Object.keys(left).filter((kind) => (left[kind] ?? 0) > 0);
      const total = kinds.reduce((sum, kind) => sum + (left[kind] ?? 0), 0);
      if (total === 0) return;
      let at = this.#random(total);
      const kind = kinds.find((one) => {
        at -= left[one] ?? 0;
        return at < 0;
      }) as keyof typeof EACH_HOUR;
      left[kind] = (left[kind] ?? 0) - 1;
      await this.#acts[kind]();
    }
  }

  readonly #acts: Record<keyof typeof EACH_HOUR, () => Promise<unknown>> = {
    messages: async () => {
      const writer = this.#somebody();
      this.#count += 1;
      const content = `Message ${this.#count}: shall we meet at the **pier**, or later in the \`kitchen\`? ${"So. ".repeat(this.#random(30))}`;
      const isDirect = this.#random(5) === 0;
      const to = isDirect
        ? { type: "direct", to: "[1]", content }
        : { type: "channel", to: `channel ${this.#random(CHANNELS)}`, topic: this.#topic(), content };
      const { id } = await this.#ask(writer, "POST", "/messages", to);
      this.#recent = [...this.#recent.slice(-99), { id, writer, isDirect }];
    },
    edits: () =>
      this.#withRecent(({ id, writer }) =>
        this.#ask(writer, "PATCH", `/messages/${id}`, { content: `Edited ${this.#count}, and then **again**.` }),
      ),
    deletions: async () => {
      const last = this.#recent.pop();
      if (last) await asReader(this.#page, "DELETE", `/messages/${last.id}`);
    },
    moves: () =>
      this.#withRecent(({ id, isDirect }) =>
        isDirect
          ? Promise.resolve()
          : asReader(this.#page, "PATCH", `/messages/${id}`, { topic: this.#topic(), propagate_mode: "change_one" }),
      ),
    reactions: () =>
      this.#withRecent(({ id }) => {
        const emoji = ["+1", "tada", "heart", "eyes"][this.#random(4)] as string;
        // The second request is refused, as happens to people whose clicks cross.
        return this.#ask(this.#somebody(), "POST", `/messages/${id}/reactions`, { emoji_name: emoji }).catch(() => {});
      }),
    typing: () => {
      const where = { type: "stream", stream_id: 1 + this.#random(CHANNELS), topic: this.#topic() };
      return this.#ask(this.#somebody(), "POST", "/typing", { op: this.#random(2) ? "start" : "stop", ...where });
    },
    presence: () =>
      this.#ask(this.#somebody(), "POST", "/users/me/presence", {
        status: this.#random(3) ? "active" : "idle",
        new_user_input: "true",
        ping_only: "true",
      }),
    narrowings: () => this.#open(),
    ownMessages: async () => {
      await this.#open();
      await this.#page.locator("#composer").fill(`My own message ${this.#random(1e6)}`);
      await this.#page.locator("#composer").evaluate((field) => field.closest("form")?.requestSubmit());
    },
    drafts: async () => {
      await this.#open();
      await this.#page.locator("#composer").pressSequentially("half a thought");
      await this.#page.locator("#composer").fill("");
    },
    searches: () => goTo(this.#page, `#narrow/search/pier.20${this.#random(50)}`, "#feed"),
    lookups: async () => {
      await this.#page.keyboard.press("Control+k");
      await this.#page.getByRole("combobox").fill(`channel ${this.#random(CHANNELS)}`);
      await this.#page.getByRole("option").first().waitFor();
      await this.#page.keyboard.press("Escape");
      await this.#page.getByRole("combobox").waitFor({ state: "detached" });
    },
  };

  #open(): Promise<void> {
    const channelId = 1 + this.#random(CHANNELS);
    return goTo(this.#page, `#narrow/channel/${channelId}/topic/${this.#topic().replaceAll(" ", ".20")}`, "#composer");
  }

  readonly #topic = () => `topic ${this.#random(TOPICS)}`;
  readonly #somebody = () => this.#others[this.#random(this.#others.length)] as Account;

  async #withRecent(act: (message: Sent) => Promise<unknown>): Promise<void> {
    const message = this.#recent[this.#random(this.#recent.length)];
    if (message) await act(message);
  }

  readonly #ask = (who: Account, method: string, path: string, fields: Record<string, string | number>) =>
    call(this.#server, who, method, path, fields);
}
