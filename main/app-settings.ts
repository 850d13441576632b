import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { Failure, problem } from "../server/errors.ts";
import type { ChatIn, KeepAwake } from "./bridge-types.ts";

const pixels = z.int().min(-100_000).max(100_000);

export const KEEP_AWAKE = ["never", "on power", "always"] as const satisfies readonly KeepAwake[];
export const CHAT_IN = ["window", "browser"] as const satisfies readonly ChatIn[];

const bounds = z
  .object({ x: pixels, y: pixels, width: pixels.min(1), height: pixels.min(1), maximized: z.boolean() })
  .nullable()
  .default(null);

// Loose: keeps fields of newer versions.
const appSettings = z.looseObject({
  /** null: the default folder. */
  dataFolder: z.string().min(1).nullable().default(null),
  /** Whether other machines can connect, once there is an organization. */
  lan: z.boolean().default(false),
  /** Whether closing the window keeps Hearth in the tray. Without a tray, Hearth quits. */
  closeToTray: z.boolean().default(true),
  /** Whether the computer stays awake while people are online: only on mains power, also on battery, or never. */
  keepAwake: z.enum(KEEP_AWAKE).default("on power"),
  port: z.int().min(1).max(65_535).default(9400),
  /** URL and key of the update feed. Without a URL, Hearth sends no requests. */
  updates: z
    .object({ address: z.string().nullable(), key: z.string().nullable() })
    .default({ address: null, key: null }),
  /** Where the chat opens. */
  chatIn: z.enum(CHAT_IN).default("window"),
  /** Whether the chat keeps running, hidden, when its window is closed. */
  keepChat: z.boolean().default(true),
  /** How the next start continues the chat window: shown, hidden or not at all. */
  chat: z.enum(["open", "hidden", "closed"]).default("closed"),
  window: bounds,
  chatWindow: bounds,
});

export type AppSettings = z.output<typeof appSettings>;
export type WindowBounds = NonNullable<AppSettings["window"]>;

/** `settings.json` of the desktop app. Outside the data folder, because it contains the folder's path. */
export class SettingsFile {
  readonly #path: string;
  #values: AppSettings = appSettings.parse({});
  /** The new path of a file that could not be read, and the reason. */
  readonly broken: { keptAs: string; why: string } | undefined;

  /** @throws an Error for users if the file can be neither read nor renamed. */
  constructor(folder: string) {
    this.#path = join(folder, "settings.json");
    try {
      this.#values = appSettings.parse(JSON.parse(readFileSync(this.#path, "utf8")));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
      this.broken = { keptAs: this.#setAside(why), why };
    }
  }

  get values(): Readonly<AppSettings> {
    return this.#values;
  }

  /** Writes the file atomically before it returns. */
  update(changes: Partial<AppSettings>): void {
    const values = appSettings.parse({ ...this.#values, ...changes });
    mkdirSync(join(this.#path, ".."), { recursive: true });
    writeFileSync(`${this.#path}.new`, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(`${this.#path}.new`, this.#path);
    this.#values = values;
  }

  /** Renames the file to `settings.json.broken`, `.broken-2`, … Never overwrites a file. */
  #setAside(why: string): string {
    let keptAs = `${this.#path}.broken`;
    for (let n = 2; existsSync(keptAs); n++) keptAs = `${this.#path}.broken-${n}`;
    try {
      renameSync(this.#path, keptAs);
    } catch {
      throw new Failure(problem("settings_unusable", { path: this.#path, cause: why }));
    }
    return keptAs;
  }
}
