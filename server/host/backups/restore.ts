import { randomBytes } from "node:crypto";
import { existsSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { adjustRestored } from "../../api/actions/backups.ts";
import { heldContents, idSequences, newerThan } from "../../api/queries/backups.ts";
import { type Files, readFully, realFiles, replaceFile } from "../../storage/files.ts";
import { holdsData } from "../../storage/recovery.ts";
import { SavedDatabaseWriter } from "../../storage/saved-database.ts";
import { openStore } from "../../storage/store.ts";
import { readSecret, SecretDamaged, writeSecret } from "../credentials/secret-key.ts";
import { type BackupAbout, verifyBackup } from "./backup-file.ts";
import { KEY_FILE } from "./backup-key.ts";
import { PassphraseRefused } from "./errors.ts";
import { finishRestore, RESTORE_FILE, removeBuild, writeBuild, writeMoves } from "./restore-moves.ts";
import { encodeKey, openSecret } from "./sealed-secret.ts";

/*
 * A restore builds the whole data folder beside today's, and opens it once, before it touches anything. Then
 * `restore.json` says what is to be moved where, and from there on a restore that is cut short is finished by the next
 * start (`finishRestore`). The folder itself and its lock stay where they are, since it may be a mount point.
 */

/** More events than any server has given out in a second, for years. */
const EVENTS_PER_SECOND = 20;
const MIN_EVENTS = 1_000_000;

export interface RestoreOptions {
  /** The backup. */
  path: string;
  /** The data folder, whose lock the caller holds; created if it is missing. */
  folder: string;
  passphrase?: string | undefined;
  endAllKeys?: boolean | undefined;
  /** Called with how far a restore is: bytes of the backup. */
  advanced?(phase: RestorePhase, done: number, total: number): void;
  now?: () => number;
  testing?: RestoreTesting | undefined;
}

/** The backup is read as a whole before anything is written. */
export type RestorePhase = "checking" | "writing";

export interface RestoreTesting {
  files?: Files;
  segmentSize?: number;
}

/** What today's data folder holds and the backup does not. */
export interface Losses {
  organization: string;
  /** Whether the backup is of another organization: then nothing can be compared. */
  is_other_organization: boolean;
  messages: number;
  people: number;
  /** How many API keys were made anew since: the keys before them would count again. */
  key_rotations: number;
}

export interface RestorePreview {
  about: BackupAbout;
  /** Bytes of the backup. */
  size: number;
  /** `undefined`: the folder holds nothing. A text says why today's data could not be read. */
  today: Losses | string | undefined;
  /** Why today's `secret.key` cannot stay; undefined if it can, and if there is none. */
  secretProblem: string | undefined;
  keys: KeysAfter;
}

/**
 * Which API keys count after a restore: those of today, since they may have been ended for a reason; those of the
 * backup, for which its passphrase is needed; or none.
 */
export type KeysAfter = "today's" | "the backup's" | "none";

export interface Restored extends RestorePreview {
  /** Where today's data is now; undefined if there was none. */
  aside: string | undefined;
}

/** Today's data folder, as far as it can be read. */
interface Today {
  losses: Losses | string | undefined;
  secret: Buffer | undefined;
  secretProblem: string | undefined;
  /** The newest event id that its clients may know; undefined if that is not known. */
  lastEventId: number | undefined;
  sequences: { name: string; seq: number }[];
}

/** Checks the whole backup, and says what a restore would do. Throws as `verifyBackup` does. */
export async function previewRestore(options: RestoreOptions): Promise<RestorePreview> {
  const { path, folder, endAllKeys, testing = {} } = options;
  const { about, size } = verifyBackup(testing.files ?? realFiles, path);
  const today = await readToday(folder, about, testing);
  const keys = keysAfter(about, today.secret !== undefined, endAllKeys);
  return { about, size, today: today.losses, secretProblem: today.secretProblem, keys };
}

/** The data folder is open now, with what `running` tells of it. */
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

/** A damaged or missing `secret.key` must not keep today's data from being compared. */
export function readTodaysSecret(folder: string): { secret: Buffer | undefined; problem: string | undefined } {
  try {
    return { secret: readSecret(folder), problem: undefined };
  } catch (error) {
    const isDamaged = error instanceof SecretDamaged;
    return { secret: undefined, problem: isDamaged ? "secret.key is damaged" : "secret.key cannot be read" };
  }
}

/** `hasSecret`: whether today's folder has the keys of this organization. */
export function keysAfter(about: BackupAbout, hasSecret: boolean, endAllKeys = false): KeysAfter {
  if (endAllKeys) return "none";
  if (hasSecret) return "today's";
  return about.has_secret ? "the backup's" : "none";
}

/**
 * Replaces the data of the folder by a backup, and keeps today's aside. Nothing has changed if it throws, unless the
 * disk fails at the very end: then the next start finishes it. Throws PassphraseRefused, what `verifyBackup` throws,
 * SchemaTooNew and disk errors.
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
      // As it is, even if it is damaged: without it, later backups would silently hold no secret.
      replaceFile(files, restored, KEY_FILE, readFully(files, join(folder, KEY_FILE)));
    files.makeFolder(aside);
    files.syncFolder(parent);
    writeMoves(folder, { step: "aside", aside, restored }, files);
  } catch (error) {
    if (existsSync(join(folder, RESTORE_FILE))) throw error; // the next start finishes it
    try {
      removeBuild(folder, files);
    } catch {
      // The next start does it; why the restore has failed matters more.
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

/**
 * Puts back `secret.key` alone, from a backup that has it; today's data stays. Throws PassphraseRefused, and throws as
 * `verifyBackup` does.
 */
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
  if (!sealed) throw new PassphraseRefused(`${path} was made without a passphrase, and has no secret.key.`);
  if (passphrase === undefined)
    throw new PassphraseRefused(`Set HEARTH_BACKUP_PASSPHRASE to the passphrase of ${path}.`);
  const { secret } = await openSecret(sealed, passphrase);
  writeSecret(folder, secret);
  return about;
}

/** Writes the data folder that the restored server is to have. */
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

/** The folder that takes what a restore sets aside: the parent, or the folder itself where the parent is of no use. */
function placeBeside(folder: string): string {
  const parent = dirname(folder);
  try {
    const probe = join(parent, `.hearth-${randomBytes(6).toString("hex")}`);
    realFiles.makeFolder(probe);
    try {
      // A mount point cannot be left by renaming.
      if (statSync(probe).dev === statSync(folder).dev) return parent;
    } finally {
      rmSync(probe, { recursive: true, force: true });
    }
  } catch {
    // Not ours to write in.
  }
  return folder;
}

function freeName(files: Files, path: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : `${path}-${number}`;
    if (!files.exists(name)) return name;
  }
}
