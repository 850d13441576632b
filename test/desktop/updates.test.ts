import assert from "node:assert/strict";
import { existsSync, promises as files, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { createInstaller, type Installer } from "../../main/updates/platform-installer.ts";
import { UpdateRefused } from "../../main/updates/refused.ts";
import { KEPT_MS, type UpdatedApp } from "../../main/updates/updates.ts";
import { until } from "../support/patience.ts";
import { INSTALLER, keyPair, RELEASE_FILE, releaseText, signatureOf, updateFeed } from "../support/update-feed.ts";
import { about, appWith, NOW, temporaryFolder } from "../support/updated-app.ts";

// From a feed or a file to the installation, and back. The feed runs on this machine, electron-updater is real as far
// as possible without Electron, and the app only records calls.

test("without a source, sends no request and writes nothing", async (t) => {
  const { updates, folder, saved } = await appWith(t, {});
  assert.deepEqual(about(updates.state), ["idle", undefined, undefined]);
  assert.deepEqual(about(await updates.check()), ["idle", "address", undefined]);
  assert.deepEqual(about(await updates.download()), ["idle", "address", undefined]);
  assert.deepEqual(about(await updates.install()), ["idle", "address", undefined]);
  assert.deepEqual([existsSync(folder), saved], [false, []]);
});

test("finds, downloads and installs an update after a backup", async (t) => {
  const feed = await updateFeed(t);
  const app = await appWith(t, { source: { address: feed.address, key: feed.key } });
  const { updates } = app;
  const found = await updates.check();
  assert.deepEqual(about(found), ["found", undefined, "9.1.0"]);
  assert.deepEqual(found.found, {
    version: "9.1.0",
    notes: "Faster.",
    madeAt: Date.parse("2026-11-20T10:00:00Z"),
    size: 15,
  });
  assert.equal(found.checkedAt, NOW);
  const ready = await updates.download();
  assert.deepEqual([...about(ready), ready.done], ["ready", undefined, "9.1.0", 15]);
  assert.equal(readFileSync(join(app.folder, "download", "pending", INSTALLER), "utf8"), "the new program");
  // No request to the feed identifies the caller.
  assert.deepEqual(
    feed.asked,
    [RELEASE_FILE, `${RELEASE_FILE}.sig`, INSTALLER].map((name) => `/updates/${name}`),
  );
  for (const headers of feed.headers) assert.ok(!Object.keys(headers).some((name) => /staging|cookie|auth/.test(name)));

  const { last } = await updates.install();
  assert.deepEqual(app.done, ["back up", "stop the server", "install", "end: installed"]);
  assert.deepEqual(
    [last?.from, last?.to, last?.backup, last?.outcome],
    ["9.0.0", "9.1.0", "/backups/one.tar", "installing"],
  );
  assert.equal(readFileSync(last?.kept as string, "utf8"), "the old program");
  const wayBack = readFileSync(join(app.folder, "kept", "How to go back to Hearth 9.0.0.txt"), "utf8");
  for (const part of [last?.kept as string, "/backups/one.tar"]) assert.ok(wayBack.includes(part), wayBack);

  // The new version starts. The old one is kept until the first response and a week longer.
  const next = app.startAgain("9.1.0");
  assert.deepEqual([next.state.last?.outcome, next.state.last?.keptUntil], ["installing", null]);
  await next.removeKept();
  assert.ok(existsSync(last?.kept as string), "it is not removed before the new version has answered");
  app.now += 60_000;
  next.answered();
  assert.deepEqual([next.state.last?.outcome, next.state.last?.keptUntil], ["answered", app.now + KEPT_MS]);
  await until(() => !existsSync(join(app.folder, "download")) || undefined, "the download is removed");
  assert.ok(existsSync(last?.kept as string));
  app.now -= 400 * 86_400_000;
  assert.equal(app.startAgain("9.1.0").state.last?.keptUntil, app.now + KEPT_MS, "the clock was ahead");
  app.now += 400 * 86_400_000 + KEPT_MS;
  const later = app.startAgain("9.1.0");
  await until(() => later.state.last?.kept === null || undefined, "the old version is removed");
  assert.equal(existsSync(join(app.folder, "kept")), false);
});

test("a reverted version is neither replaced nor removed", async (t) => {
  const feed = await updateFeed(t);
  const source = { address: feed.address, key: feed.key };
  const app = await appWith(t, { source });
  await app.updates.check();
  await app.updates.download();
  const { last } = await app.updates.install();
  app.startAgain("9.1.0").answered();
  app.now += 2 * KEPT_MS;
  const back = await appWith(t, { source, home: app.home, program: last?.kept as string, now: () => app.now });
  assert.deepEqual([back.updates.state.last, back.updates.state.installation], [null, null]);
  assert.equal((await back.updates.check()).problem?.code, "notInstalled");
  await back.updates.removeKept();
  assert.ok(existsSync(last?.kept as string));
});

test("a program folder reverts through its executable", async (t) => {
  const feed = await updateFeed(t);
  const folder = join(temporaryFolder(t), "Hearth");
  mkdirSync(join(folder, "resources"), { recursive: true });
  for (const name of ["hearth", "resources/app.asar"]) writeFileSync(join(folder, name), name);
  const app = await appWith(t, {
    source: { address: feed.address, key: feed.key },
    program: folder,
    executable: join(folder, "hearth"),
  });
  await app.updates.check();
  await app.updates.download();
  const { last } = await app.updates.install();
  assert.equal(last?.kept, join(app.folder, "kept", "Hearth", "hearth"));
  for (const name of ["hearth", "resources/app.asar"])
    assert.equal(readFileSync(join(app.folder, "kept", "Hearth", name), "utf8"), name);
});

test("an installer file needs its release and signature next to it", async (t) => {
  const { key, privateKey } = keyPair();
  const folder = join(temporaryFolder(t), "down loads #1");
  mkdirSync(folder);
  const path = join(folder, INSTALLER);
  writeFileSync(path, "the new program");
  const app = await appWith(t, { source: { address: null, key } });
  const { updates } = app;
  const given = async (name: string) => {
    const { step, problem } = await updates.checkFile(join(folder, name));
    return problem?.code ?? step;
  };
  assert.equal(await given(INSTALLER), "noRelease");
  writeFileSync(join(folder, RELEASE_FILE), releaseText({}));
  assert.equal(await given(INSTALLER), "noSignature");
  writeFileSync(join(folder, `${RELEASE_FILE}.sig`), signatureOf(releaseText({}), keyPair().privateKey));
  assert.equal(await given(INSTALLER), "wrongSignature");
  writeFileSync(join(folder, `${RELEASE_FILE}.sig`), signatureOf(releaseText({}), privateKey));
  assert.equal(await given("Hearth-9.1.0.deb"), "otherKind");
  assert.equal(await given("Another.AppImage"), "otherFile");
  assert.equal(await given(INSTALLER), "found");
  writeFileSync(path, "the New program");
  assert.deepEqual(about(await updates.download()), ["found", "damaged", "9.1.0"]);
  writeFileSync(path, "the new program");
  assert.deepEqual(about(await updates.download()), ["ready", undefined, "9.1.0"]);
  await updates.install();
  assert.deepEqual(app.done.at(-1), "end: installed");
  assert.equal(readFileSync(path, "utf8"), "the new program");
  assert.equal((await appWith(t, {})).updates.state.step, "idle");
});

test("does not start an update that cannot be reverted", async (t) => {
  const feed = await updateFeed(t);
  const source = { address: feed.address, key: feed.key };
  const attempt = async (changes: Partial<UpdatedApp>) => {
    const app = await appWith(t, { source, ...changes });
    await app.updates.check();
    await app.updates.download();
    const { step, problem, last } = await app.updates.install();
    assert.ok(!app.done.includes("stop the server"));
    assert.equal(last, null);
    return [step, problem?.code, problem?.detail];
  };
  assert.deepEqual(await attempt({ mayCutOff: async () => false }), ["ready", undefined, undefined]);
  assert.deepEqual(
    await attempt({ backUp: () => Promise.reject(new UpdateRefused("backup", { detail: "The disk is gone." })) }),
    ["ready", "backup", "The disk is gone."],
  );
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  assert.deepEqual(await attempt({ files: { ...files, cp: () => Promise.reject(full) } }), [
    "ready",
    "diskFull",
    "no space left on device",
  ]);
});

test("a failed installation reverts to the previous version", async (t) => {
  const feed = await updateFeed(t);
  const app = await appWith(t, {
    source: { address: feed.address, key: feed.key },
    installer: {
      install: async () => {
        rmSync(app.program); // like AppImageUpdater, before it moves the new file there
        throw new UpdateRefused("install", { detail: "mv: no permission" });
      },
    },
  });
  await app.updates.check();
  await app.updates.download();
  await app.updates.install();
  assert.equal(app.done.at(-1), "end: again");
  assert.equal(readFileSync(app.program, "utf8"), "the old program");
  const next = app.startAgain();
  assert.deepEqual([next.state.last?.outcome, next.state.last?.reason], ["failed", "mv: no permission"]);
  assert.equal((await next.removeKept()).last?.kept, null);
});

test("an installer that exits silently counts as failed", async (t) => {
  const feed = await updateFeed(t);
  const app = await appWith(t, { source: { address: feed.address, key: feed.key } });
  await app.updates.check();
  await app.updates.download();
  await app.updates.install();
  const next = app.startAgain("9.0.0");
  next.answered();
  assert.deepEqual([next.state.last?.outcome, next.state.last?.keptUntil], ["failed", null]);
  writeFileSync(join(app.folder, "update.json"), '{"from":');
  assert.equal(app.startAgain().state.last, null);
});

const never = () => new Promise<never>(() => {});

/** The process may be killed at each step. The next start finds the result. */
const STEPS: Record<
  string,
  { hangs: Partial<UpdatedApp> & { installer?: Partial<Installer> }; outcome: string | undefined }
> = {
  "the question": { hangs: { mayCutOff: never }, outcome: undefined },
  "the backup": { hangs: { backUp: never }, outcome: undefined },
  "the copy of the program": { hangs: { files: { ...files, cp: never } }, outcome: undefined },
  "the words about the way back": { hangs: { files: { ...files, rename: never } }, outcome: undefined },
  "the stop of the server": { hangs: { endBy: never }, outcome: "failed" },
  "the installation": { hangs: { installer: { install: never } }, outcome: "failed" },
};

for (const [step, { hangs, outcome }] of Object.entries(STEPS))
  test(`a kill during ${step} keeps the previous version and repeats the update`, async (t) => {
    const feed = await updateFeed(t);
    const source = { address: feed.address, key: feed.key };
    const killed = await appWith(t, { source, ...hangs });
    await killed.updates.check();
    await killed.updates.download();
    void killed.updates.install();
    const isThere = (): true | undefined => (outcome === undefined || killed.updates.state.last ? true : undefined);
    await until(isThere, "the step has begun");
    await new Promise((resolve) => setTimeout(resolve, 20));
    const app = await appWith(t, { source, home: killed.home });
    assert.equal(app.updates.state.last?.outcome, outcome);
    assert.equal(readFileSync(app.program, "utf8"), "the old program");
    await app.updates.check();
    await app.updates.download();
    await app.updates.install();
    assert.equal(app.done.at(-1), "end: installed");
    assert.equal(readFileSync(app.updates.state.last?.kept as string, "utf8"), "the old program");
    assert.equal(existsSync(join(app.folder, "kept.partial")), false);
  });

test("the real installer replaces the old AppImage", {
  skip: process.platform !== "linux",
}, async (t) => {
  const home = temporaryFolder(t);
  const program = join(home, "Hearth.AppImage");
  const content = Buffer.from(
    `#!/bin/sh\necho "$APPIMAGE_SILENT_INSTALL" > "${home}/started.new"\nmv "${home}/started.new" "${home}/started"\n`,
  );
  writeFileSync(program, "the old program", { mode: 0o755 });
  const before = process.env["APPIMAGE"];
  process.env["APPIMAGE"] = program;
  t.after(() => {
    process.env["APPIMAGE"] = before;
  });
  const feed = await updateFeed(t, { content });
  const app = await appWith(t, {
    source: { address: feed.address, key: feed.key },
    createInstaller: (folder) =>
      createInstaller({ installation: "AppImage", version: "9.0.0", folder, resources: home, relaunch() {} }),
  });
  await app.updates.check();
  await app.updates.download();
  await app.updates.install();
  assert.equal(app.done.at(-1), "end: installed");
  assert.deepEqual(readFileSync(program), content);
  const started = () => (existsSync(join(home, "started")) ? readFileSync(join(home, "started"), "utf8") : undefined);
  assert.equal(await until(started, "the new version starts"), "true\n");
});
