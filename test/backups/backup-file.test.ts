import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { gunzipSync } from "node:zlib";
import { problem, problemText } from "../../server/errors.ts";
import { ArchiveWriter } from "../../server/host/backups/archive.ts";
import { aboutBackup, verifyBackup } from "../../server/host/backups/backup-file.ts";
import { keyOfPassphrase, openSecret } from "../../server/host/backups/backup-key.ts";
import {
  BackupDamaged,
  BackupTooNew,
  inWords,
  NotABackup,
  PassphraseRefused,
} from "../../server/host/backups/errors.ts";
import { readSecret } from "../../server/host/credentials/secret-key.ts";
import { type Files, type OpenFile, realFiles } from "../../server/storage/files.ts";
import { bytesOf, type Crash, RecordingFiles, seeded } from "../support/recording-files.ts";
import { endBeforeRemoval } from "../support/server-process.ts";
import { addUpload, backUp, opened, place, randomChange, say, uploadPath } from "./history.ts";

const PASSPHRASE = "a horse for my kingdom";

async function venice(t: TestContext) {
  const { parent, folder } = await place(t);
  const store = await opened(folder);
  endBeforeRemoval(t, () => store.close());
  const pick = seeded(1);
  for (let left = 25; left > 0; left -= 1) randomChange(store, folder, pick);
  const upload = addUpload(store, folder, Buffer.from("what was uploaded"));
  return { parent, folder, store, upload, path: join(parent, "backup.tar") };
}

const tarProgram = { skip: spawnSync("tar", ["--version"]).error !== undefined && "there is no tar" };

test("a backup is a tar archive with a manifest", tarProgram, async (t) => {
  const { folder, store, path, upload } = await venice(t);
  const { about, size, lacking } = await backUp(store, folder, path, { key: await keyOfPassphrase(PASSPHRASE, 1024) });
  assert.deepEqual(lacking, []);
  assert.equal(size, readFileSync(path).length);
  assert.equal(about.organization, "Venice");
  assert.equal(about.messages, store.reader.value("SELECT count(*) FROM messages"));
  assert.equal(about.has_secret, true);
  assert.deepEqual(aboutBackup(realFiles, path), { about, size });
  assert.deepEqual(verifyBackup(realFiles, path), { about, size });

  const tar = (...args: string[]) => execFileSync("tar", ["-f", path, ...args], { maxBuffer: 1 << 28 });
  const names = tar("-t").toString().trim().split("\n");
  assert.equal(names[0], "hearth-backup.json");
  assert.deepEqual(names.slice(-3), ["secret.key.json", "manifest.json", "manifest.sha256"]);
  assert.ok(names.includes(`uploads/attachments/${upload.name.slice(0, 2)}/${upload.name}`));
  const manifest = tar("-xO", "manifest.json");
  assert.equal(
    tar("-xO", "manifest.sha256").toString(),
    `${createHash("sha256").update(manifest).digest("hex")}  manifest.json\n`,
  );
  const { entries } = JSON.parse(manifest.toString()) as { entries: { name: string; size: number; sha256: string }[] };
  assert.deepEqual(
    entries.map(({ name }) => name),
    names.slice(0, -2),
  );
  for (const entry of entries) {
    const bytes = tar("-xO", entry.name);
    assert.deepEqual([bytes.length, createHash("sha256").update(bytes).digest("hex")], [entry.size, entry.sha256]);
  }
  const database = Buffer.concat(
    names.filter((name) => name.startsWith("database/")).map((name) => gunzipSync(tar("-xO", name))),
  );
  assert.equal(database.toString("latin1", 0, 15), "SQLite format 3");
  const secret = tar("-xO", "secret.key.json");
  assert.ok(!readFileSync(path).includes(readSecret(folder)), "the secret is nowhere as it is");
  assert.deepEqual((await openSecret(secret, PASSPHRASE)).secret, readSecret(folder));
  await assert.rejects(openSecret(secret, "a kingdom for my horse"), PassphraseRefused);
});

test("a backup is consistent while people write", async (t) => {
  const { folder, store, path } = await venice(t);
  const earlier = addUpload(store, folder, Buffer.from("earlier"));
  const count = () => store.reader.value<number>("SELECT count(*) FROM messages");
  const before = count();
  let later = earlier;
  const meanwhile = () => {
    say(store, "later");
    later = addUpload(store, folder, Buffer.from("later"));
  };
  const { about } = await backUp(store, folder, path, { meanwhile });
  assert.equal(count(), (before ?? 0) + 1);
  assert.equal(about.messages, before);
  assert.equal(about.has_secret, false);
  const names: string[] = [];
  verifyBackup(realFiles, path, {
    upload: (name, pieces) => {
      names.push(name.slice(-32));
      for (const _ of pieces);
    },
    secret: () => assert.fail("there is no secret without a passphrase"),
  });
  assert.ok(names.includes(earlier.name));
  assert.ok(!names.includes(later.name));
});

