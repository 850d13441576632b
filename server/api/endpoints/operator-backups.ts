import { dirname, isAbsolute } from "node:path";
import { z } from "zod";
import { ApiError, badRequest, type Problem, problemOf, reported } from "../../errors.ts";
import { BackupFailed, NoSuchBackup, PassphraseRefused } from "../../host/backups/errors.ts";
import { boolean, text } from "../../http/params.ts";
import { recordBackup, recordBackupPassphrase } from "../actions/backups.ts";
import { backupsInWire, type WireProblem, wireProblem } from "../presenters/problems.ts";
import { operatorSetting } from "../queries/operator-settings.ts";
import { organizationCreatedAt } from "../queries/organization.ts";
import { backupContents, contentsOfBackup } from "./backup-contents.ts";
import { endpoint, forOwners } from "./endpoint.ts";

const time = z.int().describe("Milliseconds since the epoch.");
const bytes = z.int().describe("Bytes.");

const listed = z.object({
  name: z.string().describe("File name."),
  bytes,
  problem: wireProblem.nullable().describe("Why it cannot be read. Then `about` is null."),
  about: z
    .object({
      created_at: time,
      made_by: z.enum(["schedule", "request"]),
      version: z.string().describe("The Hearth version that created it."),
      organization: z.string(),
      is_own: z.boolean().describe("Whether it belongs to this organization."),
      people: z.int(),
      messages: z.int(),
      newest_message_at: time.nullable(),
      files: z.object({ count: z.int(), bytes }),
      missing_files: z.int().describe("Uploads that were missing when it was created."),
      damaged_files: z.int().describe("Uploads that were damaged when it was created."),
      has_secret: z.boolean().describe("Whether it contains the keys of apps and bots, encrypted with a passphrase."),
    })
    .nullable(),
  check: z
    .object({ at: time, problem: wireProblem.nullable().describe("null: verified.") })
    .nullable()
    .describe("The newest check since the server started."),
});

export const getOperatorBackups = endpoint({
  ...forOwners,
  route: "GET /host/backups",
  summary: "List backups, the current operation and the next scheduled time.",
  response: z.object({
    folder: z.string(),
    data_folder: z.string(),
    is_default_folder: z.boolean().describe("Whether the folder is in the data folder, and so on the same disk."),
    daily: z.boolean(),
    has_passphrase: z.boolean(),
    last_at: time.nullable().describe("Time of the organization's newest backup; null if there is none."),
    ahead_at: time
      .nullable()
      .describe("Time of the newest backup from the future, caused by a wrong clock; null if there is none."),
    next_at: time.nullable().describe("Time of the next backup; null if none is scheduled."),
    is_old: z.boolean().describe("Whether daily backups are on, but there was none for three days."),
    failure: z.object({ at: time, problem: wireProblem }).nullable().describe("Failure of the newest attempt."),
    work: z
      .object({
        kind: z.enum(["make", "verify"]),
        name: z.string(),
        done: bytes,
        total: z.int().describe("0 at the start."),
      })
      .nullable()
      .describe("The current operation."),
    restored: z
      .object({
        at: time,
        name: z.string().describe("File name of the backup."),
        failure: wireProblem.nullable().describe("Why the restore failed; null if it succeeded."),
        aside: z.string().nullable().describe("Folder of the previous data."),
      })
      .nullable()
      .describe("Result of the newest restore since the process started."),
    problem: wireProblem.nullable().describe("Why the folder cannot be read."),
    backups: z.array(listed).describe("Newest first."),
  }),
  handle: async ({ app: { backups, restores, dataFolder }, reader }) => {
    const own = organizationCreatedAt(reader);
    let problem: WireProblem | null = null;
    // Read before the list, which takes a while. So a finished backup is always in the list.
    const work = backups.work ?? null;
    const found = await backups.list().catch((error: Error) => {
      problem = reported(problemOf(error));
      return [];
    });
    return {
      folder: backups.folder,
      data_folder: dataFolder,
      is_default_folder: operatorSetting(reader, "BACKUP_FOLDER") === null,
      daily: operatorSetting(reader, "BACKUPS_DAILY"),
      has_passphrase: await backups.hasPassphrase(),
      ...backupsInWire(backups.state),
      next_at: backups.nextAt,
      work,
      restored: restores.last && {
        at: restores.last.at,
        name: restores.last.name,
        failure: restores.last.failure && reported(restores.last.failure),
        aside: restores.last.aside,
      },
      problem,
      backups: found.map(({ name, size, about }) => ({
        name,
        bytes: size,
        problem: "reason" in about ? reported(about) : null,
        about: "reason" in about ? null : { ...about, is_own: about.organization_created_at === own },
        check: checkInWire(backups.checkOf(name)),
      })),
    };
  },
});

const checkInWire = (check: { at: number; problem: Problem | null } | undefined) =>
  check ? { ...check, problem: check.problem && reported(check.problem) } : null;

/** Does the work even if a full disk has no room for its audit entry. */
function ifRoom(record: () => void): void {
  try {
    record();
  } catch (error) {
    if ((error as Error).name !== "StorageFull") throw error;
  }
}

