import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test, { type TestContext } from "node:test";
import { endCredentials } from "../../server/api/actions/sessions.ts";
import { userById } from "../../server/api/queries/users.ts";
import { keyOfPassphrase, readKey, setPassphrase } from "../../server/host/backups/backup-key.ts";
import { BackupDamaged, PassphraseRefused } from "../../server/host/backups/errors.ts";
import { previewRestore, restoreBackup, restoreSecret } from "../../server/host/backups/restore.ts";
import { finishRestore, writeMoves } from "../../server/host/backups/restore-moves.ts";
import { readSecret } from "../../server/host/credentials/secret-key.ts";
import { encodeChecked, realFiles } from "../../server/storage/files.ts";
import { killedAt } from "../support/killed-files.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { seeded } from "../support/recording-files.ts";
import {
  about,
  addPerson,
  addUpload,
  backUp,
  contents,
  opened,
  place,
  randomChange,
  say,
  testing,
  uploadPath,
} from "./history.ts";

const PASSPHRASE = "a horse for my kingdom";
const CREATED = 1_700_000_000_000;

/** A backup, and a data folder with newer changes. */
async function madeLongAgo(t: TestContext, { passphrase }: { passphrase?: string } = {}) {
  const { parent, folder } = await place(t);
  const path = join(parent, "backup.tar");
  const store = await opened(folder);
  say(store, "before");
  const upload = addUpload(store, folder, Buffer.from("an upload"));
  const kept = contents(store, folder);
  const key = passphrase === undefined ? undefined : await keyOfPassphrase(passphrase, 1024);
  await backUp(store, folder, path, { createdAt: CREATED, ...(key && { key }) });
  say(store, "after");
  const cassio = addPerson(store, "cassio");
  store.transact(about, (tx) => endCredentials(tx, userById(tx, 1) as NonNullable<ReturnType<typeof userById>>));
  const now = contents(store, folder);
  const { lastEventId } = store;
  await store.close();
  return { parent, folder, path, upload, kept, now, cassio, lastEventId, secret: readSecret(folder) };
}

const stateOf = async (folder: string) => {
  const store = await opened(folder);
  try {
    return { contents: contents(store, folder), lastEventId: store.lastEventId };
  } finally {
    await store.close();
  }
};

test("a restore explains its effects and keeps the current data", async (t) => {
  const made = await madeLongAgo(t);
  const { folder, path, parent } = made;
  writeFileSync(join(folder, "lock"), "the lock of this process");
  const preview = await previewRestore({ path, folder, testing });
  assert.deepEqual(preview.today, {
    organization: "Venice",
    is_other_organization: false,
    messages: 1,
    people: 1,
    key_rotations: 1,
  });
  assert.equal(preview.keys, "today's");
  assert.deepEqual((await stateOf(folder)).contents, made.now, "a preview changes nothing");

  const phases: string[] = [];
  const restored = await restoreBackup({
    path,
    folder,
    testing,
    now: () => Date.UTC(2026, 10, 22, 21, 5),
    advanced: (phase, done, total) => {
      assert.ok(done > 0 && done <= total);
      if (phases.at(-1) !== phase) phases.push(phase);
    },
  });
  assert.deepEqual(phases, ["checking", "writing"]);
  assert.equal(restored.aside, join(parent, "data-before-restore-2026-11-22-21-05-00"));
  assert.deepEqual((await stateOf(restored.aside)).contents, made.now);
  assert.deepEqual(readdirSync(parent).sort(), ["backup.tar", "data", "data-before-restore-2026-11-22-21-05-00"]);
  assert.equal(readFileSync(join(folder, "lock"), "utf8"), "the lock of this process");
  assert.ok(!existsSync(join(restored.aside, "lock")));
  assert.deepEqual(readSecret(folder), made.secret, "today's keys go on");
  const store = await opened(folder);
  assert.deepEqual(contents(store, folder), made.kept);
  assert.ok(store.lastEventId >= made.lastEventId, "no event id is used twice");
  assert.ok(addPerson(store, "brabantio").id > made.cassio.id, "nor anybody else's id, and so their key");
  const entry = store.reader.get<{ after: string }>("SELECT after FROM audit WHERE action = 'restore backup'");
  assert.deepEqual(JSON.parse(entry?.after ?? ""), { made_at: CREATED, lost_messages: 1, lost_people: 1 });
  await store.close();
});

