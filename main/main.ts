import { join } from "node:path";
import { app, type BrowserWindow, dialog, powerMonitor, session } from "electron";
import { SettingsFile } from "./app-settings.ts";
import { offerBridge } from "./bridge.ts";
import { Desktop } from "./desktop.ts";
import { askAboutBrokenSettings } from "./error-dialogs.ts";
import { guardEverything } from "./guards.ts";
import { setMenu } from "./menu.ts";
import { registerScheme, servePages } from "./protocol.ts";
import { texts } from "./texts.ts";
import { openWindow, rememberBounds } from "./window.ts";

/** Exit code after an error that a dialog has shown: `npm start` does not try the headless server then. */
const FAILED = 3;

let settings: SettingsFile;
let desktop: Desktop | undefined;
let window: BrowserWindow | undefined;
let quitting: Promise<void> | undefined;

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
  guardEverything({ serverPort: () => settings.values.port, report });
  app.on("second-instance", () => (quitting ? relaunch() : showWindow()));
  app.on("activate", showWindow);
  app.on("window-all-closed", () => process.platform === "darwin" || app.quit());
  app.on("child-process-gone", (_event, { type, reason }) =>
    report(`A process of Chromium ended: ${type}, ${reason}.`),
  );
  app.on("before-quit", (event) => {
    event.preventDefault();
    void quit();
  });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void quit());
  app.whenReady().then(start).catch(fail);
}

async function start(): Promise<void> {
  // Delays the shutdown until the server has stopped. (Electron's types lack the event.)
  powerMonitor.on("shutdown", ((event: Event) => {
    event.preventDefault();
    void quit();
  }) as () => void);
  settings = new SettingsFile(app.getPath("userData"));
  desktop = new Desktop({
    settings,
    window: () => window,
    onState: (state) => window?.webContents.send("hearth:serverState", state),
    onGivenUp: () => void quit(FAILED),
    report,
  });
  servePages(session.defaultSession, () => desktop?.server.supervisor);
  offerBridge(() => window?.webContents, desktop);
  setMenu({ showDataFolder: () => void desktop?.showDataFolder().catch(report) });
  if (settings.broken && !(await askAboutBrokenSettings(settings.broken, settings))) return quit(FAILED);
  showWindow();
  if (!(await desktop.startServer())) await quit(FAILED);
}

function showWindow(): void {
  if (!desktop || quitting) return;
  if (window) {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    return;
  }
  window = openWindow(settings, report);
  window.on("closed", () => {
    window = undefined;
  });
  window.on("session-end", () => void quit()); // the user logs off from Windows
}

/** Quits after the server has stopped: it answers the current requests, and all acknowledged changes are on disk. */
function quit(code = 0): Promise<void> {
  quitting ??= (async () => {
    if (window) {
      rememberBounds(window, settings, report);
      window.hide();
    }
    await desktop?.server.stop().catch(report);
    // In a turn of its own: Electron crashes when exit destroys a window within one of that window's events.
    setImmediate(() => app.exit(code));
  })();
  return quitting;
}

/** Starts the app again after it quits, for a user who starts Hearth during that. */
function relaunch(): void {
  // The current executable is in the mount of the AppImage, which ends with this process.
  const { APPIMAGE: execPath } = process.env;
  app.relaunch(execPath ? { execPath } : {});
}

/** Shows an unexpected error. */
function fail(error: Error): void {
  report(error.stack ?? error.message);
  dialog.showErrorBox(texts.notStarted, error.message);
  void quit(FAILED);
}

function report(what: string | Error): void {
  console.error(`Hearth: ${what instanceof Error ? what.message : what}`);
}
