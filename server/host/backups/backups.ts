import { access, mkdir, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DAMAGE_REPORT, recordDamage, UploadDamaged } from "../../api/actions/files.ts";
import { damagedFiles, fileByName } from "../../api/queries/files.ts";
import { operatorSetting } from "../../api/queries/operator-settings.ts";
import { organizationCreatedAt } from "../../api/queries/organization.ts";
import { type Problem, problem, problemOf } from "../../errors.ts";
import type { StoredFiles } from "../../media/files/stored-files.ts";
import { isAhead, msSince } from "../../storage/ages.ts";
import type { Store, UnsavedPages } from "../../storage/store.ts";
import { readSecret } from "../credentials/secret-key.ts";
import { type BackupAbout, backupName, type FinishedBackup, type MadeBackup } from "./backup-file.ts";
import {
  type BackupKey,
  KEY_FILE,
  keyOfPassphrase,
  readKey,
  removePassphrase,
  sealSecret,
  setPassphrase,
} from "./backup-key.ts";
import { BackupFailed, inWords, NoSuchBackup, PassphraseRefused, readInWords } from "./errors.ts";
import { PaceSetter, withPacedSnapshot } from "./pace.ts";
import { type BackupTask, type ListedBackup, runOnThread } from "./run-on-thread.ts";
import { superfluous } from "./thinning.ts";

const DAY_MS = 86_400_000;
/** After this time without a backup, the overview warns. */
const OLD_MS = 3 * DAY_MS;
const RETRY_MS = 3_600_000;
/** Delays the first check, so that the server starts fast. */
const FIRST_LOOK_MS = 300_000;
const LOOK_EVERY_MS = 60_000;
/** No warning before the first scheduled backup after a start had time to finish. */
const PATIENCE_MS = 900_000;
/** Time in the cache. Other programs may change the folder. */
const LISTED_FOR_MS = 30_000;

/** The current task. Only one runs at a time. */
export interface BackupWork {
  kind: "make" | "verify";
  name: string;
  /** Bytes. Both are 0 at first. */
  done: number;
  total: number;
}

export interface BackupsState {
  /** Milliseconds since the epoch. The newest backup of this organization that is not in the future; null if none. */
  last_at: number | null;
  /** The newest backup with a time in the future; null if none. */
  ahead_at: number | null;
  /** Whether the schedule is on, but there was no backup for three days. */
  is_old: boolean;
  /** Null if the newest attempt succeeded. */
  failure: { at: number; problem: Problem } | null;
}

interface BackupsOptions {
  store: Store;
  files: StoredFiles;
  dataFolder: string;
  now: () => number;
  monotonic: () => number;
  version: string;
  /** scrypt's N; a low one makes passphrases cheap. */
  passphraseCost?: number | undefined;
  report: (message: string, error: unknown) => void;
}

/** Creates, lists, checks and deletes the backups of a running server, and creates one each day. */
export class Backups {
  readonly #options: BackupsOptions;
  #work: BackupWork | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #pace: PaceSetter | undefined;
  #failure: BackupsState["failure"] = null;
  /** Creation times of this organization's backups. */
  #madeAt: readonly number[] = [];
  /** By the monotonic clock. */
  #triedAt = Number.NEGATIVE_INFINITY;
  /** Result of the newest check, by file name. Null: no problem. */
  readonly #checked = new Map<string, { at: number; problem: Problem | null }>();
  #timer: NodeJS.Timeout | undefined;
  #listed: { folder: string; at: number; backups: Promise<ListedBackup[]> } | undefined;
  #isClosed = false;
  /** By the monotonic clock. */
  readonly #startedAt: number;

  constructor(options: BackupsOptions) {
    this.#options = options;
    this.#startedAt = options.monotonic();
  }

  start(): void {
    const look = () => {
      this.#timer = setTimeout(look, LOOK_EVERY_MS).unref();
      void this.runDue();
    };
    this.#timer = setTimeout(look, FIRST_LOOK_MS).unref();
    void this.#refreshLast();
  }

