import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import test from "node:test";
import { backUpBefore } from "../../main/updates/backup-before.ts";
import { downloadFile } from "../../main/updates/download.ts";
import { installationOf, installerFor, programOf } from "../../main/updates/installation.ts";
import type { UpdateRefused } from "../../main/updates/refused.ts";
import { compareVersions, releaseFileName, updateKey } from "../../main/updates/release.ts";
import type { UpdatedApp } from "../../main/updates/updates.ts";
import { verifyBackup } from "../../server/host/backups/backup-file.ts";
import { realFiles } from "../../server/storage/files.ts";
import { until } from "../support/patience.ts";
import { announced, call, dataFolder, serve } from "../support/server-process.ts";
import { INSTALLER, keyPair, RELEASE_FILE, releaseText, updateFeed } from "../support/update-feed.ts";
import { about, appWith, temporaryFolder } from "../support/updated-app.ts";

// Which feeds are accepted, and the parts of an update on their own.

/** How long the app waits for a silent feed. The test's clock is fake. */
const SILENCE_MS = 1000;

test("does not install old or equal versions", async (t) => {
  const feed = await updateFeed(t, { version: "9.0.0" });
  const { updates } = await appWith(t, { source: { address: feed.address, key: feed.key } });
  assert.deepEqual(about(await updates.check()), ["current", undefined, undefined]);
  feed.publish({ version: "8.9.9" });
  const older = await updates.check();
  assert.deepEqual([...about(older), older.problem?.detail], ["idle", "older", undefined, "8.9.9"]);
  assert.deepEqual(about(await updates.download()), ["idle", "older", undefined]);
  assert.ok(!feed.asked.some((path) => path.endsWith(".AppImage")));
});

test("rejects an unsigned feed", async (t) => {
  const feed = await updateFeed(t);
  const { updates } = await appWith(t, { source: { address: feed.address, key: feed.key } });
  const refused = async (code: string, detail?: RegExp) => {
    const { problem, found, step } = await updates.check();
    assert.deepEqual([problem?.code, found, step], [code, null, "idle"]);
    if (detail) assert.match(problem?.detail ?? "", detail);
  };
  const signed = (text: string) => feed.publish({ text });
  feed.publish({ signedBy: keyPair().privateKey });
  await refused("wrongSignature");
  feed.publish();
  feed.files.set(RELEASE_FILE, Buffer.from(releaseText({ version: "9.2.0" })));
  await refused("wrongSignature");
  for (const forged of ["", "AAAA", "!", "A".repeat(86)]) {
    feed.files.set(`${RELEASE_FILE}.sig`, Buffer.from(forged));
    await refused("wrongSignature");
  }
  feed.files.delete(`${RELEASE_FILE}.sig`);
  await refused("noSignature");
  feed.files.delete(RELEASE_FILE);
  await refused("noRelease");
  feed.files.set(RELEASE_FILE, (response) => void response.writeHead(500).end("broken"));
  await refused("unreachable", /^500 /);
  feed.files.set(RELEASE_FILE, (response) => void response.end(Buffer.alloc(1 << 20, "x")));
  await refused("malformed");
  feed.files.set(RELEASE_FILE, (response) => void response.writeHead(302, { location: "/elsewhere" }).end());
  await refused("noRelease");
  // A signed feed with broken or dangerous contents.
  signed("version: [");
  await refused("malformed");
  signed("just words");
  await refused("malformed");
  signed(releaseText({}).replace("version: 9.1.0", "version: latest"));
  await refused("malformed", /^version$/);
  for (const url of [
    "../Hearth-9.1.0.AppImage",
    "http://elsewhere.example/Hearth.AppImage",
    "/etc/passwd",
    "a\\\\b",
    "",
  ]) {
    signed(releaseText({ installer: JSON.stringify(url) }));
    await refused("malformed", /^files/);
  }
  signed(releaseText({}).replace(/sha512: .*/, "sha512: abc"));
  await refused("malformed", /sha512$/);
  signed(releaseText({}).replace(/size: .*/, "size: -1"));
  await refused("malformed", /size$/);
  signed(releaseText({ installer: "Hearth-9.1.0.exe" }));
  await refused("noFile", /AppImage/);
  feed.publish();
  assert.deepEqual(about(await updates.check()), ["found", undefined, "9.1.0"]);
});

