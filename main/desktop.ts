import { existsSync } from "node:fs";
import { app, type BrowserWindow, shell } from "electron";
import { defaultDataFolder, holdsOrganization } from "../server/supervisor/data-folder.ts";
import { isLoopback, reachableUrls } from "../server/supervisor/listening.ts";
import type { AppSettings, SettingsFile } from "./app-settings.ts";
import type { Calls } from "./bridge.ts";
import type { Behavior, ChosenFolder, DesktopSettings, ServerProblem, ServerState } from "./bridge-types.ts";
import { chosenFolder } from "./data-folder.ts";
import { askForFolder, askHowToGoOn, errorText, RestartFailed } from "./error-dialogs.ts";
import { folderWarning } from "./folder-warning.ts";
import { LocalServer, type ServerLocation } from "./local-server.ts";
import { setStartAtLogin, startsAtLogin } from "./start-at-login.ts";
import { texts } from "./texts.ts";
import type { HostStatus } from "./tray-menu.ts";

export interface DesktopOptions {
  settings: SettingsFile;
  /** The window that dialogs belong to, brought to the front; undefined where there is none. */
  dialogParent(): BrowserWindow | undefined;
  hasTray(): boolean;
  onState(state: ServerState): void;
  /** Called when something that `status` shows may have changed. */
  onStatus(): void;
  /** Called when the page asks to quit. */
  onQuit(): void;
  /** Called when the server cannot run and the user has chosen to quit. */
  onGivenUp(): void;
  report(line: string): void;
}

/** Runs the server of the window, and answers the calls by which the page changes its folder and network. */
export class Desktop implements Calls {
  readonly server: LocalServer;
  readonly #file: SettingsFile;
  readonly #options: Pick<DesktopOptions, "dialogParent" | "hasTray" | "onStatus" | "onQuit" | "onGivenUp">;
  #folderDialog: Promise<ChosenFolder | null> | undefined;
  #chosen: ChosenFolder | undefined;
  /** Moves run one after another, since each may have to be undone. */
  #moves: Promise<unknown> = Promise.resolve();

  constructor({ settings, onState, report, ...options }: DesktopOptions) {
    this.#file = settings;
    this.#options = options;
    this.server = new LocalServer({
      onState: (state) => {
        onState(state);
        options.onStatus();
      },
      onSummary: options.onStatus,
      report,
      onGivenUp: (message) => {
        const reason = this.#isFolderMissing() ? texts.folderMissing(this.dataFolder) : message;
        void this.#recoverFrom(new RestartFailed(reason)).then((runs) => runs || options.onGivenUp());
      },
    });
  }

  get dataFolder(): string {
    return this.#file.values.dataFolder ?? defaultDataFolder();
  }

