import assert from "node:assert/strict";
import test from "node:test";
import { CHANNEL_GROUP_SETTING_NAMES } from "../../server/api/queries/channels.ts";
import { RecordTooLarge, SchemaTooNew, StorageDamaged } from "../../server/storage/errors.ts";
import type { Files } from "../../server/storage/files.ts";
import { FRAME_HEADER, FrameKind, readFrame, sealFrame } from "../../server/storage/frames.ts";
import { SEGMENT_START, segmentsIn } from "../../server/storage/segments.ts";
import { openStore, type Store } from "../../server/storage/store.ts";
import { bytesOf, type Disk, RecordingFiles, seeded, withBytes } from "../support/recording-files.ts";
import { about, dump, FOLDER, notesSchema, openNotes } from "./work.ts";

/** Some are IDs, and the last is unnamed. */
const GROUPS = CHANNEL_GROUP_SETTING_NAMES.map((_, at, { length }) =>
  at === length - 1 ? '{"direct_members":[1],"direct_subgroups":[]}' : String(at + 1),
);

const turn = () => new Promise((resolve) => setImmediate(resolve));
const INSERT = "INSERT INTO notes (body) VALUES (?)";

const add = (store: Store, body: string) => store.transact(about, (tx) => tx.run(INSERT, body));

/** Random work like the server's, on the real schema. */
class Workload {
  readonly store: Store;
  readonly #pick: () => number;
  constructor(store: Store, seed: number) {
    this.store = store;
    this.#pick = seeded(seed);
  }