test("rejects a download that differs from its signature", async (t) => {
  const content = Buffer.alloc(200_000, "program ");
  const feed = await updateFeed(t, { content });
  const app = await appWith(t, { source: { address: feed.address, key: feed.key } });
  const { updates } = app;
  const refused = async (code: string, answer: Parameters<typeof feed.files.set>[1]) => {
    feed.files.set(INSTALLER, answer);
    await updates.check();
    const { step, problem } = await updates.download();
    assert.deepEqual([step, problem?.code], ["found", code]);
    assert.deepEqual(about(await updates.install()), ["found", code, "9.1.0"]);
    const pending = join(app.folder, "download", "pending");
    assert.ok(!readdirSync(pending).includes(INSTALLER), "nothing is there that could be installed");
  };
  await refused("damaged", Buffer.alloc(200_000, "Program "));
  await refused("damaged", Buffer.concat([content, Buffer.from("more")]));
  await refused("interrupted", content.subarray(0, 1000));
  await refused("interrupted", (response) => {
    response.writeHead(200, { "content-length": content.length });
    response.write(content.subarray(0, 1000), () => response.destroy());
  });
  // An endless download is read up to the signed size.
  let sent = 0;
  await refused("damaged", (response) => {
    const go = () => {
      if (response.destroyed) return;
      sent += 100_000;
      response.write(Buffer.alloc(100_000), () => setImmediate(go));
    };
    go();
  });
  assert.ok(sent < 20_000_000, `${sent} bytes were sent`);
  feed.files.delete(INSTALLER);
  await refused("noFile", (response) => void response.writeHead(404).end());
  feed.publish({ content });
  await updates.check();
  assert.deepEqual(about(await updates.download()), ["ready", undefined, "9.1.0"]);
  assert.deepEqual(app.done, []);
});

test("a slow download shows progress and can be cancelled", async (t) => {
  const content = Buffer.alloc(100_000, "x");
  const feed = await updateFeed(t, { content });
  let finish = () => {};
  feed.files.set(INSTALLER, (response) => {
    response.writeHead(200, { "content-length": content.length });
    response.write(content.subarray(0, 40_000));
    finish = () => void response.end(content.subarray(40_000));
  });
  const { updates } = await appWith(t, { source: { address: feed.address, key: feed.key } });
  await updates.check();
  const first = updates.download();
  await until(() => (updates.state.done > 0 ? true : undefined), "something has arrived");
  assert.equal(updates.state.step, "downloading");
  // Only one action runs at a time.
  assert.equal((await updates.check()).step, "downloading");
  assert.equal(updates.setSource({ address: null, key: null }).source.address, feed.address);
  updates.cancel();
  assert.deepEqual(about(await first), ["found", undefined, "9.1.0"]);
  const second = updates.download();
  await until(() => (updates.state.done === 40_000 ? true : undefined), "the first part has arrived again");
  finish();
  assert.deepEqual(about(await second), ["ready", undefined, "9.1.0"]);
});

test("gives up a silent feed", async (t) => {
  const feed = await updateFeed(t);
  const to = join(temporaryFolder(t), "program");
  const { signal } = new AbortController();
  const url = new URL(`${feed.address}/${INSTALLER}`);
  const attempt = async (answer: (response: ServerResponse) => void, onProgress: () => void) => {
    feed.files.set(INSTALLER, answer);
    const given = { size: 100, sha512: "", signal, silence: SILENCE_MS, onProgress };
    return downloadFile(url, to, given).catch((error: UpdateRefused) => error.problem.code);
  };
  // The silence timer of a started download restarts with each part.
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const fallSilent = () => t.mock.timers.tick(SILENCE_MS);
  assert.equal(await attempt(fallSilent, assert.fail), "unreachable");
  const aPart = (response: ServerResponse) => void response.write("a part");
  assert.equal(await attempt(aPart, fallSilent), "interrupted");
});

