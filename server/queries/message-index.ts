import type { Reader } from "../storage/transaction.ts";
import { systemBotIds } from "./system-bots.ts";

/** Ids per chunk; also how many messages one row of read_differences covers. */
export const CHUNK = 4096;

/** Where a message is: a channel's id, or the negated recipient id of a direct conversation. */
export type Location = number;

export interface IndexEntry {
  readonly sender: number;
  /** The channel it was sent to; 0: direct. */
  readonly sent: number;
  readonly location: Location;
  /** 0: direct. */
  readonly topic: number;
}

/** Four numbers per message, by `id % CHUNK`; sender 0: there is no such message. */
export interface Chunk {
  readonly senders: Int32Array;
  readonly sent: Int32Array;
  readonly locations: Int32Array;
  readonly topics: Int32Array;
}

const emptyChunk = (): Chunk => ({
  senders: new Int32Array(CHUNK),
  sent: new Int32Array(CHUNK),
  locations: new Int32Array(CHUNK),
  topics: new Int32Array(CHUNK),
});

/**
 * Who sent each message, where it was sent and where it is now, in memory: read state and narrows walk these arrays
 * instead of message rows. It holds committed messages only: code that writes messages calls `prepare` before its first
 * write, and the methods that change the index from `tx.afterCommit` only.
 */
export class MessageIndex {
  readonly #chunks: (Chunk | undefined)[] = [];
  #last = -1;
  /** How many messages there are; undefined until it is first needed. */
  #count: number | undefined;
  /** How many of them the server's own bots have sent; undefined until it is first needed. */
  #notices: { senders: ReadonlySet<number>; count: number } | undefined;
  /** By user: no unread message has a lower id. Saves walking years of read history. */
  readonly unreadFrom = new Map<number, number>();
  /** By topic: its name as the newest message spells it. */
  readonly topicNames = new Map<number, string>();

  /** The highest id of any committed message, deleted ones included; 0 if there was none. */
  last(reader: Reader): number {
    if (this.#last < 0) {
      this.#last = reader.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'") ?? 0;
    }
    return this.#last;
  }

  /** The number of messages: counted once, then kept up to date. */
  count(reader: Reader): number {
    this.#count ??= reader.value<number>("SELECT COUNT(*) FROM messages") ?? 0;
    return this.#count;
  }

  /** The number of notices, which the server's own bots have sent: counted once by an index, then kept up to date. */
  noticeCount(reader: Reader): number {
    this.#notices ??= countNotices(reader);
    return this.#notices.count;
  }

  /** How many messages from `first` on and before `end` are by these senders. */
  countBy(reader: Reader, senders: ReadonlySet<number>, { first, end }: { first: number; end: number }): number {
    let count = 0;
    for (let id = first; id < end; ) {
      const number = Math.floor(id / CHUNK);
      const chunk = this.chunk(reader, number);
      const stop = Math.min(end, (number + 1) * CHUNK);
      for (; id < stop; id += 1) if (senders.has(chunk.senders[id % CHUNK] as number)) count += 1;
    }
    return count;
  }

  /** Loads the chunk that a write to this message, or to a new one, changes. */
  prepare(reader: Reader, id: number = this.last(reader)): void {
    this.chunk(reader, Math.floor(Math.min(id, this.last(reader)) / CHUNK));
  }

  chunk(reader: Reader, number: number): Chunk {
    let chunk = this.#chunks[number];
    if (!chunk) {
      chunk = this.#load(reader, number);
      this.#chunks[number] = chunk;
    }
    return chunk;
  }

