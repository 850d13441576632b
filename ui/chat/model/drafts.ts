import { type Client, Refusal } from "../../api/client.ts";
import type { State } from "../../api/state-shape.ts";
import { Store } from "../../api/store.ts";
import { type Narrow, narrowKey } from "./narrow.ts";
import type { BrowserStorage, Destination } from "./outbox.ts";

export type ServerDraft = NonNullable<State["drafts"]>[number];
/** Conversations, and channels for messages whose topic is not chosen yet. */
export type DraftNarrow = Extract<Narrow, { kind: "channel" | "topic" | "direct" }>;

export const isWritten = (narrow: Narrow): narrow is DraftNarrow =>
  narrow.kind === "channel" || narrow.kind === "topic" || narrow.kind === "direct";

/** The destination of a message that is composed in a conversation, or in a channel with this topic. */
export function destinationOf(narrow: DraftNarrow, topic: string): Destination {
  if (narrow.kind === "topic") return { channelId: narrow.channelId, topic: narrow.topic };
  if (narrow.kind === "channel") return { channelId: narrow.channelId, topic: topic.trim() };
  return { userIds: narrow.userIds };
}

/** An unsent text of a conversation. */
export interface Draft {
  readonly narrow: DraftNarrow;
  readonly text: string;
  /** For a message to a channel whose topic is not chosen yet. */
  readonly topic: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The server's draft that has the same text, or soon will. */
  readonly serverId?: number;
  /** Whether the server has this text. */
  readonly isSynced: boolean;
}

type ByConversation = ReadonlyMap<string, Draft>;

const SYNC_PAUSE_MS = 1_500;
/** The other tab syncs its own text, unless it closes before. */
const OTHER_TAB_PAUSE_MS = 4 * SYNC_PAUSE_MS;

/**
 * Unsent texts. The browser stores them immediately, so that a reload loses nothing. The server gets them a moment
 * later, for the user's other devices. If both have changed, both texts stay, as separate drafts. The tabs of a browser
 * share one text for each conversation.
 */
export class Drafts {
  /** By `narrowKey`. */
  readonly store: Store<ByConversation>;
  readonly #client: Client;
  readonly #storage: BrowserStorage;
  readonly #prefix: string;
  #server: readonly ServerDraft[] = [];
  /** Undefined until the server's drafts are loaded. */
  #isOnServer: boolean | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSyncing = false;
  /** Texts that the server refused. A changed text is sent again. */
  readonly #refused = new WeakSet<Draft>();
  /** Deleted by this page. Their events have not arrived yet, so the state still has them. */
  readonly #deleted = new Set<number>();
  /** Conversations in which the user typed in this browser. */
  readonly #typed = new Set<string>();

