import { execFile } from "node:child_process";
import { Menu, Tray } from "electron";
import { trayPicture } from "./pictures.ts";
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
  #hasUnread = false;

  constructor(actions: TrayActions) {
    this.#actions = actions;
  }

  get isShown(): boolean {
    return this.#tray !== undefined;
  }

  /** Shows the icon if the system has a tray. Callers retry, because the desktop's panel may start after Hearth. */
  async show(status: TrayStatus): Promise<boolean> {
    if (!this.#tray && (await systemHasTray())) {
      this.#tray ??= new Tray(trayPicture({ hasUnread: false }));
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
    const hasUnread = status.unread > 0;
    if (hasUnread !== this.#hasUnread) this.#tray.setImage(trayPicture({ hasUnread }));
    this.#hasUnread = hasUnread;
    this.#tray.setToolTip(trayToolTip(status));
    this.#tray.setContextMenu(Menu.buildFromTemplate(trayMenu(status, this.#actions)));
  }

  remove(): void {
    this.#tray?.destroy();
    this.#tray = undefined;
  }
}
