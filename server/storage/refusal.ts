import { crc32 } from "node:zlib";
import { type Checkpoint, DATABASE, readManifest } from "./checkpoint.ts";
import { Database } from "./database.ts";
import type { Files } from "./files.ts";
import { PAGE_SIZE } from "./pages.ts";

/*
 * A Hearth from before `hearth.db` was changed in place knows a database by its size and its checksum in the manifest.
 * The manifest shows it this small one instead, whose schema is newer than any: it says so and stops, and has changed
 * nothing.
 */

const PATH = `${DATABASE}.previous`;
const NEWER_THAN_ANY = 1_000_000;

let made: Promise<Buffer> | undefined;

async function contents(): Promise<Buffer> {
  const database = await Database.empty();
  database.script(`PRAGMA user_version = ${NEWER_THAN_ANY}`);
  const { file } = database;
  const bytes = Buffer.alloc(file.pages * PAGE_SIZE);
  for (let number = 0; number < file.pages; number += 1) bytes.set(file.page(number), number * PAGE_SIZE);
  database.close();
  return bytes;
}

/** The only entry of the manifest of a folder in which `hearth.db` is changed in place. */
export async function refusal(): Promise<Checkpoint> {
  made ??= contents();
  const bytes = await made;
  return { seq: 0, eventId: 0, segment: 0, size: bytes.length, crc: crc32(bytes), format: 2 };
}

/**
 * Writes the small database unless it is there, as the manifest says. Nothing but an older Hearth reads it. It is made
 * only where it is missing: the engine takes longer for it than to open the real one.
 */
export async function writeRefusal(files: Files, folder: string): Promise<void> {
  const path = `${folder}/${PATH}`;
  if (files.exists(path) && sizeOf(files, path) === readManifest(files, folder)[0]?.size) return;
  made ??= contents();
  const bytes = await made;
  const file = files.open(path, "create");
  try {
    file.write(bytes, 0);
    file.sync();
  } finally {
    file.close();
  }
  files.syncFolder(folder);
}

function sizeOf(files: Files, path: string): number {
  const file = files.open(path, "read");
  try {
    return file.size;
  } finally {
    file.close();
  }
}
