import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { app, BrowserWindow, clipboard, dialog, powerMonitor, powerSaveBlocker, session } from "electron";
import { problemOf } from "../server/errors.ts";
import { SettingsFile } from "./app-settings.ts";
import { offerBridge } from "./bridge.ts";
import { ChatSession } from "./chat-session.ts";
import { ChatWindow } from "./chat-window.ts";
import { askWhetherToQuit } from "./closing.ts";
import { commandIn, runCommand } from "./command.ts";
import { Desktop } from "./desktop.ts";
import { askAboutBrokenSettings } from "./error-dialogs.ts";
import { guardEverything } from "./guards.ts";
import { KeepAwakeBlocker } from "./keep-awake.ts";
import { allowOpenChat, setMenu } from "./menu.ts";
import { registerScheme, servePages } from "./protocol.ts";
import { ADMIN, CHAT, setChatStorage } from "./sites.ts";
import { isStartedAtLogin, refreshStartAtLogin } from "./start-at-login.ts";
import { inWords, speak, texts } from "./texts.ts";
import { TrayIcon } from "./tray.ts";
import type { TrayStatus } from "./tray-menu.ts";
import { desktopUpdates, updateCalls } from "./updates/desktop-updates.ts";
import type { Updates } from "./updates/updates.ts";
import { openWindow, rememberBounds } from "./window.ts";
import { MIN_SIZE } from "./window-bounds.ts";

/** Exit code after an error dialog. `npm start` then does not try the headless server. */
const FAILED = 3;
/** Attempts of a hidden start to find the tray, which may appear after Hearth when the user signs in. */
const TRAY_PAUSE_MS = 2000;
const TRAY_ATTEMPTS = 15;
const INVITATIONS_URL = `${ADMIN.url}#/invitations`;
const UPDATES_URL = `${ADMIN.url}#/updates`;

let settings: SettingsFile;
let desktop: Desktop | undefined;
let window: BrowserWindow | undefined;
let chat: ChatWindow | undefined;
let tray: TrayIcon | undefined;
let updates: Updates | undefined;
let unread = 0;
let quitting: Promise<void> | undefined;
let asking: Promise<void> | undefined;
let isChatRestored = false;
const awake = new KeepAwakeBlocker(powerMonitor, powerSaveBlocker);

const command = commandIn(process.argv, { isPackaged: app.isPackaged, path: app.getAppPath() });
if (command) await runCommand(command);

app.setName("Hearth");
app.setAppUserModelId("org.hearth.Hearth"); // Windows: the appId of electron-builder.yml
// On macOS the default would be the data folder.
if (!app.commandLine.hasSwitch("user-data-dir")) {
  app.setPath("userData", join(app.getPath("appData"), "Hearth Desktop"));
}
if (app.requestSingleInstanceLock()) begin();
else app.exit(); // the running instance shows its window

function begin(): void {
  // Chromium's sandbox does not work for root: root must pass --no-sandbox.
  if (!app.commandLine.hasSwitch("no-sandbox")) app.enableSandbox();
  registerScheme();
  guardEverything({
    serverPort: () => settings.values.port,
    openAdmin: (hash) => showWindow({ url: hash === "" ? undefined : `${ADMIN.url}${hash}` }),
    openFile: (path) => void desktop?.openFile(path).catch(report),
    report,
  });
  app.on("second-instance", () => (quitting ? relaunch() : showWindow()));
  app.on("activate", () => showWindow());
  // macOS, when someone opens a file or a link with Hearth. Other systems start a second instance.
  for (const event of ["open-file", "open-url"] as const)
    app.on(event as "open-url", (asked) => {
      asked.preventDefault();
      showWindow();
    });
  app.on("window-all-closed", () => process.platform === "darwin" || staysInTray() || app.quit());
  app.on("child-process-gone", (_event, { type, reason }) =>
    report(`A process of Chromium ended: ${type}, ${reason}.`),
  );
  app.on("before-quit", (event) => {
    event.preventDefault();
    void askToQuit();
  });
  app.whenReady().then(start).catch(fail);
}

