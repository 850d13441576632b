import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Installation, UpdateProblem, UpdateSource, UpdateState } from "../bridge-types.ts";
import { texts } from "../texts.ts";
import { type FoundUpdate, feedOf, findUpdate, type RunningVersion } from "./find-update.ts";
import { KeptVersion, type PlainFiles } from "./kept-version.ts";
import type { Installer } from "./platform-installer.ts";
import { refusalOf, UpdateRefused } from "./refused.ts";
import { updateKey } from "./release.ts";
import { UpdateRecordFile } from "./update-record.ts";

const DAY_MS = 86_400_000;
/** Delays the first check, so that the app starts fast. */
const FIRST_CHECK_MS = 300_000;
/** How long the previous version is kept after the new version has responded. */
export const KEPT_MS = 7 * DAY_MS;

export interface UpdatedApp extends RunningVersion {
  /** The file or folder that is replaced, and the file to start. */
  program: string;
  executable: string;
  /** Folder of all update files, created when needed. */
  folder: string;
  source: UpdateSource;
  /** Throws an Error for users. */
  saveSource(source: UpdateSource): void;
  createInstaller(folder: string): Promise<Installer>;
  files: PlainFiles;
  /** Whether the people online may be disconnected. */
  mayCutOff(): Promise<boolean>;
  /** Returns the path of the backup, or null if there is no organization. @throws UpdateRefused */
  backUp(signal: AbortSignal): Promise<string | null>;
  /** Ends the app. After its server has stopped, `replace` installs the update or asks for a restart. */
  endBy(replace: () => Promise<"installed" | "again">): Promise<void>;
  report(line: string): void;
  now(): number;
}

/** Finds, verifies, downloads and installs updates. Runs one step at a time. */
export class Updates {
  readonly #app: UpdatedApp;
  readonly #record: UpdateRecordFile;
  readonly #kept: KeptVersion;
  readonly #installation: Installation | null;
  #source: UpdateSource;
  #step: UpdateState["step"] = "idle";
  #problem: UpdateProblem | null = null;
  #checkedAt: number | null = null;
  #found: FoundUpdate | undefined;
  #done = 0;
  #installer: Installer | undefined;
  #work: AbortController | undefined;
  #checkTimer: NodeJS.Timeout | undefined;
  #removalTimer: NodeJS.Timeout | undefined;

  constructor(app: UpdatedApp) {
    this.#app = app;
    this.#source = app.source;
    this.#record = new UpdateRecordFile(join(app.folder, "update.json"));
    this.#kept = new KeptVersion(join(app.folder, "kept"), app.files);
    // After a revert, the running version is the kept copy, which is neither replaced nor deleted while it runs.
    this.#installation = this.#isBack ? null : app.installation;
    const { value } = this.#record;
    // The installer ended without installing the new version.
    if (value?.outcome === "installing" && value.to !== app.version) this.#tryRecord({ ...value, outcome: "failed" });
    this.#planRemoval();
    this.#planCheck(FIRST_CHECK_MS);
  }

  get state(): UpdateState {
    const { value } = this.#record;
    return {
      version: this.#app.version,
      installation: this.#installation,
      source: this.#source,
      step: this.#step,
      checkedAt: this.#checkedAt,
      problem: this.#problem,
      found: this.#found
        ? {
            version: this.#found.release.version,
            notes: this.#found.release.notes,
            madeAt: this.#found.release.madeAt,
            size: this.#found.size,
          }
        : null,
      done: this.#done,
      last:
        value && !this.#isBack
          ? {
              from: value.from,
              to: value.to,
              at: value.at,
              backup: value.backup,
              kept: value.kept,
              keptUntil: this.#keptUntil,
              outcome: value.outcome,
              reason: value.reason,
            }
          : null,
    };
  }

