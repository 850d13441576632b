import { createHash } from "node:crypto";
import type { Files } from "../../server/storage/files.ts";
import { isUnlogged } from "../../server/storage/migrations/index.ts";
import { openStore, type Store, type StoreOptions, type StoreTesting } from "../../server/storage/store.ts";
import type { EventShape, Reader, Transaction } from "../../server/storage/transaction.ts";

/** A small schema for storage tests, with a table of each kind. */
export const notesSchema = [
  `CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, pages BLOB, weight REAL) STRICT;
   CREATE TABLE labels (note_id INTEGER NOT NULL, label TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (note_id, label)) STRICT, WITHOUT ROWID;
   CREATE TABLE singles (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL) STRICT;`,
];

export const FOLDER = "/data";
export const about = { actor: 1, action: "test" };

export const made = (type: string, fields: Record<string, unknown> = {}) =>
  ({ type, ...fields }) as unknown as EventShape;

export type NotesOptions = Pick<StoreOptions, "create" | "now" | "onFailure" | "onCheckpointFailure"> & StoreTesting;

export function openNotes(
  files: Files,
  { migrations = notesSchema, checkpointAfter, ...more }: NotesOptions = {},
): Promise<Store> {
  let time = 1_000;
  const { segmentSize = 32 << 10, maxChanged, ...options } = more;
  return openStore({
    folder: FOLDER,
    now: () => (time += 1),
    ...options,
    testing: {
      files,
      migrations,
      segmentSize,
      ...(checkpointAfter !== undefined && { checkpointAfter }),
      ...(maxChanged !== undefined && { maxChanged }),
    },
  });
}

/** All logged tables as text. Equal texts mean equal states. */
export function dump(reader: Reader): Record<string, string> {
  const tables = reader
    .all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'store_state' ORDER BY name",
    )
    .filter(({ name }) => !isUnlogged(name));
  const withoutRowid = new Set(
    reader.all<{ name: string }>("SELECT name FROM pragma_table_list WHERE wr = 1").map(({ name }) => name),
  );
  return Object.fromEntries(
    tables.map(({ name }) => {
      const rows = reader.all(
        `SELECT ${withoutRowid.has(name) ? "" : "rowid AS rowid_, "}* FROM "${name}" ORDER BY ${withoutRowid.has(name) ? "1, 2" : "rowid"}`,
      );
      return [
        name,
        JSON.stringify(rows, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value)),
      ];
    }),
  );
}

export const digest = (reader: Reader) =>
  createHash("sha1")
    .update(JSON.stringify(dump(reader)))
    .digest("hex");

/** Runs one transaction of random statements and events; some fail and roll back. */
export function randomTransaction(store: Store, pick: () => number): void {
  const below = (limit: number) => Math.floor(pick() * limit);
  const failing = pick() < 0.15;
  try {
    store.transact(about, (tx) => {
      for (let left = 1 + below(4); left > 0; left -= 1) change(tx, pick, below);
      for (let left = below(3); left > 0; left -= 1) {
        tx.emit(made("noted", { nonce: below(1e9) }), {
          users: [1, 2 + below(70)],
          ...(pick() < 0.2 && { alsoAllPublic: true }),
        });
      }
      if (failing) throw new Error("Rolled back on purpose.");
    });
  } catch (error) {
    if (!failing) throw error;
  }
}

function change(tx: Transaction, pick: () => number, below: (limit: number) => number): void {
  const newest = tx.value<number>("SELECT max(id) FROM notes") ?? 0;
  const kind = below(8);
  if (kind <= 2) {
    const pages = pick() < 0.3 ? Uint8Array.from({ length: below(300) }, () => below(256)) : null;
    tx.run(
      "INSERT INTO notes (body, pages, weight) VALUES (?, ?, ?)",
      `note ${below(1e6)} – \u{1f525}${"x".repeat(below(200))}`,
      pages,
      pick(),
    );
  } else if (kind === 3) tx.run("UPDATE notes SET body = body || ? WHERE id % 3 = ?", `+${below(100)}`, below(3));
  else if (kind === 4) tx.run("DELETE FROM notes WHERE id = ?", newest - (pick() < 0.5 ? 0 : below(5)));
  else if (kind === 5) {
    tx.run(
      "INSERT INTO labels (note_id, label, count) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1",
      below(10),
      `label ${below(3)}`,
    );
  } else if (kind === 6) tx.run("INSERT INTO notes (body) SELECT body FROM notes WHERE id > ? ORDER BY id", newest - 2);
  else tx.run("INSERT OR REPLACE INTO singles (id, value) VALUES (1, ?)", String(below(2 ** 40)));
}
