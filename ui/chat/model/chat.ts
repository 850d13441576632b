import { type Client, isHttpsNeeded, Refusal } from "../../api/client.ts";
import type { Live } from "../../api/live.ts";
import { liveTab } from "../../api/live-tab.ts";
import type { State, WireEvent } from "../../api/state-shape.ts";
import { Store } from "../../api/store.ts";
import { Drafts } from "./drafts.ts";
import { Edits } from "./edits.ts";
import { Excerpts } from "./excerpts.ts";
import { Feed } from "./feed.ts";
import { conversationOf, type Message, type Viewer } from "./feed-state.ts";
import { FoldedFolders } from "./folded-folders.ts";
import { type Narrow, narrowKey } from "./narrow.ts";
import { countsAsRead } from "./notifications.ts";
import { OfflineCopier } from "./offline-copier.ts";
import { browserCopies, type OfflineCopy } from "./offline-copy.ts";
import { Outbox } from "./outbox.ts";
import { PendingChanges } from "./pending.ts";
import { Recent } from "./recent.ts";
import { channelById } from "./selectors.ts";
import { sendFile } from "./send-file.ts";
import { SPECTATOR_ID, spectate } from "./spectating.ts";
import { isTopicFollowed, isTopicMuted } from "./topic-policies.ts";
import { Topics } from "./topics.ts";
import { Typists } from "./typists.ts";
import { Uploads } from "./uploads.ts";

const EVENT_TYPES = [
  "message",
  "update_message",
  "update_message_flags",
  "delete_message",
  "reaction",
  "submessage",
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
  "drafts",
  "saved_snippets",
  "scheduled_messages",
  "reminders",
  "ntfy_topic",
  "web_push_devices",
];

/** Parts of /register whose events have other names. */
const OTHER_PARTS = ["realm_user_groups", "channel_folders"];

const REGISTER = {
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
    individual_emoji_changes: true,
  },
  apply_markdown: true,
  slim_presence: true,
};

/** Feeds that stay loaded, so that the user can return to them immediately. */
const MAX_FEEDS = 12;
const PRESENCE_MS = 60_000;
/** Without input for this time, the user is away. */
const IDLE_MS = 140_000;
const READ_PAUSE_MS = 400;

export interface Connection {
  /** When the server became unreachable; undefined while it responds. */
  readonly lostAt: number | undefined;
  readonly needsHttps?: boolean;
  /** The time of the offline copy, if the page shows one. */
  readonly copiedAt?: number | undefined;
}

export interface ChatOptions {
  client: Client;
  userId: number;
  /** Shown until the server responds. */
  copy?: OfflineCopy | undefined;
  onSignedOut(): void;
}

/** The chat of one user: the state of /register with its events applied, feeds, and unsent messages. */
export class Chat {
  readonly client: Client;
  readonly userId: number;
  /** Whether the reader has no account, and so changes nothing. */
  readonly isSpectator: boolean;
  readonly state = new Store<State | undefined>(undefined);
  readonly connection = new Store<Connection>({ lostAt: undefined });
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly uploads: Uploads;
  readonly edits: Edits;
  readonly folded: FoldedFolders;
  readonly pending = new PendingChanges();
  readonly topics: Topics;
  readonly typists: Typists;
  /** Called after the state has an event. */
  readonly listeners = new Set<(event: WireEvent) => void>();
  readonly recent: Recent;
  readonly excerpts: Excerpts;
  readonly #live: Live;
  readonly #feeds = new Map<string, Feed>();
  readonly #beside = new Set<Feed>();
  readonly #seen = new Set<number>();
  /** Sent as read, until their event arrives. */
  readonly #marking = new Set<number>();
  #readTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #presenceTimer: ReturnType<typeof setInterval>;
  #lastInput = Date.now();
  #isStopped = false;
  readonly #viewer: Viewer;
  readonly #copier: OfflineCopier;
  readonly #stored: readonly Message[];

