import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { changeOperatorSettings } from "../../server/api/actions/operator-settings.ts";
import { operatorSetting } from "../../server/api/queries/operator-settings.ts";
import { problem } from "../../server/errors.ts";
import { BackupFailed } from "../../server/host/backups/errors.ts";
import { goBack, moveFolder } from "../../server/host/backups/move.ts";
import {
  arrivalOf,
  FolderMoved,
  moveOf,
  oldFolderOf,
  putOldAside,
  removeOldFolder,
  settleMove,
  takeBack,
  UnfinishedCopy,
} from "../../server/host/backups/move-marks.ts";
import { killedAt } from "../support/killed-files.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { about, addUpload, contents, filesBelow, opened, place, say, testing } from "./history.ts";

const AT = Date.UTC(2026, 10, 22, 21, 5);
const now = () => AT;

async function createFolder(t: TestContext) {
  const { parent, folder } = await place(t);
  const store = await opened(folder);
  say(store, "before");
  addUpload(store, folder, Buffer.from("an upload"));
  await store.close();
  mkdirSync(join(folder, "backups"));
  writeFileSync(join(folder, "backups", "one.tar"), "x".repeat(3_000_000));
  writeFileSync(join(folder, "lock"), "the lock of this process");
  return { parent, folder, to: join(parent, "elsewhere"), held: await contentsOf(folder) };
}

async function contentsOf(folder: string): Promise<Record<string, string>> {
  const store = await opened(folder);
  try {
    const { audit: _, ...all } = contents(store, folder);
    return all;
  } finally {
    await store.close();
  }
}

const write = async (folder: string, text: string) => {
  const store = await opened(folder);
  say(store, text);
  await store.durable();
  await store.close();
};

const move = (from: string, to: string, more: Parameters<typeof moveFolder>[2] = {}) =>
  moveFolder({ from, to, ...testing }, {}, { now, ...more });

test("a move copies everything and keeps the old folder", async (t) => {
  const { parent, folder, to, held } = await createFolder(t);
  const before = filesBelow(folder).filter((name) => name !== "lock");
  const seen: [string, number, number][] = [];
  const moved = await moveFolder({ from: folder, to, ...testing }, { advanced: (...step) => seen.push(step) }, { now });
  assert.equal(moved.aside, join(parent, "data-moved-2026-11-22-21-05-00"));
  assert.deepEqual([...new Set(seen.map(([phase]) => phase))], ["copying", "verifying"]);
  for (const phase of ["copying", "verifying"]) {
    const last = seen.findLast((step) => step[0] === phase);
    assert.deepEqual(last, [phase, moved.bytes, moved.bytes]);
  }
  for (const name of before.filter((one) => !one.startsWith("log/")))
    assert.ok(existsSync(join(to, name)), `${name} is there`);
  for (const name of ["lock", "move.json", "host.json"]) assert.ok(!existsSync(join(to, name)), name);
  assert.deepEqual(readFileSync(join(to, "secret.key")), readFileSync(join(folder, "secret.key")));

  // From here on, only the new folder is valid.
  assert.throws(
    () => settleMove(folder),
    (error: Error) => {
      assert.match(error.message, /was moved to .*elsewhere\. Use that folder/);
      return error instanceof FolderMoved && error.to === to;
    },
  );
  settleMove(to);
  assert.deepEqual(await contentsOf(to), held);
  assert.equal(oldFolderOf(to)?.path, folder, "before it is put aside");
  putOldAside(to);
  putOldAside(to);
  assert.equal(oldFolderOf(to)?.path, moved.aside);
  assert.deepEqual(readdirSync(folder), ["move.json"]);
  assert.throws(() => settleMove(folder), FolderMoved, "a start in the old place is told where to");
  assert.throws(() => settleMove(moved.aside), FolderMoved);
  assert.deepEqual(await contentsOf(moved.aside), held);
  assert.deepEqual(readdirSync(parent).sort(), ["data", "data-moved-2026-11-22-21-05-00", "elsewhere"]);

  await removeOldFolder(to);
  assert.deepEqual(readdirSync(parent).sort(), ["data", "elsewhere"]);
  assert.equal(oldFolderOf(to), undefined);
  assert.equal(arrivalOf(to), undefined);
  // The previous location can be used again.
  await move(to, folder);
  settleMove(folder);
  assert.deepEqual(await contentsOf(folder), held);
});