test("verifies an earlier download again", async (t) => {
  const feed = await updateFeed(t);
  const app = await appWith(t, { source: { address: feed.address, key: feed.key } });
  await app.updates.check();
  await app.updates.download();
  writeFileSync(join(app.folder, "download", "pending", INSTALLER), "what somebody else put there");
  const next = app.startAgain();
  await next.check();
  assert.deepEqual(about(await next.download()), ["ready", undefined, "9.1.0"]);
  assert.equal(readFileSync(join(app.folder, "download", "pending", INSTALLER), "utf8"), "the new program");
});

test("shows release notes as plain text", async (t) => {
  const notes = `<script>alert(1)</script>\u202egnp.exe\u2066\u0007\n\n- ${"long ".repeat(10_000)}`;
  const feed = await updateFeed(t, { notes });
  const { updates } = await appWith(t, { source: { address: feed.address, key: feed.key } });
  const { found } = await updates.check();
  assert.ok(found?.notes.startsWith("<script>alert(1)</script>gnp.exe\n\n- long"), String(found?.notes.slice(0, 80)));
  assert.equal(found?.notes.length, 20_000);
});

test("a source needs both a URL and a key", async (t) => {
  const { key } = keyPair();
  const { updates, saved } = await appWith(t, {});
  const given = (address: string | null, text: string | null) => {
    const { problem, source } = updates.setSource({ address, key: text });
    return problem?.code ?? source;
  };
  for (const address of [
    "updates",
    "ftp://one.example/",
    "file:///etc/",
    "https://a:b@one.example/",
    "https://one.example/?a=b",
  ])
    assert.equal(given(address, key), "address", address);
  for (const wrong of ["key", key.slice(1), `${key}=`, key.replace("=", ""), `-----BEGIN ${key}`])
    assert.equal(given(null, wrong), "key", wrong);
  assert.equal(given("https://one.example/hearth", null), "noKey");
  assert.deepEqual(saved, []);
  assert.deepEqual(given(" https://one.example/hearth ", ` ${key}\n`), { address: "https://one.example/hearth", key });
  assert.deepEqual(given("", ""), { address: null, key: null });
  assert.deepEqual(saved.at(-1), { address: null, key: null });
});

test("installations that cannot update explain why", async (t) => {
  const feed = await updateFeed(t);
  const source = { address: feed.address, key: feed.key };
  const code = async (changes: Partial<UpdatedApp>) =>
    (await (await appWith(t, { source, ...changes })).updates.check()).problem?.code;
  assert.equal(await code({ installation: null }), "notInstalled");
  assert.equal(await code({ installation: "mac", platform: "darwin" }), "unsigned");
  assert.equal(await code({ installation: "mac", platform: "darwin", isSigned: async () => true }), "noRelease");
  assert.equal(await code({ installation: "deb" }), "noFile");

  const resources = temporaryFolder(t);
  const running = {
    platform: "linux",
    isPackaged: true,
    appImage: undefined,
    executable: "/opt/Hearth/hearth",
    resources,
  } as const;
  assert.equal(installationOf(running), null);
  writeFileSync(join(resources, "package-type"), "deb\n");
  assert.equal(installationOf(running), "deb");
  assert.equal(installationOf({ ...running, isPackaged: false }), null);
  assert.equal(installationOf({ ...running, appImage: join(resources, "package-type") }), "AppImage");
  assert.equal(installationOf({ ...running, appImage: "relative.AppImage" }), "deb");
  assert.equal(installationOf({ ...running, platform: "win32" }), "nsis");
  assert.equal(installationOf({ ...running, platform: "darwin" }), "mac");
  assert.equal(programOf(running), "/opt/Hearth");
  assert.equal(programOf({ ...running, appImage: "/home/ann/Hearth.AppImage" }), "/home/ann/Hearth.AppImage");
  const mac = { ...running, platform: "darwin", executable: "/Applications/Hearth.app/Contents/MacOS/Hearth" } as const;
  assert.equal(programOf(mac), "/Applications/Hearth.app");
});

