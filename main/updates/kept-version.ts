import { basename, isAbsolute, join, relative } from "node:path";
import type { UpdateRecord } from "./update-record.ts";

/** Electron's fs treats app.asar as a folder, so the app passes original-fs. */
export type PlainFiles = Pick<
  typeof import("node:fs").promises,
  "chmod" | "cp" | "mkdir" | "rename" | "rm" | "stat" | "writeFile"
>;

/** The previous version of the program, kept for a week after the new version has responded. */
export class KeptVersion {
  readonly #folder: string;
  readonly #files: PlainFiles;

  constructor(folder: string, files: PlainFiles) {
    this.#folder = folder;
    this.#files = files;
  }

  /** Whether this program is the kept version, because the user reverted to it. */
  holds(program: string): boolean {
    const path = relative(this.#folder, program);
    return !path.startsWith("..") && !isAbsolute(path); // Windows: on another disk
  }

  /**
   * Copies the program, with a text that explains how to revert. Returns the copy's path of `executable`. Throws fs
   * errors.
   */
  async keep(
    { program, executable }: { program: string; executable: string },
    record: Omit<UpdateRecord, "kept">,
    wayBack: (kept: string) => string,
  ): Promise<string> {
    await this.remove();
    const partial = `${this.#folder}.partial`;
    const kept = join(this.#folder, basename(program), relative(program, executable));
    try {
      await this.#files.rm(partial, { recursive: true, force: true });
      await this.#files.mkdir(partial, { recursive: true, mode: 0o700 });
      await this.#files.cp(program, join(partial, basename(program)), { recursive: true, verbatimSymlinks: true });
      await this.#files.writeFile(join(partial, `How to go back to Hearth ${record.from}.txt`), wayBack(kept));
      await this.#files.rename(partial, this.#folder);
    } catch (error) {
      await this.#files.rm(partial, { recursive: true, force: true });
      throw error;
    }
    return kept;
  }

  /** Restores the program if a failed installation has deleted it. */
  async putBack(program: string): Promise<void> {
    const isThere = await this.#files.stat(program).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    const kept = join(this.#folder, basename(program));
    await this.#files.cp(kept, program, { recursive: true, verbatimSymlinks: true });
  }

  async remove(): Promise<void> {
    await this.#files.rm(this.#folder, { recursive: true, force: true });
  }
}