  /** Creates a backup if one is due. Never rejects: failures are recorded in `state`. */
  async runDue(): Promise<void> {
    const isDue = () =>
      !this.#isClosed && !this.#work && this.#options.now() >= (this.nextAt ?? Number.POSITIVE_INFINITY);
    if (!isDue()) return;
    await this.#refreshLast();
    if (isDue()) await this.make("schedule").catch(() => {}); // `state` and the log have the failure
  }

  get folder(): string {
    return operatorSetting(this.#options.store.reader, "BACKUP_FOLDER") ?? join(this.#options.dataFolder, "backups");
  }

  get work(): Readonly<BackupWork> | undefined {
    return this.#work;
  }

  /** Throws NoSuchBackup. */
  async assertThere(name: string): Promise<void> {
    await this.#pathOf(name);
  }

  /** Throws PassphraseRefused. */
  keyOf(passphrase: string): Promise<BackupKey> {
    return keyOfPassphrase(passphrase, this.#options.passphraseCost);
  }

  /** Later backups contain `secret.key`. Throws PassphraseRefused. */
  setPassphrase(passphrase: string): Promise<void> {
    return setPassphrase(this.#options.dataFolder, passphrase, this.#options.passphraseCost);
  }

  /** Later backups do not contain `secret.key`. */
  removePassphrase(): void {
    removePassphrase(this.#options.dataFolder);
  }

  hasPassphrase(): Promise<boolean> {
    return isThere(join(this.#options.dataFolder, KEY_FILE));
  }

  /** Time of the next scheduled backup, in milliseconds since the epoch; null if the schedule is off. */
  get nextAt(): number | null {
    if (!operatorSetting(this.#options.store.reader, "BACKUPS_DAILY")) return null;
    const last = this.#lastAt;
    const due = last === null ? 0 : last + DAY_MS;
    return Math.max(due, Math.ceil(this.#options.now() + this.#triedAt + RETRY_MS - this.#options.monotonic()));
  }

  /** Ignores backups from the future. Otherwise, after the clock is corrected, none would be due until that time. */
  get #lastAt(): number | null {
    const now = this.#options.now();
    const past = this.#madeAt.filter((at) => !isAhead(at, now));
    return past.length === 0 ? null : Math.max(...past);
  }

  get state(): BackupsState {
    const now = this.#options.now();
    const last_at = this.#lastAt;
    const age = msSince(last_at ?? organizationCreatedAt(this.#options.store.reader), now);
    const isOld = age > OLD_MS && this.#options.monotonic() - this.#startedAt > PATIENCE_MS;
    const isWanted = operatorSetting(this.#options.store.reader, "BACKUPS_DAILY");
    const newest = Math.max(...this.#madeAt);
    const ahead_at = isAhead(newest, now) ? newest : null;
    return { last_at, ahead_at, is_old: isWanted && isOld, failure: this.#failure };
  }

  /** Undefined if the file was not checked since the server started. */
  checkOf(name: string): { at: number; problem: Problem | null } | undefined {
    return this.#checked.get(name);
  }

  /** Newest first. Throws BackupFailed if the folder cannot be read. */
  list(): Promise<ListedBackup[]> {
    const { folder } = this;
    const cached = this.#listed;
    if (cached?.folder === folder && performance.now() - cached.at < LISTED_FOR_MS) return cached.backups;
    const backups = this.#list(folder);
    this.#listed = { folder, at: performance.now(), backups };
    backups.catch(() => {
      this.#listed = undefined;
    });
    return backups;
  }

  async #list(folder: string): Promise<ListedBackup[]> {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw readInWords(error, folder);
    });
    const ours = names
      .filter((name) => backupName.test(name))
      .sort()
      .reverse();
    // On a thread, because the folder may be on a sleeping disk.
    return ours.length === 0 ? [] : runOnThread<ListedBackup[]>({ kind: "list", folder, names: ours });
  }

  /** Creates a backup in the folder, or at `to`. Throws BackupFailed, also while another task runs. */
  async make(
    madeBy: BackupAbout["made_by"],
    { to, key }: { to?: string; key?: BackupKey } = {},
  ): Promise<FinishedBackup> {
    this.assertFree();
    const createdAt = this.#options.now();
    const path = to ?? join(this.folder, nameOf(createdAt));
    const folder = dirname(path);
    this.#triedAt = this.#options.monotonic();
    this.#work = { kind: "make", name: basename(path), done: 0, total: 0 };
    const made = this.#make(path, { createdAt, madeBy, key });
    this.#ended = made.catch(() => {});
    try {
      const finished = await made;
      this.#failure = null;
      this.#listed = undefined;
      if (to === undefined) this.#madeAt = [...this.#madeAt, createdAt];
      return finished;
    } catch (error) {
      const failure = inWords(error, folder);
      if (this.#isClosed) throw failure;
      this.#failure = { at: this.#options.now(), problem: problemOf(failure) };
      this.#options.report("The backup failed", error);
      throw failure;
    } finally {
      this.#work = undefined;
    }
  }

  async #make(
    path: string,
    { createdAt, madeBy, key }: { createdAt: number; madeBy: BackupAbout["made_by"]; key: BackupKey | undefined },
  ): Promise<FinishedBackup> {
    const folder = dirname(path);
    // Creates only the default folder. A chosen folder may be missing because its disk is disconnected.
    if (folder === join(this.#options.dataFolder, "backups")) await mkdir(folder, { recursive: true, mode: 0o700 });
    if (await isThere(path)) throw new BackupFailed(problem("path_already_exists", { path }));
    await removePartial(folder);
    const usedKey = key ?? readKey(this.#options.dataFolder);
    const sealedSecret = usedKey && sealSecret(readSecret(this.#options.dataFolder), usedKey);
    const pace = new PaceSetter();
    const write = async (databaseCopied: () => void, unsaved: UnsavedPages | undefined) => {
      const job = {
        dataFolder: this.#options.dataFolder,
        unsaved,
        to: path,
        createdAt,
        madeBy,
        version: this.#options.version,
        lastEventId: this.#options.store.lastEventId,
        sealedSecret,
      };
      const finished = await this.#onThread<MadeBackup>({ kind: "make", job }, pace, databaseCopied);
      this.#noteLacking(finished.lacking);
      if (madeBy === "schedule") await this.#thin();
      return finished;
    };
    // Works on a full disk, because the backup may go to another disk.
    return withPacedSnapshot({ store: this.#options.store, files: this.#options.files }, pace, write, {
      withoutRoom: true,
    });
  }

  /** Updates the records of damaged uploads: the backup has read every upload. */
  #noteLacking(lacking: readonly string[]): void {
    const { reader } = this.#options.store;
    const [before, now] = [new Set(damagedFiles(reader)), new Set(lacking)];
    const damaged = lacking.filter((name) => !before.has(name));
    const sound = [...before].filter((name) => !now.has(name));
    if (damaged.length + sound.length === 0) return;
    for (const name of damaged) {
      const file = fileByName(reader, name);
      if (file) this.#options.report(DAMAGE_REPORT, new UploadDamaged(reader, file));
    }
    try {
      this.#options.store.transact({ actor: null, action: "note damaged uploads" }, (tx) =>
        recordDamage(tx, { damaged, sound }),
      );
    } catch (error) {
      this.#options.report("Damaged uploads could not be noted", error); // the backup itself has succeeded
    }
  }

  /** Checks every byte of a backup. `checkOf` has the result. Throws NoSuchBackup. */
  async verify(name: string): Promise<void> {
    await this.read(name).catch((error: unknown) => {
      if (this.#isClosed || error instanceof NoSuchBackup) throw error;
    });
  }

  /**
   * Checks every byte of a backup, and the passphrase if there is one. Throws NoSuchBackup, PassphraseRefused, and
   * BackupFailed if the backup is damaged or another task runs.
   */
  async read(name: string, passphrase?: string): Promise<FinishedBackup & { path: string }> {
    this.assertFree();
    this.#work = { kind: "verify", name, done: 0, total: 0 };
    const checking = this.#read(name, passphrase);
    this.#ended = checking.catch(() => {});
    try {
      const found = await checking;
      this.#checked.set(name, { at: this.#options.now(), problem: null });
      return found;
    } catch (error) {
      if (this.#isClosed || error instanceof NoSuchBackup || error instanceof PassphraseRefused) throw error;
      const failure = readInWords(error, this.folder);
      this.#checked.set(name, { at: this.#options.now(), problem: problemOf(failure) });
      throw failure;
    } finally {
      this.#work = undefined;
    }
  }

  async #read(name: string, passphrase: string | undefined): Promise<FinishedBackup & { path: string }> {
    const path = await this.#pathOf(name);
    return { ...(await this.#onThread<FinishedBackup>({ kind: "verify", path, passphrase })), path };
  }

  /** Throws NoSuchBackup and disk errors. */
  async remove(name: string): Promise<void> {
    const path = await this.#pathOf(name);
    if (this.#work?.name === name) throw new BackupFailed(problem("backup_in_use"));
    await rm(path).catch((error: unknown) => {
      throw readInWords(error, this.folder);
    });
    this.#checked.delete(name);
    this.#listed = undefined;
    await this.#refreshLast();
  }

  /** Cancels the current task and removes its partial file. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#pace?.set("ended");
    await this.#ended;
  }

  /** Throws BackupFailed while a task runs. */
  assertFree(): void {
    if (this.#isClosed) throw new BackupFailed(problem("server_stopping"));
    if (this.#work?.kind === "make") throw new BackupFailed(problem("backup_in_progress"));
    if (this.#work) throw new BackupFailed(problem("backup_check_in_progress"));
  }

  /** Accepts only names of backups, so that no request reaches another file. Throws NoSuchBackup. */
  async #pathOf(name: string): Promise<string> {
    const path = join(this.folder, name);
    if (!backupName.test(name) || !(await isThere(path))) throw new NoSuchBackup(name);
    return path;
  }

  async #own(): Promise<({ name: string } & BackupAbout)[]> {
    const own = organizationCreatedAt(this.#options.store.reader);
    return (await this.list()).flatMap(({ name, about }) =>
      !("reason" in about) && about.organization_created_at === own ? [{ name, ...about }] : [],
    );
  }

  async #refreshLast(): Promise<void> {
    const own = await this.#own().catch(() => undefined); // the next backup reports the error
    if (own) this.#madeAt = own.map(({ created_at }) => created_at);
  }

  /** Deletes only scheduled backups. People delete the backups that they requested. */
  async #thin(): Promise<void> {
    this.#listed = undefined;
    const scheduled = (await this.#own()).filter(({ made_by }) => made_by === "schedule");
    for (const { name } of superfluous(scheduled, this.#options.now())) {
      await rm(join(this.folder, name), { force: true });
      this.#checked.delete(name);
    }
    this.#listed = undefined;
  }

  #onThread<Result extends FinishedBackup>(
    task: BackupTask,
    pace = new PaceSetter(),
    databaseCopied = () => {},
  ): Promise<Result> {
    this.#pace = pace;
    if (this.#isClosed) pace.set("ended");
    return runOnThread<Result>(task, {
      pace: pace.shared,
      on: (message) => {
        if (message.type === "database copied") databaseCopied();
        else if (this.#work) Object.assign(this.#work, { done: message.done, total: message.total });
      },
    });
  }
}

const nameOf = (time: number): string =>
  `hearth-${new Date(time).toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar`;

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Removes partial files of a crash. */
async function removePartial(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter(
    (name) => name.endsWith(".partial") && backupName.test(name.slice(0, -8)),
  );
  for (const name of left) await rm(join(folder, name), { force: true });
}
