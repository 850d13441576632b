import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ImportedMessage } from "./model.ts";

/** Memory for messages before they are written to disk, in characters of JSON. */
const RUN_CHARACTERS = 16 << 20;

interface Line {
  sentAt: number;
  /** Keeps messages of the same time in the order of the source. */
  order: number;
  json: string;
}

const isBefore = (a: Line, b: Line): boolean => (a.sentAt === b.sentAt ? a.order < b.order : a.sentAt < b.sentAt);

/**
 * Sorts messages by time with little memory: sorted runs go to files, and reading merges them. The files stay, so that
 * an import can read its messages again after a restart.
 */
export class SortedMessages {
  readonly #folder: string;
  readonly #runCharacters: number;
  #lines: Line[] = [];
  #characters = 0;
  #order = 0;
  #runs = 0;

  constructor(folder: string, { runCharacters = RUN_CHARACTERS, runs = 0 } = {}) {
    this.#folder = folder;
    this.#runCharacters = runCharacters;
    this.#runs = runs;
  }

  /** The number of files, to open them again. */
  get runs(): number {
    return this.#runs;
  }

  async add(message: ImportedMessage): Promise<void> {
    const json = JSON.stringify(message);
    this.#lines.push({ sentAt: message.sentAt, order: this.#order++, json });
    this.#characters += json.length;
    if (this.#characters >= this.#runCharacters) await this.flush();
  }

  /** Writes the messages in memory to a file. */
  async flush(): Promise<void> {
    if (this.#lines.length === 0) return;
    const lines = this.#lines.sort((a, b) => a.sentAt - b.sentAt || a.order - b.order);
    this.#lines = [];
    this.#characters = 0;
    await mkdir(this.#folder, { recursive: true });
    const texts = function* () {
      for (const { sentAt, order, json } of lines) yield `${sentAt} ${order} ${json}\n`;
    };
    await pipeline(Readable.from(texts()), createWriteStream(this.#path(this.#runs)));
    this.#runs += 1;
  }

  /** All messages, oldest first. Call `flush` before. */
  async *read(): AsyncGenerator<ImportedMessage> {
    const runs = Array.from({ length: this.#runs }, (_, run) => linesOf(this.#path(run)));
    const heap = new Heap();
    try {
      for (const run of runs) await advance(heap, run);
      for (let first = heap.take(); first; first = heap.take()) {
        yield JSON.parse(first.line.json) as ImportedMessage;
        await advance(heap, first.run);
      }
    } finally {
      for (const run of runs) await run.return(undefined);
    }
  }

  async remove(): Promise<void> {
    for (let run = 0; run < this.#runs; run += 1) await rm(this.#path(run), { force: true });
  }

  #path(run: number): string {
    return join(this.#folder, `messages-${run}`);
  }
}

type Run = AsyncGenerator<Line, undefined>;

async function* linesOf(path: string): Run {
  const file = createReadStream(path);
  try {
    for await (const text of createInterface({ input: file, crlfDelay: Number.POSITIVE_INFINITY })) {
      const [sentAt = "", order = ""] = text.split(" ", 2);
      yield { sentAt: Number(sentAt), order: Number(order), json: text.slice(sentAt.length + order.length + 2) };
    }
  } finally {
    file.destroy();
  }
  return undefined;
}

async function advance(heap: Heap, run: Run): Promise<void> {
  const { value, done } = await run.next();
  if (!done) heap.add({ line: value, run });
}

interface Entry {
  line: Line;
  run: Run;
}

/** A binary heap with the oldest line first. */
class Heap {
  readonly #entries: Entry[] = [];

  add(entry: Entry): void {
    const entries = this.#entries;
    let at = entries.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry.line, (entries[parent] as Entry).line)) break;
      entries[at] = entries[parent] as Entry;
      at = parent;
    }
    entries[at] = entry;
  }

  take(): Entry | undefined {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (!first || !last || entries.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= entries.length) break;
      const right = entries[child + 1];
      if (right && isBefore(right.line, (entries[child] as Entry).line)) child += 1;
      if (!isBefore((entries[child] as Entry).line, last.line)) break;
      entries[at] = entries[child] as Entry;
      at = child;
    }
    entries[at] = last;
    return first;
  }
}
