import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { texts } from "./texts.ts";

const wholePixels = z.int().min(-100_000).max(100_000);

// Loose: what a newer Hearth has written beside it stays.
const appSettings = z.looseObject({
  /** null: the default one. */
  dataFolder: z.string().min(1).nullable().default(null),
  /** Whether other machines can connect, once there is an organization. */
  lan: z.boolean().default(false),
  port: z.int().min(1).max(65_535).default(9400),
  window: z
    .object({
      x: wholePixels,
      y: wholePixels,
      width: wholePixels.min(1),
      height: wholePixels.min(1),
      maximized: z.boolean(),
    })
    .nullable()
    .default(null),
});

export type AppSettings = z.output<typeof appSettings>;
export type WindowBounds = NonNullable<AppSettings["window"]>;

/** What the desktop remembers between starts: `settings.json`, outside the data folder, since it says where that is. */
export class SettingsFile {
  readonly #path: string;
  #values: AppSettings = appSettings.parse({});
  /** Where a file that could not be read has been put, and why. */
  readonly broken: { keptAs: string; why: string } | undefined;

  /** @throws an Error in words where the file can be neither read nor put aside. */
  constructor(folder: string) {
    this.#path = join(folder, "settings.json");
    try {
      this.#values = appSettings.parse(JSON.parse(readFileSync(this.#path, "utf8")));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
      this.broken = { keptAs: this.#putAside(why), why };
    }
  }

  get values(): Readonly<AppSettings> {
    return this.#values;
  }

  /** Is on disk, whole, when it returns. */
  change(changes: Partial<AppSettings>): void {
    const values = appSettings.parse({ ...this.#values, ...changes });
    mkdirSync(join(this.#path, ".."), { recursive: true });
    writeFileSync(`${this.#path}.new`, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(`${this.#path}.new`, this.#path);
    this.#values = values;
  }

  /** The first of `settings.json.broken`, `.broken-2`, … that is free: an earlier one may be the one that is missed. */
  #putAside(why: string): string {
    let keptAs = `${this.#path}.broken`;
    for (let n = 2; existsSync(keptAs); n++) keptAs = `${this.#path}.broken-${n}`;
    try {
      renameSync(this.#path, keptAs);
    } catch {
      throw new Error(texts.settingsUnusable(this.#path, why));
    }
    return keptAs;
  }
}
