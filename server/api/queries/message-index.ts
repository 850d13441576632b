import type { Reader } from "../../storage/transaction.ts";
import { ReadChunks } from "./read-chunks.ts";

/** Ids per chunk; also the number of messages per row of read_differences and of message_chunks. */
export const CHUNK = 4096;
/** Number of chunks in memory: half a million messages in 8 MB. */
const CACHED_CHUNKS = 128;
const STORED_AT_ONCE = 100;

/** The location of a message: a channel's id, or the negated recipient id of a direct conversation. */
export type Location = number;

export interface IndexEntry {
  readonly sender: number;
  /** The original channel; 0: direct. */
  readonly sent: number;
  readonly location: Location;
  /** 0: direct. */
  readonly topic: number;
}

/** Four numbers per message, at `id % CHUNK`. Sender 0: the message does not exist. */
export interface Chunk {
  readonly senders: Int32Array;
  readonly sent: Int32Array;
  readonly locations: Int32Array;
  readonly topics: Int32Array;
}

/** A chunk over four columns of CHUNK numbers, as stored in message_chunks. Without stored data, it is empty. */
function chunkOf(stored: Uint8Array = new Uint8Array()): Chunk {
  const numbers = new Int32Array(4 * CHUNK);
  new Uint8Array(numbers.buffer).set(stored);
  const column = (index: number) => numbers.subarray(index * CHUNK, (index + 1) * CHUNK);
  return { senders: column(0), sent: column(1), locations: column(2), topics: column(3) };
}

/** The form of a chunk in message_chunks. All machines that Hearth runs on have this byte order. */
export function storedForm({ senders, sent, locations, topics }: Chunk): Uint8Array {
  if (senders.every((sender) => sender === 0)) return new Uint8Array();
  return Buffer.concat(
    [senders, sent, locations, topics].map(
      ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
    ),
  );
}

/**
 * The sender, original location and current location of each message. Read state and narrows scan these arrays instead
 * of message rows. Recently used chunks are in memory. Complete chunks are loaded from message_chunks, others from the
 * index message_places.
 *
 * Memory contains committed messages only. Code that sends messages must call `prepare` before its first write, and
 * must call the methods that change the index from `tx.afterCommit` only. Other chunks that a transaction reads are not
 * cached.
 */
export class MessageIndex {
  /** Least recently used first. */
  readonly #chunks = new Map<number, Chunk>();
  readonly #inTransactions = new WeakMap<Reader, Map<number, Chunk>>();
  #last = -1;
  /** All chunks before this one have a row in message_chunks. */
  #storedBefore = 0;
  /** Incremented when messages are moved or deleted, or get another sender. */
  changes = 0;
  readonly readChunks = new ReadChunks();
  /** By topic: its name in the spelling of the newest message. */
  readonly topicNames = new Map<number, string>();

  /** The highest id of any committed message, deleted ones included; 0 if there was none. */
  last(reader: Reader): number {
    if (this.#last < 0) {
      this.#last = reader.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'") ?? 0;
    }
    return this.#last;
  }

  /** The number of messages by these senders from `first` (inclusive) to `end` (exclusive). */
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

  /** Loads the newest chunk, which sending a message changes. */
  prepare(reader: Reader): void {
    const number = Math.floor(this.last(reader) / CHUNK);
    if (!this.#chunks.has(number)) keep(this.#chunks, number, load(reader, number, this.last(reader)));
  }

  chunk(reader: Reader, number: number): Chunk {
    const cached = this.#chunks.get(number);
    if (cached) {
      this.#chunks.delete(number);
      this.#chunks.set(number, cached);
      return cached;
    }
    const chunks = this.#chunksFor(reader);
    const existing = chunks.get(number);
    if (existing) return existing;
    const loaded = load(reader, number, this.last(reader));
    keep(chunks, number, loaded);
    return loaded;
  }

  /** The cache for newly loaded chunks. A transaction has its own, because it can be rolled back. */
  #chunksFor(reader: Reader): Map<number, Chunk> {
    if (databaseOf(reader) === reader) return this.#chunks;
    const chunks = this.#inTransactions.get(reader) ?? new Map<number, Chunk>();
    this.#inTransactions.set(reader, chunks);
    return chunks;
  }

