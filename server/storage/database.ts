import initSqlJs from "sql.js";
import { PagedFile } from "./paged-file.ts";
import { PAGE_SIZE } from "./pages.ts";
import type { Reader, Value } from "./transaction.ts";

/** The engine that wrote the log and the checkpoints. Replay is exact only under the same engine. */
export const ENGINE_PACKAGE = "sql.js 1.16.0";

/** Bytes of pages that the engine caches. */
export const CACHE_BYTES = 64 << 20;

type SqlJs = Awaited<ReturnType<typeof initSqlJs>>;
type RawDatabase = InstanceType<SqlJs["Database"]>;
type RawStatement = ReturnType<RawDatabase["prepare"]>;

interface Prepared {
  raw: RawStatement;
  columns: string[];
  /** The table that the statement writes; undefined for a read and for BEGIN, COMMIT, ROLLBACK. */
  table: Table | undefined;
  reads: boolean;
  /** Whether the new rowid is part of the outcome: for an INSERT without a conflict clause into a rowid table. */
  givesRowid: boolean;
}

interface Versioned {
  version: number;
}

interface Table extends Versioned {
  readonly name: string;
  /** Changes with every write that does not name the parts it changes. */
  readonly whole: Versioned;
  /** Contains only the parts on which a derived value depends. */
  readonly parts: Map<string, Versioned>;
}

interface Derived {
  dependencies: Versioned[];
  versions: number[];
  value: unknown;
}

export interface Outcome {
  /** The new rowid for a plain INSERT into a rowid table, else 0. */
  rowid: number;
  changes: number;
}

let engine: Promise<SqlJs> | undefined;

/** The bytes of an empty database. */
async function emptyFile(sql: SqlJs): Promise<Uint8Array> {
  const database = new sql.Database();
  database.exec(`PRAGMA page_size=${PAGE_SIZE}; PRAGMA application_id=0x48525448; CREATE TABLE store_state
    (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, event_id INTEGER NOT NULL) STRICT;
    INSERT INTO store_state (id, seq, event_id) VALUES (1, 0, 0);`);
  const bytes = database.export();
  database.close();
  return bytes;
}

/**
 * An open SQLite database on a file of pages (paged-file.ts).
 *
 * sql.js keeps the contents of the file in one object, which it gets from a `slice` call. We return our own object
 * there, so the engine's reads and writes are calls of it. The engine must never shorten the file, because it would
 * copy it. It does so only if it rolls back a transaction that has already written to the file. With `cache_spill` off
 * it writes at COMMIT only. test/storage/engine.test.ts guards this.
 */
export class Database implements Reader {
  readonly #raw: RawDatabase;
  readonly file: PagedFile;
  readonly #statements = new Map<string, Prepared>();
  readonly #tables = new Map<string, Table>();
  readonly #derived = new Map<string, Derived>();
  #withoutRowid: Set<string> | undefined;
  #inTransaction = false;
  /** Why the transaction can only be rolled back. */
  #broken: Error | undefined;

