import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import {
  EXPECTED_FUSES,
  FUSE_SENTINEL,
  filesOf,
  fusesOf,
  headerChecksum,
  packApp,
  ROOT,
} from "../support/packed-app.ts";

// The folder that the Windows installer copies, packed with a placeholder for Electron: a small Windows program with a fuse
// wire. So these tests need no download and run on each system.

const STAND_IN = join(ROOT, "node_modules/electron-winstaller/vendor/7z-x64.exe");
const PROCESSORS = { x64: "win-unpacked", arm64: "win-arm64-unpacked" };

let made: Promise<string> | undefined;

/** Packed once for all tests in this file, for both processors. */
function packed(): Promise<string> {
  made ??= pack();
  return made;
}

async function pack(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-windows-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const electron = join(folder, "electron");
  mkdirSync(join(electron, "resources"), { recursive: true });
  const wire = Buffer.from(`${FUSE_SENTINEL}\x01\x0811111111`, "latin1");
  writeFileSync(join(electron, "electron.exe"), Buffer.concat([readFileSync(STAND_IN), wire]));
  for (const name of ["LICENSE", "LICENSES.chromium.html", "ffmpeg.dll"]) writeFileSync(join(electron, name), name);
  writeFileSync(join(electron, "version"), "45.4.1");
  const out = join(folder, "out");
  await packApp(electron, out, ["--win", ...Object.keys(PROCESSORS).map((name) => `--${name}`)]);
  return out;
}

for (const [processor, folder] of Object.entries(PROCESSORS)) {
  test(`the ${processor} folder contains the app and all licenses`, async () => {
    const app = join(await packed(), folder);
    const names = readdirSync(app, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
    const licenses = ["LICENSE.electron.txt", "LICENSES.chromium.html", "resources/LICENSE.txt"];
    const expected = ["Hearth.exe", "ffmpeg.dll", "resources/app.asar", ...licenses];
    assert.deepEqual(
      expected.filter((name) => !names.includes(name)),
      [],
    );
    const inside = filesOf(join(app, "resources/app.asar")).map(({ path }) => path);
    for (const path of [".build/app/main.js", ".build/ui/chat/index.html", ".build/app/licenses.md"])
      assert.ok(inside.includes(path), path);
    assert.deepEqual(
      inside.filter((path) => path.endsWith(".node")),
      [],
      "native modules",
    );
  });

  // Windows asks for each program that opens a port, and an update keeps the program's path.
  test(`the ${processor} folder has one program for Windows' firewall`, async () => {
    const names = readdirSync(join(await packed(), folder), { recursive: true, encoding: "utf8" });
    assert.deepEqual(
      names.filter((name) => /\.(?:exe|com|scr|bat|cmd)$/i.test(name)),
      ["Hearth.exe"],
    );
  });

  test(`the ${processor} program starts only its own archive`, async () => {
    const app = join(await packed(), folder);
    const program = join(app, "Hearth.exe");
    assert.deepEqual(fusesOf(program), EXPECTED_FUSES);
    const integrity = /\[\{"file":"resources[^\]]*\]/.exec(readFileSync(program, "latin1"))?.[0] ?? "[]";
    const value = headerChecksum(join(app, "resources/app.asar"));
    assert.deepEqual(JSON.parse(integrity), [{ file: "resources\\app.asar", alg: "SHA256", value }]);
  });

  test(`the ${processor} program has Hearth's name and icon`, async () => {
    const program = readFileSync(join(await packed(), folder, "Hearth.exe"));
    for (const text of ["Hearth", "The Hearth authors, Apache License 2.0"])
      assert.ok(program.includes(Buffer.from(`${text}\0`, "utf16le")), text);
    const icon = readFileSync(join(ROOT, "ui/pictures/icon.ico"));
    const largest = icon.subarray(icon.lastIndexOf(Buffer.from("\x89PNG", "latin1")));
    assert.ok(program.includes(largest));
  });
}
