// The types of `window.hearth`, which the preload script adds to the desktop window only. ui/ imports them.

/** `synced`: OneDrive, Dropbox and the like may change files in the folder; `network`: another machine may. */
export type FolderWarning = "synced" | "network";

export interface DesktopSettings {
  readonly dataFolder: string;
  readonly isDefaultFolder: boolean;
  readonly folderWarning: FolderWarning | null;
  /** Whether other machines can connect, once there is an organization. */
  readonly lan: boolean;
  readonly port: number;
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

export interface Desktop {
  readonly platform: "linux" | "darwin" | "win32";
  settings(): Promise<DesktopSettings>;
  /** Saves the setting and restarts the server; resolves when the server answers again. */
  setNetwork(network: { lan: boolean }): Promise<DesktopSettings>;
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
