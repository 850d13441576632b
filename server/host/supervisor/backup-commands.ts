import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileByName, fileInWords, uploadName } from "../../api/queries/files.ts";
import { type Problem, problem } from "../../errors.ts";
import { realFiles } from "../../storage/files.ts";
import { openStore } from "../../storage/store.ts";
import { VERSION } from "../../version.ts";
import { type BackupAbout, type FinishedBackup, verifyBackup, writeBackup } from "../backups/backup-file.ts";
import { keyOfPassphrase, readKey, sealSecret } from "../backups/backup-key.ts";
import { BackupFailed, inWords } from "../backups/errors.ts";
import type { Losses, Restored, RestorePreview } from "../backups/restore.ts";
import { readSecret } from "../credentials/secret-key.ts";
import { callsTo } from "./running-server.ts";
import { printable } from "./terminal.ts";

/* The commands about backups. cli.ts imports this file lazily, because it loads the storage. */

interface Wanted {
  /** Absolute path of the new file. */
  file: string;
  passphrase: string | undefined;
}

const LOOK_EVERY_MS = 500;

/** The caller holds the lock of the folder. Returns lines for the terminal, like all functions here. */
export async function backUpFolder(folder: string, { file, passphrase }: Wanted): Promise<string[]> {
  const key = passphrase === undefined ? readKey(folder) : await keyOfPassphrase(passphrase);
  if (existsSync(file)) throw new BackupFailed(problem("path_already_exists", { path: file }));
  const sealedSecret = key && sealSecret(readSecret(folder), key);
  const store = await openStore({ folder });
  try {
    const snapshot = await store.snapshot({ withoutRoom: true });
    const job = {
      dataFolder: folder,
      unsaved: snapshot.unsaved,
      to: file,
      createdAt: Date.now(),
      madeBy: "request" as const,
      version: VERSION,
      lastEventId: store.lastEventId,
      sealedSecret,
    };
    const made = await writeBackup(realFiles, job, { databaseCopied: () => snapshot.release() });
    const lacking = made.lacking.flatMap((name) => fileByName(store.reader, name) ?? []);
    return [
      ...madeText(file, made),
      ...lacking.map((one) =>
        printable(`  ${uploadName(one)} is damaged or missing: ${fileInWords(store.reader, one)}`),
      ),
    ];
  } catch (error) {
    throw inWords(error, dirname(file));
  } finally {
    await store.close();
  }
}

/** Creates the backup on the running server. */
export async function backUpRunning(folder: string, { file, passphrase }: Wanted): Promise<string[]> {
  const call = callsTo(folder);
  const state = () =>
    call<{ work: object | null; failure: { at: number; problem: Problem } | null }>("GET", "/host/backups");
  const before = await state();
  await call("POST", "/host/backups", new URLSearchParams({ file, ...(passphrase !== undefined && { passphrase }) }));
  for (;;) {
    const { work, failure } = await state();
    if (!work) {
      if (failure && failure.at !== before.failure?.at) throw new BackupFailed(failure.problem);
      if (!existsSync(file))
        return [
          `${file}: the server has made the backup. It is not visible here, since the server has other folders: it may run in a container.`,
        ];
      return madeText(file, verifyBackup(realFiles, file));
    }
    await pause(LOOK_EVERY_MS);
  }
}

export function verifyFile(path: string): string[] {
  if (!existsSync(path)) throw new BackupFailed(problem("file_not_found_at", { path }));
  const { about, size } = verifyBackup(realFiles, path);
  return [`${path}: every byte is as it was written (${inBytes(size)}).`, ...holdsText(about)];
}

const madeText = (file: string, { about, size }: FinishedBackup): string[] => [
  `${file}: the backup is made and was read back (${inBytes(size)}).`,
  ...holdsText(about),
];

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

export const people = (count: number): string => plural(count, "person", "people");

export function inBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = bytes === 0 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${(bytes / 1000 ** power).toFixed(power > 1 ? 1 : 0)} ${units[power]}`;
}

/** In this machine's time zone. */
const inTime = (time: number): string =>
  new Date(time).toLocaleString("en", { dateStyle: "medium", timeStyle: "long", hourCycle: "h23" });

function holdsText(about: BackupAbout): string[] {
  const missing = about.missing_files > 0 ? `, without ${plural(about.missing_files, "file")} that was not there` : "";
  const damaged = about.damaged_files > 0 ? `, ${plural(about.damaged_files, "file")} of them damaged before` : "";
  return [
    `  ${printable(about.organization)}, on ${inTime(about.created_at)}, by Hearth ${printable(about.version)}`,
    `  ${people(about.people)}, ${plural(about.messages, "message")}, ${plural(about.files.count, "uploaded file")} (${inBytes(about.files.bytes)})${damaged}${missing}`,
    about.has_secret
      ? "  It holds the keys of apps and bots, under a passphrase."
      : "  It holds no keys: on another machine, apps and bots need new ones. Passwords count.",
  ];
}

export function previewText(
  { about, size, today, secretProblem, keys }: RestorePreview,
  { path, folder }: { path: string; folder: string },
): string[] {
  return [
    `${path} (${inBytes(size)}) holds`,
    ...holdsText(about),
    ...todayText(today, folder),
    ...(secretProblem === undefined ? [] : [`Today's ${secretProblem}, and does not stay.`]),
    {
      "today's": "The keys of apps and bots stay as they are today.",
      "the backup's": "The keys of apps and bots are those of the backup: its passphrase is needed.",
      none: "All keys end: apps and bots need new ones. Passwords count.",
    }[keys],
  ];
}

function todayText(today: Losses | string | undefined, folder: string): string[] {
  if (today === undefined) return [`${folder} holds nothing yet.`];
  if (typeof today === "string")
    return [`What is in ${folder} cannot be read, and is kept aside. What would be lost is not known: ${today}`];
  if (today.is_other_organization)
    return [`${folder} holds another organization, ${printable(today.organization)}. It is kept aside as a whole.`];
  const lines = [
    `Since then ${folder} got ${plural(today.messages, "message")} and ${people(today.people)}: they would be gone. Everything of today is kept aside.`,
  ];
  if (today.key_rotations > 0)
    lines.push(
      `Since then ${plural(today.key_rotations, "key was", "keys were")} ended or made anew: those before would count again. --end-all-keys ends them all.`,
    );
  return lines;
}

export function restoredText({ about, aside, keys }: Restored): string[] {
  return [
    `${printable(about.organization)} is as it was on ${inTime(about.created_at)}.`,
    ...(aside === undefined ? [] : [`What was there before is in ${aside}.`]),
    ...(keys === "none" ? ["All keys have ended: apps and bots sign in again, by password."] : []),
  ];
}

export const secretText = (
  { organization, created_at }: BackupAbout,
  { path, folder }: { path: string; folder: string },
): string[] => [
  `${folder} has the secret.key of ${path} now (${printable(organization)}, ${inTime(created_at)}). Everything else is as it was.`,
  "API keys count again, unless the secret was rotated after that backup.",
];
