import { join } from "node:path";
import { NoOrganization } from "../../errors.ts";
import { type CheckReport, checkDatabase, checkLog } from "../../storage/check.ts";
import { StorageDamaged } from "../../storage/errors.ts";
import { decodeChecked, type Files, readFully, realFiles } from "../../storage/files.ts";
import { JOURNAL } from "../../storage/journal.ts";
import { migrations } from "../../storage/migrations/index.ts";
import { readOnlyFiles } from "../../storage/read-only-files.ts";
import { migrate, recover } from "../../storage/recovery.ts";
import { openSaved } from "../../storage/saved-database.ts";
import type { Reader } from "../../storage/transaction.ts";
import { KEY_FILE, readKey } from "../backups/backup-key.ts";
import { ARRIVAL_FILE, arrivalOf, MOVE_FILE, moveOf } from "../backups/move-marks.ts";
import { BUILD_FILE, RESTORE_FILE, RestoreMarkDamaged } from "../backups/restore-moves.ts";
import { readSecret, SecretDamaged } from "../credentials/secret-key.ts";
import { LocalAuthority } from "../https/local-authority.ts";
import { type Advice, type Check, checkBackups, checkUploads, type Part } from "./check-files.ts";
import { holdsOrganization, takeLockInTime } from "./data-folder.ts";
import { printable, wrapped } from "./terminal.ts";

/*
 * `hearth check` reads all parts of a data folder, even if some are damaged, and changes nothing. Each part tells what is
 * damaged and what that means. The advice at the end starts with the safest step.
 */

/** Width of the columns with a part's name and state. */
const INDENT = 21;

/** Whether nothing is damaged. Takes only the lock, so that an interrupted restore or move does not change. */
export async function runCheck(
  folder: string,
  print: (line: string) => void,
  report: (line: string) => void,
): Promise<boolean> {
  if (!holdsOrganization(folder)) throw new NoOrganization(folder);
  const lock = await takeLockInTime(folder, { report });
  try {
    const todo = await checkFolder(folder, (part) => {
      for (const line of partText(part)) print(line);
    });
    if (todo.length === 0) return true;
    print("");
    print("What to do, in this order:");
    for (const [index, step] of todo.entries())
      for (const line of wrapped(`${index + 1}. ${printable(step)}`, 3)) print(line);
    return false;
  } finally {
    lock.release();
  }
}

function partText({ name, state, lines }: Part): string[] {
  const [first = "", ...rest] = lines.map(printable);
  const head = `${name.padEnd(12)} ${state.padEnd(7)} `;
  return [
    ...wrapped(head + first, INDENT),
    ...rest.flatMap((line) => wrapped(" ".repeat(INDENT) + line, INDENT + (/^ */.exec(line)?.[0].length ?? 0))),
  ];
}

/** Returns advice, or nothing if nothing is damaged. */
async function checkFolder(folder: string, say: (part: Part) => void): Promise<string[]> {
  const advice: Advice = { more: [] };
  let isDamaged = false;
  const check: Check = {
    folder,
    advice,
    say(part) {
      isDamaged ||= part.state === "DAMAGED";
      say(part);
    },
  };
  const database = await checkPages(check);
  checkSegments(check, database?.segment ?? 0);
  const opened = await openReader(check);
  try {
    for (const each of [checkSecret, checkBackupKey, checkMarks, checkAuthority]) each(check);
    const damagedUploads = checkUploads(check, opened?.reader);
    checkBackups(check, opened?.reader, damagedUploads);
  } finally {
    opened?.close();
  }
  return isDamaged ? [`Copy the whole folder ${folder} to another disk before anything else.`, ...advice.more] : [];
}

const problemIn = (error: unknown): string =>
  error instanceof StorageDamaged ? `${error.file}: ${error.problem}.` : (error as Error).message;

async function checkPages({ folder, say, advice }: Check): Promise<CheckReport | undefined> {
  const name = "database";
  const readOnly = readOnlyFiles();
  try {
    if (realFiles.exists(join(folder, JOURNAL)))
      say({ name: "checkpoint", state: "note", lines: ["It was interrupted. The next start finishes it."] });
    const report = await checkDatabase(folder, readOnly.files);
    const { pages, damaged, structure } = report;
    if (structure === "ok")
      say({ name, state: "OK", lines: [`All ${pages} pages of hearth.db are as they were written.`] });
    else {
      advice.needsRestore = true;
      const lines =
        damaged.length === 0
          ? [`All ${pages} pages of hearth.db are as they were written, but not in order: ${structure}`]
          : [
              `${damaged.length} of ${pages} pages of hearth.db are damaged, or were changed by another program. Everything else in it can be read.`,
              ...damaged.map(({ page, owner }) => `  page ${page}: ${owner ?? "free, or its table is unknown"}`),
            ];
      say({ name, state: "DAMAGED", lines });
    }
    return report;
  } catch (error) {
    advice.needsRestore = true;
    say({ name, state: "DAMAGED", lines: [problemIn(error), "Its pages could not be checked."] });
    return undefined;
  } finally {
    readOnly.close();
  }
}