function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
  writeFileSync(path, bytes);
}

test("a restore with the passphrase repairs a damaged secret", async (t) => {
  const { folder, path, secret } = await madeLongAgo(t, { passphrase: PASSPHRASE });
  damage(join(folder, "secret.key"));
  const preview = await previewRestore({ path, folder, testing });
  assert.deepEqual([preview.keys, preview.secretProblem], ["the backup's", "secret.key is damaged"]);
  assert.equal(typeof preview.today, "object", "today's data is compared nevertheless");
  await assert.rejects(restoreBackup({ path, folder, testing }), PassphraseRefused);
  await restoreBackup({ path, folder, testing, passphrase: PASSPHRASE });
  assert.deepEqual(readSecret(folder), secret);
});

test("restoring only the secret keeps the current data", async (t) => {
  const { folder, path, secret, now } = await madeLongAgo(t, { passphrase: PASSPHRASE });
  damage(join(folder, "secret.key"));
  await assert.rejects(restoreSecret({ path, folder, passphrase: undefined }), PassphraseRefused);
  await assert.rejects(restoreSecret({ path, folder, passphrase: "not the passphrase" }), PassphraseRefused);
  await restoreSecret({ path, folder, passphrase: PASSPHRASE });
  assert.deepEqual(readSecret(folder), secret);
  assert.deepEqual((await stateOf(folder)).contents, now);
});

test("a damaged backup key is an error before and after a restore", async (t) => {
  const { folder, path } = await madeLongAgo(t);
  await setPassphrase(folder, PASSPHRASE, 1024);
  damage(join(folder, "backup.key"));
  assert.throws(() => readKey(folder), /backup\.key is damaged/);
  await restoreBackup({ path, folder, testing });
  assert.throws(() => readKey(folder), /backup\.key is damaged/);
});

test("a damaged restore marker stops the start", async (t) => {
  const { parent, folder } = await place(t);
  mkdirSync(folder, { recursive: true });
  const moves = { step: "aside" as const, aside: join(parent, "a"), restored: join(parent, "b") };
  mkdirSync(moves.restored);
  writeMoves(folder, moves, realFiles);
  damage(join(folder, "restore.json"));
  assert.throws(() => finishRestore(folder), /restore\.json is damaged.*Copy the data folder/);
  assert.ok(existsSync(join(folder, "restore.json")) && existsSync(moves.restored));
});

test("a restore deletes event queues, and sessions if all keys are revoked", async (t) => {
  const { folder, path, secret } = await madeLongAgo(t);
  const store = await opened(folder);
  store.transact(about, (tx) => {
    tx.run(
      "INSERT INTO event_queues (id, user_id, options, lifespan_seconds, first_event_id, created_at) VALUES ('q', 1, '{}', 600, 0, 0)",
    );
    tx.run("INSERT INTO sessions (digest, user_id, key_generation, created_at, expires_at) VALUES ('d', 1, 1, 0, 1)");
  });
  await backUp(store, folder, path);
  await store.close();
  const count = async (table: string) => {
    const again = await opened(folder);
    const found = again.reader.value(`SELECT count(*) FROM ${table}`);
    await again.close();
    return found;
  };
  await restoreBackup({ path, folder, testing });
  assert.deepEqual([await count("event_queues"), await count("sessions")], [0, 1]);
  const { keys } = await restoreBackup({ path, folder, testing, endAllKeys: true });
  assert.equal(keys, "none");
  assert.deepEqual([await count("event_queues"), await count("sessions")], [0, 0]);
  assert.notDeepEqual(readSecret(folder), secret);
});

