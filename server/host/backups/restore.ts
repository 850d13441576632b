import { randomBytes } from "node:crypto";
import { existsSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { adjustRestored } from "../../api/actions/backups.ts";
import { heldContents, idSequences, newerThan } from "../../api/queries/backups.ts";
import { problem } from "../../errors.ts";
import { type Files, readFully, realFiles, replaceFile } from "../../storage/files.ts";
import { holdsData } from "../../storage/recovery.ts";
import { SavedDatabaseWriter } from "../../storage/saved-database.ts";
import { openStore } from "../../storage/store.ts";
import { readSecret, SecretDamaged, writeSecret } from "../credentials/secret-key.ts";
import { type BackupAbout, verifyBackup } from "./backup-file.ts";
import { encodeKey, KEY_FILE, openSecret } from "./backup-key.ts";
import { PassphraseRefused } from "./errors.ts";
import { finishRestore, RESTORE_FILE, removeBuild, writeBuild, writeMoves } from "./restore-moves.ts";

/*
 * A restore writes a complete data folder next to the current one and opens it once before it changes anything. Then
 * `restore.json` lists the moves, and the next start finishes an interrupted restore (`finishRestore`). The data folder
 * itself and its lock keep their path, because the folder may be a mount point.
 */

/** More events per second than any server sends over years. */
const EVENTS_PER_SECOND = 20;
const MIN_EVENTS = 1_000_000;

export interface RestoreOptions {
  /** The backup. */
  path: string;
  /** The data folder, created if it is missing. The caller holds its lock. */
  folder: string;
  passphrase?: string | undefined;
  endAllKeys?: boolean | undefined;
  /** `done` and `total` are bytes of the backup. */
  advanced?(phase: RestorePhase, done: number, total: number): void;
  now?: () => number;
  testing?: RestoreTesting | undefined;
}

/** The whole backup is checked before the first write. */
export type RestorePhase = "checking" | "writing";

export interface RestoreTesting {
  files?: Files;
  segmentSize?: number;
}

/** Data that only the current data folder has. */
export interface Losses {
  organization: string;
  /** If so, nothing can be compared. */
  is_other_organization: boolean;
  messages: number;
  people: number;
  /** API keys that were replaced since the backup. The restore makes the old keys valid again. */
  key_rotations: number;
}

export interface RestorePreview {
  about: BackupAbout;
  /** Bytes of the backup. */
  size: number;
  /** Undefined if the folder is empty. A text says why the current data cannot be read. */
  today: Losses | string | undefined;
  /** Why the current `secret.key` cannot stay; undefined if it can, or if there is none. */
  secretProblem: string | undefined;
  keys: KeysAfter;
}

/**
 * The API keys that are valid after a restore. Current keys have priority, because older keys may have been revoked for
 * a reason. The backup's keys need its passphrase.
 */
export type KeysAfter = "today's" | "the backup's" | "none";

export interface Restored extends RestorePreview {
  /** Where the previous data is now; undefined if there was none. */
  aside: string | undefined;
}

/** The readable part of the current data folder. */
interface Today {
  losses: Losses | string | undefined;
  secret: Buffer | undefined;
  secretProblem: string | undefined;
  /** The newest event id that clients may know; undefined if it is unknown. */
  lastEventId: number | undefined;
  sequences: { name: string; seq: number }[];
}

/** Checks the whole backup and returns the effects of a restore. Throws the errors of `verifyBackup`. */
export async function previewRestore(options: RestoreOptions): Promise<RestorePreview> {
  const { path, folder, endAllKeys, testing = {} } = options;
  const { about, size } = verifyBackup(testing.files ?? realFiles, path);
  const today = await readToday(folder, about, testing);
  const keys = keysAfter(about, today.secret !== undefined, endAllKeys);
  return { about, size, today: today.losses, secretProblem: today.secretProblem, keys };
}

export const lossesOf = (about: BackupAbout, reader: Parameters<typeof heldContents>[0]): Losses => {
  const held = heldContents(reader);
  const is_other_organization = held.organization_created_at !== about.organization_created_at;
  const since = newerThan(reader, {
    messageId: is_other_organization ? 0 : about.newest_message_id,
    userId: is_other_organization ? 0 : about.newest_user_id,
    keyRotations: about.key_rotations,
  });
  return {
    organization: held.organization,
    is_other_organization,
    ...since,
    ...(is_other_organization && { key_rotations: 0 }),
  };
};

async function readToday(folder: string, about: BackupAbout, testing: RestoreTesting): Promise<Today> {
  const files = testing.files ?? realFiles;
  const nothing: Today = {
    losses: undefined,
    secret: undefined,
    secretProblem: undefined,
    lastEventId: undefined,
    sequences: [],
  };
  if (!holdsData(files, folder)) return nothing;
  const { secret, problem: secretProblem } = readTodaysSecret(folder);
  try {
    const store = await openStore({ folder, testing });
    try {
      const losses = lossesOf(about, store.reader);
      if (losses.is_other_organization) return { ...nothing, losses };
      return { losses, secret, secretProblem, lastEventId: store.lastEventId, sequences: idSequences(store.reader) };
    } finally {
      await store.close();
    }
  } catch (error) {
    return { ...nothing, losses: (error as Error).message, secret, secretProblem };
  }
}

/** A damaged or missing `secret.key` must not prevent the comparison with the current data. */
export function readTodaysSecret(folder: string): { secret: Buffer | undefined; problem: string | undefined } {
  try {
    return { secret: readSecret(folder), problem: undefined };
  } catch (error) {
    const isDamaged = error instanceof SecretDamaged;
    return { secret: undefined, problem: isDamaged ? "secret.key is damaged" : "secret.key cannot be read" };
  }
}

/** `hasSecret`: whether the current folder has the keys of this organization. */
export function keysAfter(about: BackupAbout, hasSecret: boolean, endAllKeys = false): KeysAfter {
  if (endAllKeys) return "none";
  if (hasSecret) return "today's";
  return about.has_secret ? "the backup's" : "none";
}

/**
 * Replaces the data of the folder with a backup and keeps the current data next to it. If it throws, nothing has changed,
 * unless the disk failed at the very end: then the next start finishes the restore. Throws PassphraseRefused,
 * SchemaTooNew, disk errors and the errors of `verifyBackup`.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { path, folder, passphrase, endAllKeys = false, advanced = () => {}, now = Date.now, testing = {} } = options;
  const files = testing.files ?? realFiles;
  let sealed: Buffer | undefined;
  const { about, size } = verifyBackup(files, path, {
    secret: (bytes) => {
      sealed = bytes;
    },
    advanced: (done, total) => advanced("checking", done, total),
  });
  const today = await readToday(folder, about, testing);
  const keys = keysAfter(about, today.secret !== undefined, endAllKeys);
  if (passphrase === undefined && keys === "the backup's") throw new PassphraseRefused();
  const opened = sealed && passphrase !== undefined ? await openSecret(sealed, passphrase) : undefined;
  const secret = { "today's": today.secret, "the backup's": opened?.secret, none: undefined }[keys] ?? randomBytes(32);

  const time = new Date(now()).toISOString().slice(0, 19).replace(/[T:]/g, "-");
  files.makeFolder(folder);
  const parent = placeBeside(folder);
  const prefix = parent === folder ? "" : `${basename(folder)}-`;
  const restored = freeName(files, join(parent, `${prefix}restored-${time}`));
  const aside = freeName(files, join(parent, `${prefix}before-restore-${time}`));
  writeBuild(folder, { restored, aside }, files);
  try {
    await build(restored, { about, path, today, advanced, now, files, testing, endSessions: endAllKeys });
    writeSecret(restored, secret, files);
    if (opened) replaceFile(files, restored, KEY_FILE, encodeKey(opened.key));
    else if (keys === "today's" && files.exists(join(folder, KEY_FILE)))
      // Copied even if it is damaged. Without it, later backups would silently omit the secret.
      replaceFile(files, restored, KEY_FILE, readFully(files, join(folder, KEY_FILE)));
    files.makeFolder(aside);
    files.syncFolder(parent);
    writeMoves(folder, { step: "aside", aside, restored }, files);
  } catch (error) {
    if (existsSync(join(folder, RESTORE_FILE))) throw error; // the next start finishes the restore
    try {
      removeBuild(folder, files);
    } catch {
      // The next start cleans up. The original error matters more.
    }
    throw error;
  }
  finishRestore(folder, files);
  const isAside = today.losses !== undefined && existsSync(aside);
  return {
    about,
    size,
    today: today.losses,
    secretProblem: today.secretProblem,
    keys,
    aside: isAside ? aside : undefined,
  };
}

/** Restores only `secret.key` from a backup. Throws PassphraseRefused and the errors of `verifyBackup`. */
export async function restoreSecret({
  path,
  folder,
  passphrase,
}: Pick<RestoreOptions, "path" | "folder" | "passphrase">): Promise<BackupAbout> {
  let sealed: Buffer | undefined;
  const { about } = verifyBackup(realFiles, path, {
    secret: (bytes) => {
      sealed = bytes;
    },
  });
  if (!sealed) throw new PassphraseRefused(problem("backup_without_passphrase", { path }));
  if (passphrase === undefined) throw new PassphraseRefused(problem("passphrase_variable_missing", { path }));
  const { secret } = await openSecret(sealed, passphrase);
  writeSecret(folder, secret);
  return about;
}

async function build(
  restored: string,
  how: {
    about: BackupAbout;
    path: string;
    today: Today;
    advanced: NonNullable<RestoreOptions["advanced"]>;
    now: () => number;
    files: Files;
    testing: RestoreTesting;
    endSessions: boolean;
  },
): Promise<void> {
  const { about, path, today, files, testing } = how;
  const { last_event_id: last, event_id: eventId, seq, schema, engine } = about.database;
  const seconds = Math.max(0, how.now() - about.created_at) / 1000;
  const reserved = Math.max(today.lastEventId ?? last + MIN_EVENTS + Math.ceil(seconds * EVENTS_PER_SECOND), last);
  files.makeFolder(restored);
  const database = new SavedDatabaseWriter(restored, files);
  let isWritten = false;
  const folders = new Set<string>();
  try {
    verifyBackup(files, path, {
      advanced: (done, total) => how.advanced("writing", done, total),
      pages: (pages) => database.add(pages),
      upload: (name, pieces) => {
        const target = join(restored, name);
        files.makeFolder(dirname(target));
        for (let at = dirname(target); at !== restored; at = dirname(at)) folders.add(at);
        const file = files.open(target, "create");
        try {
          let position = 0;
          for (const piece of pieces) {
            file.write(piece, position);
            position += piece.length;
          }
          file.sync();
        } finally {
          file.close();
        }
      },
    });
    isWritten = true;
    await database.finish({ seq, eventId, reserved, schema, engine }, testing.segmentSize);
  } finally {
    if (!isWritten) database.abandon();
  }
  for (const one of folders) files.syncFolder(one);
  const store = await openStore({ folder: restored, now: how.now, testing });
  try {
    const losses = typeof today.losses === "object" ? today.losses : undefined;
    store.transact({ actor: null, action: "restore backup" }, (tx) =>
      adjustRestored(tx, {
        sequences: today.sequences,
        endSessions: how.endSessions,
        backup: {
          made_at: about.created_at,
          lost_messages: losses?.messages ?? null,
          lost_people: losses?.people ?? null,
        },
      }),
    );
    await store.durable();
  } finally {
    await store.close();
  }
  files.syncFolder(restored);
}

/** The folder for restored and previous data: the parent, or the data folder itself if the parent cannot be used. */
function placeBeside(folder: string): string {
  const parent = dirname(folder);
  try {
    const probe = join(parent, `.hearth-${randomBytes(6).toString("hex")}`);
    realFiles.makeFolder(probe);
    try {
      // Files cannot be renamed across file systems.
      if (statSync(probe).dev === statSync(folder).dev) return parent;
    } finally {
      rmSync(probe, { recursive: true, force: true });
    }
  } catch {
    // No permission to write there.
  }
  return folder;
}

function freeName(files: Files, path: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : `${path}-${number}`;
    if (!files.exists(name)) return name;
  }
}
