import { NoOrganization } from "../errors.ts";
import { createDatabase, markData } from "./checkpoint.ts";
import { Checkpoints, type CheckpointTesting, type Snapshot } from "./checkpoints.ts";
import { CACHE_BYTES, Database } from "./database.ts";
import {
  FolderTaken,
  type PageDamaged,
  RecordTooLarge,
  StorageBusy,
  StorageClosed,
  StorageDamaged,
  type StorageFailed,
} from "./errors.ts";
import { type Files, realFiles } from "./files.ts";
import { lockIdOf } from "./folder-lock.ts";
import { FrameKind } from "./frames.ts";
import { Log, type LogOptions } from "./log.ts";
import { migrations as allMigrations, isUnlogged } from "./migrations/index.ts";
import { readAhead } from "./page-trees.ts";
import { PastEvents } from "./past-events.ts";
import { encodeRecord, type Published, type Statement } from "./records.ts";
import { holdsData, migrate, type RecoveryReport, recover } from "./recovery.ts";
import { flushedPath } from "./segments.ts";
import type { Audience, EventShape, Maintenance, Reader, Transaction, Value } from "./transaction.ts";
import { UserSet } from "./user-set.ts";

export type { Snapshot, UnsavedPages } from "./checkpoints.ts";
export type { Published } from "./records.ts";

export interface About {
  /** The acting user's id; null for the server itself. */
  actor: number | null;
  /** The endpoint's route, or the chore's name. */
  action: string;
  /** "api", "desktop" or "server" (default), for the audit log. */
  origin?: string;
  /** Identifies transactions that belong together, such as those of a request. By default each is separate. */
  act?: object;
}

export interface StoreOptions {
  folder: string;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Creates a new store in an empty folder; without it an empty folder is an error. */
  create?: boolean;
  /** The lock that the process holds on the folder; by default the newest lock. */
  lockId?: string | undefined;
  /** Called once when the log can no longer be written: the thread must end, and start again from disk. */
  onFailure?: (error: StorageFailed) => void;
  /** Called when a checkpoint fails. The next attempt follows after as many changes again. */
  onCheckpointFailure?: (error: unknown) => void;
  testing?: StoreTesting | undefined;
}

/** Overrides for tests. Users of the store extend this interface with their own. */
export interface StoreTesting extends CheckpointTesting {
  /** A disk that records, fails or loses writes. */
  files?: Files;
  migrations?: readonly string[];
  /** Bytes of a log segment; otherwise 16 MB. */
  segmentSize?: number;
}

/** Event ids that one reservation in the log covers: unlogged events use them. */
const RESERVED_IDS = 10_000;

export type NotAPromise<T> = T extends PromiseLike<unknown> ? never : T;

interface Hooks {
  flushed(seq: number, reserved: number): void;
  failed(error: StorageFailed): void;
}

interface Waiter {
  seq: number;
  resolve(): void;
  reject(error: Error): void;
}

/**
 * The database and its log on disk. All state changes go through `transact`; no result of them may leave
 * the process before `durable` confirms that they are on disk. How it works: docs/architecture.md#the-log.
 */
export class Store {
  readonly #database: Database;
  readonly #log: Log;
  readonly #options: StoreOptions;
  readonly #now: () => number;
  #seq: number;
  #durableSeq: number;
  #eventId: number;
  /** Event ids up to this one are reserved in the log, or the reservation is being written. */
  #reserved: number;
  #durableReserved: number;
  readonly #past: PastEvents;
  #inTransaction = false;
  #closing: Promise<void> | undefined;
  #failed: StorageFailed | undefined;
  readonly #waiters: Waiter[] = [];
  #unpublished: { seq: number; reserved: number; events: Published[] }[] = [];
  #publishing = false;
  #listeners: ((events: readonly Published[]) => void)[] = [];
  readonly #checkpoints: Checkpoints;
  readonly #stop = new AbortController();
  /** Returns the event ids that queues have acknowledged, to be saved with checkpoints and on close. */
  cursors: () => Record<string, number> = () => ({});
  /** Returns the id after which queues may still request events; older segments can be removed. */
  neededAfter: () => number = () => Number.MAX_SAFE_INTEGER;
  /** The acknowledged ids at the last save. */
  readonly savedCursors: Readonly<Record<string, number>>;
  readonly report: RecoveryReport;

