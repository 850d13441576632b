import assert from "node:assert/strict";
import { problem, reported } from "../../server/errors.ts";
import type { Checks } from "../support/desktop.ts";

// The bridge's calls, their arguments, and who may call them.

export const bridge: Checks = {
  "the bridge has few calls and checks their arguments": async (desktop, page) => {
    const names = await page.evaluate(() => Object.keys((globalThis as any).hearth).sort());
    assert.deepEqual(names, [
      "cancelMove",
      "cancelUpdate",
      "checkForUpdate",
      "checkInstallerFile",
      "chooseBackup",
      "chooseBackupFolder",
      "chooseDataFolder",
      "chooseInstallerFile",
      "chooseMoveTarget",
      "downloadUpdate",
      "folderWork",
      "goBackToOldFolder",
      "installUpdate",
      "moveDataFolder",
      "onServerState",
      "openChat",
      "pathOf",
      "platform",
      "quit",
      "removeKeptVersion",
      "removeOldFolder",
      "serverProblem",
      "service",
      "setBehavior",
      "setNetwork",
      "setService",
      "setUpdateSource",
      "settings",
      "showDataFolder",
      "startAgain",
      "updates",
      "useDataFolder",
    ]);
    const settings = await page.evaluate(() => (globalThis as any).hearth.settings());
    assert.deepEqual(settings, {
      dataFolder: desktop.dataFolder,
      isDefaultFolder: false,
      folderWarning: null,
      lan: false,
      port: desktop.port,
      closeToTray: true,
      keepAwake: "on power",
      chatIn: "window",
      keepChat: true,
      startAtLogin: false,
      hasTray: false,
      version: settings.version,
    });
    const refusals = await page.evaluate(async () => {
      const given: unknown[] = [undefined, null, true, {}, { lan: "true" }, { lan: 1 }, { lan: true, port: 1 }, []];
      const outcome = (value: unknown) =>
        (globalThis as any).hearth.setNetwork(value).then(
          () => "accepted",
          ({ params }: { params: { cause: string } }) => params.cause.split(":")[0],
        );
      return Promise.all(given.map(outcome));
    });
    assert.deepEqual(refusals, Array(8).fill("setNetwork"));
    const [used, moved, back, removed, state] = await page.evaluate(() => {
      const { hearth } = globalThis as any;
      const refusal = (problem: unknown) => problem;
      return Promise.all([
        hearth.useDataFolder().catch(refusal),
        hearth.moveDataFolder().catch(refusal),
        hearth.goBackToOldFolder().catch(refusal),
        hearth.removeOldFolder().catch(refusal),
        hearth.folderWork(),
      ]);
    });
    for (const refused of [used, moved])
      assert.deepEqual(refused, reported(problem("no_folder_chosen")), "the page names no place itself");
    for (const refused of [back, removed]) assert.deepEqual(refused, reported(problem("previous_folder_gone")));
    assert.equal(state, null);
    const path = await page.evaluate(() => (globalThis as any).hearth.pathOf(new File([], "/etc/passwd")));
    assert.equal(path, "", "a file that the page has made has no path");
    assert.equal(desktop.settings().lan, undefined); // unchanged
    await page.evaluate(() => (globalThis as any).hearth.showDataFolder());
    assert.equal((await desktop.opened()).at(-1), desktop.dataFolder);
  },

  "the bridge refuses arguments that no call has, and forged senders": async (desktop) => {
    const opened = await desktop.opened();
    const { kept, refused, wrong, names } = await desktop.ask(async ({ BrowserWindow, ipcMain }) => {
      const sender = BrowserWindow.getAllWindows()[0]!.webContents;
      const handlers = (ipcMain as any)._invokeHandlers as Map<string, (...args: unknown[]) => Promise<any>>;
      const ours = [...handlers.keys()].filter((name) => name.startsWith("hearth:"));
      let deep: unknown = {};
      for (let depth = 0; depth < 1000; depth++) deep = [deep];
      const hostile: unknown[] = [null, 0, Number.NaN, -1, 1e308, true, "", "x".repeat(1_000_000), [], deep].concat([
        { lan: [true] },
        { lan: true, toString: 1 },
        { closeToTray: "no" },
        { keepAwake: "sometimes" },
        { startAtLogin: null },
        { address: "https://one.example/", key: 1 },
        JSON.parse('{"__proto__":{"lan":true}}'),
        Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index])),
      ]);
      const page = { sender, senderFrame: sender.mainFrame };
      const wrong: string[] = [];
      let refused = 0;
      for (const name of ours) {
        for (const args of [...hostile.map((one) => [one]), [undefined, undefined], [{ lan: true }, 1], hostile]) {
          const { error } = await handlers.get(name)!(page, ...args);
          if (error?.params.cause?.startsWith(`${name.slice("hearth:".length)}: `)) refused += 1;
          else wrong.push(`${name}(${JSON.stringify(args)?.slice(0, 60)}): ${JSON.stringify(error)}`);
        }
        for (const forged of [{ sender: {}, senderFrame: sender.mainFrame }, { sender, senderFrame: null }, { sender }])
          if ((await handlers.get(name)!(forged)).error?.params.cause !== "Refused.")
            wrong.push(`${name} from ${Object.keys(forged)}`);
      }
      return { kept: ours.length, refused, wrong, names: ours };
    });
    assert.deepEqual(wrong, []);
    assert.ok(kept >= 19 && refused === kept * 21, `${refused} of ${names}`);
    // Nothing was saved, opened or ended.
    assert.deepEqual(
      Object.keys(desktop.settings())
        .filter((name) => name !== "window")
        .sort(),
      ["dataFolder", "port"],
    );
    assert.deepEqual(await desktop.opened(), opened);
  },

  "the bridge answers only the window's own page": async ({ ask }) => {
    const answers = await ask(async ({ app: itself, BrowserWindow }) => {
      const preload = `${itself.getAppPath()}/.build/app/preload.cjs`;
      const other = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
      const call = `hearth.settings().then(() => "answered", ({ msg }) => msg)`;
      await other.loadURL("app://hearth/");
      const sameOrigin = await other.webContents.executeJavaScript(call);
      await other.loadURL("about:blank");
      const blank = await other.webContents.executeJavaScript(call);
      other.destroy();
      return { sameOrigin, blank };
    });
    assert.deepEqual(answers, { sameOrigin: "Refused.", blank: "Refused." });
  },
};
