import { appendFileSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { appendFile, open, rm } from "node:fs/promises";

/** The folder in the data folder. */
const FOLDER = "diagnostics";
const FILE = /^server-(\d{13,16})\.jsonl$/;
/** All files together take up at most 40 MB. */
const LIMITS = { fileBytes: 5 << 20, files: 8, waitingBytes: 1 << 20, scannedBytes: 16 << 20 };
/** Lines are written together that come within this time. */
const WRITING_MS = 200;
/** Of a file that is read from its end. */
const BLOCK_BYTES = 64 << 10;

export interface LogFileOptions {
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
  limits?: Partial<typeof LIMITS> | undefined;
}

export interface LogPage {
  /** Parsed lines, newest first. */
  readonly lines: readonly Record<string, unknown>[];
  /** Ask for lines older than this one to go on; null: there are none. */
  readonly next: number | null;
}

/**
 * The files of the server's own log: lines of JSON, each with an `id` that grows with time. Writing never waits for the
 * disk: lines are collected, and appended together. A new file begins when one is full, and the oldest goes. What
 * cannot be written is counted and dropped; the log must not stop the server.
 */
export class LogFiles {
  readonly folder: string;
  isStopping = false;
  readonly #now: () => number;
  readonly #limits: typeof LIMITS;
  /** The first ids of the files, ascending: a file's name holds it. */
  readonly #files: number[] = [];
  #size = 0;
  #waiting: string[] = [];
  #waitingBytes = 0;
  /** The id of the first line that waits. */
  #waitingFrom = 0;
  #dropped = 0;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastId = 0;
  #closed = false;
  readonly #listeners = new Set<() => void>();

  constructor(dataFolder: string, { now = Date.now, limits = {} }: LogFileOptions = {}) {
    this.folder = `${dataFolder}/${FOLDER}`;
    this.#now = now;
    this.#limits = { ...LIMITS, ...limits };
    try {
      this.#files = readdirSync(this.folder)
        .flatMap((name) => FILE.exec(name)?.[1] ?? [])
        .map(Number)
        .sort((a, b) => a - b);
      const newest = this.#files.at(-1);
      // Ids must grow even where the clock was turned back; a full file has fewer lines than microseconds in an hour.
      if (newest !== undefined) {
        const { size, mtimeMs } = statSync(this.#path(newest));
        this.#size = size;
        this.#lastId = Math.max(newest, Math.floor(mtimeMs) * 1000 + 999_999);
      }
    } catch {
      // There is no folder yet, or it cannot be read: the first write makes it, or tells.
    }
    openLogs.add(this);
  }

  /** The id for the next line: microseconds since the epoch, or one more than the last. */
  nextId(): number {
    this.#lastId = Math.max(Math.floor(this.#now()) * 1000, this.#lastId + 1);
    return this.#lastId;
  }

  get lastId(): number {
    return this.#lastId;
  }

  /** How many wait for lines. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** Takes the line that has the newest id, with its end. */
  write(line: string): void {
    if (this.#waitingBytes > this.#limits.waitingBytes) {
      this.#dropped += 1;
      return;
    }
    if (this.#waiting.length === 0) this.#waitingFrom = this.#lastId;
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    this.#timer ??= setTimeout(() => void this.flush(), WRITING_MS).unref();
  }

  /** Calls back after lines have been written. Returns a function that ends it. */
  onWrite(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** From now on nobody waits for lines any more. */
  stopWaiting(): void {
    this.isStopping = true;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Resolves when everything so far is in the files, or could not be written. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#writing) await this.#writing;
    if (this.#waiting.length === 0) return;
    this.#writing = this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
    for (const listener of [...this.#listeners]) listener();
  }

  async #writeWaiting(): Promise<void> {
    const lines = this.#waiting.splice(0);
    this.#waitingBytes = 0;
    const { length } = lines;
    if (this.#dropped > 0) {
      const msg = `${this.#dropped} lines before this one could not be written`;
      lines.push(`${JSON.stringify({ level: "warn", time: this.#now(), id: this.nextId(), msg })}\n`);
    }
    const text = lines.join("");
    try {
      await appendFile(this.#currentFile(text.length), text, { mode: 0o600 });
      this.#dropped = 0;
      this.#size += Buffer.byteLength(text);
      const surplus = this.#files.splice(0, Math.max(0, this.#files.length - this.#limits.files));
      for (const file of surplus) await rm(this.#path(file), { force: true });
    } catch {
      // A full disk, or a folder that was moved. What the server does is not held up by its log.
      this.#dropped += length;
    }
  }

  /** The file that takes so many bytes more: the newest, or a new one where that is full. */
  #currentFile(bytes: number): string {
    if (this.#files.length === 0 || (this.#size > 0 && this.#size + bytes > this.#limits.fileBytes)) {
      // Not the folder around it: a data folder that was moved away must not seem to be there again.
      if (!existsSync(this.folder)) mkdirSync(this.folder, { mode: 0o700 });
      this.#files.push(this.#waitingFrom);
      this.#size = 0;
    }
    return this.#path(this.#files.at(-1) as number);
  }

  readonly #path = (firstId: number): string => `${this.folder}/server-${firstId}.jsonl`;

  /**
   * The newest lines that match, from before `before` and after `after`, newest first and at most `limit`. Ends after
   * 16 MB that were looked through, with `next` to go on at; between two blocks of a file others have their turn.
   */
  async read(query: {
    matches(line: Record<string, unknown>): boolean;
    /** In lower case; looked for in the line as it is written. */
    text?: string | undefined;
    before?: number | undefined;
    after?: number | undefined;
    limit: number;
  }): Promise<LogPage> {
    await this.flush();
    const { matches, text = "", before = Number.POSITIVE_INFINITY, after = 0, limit } = query;
    const lines: Record<string, unknown>[] = [];
    let scanned = 0;
    for (const file of [...this.#files].reverse()) {
      if (file >= before) continue;
      for await (const raw of linesBackwards(this.#path(file))) {
        scanned += raw.length;
        const line = parsed(raw);
        const id = Number(line?.["id"]);
        if (!line || !(id < before)) continue;
        if (id <= after) return { lines, next: null };
        if (lines.length === limit || scanned > this.#limits.scannedBytes) return { lines, next: id + 1 };
        if (raw.toLowerCase().includes(text) && matches(line)) lines.push(line);
      }
    }
    return { lines, next: null };
  }

  /** What all files take up, in bytes. */
  get bytes(): number {
    return this.#files.reduce(
      (sum, file) => sum + (statSync(this.#path(file), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.flush();
    openLogs.delete(this);
    this.#listeners.clear();
  }

  /** The last words of a thread that ends itself, which is why somebody will read the log. */
  writeAtExit(): void {
    const text = this.#waiting.splice(0).join("");
    if (text === "") return;
    try {
      appendFileSync(this.#currentFile(text.length), text, { mode: 0o600 });
    } catch {
      // Nobody is left to tell.
    }
  }
}

const openLogs = new Set<LogFiles>();
process.on("exit", () => {
  for (const log of openLogs) log.writeAtExit();
});

/** Undefined for a line that a crash cut short. */
function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** The lines of a file, last to first; none if it is gone. */
async function* linesBackwards(path: string): AsyncGenerator<string> {
  const file = await open(path, "r").catch(() => undefined);
  if (!file) return;
  try {
    let end = (await file.stat()).size;
    // Bytes and not text, since a block may begin within a character.
    let rest = Buffer.alloc(0);
    while (end > 0) {
      const start = Math.max(0, end - BLOCK_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
      const block = Buffer.concat([buffer.subarray(0, bytesRead), rest]);
      const firstEnd = start === 0 ? -1 : block.indexOf(10);
      if (start > 0 && firstEnd < 0) rest = block;
      else {
        rest = block.subarray(0, firstEnd + 1);
        const lines = block
          .subarray(firstEnd + 1)
          .toString("utf8")
          .split("\n");
        for (const line of lines.reverse()) if (line !== "") yield line;
      }
      end = start;
    }
  } finally {
    await file.close();
  }
}
