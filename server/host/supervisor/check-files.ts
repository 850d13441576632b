import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { allFiles, fileInWords, type RecordedFile, uploadName } from "../../api/queries/files.ts";
import { operatorSetting } from "../../api/queries/operator-settings.ts";
import { organizationCreatedAt } from "../../api/queries/organization.ts";
import { FILE_KINDS } from "../../media/files/stored-files.ts";
import { readPieces, realFiles } from "../../storage/files.ts";
import type { Reader } from "../../storage/transaction.ts";
import { backupName, verifyBackup } from "../backups/backup-file.ts";

export interface Part {
  name: string;
  state: "OK" | "note" | "DAMAGED";
  lines: readonly string[];
}

/** Collects what the advice at the end depends on. */
export interface Advice {
  /** Whether a start fails, or some data is lost. */
  needsRestore?: boolean;
  needsSecret?: boolean;
  /** Sentences. */
  more: string[];
}

export interface Check {
  folder: string;
  /** Called with each part as soon as it was read. */
  say(part: Part): void;
  advice: Advice;
}

const MAX_NAMED = 50;

const digestOf = (pieces: Iterable<Buffer>): string => {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
};

/** Undefined if the file is intact. */
function damageOf(folder: string, file: RecordedFile): "missing" | "changed" | undefined {
  const path = join(folder, uploadName(file));
  if (!existsSync(path)) return "missing";
  try {
    let size = 0;
    const counted = function* () {
      for (const piece of readPieces(realFiles, path)) {
        size += piece.length;
        yield piece;
      }
    };
    const digest = digestOf(counted());
    return size === file.size && (file.sha256 === null || digest === file.sha256) ? undefined : "changed";
  } catch {
    return "changed"; // a part cannot be read
  }
}

/** Compares uploads with their rows. Returns the damaged uploads. */
export function checkUploads({ folder, say }: Check, reader: Reader | undefined): RecordedFile[] {
  const name = "uploads";
  if (!reader) {
    say({ name, state: "note", lines: ["They cannot be compared while the database cannot be opened."] });
    return [];
  }
  const recorded = allFiles(reader);
  const damaged = recorded.flatMap((file) => {
    const damage = damageOf(folder, file);
    return damage ? { file, damage } : [];
  });
  const named = damaged
    .slice(0, MAX_NAMED)
    .map(({ file, damage }) => `  ${uploadName(file)} (${damage}): ${fileInWords(reader, file)}`);
  if (damaged.length > MAX_NAMED) named.push(`  and ${damaged.length - MAX_NAMED} more`);
  const summary = `${damaged.length} of ${recorded.length} uploaded files are damaged or missing:`;
  if (damaged.length > 0) say({ name, state: "DAMAGED", lines: [summary, ...named] });
  else say({ name, state: "OK", lines: [`All ${recorded.length} files are as they were received.`] });
  const extra =
    namesOnDisk(folder).length - (recorded.length - damaged.filter(({ damage }) => damage === "missing").length);
  if (extra > 0)
    say({ name, state: "note", lines: [`${extra} further files belong to nothing. The server removes them.`] });
  return damaged.map(({ file }) => file);
}

const namesOnDisk = (folder: string): string[] =>
  FILE_KINDS.flatMap((kind) => {
    const path = join(folder, "uploads", kind);
    return existsSync(path)
      ? readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((one) => (one.isFile() ? one.name : []))
      : [];
  });

interface SoundBackup {
  path: string;
  hasSecret: boolean;
  createdAt: number;
  /** Names of damaged uploads that have a good copy in this backup. */
  has: ReadonlySet<string>;
}

/** Checks every backup, and finds those that can repair the damage. */
export function checkBackups(check: Check, reader: Reader | undefined, damagedUploads: readonly RecordedFile[]): void {
  const { say } = check;
  const name = "backups";
  const folder = folderOfBackups(check, reader);
  const names = existsSync(folder) ? readdirSync(folder).filter((one) => backupName.test(one)) : [];
  const [sound, damaged]: [SoundBackup[], string[]] = [[], []];
  for (const one of names.sort().reverse()) {
    try {
      const found = soundBackup(join(folder, one), reader, damagedUploads);
      if (found) sound.push(found);
    } catch (error) {
      damaged.push((error as Error).message);
    }
  }
  if (damaged.length > 0) {
    check.advice.more.push('Make a new backup in place of damaged ones, as soon as the rest is well: "hearth backup".');
    say({ name, state: "DAMAGED", lines: [`${damaged.length} of ${names.length} backups are damaged:`, ...damaged] });
  } else if (names.length > 0)
    say({ name, state: "OK", lines: [`All ${names.length} backups in ${folder} are as they were written.`] });
  else say({ name, state: "note", lines: [`There are none in ${folder}.`] });
  advise(check, sound, damagedUploads);
}

function folderOfBackups({ folder }: Check, reader: Reader | undefined): string {
  const setting = reader ? operatorSetting(reader, "BACKUP_FOLDER") : null;
  return setting ?? join(folder, "backups");
}

/** Undefined for a backup of another organization. */
function soundBackup(
  path: string,
  reader: Reader | undefined,
  damagedUploads: readonly RecordedFile[],
): SoundBackup | undefined {
  const wanted = new Map(damagedUploads.map((file) => [uploadName(file), file]));
  const has = new Set<string>();
  const { about } = verifyBackup(realFiles, path, {
    upload(name, pieces) {
      const file = wanted.get(name);
      const digest = digestOf(pieces);
      if (file && file.sha256 === digest) has.add(file.name);
    },
  });
  if (reader && organizationCreatedAt(reader) !== about.organization_created_at) return undefined;
  return { path, hasSecret: about.has_secret, createdAt: about.created_at, has };
}

/** The step that loses the least data comes first. */
function advise(
  { folder, advice }: Check,
  sound: readonly SoundBackup[],
  damagedUploads: readonly RecordedFile[],
): void {
  const withSecret = sound.find(({ hasSecret }) => hasSecret);
  if (advice.needsSecret)
    advice.more.unshift(
      withSecret
        ? `Put secret.key back, with the backup's passphrase in HEARTH_BACKUP_PASSPHRASE. Nothing else changes: hearth restore ${withSecret.path} --data ${folder} --secret-only`
        : 'No backup here has secret.key. If there is none elsewhere, make a new one with "hearth rotate-secret": API keys, invitation links and webhook secrets are void then, and nothing else.',
    );
  if (advice.needsRestore) {
    const [newest] = sound;
    advice.more.unshift(
      newest
        ? `Ask for help with the copy if you need everything that was said after ${new Date(newest.createdAt).toISOString()}. Otherwise restore the newest backup, which says first what would be lost: hearth restore ${newest.path} --data ${folder}`
        : "No sound backup is here. Look for one elsewhere, or ask for help with the copy.",
    );
  }
  for (const file of damagedUploads.slice(0, MAX_NAMED)) {
    const found = sound.find(({ has }) => has.has(file.name));
    if (found)
      advice.more.push(
        `Put back a good copy of ${uploadName(file)}: tar -xf ${found.path} -C ${folder} ${uploadName(file)}`,
      );
    else advice.more.push(`No backup here has a good copy of ${uploadName(file)}. Ask the person who uploaded it.`);
  }
}