  private constructor(sql: SqlJs, file: PagedFile) {
    this.file = file;
    try {
      this.#raw = new sql.Database(file.forEngine());
      this.#raw.exec(
        "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA foreign_keys=ON; " +
          `PRAGMA cache_size=-${CACHE_BYTES / 1024}; PRAGMA cache_spill=OFF; PRAGMA temp_store=MEMORY`,
      );
    } catch (error) {
      throw this.#cause(error);
    }
  }

  static async empty(): Promise<Database> {
    engine ??= initSqlJs();
    const sql = await engine;
    const file = new PagedFile();
    file.set(await emptyFile(sql), 0);
    return new Database(sql, file);
  }

  /** Throws PageDamaged, or an error of the engine if the file is not a database. */
  static async open(file: PagedFile): Promise<Database> {
    engine ??= initSqlJs();
    return new Database(await engine, file);
  }

  /** Identifies the build of SQLite: replay under another build might not be exact. */
  get engine(): string {
    return `${ENGINE_PACKAGE} ${this.value<string>("SELECT sqlite_source_id()")}`;
  }

  get schemaVersion(): number {
    return this.value<number>("PRAGMA user_version") ?? 0;
  }

  /** Size in bytes, free pages included. */
  get size(): number {
    return (this.value<number>("PRAGMA page_count") ?? 0) * PAGE_SIZE;
  }

  /**
   * For a checkpoint, between two transactions: writes which records the database contains. Throws if the engine no
   * longer writes to our file.
   */
  writeState(seq: number, eventId: number): void {
    const { writes } = this.file;
    const stored = this.get<{ seq: number; event_id: number }>("SELECT seq, event_id FROM store_state");
    if (stored?.seq === seq && stored.event_id === eventId) return; // the engine would write nothing
    this.run("UPDATE store_state SET seq = ?, event_id = ? WHERE id = 1", [seq, eventId]);
    if (this.file.writes === writes) throw new Error("sql.js does not write to the database file any more.");
  }

  #table(name: string): Table {
    let table = this.#tables.get(name);
    if (!table) {
      table = { name, version: 0, whole: { version: 0 }, parts: new Map() };
      this.#tables.set(name, table);
    }
    return table;
  }

  /** The versions that a derived value depends on: of a table, or of a part of a table (`subscriptions/user 5`). */
  #dependencies(name: string): Versioned[] {
    const slash = name.indexOf("/");
    if (slash < 0) return [this.#table(name)];
    const table = this.#table(name.slice(0, slash));
    const part = name.slice(slash + 1);
    const version = table.parts.get(part) ?? { version: 0 };
    table.parts.set(part, version);
    return [table.whole, version];
  }

  #markChanged(table: Table, parts?: readonly string[]): void {
    table.version += 1;
    if (!parts) table.whole.version += 1;
    for (const part of parts ?? []) {
      const version = table.parts.get(part);
      if (version) version.version += 1;
    }
  }

  #prepare(sql: string): Prepared {
    const cached = this.#statements.get(sql);
    if (cached) return cached;
    if (/\bOR\s+(?:ROLLBACK|FAIL)\b/i.test(sql))
      throw new TypeError(`OR ROLLBACK and OR FAIL leave changes that are not logged: ${sql.slice(0, 60)}`);
    const raw = this.#compile(sql);
    const write =
      /^\s*(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(\w+)/i.exec(sql);
    const name = write?.[1];
    this.#withoutRowid ??= this.#tablesWithoutRowid();
    const columns = raw.getColumnNames();
    const prepared: Prepared = {
      raw,
      columns,
      reads: name === undefined && columns.length > 0 && !/^\s*WITH\b.*\b(?:INTO|UPDATE|DELETE)\b/is.test(sql),
      table: name === undefined ? undefined : this.#table(name),
      givesRowid:
        name !== undefined &&
        /^\s*INSERT\s+INTO/i.test(sql) &&
        !/\bON\s+CONFLICT\b/i.test(sql) &&
        !this.#withoutRowid.has(name),
    };
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #compile(sql: string): RawStatement {
    try {
      return this.#raw.prepare(sql);
    } catch (error) {
      throw this.#cause(error);
    }
  }

  #tablesWithoutRowid(): Set<string> {
    const rows = this.#raw.exec("SELECT name FROM pragma_table_list WHERE wr = 1")[0]?.values ?? [];
    return new Set(rows.map(([name]) => String(name)));
  }

  /** Rejects statements that write, because their changes would not be in the log. */
  #prepareRead(sql: string): Prepared {
    const prepared = this.#prepare(sql);
    if (!prepared.reads) throw new TypeError(`Not a read: ${sql.slice(0, 60)}`);
    return prepared;
  }

  #step(prepared: Prepared, values?: Value[]): boolean {
    if (this.#broken) throw this.#broken;
    try {
      if (values && values.length > 0) prepared.raw.bind(values as (number | string | Uint8Array | null)[]);
      return prepared.raw.step();
    } catch (error) {
      throw this.#cause(error);
    }
  }

  /**
   * The file's own error if there is one, otherwise the engine's. The engine has already rolled back the transaction in
   * which it could not read the file. Further statements would not be undone, so they are rejected.
   */
  #cause(error: unknown): unknown {
    const fault = this.file.takeFault();
    if (fault && this.#inTransaction) this.#broken = fault;
    return fault ?? error;
  }

  get<Row>(sql: string, ...values: Value[]): Row | undefined {
    const prepared = this.#prepareRead(sql);
    try {
      return this.#step(prepared, values) ? (toRow(prepared.columns, prepared.raw.get()) as Row) : undefined;
    } finally {
      prepared.raw.reset();
    }
  }

  all<Row>(sql: string, ...values: Value[]): Row[] {
    const prepared = this.#prepareRead(sql);
    const rows: Row[] = [];
    try {
      if (this.#step(prepared, values)) {
        do rows.push(toRow(prepared.columns, prepared.raw.get()) as Row);
        while (this.#step(prepared));
      }
    } finally {
      prepared.raw.reset();
    }
    return rows;
  }

  value<T extends Value>(sql: string, ...values: Value[]): T | undefined {
    const prepared = this.#prepareRead(sql);
    try {
      return this.#step(prepared, values) ? (prepared.raw.get()[0] as T) : undefined;
    } finally {
      prepared.raw.reset();
    }
  }

  values<T extends Value>(sql: string, ...values: Value[]): T[] {
    const prepared = this.#prepareRead(sql);
    const found: T[] = [];
    try {
      for (let more = this.#step(prepared, values); more; more = this.#step(prepared))
        found.push(prepared.raw.get()[0] as T);
    } finally {
      prepared.raw.reset();
    }
    return found;
  }

  derived<T>(key: string, tables: readonly string[], compute: (reader: Reader) => T): T {
    const cached = this.#derived.get(key);
    if (cached) {
      let fresh = true;
      for (let index = 0; index < cached.dependencies.length; index += 1) {
        if (cached.dependencies[index]?.version !== cached.versions[index]) fresh = false;
      }
      if (fresh) return cached.value as T;
    }
    const dependencies = tables.flatMap((name) => this.#dependencies(name));
    const versions = dependencies.map(({ version }) => version);
    const value = compute(this);
    if (this.#derived.size >= 50_000) this.#derived.clear();
    this.#derived.set(key, { dependencies, versions, value });
    return value;
  }

  /** Runs one writing statement of a transaction. `parts`: the parts of its table that it changes; all by default. */
  run(sql: string, values: Value[], parts?: readonly string[]): Outcome {
    const prepared = this.#prepare(sql);
    // JSON has no NaN and no Infinity: the log would contain null.
    if (values.some((value) => typeof value === "number" && !Number.isFinite(value)))
      throw new TypeError(`Not a finite number in: ${sql.slice(0, 60)}`);
    if (!prepared.table) throw new TypeError(`Not an INSERT, UPDATE or DELETE: ${sql.slice(0, 60)}`);
    this.#markChanged(prepared.table, parts);
    try {
      this.#step(prepared, values);
    } finally {
      prepared.raw.reset();
    }
    const changes = this.#raw.getRowsModified();
    return {
      changes,
      rowid: prepared.givesRowid && changes > 0 ? (this.value<number>("SELECT last_insert_rowid()") as number) : 0,
    };
  }

  /** The table that a statement writes, if any. */
  tableWritten(sql: string): string | undefined {
    return this.#prepare(sql).table?.name;
  }

  /** Whether `Transaction.run` returns the rowid for this statement. */
  givesRowid(sql: string): boolean {
    return this.#prepare(sql).givesRowid;
  }

  /** BEGIN, COMMIT, ROLLBACK. */
  control(sql: "BEGIN" | "COMMIT" | "ROLLBACK"): void {
    const rolledBack = sql === "ROLLBACK" && this.#broken !== undefined;
    if (sql === "ROLLBACK") this.#broken = undefined;
    const prepared = this.#prepare(sql);
    try {
      this.#step(prepared);
    } catch (error) {
      if (!rolledBack || !String(error).includes("no transaction is active")) throw error;
    } finally {
      prepared.raw.reset();
      if (sql === "BEGIN") this.#inTransaction = true;
      if (sql === "ROLLBACK") this.#inTransaction = false;
    }
    if (sql === "COMMIT") this.#inTransaction = false;
  }

  /** After a rollback: invalidates values derived from the tables that these statements wrote. */
  invalidate(statements: Iterable<string>): void {
    for (const text of statements) {
      const table = this.#prepare(text).table;
      if (table) this.#markChanged(table);
    }
  }

  /** Several statements without parameters, for migrations and maintenance; never logged. */
  script(sql: string): void {
    try {
      this.#raw.exec(sql);
    } catch (error) {
      throw this.#cause(error);
    }
    this.#withoutRowid = undefined;
    for (const prepared of this.#statements.values()) prepared.raw.free();
    this.#statements.clear();
    this.#derived.clear();
  }

  close(): void {
    this.#statements.clear();
    this.#raw.close();
    this.file.close();
  }
}

function toRow(columns: string[], values: unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index] as string] = values[index];
  return row;
}