test("the passphrase restores the keys on a new machine", async (t) => {
  const made = await madeLongAgo(t, { passphrase: PASSPHRASE });
  const { parent, path, secret } = made;
  const folder = join(parent, "elsewhere", "data");
  mkdirSync(folder, { recursive: true });
  const nothing = () => assert.deepEqual(readdirSync(dirname(folder)).concat(readdirSync(folder)), ["data"]);
  assert.equal((await previewRestore({ path, folder, testing })).keys, "the backup's");
  await assert.rejects(restoreBackup({ path, folder, testing }), (error: Error) => {
    assert.match(error.message, /Enter the passphrase, or choose to revoke all keys/);
    return error instanceof PassphraseRefused;
  });
  nothing();
  await assert.rejects(restoreBackup({ path, folder, testing, passphrase: "wrong" }), /passphrase is wrong/);
  nothing();
  const day = 86_400_000;
  const restored = await restoreBackup({ path, folder, testing, passphrase: PASSPHRASE, now: () => CREATED + day });
  assert.equal(restored.aside, undefined);
  assert.equal(restored.today, undefined);
  assert.deepEqual(readSecret(folder), secret);
  assert.ok(readKey(folder), "backups go on with this passphrase");
  const state = await stateOf(folder);
  assert.deepEqual(state.contents, made.kept);
  assert.ok(state.lastEventId > made.lastEventId + 1_000_000, "nobody knows what was given out since");

  const without = join(parent, "another", "data");
  mkdirSync(without, { recursive: true });
  assert.equal((await restoreBackup({ path, folder: without, testing, endAllKeys: true })).keys, "none");
  assert.notDeepEqual(readSecret(without), secret);
});

test("keeps the current passphrase and rejects short ones", async (t) => {
  const { folder, path } = await madeLongAgo(t);
  await assert.rejects(setPassphrase(folder, "short"), /at least 12 characters/);
  await setPassphrase(folder, PASSPHRASE, 1024);
  const key = readKey(folder);
  await restoreBackup({ path, folder, testing });
  assert.deepEqual(readKey(folder), key);
});

test("keeps unreadable data and another organization's data", async (t) => {
  const { folder, path, kept, parent } = await madeLongAgo(t);
  const broken = join(parent, "broken");
  cpSync(folder, broken, { recursive: true });
  rmSync(join(broken, "hearth.sums"));
  const restored = await restoreBackup({ path, folder: broken, testing });
  assert.match(String(restored.today), /hearth\.sums: missing/);
  assert.ok(existsSync(join(restored.aside ?? "", "hearth.db")));
  assert.deepEqual((await stateOf(broken)).contents, kept);

  const other = await place(t);
  const preview = await previewRestore({ path, folder: other.folder, testing });
  assert.ok(typeof preview.today === "object" && preview.today.is_other_organization);
  assert.equal(preview.keys, "none", "the keys of another organization are of no use");
});

test("a damaged backup changes nothing", async (t) => {
  const { folder, path, now, parent } = await madeLongAgo(t);
  const bytes = readFileSync(path);
  bytes[bytes.length / 2] = (bytes[bytes.length / 2] as number) ^ 1;
  writeFileSync(path, bytes);
  await assert.rejects(restoreBackup({ path, folder, testing }), BackupDamaged);
  assert.deepEqual(readdirSync(parent).sort(), ["backup.tar", "data"]);
  assert.deepEqual((await stateOf(folder)).contents, now);
});

test("restores exactly what was backed up, for random histories", async (t) => {
  for (let seed = 1; seed <= (IS_LONG_RUN ? 100 : 4); seed += 1) {
    const { parent, folder } = await place(t);
    const path = join(parent, "backup.tar");
    const pick = seeded(seed);
    const store = await opened(folder);
    for (let left = Math.floor(pick() * 120); left > 0; left -= 1) randomChange(store, folder, pick);
    const kept = contents(store, folder);
    await backUp(store, folder, path);
    for (let left = Math.floor(pick() * 40); left > 0; left -= 1) randomChange(store, folder, pick);
    await store.close();
    // Restores into the same folder, an empty one, or a missing one.
    const target = seed % 2 === 0 ? folder : join(parent, "new");
    if (target !== folder) mkdirSync(target);
    await restoreBackup({ path, folder: target, testing });
    assert.deepEqual((await stateOf(target)).contents, kept, `seed ${seed}`);
    rmSync(parent, { recursive: true });
  }
});

