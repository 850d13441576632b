import type { Reader } from "../storage/transaction.ts";
import { conversationMembers, conversationsWith } from "./conversations.ts";
import { CHUNK, type MessageIndex, messageIndex } from "./message-index.ts";
import { isInPeriod, type Periods, periodsOf, subscribersAt, subscriptionsOf } from "./subscriptions.ts";

/** What answers that list or search unread messages look at. */
export const NEWEST_UNREAD = 50_000;

/** Bits of message_flags. */
export const FLAG = {
  starred: 1,
  mentioned: 2,
  stream_wildcard_mentioned: 4,
  topic_wildcard_mentioned: 8,
  collapsed: 16,
  has_alert_word: 32,
  historical: 64,
} as const;
export const MENTIONS = FLAG.mentioned | FLAG.stream_wildcard_mentioned | FLAG.topic_wildcard_mentioned;

const NO_BITS = new Uint8Array(CHUNK / 8);

/**
 * What one user received and has not read, as of now: made for one answer or one action, not kept.
 * Unread = (received and not their own) differs from the bitmap, and where it is they take part or are subscribed.
 */
export class ReadState {
  readonly userId: number;
  readonly index: MessageIndex;
  readonly #reader: Reader;
  readonly #periods: Periods;
  readonly #bits = new Map<number, Uint8Array>();
  readonly #here: (place: number) => boolean;
  readonly #conversations: ReadonlySet<number>;

  constructor(reader: Reader, userId: number) {
    this.#reader = reader;
    this.userId = userId;
    this.index = messageIndex(reader);
    this.#periods = periodsOf(reader, userId);
    this.#conversations = conversationsWith(reader, userId);
    const subscriptions = subscriptionsOf(reader, userId);
    this.#here = (place) =>
      place < 0 ? this.#conversations.has(-place) : subscriptions.get(place)?.subscribed === true;
  }

  /** The user's bitmap for a chunk. Not to be changed by the caller. */
  bits(chunk: number): Uint8Array {
    let bits = this.#bits.get(chunk);
    if (!bits) {
      const sql = "SELECT bits FROM read_differences WHERE user_id = ? AND chunk = ?";
      bits = this.#reader.value<Uint8Array>(sql, this.userId, chunk) ?? NO_BITS;
      this.#bits.set(chunk, bits);
    }
    return bits;
  }