test("counts a missing upload without failing the backup", async (t) => {
  const { folder, store, path, upload } = await venice(t);
  writeFileSync(uploadPath(folder, upload), "shorter");
  const { about } = await backUp(store, folder, path);
  assert.equal(about.missing_files, 1);
  assert.equal(verifyBackup(realFiles, path).about.files.count, about.files.count);
});

/** Invalid values in a foreign backup's manifest. */
const hostileAbout = {
  ...{ format: 1, version: "1", created_at: 0, made_by: "request", organization: "x", organization_created_at: 0 },
  ...{ people: 0, messages: 0, newest_message_id: 0, newest_message_at: null, newest_user_id: 0, key_rotations: 0 },
  ...{ files: { count: 0, bytes: 0 }, missing_files: 0, has_secret: false },
  database: { pages: 1, seq: 0, event_id: 0, last_event_id: 0, schema: 0, engine: "x" },
};

test("names uploads whose contents have changed", async (t) => {
  const { folder, store, path, upload } = await venice(t);
  assert.deepEqual((await backUp(store, folder, path)).about.lacks, "");
  writeFileSync(uploadPath(folder, upload), "what was UPLOADED");
  const other = addUpload(store, folder, Buffer.from("another"));
  rmSync(uploadPath(folder, other));
  const { about, lacking } = await backUp(store, folder, path);
  assert.deepEqual([about.damaged_files, about.missing_files], [1, 1]);
  assert.deepEqual(lacking, [upload.name, other.name].sort());
  assert.match(about.lacks, /^[\da-f]{64}$/);
  assert.deepEqual(aboutBackup(realFiles, path).about, about);
  assert.deepEqual(verifyBackup(realFiles, path).about, about);
});

test("explains a malformed manifest in one sentence", async (t) => {
  const { path } = await venice(t);
  for (const manifest of ["{}", "[", '{"entries":[{"name":"\\u001b[2J","size":1,"sha256":""}]}', '{"entries":[{}]}']) {
    const file = realFiles.open(path, "create");
    const archive = new ArchiveWriter(file, 0);
    const add = (name: string, text: string) => archive.add(name, Buffer.byteLength(text), [Buffer.from(text)]);
    add("hearth-backup.json", JSON.stringify(hostileAbout));
    add("manifest.json", manifest);
    add("manifest.sha256", `${createHash("sha256").update(manifest).digest("hex")}  manifest.json\n`);
    archive.finish();
    file.close();
    const message = problemText(problem("backup_malformed", { path, part: "manifest" }));
    assert.throws(() => verifyBackup(realFiles, path), { name: "NotABackup", message });
  }
});

test("rejects a backup with any damaged byte, with a reason", async (t) => {
  const { folder, store, path } = await venice(t);
  await backUp(store, folder, path, { key: await keyOfPassphrase(PASSPHRASE, 1024) });
  const intact = readFileSync(path);
  const problems = new Map<string, number>();
  const refuses = (bytes: Buffer, what: string) => {
    writeFileSync(path, bytes);
    assert.throws(
      () => verifyBackup(realFiles, path),
      (error: Error) => {
        assert.ok(error instanceof BackupDamaged, `${what}: ${error.stack}`);
        assert.match(error.message, /backup\.tar is damaged: .+\. Use another backup\.$/);
        const problem = error.message.replace(/^.*is damaged: /, "").replaceAll(/\d+|[\da-f]{32}/g, "N");
        problems.set(problem, (problems.get(problem) ?? 0) + 1);
        return true;
      },
    );
  };
  // Tests a byte of each block, and every byte of header blocks.
  for (let at = 0; at < intact.length; at += at < 512 ? 7 : 509) {
    const bytes = Buffer.from(intact);
    bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
    refuses(bytes, `byte ${at}`);
  }
  for (const length of [512, 513, 5000, intact.length - 1, intact.length - 512, intact.length - 1024])
    refuses(intact.subarray(0, length), `cut to ${length}`);
  refuses(Buffer.concat([intact, Buffer.alloc(1)]), "one byte more");
  const kinds = [...problems.keys()].join("\n");
  for (const part of [
    "hearth-backup.json is not",
    "database/N.gz",
    "uploads/",
    "secret.key.json",
    "manifest.json, or",
    "cut short",
    "bytes follow",
  ])
    assert.ok(kinds.includes(part), `${part} among\n${kinds}`);
  writeFileSync(path, intact);
  verifyBackup(realFiles, path);
});