  below(limit: number): number {
    return Math.floor(this.#pick() * limit);
  }

  text(): string {
    return Array.from(
      { length: this.below(12) },
      () => ["word", "é", "\u{1f525}", "'", '"', "\n", "\\", "\0"][this.below(8)],
    ).join(" ");
  }

  found(): void {
    this.store.transact({ actor: null, action: "init" }, (tx) => {
      tx.run("INSERT INTO organization (id, name, created_at) VALUES (1, 'Hall', ?)", tx.now);
      for (let user = 1; user <= 12; user += 1) {
        tx.run(
          "INSERT INTO users (email, email_key, full_name, role, joined_at) VALUES (?, ?, ?, 400, ?)",
          `U${user}@x`,
          `u${user}@x`,
          this.text() || "U",
          tx.now,
        );
      }
      for (let channel = 1; channel <= 5; channel += 1) {
        const recipient = tx.run("INSERT INTO recipients (conversation_key) VALUES (NULL)");
        tx.run(
          `INSERT INTO channels (recipient_id, name, name_key, created_at, invite_only, history_public_to_subscribers,
             ${CHANNEL_GROUP_SETTING_NAMES.join(", ")})
           VALUES (?, ?, ?, ?, 0, 1, ${GROUPS.map((group) => `'${group}'`).join(", ")})`,
          recipient,
          `Channel ${channel}`,
          `channel ${channel}`,
          tx.now,
        );
      }
    });
  }

  step(): void {
    const [user, channel] = [1 + this.below(12), 1 + this.below(5)];
    const fails = this.below(10) === 0;
    try {
      this.store.transact({ actor: user, action: "random" }, (tx) => {
        const newest = tx.value<number>("SELECT max(id) FROM messages") ?? 0;
        switch (this.below(9)) {
          case 0:
          case 1:
          case 2: {
            const topic = this.text().slice(0, 20).toWellFormed();
            tx.run(
              "INSERT INTO topics (channel_id, name_key) VALUES (?, ?) ON CONFLICT DO NOTHING",
              channel,
              topic.toLowerCase(),
            );
            const topicId = tx.value<number>(
              "SELECT id FROM topics WHERE channel_id = ? AND name_key = ?",
              channel,
              topic.toLowerCase(),
            ) as number;
            const id = tx.run(
              `INSERT INTO messages (sender_id, recipient_id, sent_channel_id, channel_id, topic_id, topic, content, rendered_content, renderer_version, sent_at, client)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, 'test')`,
              user,
              channel,
              channel,
              channel,
              topicId,
              topic,
              this.text(),
              `<p>${this.text()}</p>`,
              tx.now,
            );
            tx.run(
              "INSERT INTO message_flags (user_id, message_id, flags) VALUES (?, ?, ?)",
              user,
              id,
              1 + this.below(64),
            );
            tx.emit({ type: "heartbeat" } as never, { users: [user] });
            break;
          }
          case 3:
            tx.run(
              "INSERT INTO subscriptions (user_id, channel_id, subscribed, color) VALUES (?, ?, 1, '#fff') ON CONFLICT DO UPDATE SET subscribed = 1 - subscribed",
              user,
              channel,
            );
            break;
          case 4: {
            const chunk = this.below(3);
            const bits =
              tx.value<Uint8Array>("SELECT bits FROM read_differences WHERE user_id = ? AND chunk = ?", user, chunk) ??
              new Uint8Array(512);
            for (let count = 0; count < 3; count += 1) {
              bits[this.below(512)] = this.below(256); // reuses the array, as a careless caller would
              tx.run(
                "INSERT INTO read_differences (user_id, chunk, bits) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bits = excluded.bits",
                user,
                chunk + count,
                bits,
              );
            }
            break;
          }
          case 5:
            tx.run("DELETE FROM message_flags WHERE message_id = ?", newest);
            tx.run("DELETE FROM messages WHERE id = ?", newest);
            break;
          case 6:
            tx.run(
              "INSERT INTO audit (at, actor_id, origin, action, target) SELECT ?, id, 'test', 'copied', full_name FROM users WHERE id > ? ORDER BY id",
              tx.now,
              user,
            );
            break;
          case 7:
            tx.run(
              "UPDATE messages SET content = content || ?, last_edited_at = ? WHERE channel_id = ? AND id % 3 = 0",
              this.text(),
              tx.now,
              channel,
            );
            break;
          default:
            tx.run(
              "INSERT OR REPLACE INTO organization_settings (name, value) VALUES (?, ?)",
              `setting ${this.below(5)}`,
              JSON.stringify(this.text()),
            );
            tx.run("DELETE FROM user_settings WHERE user_id = ?", user);
            tx.run("INSERT INTO user_settings (user_id, name, value) VALUES (?, 'colour', ?)", user, this.text());
        }
        if (fails) throw new Error("undone");
      });
    } catch (error) {
      if ((error as Error).message !== "undone") throw error;
    }
  }
}

let clock = 1.7e12;
const openReal = (files: Files) =>
  openStore({
    folder: FOLDER,
    create: true,
    testing: { files, segmentSize: 128 << 10 },
    now: () => (clock += 7),
  });

for (const seed of [1, 2, 3]) {
  test(`log and checkpoints rebuild every table exactly (seed ${seed})`, async () => {
    const files = new RecordingFiles();
    const store = await openReal(files);
    const workload = new Workload(store, seed);
    workload.found();
    for (let done = 0; done < 900; done += 1) {
      while (!store.hasRoom) await turn();
      workload.step();
      if (done % 10 === 0) await store.durable();
      if (seed > 1 && done % (300 - seed) === 250) await store.checkpoint();
    }
    await store.durable();
    const live = dump(store.reader);
    assert.ok(Object.keys(live).length >= 15, "all tables are compared");
    assert.ok((store.reader.value<number>("SELECT count(*) FROM read_differences") ?? 0) > 5);
    const again = await openReal(new RecordingFiles(files.now()));
    const rebuilt = dump(again.reader);
    assert.deepEqual(Object.keys(rebuilt), Object.keys(live));
    for (const [table, rows] of Object.entries(live)) assert.equal(rebuilt[table], rows, table);
    assert.equal(again.reader.value("PRAGMA integrity_check"), "ok");
    assert.equal(again.seq, store.seq);
    while (!store.hasRoom) await turn();
    assert.equal(again.hasRoom, true, "a store that is open takes a write at once");
    // Later writes agree too: freed IDs are not reused.
    for (const one of [store, again])
      one.transact(about, (tx) => tx.run("INSERT INTO recipients (conversation_key) VALUES ('1,2')"));
    assert.deepEqual(dump(again.reader), dump(store.reader));
    await Promise.all([store.close(), again.close()]);
  });
}

test("deleted IDs are never reused, replayed or not", async () => {
  const files = new RecordingFiles();
  const store = await openNotes(files, { create: true });
  add(store, "one");
  store.transact(about, (tx) => tx.run("DELETE FROM notes WHERE id = ?", tx.run(INSERT, "two")));
  await store.durable();
  const again = await openNotes(new RecordingFiles(files.now()));
  assert.equal(add(again, "three"), 3);
  await store.checkpoint();
  const later = await openNotes(new RecordingFiles(files.now()));
  assert.equal(add(later, "three"), 3);
  await Promise.all([store.close(), again.close(), later.close()]);
});

test("segments roll over at 16 MB", async () => {
  const files = new RecordingFiles();
  const store = await openNotes(files, { create: true, segmentSize: 16 << 20 });
  const pages = new Uint8Array(5 << 19).map((_, at) => at % 251); // 3.5 MB of base64 in the log
  for (let count = 0; count < 10; count += 1) {
    while (!store.hasRoom) await turn();
    store.transact(about, (tx) => tx.run("INSERT INTO notes (body, pages) VALUES (?, ?)", `pages ${count}`, pages));
    await store.durable();
  }
  assert.ok(segmentsIn(files, `${FOLDER}/log`).length >= 3);
  const again = await openNotes(new RecordingFiles(files.now()), { segmentSize: 16 << 20 });
  assert.equal(again.report.replayed, 10);
  assert.deepEqual(
    again.reader.all("SELECT id, body, length(pages) AS length FROM notes"),
    store.reader.all("SELECT id, body, length(pages) AS length FROM notes"),
  );
  assert.deepEqual(again.reader.value("SELECT pages FROM notes WHERE id = 5"), pages);
  await Promise.all([store.close(), again.close()]);
});

test("an oversized record is rolled back", async () => {
  const files = new RecordingFiles();
  const store = await openNotes(files, { create: true });
  const before = dump(store.reader);
  assert.throws(
    () => add(store, "x".repeat(10_000)),
    (error: Error) => error instanceof RecordTooLarge && /8192/.test(error.message),
  );
  assert.deepEqual(dump(store.reader), before);
  // A text may fit only because its statement is cached in this segment. It does not fit the next one.
  for (let length = 7_950; length < 8_210; length += 10) {
    while (!store.hasRoom) await turn();
    try {
      add(store, "y".repeat(length));
    } catch (error) {
      assert.ok(error instanceof RecordTooLarge);
    }
    await store.durable();
  }
  const again = await openNotes(new RecordingFiles(files.now()));
  assert.deepEqual(dump(again.reader), dump(store.reader));
  await Promise.all([store.close(), again.close()]);
});

/** The disk with one log record's JSON changed and its checksum recomputed. */
function tampered(disk: Disk, seq: number, change: (text: string) => string): Disk {
  const files = new RecordingFiles(disk);
  for (const file of segmentsIn(files, `${FOLDER}/log`)) {
    const bytes = bytesOf(disk, file.path);
    for (
      let frame = readFrame(bytes, SEGMENT_START, file.salt);
      frame;
      frame = readFrame(bytes, frame.end, file.salt)
    ) {
      if (frame.kind !== FrameKind.record || frame.number !== seq) continue;
      const text = Buffer.from(change(frame.payload.toString()));
      assert.equal(text.length, frame.payload.length);
      const at = frame.payload.byteOffset - bytes.byteOffset - FRAME_HEADER;
      text.copy(bytes, at + FRAME_HEADER);
      sealFrame(bytes, at, frame.kind, seq, text.length, file.salt, at);
      return withBytes(disk, file.path, bytes);
    }
  }
  throw new Error(`There is no record ${seq}.`);
}

test("a replay that diverges stops immediately", async () => {
  const files = new RecordingFiles();
  const store = await openNotes(files, { create: true });
  for (const body of ["one", "two", "six"]) add(store, body);
  store.transact(about, (tx) => tx.run("UPDATE notes SET body = ? WHERE id <= 2", "new"));
  await store.close();
  const disk = files.now();
  const stops = (changed: Disk, words: RegExp) =>
    assert.rejects(
      openNotes(new RecordingFiles(changed)),
      (error: Error) => error instanceof StorageDamaged && words.test(error.message) && error.file.endsWith(".log"),
    );
  await stops(
    tampered(disk, 4, (text) => text.replace('["new"],2,0]', '["new"],3,0]')),
    /record 4 \(test\) replays differently: 2 rows .* instead of 3/,
  );
  await stops(
    tampered(disk, 3, (text) => text.replace('["six"],1,3]', '["six"],1,4]')),
    /record 3 .*row id 3 instead of 1 and 4/,
  );
  await stops(
    tampered(disk, 1, (text) => text.replace("INTO notes", "INTO notez")),
    /record 1 .*no such table/,
  );
  await stops(
    tampered(disk, 2, (text) => text.replace('[[0,["two"]', '[[7,["two"]')),
    /record 2/,
  );
  const unchanged = await openNotes(new RecordingFiles(disk));
  await unchanged.close();
});

const twice = [
  ...notesSchema,
  "ALTER TABLE notes ADD COLUMN colour TEXT; UPDATE notes SET colour = 'red' WHERE id % 2 = 0; CREATE INDEX notes_by_colour ON notes (colour, id)",
];

test("data of a newer Hearth is rejected unchanged", async () => {
  const files = new RecordingFiles();
  const store = await openNotes(files, { create: true, migrations: twice });
  add(store, "new");
  await store.close();
  const older = new RecordingFiles(files.now());
  await assert.rejects(openNotes(older), SchemaTooNew);
  assert.equal(older.operations.length, 0);
});

test("a migration ends with a checkpoint", async () => {
  const files = new RecordingFiles();
  const first = await openNotes(files, { create: true });
  for (const body of ["one", "two"]) add(first, body);
  first.announce({ type: "heartbeat" } as never, { users: [1] });
  await first.close();

  const migrated = await openNotes(files, { migrations: twice });
  assert.equal(migrated.report.replayed, 2);
  assert.deepEqual(migrated.reader.all("SELECT id, colour FROM notes ORDER BY id"), [
    { id: 1, colour: null },
    { id: 2, colour: "red" },
  ]);
  const unwritten = new RecordingFiles(files.now());
  migrated.transact(about, (tx) => tx.run("UPDATE notes SET colour = 'blue' WHERE colour IS NULL"));
  const live = dump(migrated.reader);
  const events = migrated.lastEventId;
  await migrated.close();

  const fresh = await openNotes(unwritten, { migrations: twice });
  assert.equal(fresh.report.replayed, 0);
  await fresh.close();
  const again = await openNotes(new RecordingFiles(files.now()), { migrations: twice });
  assert.equal(again.report.replayed, 1);
  assert.deepEqual(dump(again.reader), live);
  assert.ok(again.lastEventId >= events);
  await again.close();
});

test("an interrupted migration runs again", async () => {
  const files = new RecordingFiles();
  const first = await openNotes(files, { create: true });
  for (const body of ["one", "two"]) add(first, body);
  await first.close();
  const before = new RecordingFiles(files.now());
  const migrated = await openNotes(before, { migrations: twice });
  const live = dump(migrated.reader);
  await migrated.close();
  for (let count = 0; count <= before.operations.length; count += 1) {
    for (const how of ["nothing unflushed", "everything", "torn", "reordered"] as const) {
      const store = await openNotes(new RecordingFiles(before.after(count, { how, pick: seeded(count) })), {
        migrations: twice,
      });
      assert.deepEqual(dump(store.reader), live, `after operation ${count}, ${how}`);
      await store.close();
    }
  }
});

test("a new engine build writes its own checkpoint first", async () => {
  const files = new RecordingFiles();
  const store = await openNotes(files, { create: true });
  add(store, "one");
  await store.durable();
  const disk = files.now();
  const { path } = segmentsIn(files, `${FOLDER}/log`)[0] as { path: string };
  const { decodeHeader, encodeHeader } = await import("../../server/storage/segments.ts");
  const bytes = bytesOf(disk, path);
  const header = decodeHeader(bytes);
  assert.ok(header);
  encodeHeader({ ...header, engine: "sql.js 1.0.0 of long ago" }).copy(bytes);
  const newer = new RecordingFiles(withBytes(disk, path, bytes));
  const updated = await openNotes(newer);
  assert.equal(updated.report.replayed, 1);
  await updated.close();
  const again = await openNotes(new RecordingFiles(newer.now()));
  assert.equal(again.report.replayed, 0);
  await Promise.all([again.close(), store.close()]);
});