  private constructor(
    options: StoreOptions,
    files: Files,
    parts: {
      database: Database;
      log: Log;
      seq: number;
      eventId: number;
      reserved: number;
      cursors: Record<string, number>;
      neededFrom: number;
      report: RecoveryReport;
    },
    hooks: Hooks,
  ) {
    hooks.flushed = (seq, reserved) => this.#afterFlush(seq, reserved);
    hooks.failed = (error) => this.#fail(error);
    this.#options = options;
    this.#past = new PastEvents(files, `${options.folder}/log`);
    this.#database = parts.database;
    this.#log = parts.log;
    this.#now = options.now ?? Date.now;
    this.#seq = this.#durableSeq = parts.seq;
    this.#eventId = this.#reserved = this.#durableReserved = parts.reserved;
    this.savedCursors = parts.cursors;
    const stored = {
      files,
      folder: options.folder,
      database: parts.database,
      log: parts.log,
      newest: () => ({ seq: this.#seq, eventId: this.#eventId }),
      saveCursors: () => this.#saveCursors(),
      neededAfter: () => this.neededAfter(),
      isOpen: () => !this.#closing && !this.#failed,
      onFailure: (error: unknown) => options.onCheckpointFailure?.(error),
    };
    this.#checkpoints = new Checkpoints(stored, parts.neededFrom, options.testing);
    this.report = parts.report;
  }

  /** Opens the store of a folder, or creates it with `create`. Throws StorageDamaged, SchemaTooNew and disk errors. */
  static async open(options: StoreOptions): Promise<Store> {
    const { folder, testing: { files = realFiles, migrations = allMigrations, segmentSize } = {} } = options;
    const { lockId = lockIdOf(folder) } = options;
    const isHeld = () => lockId === undefined || lockIdOf(folder) === lockId;
    if (!isHeld()) throw new FolderTaken(folder);
    files.makeFolder(folder);
    files.makeFolder(`${folder}/log`);
    // The log's callbacks need the store, which is created after the log.
    const hooks: Hooks = { flushed: () => {}, failed: () => {} };
    const logOptions: Omit<LogOptions, "engine"> = {
      files,
      folder: `${folder}/log`,
      schema: migrations.length,
      segmentSize,
      isHeld,
      onFlushed: (seq, reserved) => hooks.flushed(seq, reserved),
      onFailure: (error) => hooks.failed(error),
    };
    if (!holdsData(files, folder)) {
      if (!options.create) throw new NoOrganization(folder);
      const database = await Database.empty();
      migrate(database, migrations.length, migrations);
      const state = { seq: 0, eventId: 0, reserved: 0 };
      files.remove(flushedPath(`${folder}/log`)); // left by earlier data
      const log = await Log.begin({ ...logOptions, engine: database.engine }, 1, state);
      createDatabase(files, folder, {
        paged: database.file,
        state: { seq: 0, eventId: 0, segment: 1 },
        commit: () => markData(files, folder),
      });
      const created = { database, log, ...state, cursors: {}, neededFrom: 1, report: { replayed: 0 } };
      return new Store(options, files, created, hooks);
    }
    const recovered = await recover(files, folder, { migrations });
    const { database } = recovered;
    const full = { ...logOptions, engine: database.engine };
    const { tail } = recovered;
    const log = tail
      ? Log.resume(full, tail.file, tail.offset, tail.dictionary, recovered)
      : await Log.begin(full, recovered.segment + 1, recovered);
    log.bytesSinceCheckpoint = recovered.bytes;
    if (!log.hasRoom) await log.prepared(); // otherwise the first write fails as if the disk were full
    const store = new Store(options, files, { ...recovered, log }, hooks);
    try {
      if (recovered.stale) await store.#rebase(migrations);
    } catch (error) {
      await store.close();
      throw error;
    }
    return store;
  }

  /** After an update of the schema or the engine, starts a new segment and makes a checkpoint. */
  async #rebase(migrations: readonly string[]): Promise<void> {
    const [check] = this.#database.all<{ quick_check: string }>("PRAGMA quick_check");
    if (check?.quick_check !== "ok")
      throw new StorageDamaged(
        `${this.#options.folder}/hearth.db`,
        `its integrity check failed: ${check?.quick_check}`,
      );
    if (!(await this.#log.prepared())) throw this.#log.lackOfRoom;
    migrate(this.#database, migrations.length, migrations);
    await this.checkpoint();
  }

  get reader(): Reader {
    return this.#database;
  }

  /** Seq of the newest record committed in memory. */
  get seq(): number {
    return this.#seq;
  }

  /** The newest event id. */
  get lastEventId(): number {
    return this.#eventId;
  }

  /**
   * Sizes in bytes: of the database, of its possible share of memory, of the changed pages that wait for a checkpoint,
   * and of the log since the last checkpoint.
   */
  get sizes(): { database: number; memory: number; changed: number; log: number } {
    const changed = this.#database.file.changedBytes;
    const { size: database } = this.#database;
    const memory = Math.min(database, CACHE_BYTES) + changed;
    return { database, memory, changed, log: this.#log.bytesSinceCheckpoint };
  }

  /** Whether a write would be accepted now. */
  get hasRoom(): boolean {
    return this.#log.hasRoom && !this.#checkpoints.isAwaited;
  }

  /** Whether a write would be accepted now, or after a moment's wait. */
  get acceptsWrites(): boolean {
    if (this.#checkpoints.isAwaited) return this.#checkpoints.underWay !== undefined;
    return this.#log.hasRoom || this.#log.awaitsRoom;
  }

  /**
   * Resolves when a write may be accepted again; undefined if waiting would not help. Other callers may use the room
   * first: call it until it returns undefined, and then write in the same turn.
   */
  untilRoom(): Promise<void> | undefined {
    if (this.#checkpoints.isAwaited && this.acceptsWrites) return this.#checkpoints.underWay?.catch(() => {});
    return this.#log.untilRoom();
  }

  /**
   * Runs `fn` as one transaction; rolls it back if `fn` throws. Synchronous: an async function does not compile.
   * Throws the errors of `fn`, StorageFull and StorageBusy before anything changes, RecordTooLarge, StorageFailed.
   */
  transact<T>(about: About, fn: (tx: Transaction) => NotAPromise<T>): T {
    if (this.#failed) throw this.#failed;
    if (this.#closing) throw new StorageClosed();
    if (this.#inTransaction) throw new Error("A transaction cannot hold another one: pass tx on.");
    if (!this.#log.hasRoom) throw this.#log.lackOfRoom;
    if (this.#checkpoints.isAwaited) {
      this.#checkpoints.consider();
      throw new StorageBusy(this.#checkpoints.error);
    }
    const database = this.#database;
    const now = this.#now();
    const statements: Statement[] = [];
    const emitted: { event: EventShape; audience: Audience }[] = [];
    const updates: (() => void)[] = [];
    let ended = false;
    const assertActive = () => {
      if (ended) throw new Error("The transaction has ended: this change would be in no record.");
    };
    const write = (parts: readonly string[] | undefined, sql: string, values: Value[]): number => {
      assertActive();
      if (isUnlogged(database.tableWritten(sql) ?? ""))
        throw new TypeError(`Only \`maintain\` writes unlogged tables: ${sql.slice(0, 60)}`);
      const { changes, rowid } = database.run(sql, values, parts);
      // Copies bytes: the caller may change its array before the record is encoded.
      const copied = values.map((value) => (value instanceof Uint8Array ? value.slice() : value));
      statements.push({ sql, values: copied, changes, rowid });
      return database.givesRowid(sql) ? rowid : changes;
    };
    const tx: Transaction = {
      now,
      origin: about.origin ?? "server",
      act: about.act ?? {},
      get: (sql, ...values) => database.get(sql, ...values),
      all: (sql, ...values) => database.all(sql, ...values),
      value: (sql, ...values) => database.value(sql, ...values),
      values: (sql, ...values) => database.values(sql, ...values),
      derived: (key, tables, compute) => database.derived(key, tables, compute),
      run: (sql, ...values) => write(undefined, sql, values),
      runOn: (parts, sql, ...values) => write(parts, sql, values),
      emit: (event, audience) => {
        assertActive();
        emitted.push({ event, audience });
      },
      afterCommit: (update) => {
        assertActive();
        updates.push(update);
      },
    };
    let result: T;
    let events: Published[];
    this.#inTransaction = true;
    database.control("BEGIN");
    try {
      result = fn(tx);
      if (result !== null && typeof result === "object" && "then" in result)
        throw new TypeError("A transaction cannot be asynchronous.");
      let id = this.#eventId;
      events = emitted.map(({ event, audience }) => {
        id += 1;
        return published(id, event, audience);
      });
      if (statements.length > 0 || events.length > 0)
        this.#record({ time: now, actor: about.actor, action: about.action, statements, events });
      else database.control("COMMIT");
    } catch (error) {
      database.control("ROLLBACK");
      database.invalidate(statements.map(({ sql }) => sql));
      throw error;
    } finally {
      ended = true;
      this.#inTransaction = false;
    }
    if (events.length > 0) this.#unpublished.push({ seq: this.#seq, reserved: 0, events });
    for (const update of updates) update();
    return result;
  }

  /** Runs a transaction on unlogged tables, which is in no record. Not inside another transaction. */
  maintain<T>(fn: (work: Maintenance) => NotAPromise<T>): T {
    if (this.#failed) throw this.#failed;
    if (this.#closing) throw new StorageClosed();
    if (this.#inTransaction) throw new Error("Maintenance cannot run inside a transaction.");
    this.#inTransaction = true;
    try {
      return maintain<T>(this.#database, fn);
    } finally {
      this.#inTransaction = false;
      this.#checkpoints.consider();
    }
  }

  /** Commits in memory and appends the record to the log in one synchronous step: neither happens alone. */
  #record(record: {
    time: number;
    actor: number | null;
    action: string;
    statements: Statement[];
    events: Published[];
  }): void {
    let encoded = encodeRecord(record, this.#log.dictionary);
    let length = Buffer.byteLength(encoded.text);
    const limit = this.#log.maxPayload;
    if (length > limit) throw new RecordTooLarge(length, limit);
    if (this.#log.startsSegment(length)) {
      encoded = encodeRecord(record, new Map());
      length = Buffer.byteLength(encoded.text);
      if (length > limit) throw new RecordTooLarge(length, limit);
      this.#log.rotate();
    }
    this.#database.control("COMMIT");
    this.#seq += 1;
    this.#eventId = record.events.at(-1)?.id ?? this.#eventId;
    this.#log.append(FrameKind.record, this.#seq, encoded.text, length, this.#eventId);
    encoded.remember(this.#log.dictionary);
  }

  /**
   * Publishes an event that is not logged: typing, presence, heartbeats. It takes the next id, and is delivered in
   * order, after everything before it is on disk. Dropped while the disk is full.
   */
  announce(event: EventShape, audience: Audience): void {
    if (this.#failed || this.#closing) return;
    if (this.#eventId + 1 > this.#reserved && !this.#reserve()) return;
    this.#eventId += 1;
    const entry = { seq: this.#seq, reserved: this.#eventId, events: [published(this.#eventId, event, audience)] };
    this.#unpublished.push(entry);
    if (this.#durableSeq >= entry.seq && this.#durableReserved >= entry.reserved) this.#publish();
  }

  #reserve(): boolean {
    if (!this.#log.hasRoom) return false;
    this.#reserved = this.#eventId + RESERVED_IDS;
    this.#log.append(FrameKind.reserve, this.#reserved, "", 0);
    return true;
  }

  /** Resolves when record `seq` (by default the newest) is on disk; undefined if it is already. */
  durable(seq = this.#seq): Promise<void> | undefined {
    if (this.#failed) return Promise.reject(this.#failed);
    if (seq <= this.#durableSeq) return undefined;
    return new Promise((resolve, reject) => this.#waiters.push({ seq, resolve, reject }));
  }

  /** Calls the listener with events in the order of their ids, after they are on disk. */
  onPublish(listener: (events: readonly Published[]) => void): void {
    this.#listeners.push(listener);
  }

  #afterFlush(seq: number, reserved: number): void {
    this.#durableSeq = seq;
    this.#durableReserved = Math.max(this.#durableReserved, reserved);
    let count = 0;
    while (count < this.#waiters.length && (this.#waiters[count] as Waiter).seq <= seq) count += 1;
    for (const waiter of this.#waiters.splice(0, count)) waiter.resolve();
    this.#publish();
    this.#checkpoints.consider();
  }

  /** A listener may announce events itself: they wait until all listeners have the earlier ones. */
  #publish(): void {
    if (this.#publishing) return;
    this.#publishing = true;
    try {
      for (let ready = this.#takeReady(); ready; ready = this.#takeReady()) {
        for (const listener of this.#listeners) listener(ready);
      }
    } finally {
      this.#publishing = false;
    }
  }

  #takeReady(): Published[] | undefined {
    let ready: Published[] | undefined;
    let count = 0;
    for (const entry of this.#unpublished) {
      if (entry.seq > this.#durableSeq || entry.reserved > this.#durableReserved) break;
      ready = ready ? ready.concat(entry.events) : entry.events;
      count += 1;
    }
    if (ready) this.#unpublished = this.#unpublished.slice(count);
    return ready;
  }

  #fail(error: StorageFailed): void {
    this.#failed = error;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
    this.#unpublished = [];
    this.#options.onFailure?.(error);
  }

  /**
   * Reads events after `after` from the log on disk, oldest first, at least `count` of them if there are so many. The
   * result is complete up to the id `through`: the next call continues from there. Throws StorageDamaged.
   */
  eventsInLog(after: number, count = 1000): { events: Published[]; through: number } {
    return this.#past.events(after, this.#durableSeq, count);
  }

  /** Approximate bytes of log after an event, in full segments. */
  logBytesAfter(eventId: number): number {
    return this.#past.bytesAfter(eventId);
  }

  /** The log contains the events after this id. */
  get oldestEventId(): number {
    return this.#past.oldestEventId;
  }

  #saveCursors(): void {
    const text = JSON.stringify(this.cursors());
    const length = Buffer.byteLength(text);
    if (length <= this.#log.maxPayload && this.#log.hasRoom)
      this.#log.append(FrameKind.cursors, this.#seq, text, length);
  }

  /** Writes the changed pages to disk, while other writes continue. Waits for the end of a snapshot. */
  checkpoint(): Promise<void> {
    return this.#checkpoints.make();
  }

  /**
   * Makes a checkpoint and keeps the database on disk unchanged until `release`: a consistent state to copy page by
   * page, while writes continue in memory. They wait at 256 MB of changed pages, so a copy should not take long.
   *
   * Pages count from 0. `read` throws PageDamaged for a damaged page. With `withoutRoom`, if the disk has no room for
   * the checkpoint, the snapshot contains the changed pages separately.
   */
  snapshot(options?: { withoutRoom?: boolean }): Promise<Snapshot> {
    return this.#checkpoints.snapshot(options);
  }

  /** How many pages the database has on disk. */
  get pages(): number {
    return this.#database.file.savedPages?.count ?? 0;
  }

  /** Reads what the first requests will need into the system's memory, off the event loop. */
  async readAhead(): Promise<void> {
    const saved = this.#database.file.savedPages;
    const roots = this.#database.all<{ page: number }>(
      "SELECT rootpage - 1 AS page FROM sqlite_schema WHERE rootpage > 0",
    );
    if (saved)
      await readAhead(
        saved,
        roots.map(({ page }) => page),
        this.#stop.signal,
      ).catch(() => {}); // only for speed: requests that need the page report the error
  }

  /** Reads pages from disk off the event loop, and returns those that are damaged. */
  damagedAmong(first: number, count: number): Promise<PageDamaged[]> {
    return this.#database.file.damagedAmong(first, count);
  }

  /** Rejects new writes, saves the acknowledged ids, and resolves when everything is on disk. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#stop.abort();
    await this.#checkpoints.stop();
    try {
      if (!this.#failed) await this.#checkpoints.makeAtStop();
      if (!this.#failed) this.#saveCursors();
      await this.#log.close();
    } finally {
      this.#database.close();
    }
  }
}

export const openStore = (options: StoreOptions): Promise<Store> => Store.open(options);

function published(id: number, event: EventShape, audience: Audience): Published {
  return {
    id,
    event,
    users: UserSet.of(audience.users),
    perUserOverrides: audience.perUserOverrides,
    alsoAllPublic: audience.alsoAllPublic === true,
    origin: audience.origin,
  };
}

/** Runs `fn` as a transaction that writes only unlogged tables. Rolls it back if `fn` throws. */
export function maintain<T>(database: Database, fn: (work: Maintenance) => T): T {
  const statements: string[] = [];
  let ended = false;
  const work: Maintenance = {
    get: (sql, ...values) => database.get(sql, ...values),
    all: (sql, ...values) => database.all(sql, ...values),
    values: (sql, ...values) => database.values(sql, ...values),
    value: (sql, ...values) => database.value(sql, ...values),
    derived: (key, tables, compute) => database.derived(key, tables, compute),
    run(sql, ...values) {
      const table = database.tableWritten(sql);
      if (ended) throw new Error("The maintenance has ended.");
      if (table === undefined || !isUnlogged(table)) throw new TypeError(`Not an unlogged table: ${sql.slice(0, 60)}`);
      statements.push(sql);
      database.run(sql, values);
    },
  };
  database.control("BEGIN");
  try {
    const result = fn(work);
    database.control("COMMIT");
    return result;
  } catch (error) {
    database.control("ROLLBACK");
    database.invalidate(statements);
    throw error;
  } finally {
    ended = true;
  }
}
