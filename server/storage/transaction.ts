/** What an SQL parameter or column may be. Blobs are bytes; booleans are 0 and 1. */
export type Value = string | number | null | Uint8Array;

/**
 * Reads, inside a transaction or outside one. SQL is constant text, every value is bound, and prepared
 * statements are kept, so a query costs no parsing after its first use.
 */
export interface Reader {
  /** The first row as an object by column name, or undefined. */
  get<Row>(sql: string, ...values: Value[]): Row | undefined;
  /** All rows as objects by column name. */
  all<Row>(sql: string, ...values: Value[]): Row[];
  /** First column of the first row, or undefined where there is no row. */
  value<T extends Value>(sql: string, ...values: Value[]): T | undefined;
  /**
   * A value computed from the named tables and kept until one of them is written. Computed again after any
   * statement on such a table, in a transaction that was rolled back too. `compute` reads only those tables.
   * `subscriptions/user 5` names a part of a table: computed again after any statement but those that say which
   * other parts they change.
   */
  derived<T>(key: string, tables: readonly string[], compute: (reader: Reader) => T): T;
}

/** An event as it is stored in the log: its type, and whatever the catalogue says that the type carries. */
export interface LoggedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The event types of the catalogue add themselves here, so that `emit` takes only what is declared. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by events/catalogue.ts
export interface EventShapes {}

export type EventShape = keyof EventShapes extends never ? LoggedEvent : EventShapes[keyof EventShapes];

/**
 * Who gets an event: exactly these users. `perUserOverrides` holds, for the few users for whom the event differs,
 * top-level fields that replace the event's own (flags of a message, say).
 */
export interface Audience {
  readonly users: Iterable<number>;
  readonly perUserOverrides?: ReadonlyMap<number, Readonly<Record<string, unknown>>>;
  /** Set on messages of public channels: queues registered with `all_public_streams` get them too (guests excepted). */
  readonly alsoAllPublic?: boolean;
  /** The queue that the sender named, and the fields that only this queue gets (`local_id`). */
  readonly origin?: { readonly queueId: string; readonly fields: Readonly<Record<string, unknown>> };
}

/**
 * One change of state, all or nothing. Every statement run here is logged and replayed after a crash, so its
 * text is constant and holds no clock, randomness, `changes()` or `last_insert_rowid()`; an INSERT … SELECT
 * orders by a unique key.
 */
export interface Transaction extends Reader {
  /** When this transaction happens, in milliseconds since the epoch: the only clock that SQL may be given. */
  readonly now: number;
  /** By which way in the change came: "api", "desktop" (the host's credential), "server". */
  readonly origin: string;
  /** Runs one writing statement. Returns the new rowid for an INSERT, else the number of rows changed. */
  run(sql: string, ...values: Value[]): number;
  /** As `run`, for a statement that changes only these parts of its table, as `derived` names them (`user 5`). */
  runOn(parts: readonly string[], sql: string, ...values: Value[]): number;
  /** Announces the change. Delivered in order, after the log has it on disk, and never if the transaction fails. */
  emit(event: EventShape, audience: Audience): void;
  /** For in-memory indexes only: runs in the same synchronous turn, right after COMMIT, never after a rollback. */
  afterCommit(update: () => void): void;
}

/**
 * Work on unlogged tables (migrations/index.ts): what they hold is made from the others and can be made again, so it
 * is in no record and no event tells of it.
 */
export interface Maintenance extends Reader {
  run(sql: string, ...values: Value[]): void;
}
