import { execFile } from "node:child_process";
import { join } from "node:path";
import { app, Menu, nativeImage, Tray } from "electron";
import { type TrayActions, type TrayStatus, trayMenu, trayToolTip } from "./tray-menu.ts";

const ASK_MS = 3000;
/** GDBus prints `(true,)` when the name has an owner. */
const HAS_WATCHER = [
  ...["call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus"],
  ...["--method", "org.freedesktop.DBus.NameHasOwner", "org.kde.StatusNotifierWatcher"],
];

/**
 * Windows and macOS always show tray icons. On Linux a tray has a watcher on the session's bus. Without a watcher, creating
 * an icon succeeds, but nothing appears.
 */
export function systemHasTray(platform = process.platform): Promise<boolean> {
  if (platform !== "linux") return Promise.resolve(true);
  return new Promise((resolve) => {
    execFile("gdbus", HAS_WATCHER, { timeout: ASK_MS }, (_error, output) => resolve(String(output).includes("true")));
  });
}

export class TrayIcon {
  readonly #actions: TrayActions;
  #tray: Tray | undefined;
  #shown = "";

  constructor(actions: TrayActions) {
    this.#actions = actions;
  }

  get isShown(): boolean {
    return this.#tray !== undefined;
  }

  /** Shows the icon if the system has a tray. Callers retry, because the desktop's panel may start after Hearth. */
  async show(status: TrayStatus): Promise<boolean> {
    if (!this.#tray && (await systemHasTray())) {
      this.#tray ??= new Tray(icon());
      this.#tray.on("click", this.#actions.open);
      this.update(status);
    }
    return this.isShown;
  }

  /** Rebuilds the menu only when it changes, because replacing it closes an open menu. */
  update(status: TrayStatus): void {
    const next = JSON.stringify(status);
    if (!this.#tray || next === this.#shown) return;
    this.#shown = next;
    this.#tray.setToolTip(trayToolTip(status));
    this.#tray.setContextMenu(Menu.buildFromTemplate(trayMenu(status, this.#actions)));
  }

  remove(): void {
    this.#tray?.destroy();
    this.#tray = undefined;
  }
}

/** Trays scale pictures badly. The size is 16 points on macOS, and 32 pixels on other systems. */
function icon(): Electron.NativeImage {
  const size = process.platform === "darwin" ? 16 : 32;
  const picture = nativeImage.createFromPath(join(app.getAppPath(), "ui", "pictures", "icon.png"));
  return picture.resize({ width: size, height: size, quality: "best" });
}
