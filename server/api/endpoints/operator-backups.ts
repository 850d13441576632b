import { dirname, isAbsolute } from "node:path";
import { z } from "zod";
import { ApiError, badRequest } from "../../errors.ts";
import { BackupFailed, NoSuchBackup, PassphraseRefused } from "../../host/backups/errors.ts";
import { boolean, text } from "../../http/params.ts";
import { recordBackup, recordBackupPassphrase } from "../actions/backups.ts";
import { operatorSetting } from "../queries/operator-settings.ts";
import { organizationCreatedAt } from "../queries/organization.ts";
import { backupContents, contentsOfBackup } from "./backup-contents.ts";
import { endpoint } from "./endpoint.ts";

const forOwners = { who: "operator or owner", bots: false, outsideApi: true } as const;

const time = z.int().describe("Milliseconds since the epoch.");
const bytes = z.int().describe("Bytes.");

const listed = z.object({
  name: z.string().describe("Of the file in the folder."),
  bytes,
  problem: z.string().nullable().describe("Why it cannot be read; then it has no `about`."),
  about: z
    .object({
      created_at: time,
      made_by: z.enum(["schedule", "request"]),
      version: z.string().describe("The Hearth that made it."),
      organization: z.string(),
      is_own: z.boolean().describe("Whether it is of this organization."),
      people: z.int(),
      messages: z.int(),
      newest_message_at: time.nullable(),
      files: z.object({ count: z.int(), bytes }),
      missing_files: z.int().describe("Uploads that were not there when it was made."),
      damaged_files: z.int().describe("Uploads in it that were damaged when it was made."),
      has_secret: z.boolean().describe("Whether it holds the keys of apps and bots, under a passphrase."),
    })
    .nullable(),
  check: z
    .object({ at: time, problem: z.string().nullable().describe("null: every byte is as it was written.") })
    .nullable()
    .describe("The newest one since the server started."),
});

export const getHostBackups = endpoint({
  ...forOwners,
  route: "GET /host/backups",
  summary: "The backups in their folder, what is being done, and when the next one is due.",
  response: z.object({
    folder: z.string(),
    data_folder: z.string(),
    is_default_folder: z.boolean().describe("It is in the data folder, and so on the same disk."),
    daily: z.boolean(),
    has_passphrase: z.boolean(),
    last_at: time.nullable().describe("When the newest one of this organization was made."),
    ahead_at: time.nullable().describe("The newest time in the future that one has, from a clock that was wrong."),
    next_at: time.nullable().describe("When the next one is due; null: only when somebody asks."),
    is_old: z.boolean().describe("There was none for three days."),
    failure: z.object({ at: time, reason: z.string() }).nullable().describe("Of the newest attempt."),
    work: z
      .object({
        kind: z.enum(["make", "verify"]),
        name: z.string(),
        done: bytes,
        total: z.int().describe("0 at the beginning."),
      })
      .nullable()
      .describe("What is being done now."),
    restored: z
      .object({
        at: time,
        name: z.string().describe("Of the backup's file."),
        failure: z.string().nullable().describe("Why nothing was restored; null: it was."),
        aside: z.string().nullable().describe("Where the data is that was there before."),
      })
      .nullable()
      .describe("How the newest restore of this server ended, since its process started."),
    problem: z.string().nullable().describe("Why the folder cannot be read."),
    backups: z.array(listed).describe("Newest first."),
  }),
  handle: async ({ app: { backups, restores, dataFolder }, reader }) => {
    const own = organizationCreatedAt(reader);
    let problem: string | null = null;
    // Read before the list, which takes a while. So a finished backup is always in the list.
    const work = backups.work ?? null;
    const found = await backups.list().catch((error: Error) => {
      problem = error.message;
      return [];
    });
    return {
      folder: backups.folder,
      data_folder: dataFolder,
      is_default_folder: operatorSetting(reader, "BACKUP_FOLDER") === null,
      daily: operatorSetting(reader, "BACKUPS_DAILY"),
      has_passphrase: await backups.hasPassphrase(),
      ...backups.state,
      next_at: backups.nextAt,
      work,
      restored: restores.last && {
        at: restores.last.at,
        name: restores.last.name,
        failure: restores.last.failure,
        aside: restores.last.aside,
      },
      problem,
      backups: found.map(({ name, size, about }) => ({
        name,
        bytes: size,
        problem: typeof about === "string" ? about : null,
        about: typeof about === "string" ? null : { ...about, is_own: about.organization_created_at === own },
        check: backups.checkOf(name) ?? null,
      })),
    };
  },
});

/** Does the work even if a full disk has no room for its audit entry. */
function whereRoom(record: () => void): void {
  try {
    record();
  } catch (error) {
    if ((error as Error).name !== "StorageFull") throw error;
  }
}

