import type { Database } from "./database.ts";
import { isUnlogged } from "./migrations/index.ts";
import type { Maintenance } from "./transaction.ts";

/** Runs `fn` as one transaction that writes unlogged tables only; rolls it back if `fn` throws. */
export function maintain<T>(database: Database, fn: (work: Maintenance) => T): T {
  const statements: string[] = [];
  let ended = false;
  const work: Maintenance = {
    get: (sql, ...values) => database.get(sql, ...values),
    all: (sql, ...values) => database.all(sql, ...values),
    value: (sql, ...values) => database.value(sql, ...values),
    values: (sql, ...values) => database.values(sql, ...values),
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
