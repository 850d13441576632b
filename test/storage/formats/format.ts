import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

/** The files that a version of Hearth leaves on disk, and their contents. */
export interface Format {
  /** The version of Hearth. */
  version: string;
  /** How many migrations it has. */
  schema: number;
  /** The files of its data folder after a clean stop, by path, in base64. */
  folder: Record<string, string>;
  /** Its backup in base64. */
  backup: string;
  /** The rows of each table, in the format of `dump` in test/storage/work.ts. */
  tables: Record<string, string>;
  /** The upload files by name, in base64. */
  uploads: Record<string, string>;
}

export const FORMATS = import.meta.dirname;
export const formatFile = (version: string): string => join(FORMATS, `${version}.json.gz`);

export const readFormat = (path: string): Format => JSON.parse(gunzipSync(readFileSync(path)).toString());

export const writeFormat = (format: Format): void =>
  writeFileSync(formatFile(format.version), gzipSync(JSON.stringify(format), { level: 9 }));

export function unpack(files: Record<string, string>, folder: string): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, path), Buffer.from(content, "base64"), { mode: 0o600 });
  }
}