test("a kill at any step leaves the current data or the backup's, and a retry succeeds", async (t) => {
  const made = await madeLongAgo(t);
  const { path } = made;
  const whole = killedAt(Number.POSITIVE_INFINITY);
  const attempt = join(made.parent, "attempt");
  const prepare = () => {
    rmSync(attempt, { recursive: true, force: true });
    cpSync(made.folder, join(attempt, "data"), { recursive: true });
    return join(attempt, "data");
  };
  await restoreBackup({ path, folder: prepare(), testing: { ...testing, files: whole.files } });
  const steps = whole.calls();
  // Only the last steps move files, so all of these are tested, and a few of the earlier ones.
  const tried = Array.from({ length: steps }, (_, step) => step).filter(
    (step) => IS_LONG_RUN || step >= steps - 40 || step % 31 === 0,
  );
  const outcomes = { today: 0, backup: 0, done: 0 };
  for (const step of tried) {
    const folder = prepare();
    const restoring = restoreBackup({ path, folder, testing: { ...testing, files: killedAt(step).files } });
    const isDone = await restoring.then(
      () => true,
      () => false,
    );
    // Only cleanup after deleting the marker may fail silently.
    if (isDone) assert.ok(!existsSync(join(folder, "restore.json")), `step ${step}`);
    finishRestore(folder);
    const { contents: found } = await stateOf(folder);
    const isToday = JSON.stringify(found) === JSON.stringify(made.now);
    if (isDone || !isToday) assert.deepEqual(found, made.kept, `step ${step}`);
    const left = readdirSync(attempt).map((name) => name.replace(/[\d-]+$/, ""));
    if (!isDone) assert.deepEqual(left.sort(), isToday ? ["data"] : ["data", "data-before-restore"], `step ${step}`);
    assert.ok(!existsSync(join(folder, "restoring.json")), `step ${step}`);
    outcomes[isDone ? "done" : isToday ? "today" : "backup"] += 1;
    if (step % 10 !== 0) continue;
    await restoreBackup({ path, folder, testing });
    assert.deepEqual((await stateOf(folder)).contents, made.kept, `again after step ${step}`);
  }
  assert.ok(outcomes.today > 5 && outcomes.backup > 5, JSON.stringify(outcomes));
  assert.ok(outcomes.done > 0 && outcomes.done < 5, JSON.stringify(outcomes));
  assert.ok(existsSync(uploadPath(join(attempt, "data"), made.upload)));
});

test("removes only files of an unfinished restore", async (t) => {
  const { parent, folder } = await place(t);
  mkdirSync(folder, { recursive: true });
  const names = ["data-restored-1", "data-restored-2", "data-before-restore-1", "data-before-restore-2", "other"];
  const fill = (isBeside: boolean) => {
    for (const name of names) {
      const path = isBeside ? join(parent, name) : join(folder, name.replace(/^data-/, ""));
      mkdirSync(path, { recursive: true });
      if (name !== "data-before-restore-2") writeFileSync(join(path, "one"), "");
    }
  };
  const leave = (build: { isBeside: boolean; restored: string; aside: string }) => {
    fill(build.isBeside);
    writeFileSync(join(folder, "restoring.json"), encodeChecked(build));
    assert.equal(finishRestore(folder), false);
    assert.ok(!existsSync(join(folder, "restoring.json")));
    const left = readdirSync(build.isBeside ? parent : folder);
    return names.filter((name) => !left.includes(build.isBeside ? name : name.replace(/^data-/, "")));
  };
  fill(true);
  assert.equal(finishRestore(folder), false);
  assert.deepEqual(readdirSync(parent).sort(), ["data", ...names].sort(), "without a mark all stay");
  const made = { restored: "data-restored-1", aside: "data-before-restore-2" };
  assert.deepEqual(leave({ isBeside: true, ...made }), [made.restored, made.aside]);
  assert.deepEqual(
    leave({ isBeside: true, ...made, aside: "data-before-restore-1" }),
    [made.restored],
    "it is not empty",
  );
  assert.deepEqual(leave({ isBeside: true, restored: "other", aside: "../other" }), []);
  assert.deepEqual(leave({ isBeside: true, restored: "data", aside: "data-restored-1/../other" }), []);
  const inside = { restored: "restored-1", aside: "before-restore-2" };
  assert.deepEqual(leave({ isBeside: false, ...inside }), [made.restored, made.aside]);
  assert.deepEqual(leave({ isBeside: true, ...inside }), [], "it was copied from another place");

  // A leftover that cannot be deleted does not block the start.
  writeFileSync(join(folder, "restoring.json"), "half of a");
  assert.equal(finishRestore(folder), false);
});
