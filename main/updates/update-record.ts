import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

const record = z.object({
  /** The versions before and after. */
  from: z.string(),
  to: z.string(),
  /** When the installation began. Times are milliseconds since the epoch. */
  at: z.int(),
  /** The whole path of the backup that was made before; null where there was no organization. */
  backup: z.string().nullable(),
  /** Where the version before is kept, and runs; null: no more. */
  kept: z.string().nullable(),
  /** `installing` until the new version answers, or the old one starts again. */
  outcome: z.enum(["installing", "answered", "failed"]),
  answeredAt: z.int().nullable(),
  reason: z.string().nullable(),
});

/** The newest installation. */
export type UpdateRecord = z.output<typeof record>;

/** A file that outlives the version that wrote it. */
export class UpdateRecordFile {
  readonly #path: string;
  #value: UpdateRecord | null = null;

  /** What cannot be read counts as no installation. */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#value = record.parse(JSON.parse(readFileSync(path, "utf8")));
    } catch {
      // There is none, or a crash cut it short: what it would tell is how to go back, which the kept folder says too.
    }
  }

  get value(): UpdateRecord | null {
    return this.#value;
  }

  /** Writes the file atomically before it returns. */
  set(value: UpdateRecord): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(`${this.#path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(`${this.#path}.new`, this.#path);
    this.#value = value;
  }

  remove(): void {
    rmSync(this.#path, { force: true });
    this.#value = null;
  }
}
