import type { WorkPhase } from "../server/host/backups/run-on-thread.ts";
import type { FolderWarning } from "../server/host/supervisor/folder-warning.ts";
import type { MoveProblem, MoveTarget } from "../server/host/supervisor/move-target.ts";

// The types of `window.hearth`, which the preload script adds to the desktop window only. ui/ imports them.

export type { FolderWarning };

export type KeepAwake = "never" | "on power" | "always";

/** What the app does beside hosting; each can be changed by itself. */
export interface Behavior {
  /** Whether closing the window leaves Hearth in the tray. */
  readonly closeToTray: boolean;
  /** Whether the system starts Hearth, without a window, when the user signs in. */
  readonly startAtLogin: boolean;
  /** Whether the computer stays awake while people are online; "on power": not while it runs on battery. */
  readonly keepAwake: KeepAwake;
}

export interface DesktopSettings extends Behavior {
  readonly dataFolder: string;
  readonly isDefaultFolder: boolean;
  readonly folderWarning: FolderWarning | null;
  /** Whether other machines can connect, once there is an organization. */
  readonly lan: boolean;
  readonly port: number;
  /** Whether the system shows a tray; without one, closing the window quits. */
  readonly hasTray: boolean;
  /** The version of Hearth. */
  readonly version: string;
}

export interface ChosenFolder {
  readonly path: string;
  readonly holds: "organization" | "nothing" | "other files";
  readonly warning: FolderWarning | null;
}

/** `failed`: it could not be started. `stopped`: it ran, and is not started again by itself. */
export type ServerState = "starting" | "setup" | "running" | "restarting" | "failed" | "stopped";

/** Why the server does not answer, and how often in a row it has failed. */
export interface ServerProblem {
  /** One sentence, or the message of the error. */
  readonly reason: string;
  readonly failures: number;
  /** Whether the data is not where it was: what is safe, and what is not, cannot be said then. */
  readonly isDataMissing: boolean;
}

/** What the server is stopped for, and how far that is. */
export interface FolderWork {
  readonly kind: "move" | "restore";
  readonly phase: "stopping" | WorkPhase | "starting";
  /** Bytes. */
  readonly done: number;
  readonly total: number;
}

export type { MoveProblem, MoveTarget };

/** How Hearth was installed, and so what an update is. */
export type Installation = "AppImage" | "deb" | "rpm" | "nsis" | "mac";

/** Why an update does not go on. The detail is an address, a path, a version or the system's own words. */
export interface UpdateProblem {
  readonly code:
    | "address" // it is no address of the web
    | "key" // it is no key
    | "noKey" // nothing could be checked
    | "notInstalled" // this copy cannot be replaced
    | "unsigned" // macOS would not let it be replaced
    | "unreachable"
    | "noRelease" // the feed does not say what is newest
    | "noSignature"
    | "wrongSignature"
    | "malformed"
    | "older"
    | "noFile" // no installer for this system
    | "otherFile" // the release does not name the given file
    | "otherKind" // it is an installer of another kind
    | "interrupted"
    | "damaged"
    | "disk"
    | "diskFull"
    | "noServer" // it does not answer, so that it cannot be backed up
    | "backup"
    | "install";
  readonly detail: string | null;
}

/** Where updates come from. With a key and no address, only from files that the user hands over. */
export interface UpdateSource {
  readonly address: string | null;
  /** An Ed25519 key, 32 bytes in base64, by which releases are checked. */
  readonly key: string | null;
}

/** Times are milliseconds since the epoch, sizes are bytes. */
export interface UpdateState {
  /** The running version. */
  readonly version: string;
  /** null: this copy is no installation, and is not replaced. */
  readonly installation: Installation | null;
  readonly source: UpdateSource;
  readonly step:
    | "idle" // nothing was asked yet, or it failed
    | "checking"
    | "current" // there is nothing newer
    | "found"
    | "downloading"
    | "ready" // downloaded and checked
    | "asking" // whether the people online may be cut off
    | "backing up"
    | "keeping" // copying the running version aside
    | "installing";
  /** When a feed or a file was last read with success. */
  readonly checkedAt: number | null;
  readonly problem: UpdateProblem | null;
  /** Of a newer version. */
  readonly found: {
    readonly version: string;
    /** Plain text. */
    readonly notes: string;
    readonly madeAt: number | null;
    readonly size: number;
  } | null;
  /** What is downloaded of it. */
  readonly done: number;
  readonly last: LastUpdate | null;
}

