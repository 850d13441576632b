import type { Store } from "../../storage/store.ts";
import type { Backups } from "./backups.ts";
import { BackupFailed, PassphraseRefused } from "./errors.ts";
import { type KeysAfter, keysAfter, lossesOf, type RestorePreview, readTodaysSecret } from "./restore.ts";

/** What a running server asks of its supervisor, which alone can stop it. */
export interface RestoreRequest {
  /** Of the backup's file. */
  name: string;
  path: string;
  passphrase?: string | undefined;
  endAllKeys: boolean;
}

/** How the newest restore ended. The server that runs now has begun with it, or with what was there before. */
export interface RestoreOutcome {
  /** Milliseconds since the epoch. */
  at: number;
  name: string;
  /** Why nothing was restored; null: it was. */
  failure: string | null;
  /** Where the data is that was there before; null if it is where it was. */
  aside: string | null;
  keys: KeysAfter | null;
}

/** Restores of a running server. */
export class Restores {
  readonly #store: Store;
  readonly #backups: Backups;
  readonly #dataFolder: string;
  readonly #ask: ((request: RestoreRequest) => void) | undefined;
  /** Since the process started; null: there was none. */
  readonly last: RestoreOutcome | null;
  #isAsked = false;

  constructor(about: {
    store: Store;
    backups: Backups;
    dataFolder: string;
    /** Has the server stopped, restored and started again; undefined where nobody could. */
    ask: ((request: RestoreRequest) => void) | undefined;
    last: RestoreOutcome | null;
  }) {
    this.#store = about.store;
    this.#backups = about.backups;
    this.#dataFolder = about.dataFolder;
    this.#ask = about.ask;
    this.last = about.last;
  }

  /** Checks every byte of a backup, and says what its restore would do. Throws as `Backups.read` does. */
  async preview(name: string): Promise<RestorePreview & { today: object }> {
    const { about, size } = await this.#backups.read(name);
    const today = lossesOf(about, this.#store.reader);
    // The restore reads the file again, which may have been damaged since the start.
    const { secret, problem: secretProblem } = readTodaysSecret(this.#dataFolder);
    const keys = keysAfter(about, secret !== undefined && !today.is_other_organization);
    return { about, size, today, secretProblem, keys };
  }

  /**
   * Checks every byte of a backup, and then has the server restored from it: this one stops. Throws as `Backups.read`
   * does.
   */
  async begin(
    name: string,
    { passphrase, endAllKeys }: { passphrase: string | undefined; endAllKeys: boolean },
  ): Promise<void> {
    const ask = this.#ask;
    if (!ask) throw new BackupFailed('This server cannot restart itself. Stop it, and use "hearth restore".');
    if (this.#isAsked) throw new BackupFailed("A backup is being restored already.");
    const { path, about } = await this.#backups.read(name, passphrase);
    const isOther = lossesOf(about, this.#store.reader).is_other_organization;
    const hasSecret = !isOther && readTodaysSecret(this.#dataFolder).secret !== undefined;
    if (passphrase === undefined && keysAfter(about, hasSecret, endAllKeys) === "the backup's")
      throw new PassphraseRefused();
    this.#backups.assertFree();
    this.#isAsked = true;
    ask({ name, path, passphrase, endAllKeys });
  }
}
