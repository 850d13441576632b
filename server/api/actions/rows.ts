import type { Transaction, Value } from "../../storage/transaction.ts";

type Row = Readonly<Record<string, Value>>;

const insertion = (table: string, row: Row): string => {
  const columns = Object.keys(row);
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
};

/** Inserts a row with constant column names, so that the statement's text is constant. Returns the row's ID. */
export const insertRow = (tx: Transaction, table: string, row: Row): number =>
  tx.run(insertion(table, row), ...Object.values(row));

/** Inserts a row, or updates the row with the same key. */
export function upsertRow(tx: Transaction, table: string, key: Row, values: Row): void {
  const updates = Object.keys(values).map((name) => `${name} = excluded.${name}`);
  const conflict = `ON CONFLICT (${Object.keys(key).join(", ")}) DO UPDATE SET ${updates.join(", ")}`;
  tx.run(`${insertion(table, { ...key, ...values })} ${conflict}`, ...Object.values(key), ...Object.values(values));
}
