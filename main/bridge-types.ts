// The types of `window.hearth`, which the preload script adds to the desktop window only. ui/ imports them.

/** `synced`: OneDrive, Dropbox and the like may change files in the folder; `network`: another machine may. */
export type FolderWarning = "synced" | "network";

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
  /** Restarts the server with the folder that chooseDataFolder returned last; resolves when the server answers. */
  useDataFolder(): Promise<DesktopSettings>;
  /** Opens the folder in the system's file manager. */
  showDataFolder(): Promise<void>;
  /** Calls the listener with the current state and with each change. Returns a function that removes the listener. */
  onServerState(listener: (state: ServerState) => void): () => void;
}

declare global {
  interface Window {
    /** Undefined in a browser, where /admin/ does not show what only the desktop app can do. */
    readonly hearth?: Desktop;
  }
}