async function start(): Promise<void> {
  // Quits without a question. Registered late, because Chromium replaces earlier handlers when it is ready.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void quit());
  // Delays the shutdown until the server has stopped. (Electron's types lack the event.)
  powerMonitor.on("shutdown", ((event: Event) => {
    event.preventDefault();
    void quit();
  }) as () => void);
  await speak([app.getLocale(), ...app.getPreferredSystemLanguages()]); // navigator.languages of the pages
  settings = new SettingsFile(app.getPath("userData"));
  const storage = session.fromPartition("persist:chat");
  setChatStorage(storage);
  const chatSession = new ChatSession(storage, () => chat?.reload());
  desktop = new Desktop({
    settings,
    dialogParent: () => {
      window?.show();
      return window;
    },
    hasTray: () => tray?.isShown === true,
    openChatWindow: (hash) => chat?.open(hash),
    onState: (state) => {
      window?.webContents.send("hearth:serverState", state);
      if (state === "running" || state === "setup") updates?.answered();
      chatSession.checkAgain();
      if (state === "running") restoreChat();
      if (state === "setup") chat?.end(); // another folder, without an organization
    },
    onStatus: showStatus,
    onQuit: () => void askToQuit(),
    onGivenUp: () => void quit(FAILED),
    report,
  });
  chat = new ChatWindow({
    settings,
    storage,
    serverUrl: () => desktop?.serverUrl ?? "",
    onClose: () => void closeChat(),
    onUnread: (count) => {
      unread = count;
      showStatus();
    },
    report,
  });
  updates = desktopUpdates({ settings, desktop, window: () => window, relaunch, endBy: endByUpdate, report });
  tray = new TrayIcon({
    open: () => showWindow(),
    openChat,
    copyAddress: (address) => clipboard.writeText(address),
    invite: () => showWindow({ url: INVITATIONS_URL }),
    update: () => showWindow({ url: UPDATES_URL }),
    setStartAtLogin: (on) => void desktop?.setBehavior({ startAtLogin: on }).catch(report),
    quit: () => void askToQuit(),
  });
  for (const event of ["on-ac", "on-battery"] as const) powerMonitor.on(event as "on-ac", showStatus);
  powerMonitor.on("suspend", () => desktop?.server.powerChanged("suspend"));
  powerMonitor.on("resume", () => {
    desktop?.server.powerChanged("resume");
    showStatus(); // the network may have changed
  });
  servePages(session.defaultSession, ADMIN, () => desktop?.server.supervisor);
  servePages(storage, CHAT, () => desktop?.server.supervisor, chatSession.forward);
  offerBridge(
    () => window?.webContents,
    desktop,
    updateCalls(updates, () => window),
  );
  setMenu({
    open: () => showWindow(),
    openChat,
    showDataFolder: () => void desktop?.showDataFolder().catch(report),
  });
  if (settings.broken && !(await askAboutBrokenSettings(settings.broken, settings))) return quit(FAILED);
  refreshEntry();
  if (isStartedAtLogin()) void waitForTray().catch(report);
  else {
    showWindow();
    void tray?.show(trayStatus(desktop));
  }
  if (!(await desktop.startServer())) await quit(FAILED);
}

/** Without a tray, a hidden app could not be found, so it gets a minimized window. */
async function waitForTray(): Promise<void> {
  for (let attempt = 0; attempt < TRAY_ATTEMPTS && desktop && !quitting; attempt++) {
    if (await tray?.show(trayStatus(desktop))) return;
    await pause(TRAY_PAUSE_MS);
  }
  if (!window) showWindow({ minimized: true });
}

function refreshEntry(): void {
  try {
    refreshStartAtLogin();
  } catch (error) {
    report(error as Error); // the old entry stays
  }
}

const trayStatus = ({ status }: Desktop): TrayStatus => ({ ...status, unread, update: updates?.state.found?.version });

/** Updates the tray, the chat window, and whether the computer stays awake. */
function showStatus(): void {
  if (!desktop || quitting) return;
  const status = trayStatus(desktop);
  tray?.update(status);
  chat?.refresh();
  allowOpenChat(status.state === "running" && status.organization !== undefined);
  awake.update({ setting: settings.values.keepAwake, peopleOnline: status.peopleOnline });
}