  constructor({ client, storage, userId }: { client: Client; storage: BrowserStorage; userId: number }) {
    this.#client = client;
    this.#storage = storage;
    this.#prefix = `hearth-draft-${userId}-`;
    this.store = new Store(this.#load());
  }

  set(narrow: DraftNarrow, change: Partial<Pick<Draft, "text" | "topic">>): void {
    this.#typed.add(narrowKey(narrow));
    const before = this.store.value.get(narrowKey(narrow)) ?? { narrow, text: "", topic: "", at: 0, isSynced: true };
    // Tabs compare these times, so each change is later than the last, even if another device's clock is ahead.
    this.#put({ ...before, ...change, at: Math.max(Date.now(), before.at + 1), isSynced: false });
    this.#syncSoon();
  }

  /** Moves the text of a moved conversation, before the text that is already there. */
  move(from: DraftNarrow, to: DraftNarrow): void {
    const { text = "" } = this.store.value.get(narrowKey(from)) ?? {};
    if (text.trim() === "") return;
    const { text: there = "" } = this.store.value.get(narrowKey(to)) ?? {};
    this.set(to, { text: there.trim() === "" ? text : `${text}\n${there}` });
    this.set(from, { text: "" });
  }

  /** Applies the server's drafts from /register and events. */
  follow({ drafts, user_settings, user_id = 0 }: State): void {
    if (!drafts || drafts === this.#server) return;
    const isFirst = this.#isOnServer === undefined;
    const before = new Set(this.#server.map(({ id }) => id));
    this.#server = drafts;
    this.#isOnServer = user_settings?.enable_drafts_synchronization ?? false;
    if (!this.#isOnServer) return;
    const byId = new Map(drafts.map((draft) => [draft.id, draft]));
    for (const draft of this.store.value.values()) {
      if (draft.serverId === undefined || !draft.isSynced) continue;
      const server = byId.get(draft.serverId);
      // A draft that was just stored might not be in the list yet.
      if (!server && (isFirst || before.has(draft.serverId))) this.#remove(draft.narrow);
      if (server && this.#isChangedElsewhere(draft, server))
        this.#put({ ...draft, text: server.content, topic: draft.narrow.kind === "channel" ? server.topic : "" });
    }
    for (const server of this.unopened()) {
      const narrow = narrowOfDraft(server, user_id);
      if (!narrow || this.#isSyncing) continue;
      const local = this.store.value.get(narrowKey(narrow));
      if (!local || local.text === server.content) this.#put(draftOf(server, narrow));
    }
    if (isFirst) this.#syncSoon();
  }

  /** Applies a draft that another tab stored, or removed (null). Keeps newer texts of this tab. */
  followTab(storageKey: string, stored: string | null): void {
    if (!storageKey.startsWith(this.#prefix)) return;
    const key = storageKey.slice(this.#prefix.length);
    const own = this.store.value.get(key);
    const draft = stored === null ? undefined : (JSON.parse(stored) as Draft);
    const isNewerHere = own && (draft ? own.at > draft.at : !own.isSynced && own.text !== "");
    if (isNewerHere)
      this.#put(own); // the other tab does not have it yet
    else if (!draft) this.#delete(key);
    else {
      this.#typed.add(key);
      this.store.set(new Map(this.store.value).set(key, draft));
      if (!draft.isSynced) this.#syncSoon(OTHER_TAB_PAUSE_MS);
    }
  }

  /**
   * Whether another device has changed a draft. The server trims texts, and events about earlier texts of this browser
   * can arrive late: neither must replace the text that the user is typing.
   */
  #isChangedElsewhere({ narrow, text, at }: Draft, { content, timestamp }: ServerDraft): boolean {
    if (content.trim() === text.trim()) return false;
    return timestamp * 1000 > at || !this.#typed.has(narrowKey(narrow));
  }

  /** The server's drafts that no conversation shows. */
  unopened(): ServerDraft[] {
    const opened = new Set([...this.store.value.values()].map(({ serverId }) => serverId));
    return this.#server.filter(({ id }) => !opened.has(id) && !this.#deleted.has(id));
  }

  /** Adds a draft of the server to the text of its conversation; undefined if it has no conversation. */
  open(server: ServerDraft, self: number): DraftNarrow | undefined {
    const narrow = narrowOfDraft(server, self);
    if (!narrow) return undefined;
    const before = this.store.value.get(narrowKey(narrow));
    if (!before || before.text === "") this.#put(draftOf(server, narrow));
    else {
      this.set(narrow, { text: `${before.text}\n${server.content}` });
      void this.deleteOnServer(server.id);
    }
    return narrow;
  }

  async deleteOnServer(id: number): Promise<void> {
    this.#deleted.add(id);
    try {
      await this.#client.call("DELETE /drafts/{draft_id}", { draft_id: id });
    } catch (error) {
      this.#deleted.delete(id);
      throw error;
    }
  }

  /** Unsynced texts stay in the browser until the page opens again. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #syncSoon(pause = SYNC_PAUSE_MS): void {
    if (this.#isOnServer !== true) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#sync(), pause);
  }

  async #sync(): Promise<void> {
    if (this.#isSyncing) return this.#syncSoon();
    this.#isSyncing = true;
    try {
      for (const draft of [...this.store.value.values()]) {
        if (draft.isSynced || this.#refused.has(draft)) continue;
        await this.#send(draft).catch((error) => {
          if (!(error instanceof Refusal)) throw error;
          // For example after the user lost access to the channel. The text stays here, and the other drafts continue.
          this.#refused.add(draft);
        });
      }
    } catch {
      // The server is unreachable: the text stays here, and the next change sends it.
    } finally {
      this.#isSyncing = false;
    }
  }

  async #send(draft: Draft): Promise<void> {
    const { narrow, serverId } = draft;
    if (draft.text.trim() === "") {
      if (serverId !== undefined)
        await this.deleteOnServer(serverId).catch((error) => {
          if (!isGone(error)) throw error;
        });
      if (this.#current(draft) !== draft) return;
      const { serverId: _, ...here } = draft;
      // The server does not store a topic without a text.
      if (draft.topic.trim() === "") this.#remove(narrow);
      else this.#put({ ...here, isSynced: true });
      return;
    }
    const sent = givenDraft(draft);
    let id = serverId;
    if (id === undefined) [id] = (await this.#client.call("POST /drafts", { drafts: [sent] })).ids;
    else await this.#client.call("PATCH /drafts/{draft_id}", { draft_id: id, draft: sent });
    const now = this.#current(draft);
    if (now && id !== undefined) this.#put({ ...now, serverId: id, isSynced: now === draft });
  }

  readonly #current = ({ narrow }: Draft): Draft | undefined => this.store.value.get(narrowKey(narrow));

  #put(draft: Draft): void {
    const key = narrowKey(draft.narrow);
    try {
      this.#storage.setItem(this.#prefix + key, JSON.stringify(draft));
    } catch {} // storage is full or forbidden: the page still has it
    this.store.set(new Map(this.store.value).set(key, draft));
  }

  #remove(narrow: DraftNarrow): void {
    const key = narrowKey(narrow);
    try {
      this.#storage.removeItem(this.#prefix + key);
    } catch {} // storage is forbidden
    this.#delete(key);
  }

  #delete(key: string): void {
    const next = new Map(this.store.value);
    next.delete(key);
    this.store.set(next);
  }

  #load(): ByConversation {
    const found = new Map<string, Draft>();
    try {
      for (let at = 0; at < this.#storage.length; at += 1) {
        const key = this.#storage.key(at) ?? "";
        if (!key.startsWith(this.#prefix)) continue;
        const draft = JSON.parse(this.#storage.getItem(key) ?? "") as Partial<Draft>;
        if (draft.narrow && draft.text !== undefined) found.set(narrowKey(draft.narrow), draft as Draft);
      }
    } catch {} // storage is forbidden, or has an old format
    return found;
  }
}

/** Whether another device deleted the draft. */
const isGone = (error: unknown): boolean => error instanceof Refusal && error.status === 404;

/** Undefined for a draft without a recipient. */
export function narrowOfDraft({ type, to, topic }: ServerDraft, self: number): DraftNarrow | undefined {
  const [first] = to;
  if (first === undefined) return undefined;
  if (type === "stream")
    return topic === "" ? { kind: "channel", channelId: first } : { kind: "topic", channelId: first, topic };
  const others = to.length > 1 ? to.filter((id) => id !== self) : to;
  return { kind: "direct", userIds: [...others].sort((a, b) => a - b) };
}

const draftOf = ({ id, content, timestamp }: ServerDraft, narrow: DraftNarrow): Draft => ({
  narrow,
  text: content,
  topic: "",
  at: timestamp * 1000,
  serverId: id,
  isSynced: true,
});

function givenDraft({ narrow, text, topic, at }: Draft) {
  const target =
    narrow.kind === "direct"
      ? { type: "private" as const, to: [...narrow.userIds], topic: "" }
      : { type: "stream" as const, to: [narrow.channelId], topic: narrow.kind === "topic" ? narrow.topic : topic };
  return { ...target, content: text, timestamp: Math.floor(at / 1000) };
}
