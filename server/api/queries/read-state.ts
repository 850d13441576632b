import type { Reader } from "../../storage/transaction.ts";
import { conversationMembers, conversationsWith } from "./conversations.ts";
import { importedMessages } from "./import-ranges.ts";
import { CHUNK, type MessageIndex, messageIndex } from "./message-index.ts";
import { isInPeriod, type Periods, periodsOf, subscribersAt, subscriptionsOf } from "./subscriptions.ts";

/** Limit of unread messages for responses that list or search them. */
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
/** Number of chunks to scan before a check whether older ones can have unread messages. */
const FEW_CHUNKS = 4;
/** Scanning this many chunks takes a few milliseconds. */
const MANY_CHUNKS = 16;

/** Selects unread messages. */
interface Walk {
  limit?: number;
  location?: number;
  /** The topic's number; requires `location`. */
  topic?: number | undefined;
  /**
   * Records the chunks without unread messages, so that the next scan skips them. Outside transactions only, since they
   * can be rolled back.
   */
  remember?: boolean;
}

interface Stretch {
  /** The newest chunk to scan. */
  from?: number;
  /** Maximum number of chunks to scan. */
  most?: number;
}

interface Walked {
  /** Newest first. */
  ids: number[];
  /** The newest chunk that was not scanned; negative if all were. */
  next: number;
}

/**
 * The received and unread messages of one user at this moment. Created for one response or action, and not cached. A
 * message is unread if its bit differs from its default (unread: received from another user, and not imported) and the
 * user is a
 * participant of its conversation, or a subscriber of its channel
 * (docs/architecture.md#read-state-without-a-row-per-recipient).
 */
export class ReadState {
  readonly userId: number;
  readonly index: MessageIndex;
  readonly #reader: Reader;
  readonly #periods: Periods;
  readonly #bits = new Map<number, Uint8Array>();
  readonly #takesPart: (location: number) => boolean;
  readonly #conversations: ReadonlySet<number>;
  readonly #isImported: (id: number) => boolean;

  constructor(reader: Reader, userId: number) {
    this.#reader = reader;
    this.userId = userId;
    this.index = messageIndex(reader);
    this.#periods = periodsOf(reader, userId);
    this.#conversations = conversationsWith(reader, userId);
    this.#isImported = importedMessages(reader);
    const subscriptions = subscriptionsOf(reader, userId);
    this.#takesPart = (location) =>
      location < 0 ? this.#conversations.has(-location) : subscriptions.get(location)?.subscribed === true;
  }

  /** The user's bitmap for a chunk. Callers must not modify it. */
  bits(chunk: number): Uint8Array {
    let bits = this.#bits.get(chunk);
    if (!bits) {
      const sql = "SELECT bits FROM read_differences WHERE user_id = ? AND chunk = ?";
      bits = this.#reader.value<Uint8Array>(sql, this.userId, chunk) ?? NO_BITS;
      this.#bits.set(chunk, bits);
    }
    return bits;
  }

