import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { basename, join } from "node:path";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { problem, problemText, type ReportedProblem, reported } from "../../server/errors.ts";
import { isLocked } from "../../server/host/supervisor/lock.ts";
import { type DesktopApp, defaultFolderOf, startDesktop, startToEnd, temporaryFolder } from "../support/desktop.ts";
import { useFolder } from "../support/folder-in-use.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/patience.ts";
import { desktopTest } from "../support/programs.ts";
import { dataFolder } from "../support/server-process.ts";

/** The exit code of an app that has reported its failure to the user (server/run.mjs). */
const FAILED = 3;
const ASKED = ["Try Again", "Show Folder", "Choose Another Folder…", "Quit"];

desktopTest(
  "unreadable settings are preserved and reported, and first run creates a local organization instead",
  async (t) => {
    const settingsText = '{"dataFolder":"/old/place","lan":true,';
    const desktop = await startDesktop(t, { settingsText });
    const question = await desktop.question();
    assert.deepEqual(
      [question.message, question.buttons],
      ["Hearth's settings couldn't be read.", ["Continue", "Choose Another Folder…", "Quit"]],
    );
    const kept = join(desktop.userData, "settings.json.broken");
    assert.ok(question.detail.includes(kept));
    assert.equal(readFileSync(kept, "utf8"), settingsText);
    await question.answer("Choose Another Folder…");
    await (await desktop.question()).answer(desktop.dataFolder);
    const page = await desktop.page();
    // Another program may use the default port on this machine.
    void desktop.question().then(
      (taken) => taken.answer(taken.buttons[1]!),
      () => {},
    );
    await desktop.running("setup");
    assert.deepEqual([desktop.settings().dataFolder, desktop.settings().lan], [desktop.dataFolder, false]);
    const session: any = await page.evaluate(async () => (await fetch("/host/session")).json());
    assert.deepEqual([session.setup, session.code_needed, session.data_folder], [true, false, desktop.dataFolder]);
    await desktop.quit();
  },
);

desktopTest("a new organization opened to the network survives a restart", async (t) => {
  const port = await freePort();
  // The setting remains from a previous organization. The server stays local until there is a new one.
  const desktop = await startDesktop(t, { port, settings: { lan: true } });
  await desktop.running("setup");
  const page = await desktop.page();
  assert.equal(hostFile(desktop.dataFolder).url, `http://127.0.0.1:${port}`);
  await makeOrganization(page);
  const settings = await page.evaluate(() => (globalThis as any).hearth.setNetwork({ lan: true }));
  assert.deepEqual([settings.lan, settings.port], [true, port]);
  assert.equal(hostFile(desktop.dataFolder).url, `http://0.0.0.0:${port}`);
  const session: any = await page.evaluate(async () => (await fetch("/host/session")).json());
  assert.deepEqual([session.setup, session.at_desktop, session.user.full_name], [false, true, "Ada"]);
  assert.equal(await desktop.quit(), 0);

  const again = await startDesktop(t, { userData: desktop.userData, dataFolder: desktop.dataFolder, port });
  await again.running();
  assert.equal(hostFile(desktop.dataFolder).url, `http://0.0.0.0:${port}`);
  const me: any = await (await again.page()).evaluate(async () => (await fetch("/api/v1/users/me")).json());
  assert.deepEqual([me.full_name, me.is_owner], ["Ada", true]);
  // A folder with other files is left alone; an empty one is used for a new organization.
  const other = temporaryFolder(t, "hearth-other-");
  writeFileSync(join(other, "letter.txt"), "");
  // Repeated requests from the page open only one dialog.
  const choices = (await again.page()).evaluate(() =>
    Promise.all([(globalThis as any).hearth.chooseDataFolder(), (globalThis as any).hearth.chooseDataFolder()]),
  );
  const question = await again.question();
  assert.equal(await again.ask(() => (globalThis as any).hearthTest.questions.length), 1);
  await question.answer(other);
  assert.deepEqual(await choices, Array(2).fill({ path: join(other, "Hearth"), holds: "nothing", warning: null }));
  await (await again.page()).evaluate(() => (globalThis as any).hearth.useDataFolder());
  assert.equal(hostFile(join(other, "Hearth")).url, `http://127.0.0.1:${port}`);
  assert.ok(!isLocked(desktop.dataFolder));
  assert.equal(await again.quit(), 0);
});

