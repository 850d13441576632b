import type { Client } from "../../api/client.ts";
import type { Live } from "../../api/live.ts";
import { liveTab } from "../../api/live-tab.ts";
import type { State, WireEvent } from "../../api/state-shape.ts";
import { Store } from "../../api/store.ts";
import { Feed } from "./feed.ts";
import { conversationOf } from "./feed-state.ts";
import { type Narrow, narrowKey } from "./narrow.ts";
import { countsAsRead } from "./notifications.ts";
import { Outbox } from "./outbox.ts";
import { Topics } from "./topics.ts";
import { Typists } from "./typists.ts";

/** What the chat page follows; the rest of /register is not asked for. */
const EVENT_TYPES = [
  "message",
  "update_message",
  "update_message_flags",
  "delete_message",
  "reaction",
  "typing",
  "realm",
  "realm_user",
  "realm_emoji",
  "user_group",
  "subscription",
  "stream",
  "user_topic",
  "channel_folder",
  "presence",
  "user_status",
  "user_settings",
  "custom_profile_fields",
  "muted_users",
  "alert_words",
  "starred_messages",
  "recent_private_conversations",
];

/** Parts of /register that have another name than the events that change them. */
const OTHER_PARTS = ["realm_user_groups", "channel_folders"];

/** Feeds that stay loaded and follow the events, so that going back to them is immediate. */
const MAX_FEEDS = 12;
const PRESENCE_MS = 60_000;
/** Somebody who did nothing for so long is away. */
const IDLE_MS = 140_000;
const READ_PAUSE_MS = 400;

export interface Connection {
  /** Since when the server does not answer; undefined while it does. */
  readonly lostAt: number | undefined;
}

export interface ChatOptions {
  client: Client;
  userId: number;
  /** Nobody is signed in any more. */
  onSignedOut(): void;
}

/** One person's chat: the state of /register with its events applied, feeds, and messages on their way. */
export class Chat {
  readonly client: Client;
  readonly userId: number;
  readonly state = new Store<State | undefined>(undefined);
  readonly connection = new Store<Connection>({ lostAt: undefined });
  /** A text for whatever conversation is open to take over into its composer. */
  readonly insertion = new Store<string | undefined>(undefined);
  readonly outbox: Outbox;
  readonly topics: Topics;
  readonly typists: Typists;
  /** Called with each event, after the state has it. */
  readonly listeners = new Set<(event: WireEvent) => void>();
  readonly #live: Live;
  readonly #feeds = new Map<string, Feed>();
  readonly #seen = new Set<number>();
  #readTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #presenceTimer: ReturnType<typeof setInterval>;
  #lastInput = Date.now();
  #isStopped = false;

  constructor({ client, userId, onSignedOut }: ChatOptions) {
    this.client = client;
    this.userId = userId;
    this.outbox = new Outbox({ client, keep: localStorage, userId });
    this.topics = new Topics(client);
    this.typists = new Typists(userId);
    this.#live = liveTab().goLive({
      client,
      userId,
      register: {
        event_types: EVENT_TYPES,
        fetch_event_types: [...EVENT_TYPES, ...OTHER_PARTS],
        client_capabilities: {
          notification_settings_null: true,
          bulk_message_deletion: true,
          user_avatar_url_field_optional: true,
          stream_typing_notifications: true,
          user_settings_object: true,
          user_list_incomplete: true,
          include_deactivated_groups: true,
          archived_channels: false,
          empty_topic_name: true,
        },
        apply_markdown: true,
        slim_presence: true,
      },
      onState: (state, events) => this.#follow(state, events),
      onError: (error) => {
        if (isSignedOut(error)) onSignedOut();
        else if (error === undefined) this.#backOnline();
        else this.connection.update(({ lostAt }) => ({ lostAt: lostAt ?? Date.now() }));
      },
    });
    this.#presenceTimer = setInterval(() => this.#reportPresence(), PRESENCE_MS);
    for (const type of ["keydown", "pointerdown", "focus"]) window.addEventListener(type, this.#noteInput);
    this.#reportPresence();
  }

  /** The feed of a narrow; a new one has to be opened. */
  feed(narrow: Narrow): Feed {
    const key = narrowKey(narrow);
    const feed = this.#feeds.get(key) ?? new Feed(this.client, narrow, this.userId);
    this.#feeds.delete(key);
    this.#feeds.set(key, feed);
    for (const [oldest] of this.#feeds) {
      if (this.#feeds.size <= MAX_FEEDS) break;
      this.#feeds.delete(oldest);
    }
    return feed;
  }

  /** The event queue by which the server recognizes repeated sends; "" before the first answer of /register. */
  get queueId(): string {
    return this.state.value?.queue_id ?? "";
  }

  /** Marks messages read that were on the screen of a narrow, where that counts; several at once, after a moment. */
  markSeen(ids: readonly number[], { kind }: Narrow): void {
    if (countsAsRead(this.state.value ?? {}, kind === "topic" || kind === "direct")) this.markRead(ids);
  }

  /** Marks messages read; several at once, after a moment. */
  markRead(ids: readonly number[]): void {
    for (const id of ids) this.#seen.add(id);
    if (this.#seen.size > 0) this.#readTimer ??= setTimeout(() => this.#sendRead(), READ_PAUSE_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#presenceTimer);
    clearTimeout(this.#readTimer);
    for (const type of ["keydown", "pointerdown", "focus"]) window.removeEventListener(type, this.#noteInput);
    this.#live.stop();
    this.outbox.stop();
    this.typists.stop();
  }

  #follow(state: State, events: readonly WireEvent[]): void {
    // Without events it is a fresh answer of /register: what happened before it is not known.
    const isFresh = events.length === 0;
    const hadState = this.state.value !== undefined;
    this.state.set(state);
    if (isFresh && hadState) {
      for (const feed of this.#feeds.values()) if (feed.store.value.isLoaded) void feed.reload();
      this.topics.reload();
    }
    for (const event of events) {
      for (const feed of this.#feeds.values()) feed.apply(event);
      this.topics.apply(event);
      for (const listener of this.listeners) listener(event);
      if (event.type === "typing") this.typists.heard(event);
      if (event.type !== "message") continue;
      const { local_message_id } = event as { local_message_id?: string };
      this.outbox.arrived(event.message.id, local_message_id);
      this.typists.wrote(event.message.sender_id, conversationOf({ ...event.message, flags: [] }, this.userId));
    }
  }

  #backOnline(): void {
    this.connection.set({ lostAt: undefined });
    this.outbox.wake();
    this.markRead([]); // those that could not be marked meanwhile
  }

  async #sendRead(): Promise<void> {
    this.#readTimer = undefined;
    const messages = [...this.#seen];
    this.#seen.clear();
    try {
      await this.client.call("POST /messages/flags", { messages, op: "add", flag: "read" });
    } catch {
      // The next messages that are seen take these with them.
      if (!this.#isStopped) for (const id of messages) this.#seen.add(id);
    }
  }

  #noteInput = () => {
    this.#lastInput = Date.now();
  };

  /** The tab that was used last reports for all: another would say that nobody is here. */
  #reportPresence(): void {
    if (!liveTab().isMain.value) return;
    const isActive = document.visibilityState === "visible" && Date.now() - this.#lastInput < IDLE_MS;
    const report = { status: isActive ? ("active" as const) : ("idle" as const), ping_only: true };
    this.client.call("POST /users/me/presence", { ...report, new_user_input: isActive }).catch(() => {});
  }
}

const isSignedOut = (error: unknown): boolean => (error as { status?: number } | undefined)?.status === 401;
