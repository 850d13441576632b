import { existsSync } from "node:fs";
import { app, type BrowserWindow, shell } from "electron";
import { defaultDataFolder, holdsOrganization } from "../server/supervisor/data-folder.ts";
import type { AppSettings, SettingsFile } from "./app-settings.ts";
import type { Calls } from "./bridge.ts";
import type { ChosenFolder, DesktopSettings, ServerState } from "./bridge-types.ts";
import { folderFrom } from "./data-folder.ts";
import { folderWarning } from "./folder-warning.ts";
import { Hosting, type ServerLocation } from "./hosting.ts";
import { texts } from "./texts.ts";
import { askForFolder, GivenUp, inWords, whatNext } from "./troubles.ts";

export interface DesktopOptions {
  settings: SettingsFile;
  window(): BrowserWindow | undefined;
  onState(state: ServerState): void;
  /** The server has stopped for good and the person has chosen to quit. */
  onGivenUp(): void;
  report(line: string): void;
}

/** The server under the window: where it runs, and the calls by which the page changes that. */
export class Desktop implements Calls {
  readonly hosting: Hosting;
  readonly #file: SettingsFile;
  readonly #window: () => BrowserWindow | undefined;
  readonly #onGivenUp: () => void;
  #asked: Promise<ChosenFolder | null> | undefined;
  #chosen: ChosenFolder | undefined;
  /** Changes of place come one after another, each with its way back. */
  #moves: Promise<unknown> = Promise.resolve();

  constructor({ settings, window, onState, onGivenUp, report }: DesktopOptions) {
    this.#file = settings;
    this.#window = window;
    this.#onGivenUp = onGivenUp;
    this.hosting = new Hosting({
      onState,
      report,
      onGivenUp: (message) => {
        const why = this.#isFolderMissing() ? texts.folderMissing(this.dataFolder) : message;
        void this.#goOnAfter(new GivenUp(why)).then((goesOn) => goesOn || onGivenUp());
      },
    });
  }

  get dataFolder(): string {
    return this.#file.values.dataFolder ?? defaultDataFolder();
  }

  /** Starts the server, asking what to do where it cannot; false when the person gives up. */
  async host(): Promise<boolean> {
    try {
      if (this.#isFolderMissing()) throw new Error(texts.folderMissing(this.dataFolder));
      await this.hosting.run(locationOf(this.#file.values));
      return true;
    } catch (error) {
      return this.#goOnAfter(error as NodeJS.ErrnoException);
    }
  }

  /** The default folder is made at first; one that was chosen, or has been in use, is on a disk that is not there. */
  #isFolderMissing(): boolean {
    const mayBeMade = this.#file.values.dataFolder === null && this.hosting.location === undefined;
    return !mayBeMade && !existsSync(this.dataFolder);
  }

  async #goOnAfter(error: NodeJS.ErrnoException): Promise<boolean> {
    if (this.hosting.isStopping) return true; // it was told to
    const place = locationOf(this.#file.values);
    return (await whatNext(error, place, this.#file, this.#window())) === "again" && this.host();
  }

  settings(): Promise<DesktopSettings> {
    const { dataFolder, lan, port } = this.#file.values;
    return Promise.resolve({
      dataFolder: this.dataFolder,
      isDefaultFolder: dataFolder === null || dataFolder === defaultDataFolder(),
      folderWarning: folderWarning(this.dataFolder),
      lan,
      port,
      version: app.getVersion(),
    });
  }

  serverState(): ServerState {
    return this.hosting.state;
  }

  setNetwork({ lan }: { lan: boolean }): Promise<DesktopSettings> {
    return this.#move({ lan });
  }

  /** One dialog at a time. */
  chooseDataFolder(): Promise<ChosenFolder | null> {
    this.#asked ??= this.#askForFolder().finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  async #askForFolder(): Promise<ChosenFolder | null> {
    const chosen = await askForFolder(this.#window(), this.dataFolder);
    if (chosen === undefined) return null;
    try {
      this.#chosen = folderFrom(chosen);
    } catch (error) {
      throw new Error(inWords(error as NodeJS.ErrnoException, chosen));
    }
    return this.#chosen;
  }

  async useDataFolder(): Promise<DesktopSettings> {
    if (!this.#chosen) throw new Error(texts.noFolderChosen);
    const { path } = this.#chosen;
    this.#chosen = undefined;
    const { holds } = folderFrom(path); // as it is now
    if (holds === "other files") throw new Error(texts.folderHoldsOther(path));
    return this.#move({ dataFolder: path === defaultDataFolder() ? null : path });
  }

  async showDataFolder(): Promise<void> {
    const problem = await shell.openPath(this.dataFolder);
    if (problem !== "") throw new Error(problem);
  }

  /** Runs the server elsewhere and keeps that; where it cannot run there, it goes on where it was. */
  #move(change: Partial<AppSettings>): Promise<DesktopSettings> {
    const work = this.#moves.then(async () => {
      const place = locationOf({ ...this.#file.values, ...change });
      try {
        if (JSON.stringify(place) !== JSON.stringify(this.hosting.location)) {
          await this.hosting.run(place).catch((error: NodeJS.ErrnoException) => {
            throw new Error(inWords(error, place.dataFolder));
          });
        }
        // Not kept, it would be forgotten at the next start, and an organization made there seem gone.
        this.#file.change(change);
      } catch (error) {
        void this.host().then((goesOn) => goesOn || this.#onGivenUp());
        throw error;
      }
      return this.settings();
    });
    this.#moves = work.catch(() => {});
    return work;
  }
}

/** Nobody else can connect before there is an organization, whatever a former one had chosen. */
function locationOf({ dataFolder, lan, port }: AppSettings): ServerLocation {
  const folder = dataFolder ?? defaultDataFolder();
  return { dataFolder: folder, address: lan && holdsOrganization(folder) ? "0.0.0.0" : "127.0.0.1", port };
}
