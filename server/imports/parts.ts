import { StringDecoder } from "node:string_decoder";
import { problem } from "../errors.ts";
import { type Archive, NotAnExport } from "./archive.ts";
import { ElementScanner } from "./element-scanner.ts";

/* Reads files of an archive in parts, so that memory does not depend on their size. */

/** Limit of a file or record that is read as a whole. */
export const MAX_RECORD_BYTES = 64 << 20;

/** A whole file of at most 64 MB, or the given number of bytes. */
export async function readWhole(archive: Archive, name: string, maxBytes = MAX_RECORD_BYTES): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of await archive.open(name)) {
    bytes += (piece as Buffer).length;
    if (bytes > maxBytes) throw new NotAnExport(problem("import_part_too_large", { name }));
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}

/** The value of a JSON file. `undefined` if there is no such file. */
export async function readJson(archive: Archive, name: string, maxBytes?: number): Promise<unknown> {
  if (!archive.files.has(name)) return undefined;
  const text = (await readWhole(archive, name, maxBytes)).toString("utf8").replace(/^\ufeff/, "");
  try {
    return JSON.parse(text);
  } catch {
    throw new NotAnExport(problem("import_part_malformed", { name }));
  }
}

/** The lines of a text file, without their ends. */
export async function* readLines(archive: Archive, name: string): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const piece of await archive.open(name)) {
    const lines = (rest + decoder.write(piece as Buffer)).split("\n");
    rest = lines.pop() as string;
    if (rest.length > MAX_RECORD_BYTES) throw new NotAnExport(problem("import_part_too_large", { name }));
    yield* lines.map((line) => line.replace(/\r$/, ""));
  }
  rest += decoder.end();
  if (rest) yield rest.replace(/\r$/, "");
}

/** Streams the elements of an array in a JSON file. `path` leads to the array, and is empty if the file is an array. */
export async function* readElements(
  archive: Archive,
  name: string,
  path: readonly string[] = [],
): AsyncGenerator<unknown> {
  const scanner = new ElementScanner(path, MAX_RECORD_BYTES);
  for await (const piece of await archive.open(name)) {
    let elements: unknown[];
    try {
      elements = scanner.write(piece as Buffer);
    } catch (error) {
      if (error instanceof SyntaxError) throw new NotAnExport(problem("import_part_malformed", { name }));
      if (error instanceof RangeError) throw new NotAnExport(problem("import_part_too_large", { name }));
      throw error;
    }
    yield* elements;
  }
  if (!scanner.isEnded) throw new NotAnExport(problem("import_part_malformed", { name }));
}

/** Fields before the first large field of an object, such as the description of an export, fit into this. */
const MAX_START_BYTES = 1 << 20;

/**
 * Fields of the object in a JSON file, as far as they are at its start. Reads no further than the last of them. Missing
 * if the file has no such fields, or is not JSON.
 */
export async function readFirstFields(
  archive: Archive,
  name: string,
  fields: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const { JSONParser } = await import("@streamparser/json");
  const parser = new JSONParser({ paths: fields.map((field) => `$.${field}`), keepStack: false });
  const found = new Map<string, unknown>();
  let isMalformed = false;
  parser.onValue = ({ key, value }) => void found.set(String(key), value);
  parser.onError = () => {
    isMalformed = true;
  };
  let bytes = 0;
  for await (const piece of await archive.open(name)) {
    // An array has no fields, and could be large.
    if (bytes === 0 && !/^(?:\xef\xbb\xbf)?\s*\{/.test((piece as Buffer).subarray(0, 100).toString("latin1"))) break;
    bytes += (piece as Buffer).length;
    parser.write(piece as Buffer);
    if (isMalformed || found.size === fields.length || bytes > MAX_START_BYTES) break;
  }
  return found;
}

/** The rows of tables in a JSON file of the form `{"table": [row, …], …}`, in the order of the file. */
export async function* readTables(
  archive: Archive,
  name: string,
  tables: readonly string[],
): AsyncGenerator<{ table: string; value: unknown }> {
  const { JSONParser } = await import("@streamparser/json");
  const parser = new JSONParser({ paths: tables.map((table) => `$.${table}.*`), keepStack: false });
  const found: { table: string; value: unknown }[] = [];
  parser.onValue = ({ value, stack }) => void found.push({ table: String(stack[1]?.key), value });
  parser.onError = () => {
    throw new NotAnExport(problem("import_part_malformed", { name }));
  };
  for await (const piece of await archive.open(name)) {
    parser.write(piece as Buffer);
    yield* found.splice(0);
  }
  if (!parser.isEnded) throw new NotAnExport(problem("import_part_malformed", { name }));
}
