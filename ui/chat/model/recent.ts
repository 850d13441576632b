import type { Client } from "../../api/client.ts";
import type { State, WireEvent } from "../../api/state-shape.ts";
import { Store } from "../../api/store.ts";
import { conversationOf, type Message } from "./feed-state.ts";
import { type Narrow, narrowKey } from "./narrow.ts";
import type { Topics } from "./topics.ts";

export interface RecentConversation {
  readonly narrow: Extract<Narrow, { kind: "topic" | "direct" }>;
  /** Its newest loaded message. */
  readonly newestId: number;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** The last senders, newest first. */
  readonly senders: readonly number[];
  readonly hasOwn: boolean;
}

export interface RecentState {
  /** Newest first. */
  readonly conversations: readonly RecentConversation[];
  readonly isLoaded: boolean;
  readonly foundOldest: boolean;
  readonly error: unknown;
}

const PAGE = 500;
const MAX_SENDERS = 4;

/** A part of the history in which times ascend with ids. */
interface Part {
  readonly isImported: boolean;
  /** Newest first. */
  readonly conversations: Conversations;
  /** The oldest loaded message. */
  readonly oldest: Message | undefined;
  readonly foundOldest: boolean;
}

// Imported messages can have higher ids than newer messages. In one part, a large import would hide the newer messages.
const NOT_LOADED: readonly Part[] = [false, true].map((isImported) => ({
  isImported,
  conversations: [],
  oldest: undefined,
  foundOldest: false,
}));

/** Conversations by their newest message, from the user's message history. */
export class Recent {
  readonly store = new Store<RecentState>({ conversations: [], isLoaded: false, foundOldest: false, error: undefined });
  readonly #client: Client;
  readonly #self: number;
  #parts = NOT_LOADED;
  #isLoading = false;
  /** Messages were moved or deleted during a request, so it is repeated. */
  #isStale = false;
  /** Messages that arrived during a request. */
  #arrived: Message[] = [];

  constructor(client: Client, self: number) {
    this.#client = client;
    this.#self = self;
  }

  /** Loads the newest messages once; events update them later. */
  load(): void {
    if (!this.store.value.isLoaded) void this.loadOlder();
  }