  /** The oldest chunk that is complete and has no row in message_chunks; undefined if there is none. */
  unstored(reader: Reader): number | undefined {
    const complete = Math.floor((this.last(reader) + 1) / CHUNK);
    while (this.#storedBefore < complete) {
      const sql = "SELECT chunk FROM message_chunks WHERE chunk >= ? ORDER BY chunk LIMIT ?";
      const stored = reader.all<{ chunk: number }>(sql, this.#storedBefore, STORED_AT_ONCE);
      for (const { chunk } of stored) if (chunk === this.#storedBefore) this.#storedBefore += 1;
      if (stored.at(-1)?.chunk !== this.#storedBefore - 1) break;
    }
    return this.#storedBefore < complete ? this.#storedBefore : undefined;
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

  add(id: number, entry: IndexEntry): void {
    const number = Math.floor(id / CHUNK);
    // A chunk that `prepare` did not load had no committed messages when the transaction began.
    const chunk = this.#chunks.get(number) ?? chunkOf();
    if (!this.#chunks.has(number)) keep(this.#chunks, number, chunk);
    set(chunk, id % CHUNK, entry);
    if (id > this.#last) this.#last = id;
  }

  move(id: number, location: Location, topic: number): void {
    const chunk = this.#changed(id);
    if (!chunk) return;
    chunk.locations[id % CHUNK] = location;
    chunk.topics[id % CHUNK] = topic;
  }

  changeSender(id: number, sender: number): void {
    const chunk = this.#changed(id);
    if (chunk) chunk.senders[id % CHUNK] = sender;
  }

  remove(id: number): void {
    const chunk = this.#changed(id);
    if (chunk) set(chunk, id % CHUNK, { sender: 0, sent: 0, location: 0, topic: 0 });
  }

  /** The chunk of a changed or deleted message, if it is in memory. A trigger has deleted its row. */
  #changed(id: number): Chunk | undefined {
    const number = Math.floor(id / CHUNK);
    this.changes += 1;
    this.#storedBefore = Math.min(this.#storedBefore, number);
    this.rows.delete(id);
    return this.#chunks.get(number);
  }

  /** A cache of message rows by id. presenters/messages.ts fills and limits it; changes remove entries. */
  readonly rows = new Map<number, unknown>();
}

function keep(chunks: Map<number, Chunk>, number: number, chunk: Chunk): void {
  chunks.set(number, chunk);
  const [oldest] = chunks.keys();
  if (chunks.size > CACHED_CHUNKS && oldest !== undefined) chunks.delete(oldest);
}

function load(reader: Reader, number: number, last: number): Chunk {
  const stored = reader.value<Uint8Array>("SELECT places FROM message_chunks WHERE chunk = ?", number);
  if (stored) return chunkOf(stored);
  const chunk = chunkOf();
  // One JSON row is about four times as fast as a row per message.
  const columns = reader.get<{ ids: string; senders: string; sent: string; locations: string; topics: string }>(
    `SELECT json_group_array(id) AS ids, json_group_array(sender_id) AS senders, json_group_array(sent) AS sent,
       json_group_array(location) AS locations, json_group_array(topic) AS topics
     FROM (SELECT id, sender_id, coalesce(sent_channel_id, 0) AS sent,
       coalesce(channel_id, -recipient_id) AS location, coalesce(topic_id, 0) AS topic
       FROM messages INDEXED BY message_places WHERE id BETWEEN ? AND ?)`,
    number * CHUNK,
    Math.min(number * CHUNK + CHUNK - 1, last),
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

/** The number of messages, and the number of system messages among them. */
export const messageCounts = (reader: Reader): { messages: number; notices: number } =>
  reader.get<{ messages: number; notices: number }>("SELECT messages, notices FROM message_counts") ?? {
    messages: 0,
    notices: 0,
  };

/** The ids of the messages in a channel from this one on, ascending. */
export function idsInChannel(reader: Reader, channelId: number, from: number): number[] {
  const text = reader.value<string>(
    `SELECT json_group_array(id) FROM (SELECT id FROM messages INDEXED BY messages_by_recipient
       WHERE recipient_id = (SELECT recipient_id FROM channels WHERE id = ?) AND id >= ? ORDER BY id)`,
    channelId,
    from,
  );
  return JSON.parse(text ?? "[]") as number[];
}

function set(chunk: Chunk, at: number, entry: IndexEntry): void {
  chunk.senders[at] = entry.sender;
  chunk.sent[at] = entry.sent;
  chunk.locations[at] = entry.location;
  chunk.topics[at] = entry.topic;
}

const indexes = new WeakMap<Reader, MessageIndex>();

/** The database that a transaction reads, or the reader itself. */
export const databaseOf = (reader: Reader): Reader => reader.derived("the database itself", [], (itself) => itself);

/** The index of the database behind this reader or transaction. */
export function messageIndex(reader: Reader): MessageIndex {
  const database = databaseOf(reader);
  let index = indexes.get(database);
  if (!index) {
    index = new MessageIndex();
    indexes.set(database, index);
  }
  return index;
}