export const makeBackup = endpoint({
  ...forOwners,
  route: "POST /host/backups",
  summary: "Begin to make a backup. GET /host/backups says how far it is, and whether it failed.",
  params: {
    file: text()
      .optional()
      .describe("Its path on the server's machine, in place of one in the folder. Only for the operator."),
    passphrase: text().optional().describe("In place of the one that is set. Only for the operator."),
  },
  response: z.object({ name: z.string() }),
  handle: async ({ app: { backups }, viewer, params: { file, passphrase }, transact, atDesktop }) => {
    if ((file !== undefined || passphrase !== undefined) && !atDesktop)
      throw badRequest("Only whoever sits at the server's machine chooses the file and its passphrase.");
    if (file !== undefined && !isAbsolute(file)) throw badRequest(`${file} is not the whole path of a file.`);
    return refusing(async () => {
      const key = passphrase === undefined ? undefined : await backups.keyOf(passphrase);
      backups.assertFree();
      const made = backups.make("request", { ...(file !== undefined && { to: file }), ...(key && { key }) });
      made.catch(() => {}); // GET /host/backups and the log contain the reason.
      const { name = "" } = backups.work ?? {};
      whereRoom(() =>
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
  summary: "Begin to check every byte of a backup. GET /host/backups has the result.",
  params: { name: text() },
  handle: async ({ app: { backups }, params: { name } }) => {
    await refusing(async () => {
      backups.assertFree();
      await backups.assertThere(name);
      backups.verify(name).catch(() => {}); // The list contains the result.
    });
  },
});

export const deleteBackup = endpoint({
  ...forOwners,
  route: "DELETE /host/backups/{name}",
  summary: "Delete a backup for good.",
  params: { name: text() },
  handle: async ({ app: { backups }, viewer, params: { name }, transact }) => {
    await refusing(() => backups.remove(name));
    whereRoom(() => transact((tx) => recordBackup(tx, viewer, "delete backup", name)));
  },
});

export const setBackupPassphrase = endpoint({
  ...forOwners,
  route: "PUT /host/backups/passphrase",
  summary: "Have backups hold the keys of apps and bots from now on, encrypted by this passphrase.",
  params: { passphrase: text().describe("12 characters at least. Nobody can find it again.") },
  handle: async ({ app: { backups }, viewer, params: { passphrase }, transact }) => {
    await refusing(() => backups.setPassphrase(passphrase));
    transact((tx) => recordBackupPassphrase(tx, viewer, "set backup passphrase"));
  },
});

export const removeBackupPassphrase = endpoint({
  ...forOwners,
  route: "DELETE /host/backups/passphrase",
  summary: "Leave the keys of apps and bots out of backups from now on.",
  handle: ({ app: { backups }, viewer, transact }) => {
    backups.removePassphrase();
    transact((tx) => recordBackupPassphrase(tx, viewer, "remove backup passphrase"));
  },
});

/** Converts errors of backups to API errors. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoSuchBackup) throw new ApiError("BAD_REQUEST", error.message, {}, { status: 404 });
    if (error instanceof PassphraseRefused) throw badRequest(error.message, { var_name: "passphrase" });
    if (error instanceof BackupFailed) throw badRequest(error.message);
    throw error;
  }
}

/** Owners may call it, to get the reason why they cannot restore. */
const atTheDesk = { who: "operator or owner", bots: false, outsideApi: true } as const;

const assertAtDesktop = ({ atDesktop }: { atDesktop: boolean }) => {
  if (!atDesktop)
    throw badRequest(
      "Only whoever sits at the server's machine restores a backup: in Hearth's window there, or with \"hearth restore\".",
    );
};

export const previewRestore = endpoint({
  ...atTheDesk,
  route: "POST /host/backups/{name}/restore/preview",
  summary: "Check every byte of a backup, and say what its restore would take away. Only for the operator.",
  params: { name: text() },
  response: z.object({
    ...backupContents,
    today: z
      .object({
        organization: z.string(),
        is_other_organization: z.boolean().describe("Of the backup: then nothing can be compared."),
        messages: z.int(),
        people: z.int(),
        key_rotations: z.int().describe("How many API keys were made anew: those before would count again."),
      })
      .describe("What the server holds now, and the backup does not."),
    needs_passphrase: z.boolean().describe("For the keys of apps and bots; or all keys end."),
  }),
  handle: async (call) => {
    assertAtDesktop(call);
    const preview = await refusing(() => call.app.restores.preview(call.params.name));
    const { today, keys } = preview;
    return { ...contentsOfBackup(preview), today, needs_passphrase: keys === "the backup's" };
  },
});

export const restoreFromBackup = endpoint({
  ...atTheDesk,
  route: "POST /host/backups/{name}/restore",
  summary:
    "Have a backup take the place of everything; what is there now is kept aside. The server restarts, and then GET /host/backups says how it went. Only for the operator.",
  params: {
    name: text(),
    passphrase: text().optional().describe("Of the backup, where it is needed."),
    end_all_keys: boolean().default(false).describe("End all API keys and sign-ins: apps and bots need new ones."),
  },
  handle: async (call) => {
    assertAtDesktop(call);
    const { name, passphrase, end_all_keys: endAllKeys } = call.params;
    await refusing(() => call.app.restores.begin(name, { passphrase, endAllKeys }));
  },
});