  #wasReceived(id: number, sent: number, location: number): boolean {
    return sent === 0 ? this.#conversations.has(-location) : isInPeriod(this.#periods, sent, id);
  }

  /** Whether the user has ever received messages there. Faster than a check of each message. */
  everReceived(sent: number, location: number): boolean {
    return sent === 0 ? this.#conversations.has(-location) : this.#periods.has(sent);
  }

  /** Whether the user received the message when it was sent. */
  received(id: number): boolean {
    const entry = this.index.entry(this.#reader, id);
    return entry !== undefined && this.#wasReceived(id, entry.sent, entry.location);
  }

  /**
   * Whether a channel with protected history shows the message to the user after a move there. The user must have
   * received it, or have been a subscriber of that channel when it was sent to another one.
   */
  receivedAt(id: number, channelId: number): boolean {
    return this.received(id) || isInPeriod(this.#periods, channelId, id);
  }

  /** Flips the bits of these messages. Returns the new bitmaps by chunk, which this object uses from now on. */
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
    if (!entry || !this.#takesPart(entry.location)) return false;
    const unreadAtFirst =
      entry.sender !== this.userId && this.#wasReceived(id, entry.sent, entry.location) && !this.#isImported(id);
    return unreadAtFirst !== hasBit(this.bits(Math.floor(id / CHUNK)), id);
  }

  /** Whether the message's read state differs from the default. */
  differs(id: number): boolean {
    return hasBit(this.bits(Math.floor(id / CHUNK)), id);
  }

  /** Whether the user is a subscriber or participant of the message's location. */
  isParticipant(id: number): boolean {
    const entry = this.index.entry(this.#reader, id);
    return entry !== undefined && this.#takesPart(entry.location);
  }

  /** The newest unread messages, newest first, at most `limit`. See `Walk` for `remember`. */
  unread(walk: Walk = {}): number[] {
    return this.#walk(walk).ids;
  }

  /**
   * Scans a few chunks from `next` down and records those without unread messages, which `unread` then skips. Returns
   * the number of unread messages in the others, and the next chunk; `next` is negative at the end.
   */
  readAhead(next?: number): { count: number; next: number } {
    const found = this.#walk({ remember: true, ...(next !== undefined && { from: next }), most: MANY_CHUNKS });
    return { count: found.ids.length, next: found.next };
  }

  #walk({ limit = NEWEST_UNREAD, location, topic, remember = false, from, most }: Walk & Stretch): Walked {
    const ids: number[] = [];
    const last = this.index.last(this.#reader);
    const { readChunks } = this.index;
    let visited = 0;
    let first: number | undefined;
    for (let number = Math.min(from ?? Number.POSITIVE_INFINITY, Math.floor(last / CHUNK)); number >= 0; number -= 1) {
      if (readChunks.has(this.#reader, this.userId, number)) continue;
      if (visited === most) return { ids, next: number };
      visited += 1;
      if (visited > FEW_CHUNKS) first ??= this.#firstChunk();
      if (first !== undefined && number < first) {
        if (!remember) break;
        readChunks.add(this.#reader, this.userId, number);
        visited -= 1;
        continue;
      }
      const before = ids.length;
      const bits = this.bits(number);
      const { senders, sent, locations, topics } = this.index.chunk(this.#reader, number);
      for (let at = Math.min(CHUNK - 1, last - number * CHUNK); at >= 0; at -= 1) {
        const sender = senders[at] as number;
        const found = locations[at] as number;
        if (sender === 0 || (location !== undefined && location !== found)) continue;
        if (topic !== undefined && topic !== topics[at]) continue;
        const id = number * CHUNK + at;
        const unreadAtFirst =
          sender !== this.userId && this.#wasReceived(id, sent[at] as number, found) && !this.#isImported(id);
        if (unreadAtFirst === hasBit(bits, id) || !this.#takesPart(found)) continue;
        ids.push(id);
        if (ids.length >= limit) return { ids, next: number };
      }
      const isComplete = last >= number * CHUNK + CHUNK - 1;
      if (remember && location === undefined && isComplete && ids.length === before)
        readChunks.add(this.#reader, this.userId, number);
    }
    return { ids, next: -1 };
  }

  /**
   * The oldest chunk in which the user received or marked a message. A new member has none of the older chunks to scan.
   */
  #firstChunk(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const [period] of this.#periods.values()) first = Math.min(first, period?.[0] ?? first);
    for (const id of this.#conversations) {
      const sql = "SELECT MIN(id) FROM messages WHERE recipient_id = ?";
      first = Math.min(first, this.#reader.value<number | null>(sql, id) ?? first);
    }
    const sql = "SELECT MIN(chunk) FROM read_differences WHERE user_id = ?";
    const marked = this.#reader.value<number | null>(sql, this.userId) ?? Number.POSITIVE_INFINITY;
    return Math.min(Math.floor(first / CHUNK), marked);
  }

  /** The unread messages among these ids, which must be ascending. */
  unreadAmong(ids: readonly number[]): number[] {
    return ids.filter((id) => !this.isChunkRead(id) && this.isUnread(id));
  }

  /** Whether the message's chunk is recorded as having no unread messages for the user. */
  isChunkRead(id: number): boolean {
    return this.index.readChunks.has(this.#reader, this.userId, Math.floor(id / CHUNK));
  }

  /**
   * The highest id of the messages that the user received, deleted ones included; -1 if there are none. It never
   * decreases, since clients do not learn which message preceded a deleted one.
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

  /** The highest id above `newest` of a deleted message that the user received, or `newest`. */
  #newestDeleted(newest: number): number {
    let found = newest;
    // One query per location, since deleted messages can become as numerous as messages.
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

/** The stored flags of these messages, by message. */
export function flagsOf(reader: Reader, userId: number, ids: readonly number[]): Map<number, number> {
  if (ids.length === 0) return new Map();
  let [low, high] = [ids[0] as number, ids[0] as number];
  for (const id of ids) [low, high] = [Math.min(low, id), Math.max(high, id)];
  const requested = new Set(ids);
  const rows = reader.all<{ id: number; flags: number }>(
    "SELECT message_id AS id, flags FROM message_flags WHERE user_id = ? AND message_id BETWEEN ? AND ?",
    userId,
    low,
    high,
  );
  return new Map(rows.filter(({ id }) => requested.has(id)).map(({ id, flags }) => [id, flags]));
}

/** All messages from this id on with at least one of these flags, ascending. */
export const flagged = (reader: Reader, userId: number, bits: number, from = 0): number[] =>
  reader.values<number>(
    `SELECT message_id AS id FROM message_flags WHERE user_id = ? AND message_id >= ? AND flags & ?
       ORDER BY message_id`,
    userId,
    from,
    bits,
  );

/**
 * The unread state and flags of the message for each of these users. `takesPart`: whether a user is a subscriber of its
 * channel or a participant of its conversation.
 */
export function flagsByUser(
  reader: Reader,
  id: number,
  userIds: readonly number[],
  takesPart: (userId: number) => boolean,
): Map<number, { unread: boolean; bits: number }> {
  const entry = messageIndex(reader).entry(reader, id);
  if (!entry) return new Map();
  const received = new Set(
    entry.sent === 0 ? conversationMembers(reader, -entry.location) : subscribersAt(reader, entry.sent, id),
  );
  const differences = reader.all<{ user: number; bits: Uint8Array }>(
    "SELECT user_id AS user, bits FROM read_differences WHERE chunk = ?",
    Math.floor(id / CHUNK),
  );
  const differs = new Set(differences.filter(({ bits }) => hasBit(bits, id)).map(({ user }) => user));
  const rows = reader.all<{ user: number; flags: number }>(
    "SELECT user_id AS user, flags FROM message_flags WHERE message_id = ?",
    id,
  );
  const stored = new Map(rows.map(({ user, flags }) => [user, flags]));
  const imported = importedMessages(reader)(id);
  return new Map(
    userIds.map((user) => {
      const unreadAtFirst = entry.sender !== user && received.has(user) && !imported;
      const unread = takesPart(user) && unreadAtFirst !== differs.has(user);
      const historical = entry.sender !== user && !received.has(user) ? FLAG.historical : 0;
      return [user, { unread, bits: (stored.get(user) ?? 0) | historical }];
    }),
  );
}

/** The name of a topic in the spelling of its newest message. */
export function topicName(reader: Reader, index: MessageIndex, topic: number): string {
  let name = index.topicNames.get(topic);
  if (name === undefined) {
    name = reader.value<string>("SELECT topic FROM messages WHERE topic_id = ? ORDER BY id DESC LIMIT 1", topic) ?? "";
    index.topicNames.set(topic, name);
  }
  return name;
}

/** Those of the given users who starred each of these messages, ascending. Messages without stars are absent. */
export function usersWithStar(
  reader: Reader,
  messageIds: readonly number[],
  userIds: readonly number[],
): Map<number, number[]> {
  const rows = reader.all<{ message: number; user: number }>(
    `SELECT message_id AS message, user_id AS user FROM message_flags
     WHERE message_id IN (SELECT value FROM json_each(?)) AND user_id IN (SELECT value FROM json_each(?)) AND flags & ?
     ORDER BY message_id, user_id`,
    JSON.stringify(messageIds),
    JSON.stringify(userIds),
    FLAG.starred,
  );
  const stars = Map.groupBy(rows, ({ message }) => message);
  return new Map([...stars].map(([message, by]) => [message, by.map(({ user }) => user)]));
}

/** The users who did not receive the message but have added it to their history. */
export const usersWithHistoricalFlag = (reader: Reader, id: number): number[] =>
  reader.values<number>(
    "SELECT user_id AS user FROM message_flags WHERE message_id = ? AND flags & ?",
    id,
    FLAG.historical,
  );

/** Those of the given users for whom the message's read state differs from the default. */
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
