import { join } from "node:path";
import { app, type BrowserWindow, dialog, powerMonitor, session } from "electron";
import { SettingsFile } from "./app-settings.ts";
import { offerBridge } from "./bridge.ts";
import { Desktop } from "./desktop.ts";
import { guardEverything } from "./guards.ts";
import { setMenu } from "./menu.ts";
import { registerScheme, servePages } from "./protocol.ts";
import { texts } from "./texts.ts";
import { goesOnWithout } from "./troubles.ts";
import { openWindow, rememberBounds } from "./window.ts";

/** It began, could not go on, and a dialog has said why: `npm start` does not try the headless server then. */
const FAILED = 3;

let settings: SettingsFile;
let desktop: Desktop | undefined;
let window: BrowserWindow | undefined;
let leaving: Promise<void> | undefined;

app.setName("Hearth");
app.setAppUserModelId("org.hearth.Hearth"); // Windows: as electron-builder.yml names the installed program
// Beside the data folder, never in it: on macOS the two would have the same name.
if (!app.commandLine.hasSwitch("user-data-dir")) {
  app.setPath("userData", join(app.getPath("appData"), "Hearth Desktop"));
}
if (app.requestSingleInstanceLock()) begin();
else app.exit(); // the first one shows its window

function begin(): void {
  // Chromium's sandbox does not work for root: who starts the app as root has to say so, and it would start nothing.
  if (!app.commandLine.hasSwitch("no-sandbox")) app.enableSandbox();
  registerScheme();
  guardEverything({ serverPort: () => settings.values.port, report });
  app.on("second-instance", () => (leaving ? startAgain() : showWindow()));
  app.on("activate", showWindow);
  app.on("window-all-closed", () => process.platform === "darwin" || app.quit());
  app.on("child-process-gone", (_event, { type, reason }) =>
    report(`A process of Chromium ended: ${type}, ${reason}.`),
  );
  app.on("before-quit", (event) => {
    event.preventDefault();
    void leave();
  });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void leave());
  app.whenReady().then(start).catch(fail);
}

async function start(): Promise<void> {
  // The machine is asked to wait until the server has ended. (Electron's types leave the event out.)
  powerMonitor.on("shutdown", ((event: Event) => {
    event.preventDefault();
    void leave();
  }) as () => void);
  settings = new SettingsFile(app.getPath("userData"));
  desktop = new Desktop({
    settings,
    window: () => window,
    onState: (state) => window?.webContents.send("hearth:serverState", state),
    onGivenUp: () => void leave(FAILED),
    report,
  });
  servePages(session.defaultSession, () => desktop?.hosting.supervisor);
  offerBridge(() => window?.webContents, desktop);
  setMenu({ showDataFolder: () => void desktop?.showDataFolder().catch(report) });
  if (settings.broken && !(await goesOnWithout(settings.broken, settings))) return leave(FAILED);
  showWindow();
  if (!(await desktop.host())) await leave(FAILED);
}

function showWindow(): void {
  if (!desktop || leaving) return;
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
  window.on("session-end", () => void leave()); // Windows ends, and with it every program
}

/** Ends the app when the server has ended: what was acknowledged is on disk, and what is under way gets its answer. */
function leave(code = 0): Promise<void> {
  leaving ??= (async () => {
    if (window) {
      rememberBounds(window, settings, report);
      window.hide();
    }
    await desktop?.hosting.stop().catch(report);
    // In a turn of its own: this one may be the end of a window's event, and Electron crashes where exit destroys the
    // window within that.
    setImmediate(() => app.exit(code));
  })();
  return leaving;
}

/** Once the server has ended: somebody who starts Hearth while it quits would get nothing else. */
function startAgain(): void {
  // What runs now lies in the AppImage's own mount, which goes when we do.
  const { APPIMAGE: execPath } = process.env;
  app.relaunch(execPath ? { execPath } : {});
}

/** What nobody has foreseen. */
function fail(error: Error): void {
  report(error.stack ?? error.message);
  dialog.showErrorBox(texts.notStarted, error.message);
  void leave(FAILED);
}

function report(what: string | Error): void {
  console.error(`Hearth: ${what instanceof Error ? what.message : what}`);
}
