import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

const record = z.object({
  /** The versions before and after. */
  from: z.string(),
  to: z.string(),
  /** Start of the installation. Times are milliseconds since the epoch. */
  at: z.int(),
  /** Path of the backup before the update; null if there was no organization. */
  backup: z.string().nullable(),
  /** Path of the previous version; null after its deletion. */
  kept: z.string().nullable(),
  /** `installing` until the new version responds, or the old version starts again. */
  outcome: z.enum(["installing", "answered", "failed"]),
  answeredAt: z.int().nullable(),
  reason: z.string().nullable(),
});

export type UpdateRecord = z.output<typeof record>;

/** Versions before and after an update share this file. */
export class UpdateRecordFile {
  readonly #path: string;
  #value: UpdateRecord | null = null;

  /** An unreadable file counts as missing. */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#value = record.parse(JSON.parse(readFileSync(path, "utf8")));
    } catch {
      // Missing, or truncated by a crash. The kept folder also has a text that explains how to revert.
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