test("each processor architecture gets its installer", () => {
  const files = [
    "Hearth-9.1.0-arm64-mac.zip",
    "Hearth-9.1.0-mac.zip",
    "Hearth-9.1.0.dmg",
    "hearth_9.1.0_amd64.deb",
  ].concat(["hearth-9.1.0.x86_64.rpm", "Hearth-9.1.0-arm64.AppImage"]);
  const chosen = (ending: string, arch: string) =>
    installerFor(
      files.map((url) => ({ url })),
      { ending, arch },
    )?.url;
  assert.deepEqual(
    [chosen(".zip", "arm64"), chosen(".zip", "x64"), chosen(".deb", "x64"), chosen(".rpm", "x64")],
    [files[0], files[1], files[3], files[4]],
  );
  assert.deepEqual(
    [chosen(".AppImage", "arm64"), chosen(".AppImage", "x64"), chosen(".exe", "x64")],
    [files[5], undefined, undefined],
  );
});

test("reports that an organization without a server has no backup", async (t) => {
  const { signal } = new AbortController();
  const code = (folder: string) => backUpBefore(folder, signal).catch((error: UpdateRefused) => error.problem.code);
  assert.equal(await code(join(temporaryFolder(t), "nothing yet")), null);
  const { path, people } = await dataFolder(t);
  assert.equal(await code(path), "noServer");
  const server = await serve(t, path);
  const url = await announced(server);
  const made = await backUpBefore(path, signal);
  assert.ok(made?.startsWith(join(path, "backups")), made ?? "none");
  assert.deepEqual(verifyBackup(realFiles, made as string).about.made_by, "request");
  // Without backups there are no updates.
  rmSync(join(path, "backups"), { recursive: true });
  writeFileSync(join(path, "backups"), "a file");
  assert.equal(await code(path), "backup");
  assert.equal((await call(url, people[0]!, "GET /users/me")).status, 200);
});

test("orders versions by semantic versioning", () => {
  const ordered = ["0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11"].concat(
    ["1.0.0-rc.1", "1.0.0", "1.0.1", "1.0.10", "1.2.0", "10.0.0"],
  );
  for (const [index, one] of ordered.entries())
    for (const [other, two] of ordered.entries())
      assert.equal(Math.sign(compareVersions(one, two)), Math.sign(index - other), `${one} ${two}`);
  assert.deepEqual(
    [
      releaseFileName("win32", "x64"),
      releaseFileName("darwin", "arm64"),
      releaseFileName("linux", "x64"),
      releaseFileName("linux", "arm64"),
    ],
    ["latest.yml", "latest-mac.yml", "latest-linux.yml", "latest-linux-arm64.yml"],
  );
});

test("accepts OpenSSL's keys and signatures of docs/how-to.md", async (t) => {
  const folder = temporaryFolder(t);
  const run = (command: string) => execFileSync("bash", ["-ec", command], { cwd: folder, encoding: "utf8" }).trim();
  run("openssl genpkey -algorithm ed25519 -out key.pem");
  const key = run("openssl pkey -in key.pem -pubout -outform DER | tail -c 32 | base64");
  const feed = await updateFeed(t);
  writeFileSync(join(folder, "release.yml"), feed.files.get(RELEASE_FILE) as Buffer);
  const signature = run("openssl pkeyutl -sign -rawin -inkey key.pem -in release.yml | base64 -w 0");
  feed.files.set(`${RELEASE_FILE}.sig`, Buffer.from(signature));
  assert.equal(updateKey(key).asymmetricKeyType, "ed25519");
  const { updates } = await appWith(t, { source: { address: `${feed.address}/`, key } });
  assert.deepEqual(about(await updates.check()), ["found", undefined, "9.1.0"]);
});
