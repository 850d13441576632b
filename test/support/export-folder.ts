import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { serialize } from "bson";
import { type Archive, openArchive } from "../../server/imports/archive.ts";
import { zipOf } from "./zip.ts";

type Files = Readonly<Record<string, string | Buffer>>;

/** An archive of these files: a folder, or a zip file of it. */
export async function archiveOf(t: TestContext, files: Files, kind: "folder" | "zip" = "folder"): Promise<Archive> {
  const root = mkdtempSync(join(tmpdir(), "hearth-import-"));
  const path = join(root, "export");
  if (kind === "zip") writeFileSync(path, zipOf(Object.entries(files).map(([name, content]) => ({ name, content }))));
  else
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), content);
    }
  const archive = await openArchive(path, join(root, "work"));
  t.after(async () => {
    await archive.close();
    rmSync(root, { recursive: true, force: true });
  });
  return archive;
}

export const bsonOf = (documents: readonly object[]): Buffer =>
  Buffer.concat(documents.map((document) => serialize(document)));

/** The files of a database dump, by collection. Those that each dump has can be left out. */
export function dumpOf(collections: Readonly<Record<string, readonly object[] | Buffer>>): Record<string, Buffer> {
  const all = { users: [], rocketchat_room: [], rocketchat_message: [], ...collections };
  return Object.fromEntries(
    Object.entries(all).map(([name, contents]) => [
      `dump/chat/${name}.bson`,
      Buffer.isBuffer(contents) ? contents : bsonOf(contents as readonly object[]),
    ]),
  );
}
