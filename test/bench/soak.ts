import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { ask, asked, askedWithFile, blackPicture } from "./http-requests.ts";
import { type Account, addChannel, makeOrganization } from "./organization.ts";
import { nodeOptions, removeFolder } from "./processes.ts";
import type { Section } from "./section.ts";
import type { Memory, SoakRequest } from "./soak-server.ts";

const CLIENTS = 20;
const CHANNELS = 10;
const TOPICS = 30;
const RUNS = {
  usual: { hours: 2, actionsPerHour: 200_000, points: 24 },
  quick: { hours: 2, actionsPerHour: 1500, points: 8 },
};
/** Allowed rise of the heap's line of best fit in the second half of the run. */
const MAX_RISE_PERCENT = 5;
const ADVANCED_EVERY = 100;
const HOUR_MS = 3_600_000;

/** How often each action happens, out of 1000. */
const SHARES = {
  send: 300,
  edit: 50,
  react: 200,
  type: 150,
  report: 90,
  read: 80,
  flag: 60,
  draft: 20,
  search: 12,
  upload: 10,
  reconnect: 10,
  move: 9,
  delete: 9,
} as const;

export const soak: Section = async ({ quick, tell }) => {
  const { hours, actionsPerHour, points } = quick ? RUNS.quick : RUNS.usual;
  const { folder, accounts } = await makeOrganization(CLIENTS + 1, (tx, users) => {
    for (let number = 0; number < CHANNELS; number += 1) addChannel(tx, `channel ${number}`, users);
  });
  const server = await startSoakServer(folder);
  try {
    const clients = accounts.slice(1).map((account, number) => new Client(server.port, account, number));
    await Promise.all(clients.map((client) => client.register()));
    const measured: Memory[] = [];
    const actions = hours * actionsPerHour;
    let done = 0;
    for (let point = 1; point <= points; point += 1) {
      const until = (point * actions) / points;
      const work = async (client: Client) => {
        while (done < until) {
          done += 1;
          if (done % ADVANCED_EVERY === 0) server.advance((ADVANCED_EVERY * HOUR_MS) / actionsPerHour);
          await client.act();
        }
      };
      await Promise.all(clients.map(work));
      const memory = await server.measure();
      measured.push(memory);
      tell({ name: `heap after ${minutes(hours, point / points)}`, value: memory.heap, unit: "MB", more: memory });
    }
    const half = measured.slice(points / 2);
    for (const kind of ["heap", "external", "wasm", "rss"] as const) {
      const value = risePercent(half.map((memory) => memory[kind]));
      const more = { measured: measured.map((memory) => memory[kind]) };
      tell({
        name: `rise of ${kind} in the second half`,
        value,
        unit: "%",
        more,
        ...(kind === "heap" && { atMost: MAX_RISE_PERCENT }),
      });
    }
    const refused = clients.reduce((sum, client) => sum + client.refused, 0);
    tell({ name: "actions that were refused", value: refused, unit: `of ${actions}` });
    await Promise.all(clients.map((client) => client.close()));
  } finally {
    await server.stop();
    removeFolder(folder);
  }
};

const minutes = (hours: number, part: number): string => `${Math.round(hours * 60 * part)} minutes`;

/** By how much the line of best fit rises from the first to the last value, in percent of their mean. */
function risePercent(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = (values.length - 1) / 2;
  const covariance = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0);
  const variance = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return ((covariance / variance) * (values.length - 1) * 100) / mean;
}

async function startSoakServer(folder: string) {
  const child = fork(new URL("./soak-server.ts", import.meta.url), [folder], {
    execArgv: [...nodeOptions, "--expose-gc"],
    env: { MALLOC_TRIM_THRESHOLD_: String(128 << 10), ...process.env }, // as server/run.mjs sets it
  });
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  const exited = once(child, "exit");
  const failed = exited.then(() => Promise.reject(new Error("The server ended.")));
  failed.catch(() => {});
  const answer = async <T>(request?: SoakRequest): Promise<T> => {
    const answered = once(child, "message");
    if (request !== undefined) child.send(request);
    return (await Promise.race([answered, failed]))[0] as T;
  };
  const url = await answer<string>();
  return {
    port: Number(new URL(url).port),
    advance: (ms: number) => child.send({ advance: ms }),
    measure: () => answer<Memory>("measure"),
    stop: async () => {
      if (child.connected) child.send("stop");
      await exited;
      process.off("exit", end);
    },
  };
}

type Fields = Record<string, unknown>;

/** One person's app: it polls for events and does one action after the other. */
class Client {
  readonly #port: number;
  readonly #account: Account;
  readonly #agent = new Agent({ keepAlive: true });
  #random: () => number;
  #queue: { id: string; last: number } | undefined;
  #polling: Promise<void> | undefined;
  /** The newest messages that it has seen or sent. */
  #seen: number[] = [];
  #own: number[] = [];
  #reactions: { id: number; emoji_name: string }[] = [];
  #isClosed = false;
  #count = 0;
  refused = 0;

  constructor(port: number, account: Account, number: number) {
    this.#port = port;
    this.#account = account;
    this.#random = sequence(number + 1);
  }