/** The newest installation, as `main/updates/update-record.ts` stores it. */
export interface LastUpdate {
  readonly from: string;
  readonly to: string;
  readonly at: number;
  /** The path of the backup that was made before; null where there was no organization. */
  readonly backup: string | null;
  /** Where the version before is kept, and runs; null: no more. */
  readonly kept: string | null;
  /** When the version before is removed by itself; null while the new one has not answered. */
  readonly keptUntil: number | null;
  readonly outcome: "installing" | "answered" | "failed";
  readonly reason: string | null;
}

export interface Desktop {
  readonly platform: "linux" | "darwin" | "win32";
  settings(): Promise<DesktopSettings>;
  /** Saves the setting and restarts the server; resolves when the server answers again. */
  setNetwork(network: { lan: boolean }): Promise<DesktopSettings>;
  /** Saves these settings at once. */
  setBehavior(change: Partial<Behavior>): Promise<DesktopSettings>;
  /** Null while the server answers. */
  serverProblem(): Promise<ServerProblem | null>;
  /** Starts a server again that has failed or stopped, without waiting for the next attempt. */
  startAgain(): Promise<void>;
  /** Ends Hearth; asks first if people are online. */
  quit(): Promise<void>;
  /** The system's folder dialog; null when cancelled. */
  chooseDataFolder(): Promise<ChosenFolder | null>;
  /** The system's dialog for a backup to restore; its path, or null when cancelled. */
  chooseBackup(): Promise<string | null>;
  /** Restarts the server with the folder that chooseDataFolder returned last; resolves when the server answers. */
  useDataFolder(): Promise<DesktopSettings>;
  /** The system's dialog for a new place of the data folder, and whether it can be used; null when cancelled. */
  chooseMoveTarget(): Promise<MoveTarget | null>;
  /**
   * Moves the data to the place that chooseMoveTarget returned last; resolves when the server answers there. False: it
   * was cancelled, and everything is as it was.
   */
  moveDataFolder(): Promise<boolean>;
  /** Null while the data is neither moved nor restored. */
  folderWork(): Promise<FolderWork | null>;
  cancelMove(): Promise<void>;
  /** Goes back to the folder that the data was moved from; resolves when the server answers there. */
  goBackToOldFolder(): Promise<void>;
  /** Deletes the folder that the data was moved from, for good. */
  removeOldFolder(): Promise<void>;
  /** Opens the folder in the system's file manager. */
  showDataFolder(): Promise<void>;
  updates(): Promise<UpdateState>;
  /** Saves where updates come from; a problem with it is in the state, and then nothing is saved. */
  setUpdateSource(source: UpdateSource): Promise<UpdateState>;
  /** Asks the feed. Resolves at the end, as do the next four; what went wrong is in the state. */
  checkForUpdate(): Promise<UpdateState>;
  /** Downloads what was found, and checks it. */
  downloadUpdate(): Promise<UpdateState>;
  /** Ends a check or a download. */
  cancelUpdate(): Promise<UpdateState>;
  /** Reads and checks an installer; its release file and signature lie beside it. */
  checkInstallerFile(file: File): Promise<UpdateState>;
  /** The same, with the system's file dialog. */
  chooseInstallerFile(): Promise<UpdateState>;
  /** Asks if people are online, backs up, keeps the running version, and lets the new one take its place. */
  installUpdate(): Promise<UpdateState>;
  /** Removes what is kept of the version before. */
  removeKeptVersion(): Promise<UpdateState>;
  /** Calls the listener with the current state and with each change. Returns a function that removes the listener. */
  onServerState(listener: (state: ServerState) => void): () => void;
}

declare global {
  interface Window {
    /** Undefined in a browser, where /admin/ does not show what only the desktop app can do. */
    readonly hearth?: Desktop;
  }
}