/** After a failure, the window shows why. */
function openChat(): void {
  desktop?.openChat("/").catch((error: Error) => {
    report(error);
    showWindow();
  });
}

/** Brings the window to the front. */
function showWindow({ url, minimized = false }: { url?: string | undefined; minimized?: boolean } = {}): void {
  if (!desktop || quitting) return;
  if (window) {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (url !== undefined) window.loadURL(url).catch(report);
    return;
  }
  window = openWindow({
    settings,
    site: ADMIN,
    url: url ?? ADMIN.url,
    title: "Hearth",
    preload: "preload.cjs",
    bounds: "window",
    minSize: MIN_SIZE,
    appears: minimized ? "minimized" : "shown",
    report,
  });
  window.on("close", (event) => {
    if (quitting || process.platform === "darwin") return; // on macOS the app continues without a window
    event.preventDefault();
    void closeWindow();
  });
  window.on("closed", () => {
    window = undefined;
  });
  window.on("session-end", () => void quit()); // the user logs off from Windows
}

/** Once, at the first response of the server. */
function restoreChat(): void {
  if (isChatRestored) return;
  isChatRestored = true;
  chat?.restore({ isHidden: isStartedAtLogin() });
}

/** Hearth continues in the tray if the setting says so and there is a tray, or behind the chat. */
async function closeWindow(): Promise<void> {
  if (!desktop) return;
  if ((await canHide(desktop)) || chat?.isVisible) window?.hide();
  else await askToQuit();
}

async function closeChat(): Promise<void> {
  if (!desktop) return;
  const isLast = !(window && (window.isVisible() || window.isMinimized()));
  if (!isLast || process.platform === "darwin" || (await canHide(desktop))) chat?.hide();
  else await askToQuit();
}

const canHide = async (of: Desktop): Promise<boolean> =>
  settings.values.closeToTray && (await tray?.show(trayStatus(of))) === true;

const staysInTray = (): boolean => settings.values.closeToTray && tray?.isShown === true;

/** Asks first if people are online. Shows only 1 dialog at a time. */
function askToQuit(): Promise<void> {
  if (!desktop?.server.summary || desktop.server.attached) return quit(); // no one is disconnected
  asking ??= quitIfAllowed(desktop).finally(() => {
    asking = undefined;
  });
  return asking;
}

async function quitIfAllowed({ server }: Desktop): Promise<void> {
  const peopleOnline = await server.peopleOnline();
  const parent = BrowserWindow.getFocusedWindow() ?? window;
  const answer = await askWhetherToQuit({ peopleOnline, window: parent, canHide: tray?.isShown === true });
  if (answer === "quit") await quit();
  if (answer !== "hide") return;
  window?.hide();
  chat?.hide();
}

/** Quits after the server has stopped. Current requests finish, and all acknowledged changes are on disk. */
function quit(code = 0, last?: () => Promise<void>): Promise<void> {
  quitting ??= (async () => {
    if (window) {
      rememberBounds(window, "window", settings, report);
      window.hide();
    }
    chat?.quit();
    awake.end();
    tray?.remove();
    updates?.stop();
    await desktop?.server.stop().catch(report);
    await last?.();
    // Electron crashes if exit destroys a window inside one of the window's events.
    setImmediate(() => app.exit(code));
  })();
  return quitting;
}

/** Quits, and then installs the new version or restarts this version. */
function endByUpdate(replace: () => Promise<"installed" | "again">): Promise<void> {
  return quit(0, async () => {
    app.releaseSingleInstanceLock(); // the new version may start before this process ends
    if ((await replace()) === "again") relaunch();
  });
}

/** For a user who starts Hearth while it quits. */
function relaunch(): void {
  // The executable is in the mount of the AppImage, which ends with this process.
  const { APPIMAGE: execPath } = process.env;
  app.relaunch(execPath ? { execPath } : {});
}

/** Shows an unexpected error. */
function fail(error: Error): void {
  report(error.stack ?? error.message);
  dialog.showErrorBox(texts.notStarted, inWords(problemOf(error)));
  void quit(FAILED);
}

function report(what: string | Error): void {
  console.error(`Hearth: ${what instanceof Error ? what.message : what}`);
}
