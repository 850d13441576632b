// What the preload script puts at `window.hearth` of the desktop window, and nowhere else. Types only: ui/ imports them.

/** `synced`: OneDrive, Dropbox and the like change files behind our back; `network`: so may another machine. */
export type FolderWarning = "synced" | "network";

export interface DesktopSettings {
  readonly dataFolder: string;
  readonly isDefaultFolder: boolean;
  readonly folderWarning: FolderWarning | null;
  /** Whether other machines can connect, once there is an organization. */
  readonly lan: boolean;
  readonly port: number;
  /** Hearth's own. */
  readonly version: string;
}

export interface ChosenFolder {
  readonly path: string;
  readonly holds: "organization" | "nothing" | "other files";
  readonly warning: FolderWarning | null;
}

export type ServerState = "starting" | "setup" | "running" | "restarting" | "stopped";

export interface Desktop {
  readonly platform: "linux" | "darwin" | "win32";
  settings(): Promise<DesktopSettings>;
  /** Keeps it, and has the server listen there; resolves when it answers again. */
  setNetwork(network: { lan: boolean }): Promise<DesktopSettings>;
  /** The system's folder dialog; null when cancelled. */
  chooseDataFolder(): Promise<ChosenFolder | null>;
  /** Takes the folder that chooseDataFolder returned last, and starts the server with it; resolves when it answers. */
  useDataFolder(): Promise<DesktopSettings>;
  /** In the system's file manager. */
  showDataFolder(): Promise<void>;
  /** Calls at once with the state of now. The answer ends it. */
  onServerState(listener: (state: ServerState) => void): () => void;
}

declare global {
  interface Window {
    /** Undefined at /admin/ in a browser: what only the desktop can do is not shown there. */
    readonly hearth?: Desktop;
  }
}
