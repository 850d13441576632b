import { Database } from "../../server/storage/database.ts";
import type { Reader } from "../../server/storage/transaction.ts";

// A derived value is computed again only when one of its declared tables is written (`Reader.derived`). A table that it
// reads without declaring it can make it stale. While this watches, reading such a table throws immediately. Later
// additions to a derived Map, outside its computation, are not seen.

export const computedKeys = new Set<string>();

interface Computation {
  readonly key: string;
  readonly tables: ReadonlySet<string>;
}

/** Running computations. Each but the first runs inside the previous one. */
const running: Computation[] = [];
const tablesBySql = new Map<string, readonly string[]>();
let watching = false;

/** Checks every derived computation in this process from now on. */
export function watchDerivedReads(): void {
  if (watching) return;
  watching = true;
  const { get, all, value, values, derived } = Database.prototype;
  const watched: Reader = {
    get(this: Database, sql, ...bound) {
      assertReadsDeclared(this, sql);
      return get.call(this, sql, ...bound) as never;
    },
    all(this: Database, sql, ...bound) {
      assertReadsDeclared(this, sql);
      return all.call(this, sql, ...bound) as never;
    },
    value(this: Database, sql, ...bound) {
      assertReadsDeclared(this, sql);
      return value.call(this, sql, ...bound) as never;
    },
    values(this: Database, sql, ...bound) {
      assertReadsDeclared(this, sql);
      return values.call(this, sql, ...bound) as never;
    },
    derived(this: Database, key, tables, compute) {
      // A part of a table (`subscriptions/user 5`) counts as the table.
      const names = tables.map((name) => name.split("/")[0] as string);
      assertDeclared(names, `the derived value "${key}"`); // also if the value is cached
      return derived.call(this, key, tables, (reader: Reader) => {
        computedKeys.add(key);
        running.push({ key, tables: new Set(names) });
        try {
          return compute(reader);
        } finally {
          running.pop();
        }
      }) as never;
    },
  };
  Object.assign(Database.prototype, watched);

  function assertReadsDeclared(database: Database, sql: string): void {
    if (running.length === 0) return;
    let tables = tablesBySql.get(sql);
    if (!tables) {
      tables = tablesOpened(sql, (text) => all.call(database, text) as never);
      tablesBySql.set(sql, tables);
    }
    assertDeclared(tables, sql);
  }
}

function assertDeclared(tables: readonly string[], reader: string): void {
  const computation = running.at(-1);
  const missing = computation && tables.filter((name) => !computation.tables.has(name));
  if (missing?.length)
    throw new Error(`The derived value "${computation?.key}" does not name ${missing.join(", ")}, read by: ${reader}`);
}

/** The tables that SQLite opens to run a read, directly or through an index. */
function tablesOpened(sql: string, rows: <Row>(sql: string) => Row[]): string[] {
  const pages = new Map(
    rows<{ page: number; name: string }>("SELECT rootpage AS page, tbl_name AS name FROM sqlite_master").map(
      ({ page, name }) => [page, name],
    ),
  );
  const opened = rows<{ opcode: string; p2: number }>(`EXPLAIN ${sql}`)
    .filter(({ opcode }) => opcode === "OpenRead" || opcode === "ReopenIdx")
    .map(({ p2 }) => pages.get(p2) ?? "sqlite_master");
  return [...new Set(opened)];
}
