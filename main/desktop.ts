import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { app, type BrowserWindow, shell } from "electron";
import { Failure, type Problem, problem, reported } from "../server/errors.ts";
import { FolderMoved } from "../server/host/backups/move-marks.ts";
import { defaultDataFolder, holdsOrganization } from "../server/host/supervisor/data-folder.ts";
import { folderWarning } from "../server/host/supervisor/folder-warning.ts";
import { isLoopback, reachableUrls } from "../server/host/supervisor/listening.ts";
import type { AppSettings, SettingsFile } from "./app-settings.ts";
import type { ServerHost } from "./attached-server.ts";
import type { Calls } from "./bridge.ts";
import type {
  Behavior,
  ChosenFolder,
  DesktopSettings,
  FolderWork,
  MoveTarget,
  ServerProblem,
  ServerState,
  ServiceState,
} from "./bridge-types.ts";
import { chosenFolder } from "./data-folder.ts";
import { chosenTarget, DataMove } from "./data-move.ts";
import { askForBackup, askForFolder, askHowToGoOn, desktopProblem, RestartFailed } from "./error-dialogs.ts";
import { LocalServer, type ServerLocation } from "./local-server.ts";
import { installAt, isServed, removeFrom, serviceState } from "./own-service.ts";
import { callServer } from "./protocol.ts";
import { setStartAtLogin, startsAtLogin } from "./start-at-login.ts";
import { texts } from "./texts.ts";
import type { TrayStatus } from "./tray-menu.ts";

/** Limit of consecutive moves to follow. */
const MAX_MOVES = 5;

export interface DesktopOptions {
  settings: SettingsFile;
  /** Shows the window that dialogs belong to; undefined if there is none. */
  dialogParent(): BrowserWindow | undefined;
  hasTray(): boolean;
  onState(state: ServerState): void;
  /** Called when something that `status` shows may have changed. */
  onStatus(): void;
  /** Opens the chat window. `hash`: empty, or that of a conversation. */
  openChatWindow(hash: string): void;
  /** Called when the page asks to quit. */
  onQuit(): void;
  /** Called when the server cannot run and the user has chosen to quit. */
  onGivenUp(): void;
  report(line: string): void;
}

/** Runs the server, and handles the page's calls that change its folder and network. */
export class Desktop implements Calls {
  readonly server: LocalServer;
  readonly #file: SettingsFile;
  readonly #options: Pick<
    DesktopOptions,
    "dialogParent" | "hasTray" | "openChatWindow" | "onStatus" | "onQuit" | "onGivenUp"
  >;
  #folderDialog: Promise<ChosenFolder | null> | undefined;
  #chosen: ChosenFolder | undefined;
  readonly #dataMove: DataMove;
  #moveDialog: Promise<string | undefined> | undefined;
  #backupDialog: Promise<string | undefined> | undefined;
  #backupFolderDialog: Promise<string | undefined> | undefined;
  #moveTarget: string | undefined;
  /** Changes of the folder or the network run one after another, because each can fail and revert. */
  #changes: Promise<unknown> = Promise.resolve();

