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

/** Conversations by their newest message, from the user's message history. */
export class Recent {
  readonly store = new Store<RecentState>({ conversations: [], isLoaded: false, foundOldest: false, error: undefined });
  readonly #client: Client;
  readonly #self: number;
  #oldestId: number | undefined;
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
      const { messages, found_oldest = false } = await this.#client.call("GET /messages", {
        anchor: this.#oldestId === undefined ? "newest" : String(this.#oldestId),
        include_anchor: this.#oldestId === undefined,
        num_before: PAGE,
        num_after: 0,
        narrow: [],
        allow_empty_topic_name: true,
      });
      if (this.#isStale) return;
      const wasLoaded = this.store.value.isLoaded;
      this.#oldestId = messages[0]?.id ?? this.#oldestId;
      const withMessages = messages.reduceRight(
        (all, message) => withOlder(all, message, this.#self),
        this.store.value.conversations,
      );
      const newestId = messages.at(-1)?.id ?? 0;
      const missed = wasLoaded ? [] : this.#arrived.filter(({ id }) => id > newestId);
      const conversations = missed.reduce((all, message) => withNewer(all, message, this.#self), withMessages);
      this.store.set({ conversations, isLoaded: true, foundOldest: found_oldest, error: undefined });
    } catch (error) {
      this.store.update((before) => ({ ...before, error }));
    } finally {
      this.#isLoading = false;
      if (this.#isStale) void this.loadOlder();
    }
  }

  /** Call when events may be missing, or after messages were moved or deleted. */
  reload(): void {
    if (!this.store.value.isLoaded && !this.#isLoading) return;
    this.#oldestId = undefined;
    this.#isStale = this.#isLoading;
    this.store.set({ conversations: [], isLoaded: false, foundOldest: false, error: undefined });
    void this.loadOlder();
  }

  apply(event: WireEvent): void {
    if (event.type === "message") {
      const message: Message = { ...event.message, flags: event.flags };
      if (this.#isLoading) this.#arrived.push(message);
      if (!this.store.value.isLoaded) return;
      this.store.update((before) => ({
        ...before,
        conversations: withNewer(before.conversations, message, this.#self),
      }));
    }
    const isMove =
      event.type === "update_message" && (event.subject !== undefined || event.new_stream_id !== undefined);
    if (isMove || event.type === "delete_message") this.reload();
  }
}

type Conversations = readonly RecentConversation[];

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