export const makeBackup = endpoint({
  ...forOwners,
  route: "POST /host/backups",
  summary: "Start a backup. GET /host/backups reports progress and failures.",
  params: {
    file: text().optional().describe("Path on the server's machine, instead of the folder. Only for the operator."),
    passphrase: text().optional().describe("Overrides the stored passphrase. Only for the operator."),
  },
  response: z.object({ name: z.string() }),
  handle: async ({ app: { backups }, viewer, params: { file, passphrase }, transact, isOperator }) => {
    if ((file !== undefined || passphrase !== undefined) && !isOperator)
      throw badRequest("backup_options_operator_only");
    if (file !== undefined && !isAbsolute(file)) throw badRequest("file_path_not_absolute", { path: file });
    return withApiErrors(async () => {
      const key = passphrase === undefined ? undefined : await backups.keyOf(passphrase);
      backups.assertFree();
      const made = backups.make("request", { ...(file !== undefined && { to: file }), ...(key && { key }) });
      made.catch(() => {}); // GET /host/backups and the log contain the reason.
      const { name = "" } = backups.work ?? {};
      ifRoom(() =>
        transact((tx) =>
          recordBackup(tx, viewer, "make backup", file === undefined ? name : `${name} (${dirname(file)})`),
        ),
      );
      return { name };
    });
  },
});

export const verifyBackupFile = endpoint({
  ...forOwners,
  route: "POST /host/backups/{name}/verify",
  summary: "Start verifying a backup. GET /host/backups reports the result.",
  params: { name: text() },
  handle: async ({ app: { backups }, params: { name } }) => {
    await withApiErrors(async () => {
      backups.assertFree();
      await backups.assertThere(name);
      backups.verify(name).catch(() => {}); // The list contains the result.
    });
  },
});

export const deleteBackup = endpoint({
  ...forOwners,
  route: "DELETE /host/backups/{name}",
  summary: "Delete a backup permanently.",
  params: { name: text() },
  handle: async ({ app: { backups }, viewer, params: { name }, transact }) => {
    await withApiErrors(() => backups.remove(name));
    ifRoom(() => transact((tx) => recordBackup(tx, viewer, "delete backup", name)));
  },
});

export const setBackupPassphrase = endpoint({
  ...forOwners,
  route: "PUT /host/backups/passphrase",
  summary: "Set a passphrase. Later backups contain the keys of apps and bots, encrypted with it.",
  params: { passphrase: text().describe("At least 12 characters. It cannot be recovered.") },
  handle: async ({ app: { backups }, viewer, params: { passphrase }, transact }) => {
    await withApiErrors(() => backups.setPassphrase(passphrase));
    transact((tx) => recordBackupPassphrase(tx, viewer, "set backup passphrase"));
  },
});

export const removeBackupPassphrase = endpoint({
  ...forOwners,
  route: "DELETE /host/backups/passphrase",
  summary: "Remove the passphrase. Later backups do not contain the keys of apps and bots.",
  handle: ({ app: { backups }, viewer, transact }) => {
    backups.removePassphrase();
    transact((tx) => recordBackupPassphrase(tx, viewer, "remove backup passphrase"));
  },
});

/** Converts errors of backups to API errors. */
async function withApiErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoSuchBackup) throw new ApiError("BAD_REQUEST", error.problem, {}, { status: 404 });
    if (error instanceof PassphraseRefused)
      throw new ApiError("BAD_REQUEST", error.problem, { var_name: "passphrase" });
    if (error instanceof BackupFailed) throw new ApiError("BAD_REQUEST", error.problem);
    throw error;
  }
}

const assertOperator = ({ isOperator }: { isOperator: boolean }) => {
  if (!isOperator) throw badRequest("restore_operator_only");
};

export const previewRestore = endpoint({
  ...forOwners,
  route: "POST /host/backups/{name}/restore/preview",
  summary: "Verify a backup and report what a restore would lose. Only for the operator.",
  params: { name: text() },
  response: z.object({
    ...backupContents,
    today: z
      .object({
        organization: z.string(),
        is_other_organization: z
          .boolean()
          .describe("Whether the backup belongs to another organization. Then nothing can be compared."),
        messages: z.int(),
        people: z.int(),
        key_rotations: z.int().describe("Replaced API keys. A restore would make the old keys valid again."),
      })
      .describe("Current data that the backup does not contain."),
    needs_passphrase: z
      .boolean()
      .describe("Whether the keys of apps and bots need the passphrase. Without it, a restore must end all keys."),
  }),
  handle: async (call) => {
    assertOperator(call);
    const preview = await withApiErrors(() => call.app.restores.preview(call.params.name));
    const { today, keys } = preview;
    return { ...contentsOfBackup(preview), today, needs_passphrase: keys === "the backup's" };
  },
});

export const restoreFromBackup = endpoint({
  ...forOwners,
  route: "POST /host/backups/{name}/restore",
  summary:
    "Restore a backup. Current data is moved aside and the server restarts. GET /host/backups reports the result. Only for the operator.",
  params: {
    name: text(),
    passphrase: text().optional().describe("Passphrase of the backup, if needed."),
    end_all_keys: boolean().default(false).describe("Ends all API keys and sessions. Apps and bots need new keys."),
  },
  handle: async (call) => {
    assertOperator(call);
    const { name, passphrase, end_all_keys: endAllKeys } = call.params;
    await withApiErrors(() => call.app.restores.begin(name, { passphrase, endAllKeys }));
  },
});