  constructor({ client, userId, copy, onSignedOut }: ChatOptions) {
    this.client = client;
    this.userId = userId;
    this.isSpectator = userId === SPECTATOR_ID;
    this.#stored = copy?.messages ?? [];
    this.outbox = new Outbox({ client, storage: localStorage, userId });
    this.drafts = new Drafts({ client, storage: localStorage, userId });
    this.uploads = new Uploads({
      drafts: this.drafts,
      send: sendFile,
      maxBytes: () => (this.state.value?.max_file_upload_size_mib ?? Number.POSITIVE_INFINITY) * 2 ** 20,
    });
    this.edits = new Edits({ storage: localStorage, userId });
    this.folded = new FoldedFolders({ storage: localStorage, userId });
    this.topics = new Topics(client);
    this.typists = new Typists(userId);
    this.recent = new Recent(client, userId);
    this.excerpts = new Excerpts(client);
    this.#viewer = {
      userId,
      isMuted: (channelId, topic) => isTopicMuted(this.state.value ?? {}, channelId, topic),
      isFollowed: (channelId, topic) => isTopicFollowed(this.state.value ?? {}, channelId, topic),
    };
    const chat = this;
    this.#copier = new OfflineCopier({
      isOn: !this.isSpectator,
      client,
      viewer: this.#viewer,
      storage: browserCopies,
      source: {
        get state() {
          return chat.state.value;
        },
        get feeds() {
          return chat.#feeds.values(); // without #beside, whose searches have gaps
        },
      },
    });
    if (copy) {
      this.state.set(copy.state);
      this.connection.set({ lostAt: Date.now(), copiedAt: copy.at });
      this.outbox.follow(copy.state);
    }
    const onError = (error: unknown) => {
      if (isSignedOut(error)) onSignedOut();
      else if (error === undefined) this.#backOnline();
      else {
        const needsHttps = isHttpsNeeded(error);
        this.connection.update((before) => ({ ...before, lostAt: before.lostAt ?? Date.now(), needsHttps }));
      }
    };
    this.#live = this.isSpectator
      ? spectate({ client, register: REGISTER, onState: (state) => this.#follow(state, []), onError })
      : liveTab().goLive({
          client,
          userId,
          register: REGISTER,
          onState: (state, events) => this.#follow(state, events),
          onError,
        });
    this.#presenceTimer = setInterval(() => this.#reportPresence(), PRESENCE_MS);
    for (const type of ["keydown", "pointerdown", "focus"]) window.addEventListener(type, this.#noteInput);
    document.addEventListener("visibilitychange", this.#copyWhenHidden);
    window.addEventListener("storage", this.#followTab);
    this.#reportPresence();
  }

  /** The caller must open a new feed. */
  feed(narrow: Narrow): Feed {
    const key = narrowKey(narrow);
    const feed = this.#feeds.get(key) ?? new Feed(this.client, narrow, this.#viewer, this.#stored);
    this.#feeds.delete(key);
    this.#feeds.set(key, feed);
    // A search sends a request for each new message, so only the open one stays.
    for (const [other, { narrow: left }] of this.#feeds)
      if (left.kind === "search" && other !== key) this.#feeds.delete(other);
    for (const [oldest] of this.#feeds) {
      if (this.#feeds.size <= MAX_FEEDS) break;
      this.#feeds.delete(oldest);
    }
    return feed;
  }

  /** A separate feed for the side panel, which follows events until `close`. */
  openBeside(narrow: Narrow): { feed: Feed; opened: Promise<void>; close(): void } {
    const feed = new Feed(this.client, narrow, this.#viewer);
    this.#beside.add(feed);
    return { feed, opened: feed.open(), close: () => void this.#beside.delete(feed) };
  }

  get #allFeeds(): Feed[] {
    return [...this.#feeds.values(), ...this.#beside];
  }

  /** The server recognizes repeated sends by this event queue. "" before the first response of /register. */
  get queueId(): string {
    return this.state.value?.queue_id ?? "";
  }

  /** Marks visible messages as read, unless the user's settings prevent it. */
  markSeen(ids: readonly number[], { kind }: Narrow): void {
    if (countsAsRead(this.state.value ?? {}, kind === "topic" || kind === "direct")) this.markRead(ids);
  }

  /** Batches messages that are read within a short time. */
  markRead(ids: readonly number[]): void {
    if (this.isSpectator) return;
    for (const id of ids) this.#seen.add(id);
    if (this.#seen.size > 0) this.#readTimer ??= setTimeout(() => this.#sendRead(), READ_PAUSE_MS);
  }

  /** Whether a message was visible, although the state still has it as unread. */
  isSeen(id: number): boolean {
    return this.#seen.has(id) || this.#marking.has(id);
  }

  /** Connects without waiting for the next attempt. */
  tryNow(): void {
    this.#live.tryNow();
    this.outbox.wake();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#presenceTimer);
    clearTimeout(this.#readTimer);
    for (const type of ["keydown", "pointerdown", "focus"]) window.removeEventListener(type, this.#noteInput);
    document.removeEventListener("visibilitychange", this.#copyWhenHidden);
    window.removeEventListener("storage", this.#followTab);
    this.#copier.stop();
    this.#live.stop();
    this.outbox.stop();
    this.uploads.stop();
    this.drafts.stop();
    this.typists.stop();
  }

  #follow(state: State, events: readonly WireEvent[]): void {
    // Without events this is a new response of /register, and events before it are unknown.
    const isFresh = events.length === 0;
    const before = this.state.value;
    const hadState = before !== undefined;
    this.state.set(state);
    if (before) this.#followAccess(before, state);
    this.drafts.follow(state);
    this.outbox.follow(state);
    if (isFresh && hadState) {
      const loaded = this.#allFeeds.filter(({ store }) => store.value.isLoaded);
      void Promise.all(loaded.map((feed) => feed.reload())).then(() => this.outbox.caughtUp(state.max_message_id ?? 0));
      this.pending.clear();
      this.topics.reload();
      this.recent.reload();
      this.excerpts.reload();
      this.#copier.reload();
    }
    if (isFresh && this.connection.value.lostAt !== undefined) this.#backOnline();
    for (const event of events) {
      for (const feed of this.#allFeeds) feed.apply(event);
      this.topics.apply(event);
      this.pending.apply(event);
      this.#copier.apply(event);
      for (const listener of this.listeners) listener(event);
      this.recent.apply(event);
      this.excerpts.apply(event);
      for (const id of deletedBy(event)) this.edits.remove(id);
      if (event.type === "typing") this.typists.heard(event);
      if (event.type === "update_message_flags") for (const id of event.messages) this.#marking.delete(id);
      if (event.type !== "message") continue;
      const { local_message_id } = event as { local_message_id?: string };
      this.outbox.arrived(event.message.id, local_message_id);
      this.typists.wrote(event.message.sender_id, conversationOf({ ...event.message, flags: [] }, this.userId));
    }
  }

  /** Reloads feeds of channels that the user can no longer see, or can see again. */
  #followAccess(before: State, state: State): void {
    for (const feed of this.#allFeeds) {
      if (!("channelId" in feed.narrow)) continue;
      const { channelId } = feed.narrow;
      if ((channelById(before, channelId) === undefined) !== (channelById(state, channelId) === undefined))
        feed.reset();
    }
  }

  #backOnline(): void {
    if (this.connection.value.lostAt === undefined) return;
    this.connection.set({ lostAt: undefined });
    this.outbox.wake();
    this.uploads.wake();
    for (const feed of this.#allFeeds) feed.retry();
    this.markRead([]); // sends messages that could not be marked offline
  }

  /** Seen messages, except messages that were deleted or read on another device since. */
  #stillUnread(): number[] {
    const unread = this.state.value?.unread_msgs;
    if (!unread || unread.old_unreads_missing) return [...this.#seen];
    const groups = [...unread.pms, ...unread.huddles, ...unread.streams];
    return groups.flatMap(({ unread_message_ids }) => unread_message_ids.filter((id) => this.#seen.has(id)));
  }

  async #sendRead(): Promise<void> {
    this.#readTimer = undefined;
    const messages = this.#stillUnread();
    this.#seen.clear();
    if (messages.length === 0) return;
    for (const id of messages) this.#marking.add(id);
    try {
      await this.client.call("POST /messages/flags", { messages, op: "add", flag: "read" });
    } catch (error) {
      // Sends these again with the next seen messages. After a refusal, a deleted message would fail every time: the
      // others are marked when they are seen again.
      if (!this.#isStopped && !(error instanceof Refusal)) for (const id of messages) this.#seen.add(id);
      for (const id of messages) this.#marking.delete(id);
    }
  }

  #copyWhenHidden = () => {
    if (document.visibilityState === "hidden") void this.#copier.copy();
  };

  #followTab = ({ key, newValue, oldValue }: StorageEvent) => {
    if (key === null) return;
    this.drafts.followTab(key, newValue);
    this.edits.followTab(key, newValue, oldValue);
  };

  #noteInput = () => {
    this.#lastInput = Date.now();
  };

  /** Only the main tab reports, because idle tabs would contradict it. */
  #reportPresence(): void {
    if (this.isSpectator || !liveTab().isMain.value) return;
    const isActive = document.visibilityState === "visible" && Date.now() - this.#lastInput < IDLE_MS;
    const report = { status: isActive ? ("active" as const) : ("idle" as const), ping_only: true };
    this.client.call("POST /users/me/presence", { ...report, new_user_input: isActive }).catch(() => {});
  }
}

function deletedBy(event: WireEvent): readonly number[] {
  if (event.type !== "delete_message") return [];
  return "message_ids" in event ? event.message_ids : [event.message_id];
}

const isSignedOut = (error: unknown): boolean => (error as { status?: number } | undefined)?.status === 401;
