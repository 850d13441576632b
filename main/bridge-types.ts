import type { ReportedProblem } from "../server/errors.ts";
import type { WorkPhase } from "../server/host/backups/run-on-thread.ts";
import type { FolderWarning } from "../server/host/supervisor/folder-warning.ts";
import type { MoveProblem, MoveTarget } from "../server/host/supervisor/move-target.ts";

// The types of `window.hearth`, which exists only in the desktop window. ui/ imports them.

export type { FolderWarning };

export type KeepAwake = "never" | "on power" | "always";

export type ChatIn = "window" | "browser";

export interface Behavior {
  /** Whether closing the window keeps Hearth in the tray. */
  readonly closeToTray: boolean;
  /** Whether the system starts Hearth, without a window, when the user signs in. */
  readonly startAtLogin: boolean;
  /** Whether the computer stays awake while people are online. "on power": not on battery. */
  readonly keepAwake: KeepAwake;
  /** Where the chat opens: in a window of the app, or in the system's browser. */
  readonly chatIn: ChatIn;
  /** Whether the chat keeps running for notifications when its window is closed. */
  readonly keepChat: boolean;
}

export interface DesktopSettings extends Behavior {
  readonly dataFolder: string;
  readonly isDefaultFolder: boolean;
  readonly folderWarning: FolderWarning | null;
  /** Whether other machines can connect, once there is an organization. */
  readonly lan: boolean;
  readonly port: number;
  /** Without a tray, closing the window quits. */
  readonly hasTray: boolean;
  /** The version of Hearth. */
  readonly version: string;
}

/** The service that starts the server with the computer. */
export interface ServiceState {
  /** `log`: a file, or a command that prints it. null: there is no service for this data folder. */
  readonly installed: { readonly place: string; readonly log: string } | null;
  readonly isRunning: boolean;
}

export interface ChosenFolder {
  readonly path: string;
  readonly holds: "organization" | "nothing" | "other files";
  readonly warning: FolderWarning | null;
}

/** `failed`: it could not start. `stopped`: it ran, and does not restart automatically. */
export type ServerState = "starting" | "setup" | "running" | "restarting" | "failed" | "stopped";

/** Why the server does not respond, and the number of failures in a row. */
export interface ServerProblem {
  readonly problem: ReportedProblem;
  readonly failures: number;
  /** Whether the data folder has no organization, so that the page cannot say that the data is safe. */
  readonly isDataMissing: boolean;
}

/** Work that needs the server to stop, with its progress. */
export interface FolderWork {
  readonly kind: "move" | "restore";
  readonly phase: "stopping" | WorkPhase | "starting";
  /** Bytes. */
  readonly done: number;
  readonly total: number;
}

export type { MoveProblem, MoveTarget };

/** How Hearth was installed. Decides the format of updates. */
export type Installation = "AppImage" | "deb" | "rpm" | "nsis" | "mac";

/** Why an update failed. The detail is a URL, a path, a version or a system message. */
export interface UpdateProblem {
  readonly code:
    | "address" // not a web URL
    | "key" // not a key
    | "noKey" // nothing can be verified without a key
    | "notInstalled" // this copy cannot be replaced
    | "unsigned" // macOS does not replace unsigned apps
    | "unreachable"
    | "noRelease" // the feed names no release
    | "noSignature"
    | "wrongSignature"
    | "malformed"
    | "older"
    | "noFile" // no installer for this system
    | "otherFile" // the release does not list the chosen file
    | "otherKind" // an installer of another format
    | "interrupted"
    | "damaged"
    | "disk"
    | "diskFull"
    | "noServer" // it does not respond, so there is no backup
    | "backup"
    | "install";
  readonly detail: string | null;
}

/** With a key and no URL, updates come only from files that the user chooses. */
export interface UpdateSource {
  readonly address: string | null;
  /** An Ed25519 public key, 32 bytes in base64, that verifies releases. */
  readonly key: string | null;
}

/** Times are milliseconds since the epoch, sizes are bytes. */
export interface UpdateState {
  /** The running version. */
  readonly version: string;
  /** null: not an installation, so it cannot be updated. */
  readonly installation: Installation | null;
  readonly source: UpdateSource;
  readonly step:
    | "idle" // no attempt yet, or a failure
    | "checking"
    | "current" // up to date
    | "found"
    | "downloading"
    | "ready" // downloaded and verified
    | "asking" // whether to disconnect the people online
    | "backing up"
    | "keeping" // copying the running version
    | "installing";
  /** Last successful read of a feed or a file. */
  readonly checkedAt: number | null;
  readonly problem: UpdateProblem | null;
  /** A newer version. */
  readonly found: {
    readonly version: string;
    /** Plain text. */
    readonly notes: string;
    readonly madeAt: number | null;
    readonly size: number;
  } | null;
  /** Downloaded bytes. */
  readonly done: number;
  readonly last: LastUpdate | null;
}

