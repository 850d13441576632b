import { ApiError, badRequest } from "../../errors.ts";
import { BackupFailed, NoSuchBackup, PassphraseRefused } from "../../host/backups/errors.ts";

/** What backups refuse, as an answer. */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoSuchBackup) throw new ApiError("BAD_REQUEST", error.message, {}, { status: 404 });
    if (error instanceof PassphraseRefused) throw badRequest(error.message, { var_name: "passphrase" });
    if (error instanceof BackupFailed) throw badRequest(error.message);
    throw error;
  }
}
