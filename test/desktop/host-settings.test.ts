import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import test from "node:test";
import { SettingsFile } from "../../main/app-settings.ts";
import {
  freePortAfter,
  isTaken,
  listeningSockets,
  nameInTasklist,
  ownerInLsof,
  pidInNetstat,
  portOwner,
} from "../../main/port-owner.ts";
import { boundsFor, MIN_SIZE } from "../../main/window-bounds.ts";
import { temporaryFolder } from "../support/desktop.ts";
import { freePort } from "../support/free-port.ts";

const usual = {
  dataFolder: null,
  lan: false,
  closeToTray: true,
  keepAwake: "on power",
  port: 9400,
  updates: { address: null, key: null },
  chatIn: "window",
  keepChat: true,
  chat: "closed",
  window: null,
  chatWindow: null,
};

test("settings have defaults until a file exists", (t) => {
  const folder = join(temporaryFolder(t, "hearth-settings-"), "not", "there");
  const file = new SettingsFile(folder);
  assert.deepEqual([file.values, file.broken, existsSync(folder)], [usual, undefined, false]);
  file.update({ port: 9401, lan: true });
  const again = new SettingsFile(folder);
  assert.deepEqual([again.values, again.broken], [{ ...usual, port: 9401, lan: true }, undefined]);
  assert.deepEqual(readdirSync(folder), ["settings.json"]);
  assert.throws(() => file.update({ port: 70_000 }));
  assert.deepEqual(new SettingsFile(folder).values.port, 9401);
});

test("settings of a newer version are preserved", (t) => {
  const folder = temporaryFolder(t, "hearth-settings-");
  writeFileSync(join(folder, "settings.json"), '{"port":9402,"startAtLogin":true}');
  new SettingsFile(folder).update({ lan: true });
  const kept = JSON.parse(readFileSync(join(folder, "settings.json"), "utf8"));
  assert.deepEqual([kept.startAtLogin, kept.port, kept.lan], [true, 9402, true]);
});

test("unreadable settings files are moved aside, never overwritten", (t) => {
  const folder = temporaryFolder(t, "hearth-settings-");
  const path = join(folder, "settings.json");
  const broken = ['{"port":', "", "[]", '{"port":"9400"}', '{"port":0}', '{"dataFolder":""}', '{"lan":1}'];
  broken.forEach((text, index) => {
    writeFileSync(path, text);
    const file = new SettingsFile(folder);
    const keptAs = `${path}.broken${index === 0 ? "" : `-${index + 1}`}`;
    assert.equal(file.broken?.keptAs, keptAs);
    assert.notEqual(file.broken?.why, "");
    assert.equal(readFileSync(keptAs, "utf8"), text);
    assert.deepEqual(file.values, usual);
    assert.equal(existsSync(path), false);
  });
  mkdirSync(path);
  assert.equal(new SettingsFile(folder).broken?.keptAs, `${path}.broken-${broken.length + 1}`);
});

test("the window opens on a screen that still exists", () => {
  const screen = { x: 0, y: 25, width: 1440, height: 875 };
  const second = { x: 1440, y: 0, width: 1920, height: 1080 };
  const place = (x: number, y: number, width = 1000, height = 700) => ({ x, y, width, height, maximized: false });
  const bounds = (x: number, y: number, width = 1000, height = 700) => ({ x, y, width, height });
  assert.deepEqual(boundsFor(place(100, 100), [screen]), bounds(100, 100));
  assert.deepEqual(boundsFor(place(1600, 200), [screen, second]), bounds(1600, 200));
  // Without the second screen, the window is centred on the first.
  assert.deepEqual(boundsFor(place(1600, 200), [screen]), { width: 1000, height: 700 });
  assert.deepEqual(boundsFor(place(-32_000, -32_000), [screen]), { width: 1000, height: 700 });
  // A window that is half off the screen moves onto it.
  assert.deepEqual(boundsFor(place(1200, 600), [screen]), bounds(440, 200));
  assert.deepEqual(boundsFor(place(-900, 3), [screen]), bounds(0, 25));
  // A window that is too large or too small is resized.
  assert.deepEqual(boundsFor(place(0, 25, 5000, 4000), [screen]), bounds(0, 25, 1440, 875));
  assert.deepEqual(boundsFor(place(10, 30, 1, 1), [screen]), bounds(10, 30, MIN_SIZE.width, MIN_SIZE.height));
  assert.deepEqual(boundsFor(null, [{ x: 0, y: 0, width: 800, height: 600 }]), { width: 800, height: 600 });
});

test("port checks find the listener or a free port", { skip: otherSystem() }, async (t) => {
  const port = await freePort();
  assert.deepEqual([await isTaken(port, "127.0.0.1"), await portOwner(port)], [false, undefined]);
  const server = createServer().listen(port, "0.0.0.0");
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  assert.equal(await isTaken(port, "127.0.0.1"), true);
  const owner = await portOwner(port);
  assert.equal(owner?.pid, process.pid);
  assert.equal(owner?.name, basename(realpathSync(process.execPath)));
  const next = await freePortAfter(port, "127.0.0.1");
  assert.ok(next !== undefined && next > port && next <= port + 100);
  assert.equal(await freePortAfter(65_535, "127.0.0.1"), undefined);
  assert.equal(
    await freePortAfter(port, "203.0.113.1"),
    undefined,
    "none can be listened on at an address of nobody's",
  );
});

function otherSystem(): string | false {
  return process.platform === "linux" ? false : "this looks into Linux's /proc";
}

test("the output of each system's port tools is parsed", () => {
  const header = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
  const table = `${header}   0: 0100007F:24B8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41234 1\n   1: 0100007F:24B8 0100007F:D2A0 01 00000000:00000000 00:00000000 00000000  1000        0 41235 1\n`;
  assert.deepEqual(listeningSockets(table, 9400), ["socket:[41234]"]);
  assert.deepEqual(listeningSockets(table, 9401), []);
  assert.deepEqual(ownerInLsof("p812\ncnginx\nf6\n"), { pid: 812, name: "nginx" });
  assert.equal(ownerInLsof(""), undefined);
  const netstat =
    "\r\nAktive Verbindungen\r\n\r\n  Proto  Lokale Adresse         Remoteadresse          Status           PID\r\n  TCP    127.0.0.1:9400         127.0.0.1:50112        HERGESTELLT     77\r\n  TCP    0.0.0.0:19400          0.0.0.0:0              ABHÖREN         5\r\n  TCP    0.0.0.0:9400           0.0.0.0:0              ABHÖREN         812\r\n  UDP    0.0.0.0:9400           *:*                                    6\r\n";
  assert.equal(pidInNetstat(netstat, 9400), 812);
  assert.equal(pidInNetstat(netstat, 9401), undefined);
  assert.equal(nameInTasklist('"nginx.exe","812","Services","0","9,876 K"\r\n'), "nginx.exe");
  assert.equal(nameInTasklist("INFO: No tasks are running which match the specified criteria.\r\n"), undefined);
});