  constructor({ settings, onState, report, ...options }: DesktopOptions) {
    this.#file = settings;
    this.#options = options;
    this.server = new LocalServer({
      onState: (state) => {
        onState(state);
        options.onStatus();
      },
      onSummary: options.onStatus,
      isServed: (location) => isServed(location, report),
      report,
      onGivenUp: (why) => {
        void this.#recoverFrom(new RestartFailed(this.#isFolderMissing() ? this.#folderMissing() : why)).then(
          (runs) => runs || options.onGivenUp(),
        );
      },
    });
    this.#dataMove = new DataMove({
      settings,
      server: this.server,
      dataFolder: () => this.dataFolder,
      run: () => this.server.run(locationOf(this.#file.values)),
      recover: () => this.#startOrGiveUp(),
      report,
    });
  }

  get dataFolder(): string {
    return this.#file.values.dataFolder ?? defaultDataFolder();
  }

  #folderMissing(): Problem {
    return problem("data_folder_not_found", { folder: this.dataFolder });
  }

  /** Asks the user what to do after an error. Returns false if the user quits. */
  async startServer(): Promise<boolean> {
    try {
      if (this.#isFolderMissing()) throw new Failure(this.#folderMissing());
      await this.#runWhereItIs();
      return true;
    } catch (error) {
      return this.#recoverFrom(error as NodeJS.ErrnoException);
    }
  }

  #startOrGiveUp(): void {
    void this.startServer().then((runs) => runs || this.#options.onGivenUp());
  }

  /** Follows a move that ended before the settings were saved. */
  async #runWhereItIs(): Promise<void> {
    const began = this.dataFolder;
    for (let moves = 0; moves < MAX_MOVES; moves += 1) {
      try {
        return await this.server.run(locationOf(this.#file.values));
      } catch (error) {
        if (!(error instanceof FolderMoved) || !existsSync(error.to)) throw error;
        this.#file.update({ dataFolder: error.to });
      }
    }
    throw new Failure(problem("moved_data_not_found", { folder: began }));
  }

  /** Only the first start may create the default folder. Any other missing folder is on a disconnected disk. */
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

  /** For the tray, every two seconds, so that it shows new addresses of this computer. */
  get status(): Omit<TrayStatus, "update" | "unread"> {
    const { summary, location, state } = this.server;
    const isOpen = location !== undefined && !isLoopback(location.address);
    return {
      state,
      organization: summary?.name,
      peopleOnline: summary?.peopleOnline ?? 0,
      address: isOpen
        ? reachableUrls({ host: location.address, port: location.port, https: summary?.https ?? false })[0]?.url
        : undefined,
      startAtLogin: startsAtLogin(),
    };
  }

  settings(): Promise<DesktopSettings> {
    const { dataFolder, closeToTray, keepAwake, chatIn, keepChat } = this.#file.values;
    // A service may have been installed with another network than the app's settings.
    const { attached, location } = this.server;
    const { lan, port } =
      attached && location ? { lan: !isLoopback(location.address), port: location.port } : this.#file.values;
    return Promise.resolve({
      dataFolder: this.dataFolder,
      isDefaultFolder: dataFolder === null || dataFolder === defaultDataFolder(),
      folderWarning: folderWarning(this.dataFolder),
      lan,
      port,
      closeToTray,
      keepAwake,
      chatIn,
      keepChat,
      startAtLogin: startsAtLogin(),
      hasTray: this.#options.hasTray(),
      version: app.getVersion(),
    });
  }

  serverState(): ServerState {
    return this.server.state;
  }

  setNetwork({ lan }: { lan: boolean }): Promise<DesktopSettings> {
    return this.#restartWith({ lan });
  }

  async setBehavior({ startAtLogin, ...change }: Partial<Behavior>): Promise<DesktopSettings> {
    try {
      if (Object.keys(change).length > 0) this.#file.update(change);
      if (startAtLogin !== undefined) setStartAtLogin(startAtLogin);
    } catch (error) {
      throw new Failure(problem("settings_not_saved", { cause: (error as Error).message }));
    }
    this.#options.onStatus();
    return this.settings();
  }

  service(): Promise<ServiceState> {
    return serviceState(this.dataFolder);
  }

  setService({ on }: { on: boolean }): Promise<ServiceState> {
    return this.#inTurn(async () => {
      const location = this.server.location ?? locationOf(this.#file.values);
      let isReleased = false;
      const release = async () => {
        isReleased = true;
        await this.server.stoppedFor(async () => {});
      };
      try {
        if (on) await installAt(location, release);
        else await removeFrom(location.dataFolder);
        await this.server.run(location);
      } catch (error) {
        if (isReleased || !on) this.#startOrGiveUp();
        throw error;
      }
      return this.service();
    });
  }

  /** The server of a service has the folder locked, and continues there. */
  #assertOwnServer(): void {
    if (this.server.attached) throw new Failure(problem("service_already_running"));
  }

  serverProblem(): Promise<ServerProblem | null> {
    const { outage } = this.server;
    if (!outage) return Promise.resolve(null);
    // The server's message about a missing folder is for the command line.
    const why = existsSync(this.dataFolder) ? outage.problem : this.#folderMissing();
    return Promise.resolve({ ...outage, problem: reported(why), isDataMissing: !holdsOrganization(this.dataFolder) });
  }

  startAgain(): Promise<void> {
    // Its service may have been removed.
    if (this.server.attached) this.#startOrGiveUp();
    else this.server.startAgain();
    return Promise.resolve();
  }

  quit(): Promise<void> {
    this.#options.onQuit();
    return Promise.resolve();
  }

  /** Opens one dialog at a time. */
  async chooseDataFolder(): Promise<ChosenFolder | null> {
    this.#assertOwnServer();
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
      throw new Failure(desktopProblem(error as NodeJS.ErrnoException, chosen));
    }
    return this.#chosen;
  }

  async chooseBackup(): Promise<string | null> {
    this.#backupDialog ??= askForBackup(this.#options.dialogParent()).finally(() => {
      this.#backupDialog = undefined;
    });
    return (await this.#backupDialog) ?? null;
  }

  async chooseBackupFolder(): Promise<string | null> {
    this.#backupFolderDialog ??= askForFolder(
      this.#options.dialogParent(),
      dirname(this.dataFolder),
      texts.backupFolderDialog,
    ).finally(() => {
      this.#backupFolderDialog = undefined;
    });
    return (await this.#backupFolderDialog) ?? null;
  }

  async useDataFolder(): Promise<DesktopSettings> {
    if (!this.#chosen) throw new Failure(problem("no_folder_chosen"));
    const { path } = this.#chosen;
    this.#chosen = undefined;
    const { holds } = chosenFolder(path); // it may have changed
    if (holds === "other files") throw new Failure(problem("folder_has_other_files", { folder: path }));
    return this.#restartWith({ dataFolder: path === defaultDataFolder() ? null : path });
  }

  async showDataFolder(): Promise<void> {
    const cause = await shell.openPath(this.dataFolder);
    if (cause !== "") throw new Failure(problem("unknown", { cause }));
  }

  async openChat(address: string): Promise<void> {
    const hash = address.slice(1);
    const upstream = this.#upstream();
    if (this.#file.values.chatIn === "window") return this.#options.openChatWindow(hash);
    const { path } = await callServer<{ path: string }>(upstream, "POST", "/host/session-codes");
    await shell.openExternal(`${this.#localUrl}${path}${hash}`);
  }

  /** Opens an uploaded file in the browser, which then needs no sign-in. `path`: `/user_uploads/…`. */
  async openFile(path: string): Promise<void> {
    const { url } = await callServer<{ url: string }>(this.#upstream(), "GET", `/api/v1${path}`);
    await shell.openExternal(`${this.#localUrl}${url}`);
  }

  /** For links that people send to each other. */
  get serverUrl(): string {
    return this.status.address ?? this.#localUrl;
  }

  /** Plain HTTP on this machine needs no certificate, and browsers allow notifications there. */
  get #localUrl(): string {
    return `http://127.0.0.1:${this.server.location?.port ?? this.#file.values.port}`;
  }

  #upstream(): ServerHost {
    const { supervisor, state } = this.server;
    if (!supervisor || state === "setup") throw new Failure(problem("chat_not_ready"));
    return supervisor;
  }

  /** Restarts the server with changed settings and saves them. Reverts to the old settings after a failure. */
  #restartWith(change: Partial<AppSettings>): Promise<DesktopSettings> {
    return this.#inTurn(async () => {
      const location = locationOf({ ...this.#file.values, ...change });
      try {
        if (JSON.stringify(location) !== JSON.stringify(this.server.location)) {
          if (this.server.attached) await installAt(location);
          await this.server.run(location).catch((error: NodeJS.ErrnoException) => {
            throw new Failure(desktopProblem(error, location.dataFolder));
          });
        }
        // Must fail if saving fails. Otherwise the next start would not find an organization created there.
        this.#file.update(change);
      } catch (error) {
        this.#startOrGiveUp();
        throw error;
      }
      return this.settings();
    });
  }

  async chooseMoveTarget(): Promise<MoveTarget | null> {
    this.#assertOwnServer();
    this.#moveTarget = undefined;
    this.#moveDialog ??= askForFolder(this.#options.dialogParent(), dirname(this.dataFolder), texts.moveDialog).finally(
      () => {
        this.#moveDialog = undefined;
      },
    );
    const chosen = await this.#moveDialog;
    if (chosen === undefined) return null;
    try {
      const target = await chosenTarget(this.dataFolder, chosen);
      if (target.problem === null) this.#moveTarget = target.path;
      return target;
    } catch (error) {
      throw new Failure(desktopProblem(error as NodeJS.ErrnoException, chosen));
    }
  }

  moveDataFolder(): Promise<boolean> {
    const to = this.#moveTarget;
    if (to === undefined) return Promise.reject(new Failure(problem("no_folder_chosen")));
    this.#moveTarget = undefined;
    return this.#inTurn(() => this.#dataMove.move(to));
  }

  folderWork(): Promise<FolderWork | null> {
    const { restoring } = this.server;
    return Promise.resolve(this.#dataMove.state ?? (restoring ? { kind: "restore", ...restoring } : null));
  }

  cancelMove(): Promise<void> {
    this.#dataMove.cancel();
    return Promise.resolve();
  }

  async goBackToOldFolder(): Promise<void> {
    this.#assertOwnServer();
    return this.#inTurn(() => this.#dataMove.goBack());
  }

  removeOldFolder(): Promise<void> {
    return this.#inTurn(() => this.#dataMove.removeOld());
  }

  #inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const work = this.#changes.then(task);
    this.#changes = work.catch(() => {});
    return work;
  }
}

/** Other machines cannot connect before there is an organization, even if the settings allow it. */
function locationOf({ dataFolder, lan, port }: AppSettings): ServerLocation {
  const folder = dataFolder ?? defaultDataFolder();
  return { dataFolder: folder, address: lan && holdsOrganization(folder) ? "0.0.0.0" : "127.0.0.1", port };
}