  async register(): Promise<void> {
    const { queue_id, last_event_id } = await this.#ask("POST", "/register", {
      apply_markdown: true,
      client_capabilities: { empty_topic_name: true, bulk_message_deletion: true, user_settings_object: true },
    });
    this.#queue = { id: queue_id as string, last: last_event_id as number };
    this.#polling = this.#poll(this.#queue);
  }

  async #poll(queue: { id: string; last: number }): Promise<void> {
    while (this.#queue === queue && !this.#isClosed) {
      const { events } = await this.#ask("GET", "/events", { queue_id: queue.id, last_event_id: queue.last });
      if (!events) return; // the queue was deleted, or the server ended
      for (const event of events as { id: number; message?: { id: number }; message_ids?: number[]; type: string }[]) {
        queue.last = Math.max(queue.last, event.id);
        if (event.message) this.#seen.push(event.message.id);
        if (event.type === "delete_message") this.#seen = this.#seen.filter((id) => !event.message_ids?.includes(id));
      }
      this.#seen = this.#seen.slice(-200);
    }
  }

  act(): Promise<unknown> {
    let at = this.#below(1000);
    for (const [name, share] of Object.entries(SHARES)) {
      at -= share;
      if (at < 0) return this.#acts[name as keyof typeof SHARES]();
    }
    throw new Error("The shares are less than 1000 together.");
  }

  readonly #acts: Record<keyof typeof SHARES, () => Promise<unknown>> = {
    send: async () => {
      this.#count += 1;
      const content = `Message ${this.#count}: shall we meet at the **pier**, or in the \`kitchen\`? ${"So it is. ".repeat(this.#below(30))}`;
      const to =
        this.#below(5) === 0
          ? { type: "direct", to: [101 + 1 + this.#below(CLIENTS)] }
          : { type: "channel", to: `channel ${this.#below(CHANNELS)}`, topic: this.#topic() };
      const { id } = await this.#ask("POST", "/messages", { ...to, content });
      if (id) this.#own = [...this.#own.slice(-50), id as number];
    },
    edit: () =>
      this.#on(this.#own, (id) => this.#ask("PATCH", `/messages/${id}`, { content: `Edited ${this.#count}.` })),
    react: async () => {
      const given = this.#below(3) === 0 ? this.#reactions.shift() : undefined;
      if (given) return this.#ask("DELETE", `/messages/${given.id}/reactions`, { emoji_name: given.emoji_name });
      return this.#on(this.#seen, async (id) => {
        const emoji_name = ["+1", "tada", "heart", "eyes"][this.#below(4)] as string;
        const { result } = await this.#ask("POST", `/messages/${id}/reactions`, { emoji_name });
        if (result) this.#reactions = [...this.#reactions.slice(-50), { id, emoji_name }];
      });
    },
    type: () =>
      this.#ask("POST", "/typing", {
        op: this.#below(2) ? "start" : "stop",
        type: "stream",
        stream_id: 1 + this.#below(CHANNELS),
        topic: this.#topic(),
      }),
    report: () =>
      this.#ask("POST", "/users/me/presence", { status: this.#below(3) ? "active" : "idle", new_user_input: true }),
    read: () =>
      this.#ask("GET", "/messages", {
        anchor: this.#below(2) ? "newest" : this.#anySeen(),
        num_before: 50,
        num_after: 0,
        narrow: [["channel", `channel ${this.#below(CHANNELS)}`]],
      }),
    flag: () => this.#ask("POST", "/messages/flags", { messages: this.#seen.slice(-50), op: "add", flag: "read" }),
    draft: async () => {
      const draft = {
        type: "stream",
        to: [1 + this.#below(CHANNELS)],
        topic: this.#topic(),
        content: "half a thought",
      };
      const { ids = [] } = await this.#ask("POST", "/drafts", { drafts: [draft] });
      for (const id of ids as number[]) await this.#ask("DELETE", `/drafts/${id}`);
    },
    search: () =>
      this.#ask("GET", "/messages", {
        anchor: "newest",
        num_before: 20,
        num_after: 0,
        narrow: [["search", `pier ${this.#below(50)}`]],
      }),
    upload: async () => {
      const isPicture = this.#below(2) === 0;
      const bytes = isPicture ? blackPicture(100 + this.#below(200)) : Buffer.alloc(20_000, this.#below(256));
      const name = isPicture ? "picture.png" : "notes.bin";
      await ask(askedWithFile(this.#account, "/user_uploads", { name, bytes }), this.#port, { agent: this.#agent });
    },
    reconnect: async () => {
      const [queue, polling] = [this.#queue, this.#polling];
      this.#queue = undefined;
      await this.#ask("DELETE", "/events", { queue_id: queue?.id });
      await polling;
      await this.register();
    },
    move: () =>
      this.#on(this.#own, (id) =>
        this.#ask("PATCH", `/messages/${id}`, { topic: this.#topic(), propagate_mode: "change_one" }),
      ),
    delete: () => this.#on(this.#own.splice(-1), (id) => this.#ask("DELETE", `/messages/${id}`)),
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#ask("DELETE", "/events", { queue_id: this.#queue?.id });
    await this.#polling;
    this.#agent.destroy();
  }

  async #ask(method: string, path: string, fields: Fields = {}): Promise<Fields> {
    const { status, body } = await ask(asked(this.#account, method, path, fields), this.#port, { agent: this.#agent });
    if (status !== 200) this.refused += 1;
    if (status === 0 || status >= 500) throw new Error(`${method} ${path}: ${status} ${body.slice(0, 200)}`);
    return status === 200 ? (JSON.parse(body) as Fields) : {};
  }

  readonly #below = (limit: number): number => Math.floor(this.#random() * limit);
  readonly #topic = () => `topic ${this.#below(TOPICS)}`;
  readonly #anySeen = () => this.#seen[this.#below(this.#seen.length)] ?? "newest";

  async #on(ids: readonly number[], act: (id: number) => Promise<unknown>): Promise<void> {
    const id = ids[this.#below(ids.length)];
    if (id !== undefined) await act(id);
  }
}

/** Numbers from 0 to 1, the same in each run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