  /** The server of this version responds, so the previous version is deleted after KEPT_MS. */
  answered(): void {
    const { value } = this.#record;
    if (value?.outcome !== "installing" || value.to !== this.#app.version) return;
    this.#tryRecord({ ...value, outcome: "answered", answeredAt: this.#app.now() });
    this.#planRemoval();
    void this.#app.files
      .rm(join(this.#app.folder, "download"), { recursive: true, force: true })
      .catch(this.#app.report);
  }

  /** If the result has a problem, nothing was saved. */
  setSource(given: UpdateSource): UpdateState {
    if (this.#isBusy) return this.state;
    try {
      const key = given.key?.trim() || null;
      const address = given.address?.trim() || null;
      if (key !== null) updateKey(key);
      if (address !== null) feedOf(address);
      if (address !== null && key === null) throw new UpdateRefused("noKey");
      this.#app.saveSource({ address, key });
      this.#source = { address, key };
      this.#problem = null;
      this.#discardFound();
      this.#planCheck(FIRST_CHECK_MS);
    } catch (error) {
      if (!(error instanceof UpdateRefused)) throw error;
      return { ...this.state, problem: error.problem }; // only in this result, because the source did not change
    }
    return this.state;
  }

  check(): Promise<UpdateState> {
    return this.#do("checking", async (signal) => {
      const { address } = this.#source;
      if (address === null) throw new UpdateRefused("address");
      this.#discardFound();
      await this.#find(feedOf(address), signal);
    });
  }

  /** Reads the release next to an installer. */
  checkFile(path: string): Promise<UpdateState> {
    return this.#do("checking", async (signal) => {
      this.#discardFound();
      await this.#find(pathToFileURL(join(dirname(path), "/")), signal, basename(path));
    });
  }

  async #find(feed: URL, signal: AbortSignal, name?: string): Promise<void> {
    const running = { ...this.#app, installation: this.#installation };
    this.#found = await findUpdate(feed, { running, key: this.#source.key, name, signal });
    this.#checkedAt = this.#app.now();
    this.#step = this.#found ? "found" : "current";
  }

  download(): Promise<UpdateState> {
    const found = this.#found;
    if (!found || this.#step !== "found") return Promise.resolve(this.state);
    return this.#do(
      "downloading",
      async (signal) => {
        await mkdir(this.#app.folder, { recursive: true, mode: 0o700 });
        this.#installer = await this.#app.createInstaller(this.#app.folder);
        const onProgress = (done: number) => {
          this.#done = done;
        };
        await this.#installer.download({ release: found.release, feed: found.feed, signal, onProgress });
        this.#done = found.size;
        this.#step = "ready";
      },
      "found",
    );
  }

  cancel(): UpdateState {
    this.#work?.abort(new Cancelled());
    return this.state;
  }

  install(): Promise<UpdateState> {
    const [found, installer] = [this.#found, this.#installer];
    if (!found || !installer || this.#step !== "ready") return Promise.resolve(this.state);
    return this.#do(
      "asking",
      async (signal) => {
        if (!(await this.#app.mayCutOff())) throw new Cancelled();
        this.#step = "backing up";
        const backup = await this.#app.backUp(signal);
        this.#step = "keeping";
        await this.#keep(found.release.version, backup);
        this.#step = "installing";
        this.#work = undefined; // from here on the update cannot be canceled
        await this.#app.endBy(() => this.#replace(installer));
      },
      "ready",
    );
  }

  async #keep(to: string, backup: string | null): Promise<void> {
    const { version: from, now } = this.#app;
    const begun = { from, to, at: now(), backup, outcome: "installing", answeredAt: null, reason: null } as const;
    try {
      const kept = await this.#kept.keep(this.#app, begun, (path) => texts.wayBack({ ...begun, kept: path }));
      this.#record.set({ ...begun, kept });
    } catch (error) {
      throw refusalOf(error, "disk");
    }
  }

  async #replace(installer: Installer): Promise<"installed" | "again"> {
    try {
      await installer.install();
      return "installed";
    } catch (error) {
      const { detail } = refusalOf(error, "install").problem;
      this.#app.report(`The update was not installed: ${detail}`);
      const { value } = this.#record;
      if (value?.kept) await this.#kept.putBack(this.#app.program).catch(this.#app.report);
      if (value) this.#tryRecord({ ...value, outcome: "failed", reason: detail });
      return "again";
    }
  }

  async removeKept(): Promise<UpdateState> {
    const { value } = this.#record;
    if (this.#isBusy || this.#isBack || !value?.kept || value.outcome === "installing") return this.state;
    await this.#kept.remove();
    this.#tryRecord({ ...value, kept: null });
    return this.state;
  }

  /** Cancels the current step, and stops the timers. */
  stop(): void {
    clearTimeout(this.#checkTimer);
    clearTimeout(this.#removalTimer);
    this.cancel();
  }

  get #isBack(): boolean {
    return this.#kept.holds(this.#app.program);
  }

  get #isBusy(): boolean {
    return !["idle", "current", "found", "ready"].includes(this.#step);
  }

  #discardFound(): void {
    this.#found = undefined;
    this.#installer = undefined;
    this.#done = 0;
    if (!this.#isBusy) this.#step = "idle";
  }

  /** Runs one step at a time. After a failure, the state has the problem and the step `before`. */
  async #do(
    step: UpdateState["step"],
    work: (signal: AbortSignal) => Promise<void>,
    before: UpdateState["step"] = "idle",
  ): Promise<UpdateState> {
    if (this.#isBusy) return this.state;
    this.#step = step;
    this.#problem = null;
    this.#done = step === "downloading" ? 0 : this.#done;
    this.#work = new AbortController();
    try {
      await work(this.#work.signal);
    } catch (error) {
      this.#step = before;
      if (error instanceof Cancelled) return this.state;
      this.#problem = refusalOf(error, "disk").problem;
      this.#app.report(`The update does not go on: ${(error as Error).message}`);
    } finally {
      this.#work = undefined;
    }
    return this.state;
  }

  /** Checks once a day if there is a URL. */
  #planCheck(after: number): void {
    clearTimeout(this.#checkTimer);
    if (this.#source.address === null || this.#installation === null) return;
    this.#checkTimer = setTimeout(() => {
      this.#planCheck(DAY_MS);
      if (this.#step === "idle" || this.#step === "current") void this.check();
    }, after).unref();
  }

  #planRemoval(): void {
    const { value } = this.#record;
    const until = this.#keptUntil;
    if (!value?.kept || until === null) return;
    const after = Math.max(until - this.#app.now(), 0);
    this.#removalTimer = setTimeout(() => void this.removeKept().catch(this.#app.report), after).unref();
  }

  /** Limited by the current time, in case the clock was ahead when the version responded. */
  get #keptUntil(): number | null {
    const answeredAt = this.#record.value?.answeredAt ?? null;
    return answeredAt === null ? null : Math.min(answeredAt, this.#app.now()) + KEPT_MS;
  }

  #tryRecord(value: Parameters<UpdateRecordFile["set"]>[0]): void {
    try {
      this.#record.set(value);
    } catch (error) {
      this.#app.report(`What became of the update was not saved: ${(error as Error).message}`);
    }
  }
}

class Cancelled extends Error {}
