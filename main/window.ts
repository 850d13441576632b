import { existsSync } from "node:fs";
import { join } from "node:path";
import { app, BrowserWindow, nativeTheme, screen } from "electron";
import type { SettingsFile } from "./app-settings.ts";
import { choose } from "./dialogs.ts";
import { isPage } from "./guards.ts";
import { PAGE_URL } from "./protocol.ts";
import { texts } from "./texts.ts";
import { boundsFor, LEAST } from "./window-bounds.ts";

/** The page's own (--mantine-color-body in ui/theme.ts): what is seen of the window before the page has painted. */
const BACKGROUND = { light: "#faf8f5", dark: "#171412" };
/** A page that crashes is shown again this often a minute, then the person is asked. */
const MAX_CRASHES = 3;

/** The admin window, shown when its page is. */
export function openWindow(settings: SettingsFile, report: (what: string | Error) => void): BrowserWindow {
  const areas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea);
  const window = new BrowserWindow({
    ...boundsFor(settings.values.window, areas),
    minWidth: LEAST.width,
    minHeight: LEAST.height,
    show: false,
    title: "Hearth",
    backgroundColor: background(),
    ...iconIfThere(),
    webPreferences: {
      preload: join(import.meta.dirname, "preload.cjs"),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false, // its dictionaries would come from the internet
      navigateOnDragDrop: false,
      disableDialogs: true,
      enableWebSQL: false,
    },
  });
  window.once("ready-to-show", () => {
    if (settings.values.window?.maximized) window.maximize(); // which would show it already
    window.show();
  });
  const followScheme = () => window.setBackgroundColor(background());
  nativeTheme.on("updated", followScheme);
  window.once("closed", () => nativeTheme.off("updated", followScheme));
  window.on("close", () => rememberBounds(window, settings, report));
  reloadWhenCrashed(window, report);
  askWhenHung(window);
  // Chromium asks nobody before about:blank: a page that went there comes back.
  window.webContents.on("did-navigate", (_event, url) => {
    if (!isPage(url)) void window.webContents.loadURL(PAGE_URL).catch(report);
  });
  window.webContents.on("did-fail-load", (_event, code, why, _url, isMainFrame) => {
    const ABORTED = -3; // by the next load
    if (!isMainFrame || code === ABORTED || window.isDestroyed()) return;
    void askAbout(window, { message: texts.pageMissing, detail: texts.pageMissingDetail(why) });
  });
  window.loadURL(PAGE_URL).catch(report);
  return window;
}

/** Of the window as it is when it is neither maximized nor full screen. */
export function rememberBounds(window: BrowserWindow, settings: SettingsFile, report: (line: string) => void): void {
  const place = { ...window.getNormalBounds(), maximized: window.isMaximized() };
  if (JSON.stringify(place) === JSON.stringify(settings.values.window)) return;
  try {
    settings.change({ window: place });
  } catch (error) {
    report(`The window's place was not kept: ${(error as Error).message}`); // no reason to stay open
  }
}

function reloadWhenCrashed(window: BrowserWindow, report: (line: string) => void): void {
  let crashes: number[] = [];
  window.webContents.on("render-process-gone", (_event, { reason, exitCode }) => {
    if (reason === "clean-exit") return;
    report(`The window's process ended (${reason}, ${exitCode}).`);
    crashes = [...crashes.filter((at) => at > Date.now() - 60_000), Date.now()];
    // Not within the event: Electron is still cleaning up.
    if (crashes.length <= MAX_CRASHES) setImmediate(() => window.isDestroyed() || window.webContents.reload());
    else void askAbout(window, { message: texts.pageCrashed, detail: texts.stillHosted });
  });
}

/** Also after its close button: the window waits for the page then. */
function askWhenHung(window: BrowserWindow): void {
  let isAsked = false;
  window.on("unresponsive", async () => {
    if (isAsked) return;
    isAsked = true;
    const answer = await choose(window, {
      type: "warning",
      message: texts.pageHangs,
      detail: texts.stillHosted,
      buttons: { reload: texts.reload, quit: texts.quit, wait: texts.wait },
    });
    isAsked = false;
    if (answer === "quit") app.quit();
    // A page that hangs does not hear of a reload: it is ended, and shown again as one that crashed.
    if (answer === "reload" && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
  });
}

async function askAbout(window: BrowserWindow, question: { message: string; detail: string }): Promise<void> {
  window.show();
  const answer = await choose(window, {
    type: "error",
    ...question,
    buttons: { reload: texts.reload, quit: texts.quit },
  });
  if (answer === "quit") app.quit();
  else if (!window.isDestroyed()) window.webContents.reload();
}

const background = () => (nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light);

/** Linux only: elsewhere the program itself has one. */
function iconIfThere(): { icon?: string } {
  const icon = join(app.getAppPath(), "ui", "pictures", "icon.png");
  return process.platform === "linux" && existsSync(icon) ? { icon } : {};
}
