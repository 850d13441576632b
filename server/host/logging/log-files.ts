import { appendFileSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { appendFile, open, rm } from "node:fs/promises";

/** In the data folder. */
const FOLDER = "diagnostics";
const FILE = /^server-(\d{13,16})\.jsonl$/;
/** At most 40 MB in total. */
const LIMITS = { fileBytes: 5 << 20, files: 8, waitingBytes: 1 << 20, scannedBytes: 16 << 20 };
/** Batches lines that arrive within this time. */
const WRITING_MS = 200;
/** Block size for reading a file backwards. */
const BLOCK_BYTES = 64 << 10;

export interface LogFileOptions {
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
  limits?: Partial<typeof LIMITS> | undefined;
}

export interface LogPage {
  /** Parsed lines, newest first. */
  readonly lines: readonly Record<string, unknown>[];
  /** Pass it as `before` to continue; null if there are no more lines. */
  readonly next: number | null;
}

/**
 * The files of the server's log: lines of JSON, each with an `id` that grows with time. Writing never waits for the disk.
 * A full file is followed by a new file, and the oldest file is deleted. Lines that cannot be written are counted and
 * dropped, because the log must not stop the server.
 */
export class LogFiles {
  readonly folder: string;
  isStopping = false;
  readonly #now: () => number;
  readonly #limits: typeof LIMITS;
  /** The first ids of the files, ascending. They are in the file names. */
  readonly #files: number[] = [];
  #size = 0;
  #waiting: string[] = [];
  #waitingBytes = 0;
  /** The ID of the first line that is not written yet. */
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
      // Ids must grow even if the clock was set back.
      if (newest !== undefined) {
        const { size, mtimeMs } = statSync(this.#path(newest));
        this.#size = size;
        this.#lastId = Math.max(newest, Math.floor(mtimeMs) * 1000 + 999_999);
      }
    } catch {
      // The folder does not exist or cannot be read. The first write creates it or fails.
    }
    openLogs.add(this);
  }

  /** Microseconds since the epoch, or the last id plus 1. */
  nextId(): number {
    this.#lastId = Math.max(Math.floor(this.#now()) * 1000, this.#lastId + 1);
    return this.#lastId;
  }

  get lastId(): number {
    return this.#lastId;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** `line` has the newest id, and ends with a newline. */
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

  /** Returns a function that removes the listener. */
  onWrite(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends all long polls for lines. */
  stopWaiting(): void {
    this.isStopping = true;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Resolves when all lines are written or dropped. */
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
      // The disk is full, or the folder was moved.
      this.#dropped += length;
    }
  }

  /** The newest file, or a new file if the bytes do not fit. */
  #currentFile(bytes: number): string {
    if (this.#files.length === 0 || (this.#size > 0 && this.#size + bytes > this.#limits.fileBytes)) {
      // Not recursive: a data folder that was moved away must not reappear.
      if (!existsSync(this.folder)) mkdirSync(this.folder, { mode: 0o700 });
      this.#files.push(this.#waitingFrom);
      this.#size = 0;
    }
    return this.#path(this.#files.at(-1) as number);
  }

  readonly #path = (firstId: number): string => `${this.folder}/server-${firstId}.jsonl`;

  /** The matching lines between `after` and `before`, newest first. Ends after 16 MB, with `next` to continue. */
  async read(query: {
    matches(line: Record<string, unknown>): boolean;
    /** In lower case, searched in the JSON text. */
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

  /** Total size of the files. */
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

  /** Writes the lines that explain why a thread ends itself. */
  writeAtExit(): void {
    const text = this.#waiting.splice(0).join("");
    if (text === "") return;
    try {
      appendFileSync(this.#currentFile(text.length), text, { mode: 0o600 });
    } catch {
      // The process ends.
    }
  }
}

const openLogs = new Set<LogFiles>();
process.on("exit", () => {
  for (const log of openLogs) log.writeAtExit();
});

/** Undefined for a line that a crash truncated. */
function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** The lines of a file from last to first; none if the file does not exist. */
async function* linesBackwards(path: string): AsyncGenerator<string> {
  const file = await open(path, "r").catch(() => undefined);
  if (!file) return;
  try {
    let end = (await file.stat()).size;
    // Bytes instead of text, because a block can begin inside a character.
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