  async loadOlder(): Promise<void> {
    if (this.#isLoading || this.store.value.foundOldest) return;
    this.#isLoading = true;
    this.#isStale = false;
    this.#arrived = [];
    try {
      const wasLoaded = this.store.value.isLoaded;
      const asked = wasLoaded ? [leastLoaded(this.#parts)] : this.#parts;
      const pages = await Promise.all(asked.map((part) => this.#pageBefore(part)));
      if (this.#isStale) return;
      const newestId = pages.find(({ isImported }) => !isImported)?.messages.at(-1)?.id ?? 0;
      this.#parts = this.#parts.map((part) => {
        const page = pages.find(({ isImported }) => isImported === part.isImported);
        return page ? withPage(part, page, this.#self) : part;
      });
      if (!wasLoaded) for (const message of this.#arrived) if (message.id > newestId) this.#add(message);
      const foundOldest = this.#parts.every((part) => part.foundOldest);
      this.store.set({ conversations: mergedByTime(this.#parts), isLoaded: true, foundOldest, error: undefined });
    } catch (error) {
      this.store.update((before) => ({ ...before, error }));
    } finally {
      this.#isLoading = false;
      if (this.#isStale) void this.loadOlder();
    }
  }

  async #pageBefore({ isImported, oldest }: Part): Promise<Page> {
    const { messages, found_oldest = false } = await this.#client.call("GET /messages", {
      anchor: oldest === undefined ? "newest" : String(oldest.id),
      include_anchor: oldest === undefined,
      num_before: PAGE,
      num_after: 0,
      narrow: [{ operator: "is", operand: "imported", negated: !isImported }],
      allow_empty_topic_name: true,
    });
    return { isImported, messages, foundOldest: found_oldest };
  }

  #add(message: Message): void {
    this.#parts = this.#parts.map((part) =>
      part.isImported ? part : { ...part, conversations: withNewer(part.conversations, message, this.#self) },
    );
  }

  /** Call when events may be missing, or after messages were moved or deleted. */
  reload(): void {
    if (!this.store.value.isLoaded && !this.#isLoading) return;
    this.#parts = NOT_LOADED;
    this.#isStale = this.#isLoading;
    this.store.set({ conversations: [], isLoaded: false, foundOldest: false, error: undefined });
    void this.loadOlder();
  }

  apply(event: WireEvent): void {
    if (event.type === "message") {
      const message: Message = { ...event.message, flags: event.flags };
      if (this.#isLoading) this.#arrived.push(message);
      if (!this.store.value.isLoaded) return;
      this.#add(message);
      this.store.update((before) => ({ ...before, conversations: mergedByTime(this.#parts) }));
    }
    const isMove =
      event.type === "update_message" && (event.subject !== undefined || event.new_stream_id !== undefined);
    if (isMove || event.type === "delete_message") this.reload();
  }
}

type Conversations = readonly RecentConversation[];
type Page = Pick<Part, "isImported" | "foundOldest"> & { readonly messages: readonly Message[] };

/** The part whose oldest loaded message is the newest. */
const leastLoaded = (parts: readonly Part[]): Part =>
  parts
    .filter(({ foundOldest }) => !foundOldest)
    .reduce((a, b) => ((b.oldest?.timestamp ?? 0) > (a.oldest?.timestamp ?? 0) ? b : a));

const withPage = (part: Part, { messages, foundOldest }: Page, self: number): Part => ({
  ...part,
  conversations: messages.reduceRight((all, message) => withOlder(all, message, self), part.conversations),
  oldest: messages[0] ?? part.oldest,
  foundOldest,
});

/** The conversations of all parts. Each part keeps its order, since a wrong clock can set wrong times. */
export function mergedByTime(parts: readonly Pick<Part, "conversations">[]): Conversations {
  const rest = parts.map(({ conversations }) => [...conversations]);
  const merged = new Map<string, RecentConversation>();
  for (;;) {
    const [first] = rest
      .filter(({ length }) => length > 0)
      .sort(([a], [b]) => (b?.timestamp ?? 0) - (a?.timestamp ?? 0));
    const next = first?.shift();
    if (!next) return [...merged.values()];
    const key = narrowKey(next.narrow);
    const newer = merged.get(key);
    const senders = [...new Set([...(newer?.senders ?? []), ...next.senders])].slice(0, MAX_SENDERS);
    merged.set(key, newer ? { ...newer, senders, hasOwn: newer.hasOwn || next.hasOwn } : next);
  }
}

const keyOf = (message: Message, self: number): string => narrowKey(conversationOf(message, self));

/** Adds a message that is newer than all conversations. */
export function withNewer(all: Conversations, message: Message, self: number): Conversations {
  const key = keyOf(message, self);
  const before = all.find(({ narrow }) => narrowKey(narrow) === key);
  const others = all.filter((one) => one !== before);
  const senders = [message.sender_id, ...(before?.senders ?? []).filter((id) => id !== message.sender_id)];
  return [
    {
      narrow: conversationOf(message, self) as RecentConversation["narrow"],
      newestId: message.id,
      timestamp: message.timestamp,
      senders: senders.slice(0, MAX_SENDERS),
      hasOwn: (before?.hasOwn ?? false) || message.sender_id === self,
    },
    ...others,
  ];
}

/** Adds a message that is older than all conversations. */
export function withOlder(all: Conversations, message: Message, self: number): Conversations {
  const key = keyOf(message, self);
  const at = all.findIndex(({ narrow }) => narrowKey(narrow) === key);
  const before = all[at];
  const { sender_id, id, timestamp } = message;
  if (!before) {
    const narrow = conversationOf(message, self) as RecentConversation["narrow"];
    return [...all, { narrow, newestId: id, timestamp, senders: [sender_id], hasOwn: sender_id === self }];
  }
  const isKnown = before.senders.includes(sender_id) || before.senders.length >= MAX_SENDERS;
  const senders = isKnown ? before.senders : [...before.senders, sender_id];
  const hasOwn = before.hasOwn || sender_id === self;
  return all.with(at, { ...before, senders, hasOwn });
}

/** Topics of recent messages, unread messages and opened channels, newest first. */
export function knownTopics(
  state: State,
  recent: RecentState,
  opened: Topics["store"]["value"],
): { channelId: number; topic: string }[] {
  const found = new Map<string, { channelId: number; topic: string }>();
  const add = (channelId: number, topic: string) => {
    const key = narrowKey({ kind: "topic", channelId, topic });
    if (!found.has(key)) found.set(key, { channelId, topic });
  };
  for (const { narrow } of recent.conversations) if (narrow.kind === "topic") add(narrow.channelId, narrow.topic);
  for (const { stream_id, topic } of state.unread_msgs?.streams ?? []) add(stream_id, topic);
  for (const [channelId, topics] of Object.entries(opened)) for (const { name } of topics) add(Number(channelId), name);
  return [...found.values()];
}