  /** Loads the newest chunk that is not loaded yet, in an idle moment. False once all are loaded. */
  loadOne(reader: Reader): boolean {
    for (let number = Math.floor(this.last(reader) / CHUNK); number >= 0; number -= 1) {
      if (this.#chunks[number]) continue;
      this.chunk(reader, number);
      return true;
    }
    return false;
  }

  entry(reader: Reader, id: number): IndexEntry | undefined {
    if (id < 1 || id > this.last(reader)) return undefined;
    const chunk = this.chunk(reader, Math.floor(id / CHUNK));
    const at = id % CHUNK;
    const sender = chunk.senders[at] as number;
    if (sender === 0) return undefined;
    return {
      sender,
      sent: chunk.sent[at] as number,
      location: chunk.locations[at] as number,
      topic: chunk.topics[at] as number,
    };
  }

  /** The messages at these locations, ascending, by location; `from`: none of them has a lower id. */
  idsIn(reader: Reader, requested: readonly Location[], from: number): Map<Location, number[]> {
    const found = new Map(requested.map((location): [Location, number[]] => [location, []]));
    const only = found.size === 1 ? requested[0] : undefined;
    for (let number = Math.floor(from / CHUNK); number * CHUNK <= this.last(reader); number += 1) {
      const { senders, locations } = this.chunk(reader, number);
      for (let at = 0; at < CHUNK; at += 1) {
        if (only !== undefined && locations[at] !== only) continue;
        if (senders[at] !== 0) found.get(locations[at] as number)?.push(number * CHUNK + at);
      }
    }
    return found;
  }

  /** The senders in a topic; `oldest` and `newest` are its first and last message. */
  sendersIn(reader: Reader, topic: number, oldest: number, newest: number): Set<number> {
    const found = new Set<number>();
    for (let number = Math.floor(oldest / CHUNK); number <= Math.floor(newest / CHUNK); number += 1) {
      const { senders, topics } = this.chunk(reader, number);
      for (let at = 0; at < CHUNK; at += 1) if (topics[at] === topic) found.add(senders[at] as number);
    }
    return found;
  }

  add(id: number, entry: IndexEntry): void {
    const number = Math.floor(id / CHUNK);
    // A chunk that `prepare` did not load held nothing committed when the transaction began.
    const chunk = this.#chunks[number] ?? emptyChunk();
    this.#chunks[number] = chunk;
    set(chunk, id % CHUNK, entry);
    if (id > this.#last) this.#last = id;
    if (this.#count !== undefined) this.#count += 1;
    if (this.#notices?.senders.has(entry.sender)) this.#notices.count += 1;
  }

  move(id: number, location: Location, topic: number): void {
    const chunk = this.#chunks[Math.floor(id / CHUNK)];
    if (!chunk) return;
    chunk.locations[id % CHUNK] = location;
    chunk.topics[id % CHUNK] = topic;
    this.rows.delete(id);
  }

  remove(id: number): void {
    const chunk = this.#chunks[Math.floor(id / CHUNK)];
    if (!chunk)
      this.#notices = undefined; // its sender is not known here: they are counted again
    else if (this.#notices?.senders.has(chunk.senders[id % CHUNK] as number)) this.#notices.count -= 1;
    if (chunk) set(chunk, id % CHUNK, { sender: 0, sent: 0, location: 0, topic: 0 });
    if (this.#count !== undefined) this.#count -= 1;
    this.rows.delete(id);
  }

  /** A cache of message rows by id, which presenters/messages.ts fills and bounds; changes drop entries. */
  readonly rows = new Map<number, unknown>();

  #load(reader: Reader, number: number): Chunk {
    const chunk = emptyChunk();
    // One row of JSON: about four times as fast as a row per message.
    const columns = reader.get<{ ids: string; senders: string; sent: string; locations: string; topics: string }>(
      `SELECT json_group_array(id) AS ids, json_group_array(sender_id) AS senders, json_group_array(sent) AS sent,
         json_group_array(location) AS locations, json_group_array(topic) AS topics
       FROM (SELECT id, sender_id, coalesce(sent_channel_id, 0) AS sent,
         coalesce(channel_id, -recipient_id) AS location, coalesce(topic_id, 0) AS topic
         FROM messages INDEXED BY message_places WHERE id BETWEEN ? AND ?)`,
      number * CHUNK,
      Math.min(number * CHUNK + CHUNK - 1, this.last(reader)),
    );
    if (!columns) return chunk;
    const [ids, senders, sent, locations, topics] = [
      columns.ids,
      columns.senders,
      columns.sent,
      columns.locations,
      columns.topics,
    ].map((text) => JSON.parse(text) as number[]) as [number[], number[], number[], number[], number[]];
    for (const [row, id] of ids.entries()) {
      const entry = {
        sender: senders[row],
        sent: sent[row],
        location: locations[row],
        topic: topics[row],
      } as IndexEntry;
      set(chunk, id % CHUNK, entry);
    }
    return chunk;
  }
}

function countNotices(reader: Reader): { senders: ReadonlySet<number>; count: number } {
  const senders = systemBotIds(reader);
  const sql = "SELECT COUNT(*) FROM messages WHERE sender_id IN (SELECT value FROM json_each(?))";
  return { senders: new Set(senders), count: reader.value<number>(sql, JSON.stringify(senders)) ?? 0 };
}

function set(chunk: Chunk, at: number, entry: IndexEntry): void {
  chunk.senders[at] = entry.sender;
  chunk.sent[at] = entry.sent;
  chunk.locations[at] = entry.location;
  chunk.topics[at] = entry.topic;
}

const indexes = new WeakMap<Reader, MessageIndex>();

/** The index of the database that this reader or transaction reads. */
export function messageIndex(reader: Reader): MessageIndex {
  const database = reader.derived("the database itself", [], (itself) => itself);
  let index = indexes.get(database);
  if (!index) {
    index = new MessageIndex();
    indexes.set(database, index);
  }
  return index;
}
