/** An SQL parameter or column. Blobs are bytes; booleans are 0 and 1. */
export type Value = string | number | null | Uint8Array;

/**
 * Reads from the database, inside or outside a transaction. SQL is constant text and every value is bound; prepared
 * statements are cached, so a query is parsed once only.
 */
export interface Reader {
  /** The first row as an object by column name, or undefined. */
  get<Row>(sql: string, ...values: Value[]): Row | undefined;
  /** All rows as objects by column name. */
  all<Row>(sql: string, ...values: Value[]): Row[];
  /** First column of the first row, or undefined if there is no row. */
  value<T extends Value>(sql: string, ...values: Value[]): T | undefined;
  /** First column of all rows. */
  values<T extends Value>(sql: string, ...values: Value[]): T[];
  /**
   * A value computed from the named tables and cached until a statement writes one of them, even in a transaction
   * that is rolled back. `compute` reads only those tables. `subscriptions/user 5` names a part of a table: the value
   * stays cached after statements that name only other parts (`runOn`).
   */
  derived<T>(key: string, tables: readonly string[], compute: (reader: Reader) => T): T;
}

/** An event as stored in the log: its type and the fields that the catalogue declares for it. */
export interface LoggedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The catalogue adds its event types here, so that `emit` accepts declared events only. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by events/catalogue.ts
export interface EventShapes {}

export type EventShape = keyof EventShapes extends never ? LoggedEvent : EventShapes[keyof EventShapes];

/**
 * Who gets an event: exactly these users. `perUserOverrides` contains top-level fields that replace the event's own
 * for some of them, for example the flags of a message.
 */
export interface Audience {
  readonly users: Iterable<number>;
  readonly perUserOverrides?: ReadonlyMap<number, Readonly<Record<string, unknown>>>;
  /** For messages of public channels: queues with `all_public_streams` get them too, except those of guests. */
  readonly alsoAllPublic?: boolean;
  /** The queue that the sender named, and the fields that only this queue gets (`local_id`). */
  readonly origin?: { readonly queueId: string; readonly fields: Readonly<Record<string, unknown>> };
}

/**
 * One atomic change of state. Every statement is logged and replayed after a crash, so its text is constant and uses
 * no clock, randomness, `changes()` or `last_insert_rowid()`; an INSERT … SELECT orders by a unique key
 * (docs/architecture.md#replay).
 */
export interface Transaction extends Reader {
  /** The time of this transaction, in milliseconds since the epoch: the only clock that SQL may use. */
  readonly now: number;
  /** Where the change came from: "api", "desktop" (the operator's token) or "server". */
  readonly origin: string;
  /** Identifies what this transaction is a part of: the transactions of one request have the same object. */
  readonly act: object;
  /** Runs one writing statement. Returns the new rowid for an INSERT, else the number of rows changed. */
  run(sql: string, ...values: Value[]): number;
  /** Like `run`, for a statement that changes only these parts of its table, named as in `derived` (`user 5`). */
  runOn(parts: readonly string[], sql: string, ...values: Value[]): number;
  /** Adds an event, delivered in order after the transaction is on disk, and never if it fails. */
  emit(event: EventShape, audience: Audience): void;
  /** For in-memory indexes only: runs synchronously right after COMMIT, never after a rollback. */
  afterCommit(update: () => void): void;
}

/**
 * A transaction on unlogged tables (migrations/index.ts). Their contents are computed from other tables and can be
 * computed again, so they are in no record and no event.
 */
export interface Maintenance extends Reader {
  run(sql: string, ...values: Value[]): void;
}
