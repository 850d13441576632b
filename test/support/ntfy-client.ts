import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { type Chat, type ChatOptions, startChat } from "./chat.ts";

/** An event as the app reads it. */
export interface NtfyEvent {
  id: string;
  time: number;
  expires?: number;
  event: string;
  topic: string;
  sequence_id?: string;
  title?: string;
  message?: string;
  priority?: number;
  tags?: string[];
  click?: string;
  icon?: string;
}

/** A phone with the ntfy app. */
export interface Phone {
  /** The next event, without `open` and `keepalive`. Undefined if the stream ends first. */
  next(): Promise<NtfyEvent | undefined>;
  /** The next event of any kind. */
  nextOfAll(): Promise<NtfyEvent | undefined>;
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

const PATIENCE_MS = 20_000;

/** Events in the order of their arrival, for a reader that waits. */
class Arrivals {
  readonly #events: NtfyEvent[] = [];
  #isOver = false;
  #wake: () => void = () => {};
  readonly ended: Promise<void>;
  #end: () => void = () => {};

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  add(event: NtfyEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#end();
    this.#wake();
  }

  async nextOfAll(): Promise<NtfyEvent | undefined> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (this.#events.length === 0 && !this.#isOver) {
      const news = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      const late = wait(PATIENCE_MS, undefined, { ref: false }).then(() => signal.throwIfAborted());
      await Promise.race([news, late]);
    }
    return this.#events.shift();
  }

  async next(): Promise<NtfyEvent | undefined> {
    for (let event = await this.nextOfAll(); event; event = await this.nextOfAll())
      if (event.event !== "open" && event.event !== "keepalive") return event;
    return undefined;
  }
}

/** Subscribes to a stream of JSON, as the Android app does. Resolves after the event `open`. */
export async function openPhone(t: TestContext, url: string, headers: Record<string, string> = {}): Promise<Phone> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);
  const arrivals = new Arrivals();
  const read = readLines(response.body, (line) => arrivals.add(JSON.parse(line) as NtfyEvent)).finally(() =>
    arrivals.end(),
  );
  const close = async () => {
    abort.abort();
    await read.catch(() => {});
  };
  t.after(close);
  read.catch(() => {}); // a restart cuts the connection
  const first = await arrivals.nextOfAll();
  if (first?.event !== "open") throw new Error(`The stream begins with ${JSON.stringify(first)}`);
  return { next: () => arrivals.next(), nextOfAll: () => arrivals.nextOfAll(), ended: arrivals.ended, close };
}

async function readLines(body: AsyncIterable<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") onLine(line);
  }
}

/** Subscribes with a WebSocket. Resolves after the event `open`. */
export async function openSocket(
  t: TestContext,
  url: string,
  options: { ca?: string | Buffer; headers?: Record<string, string>; localAddress?: string } = {},
): Promise<Phone & { socket: WebSocket }> {
  const socket = new WebSocket(url.replace(/^http/, "ws"), options);
  const arrivals = new Arrivals();
  const failed = new Promise<never>((_resolve, reject) => socket.once("error", reject));
  failed.catch(() => {});
  socket.on("message", (data) => arrivals.add(JSON.parse(data.toString()) as NtfyEvent));
  socket.on("close", () => arrivals.end());
  const close = async () => {
    socket.terminate();
    await arrivals.ended;
  };
  t.after(close);
  const first = await Promise.race([arrivals.nextOfAll(), failed]);
  if (first?.event !== "open") throw new Error(`The stream begins with ${JSON.stringify(first)}`);
  return { socket, next: () => arrivals.next(), nextOfAll: () => arrivals.nextOfAll(), ended: arrivals.ended, close };
}

/** The messages that are there now, as `poll=1` returns them. */
export async function pollNtfy(url: string, headers: Record<string, string> = {}): Promise<NtfyEvent[]> {
  const text = await (await fetch(url, { headers })).text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as NtfyEvent);
}

/** Hamlet with a topic for his phone. */
export interface Subscriber {
  chat: Chat;
  topic: string;
  /** `http://127.0.0.1:…/hearth-…` */
  url: string;
  /** Othello writes to him. Returns the message's id. */
  direct(content: string): Promise<number>;
  /** Othello mentions him in a channel. */
  mention(content: string, channel?: string): Promise<number>;
}

export async function startWithTopic(t: TestContext, options: ChatOptions = {}): Promise<Subscriber> {
  const chat = await startChat(t, {
    channels: [
      { name: "rowing", subscribers: ["hamlet", "othello"] },
      { name: "crew", private: true, subscribers: ["hamlet", "othello"] },
    ],
    ...options,
  });
  const { ntfy } = await chat.as("hamlet").post("/users/me/ntfy");
  const send = async (params: object, content: string): Promise<number> =>
    (await chat.as("othello").post("/messages", { ...params, content }))["id"];
  return {
    chat,
    topic: ntfy.topic,
    url: `${ntfy.server_url}/${ntfy.topic}`,
    direct: (content) => send({ type: "direct", to: [chat.ids["hamlet"]] }, content),
    mention: (content, to = "rowing") => send({ type: "stream", to, topic: "boats" }, `@**hamlet** ${content}`),
  };
}

/** The texts of the messages that are there now; for other events, their names. */
export const polledTexts = async (url: string, query = ""): Promise<string[]> =>
  (await pollNtfy(`${url}/json?poll=1${query}`)).map(({ message, event }) => message ?? event);

/** The next event as `message: title: text`. */
export async function nextText(phone: Phone): Promise<string> {
  const event = await phone.next();
  if (!event) return "ended";
  return event.event === "message" ? `${event.title}: ${event.message}` : `${event.event} ${event.sequence_id}`;
}
