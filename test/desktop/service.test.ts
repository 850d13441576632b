import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { commandIn } from "../../main/command.ts";
import { problem, reported } from "../../server/errors.ts";
import { readHostFile } from "../../server/host/supervisor/running-server.ts";
import { openChat } from "../support/chat-window.ts";
import { type DesktopApp, startDesktop, temporaryFolder } from "../support/desktop.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/patience.ts";
import { desktopTest } from "../support/programs.ts";
import { dataFolder, emptyFolder, run } from "../support/server-process.ts";
import { fakeSystemd, servingProcess } from "../support/service-machine.ts";

/** Puts a fake systemd on PATH. */
function withSystemd(t: TestContext) {
  const { PATH } = process.env;
  process.env["PATH"] = `${fakeSystemd(t)}${delimiter}${PATH}`;
  t.after(() => {
    process.env["PATH"] = PATH;
  });
}

const setService = (page: Page, on: boolean) =>
  page.evaluate((is) => (globalThis as any).hearth.setService({ on: is }), on);

/** The status of a request that only the operator may send. */
const stateIn = (page: Page) => page.evaluate(async () => (await fetch("/host/network")).status);

async function startServed(t: TestContext) {
  withSystemd(t);
  const { path } = await dataFolder(t);
  const options = { dataFolder: path, port: await freePort(), userData: temporaryFolder(t, "hearth-desktop-") };
  const settings = { dataFolder: path, port: options.port };
  writeFileSync(join(options.userData, "settings.json"), JSON.stringify(settings));
  const desktop = await startDesktop(t, options);
  await desktop.running();
  const page = await desktop.page();
  const state = await setService(page, true);
  await desktop.running();
  return { desktop, page, options, state, service: servingProcess(t, path) };
}

const again = async (t: TestContext, options: object): Promise<DesktopApp> => {
  const desktop = await startDesktop(t, options);
  await desktop.running();
  return desktop;
};

desktopTest("the window attaches to a service, which survives it", async (t) => {
  const { desktop, page, options, state, service } = await startServed(t);
  const place = join(desktop.userData, "config-home/systemd/user/hearth.service");
  assert.deepEqual(state, { installed: { place, log: "journalctl --user --unit hearth" }, isRunning: true });
  assert.notEqual(service.pid, desktop.pid);
  assert.equal(await stateIn(page), 200);
  assert.equal(await desktop.quit(), 0);
  assert.equal((await fetch(`${service.url}/host/session`)).status, 200);

  const second = await again(t, options);
  assert.deepEqual(readHostFile(options.dataFolder), service);
  assert.equal(await stateIn(await second.page()), 200);
  assert.match(readFileSync(place, "utf8"), new RegExp(`"--host" "127.0.0.1" "--port" "${options.port}"`));
});

desktopTest("the chat window of an attached app has the owner's rights only", async (t) => {
  const { desktop, page } = await startServed(t);
  await page.reload();
  const chat = await openChat(desktop);
  const found = await chat.evaluate(async () => {
    const { user, at_desktop } = (await (await fetch("/host/session")).json()) as any;
    const topic = { method: "PATCH", body: new URLSearchParams({ full_name: "Olivia" }) };
    const changed = await fetch("/api/v1/settings", topic);
    const code = await fetch("/host/session-codes", { method: "POST" });
    return [user.full_name, at_desktop, changed.status, code.status];
  });
  assert.deepEqual(found, ["Owner", false, 200, 401]);
});

desktopTest("a command of the app prints its result and its exit code", async (t, electron) => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const command = run(t, electron, ["--no-sandbox", root, "service", "status", "--data", emptyFolder(t)]);
  assert.deepEqual([await command.ended, command.stdout], [{ code: 1, signal: null }, "Installed: no\n"]);
});

desktopTest("the removal of a service gives the folder back to the window", async (t) => {
  const { desktop, page, options } = await startServed(t);
  const refusal = await page.evaluate(() => (globalThis as any).hearth.chooseMoveTarget().catch((error: any) => error));
  assert.deepEqual(refusal, reported(problem("service_already_running")));
  assert.deepEqual(await setService(page, false), { installed: null, isRunning: false });
  await desktop.running();
  assert.equal(readHostFile(options.dataFolder)?.pid, desktop.pid);
  assert.equal(await stateIn(page), 200);
});

desktopTest("a service that has ended starts with the window", async (t) => {
  const { desktop, options, service } = await startServed(t);
  assert.equal(await desktop.quit(), 0);
  process.kill(service.pid, "SIGKILL");
  const second = await again(t, options);
  const restarted = servingProcess(t, options.dataFolder);
  assert.notEqual(restarted.pid, service.pid);
  assert.notEqual(restarted.pid, second.pid);
});

desktopTest("the window follows a restart of the service", async (t) => {
  const { desktop, page, options, service } = await startServed(t);
  const states = page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        (globalThis as any).hearth.onServerState((state: string) => state === "restarting" && resolve()),
      ),
  );
  process.kill(service.pid, "SIGKILL");
  await states;
  assert.equal(await stateIn(page), 503);
  await page.evaluate(() => (globalThis as any).hearth.startAgain());
  await desktop.running();
  const { pid } = servingProcess(t, options.dataFolder);
  assert.ok(pid !== service.pid && pid !== desktop.pid);
  await until(async () => (await stateIn(page)) === 200 || undefined, "the operator's requests");
});

test("files, links and switches of Chromium are no commands", () => {
  const installed = { isPackaged: true, path: "/opt/Hearth/resources/app.asar" };
  const program = "/opt/Hearth/hearth";
  const serve = ["serve", "--data", "/srv/chat"];
  assert.deepEqual(commandIn([program, "--no-sandbox", ...serve], installed), serve);
  for (const others of [[], ["--hidden"], ["/home/ann/serve"], ["hearth://serve"], ["--user-data-dir=serve"]])
    assert.equal(commandIn([program, ...others], installed), undefined);
  const checkout = { isPackaged: false, path: "/work/hearth" };
  assert.deepEqual(commandIn(["electron", "-r", "loader", "/work/hearth/", ...serve], checkout), serve);
  assert.equal(commandIn(["electron", "-r", "loader", "/work/hearth"], checkout), undefined);
});
