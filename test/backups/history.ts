import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { createEventQueue } from "../../server/api/actions/event-queues.ts";
import { deleteFile, recordFile } from "../../server/api/actions/files.ts";
import { sendMessage } from "../../server/api/actions/messages.ts";
import { changeOperatorSettings } from "../../server/api/actions/operator-settings.ts";
import { endCredentials } from "../../server/api/actions/sessions.ts";
import { createUser } from "../../server/api/actions/users.ts";
import { allFiles } from "../../server/api/queries/files.ts";
import { allUsers, type User, userById } from "../../server/api/queries/users.ts";
import { type MadeBackup, writeBackup } from "../../server/host/backups/backup-file.ts";
import { type BackupKey, sealSecret } from "../../server/host/backups/backup-key.ts";
import { readSecret } from "../../server/host/credentials/secret-key.ts";
import { initialize } from "../../server/host/first-run/init.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";
import type { NewFile, StoredFile } from "../../server/media/files/stored-files.ts";
import { type Files, realFiles } from "../../server/storage/files.ts";
import { openStore, type Store } from "../../server/storage/store.ts";
import { dump } from "../storage/work.ts";
import { endProcesses } from "../support/server-process.ts";

/** Small segments, because each start of a store writes two segments of zeros. */
export const testing = { segmentSize: 256 << 10 };

/** A folder whose `data` contains an organization. It is deleted after the test. */
export async function place(t: TestContext): Promise<{ parent: string; folder: string }> {
  const parent = mkdtempSync(join(tmpdir(), "hearth-backups-"));
  t.after(async () => {
    await endProcesses(t);
    rmSync(parent, { recursive: true, force: true });
  });
  const folder = join(parent, "data");
  await initialize({
    folder,
    organization: "Venice",
    ownerEmail: "desdemona@example.com",
    ownerName: "Desdemona",
    password: "secret-owner",
    testing: { passwordCost: 1024, ...testing },
  });
  return { parent, folder };
}

export const about = { actor: null, action: "test" };

const owner = (store: Store): User => userById(store.reader, 1) as User;

export function say(store: Store, text: string): number {
  return store.transact(about, (tx) =>
    sendMessage(tx, owner(store), {
      to: { userIds: [1] },
      content: text,
      rendered: renderMarkdown(text),
      client: "test",
      readBySender: true,
    }),
  ).id;
}

export function addPerson(store: Store, name: string): User {
  const person = { email: `${name}@example.com`, full_name: name, password_hash: null };
  return store.transact(about, (tx) => createUser(tx, owner(store), person));
}

/** Adds an upload and its row, like StoredFiles. */
export function addUpload(store: Store, folder: string, contents: Buffer): NewFile {
  const file: NewFile = {
    kind: "attachments",
    name: randomBytes(16).toString("hex"),
    size: contents.length,
    sha256: createHash("sha256").update(contents).digest("hex"),
  };
  const path = uploadPath(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
  store.transact(about, (tx) => recordFile(tx, file));
  return file;
}

export const uploadPath = (folder: string, { kind, name }: Pick<StoredFile, "kind" | "name">): string =>
  join(folder, "uploads", kind, name.slice(0, 2), name);

export function randomChange(store: Store, folder: string, pick: () => number): void {
  const below = (limit: number) => Math.floor(pick() * limit);
  const kind = below(10);
  if (kind <= 4) say(store, `${below(1e9)} ${"words and words ".repeat(below(60))}`);
  else if (kind === 5) addPerson(store, `person${below(1e9)}`);
  else if (kind === 6) addUpload(store, folder, randomBytes(below(3000)));
  else if (kind === 7) {
    const file = allFiles(store.reader).at(below(5));
    if (!file) return;
    store.transact(about, (tx) => deleteFile(tx, file));
    rmSync(uploadPath(folder, file));
  } else if (kind === 8)
    store.transact(about, (tx) => changeOperatorSettings(tx, null, { UPLOAD_QUOTA_MIB: below(1e6) }));
  else {
    const users = [...allUsers(store.reader)];
    const user = users[below(users.length)] as User;
    store.transact(about, (tx) => {
      createEventQueue(tx, user, {
        id: randomBytes(8).toString("hex"),
        options: "{}",
        lifespan_seconds: 600,
        first_event_id: store.lastEventId,
      });
      if (!user.is_bot) endCredentials(tx, user);
    });
  }
}

export const opened = (folder: string, files?: Files): Promise<Store> =>
  openStore({ folder, testing: { ...testing, ...(files && { files }) } });

export async function backUp(
  store: Store,
  folder: string,
  to: string,
  {
    files = realFiles,
    key,
    createdAt = 1_700_000_000_000,
    meanwhile = () => {},
  }: { files?: Files; key?: BackupKey; createdAt?: number; meanwhile?: () => void } = {},
): Promise<MadeBackup> {
  const snapshot = await store.snapshot();
  try {
    meanwhile();
    return await writeBackup(files, {
      dataFolder: folder,
      to,
      createdAt,
      madeBy: "request",
      version: "1.2.3",
      lastEventId: store.lastEventId,
      sealedSecret: key && sealSecret(readSecret(folder), key),
    });
  } finally {
    snapshot.release();
  }
}

/** Everything that a restore brings back as text: uploads, and all tables except those it changes on purpose. */
export function contents(store: Store, folder: string): Record<string, string> {
  const { event_queues: _, sqlite_sequence: __, audit, ...tables } = dump(store.reader);
  const entries = (JSON.parse(audit ?? "[]") as { action: string }[]).filter(
    ({ action }) => action !== "restore backup",
  );
  const uploads = allFiles(store.reader).map((file) => [
    file.name,
    readFileSync(uploadPath(folder, file)).toString("base64"),
  ]);
  return { ...tables, audit: JSON.stringify(entries), uploads: JSON.stringify(uploads) };
}

export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
