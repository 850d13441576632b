import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { problem, reported } from "../../server/errors.ts";
import { type HostFile, readHostFile } from "../../server/host/supervisor/running-server.ts";
import { type DesktopApp, startDesktop, temporaryFolder } from "../support/desktop.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/patience.ts";
import { desktopTest } from "../support/programs.ts";
import { dataFolder, emptyFolder, endBeforeRemoval } from "../support/server-process.ts";

/** Puts a `systemctl` on PATH that starts and stops the program of the unit, without a display. */
function standInSystemd(t: TestContext) {
  const folder = emptyFolder(t);
  const start = `(unset DISPLAY WAYLAND_DISPLAY; eval "exec $(sed -n 's/^ExecStart=//p' "$XDG_CONFIG_HOME/systemd/user/hearth.service")") > '${folder}/log' 2>&1 &
echo $! > '${folder}/pid'`;
  const stop = `[ ! -e '${folder}/pid' ] || { kill "$(cat '${folder}/pid')"; rm '${folder}/pid'; }`;
  const script = `#!/bin/sh\ncase "$*" in "--user restart"*|"--user start"*) ${stop}\n${start}\n;; *disable*) ${stop} ;; esac\n`;
  for (const [name, text] of Object.entries({ systemctl: script, loginctl: "#!/bin/sh\n" }))
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  const { PATH } = process.env;
  process.env["PATH"] = `${folder}${delimiter}${PATH}`;
  t.after(() => {
    process.env["PATH"] = PATH;
  });
}

/** The process that serves a folder, which ends with the test. */
function servingProcess(t: TestContext, folder: string): HostFile {
  const host = readHostFile(folder) as HostFile;
  endBeforeRemoval(t, async () => {
    try {
      process.kill(host.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  });
  return host;
}

const setService = (page: Page, on: boolean) =>
  page.evaluate((is) => (globalThis as any).hearth.setService({ on: is }), on);

/** The status of a request that only the operator may send. */
const stateIn = (page: Page) => page.evaluate(async () => (await fetch("/host/network")).status);

async function startServed(t: TestContext) {
  standInSystemd(t);
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