/** The newest update (main/updates/update-record.ts). */
export interface LastUpdate {
  readonly from: string;
  readonly to: string;
  readonly at: number;
  /** Path of the backup before the update; null if there was no organization. */
  readonly backup: string | null;
  /** Path of the previous version; null after its deletion. */
  readonly kept: string | null;
  /** When the previous version is deleted; null until the new version responds. */
  readonly keptUntil: number | null;
  readonly outcome: "installing" | "answered" | "failed";
  readonly reason: string | null;
}

export interface Desktop {
  readonly platform: "linux" | "darwin" | "win32";
  settings(): Promise<DesktopSettings>;
  /** Saves the setting and restarts the server. Resolves when the server responds. */
  setNetwork(network: { lan: boolean }): Promise<DesktopSettings>;
  setBehavior(change: Partial<Behavior>): Promise<DesktopSettings>;
  service(): Promise<ServiceState>;
  /** Installs or removes the service, and restarts the server. Resolves when the server responds. */
  setService(service: { on: boolean }): Promise<ServiceState>;
  /** Null while the server responds. */
  serverProblem(): Promise<ServerProblem | null>;
  /** Starts a failed server without waiting for the next attempt. */
  startAgain(): Promise<void>;
  /** Asks first if people are online. */
  quit(): Promise<void>;
  /** Shows the system's folder dialog; null if canceled. */
  chooseDataFolder(): Promise<ChosenFolder | null>;
  /** Shows the system's file dialog; null if canceled. */
  chooseBackup(): Promise<string | null>;
  /** Shows the system's folder dialog; null if canceled. */
  chooseBackupFolder(): Promise<string | null>;
  /** Restarts the server with the last result of chooseDataFolder. Resolves when the server responds. */
  useDataFolder(): Promise<DesktopSettings>;
  /** Shows the system's folder dialog and checks the folder; null if canceled. */
  chooseMoveTarget(): Promise<MoveTarget | null>;
  /** Moves the data to the last result of chooseMoveTarget. Resolves when the server responds; false if canceled. */
  moveDataFolder(): Promise<boolean>;
  /** Null if no move or restore runs. */
  folderWork(): Promise<FolderWork | null>;
  cancelMove(): Promise<void>;
  /** Reverts to the folder that was used before the move. Resolves when the server responds. */
  goBackToOldFolder(): Promise<void>;
  /** Permanently deletes the folder before the move. */
  removeOldFolder(): Promise<void>;
  /** Opens the system's file manager. */
  showDataFolder(): Promise<void>;
  /** The path of a file or folder that the user has dropped or chosen; empty for other files. */
  pathOf(file: File): string;
  /** Opens the chat in its window or in the browser, signed in as the owner. `address`: `/`, or a conversation: `/#narrow/dm/5-dm`. */
  openChat(address: string): Promise<void>;
  updates(): Promise<UpdateState>;
  /** If the state has a problem, nothing was saved. */
  setUpdateSource(source: UpdateSource): Promise<UpdateState>;
  /** This and the next methods resolve at the end, also after a failure, which is in the state. */
  checkForUpdate(): Promise<UpdateState>;
  downloadUpdate(): Promise<UpdateState>;
  /** Cancels a check or a download. */
  cancelUpdate(): Promise<UpdateState>;
  /** The release file and its signature must be next to the installer. */
  checkInstallerFile(file: File): Promise<UpdateState>;
  /** Shows the system's file dialog. */
  chooseInstallerFile(): Promise<UpdateState>;
  /** Asks if people are online, creates a backup, keeps the running version and installs the new version. */
  installUpdate(): Promise<UpdateState>;
  removeKeptVersion(): Promise<UpdateState>;
  /** Calls the listener now and after each change. Returns a function that removes it. */
  onServerState(listener: (state: ServerState) => void): () => void;
}

/** The calls of the chat window's page to the shell. */
export interface ChatShell {
  /** The server's URL for other people, without a slash at the end. The page's own URL works only in this window. */
  serverUrl(): string;
  /** Shows the count on the app's icon, or removes it with 0. */
  setUnread(count: number): void;
  /** Brings the window to the front. */
  show(): void;
}

declare global {
  interface Window {
    /** Undefined in a browser, where /admin/ hides features of the desktop app. */
    readonly hearth?: Desktop;
    /** Only in the chat window of the desktop app. */
    readonly hearthChat?: ChatShell;
  }
}
