import { existsSync } from "node:fs";
import { join } from "node:path";
import { app, BrowserWindow, nativeTheme, screen } from "electron";
import type { SettingsFile } from "./app-settings.ts";
import { choose } from "./dialogs.ts";
import { isPage } from "./guards.ts";
import { PAGE_URL } from "./protocol.ts";
import { texts } from "./texts.ts";
import { boundsFor, MIN_SIZE } from "./window-bounds.ts";

/** The page's background, until it has painted (--mantine-color-body in ui/theme.ts). */
const BACKGROUND = { light: "#faf8f5", dark: "#171412" };
/** Automatic reloads of a crashed page per minute. After that, a dialog asks. */
const MAX_CRASHES = 3;

/** Shows the window only when its page is ready. */
export function openWindow(
  settings: SettingsFile,
  report: (what: string | Error) => void,
  { url, minimized }: { url: string; minimized: boolean },
): BrowserWindow {
  const areas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea);
  const window = new BrowserWindow({
    ...boundsFor(settings.values.window, areas),
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
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
      spellcheck: false, // would download dictionaries
      navigateOnDragDrop: false,
      disableDialogs: true,
      enableWebSQL: false,
    },
  });
  window.once("ready-to-show", () => {
    if (minimized) return window.minimize();
    if (settings.values.window?.maximized) window.maximize(); // also shows the window
    window.show();
  });
  const followScheme = () => window.setBackgroundColor(background());
  nativeTheme.on("updated", followScheme);
  window.once("closed", () => nativeTheme.off("updated", followScheme));
  window.on("close", () => rememberBounds(window, settings, report));
  reloadWhenCrashed(window, report);
  askWhenHung(window);
  // Chromium does not ask before a navigation to about:blank, so the page is loaded again.
  window.webContents.on("did-navigate", (_event, url) => {
    if (!isPage(url)) void window.webContents.loadURL(PAGE_URL).catch(report);
  });
  window.webContents.on("did-fail-load", (_event, code, why, _url, isMainFrame) => {
    const ABORTED = -3; // by another load
    if (!isMainFrame || code === ABORTED || window.isDestroyed()) return;
    void askAbout(window, { message: texts.pageMissing, detail: texts.pageMissingDetail(why) });
  });
  window.loadURL(url).catch(report);
  return window;
}

/** Saves the bounds of the window in its normal state, neither maximized nor full screen. */
export function rememberBounds(window: BrowserWindow, settings: SettingsFile, report: (line: string) => void): void {
  const bounds = { ...window.getNormalBounds(), maximized: window.isMaximized() };
  if (JSON.stringify(bounds) === JSON.stringify(settings.values.window)) return;
  try {
    settings.update({ window: bounds });
  } catch (error) {
    report(`The window's position was not saved: ${(error as Error).message}`); // the window still closes
  }
}

function reloadWhenCrashed(window: BrowserWindow, report: (line: string) => void): void {
  let crashes: number[] = [];
  window.webContents.on("render-process-gone", (_event, { reason, exitCode }) => {
    if (reason === "clean-exit") return;
    report(`The window's process ended (${reason}, ${exitCode}).`);
    crashes = [...crashes.filter((at) => at > performance.now() - 60_000), performance.now()];
    // After the event: Electron is still cleaning up.
    if (crashes.length <= MAX_CRASHES) setImmediate(() => window.isDestroyed() || window.webContents.reload());
    else void askAbout(window, { message: texts.pageCrashed, detail: texts.stillHosted });
  });
}

/** Closing the window also waits for the page. */
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
    // A hanging page cannot reload. After the kill, it reloads like a crashed page.
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

/** On other systems than Linux, the executable contains the icon. */
function iconIfThere(): { icon?: string } {
  const icon = join(app.getAppPath(), "ui", "pictures", "icon.png");
  return process.platform === "linux" && existsSync(icon) ? { icon } : {};
}
