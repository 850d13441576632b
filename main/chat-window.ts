import { app, type BrowserWindow, ipcMain, type Session } from "electron";
import type { SettingsFile } from "./app-settings.ts";
import { unreadDot } from "./pictures.ts";
import { CHAT, isPageOf } from "./sites.ts";
import { texts } from "./texts.ts";
import { openWindow, rememberBounds } from "./window.ts";
import { CHAT_MIN_SIZE } from "./window-bounds.ts";

const MAX_UNREAD = 100_000;

export interface ChatWindowOptions {
  settings: SettingsFile;
  storage: Session;
  /** The server's URL for other people. */
  serverUrl(): string;
  /** Called when the user closes the window, which stays until `hide` or `end`. */
  onClose(): void;
  onUnread(count: number): void;
  report(what: string | Error): void;
}

/** The window with the chat. When the user closes it, it can continue hidden, so that notifications arrive. */
export class ChatWindow {
  readonly #options: ChatWindowOptions;
  #window: BrowserWindow | undefined;
  #isEnding = false;
  #unread = 0;
  #serverUrl = "";

  constructor(options: ChatWindowOptions) {
    this.#options = options;
    this.#fromPage("show", () => this.#bringToFront());
    this.#fromPage("unread", (count) => {
      if (Number.isInteger(count) && (count as number) >= 0) this.#setUnread(Math.min(count as number, MAX_UNREAD));
    });
  }

  get window(): BrowserWindow | undefined {
    return this.#window;
  }

  get isVisible(): boolean {
    return this.#window?.isVisible() === true;
  }

  /** `hash`: empty, or a conversation: `#narrow/dm/5-dm`. */
  open(hash = ""): void {
    if (!this.#window) {
      this.#create("shown", hash);
      return;
    }
    this.#bringToFront();
    if (hash !== "") this.#window.loadURL(`${CHAT.url}${hash}`).catch(this.#options.report);
  }

  /** Continues as the last run ended. */
  restore({ isHidden }: { isHidden: boolean }): void {
    const { chat, chatIn, keepChat } = this.#options.settings.values;
    if (this.#window || chat === "closed" || chatIn === "browser") return;
    if (chat === "open" && !isHidden) this.#create("shown", "");
    else if (keepChat) this.#create("hidden", "");
  }

  /** Hides the window, and ends the chat if it may not continue. */
  hide(): void {
    const { chatIn, keepChat } = this.#options.settings.values;
    if (!this.#window) return;
    if (chatIn === "browser" || !keepChat) {
      this.end();
      return;
    }
    this.#window.hide();
    this.#remember("hidden");
  }

  /** Call it when the settings or the server's URL may have changed. */
  refresh(): void {
    if (this.#options.settings.values.chat === "hidden") this.hide();
    const url = this.#options.serverUrl();
    if (url !== this.#serverUrl) this.#sendServerUrl();
  }

  reload(): void {
    this.#window?.webContents.reload();
  }

  end(): void {
    if (!this.#window) return;
    this.#isEnding = true;
    this.#window.close();
    this.#remember("closed");
  }

  /** The next start restores the window. */
  quit(): void {
    if (!this.#window) return;
    const { settings, report } = this.#options;
    if (this.isVisible) rememberBounds(this.#window, "chatWindow", settings, report);
    this.#window.hide();
  }

  #create(appears: "shown" | "hidden", hash: string): void {
    const { settings, storage, report, onClose } = this.#options;
    const window = openWindow({
      settings,
      site: CHAT,
      url: `${CHAT.url}${hash}`,
      title: texts.chatTitle,
      preload: "chat-preload.cjs",
      bounds: "chatWindow",
      minSize: CHAT_MIN_SIZE,
      appears,
      preferences: { session: storage, autoplayPolicy: "no-user-gesture-required" }, // sounds of notifications
      report,
    });
    this.#window = window;
    this.#isEnding = false;
    window.webContents.on("dom-ready", () => this.#sendServerUrl());
    window.on("close", (event) => {
      if (this.#isEnding) return;
      event.preventDefault();
      onClose();
    });
    window.on("closed", () => {
      if (this.#window !== window) return;
      this.#window = undefined;
      this.#setUnread(0);
    });
    this.#remember(appears === "shown" ? "open" : "hidden");
  }

  #bringToFront(): void {
    if (!this.#window) return;
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
    this.#remember("open");
  }

  #sendServerUrl(): void {
    this.#serverUrl = this.#options.serverUrl();
    this.#window?.webContents.send("hearth-chat:serverUrl", this.#serverUrl);
  }

  #setUnread(count: number): void {
    if (count === this.#unread) return;
    this.#unread = count;
    app.setBadgeCount(count); // Windows has overlays instead
    if (process.platform === "win32" && this.#window && !this.#window.isDestroyed())
      this.#window.setOverlayIcon(count > 0 ? unreadDot() : null, texts.unread(count));
    this.#options.onUnread(count);
  }

  #remember(chat: "open" | "hidden" | "closed"): void {
    const { settings, report } = this.#options;
    if (settings.values.chat === chat) return;
    try {
      settings.update({ chat });
    } catch (error) {
      report(`The state of the chat window was not saved: ${(error as Error).message}`);
    }
  }

  /** Receives from the window's own page only. */
  #fromPage(name: string, receive: (value: unknown) => void): void {
    ipcMain.on(`hearth-chat:${name}`, ({ sender, senderFrame }, value: unknown) => {
      if (sender === this.#window?.webContents && isPageOf(CHAT, senderFrame)) receive(value);
    });
  }
}