  /** Starts the server; asks the user what to do after an error. False if the user quits. */
  async startServer(): Promise<boolean> {
    try {
      if (this.#isFolderMissing()) throw new Error(texts.folderMissing(this.dataFolder));
      await this.server.run(locationOf(this.#file.values));
      return true;
    } catch (error) {
      return this.#recoverFrom(error as NodeJS.ErrnoException);
    }
  }

  /** Only the default folder may be created, and only at first: any other is missing because its disk is. */
  #isFolderMissing(): boolean {
    const mayBeCreated = this.#file.values.dataFolder === null && this.server.location === undefined;
    return !mayBeCreated && !existsSync(this.dataFolder);
  }

  async #recoverFrom(error: NodeJS.ErrnoException): Promise<boolean> {
    if (this.server.isStopping) return true; // the user has quit
    const location = locationOf(this.#file.values);
    return (
      (await askHowToGoOn(error, location, this.#file, this.#options.dialogParent())) === "again" && this.startServer()
    );
  }

  /** For the tray: read again every two seconds, so that a new address of this computer appears. */
  get status(): HostStatus {
    const { summary, location, state } = this.server;
    const isOpen = location !== undefined && !isLoopback(location.address);
    return {
      state,
      organization: summary?.name,
      peopleOnline: summary?.peopleOnline ?? 0,
      address: isOpen ? reachableUrls({ host: location.address, port: location.port })[0]?.url : undefined,
      startAtLogin: startsAtLogin(),
    };
  }

  settings(): Promise<DesktopSettings> {
    const { dataFolder, lan, port, closeToTray, keepAwake } = this.#file.values;
    return Promise.resolve({
      dataFolder: this.dataFolder,
      isDefaultFolder: dataFolder === null || dataFolder === defaultDataFolder(),
      folderWarning: folderWarning(this.dataFolder),
      lan,
      port,
      closeToTray,
      keepAwake,
      startAtLogin: startsAtLogin(),
      hasTray: this.#options.hasTray(),
      version: app.getVersion(),
    });
  }

  serverState(): ServerState {
    return this.server.state;
  }

  setNetwork({ lan }: { lan: boolean }): Promise<DesktopSettings> {
    return this.#move({ lan });
  }

  async setBehavior({ startAtLogin, ...change }: Partial<Behavior>): Promise<DesktopSettings> {
    try {
      if (Object.keys(change).length > 0) this.#file.update(change);
      if (startAtLogin !== undefined) setStartAtLogin(startAtLogin);
    } catch (error) {
      throw new Error(texts.settingsNotKept((error as Error).message));
    }
    this.#options.onStatus();
    return this.settings();
  }

  serverProblem(): Promise<ServerProblem | null> {
    return Promise.resolve(this.server.problem);
  }

  startAgain(): Promise<void> {
    this.server.startAgain();
    return Promise.resolve();
  }

  quit(): Promise<void> {
    this.#options.onQuit();
    return Promise.resolve();
  }

  /** Opens one dialog at a time. */
  chooseDataFolder(): Promise<ChosenFolder | null> {
    this.#folderDialog ??= this.#askForFolder().finally(() => {
      this.#folderDialog = undefined;
    });
    return this.#folderDialog;
  }

  async #askForFolder(): Promise<ChosenFolder | null> {
    const chosen = await askForFolder(this.#options.dialogParent(), this.dataFolder);
    if (chosen === undefined) return null;
    try {
      this.#chosen = chosenFolder(chosen);
    } catch (error) {
      throw new Error(errorText(error as NodeJS.ErrnoException, chosen));
    }
    return this.#chosen;
  }

  async useDataFolder(): Promise<DesktopSettings> {
    if (!this.#chosen) throw new Error(texts.noFolderChosen);
    const { path } = this.#chosen;
    this.#chosen = undefined;
    const { holds } = chosenFolder(path); // it may have changed
    if (holds === "other files") throw new Error(texts.folderHoldsOther(path));
    return this.#move({ dataFolder: path === defaultDataFolder() ? null : path });
  }

  async showDataFolder(): Promise<void> {
    const problem = await shell.openPath(this.dataFolder);
    if (problem !== "") throw new Error(problem);
  }

  /** Restarts the server with changed settings and saves them; on failure returns to the old settings. */
  #move(change: Partial<AppSettings>): Promise<DesktopSettings> {
    const work = this.#moves.then(async () => {
      const location = locationOf({ ...this.#file.values, ...change });
      try {
        if (JSON.stringify(location) !== JSON.stringify(this.server.location)) {
          await this.server.run(location).catch((error: NodeJS.ErrnoException) => {
            throw new Error(errorText(error, location.dataFolder));
          });
        }
        // If saving fails, the move fails: otherwise the next start would not find an organization made there.
        this.#file.update(change);
      } catch (error) {
        void this.startServer().then((runs) => runs || this.#options.onGivenUp());
        throw error;
      }
      return this.settings();
    });
    this.#moves = work.catch(() => {});
    return work;
  }
}

/** Other machines cannot connect before there is an organization, even if the settings allow it. */
function locationOf({ dataFolder, lan, port }: AppSettings): ServerLocation {
  const folder = dataFolder ?? defaultDataFolder();
  return { dataFolder: folder, address: lan && holdsOrganization(folder) ? "0.0.0.0" : "127.0.0.1", port };
}