  #wasReceived(id: number, sent: number, place: number): boolean {
    return sent === 0 ? this.#conversations.has(-place) : isInPeriod(this.#periods, sent, id);
  }

  /** Whether messages from there ever came to the user: quicker than to ask of each. */
  everReceived(sent: number, place: number): boolean {
    return sent === 0 ? this.#conversations.has(-place) : this.#periods.has(sent);
  }

  /** Whether the message came to the user when it was sent. */
  received(id: number): boolean {
    const entry = this.index.entry(this.#reader, id);
    return entry !== undefined && this.#wasReceived(id, entry.sent, entry.location);
  }

  /**
   * Whether a channel with protected history shows the message to the user, were it there: it came to them, or they
   * were subscribed to that channel when it was sent elsewhere.
   */
  receivedAt(id: number, channelId: number): boolean {
    return this.received(id) || isInPeriod(this.#periods, channelId, id);
  }

  /** Turns what differs for these messages round. Returns the new bitmaps by chunk; this state has them already. */
  flip(ids: readonly number[]): Map<number, Uint8Array> {
    const flipped = new Map<number, Uint8Array>();
    for (const id of ids) {
      const chunk = Math.floor(id / CHUNK);
      let bits = flipped.get(chunk);
      if (!bits) {
        bits = this.bits(chunk).slice();
        flipped.set(chunk, bits);
      }
      const byte = (id % CHUNK) >> 3;
      bits[byte] = (bits[byte] as number) ^ (1 << (id & 7));
    }
    for (const [chunk, bits] of flipped) this.#bits.set(chunk, bits);
    return flipped;
  }

  isUnread(id: number): boolean {
    const entry = this.index.entry(this.#reader, id);
    if (!entry || !this.#here(entry.location)) return false;
    const unreadAtFirst = entry.sender !== this.userId && this.#wasReceived(id, entry.sent, entry.location);
    return unreadAtFirst !== hasBit(this.bits(Math.floor(id / CHUNK)), id);
  }

  /** Whether the message's read state is other than the default. */
  differs(id: number): boolean {
    return hasBit(this.bits(Math.floor(id / CHUNK)), id);
  }

  /** Whether the user is subscribed to, or takes part in, the place where the message is. */
  isParticipant(id: number): boolean {
    const entry = this.index.entry(this.#reader, id);
    return entry !== undefined && this.#here(entry.location);
  }

  /**
   * The newest unread messages, newest first, at most `most`. `remember` keeps how far back there was nothing, so
   * that the next walk stops there: only outside transactions, whose changes may be taken back.
   */
  unread({
    most = NEWEST_UNREAD,
    place,
    topic,
    remember = false,
  }: {
    most?: number;
    place?: number;
    /** Its number; beside `place`. */
    topic?: number | undefined;
    remember?: boolean;
  } = {}): number[] {
    const found: number[] = [];
    const last = this.index.last(this.#reader);
    const from = this.index.unreadFrom.get(this.userId) ?? 1;
    for (let number = Math.floor(last / CHUNK); number >= 0 && number * CHUNK + CHUNK > from; number -= 1) {
      const bits = this.bits(number);
      const { senders, sent, locations, topics } = this.index.chunk(this.#reader, number);
      for (let at = Math.min(CHUNK - 1, last - number * CHUNK); at >= 0; at -= 1) {
        const sender = senders[at] as number;
        const here = locations[at] as number;
        if (sender === 0 || (place !== undefined && place !== here)) continue;
        if (topic !== undefined && topic !== topics[at]) continue;
        const id = number * CHUNK + at;
        const unreadAtFirst = sender !== this.userId && this.#wasReceived(id, sent[at] as number, here);
        if (unreadAtFirst === hasBit(bits, id) || !this.#here(here)) continue;
        found.push(id);
        if (found.length >= most) return found;
      }
    }
    if (remember && place === undefined) this.index.unreadFrom.set(this.userId, found.at(-1) ?? last + 1);
    return found;
  }

  /** Those of these messages, ascending, that are unread. They are where the user takes part or is subscribed. */
  unreadAmong(ids: readonly number[]): number[] {
    const from = this.index.unreadFrom.get(this.userId) ?? 1;
    const found: number[] = [];
    for (let at = ids.length - 1; at >= 0 && (ids[at] as number) >= from; at -= 1) {
      if (this.isUnread(ids[at] as number)) found.push(ids[at] as number);
    }
    return found.reverse();
  }

  /**
   * The highest id among messages that ever came to the user, deleted ones too; -1 where none did. Clients see a
   * message go, not which one was the newest before it: so it does not go down.
   */
  newestReceived(): number {
    let newest = -1;
    for (const id of this.#conversations) {
      newest = Math.max(
        newest,
        this.#reader.value<number | null>("SELECT MAX(id) FROM messages WHERE recipient_id = ?", id) ?? -1,
      );
    }
    let [first, last] = [Number.POSITIVE_INFINITY, 0];
    for (const periods of this.#periods.values()) {
      first = Math.min(first, periods[0]?.[0] ?? first);
      last = Math.max(last, periods.at(-1)?.[1] ?? last);
    }
    for (let id = Math.min(last, this.index.last(this.#reader)); id >= first && id > newest; id -= 1) {
      if (this.received(id)) newest = id;
    }
    return this.#newestDeleted(newest);
  }

  /** The highest id above `newest` of a deleted message that came to the user, else `newest`. */
  #newestDeleted(newest: number): number {
    let found = newest;
    // Place by place: of those deleted since years, there may be as many as messages.
    for (const id of this.#conversations) {
      const sql = "SELECT MAX(id) FROM deleted_messages WHERE recipient_id = ?";
      found = Math.max(found, this.#reader.value<number | null>(sql, id) ?? found);
    }
    for (const [channelId, periods] of this.#periods) {
      for (const [first, last] of periods) {
        if (last <= found) continue;
        const sql = "SELECT MAX(id) FROM deleted_messages WHERE sent_channel_id = ? AND id BETWEEN ? AND ?";
        const id = this.#reader.value<number | null>(
          sql,
          channelId,
          Math.max(first, found + 1),
          Math.min(last, this.index.last(this.#reader)),
        );
        found = id ?? found;
      }
    }
    return found;
  }
}

/** Whether a bitmap of read differences has the message's bit set. */
export const hasBit = (bits: Uint8Array, id: number): boolean =>
  ((bits[(id % CHUNK) >> 3] as number) & (1 << (id & 7))) !== 0;

/** The flags that have rows, by message; only those of `ids`. */
export function flagsOf(reader: Reader, userId: number, ids: readonly number[]): Map<number, number> {
  if (ids.length === 0) return new Map();
  let [low, high] = [ids[0] as number, ids[0] as number];
  for (const id of ids) [low, high] = [Math.min(low, id), Math.max(high, id)];
  const wanted = new Set(ids);
  const rows = reader.all<{ id: number; flags: number }>(
    "SELECT message_id AS id, flags FROM message_flags WHERE user_id = ? AND message_id BETWEEN ? AND ?",
    userId,
    low,
    high,
  );
  return new Map(rows.filter(({ id }) => wanted.has(id)).map(({ id, flags }) => [id, flags]));
}

/** All messages, of this id or a higher one, that have one of these bits; ascending. */
export const flagged = (reader: Reader, userId: number, bits: number, from = 0): number[] =>
  reader
    .all<{ id: number }>(
      `SELECT message_id AS id FROM message_flags WHERE user_id = ? AND message_id >= ? AND flags & ?
       ORDER BY message_id`,
      userId,
      from,
      bits,
    )
    .map(({ id }) => id);

const FLAGS = Object.entries(FLAG);

/** A message's flags as clients read them (docs/protocol.md#message-flags). */
export function wireFlags(unread: boolean, bits: number): string[] {
  const flags = unread ? [] : ["read"];
  for (const [name, bit] of FLAGS) if (bits & bit) flags.push(name);
  if (bits & (FLAG.stream_wildcard_mentioned | FLAG.topic_wildcard_mentioned)) flags.push("wildcard_mentioned");
  return flags;
}

/** The user's flags for each of these messages; `historical` also for what never came to them. */
export function flagsForViewer(reader: Reader, state: ReadState, ids: readonly number[]): Map<number, string[]> {
  const bits = flagsOf(reader, state.userId, ids);
  return new Map(
    ids.map((id) => {
      const sender = state.index.entry(reader, id)?.sender;
      const historical = sender !== state.userId && !state.received(id) ? FLAG.historical : 0;
      return [id, wireFlags(state.isUnread(id), (bits.get(id) ?? 0) | historical)];
    }),
  );
}

/**
 * One message's flags as each of these users has them. `takesPart`: whether they are subscribed to, or take part in,
 * the place where it is.
 */
export function flagsByUser(
  reader: Reader,
  id: number,
  userIds: readonly number[],
  takesPart: (userId: number) => boolean,
): Map<number, string[]> {
  const entry = messageIndex(reader).entry(reader, id);
  if (!entry) return new Map();
  const received = new Set(
    entry.sent === 0 ? conversationMembers(reader, -entry.location) : subscribersAt(reader, entry.sent, id),
  );
  const differs = new Set<number>();
  for (const { user, bits } of reader.all<{ user: number; bits: Uint8Array }>(
    "SELECT user_id AS user, bits FROM read_differences WHERE chunk = ?",
    Math.floor(id / CHUNK),
  )) {
    if (hasBit(bits, id)) differs.add(user);
  }
  const rows = reader.all<{ user: number; flags: number }>(
    "SELECT user_id AS user, flags FROM message_flags WHERE message_id = ?",
    id,
  );
  const flags = new Map(rows.map((row) => [row.user, row.flags]));
  return new Map(
    userIds.map((user) => {
      const unreadAtFirst = entry.sender !== user && received.has(user);
      const unread = takesPart(user) && unreadAtFirst !== differs.has(user);
      const historical = entry.sender !== user && !received.has(user) ? FLAG.historical : 0;
      return [user, wireFlags(unread, (flags.get(user) ?? 0) | historical)];
    }),
  );
}

/** A topic as its newest message spells it. */
export function topicName(reader: Reader, index: MessageIndex, topic: number): string {
  let name = index.topicNames.get(topic);
  if (name === undefined) {
    name = reader.value<string>("SELECT topic FROM messages WHERE topic_id = ? ORDER BY id DESC LIMIT 1", topic) ?? "";
    index.topicNames.set(topic, name);
  }
  return name;
}

/** To whom it never came, and who made it part of their own history. */
export const usersWithHistoricalFlag = (reader: Reader, id: number): number[] =>
  reader
    .all<{ user: number }>(
      "SELECT user_id AS user FROM message_flags WHERE message_id = ? AND flags & ?",
      id,
      FLAG.historical,
    )
    .map(({ user }) => user);

/** Those of these people for whom the message's read state is other than the default. */
export function usersWithOverride(reader: Reader, id: number, userIds: readonly number[]): Set<number> {
  const bytes = reader.all<{ user: number; byte: string }>(
    `SELECT user_id AS user, hex(substr(bits, ?, 1)) AS byte
     FROM json_each(?) CROSS JOIN read_differences ON user_id = value AND chunk = ?`,
    ((id % CHUNK) >> 3) + 1,
    JSON.stringify(userIds),
    Math.floor(id / CHUNK),
  );
  return new Set(bytes.filter(({ byte }) => Number.parseInt(byte, 16) & (1 << (id & 7))).map(({ user }) => user));
}