desktopTest("a start at sign-in stays in the tray until a second start", async (t) => {
  const { path } = await dataFolder(t);
  const window = { x: 90_000, y: -40_000, width: 900, height: 650, maximized: false };
  const desktop = await startDesktop(t, { dataFolder: path, settings: { window }, switches: ["--hidden"], tray: true });
  const tray = () =>
    desktop.ask(() =>
      ((globalThis as any).hearthTest.trays[0]?.menu.items as any[] | undefined)?.map(({ label }) => String(label)),
    );
  const serves = async () => ((await tray()) ?? [])[0] === "Venice" || undefined;
  await until(serves, "the tray shows the organization");
  assert.deepEqual((await tray())?.slice(1, 3), ["Nobody is online", "Only this computer can connect"]);
  const click = (id: string) =>
    desktop.ask(
      (_electron, item) => void (globalThis as any).hearthTest.trays[0].menu.getMenuItemById(item).click(),
      id,
    );
  assert.equal(await desktop.ask(({ BrowserWindow }) => BrowserWindow.getAllWindows().length), 0);
  const entry = join(desktop.userData, "config-home", "autostart", "hearth.desktop");
  await click("startAtLogin");
  await until(() => existsSync(entry) || undefined, "it starts at sign-in");
  assert.match(readFileSync(entry, "utf8"), /^Exec="\/.*" "--hidden"$/m);

  await click("invite");
  const page = await desktop.page();
  await desktop.running();
  await page.waitForURL((url) => url.href === "app://hearth/#/invitations");
  const settings = await page.evaluate(() => (globalThis as any).hearth.setBehavior({ startAtLogin: false }));
  assert.deepEqual([settings.startAtLogin, settings.hasTray, existsSync(entry)], [false, true, false]);
  const place = await desktop.ask(({ BrowserWindow, screen }) => {
    const bounds = BrowserWindow.getAllWindows()[0]!.getBounds();
    const { workArea } = screen.getDisplayMatching(bounds);
    return { bounds, workArea };
  });
  const { bounds, workArea } = place;
  assert.ok(bounds.x >= workArea.x && bounds.y >= workArea.y, JSON.stringify(place));
  assert.ok(bounds.x + bounds.width <= workArea.x + workArea.width, JSON.stringify(place));
  assert.deepEqual([bounds.width, bounds.height], [900, 650]);

  const shown = () => desktop.ask(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible() || undefined);
  await until(shown, "the window is shown");
  // Closing leaves Hearth in the tray, and a second start reopens the window.
  await desktop.ask(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
  await until(async () => ((await shown()) ? undefined : true), "the window is in the tray");
  const second = await startToEnd(t, desktop.userData);
  assert.equal(second.code, 0, second.output);
  await until(shown, "the first window is shown");
  assert.equal(hostFile(path).pid, desktop.pid);
  assert.equal(await desktop.ask(({ BrowserWindow }) => BrowserWindow.getAllWindows().length), 1);
  // macOS passes links and files to the running instance.
  await desktop.ask(({ app: itself, BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]!.hide();
    itself.emit("open-url", { preventDefault: () => {} }, "hearth://anything");
  });
  await until(shown, "a link shows it too");

  // While people are online, the computer stays awake and quitting asks for confirmation.
  const isKeptAwake = () =>
    desktop.ask(({ powerSaveBlocker }) => [0, 1, 2].some((id) => powerSaveBlocker.isStarted(id)) || undefined);
  assert.equal(await isKeptAwake(), undefined);
  await page.evaluate(() => (globalThis as any).hearth.setBehavior({ keepAwake: "always" }));
  await page.evaluate(async () => {
    const body = new URLSearchParams({ event_types: '["message"]' });
    const { queue_id }: any = await (await fetch("/api/v1/register", { method: "POST", body })).json();
    void fetch(`/api/v1/events?queue_id=${queue_id}&last_event_id=-1`);
  });
  await until(isKeptAwake, "the computer is kept awake");
  assert.equal((await tray())?.[1], "1 person is online");
  await click("quit");
  const question = await desktop.question();
  assert.deepEqual(question.buttons, ["Keep Hosting in the Tray", "Quit", "Keep Hosting"]);
  await question.answer("Keep Hosting in the Tray");
  await until(async () => ((await shown()) ? undefined : true), "the window is in the tray again");
  await desktop.running();
  await desktop.ask(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setBounds({ width: 1000, height: 700 }));
  assert.equal(await desktop.quit(), 0);
  assert.deepEqual([desktop.settings().window?.width, desktop.settings().window?.height], [1000, 700]);
});

desktopTest("a port in use offers retry, another port or quit", async (t) => {
  const { path } = await dataFolder(t);
  const port = await freePort();
  const taker = await listenAt(t, port);
  const desktop = await startDesktop(t, { dataFolder: path, port });
  const first = await desktop.question();
  const by = process.platform === "linux" ? `${basename(process.execPath)} (process ${process.pid})` : "";
  assert.ok(first.message.startsWith(`Port ${port} is used by ${by}`), first.message);
  assert.deepEqual([first.buttons.length, first.buttons[0], first.buttons[2]], [3, "Try Again", "Quit"]);
  const other = Number(/^Use Port (\d+) Instead$/.exec(first.buttons[1]!)?.[1]);
  assert.ok(other > port && other <= port + 100);
  await first.answer("Try Again");
  const second = await desktop.question(); // still taken
  const blocked = blockSettings(desktop);
  await second.answer(second.buttons[1]!);
  const notKept = await desktop.question();
  assert.match(notKept.message, /^Hearth's settings could not be saved, so nothing was changed: EISDIR/);
  rmdirSync(blocked);
  await notKept.answer("Try Again");
  await (await desktop.question()).answer(second.buttons[1]!);
  await desktop.running();
  assert.deepEqual([desktop.settings().port, hostFile(path).url], [other, `http://127.0.0.1:${other}`]);
  assert.equal(await desktop.quit(), 0);

  const again = await startDesktop(t, { dataFolder: path, port, settings: { port } });
  const third = await again.question();
  taker.close();
  await until(async () => ((await isFree(port)) ? true : undefined), "the port is free again");
  await third.answer("Try Again");
  await again.running();
  assert.equal(hostFile(path).url, `http://127.0.0.1:${port}`);
  assert.equal(await again.quit(), 0);

  await listenAt(t, port);
  const last = await startDesktop(t, { dataFolder: path, port });
  await (await last.question()).answer("Quit");
  assert.equal(await last.ended, FAILED);
  assert.equal(last.settings().port, port);
});

desktopTest("a forbidden port offers a retry", async (t) => {
  if (await isFree(80)) return t.skip("this user may open port 80");
  const { path } = await dataFolder(t);
  const desktop = await startDesktop(t, { dataFolder: path, port: 80 });
  const question = await desktop.question();
  assert.equal(question.message, "You don't have permission to use port 80.");
  assert.deepEqual(question.buttons, ["Try Again", "Quit"]); // the ports after it are forbidden too
  await question.answer("Quit");
  assert.equal(await desktop.ended, FAILED);
});

desktopTest("a locked, damaged or missing folder offers another folder", async (t) => {
  const { path: whole } = await dataFolder(t);
  const { path: inUse } = await dataFolder(t);
  const { path: damaged } = await dataFolder(t);
  rmSync(join(damaged, "secret.key"));
  const url = await useFolder(t, inUse);
  const desktop = await startDesktop(t, { dataFolder: inUse });
  const first = await desktop.question();
  assert.deepEqual([first.message, first.buttons], ["Hearth couldn't start.", ASKED]);
  assert.equal(first.detail, problemText(problem("folder_in_use", { folder: inUse, url })));
  await first.answer("Show Folder");
  const askedAgain = await desktop.question();
  assert.deepEqual(await desktop.opened(), [inUse]);
  await askedAgain.answer("Choose Another Folder…");
  await (await desktop.question()).answer(""); // cancelled
  await (await desktop.question()).answer("Choose Another Folder…");
  await (await desktop.question()).answer(join(whole, "secret.key")); // not a folder
  const noFolder = await desktop.question();
  assert.match(noFolder.message, /Part of the path .* is a file/);
  await noFolder.answer("Try Again");
  await (await desktop.question()).answer("Choose Another Folder…");
  await (await desktop.question()).answer(damaged);
  const second = await desktop.question();
  assert.ok(second.detail.includes("secret.key"), second.detail);
  const before = readFileSync(join(damaged, "hearth.db"));
  await second.answer("Choose Another Folder…");
  await (await desktop.question()).answer(whole);
  await desktop.running();
  assert.deepEqual([desktop.settings().dataFolder, hostFile(whole).pid], [whole, desktop.pid]);
  assert.deepEqual(readFileSync(join(damaged, "hearth.db")), before);
  // The page cannot move to a locked folder either, and the server keeps its folder.
  const page = await desktop.page();
  const choice = page.evaluate(() => (globalThis as any).hearth.chooseDataFolder());
  await (await desktop.question()).answer(inUse);
  assert.deepEqual([(await choice).holds, (await choice).path], ["organization", inUse]);
  const refusal = await page.evaluate(() =>
    (globalThis as any).hearth.useDataFolder().catch((problem: unknown) => problem),
  );
  assert.deepEqual(refusal, reported(problem("folder_in_use", { folder: inUse, url })));
  await desktop.running();
  assert.deepEqual([desktop.settings().dataFolder, hostFile(whole).pid], [whole, desktop.pid]);
  assert.equal(await desktop.quit(), 0);

  const gone = join(temporaryFolder(t, "hearth-disk-"), "unplugged", "hearth");
  const without = await startDesktop(t, { settings: { dataFolder: gone }, switches: ["--lang=de"] });
  const third = await without.question();
  // The dialog uses the system's language, like the page.
  assert.deepEqual(third.buttons, ["Erneut versuchen", "Ordner anzeigen", "Anderen Ordner wählen…", "Beenden"]);
  assert.ok(third.detail.startsWith(`Der Datenordner ${gone} wurde nicht gefunden.`), third.detail);
  const inGerman = await without.page();
  const speaksGerman = () => inGerman.evaluate(() => document.documentElement.lang === "de" || undefined);
  await until(speaksGerman, "the page in German");
  const menus = await without.ask(({ Menu }) =>
    Menu.getApplicationMenu()!.items.flatMap(({ label, submenu }) => [
      label,
      ...submenu!.items.map((one) => one.label),
    ]),
  );
  for (const label of ["&Datei", "Datenordner öffnen", "Rückgängig", "Vollbild", "Über Hearth"])
    assert.ok(menus.includes(label), `${label} in ${menus}`);
  assert.equal(existsSync(gone), false);
  await third.answer("Beenden");
  assert.equal(await without.ended, FAILED);
  assert.equal(existsSync(gone), false);
});

desktopTest("reverts a folder change that cannot be saved", async (t) => {
  const { path } = await dataFolder(t);
  const { path: inUse } = await dataFolder(t);
  await useFolder(t, inUse);
  const desktop = await startDesktop(t, { dataFolder: path });
  await desktop.running();
  const page = await desktop.page();
  const moveTo = async (folder: string) => {
    const choice = page.evaluate(() => (globalThis as any).hearth.chooseDataFolder());
    await (await desktop.question()).answer(folder);
    await choice;
    return page.evaluate(() => (globalThis as any).hearth.useDataFolder().catch(({ msg }: ReportedProblem) => msg));
  };
  const blocked = blockSettings(desktop);
  const empty = temporaryFolder(t, "hearth-other-");
  assert.match(await moveTo(empty), /EISDIR/);
  await until(() => existsSync(join(path, "host.json")) || undefined, "it is back where it was");
  await desktop.running();
  assert.equal(isLocked(empty), false);
  rmdirSync(blocked);

  renameSync(join(path, "secret.key"), join(path, "secret.away"));
  assert.match(await moveTo(inUse), /is in use by another Hearth/);
  const question = await desktop.question();
  assert.ok(question.detail.includes("secret.key"), question.detail);
  await question.answer("Quit");
  const ended: (number | null)[] = [];
  void desktop.ended.then((code) => ended.push(code));
  await until(() => ended.length > 0 || undefined, "it ends");
  assert.deepEqual(ended, [FAILED]);
});

desktopTest("without settings, defaults apply and the network is closed", async (t) => {
  const userData = temporaryFolder(t, "hearth-desktop-");
  writeFileSync(join(userData, "settings.json"), JSON.stringify({ port: await freePort() }));
  const desktop = await startDesktop(t, { userData });
  await desktop.running("setup");
  const settings = await (await desktop.page()).evaluate(() => (globalThis as any).hearth.settings());
  const folder = defaultFolderOf(desktop);
  assert.deepEqual(
    [settings.dataFolder, settings.isDefaultFolder, settings.folderWarning, settings.lan],
    [folder, true, null, false],
  );
  // A folder moved away while the server runs is reported missing. No new organization replaces it.
  await makeOrganization(await desktop.page());
  await desktop.running();
  renameSync(folder, `${folder}.moved`);
  await desktop.endThread();
  for (const message of ["Hearth has stopped hosting your organization.", "Hearth couldn't start."]) {
    const question = await desktop.question();
    assert.deepEqual([question.message, existsSync(folder)], [message, false]);
    assert.match(question.detail, /^The data folder .* was not found\./);
    if (question.message.includes("couldn't")) renameSync(`${folder}.moved`, folder);
    await question.answer("Try Again");
  }
  await desktop.running();
  assert.equal(await desktop.quit(), 0);
});

async function makeOrganization(page: Page): Promise<void> {
  const made: any = await page.evaluate(async () => {
    const fields = {
      organization: "Venice",
      owner_name: "Ada",
      owner_email: "ada@example.com",
      password: "fire wood ash 42",
    };
    return (await fetch("/host/setup", { method: "POST", body: new URLSearchParams(fields) })).json();
  });
  assert.equal(made.result, "success", JSON.stringify(made));
}

/** Keeps the settings from being written until the folder is removed, like a full disk. */
function blockSettings({ userData }: DesktopApp): string {
  const blocked = join(userData, "settings.json.new");
  mkdirSync(blocked);
  return blocked;
}

function hostFile(folder: string): { url: string; pid: number } {
  return JSON.parse(readFileSync(join(folder, "host.json"), "utf8"));
}

async function listenAt(t: TestContext, port: number): Promise<Server> {
  const server = createServer((_request, answer) => answer.end()).listen(port, "127.0.0.1");
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return server;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().listen(port, "127.0.0.1");
    server.once("error", () => resolve(false));
    server.once("listening", () => server.close(() => resolve(true)));
  });
}
