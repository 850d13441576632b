import { existsSync } from "node:fs";
import { join } from "node:path";
import { app, BrowserWindow, nativeTheme, screen, type WebPreferences } from "electron";
import type { SettingsFile } from "./app-settings.ts";
import { choose } from "./dialogs.ts";
import { isPageUrl, type Site } from "./sites.ts";
import { texts } from "./texts.ts";
import { boundsFor } from "./window-bounds.ts";

/** The page's background, until it has painted (--mantine-color-body in ui/theme.ts). */
const BACKGROUND = { light: "#faf8f5", dark: "#171412" };
/** Automatic reloads of a crashed page per minute. After that, a dialog asks. */
const MAX_CRASHES = 3;

/** The settings with the bounds of the windows. */
type BoundsName = "window" | "chatWindow";

export interface WindowOptions {
  settings: SettingsFile;
  site: Site;
  url: string;
  title: string;
  /** A file next to this one. */
  preload: string;
  bounds: BoundsName;
  minSize: { width: number; height: number };
  /** How the window appears when its page is ready. */
  appears: "shown" | "minimized" | "hidden";
  preferences?: WebPreferences;
  report(what: string | Error): void;
}

/** Shows the window only when its page is ready. */
export function openWindow({ settings, site, url, title, ...options }: WindowOptions): BrowserWindow {
  const { bounds, minSize, appears, report } = options;
  const areas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea);
  const window = new BrowserWindow({
    ...boundsFor(settings.values[bounds], areas, minSize),
    minWidth: minSize.width,
    minHeight: minSize.height,
    show: false,
    title,
    backgroundColor: background(),
    ...iconIfThere(),
    webPreferences: {
      ...options.preferences,
      preload: join(import.meta.dirname, options.preload),
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
    if (appears === "minimized") window.minimize();
    if (appears !== "shown") return;
    if (settings.values[bounds]?.maximized) window.maximize(); // also shows the window
    window.show();
  });
  const followScheme = () => window.setBackgroundColor(background());
  nativeTheme.on("updated", followScheme);
  window.once("closed", () => nativeTheme.off("updated", followScheme));
  window.on("close", () => rememberBounds(window, bounds, settings, report));
  reloadWhenCrashed(window, report);
  askWhenHung(window);
  // Chromium does not ask before a navigation to about:blank, so the page is loaded again.
  window.webContents.on("did-navigate", (_event, url) => {
    if (!isPageUrl(site, url)) void window.webContents.loadURL(site.url).catch(report);
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
export function rememberBounds(
  window: BrowserWindow,
  name: BoundsName,
  settings: SettingsFile,
  report: (line: string) => void,
): void {
  const bounds = { ...window.getNormalBounds(), maximized: window.isMaximized() };
  if (JSON.stringify(bounds) === JSON.stringify(settings.values[name])) return;
  try {
    settings.update({ [name]: bounds });
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