test("settings with paths inside the folder follow a move", async (t) => {
  const { parent, folder, to } = await createFolder(t);
  const certificate = join(parent, "data-of-others", "cert.pem");
  const store = await opened(folder);
  store.transact(about, (tx) =>
    changeOperatorSettings(tx, null, {
      BACKUP_FOLDER: join(folder, "backups", "mine"),
      HTTPS: { use: "files", certificate, key: join(folder, "key.pem") },
    }),
  );
  await store.close();
  await move(folder, to);
  settleMove(to);
  const there = await opened(to);
  assert.equal(operatorSetting(there.reader, "BACKUP_FOLDER"), join(to, "backups", "mine"));
  assert.deepEqual(operatorSetting(there.reader, "HTTPS"), { use: "files", certificate, key: join(to, "key.pem") });
  await there.close();
});

test("moving back uses the old folder and keeps newer data", async (t) => {
  const { parent, folder, to, held } = await createFolder(t);
  await assert.rejects(goBack({ folder }), /no longer exists/);
  const { aside } = await move(folder, to);
  settleMove(to);
  putOldAside(to);
  await write(to, "since");
  const later = await contentsOf(to);
  assert.equal(await goBack({ folder: to, ...testing }, { now }), folder);
  assert.throws(() => settleMove(to), FolderMoved);
  settleMove(folder);
  assert.deepEqual(await contentsOf(folder), held);
  assert.ok(!existsSync(aside));
  putOldAside(folder);
  const kept = oldFolderOf(folder)?.path ?? "";
  assert.equal(kept, join(parent, "elsewhere-moved-2026-11-22-21-05-00"));
  assert.deepEqual(await contentsOf(kept), later);
  // Moves there and back again.
  assert.equal(await goBack({ folder, ...testing }, { now }), to);
  settleMove(to);
  assert.deepEqual(await contentsOf(to), later);
  assert.throws(() => settleMove(folder), FolderMoved);
});

test("moving back ignores foreign files in the old location", async (t) => {
  const { folder, to } = await createFolder(t);
  await move(folder, to);
  settleMove(to);
  putOldAside(to);
  writeFileSync(join(folder, "letter.txt"), "mine");
  await assert.rejects(goBack({ folder: to, ...testing }), /now contains other files/);
  settleMove(to);
  assert.equal(readFileSync(join(folder, "letter.txt"), "utf8"), "mine");
});

test("falls back to the old folder if the new one fails to start", async (t) => {
  const { parent, folder, to, held } = await createFolder(t);
  await move(folder, to);
  settleMove(to);
  takeBack(folder);
  assert.deepEqual(readdirSync(parent), ["data"]);
  assert.equal(moveOf(folder), undefined);
  assert.deepEqual(await contentsOf(folder), held);
});

const links = { skip: process.platform === "win32" && "links need a permission on Windows, and Wine has none" };

test("a link to nowhere prevents a move", links, async (t) => {
  const { folder, to } = await createFolder(t);
  symlinkSync("/nowhere", join(folder, "uploads", "link"));
  await assert.rejects(move(folder, to), /uploads.link is neither a file nor a folder/);
});

test("a cancelled or unverified move changes nothing", async (t) => {
  const { parent, folder, to, held } = await createFolder(t);
  const cancel = () => {
    throw new BackupFailed(problem("task_canceled"));
  };
  await assert.rejects(moveFolder({ from: folder, to }, { paused: cancel }), /canceled/);
  assert.deepEqual(readdirSync(parent), ["data"]);

  // A disk that reads back other bytes than were written.
  let copied = "";
  const lying = {
    advanced: (phase: string) => {
      if (phase !== "verifying" || copied !== "") return;
      copied = readdirSync(parent).find((name) => name.startsWith("elsewhere.moving-")) ?? "";
      writeFileSync(join(parent, copied, "secret.key"), "not what was written");
    },
  };
  await assert.rejects(moveFolder({ from: folder, to }, lying), /secret\.key was not written correctly/);
  assert.deepEqual(readdirSync(parent), ["data"]);

  mkdirSync(to);
  writeFileSync(join(to, "letter.txt"), "mine");
  await assert.rejects(move(folder, to), { code: "ENOTEMPTY" });
  assert.deepEqual(readdirSync(parent).sort(), ["data", "elsewhere"]);
  assert.equal(moveOf(folder), undefined);
  assert.deepEqual(await contentsOf(folder), held);
});

test("a start reports a damaged marker file by name", async (t) => {
  const { folder, to } = await createFolder(t);
  await move(folder, to);
  for (const [where, name] of [
    [folder, "move.json"],
    [to, "arrival.json"],
  ] as const) {
    const bytes = readFileSync(join(where, name));
    const damaged = Buffer.from(bytes);
    damaged[20] = (damaged[20] as number) ^ 1;
    writeFileSync(join(where, name), damaged);
    assert.throws(() => settleMove(where), new RegExp(`${name} is damaged.*Copy the data folder first`));
    writeFileSync(join(where, name), bytes);
  }
  assert.throws(() => settleMove(folder), FolderMoved);
});

