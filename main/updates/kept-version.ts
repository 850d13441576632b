import { basename, isAbsolute, join, relative } from "node:path";
import type { UpdateRecord } from "./update-record.ts";

/** Electron's own fs takes app.asar for a folder; tests have Node's. */
export type PlainFiles = Pick<
  typeof import("node:fs").promises,
  "chmod" | "cp" | "mkdir" | "rename" | "rm" | "stat" | "writeFile"
>;

/** The program of the version before: kept until the new one has answered, and a while longer. */
export class KeptVersion {
  readonly #folder: string;
  readonly #files: PlainFiles;

  constructor(folder: string, files: PlainFiles) {
    this.#folder = folder;
    this.#files = files;
  }

  /** Whether this program is the kept one: somebody went back to it. */
  holds(program: string): boolean {
    const path = relative(this.#folder, program);
    return !path.startsWith("..") && !isAbsolute(path); // on Windows, of another disk
  }

  /**
   * Copies the program, and says beside it in words how it is used again. Returns the path of `executable`, a part of
   * the program, in the copy. Throws fs errors.
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

  /** Puts it back where it was, if an installation that failed has left nothing there. */
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
