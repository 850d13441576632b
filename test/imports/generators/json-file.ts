import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { dirname } from "node:path";
import { finished } from "node:stream/promises";

/** Writes a JSON file with a list of values, one after the other. */
export class JsonFile {
  readonly #file: WriteStream;
  readonly #end: string;
  #separator = "";

  /** `start` and `end`: the text around the values. */
  constructor(path: string, start = "[", end = "]") {
    mkdirSync(dirname(path), { recursive: true });
    this.#file = createWriteStream(path);
    this.#file.write(start);
    this.#end = end;
  }

  async add(...values: readonly object[]): Promise<void> {
    for (const value of values) {
      const hasRoom = this.#file.write(this.#separator + JSON.stringify(value));
      this.#separator = ",\n";
      if (!hasRoom) await new Promise((go) => this.#file.once("drain", go));
    }
  }

  async end(): Promise<void> {
    this.#file.end(this.#end);
    await finished(this.#file);
  }
}