/** Takes each folder as a start would, and returns the usable ones. */
function usable(folders: readonly string[]): string[] {
  return folders.filter((folder) => {
    if (!existsSync(join(folder, "hearth.db"))) return false;
    try {
      settleMove(folder);
      return true;
    } catch (error) {
      assert.ok(error instanceof FolderMoved || error instanceof UnfinishedCopy, String(error));
      return false;
    }
  });
}

const spread = (steps: number, last: number) =>
  Array.from({ length: steps }, (_, step) => step).filter(
    (step) => IS_LONG_RUN || step >= steps - last || step % 31 === 0,
  );

test("a kill at any step of a move leaves one complete folder", async (t) => {
  const { parent, folder, held } = await createFolder(t);
  const attempt = join(parent, "attempt");
  const prepare = () => {
    rmSync(attempt, { recursive: true, force: true });
    mkdirSync(attempt);
    cpSync(folder, join(attempt, "data"), { recursive: true });
    return { from: join(attempt, "data"), to: join(attempt, "new") };
  };
  const all = async (from: string, to: string, dying: ReturnType<typeof killedAt>) => {
    await moveFolder({ from, to, ...testing }, {}, { now, files: dying.files });
    settleMove(to, dying.files);
    putOldAside(to, dying.files);
  };
  const whole = killedAt(Number.POSITIVE_INFINITY);
  const first = prepare();
  await all(first.from, first.to, whole);
  const outcomes = { old: 0, new: 0 };
  for (const step of spread(whole.calls(), 50)) {
    const { from, to } = prepare();
    await assert.rejects(all(from, to, killedAt(step)), `step ${step}`);
    const wasUnfinished = existsSync(join(to, "arrival.json")) && moveOf(from)?.step === "copying";
    if (wasUnfinished) assert.throws(() => settleMove(to), UnfinishedCopy, "a copy is never opened before it counts");
    const found = usable([from, to]);
    assert.equal(found.length, 1, `step ${step}: ${found}`);
    assert.deepEqual(await contentsOf(found[0] as string), held, `step ${step}`);
    outcomes[found[0] === from ? "old" : "new"] += 1;
    if (found[0] === from) assert.deepEqual(readdirSync(attempt), ["data"], `step ${step} leaves nothing behind`);
    else {
      putOldAside(to);
      assert.deepEqual(await contentsOf(oldFolderOf(to)?.path ?? ""), held, "and the old one is kept");
    }
  }
  assert.ok(outcomes.old >= 5 && outcomes.new >= 5, JSON.stringify(outcomes));
});

test("a kill at any step of moving back leaves one usable folder", async (t) => {
  const { parent, folder, to, held } = await createFolder(t);
  await move(folder, to);
  settleMove(to);
  putOldAside(to);
  await write(to, "since");
  const later = await contentsOf(to);
  const ready = join(parent, "ready");
  mkdirSync(ready);
  const names = readdirSync(parent).filter((name) => name !== "ready");
  for (const name of names) cpSync(join(parent, name), join(ready, name), { recursive: true });
  const prepare = () => {
    for (const name of readdirSync(parent))
      if (name !== "ready") rmSync(join(parent, name), { recursive: true, force: true });
    for (const name of names) cpSync(join(ready, name), join(parent, name), { recursive: true });
  };
  const all = async (dying: ReturnType<typeof killedAt>) => {
    await goBack({ folder: to, ...testing }, { now, files: dying.files });
    settleMove(folder, dying.files);
    putOldAside(folder, dying.files);
  };
  const whole = killedAt(Number.POSITIVE_INFINITY);
  await all(whole);
  const outcomes = { new: 0, old: 0 };
  for (const step of spread(whole.calls(), 50)) {
    prepare();
    await assert.rejects(all(killedAt(step)), `step ${step}`);
    const found = usable([folder, to]);
    assert.equal(found.length, 1, `step ${step}: ${found}`);
    const isOld = found[0] === folder;
    outcomes[isOld ? "old" : "new"] += 1;
    assert.deepEqual(await contentsOf(found[0] as string), isOld ? held : later, `step ${step}`);
    if (isOld) continue;
    // The interrupted work can be finished.
    await goBack({ folder: to, ...testing }, { now });
    settleMove(folder);
    assert.deepEqual(await contentsOf(folder), held, `again after step ${step}`);
  }
  assert.ok(outcomes.old >= 5 && outcomes.new >= 5, JSON.stringify(outcomes));
});