test("rejects a tar archive of another program", tarProgram, async (t) => {
  const { parent } = await venice(t);
  const other = join(parent, "other");
  execFileSync("tar", ["-cf", other, "-C", parent, "data/secret.key"]);
  assert.throws(() => verifyBackup(realFiles, other), NotABackup);
});

test("distinguishes damaged backups from newer ones and other files", async (t) => {
  const { folder, store, path, parent } = await venice(t);
  const other = join(parent, "other");
  for (const contents of ["", "short", "x".repeat(5000)]) {
    writeFileSync(other, contents);
    for (const read of [verifyBackup, aboutBackup]) assert.throws(() => read(realFiles, other), NotABackup);
  }
  await backUp(store, folder, path);
  // Imitates a newer Hearth: the first entry names another format.
  const bytes = readFileSync(path);
  bytes.write('"format": 2', bytes.indexOf('"format": 1'));
  writeFileSync(path, bytes);
  assert.throws(
    () => aboutBackup(realFiles, path),
    (error: Error) => error instanceof BackupTooNew && /newer version of Hearth \(1\.2\.3\)/.test(error.message),
  );
});

/** Real files, except below `/backups`, where calls are recorded and fail on demand. */
function backupDisk(): { disk: RecordingFiles; files: Files } {
  const disk = new RecordingFiles();
  const of = (path: string): Files => (path.startsWith("/backups") ? disk : realFiles);
  const files: Files = {
    ...realFiles,
    exists: (path) => of(path).exists(path),
    open: (path, how): OpenFile => of(path).open(path, how),
    rename: (from, to) => of(from).rename(from, to),
    remove: (path) => of(path).remove(path),
    syncFolder: (path) => of(path).syncFolder(path),
  };
  return { disk, files };
}

const TO = "/backups/backup.tar";

test("a crash at any moment leaves no complete-looking file", async (t) => {
  const { folder, store, parent } = await venice(t);
  const { disk, files } = backupDisk();
  await backUp(store, folder, TO, { files });
  const whole = bytesOf(disk.now(), TO);
  const pick = seeded(5);
  let there = 0;
  const [copy, hows] = [join(parent, "copy.tar"), ["nothing unflushed", "everything", "torn", "reordered"] as const];
  for (let count = 0; count <= disk.operations.length; count += 1) {
    for (const how of hows) {
      const after = disk.after(count, { how, pick } as Crash);
      if (!after.has(TO)) continue;
      there += 1;
      assert.ok(bytesOf(after, TO).equals(whole), `after ${count} operations, ${how}`);
    }
  }
  assert.ok(there >= 4, `${there} crashes left the file`);
  // A truncated file without its name is also refused, wherever it ends.
  writeFileSync(copy, whole.subarray(0, Math.floor(whole.length / 2)));
  assert.throws(() => verifyBackup(realFiles, copy), BackupDamaged);
});

test("a full or failing disk leaves no file and is explained", async (t) => {
  const { folder, store } = await venice(t);
  for (const code of ["ENOSPC", "EIO"] as const) {
    for (let failing = 1; ; failing += 1) {
      const { disk, files } = backupDisk();
      disk.failWith = () => (disk.calls === failing ? code : undefined);
      const outcome = await backUp(store, folder, TO, { files }).catch((error: unknown) => inWords(error, "/backups"));
      if (!(outcome instanceof Error)) {
        assert.ok(disk.calls < failing);
        assert.ok(failing > 4, "there were calls that failed");
        break;
      }
      assert.match(outcome.message, code === "EIO" ? /disk reports errors/ : /the disk is full/);
      assert.ok(!disk.exists(`${TO}.partial`), `call ${failing} left something`);
      assert.ok(!disk.exists(TO) || disk.operations.at(-1)?.kind === "rename", "it is whole if it has its name");
    }
  }
});

test("verifies that the file equals what was written", async (t) => {
  const { folder, store } = await venice(t);
  const { disk, files } = backupDisk();
  const spoiling: Files = {
    ...files,
    open(path, how) {
      if (how === "read" && path.startsWith("/backups"))
        disk.open(path, "write").write(Buffer.from("spoiled"), disk.open(path, "read").size / 2);
      return files.open(path, how);
    },
  };
  await assert.rejects(backUp(store, folder, TO, { files: spoiling }), BackupDamaged);
  assert.ok(!disk.exists(TO) && !disk.exists(`${TO}.partial`));
  assert.ok(existsSync(folder) && readdirSync(folder).includes("hearth.db"));
});
