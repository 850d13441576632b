import { type Problem, problem } from "../../errors.ts";
import type { Store } from "../../storage/store.ts";
import type { Backups } from "./backups.ts";
import { BackupFailed, PassphraseRefused } from "./errors.ts";
import { type KeysAfter, keysAfter, lossesOf, type RestorePreview, readTodaysSecret } from "./restore.ts";

/** A request of the running server to its supervisor, which can stop it. */
export interface RestoreRequest {
  /** File name of the backup. */
  name: string;
  path: string;
  passphrase?: string | undefined;
  endAllKeys: boolean;
}

/** Result of the newest restore. */
export interface RestoreOutcome {
  /** Milliseconds since the epoch. */
  at: number;
  name: string;
  /** Why nothing was restored; null after a success. */
  failure: Problem | null;
  /** Where the previous data is; null if it has not moved. */
  aside: string | null;
  keys: KeysAfter | null;
}

interface RestoresOptions {
  store: Store;
  backups: Backups;
  dataFolder: string;
  /** Stops the server, restores and starts again; undefined without a supervisor. */
  ask: ((request: RestoreRequest) => void) | undefined;
  last: RestoreOutcome | null;
}

export class Restores {
  readonly #options: RestoresOptions;
  /** The newest restore of this process. */
  readonly last: RestoreOutcome | null;
  #isAsked = false;

  constructor(options: RestoresOptions) {
    this.#options = options;
    this.last = options.last;
  }

  /** Checks every byte of a backup and returns the effects of a restore. Throws the errors of `Backups.read`. */
  async preview(name: string): Promise<RestorePreview & { today: object }> {
    const { about, size } = await this.#options.backups.read(name);
    const today = lossesOf(about, this.#options.store.reader);
    // The restore reads secret.key from disk, where it may have been damaged since the start.
    const { secret, problem: secretProblem } = readTodaysSecret(this.#options.dataFolder);
    const keys = keysAfter(about, secret !== undefined && !today.is_other_organization);
    return { about, size, today, secretProblem, keys };
  }

  /** Checks every byte of a backup, then stops this server for the restore. Throws the errors of `Backups.read`. */
  async begin(
    name: string,
    { passphrase, endAllKeys }: { passphrase: string | undefined; endAllKeys: boolean },
  ): Promise<void> {
    const ask = this.#options.ask;
    if (!ask) throw new BackupFailed(problem("restart_not_supported"));
    if (this.#isAsked) throw new BackupFailed(problem("restore_in_progress"));
    const { path, about } = await this.#options.backups.read(name, passphrase);
    const isOther = lossesOf(about, this.#options.store.reader).is_other_organization;
    const hasSecret = !isOther && readTodaysSecret(this.#options.dataFolder).secret !== undefined;
    if (passphrase === undefined && keysAfter(about, hasSecret, endAllKeys) === "the backup's")
      throw new PassphraseRefused();
    this.#options.backups.assertFree();
    this.#isAsked = true;
    ask({ name, path, passphrase, endAllKeys });
  }
}
