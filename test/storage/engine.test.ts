import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Database, ENGINE_PACKAGE } from "../../server/storage/database.ts";
import { PageDamaged } from "../../server/storage/errors.ts";
import type { OpenFile } from "../../server/storage/files.ts";
import { PagedFile } from "../../server/storage/paged-file.ts";
import { PAGE_SIZE, PageSums, sumOf } from "../../server/storage/pages.ts";

/** The behavior of sql.js that server/storage/database.ts depends on, and the SQL features that other folders use. */

async function made(schema: string): Promise<Database> {
  const database = await Database.empty();
  database.script(schema);
  return database;
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

async function saved(database: Database): Promise<{ bytes: Buffer; again: Database }> {
  const { pages } = database.file;
  const bytes = Buffer.alloc(pages * PAGE_SIZE);
  const sums = new PageSums(pages);
  for (let number = 0; number < pages; number += 1) {
    const page = database.file.page(number);
    sums.set(number, sumOf(page, number));
    bytes.set(page, number * PAGE_SIZE);
  }
  const file: OpenFile = {
    size: bytes.length,
    isDeleted: false,
    read: (into, position) => bytes.copy(into, 0, position),
    readLater: async (into, position) => bytes.copy(into, 0, position),
    write: () => assert.fail("only a checkpoint writes"),
    writeLater: () => assert.fail("only a checkpoint writes"),
    truncate: () => assert.fail("only a checkpoint writes"),
    sync: () => {},
    dataSync: async () => {},
    close: () => {},
  };
  return { bytes, again: await Database.open(new PagedFile({ path: "/hearth.db", file, sums, count: pages })) };
}

test("the engine matches the log's headers", async () => {
  const { version } = JSON.parse(
    readFileSync(new URL("../../node_modules/sql.js/package.json", import.meta.url), "utf8"),
  ) as {
    version: string;
  };
  assert.equal(ENGINE_PACKAGE, `sql.js ${version}`);
  const database = await Database.empty();
  assert.match(database.engine, /^sql\.js \S+ \d{4}-\d\d-\d\d .*[0-9a-f]{64}/);
  database.close();
});

test("the engine reads and writes the paged file", async () => {
  const database = await made("CREATE TABLE notes (id INTEGER PRIMARY KEY, body BLOB) STRICT");
  const { file } = database;
  const body = new Uint8Array(1 << 20).fill(7);
  for (let count = 0; count < 80; count += 1) {
    const { writes } = file;
    database.control("BEGIN");
    database.run("INSERT INTO notes (body) VALUES (?)", [body]);
    assert.equal(file.writes, writes, "nothing is written before COMMIT");
    database.control("COMMIT");
    assert.ok(file.writes > writes);
  }
  assert.equal(database.size, file.pages * PAGE_SIZE);
  assert.ok(database.size > 80 << 20);
  assert.equal(database.value("SELECT sum(length(body)) FROM notes"), 80 << 20, "more than its cache has room for");
  const { again } = await saved(database);
  assert.equal(again.value("SELECT sum(length(body)) FROM notes"), 80 << 20);
  assert.equal(again.file.changedBytes, 0, "reading changes nothing");
  again.close();
  database.close();
});

test("rolling back a large transaction leaves the file unchanged", async () => {
  const database = await made("CREATE TABLE notes (id INTEGER PRIMARY KEY, body BLOB) STRICT");
  database.run("INSERT INTO notes (body) VALUES (?)", [new Uint8Array([1])]);
  const { again } = await saved(database);
  again.control("BEGIN");
  const body = new Uint8Array(1 << 20).fill(3);
  for (let count = 0; count < 100; count += 1) again.run("INSERT INTO notes (body) VALUES (?)", [body]);
  again.run("UPDATE notes SET body = ? WHERE id = 1", [new Uint8Array([2])]);
  again.control("ROLLBACK");
  assert.equal(again.file.changedBytes, 0);
  const check = (rows: number) => {
    assert.equal(again.value("PRAGMA integrity_check"), "ok");
    assert.equal(again.value("SELECT count(*) FROM notes"), rows);
    assert.deepEqual(again.value("SELECT body FROM notes WHERE id = 1"), new Uint8Array([1]));
  };
  check(1);
  again.run("INSERT INTO notes (body) VALUES (?)", [body]);
  assert.ok(again.file.changedBytes > 0);
  check(2);
  again.close();
  database.close();
});

test("the engine writes which records the file contains", async () => {
  const database = await made("");
  const state = () => database.get("SELECT seq, event_id FROM store_state");
  database.writeState(7, 9);
  assert.deepEqual(state(), { seq: 7, event_id: 9 });
  database.writeState(7, 9);
  const other = new PagedFile();
  database.file.set = other.set.bind(other); // like a newer engine
  assert.throws(() => database.writeState(8, 9), /does not write to the database file/);
  database.close();
});

/** Two tables on separate pages. The second one's pages are damaged on disk. */
async function halfDamaged(): Promise<Database> {
  const database = await made(`CREATE TABLE good (id INTEGER PRIMARY KEY, body TEXT) STRICT;
    CREATE TABLE bad (id INTEGER PRIMARY KEY, body TEXT) STRICT;`);
  for (let id = 1; id <= 50; id += 1) {
    database.run("INSERT INTO good (body) VALUES (?)", ["fine ".repeat(100)]);
    database.run("INSERT INTO bad (body) VALUES (?)", ["spoilt ".repeat(100)]);
  }
  const { bytes, again } = await saved(database);
  database.close();
  for (let at = 0; at < bytes.length; at += PAGE_SIZE) {
    const page = bytes.subarray(at, at + PAGE_SIZE);
    if (text(page).includes("spoilt")) page.write("SPOILT", page.indexOf("spoilt"));
  }
  return again;
}

test("a damaged page is an error, never data", async () => {
  const database = await halfDamaged();
  const damaged = (error: unknown) =>
    error instanceof PageDamaged &&
    /^\/hearth\.db: page \d+ is damaged .* neither shown nor changed/.test(error.message);
  for (let round = 0; round < 3; round += 1) {
    assert.throws(() => database.all("SELECT body FROM bad"), damaged);
    assert.throws(() => database.value("SELECT max(body) FROM bad"), damaged);
    assert.throws(() => database.get("SELECT body FROM bad WHERE id = 50"), damaged);
    assert.throws(() => database.run("UPDATE bad SET body = ''", []), damaged);
    assert.throws(() => database.script("DELETE FROM bad WHERE body <> ''"), damaged);
    assert.equal(database.value("SELECT count(*) FROM good WHERE body LIKE 'fine%'"), 50);
    database.run("UPDATE good SET body = body || '!' WHERE id = ?", [round + 1]);
  }
  assert.equal(database.value("SELECT count(*) FROM good WHERE body LIKE '%!'"), 3);
  database.close();
});

test("a transaction that meets a damaged page can only be rolled back", async () => {
  const database = await halfDamaged();
  for (const read of [true, false]) {
    database.control("BEGIN");
    database.run("INSERT INTO good (body) VALUES ('escaped')", []);
    assert.throws(() => {
      if (read) database.all("SELECT body FROM bad");
      else database.run("DELETE FROM bad WHERE body <> ''", []);
    }, PageDamaged);
    // The engine has rolled back, so without BEGIN these would be separate transactions.
    assert.throws(() => database.run("INSERT INTO good (body) VALUES ('escaped')", []), PageDamaged);
    assert.throws(() => database.value("SELECT count(*) FROM good"), PageDamaged);
    assert.throws(() => database.control("COMMIT"), PageDamaged);
    database.control("ROLLBACK");
    assert.equal(database.value("SELECT count(*) FROM good"), 50);
    assert.equal(database.file.changedBytes, 0);
  }
  database.control("BEGIN");
  database.run("INSERT INTO good (body) VALUES ('kept')", []);
  database.control("COMMIT");
  assert.equal(database.value("SELECT count(*) FROM good"), 51);
  database.close();
});

test("pages beyond 4 GB are read and written", async () => {
  const database = await made("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT) STRICT");
  const far = 2 ** 21;
  const page = Buffer.alloc(PAGE_SIZE, 5);
  database.file.set(page, far * PAGE_SIZE);
  assert.deepEqual(Buffer.from(database.file.subarray(far * PAGE_SIZE, (far + 1) * PAGE_SIZE)), page);
  assert.deepEqual(
    Buffer.from(database.file.subarray(far * PAGE_SIZE - 3, far * PAGE_SIZE + 2)),
    Buffer.from([0, 0, 0, 5, 5]),
  );
  assert.equal(database.file.pages, far + 1);
  database.close();
});

test("only a plain INSERT returns a row ID", async () => {
  const database = await made(`CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT UNIQUE) STRICT;
    CREATE TABLE pairs (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID`);
  const insert = "INSERT INTO notes (body) VALUES (?)";
  assert.deepEqual(database.run(insert, ["one"]), { changes: 1, rowid: 1 });
  assert.deepEqual(database.run("INSERT INTO pairs VALUES (8, 9)", []), { changes: 1, rowid: 0 });
  assert.deepEqual(database.run(`${insert} ON CONFLICT DO NOTHING`, ["one"]), { changes: 0, rowid: 0 });
  assert.deepEqual(database.run("INSERT OR IGNORE INTO notes (body) VALUES (?)", ["one"]), { changes: 0, rowid: 0 });
  assert.deepEqual(database.run("INSERT INTO notes (body) SELECT 'x' WHERE 0", []), { changes: 0, rowid: 0 });
  assert.deepEqual(database.run("DELETE FROM notes WHERE id = 1", []), { changes: 1, rowid: 0 });
  assert.deepEqual(database.run(insert, ["one"]), { changes: 1, rowid: 4 }); // ignored inserts use up IDs
  assert.throws(() => database.run(insert, ["one"]), /UNIQUE/);
  assert.deepEqual(database.run(insert, ["two"]), { changes: 1, rowid: 5 }); // the failed insert used no ID
  database.close();
});

test("integers above 2^31 bound as REAL are stored exactly", async () => {
  const database = await made("CREATE TABLE times (at INTEGER NOT NULL) STRICT");
  for (const at of [2 ** 31, 2 ** 40 + 1, Number.MAX_SAFE_INTEGER, -(2 ** 45)]) {
    database.run("INSERT INTO times (at) VALUES (?)", [at]);
    assert.deepEqual(database.get("SELECT at, typeof(at) AS type FROM times WHERE at = ?", at), {
      at,
      type: "integer",
    });
    database.run("DELETE FROM times", []);
  }
  assert.throws(
    () => database.run("INSERT INTO times (at) VALUES (?)", [1.5]),
    /cannot store REAL value in INTEGER column/,
  );
  assert.throws(() => database.run("INSERT INTO times (at) VALUES (?)", ["soon"]), /cannot store TEXT value/);
  database.close();
});

test("bound values compare by type and use indexes", async () => {
  const database = await made(
    `CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, size INTEGER, bytes BLOB, state TEXT) STRICT;
     CREATE INDEX things_by_name ON things (name);
     CREATE INDEX things_waiting ON things (size, id) WHERE state = 'waiting';
     INSERT INTO things VALUES (1, '12', 12, x'3132', 'waiting'), (2, 'b', 7, x'00', 'done'), (3, NULL, NULL, NULL, '');`,
  );
  const idsWhere = (where: string, ...values: (string | number | null | Uint8Array)[]) =>
    database.all<{ id: number }>(`SELECT id FROM things WHERE ${where}`, ...values).map(({ id }) => id);
  assert.deepEqual(idsWhere("name = ?", "12"), [1]);
  assert.deepEqual(idsWhere("name = ?", 12), [1], "a text column compares as text");
  assert.deepEqual(idsWhere("size = ?", "12"), [1], "a number column compares as a number");
  assert.deepEqual(idsWhere("bytes = ?", Buffer.from("12")), [1]);
  assert.deepEqual(idsWhere("bytes = ?", "12"), []);
  assert.deepEqual(idsWhere("name = ?", null), []);
  assert.deepEqual(idsWhere("name IS ?", null), [3]);
  assert.deepEqual(idsWhere("id > ? ORDER BY id LIMIT ?", 0, 2), [1, 2]);
  const planOf = (where: string, ...values: (string | number)[]) =>
    database
      .all<{ detail: string }>(`EXPLAIN QUERY PLAN SELECT * FROM things WHERE ${where}`, ...values)
      .map(({ detail }) => detail)
      .join();
  assert.match(planOf("name = ?", "12"), /SEARCH things USING INDEX things_by_name \(name=\?\)/);
  assert.match(planOf("size = ? AND state = 'waiting' ORDER BY id LIMIT ?", 12, 1), /INDEX things_waiting \(size=\?\)/);
  assert.match(planOf("id = ?", 1), /SEARCH things USING INTEGER PRIMARY KEY/);
  database.close();
});

test("full-text search handles Unicode, and JSON functions exist", async () => {
  const database = await made(
    'CREATE VIRTUAL TABLE words USING fts4(content="", body, tokenize=unicode61 "remove_diacritics=1")',
  );
  database.run("INSERT INTO words (docid, body) VALUES (?, ?)", [7, "Zürich ÉCOLE привет"]);
  for (const query of ["zurich", "école", "ПРИВЕТ"])
    assert.equal(database.value("SELECT docid FROM words WHERE words MATCH ?", query), 7);
  assert.equal(database.value("SELECT json_extract(?, '$.a[1]')", '{"a":[1,2]}'), 2);
  assert.deepEqual(database.all("SELECT value FROM json_each(?) ORDER BY value", "[3,1]"), [
    { value: 1 },
    { value: 3 },
  ]);
  assert.equal(database.value("SELECT json_group_array(column1) FROM (VALUES (1), (2))"), "[1,2]");
  database.close();
});

test("foreign keys are enforced, texts and bytes round-trip", async () => {
  const database = await made(`CREATE TABLE users (id INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE notes (user_id INTEGER REFERENCES users (id), body TEXT, bytes BLOB) STRICT`);
  assert.throws(() => database.run("INSERT INTO notes (user_id) VALUES (5)", []), /FOREIGN KEY/);
  const [body, bytes] = ["a\0b \u{1f525} \u0301", new Uint8Array([0, 255, 7])];
  database.run("INSERT INTO notes (body, bytes) VALUES (?, ?)", [body, bytes]);
  assert.deepEqual(database.get("SELECT body, bytes FROM notes"), { body, bytes });
  database.close();
});

test("writes in reads and explicit rollbacks are rejected", async () => {
  const database = await made("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT) STRICT");
  for (const sql of [
    "INSERT INTO notes (body) VALUES ('x') RETURNING id",
    "DELETE FROM notes",
    "DROP TABLE notes",
    "WITH one AS (SELECT 1) INSERT INTO notes SELECT 1, 'x' RETURNING id",
  ]) {
    assert.throws(() => database.get(sql), TypeError, sql);
    assert.throws(() => database.all(sql), TypeError, sql);
    assert.throws(() => database.value(sql), TypeError, sql);
  }
  for (const sql of [
    "INSERT OR ROLLBACK INTO notes (id) VALUES (1)",
    "UPDATE OR FAIL notes SET id = 1",
    "CREATE TABLE more (id)",
    "SELECT 1",
  ]) {
    assert.throws(() => database.run(sql, []), TypeError, sql);
  }
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => database.run("INSERT INTO notes (id) VALUES (?)", [value]), TypeError);
  assert.equal(database.value("SELECT count(*) FROM notes"), 0);
  assert.equal(database.value("WITH one AS (SELECT 1 AS n) SELECT n FROM one"), 1);
  database.close();
});