const MEANING = {
  newest: "It has messages that hearth.db does not contain.",
  older: "hearth.db contains its messages: nothing is lost, but clients that were far behind load everything again.",
  spare: "It is a spare one, and holds nothing.",
};

function checkSegments({ folder, say, advice }: Check, neededFrom: number): void {
  const name = "log";
  try {
    const { segments, frames, damaged, isFlushedDamaged, isMarkDamaged } = checkLog(folder, neededFrom);
    if (damaged.some(({ holds }) => holds === "newest")) advice.needsRestore = true;
    const lines = damaged.flatMap(({ file, problem, holds }) => [`${file}: ${problem}. ${MEANING[holds]}`]);
    if (isFlushedDamaged)
      lines.push(`${join(folder, "log", "flushed")} is damaged. It only helps to find damage in the newest messages.`);
    if (isMarkDamaged) lines.push(`${join(folder, "log", "format.json")} is damaged. The next start writes it again.`);
    if (lines.length > 0) say({ name, state: "DAMAGED", lines });
    else say({ name, state: "OK", lines: [`${frames} entries in ${segments} ${segments === 1 ? "file" : "files"}.`] });
  } catch (error) {
    advice.needsRestore = true;
    say({ name, state: "DAMAGED", lines: [problemIn(error)] });
  }
}

/** Tries a start in memory. If that fails, the last checkpoint has the list of uploads. */
async function openReader({ folder, say, advice }: Check): Promise<{ reader: Reader; close(): void } | undefined> {
  const name = "start";
  const readOnly = readOnlyFiles();
  try {
    const { database, report } = await recover(readOnly.files, folder);
    migrate(database, migrations.length);
    const lines = [`A start succeeds, with ${report.replayed} changes from the log.`];
    if (report.torn) lines.push("The last write was interrupted. No one was told that it was saved.");
    say({ name, state: report.torn ? "note" : "OK", lines });
    return {
      reader: database,
      close() {
        database.close();
        readOnly.close();
      },
    };
  } catch (error) {
    readOnly.close();
    advice.needsRestore = true;
    say({ name, state: "DAMAGED", lines: [`A start fails. ${problemIn(error)}`] });
  }
  const saved = await openSaved(folder).catch(() => undefined);
  return saved && saved.schema >= migrations.length ? saved : undefined;
}

function checkSecret({ folder, say, advice }: Check): void {
  const name = "secret.key";
  try {
    readSecret(folder);
    say({ name, state: "OK", lines: [] });
  } catch (error) {
    advice.needsSecret = true;
    const problem = error instanceof SecretDamaged ? "It is not what was written." : "It is missing or cannot be read.";
    const lines = [problem, "The server does not start without it: API keys and webhook secrets depend on it."];
    say({ name, state: "DAMAGED", lines: error instanceof NoOrganization ? [error.message] : lines });
  }
}

function checkBackupKey({ folder, say, advice }: Check): void {
  const name = KEY_FILE;
  try {
    if (readKey(folder)) say({ name, state: "OK", lines: [] });
  } catch {
    advice.more.push("Set the passphrase of backups again, on the Backups page.");
    say({ name, state: "DAMAGED", lines: ["No backup is made until the passphrase is set again."] });
  }
}

function checkMarks({ folder, say, advice }: Check, files: Files = realFiles): void {
  const marks: [name: string, read: () => unknown, meaning: string][] = [
    [
      RESTORE_FILE,
      () => readMark(folder, RESTORE_FILE, files),
      "A restore was interrupted. The next start finishes it.",
    ],
    [
      BUILD_FILE,
      () => readMark(folder, BUILD_FILE, files),
      "A restore ended early. The next start removes what it left.",
    ],
    [MOVE_FILE, () => moveOf(folder), "The data was moved, or a move was interrupted: the next start says which."],
    [ARRIVAL_FILE, () => arrivalOf(folder), "The data was moved here."],
  ];
  for (const [name, read, meaning] of marks) {
    if (!files.exists(join(folder, name))) continue;
    try {
      read();
      say({ name, state: "note", lines: [meaning] });
    } catch (error) {
      advice.more.push((error as Error).message);
      say({ name, state: "DAMAGED", lines: ["It is not what was written."] });
    }
  }
}

function readMark(folder: string, name: string, files: Files): unknown {
  const path = join(folder, name);
  const mark = decodeChecked(readFully(files, path));
  if (mark === undefined) throw new RestoreMarkDamaged(path);
  return mark;
}

function checkAuthority({ folder, say, advice }: Check): void {
  const name = "https";
  try {
    if (LocalAuthority.existing(folder)) say({ name, state: "OK", lines: ["The local certificate authority."] });
  } catch (error) {
    advice.more.push(printable((error as Error).message));
    say({ name, state: "DAMAGED", lines: ["The local certificate authority is not what was written."] });
  }
}
