import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { holdsOrganization } from "../../server/host/supervisor/data-folder.ts";
import { callsTo } from "../../server/host/supervisor/running-server.ts";
import { UpdateRefused } from "./refused.ts";

const LOOK_EVERY_MS = 500;

interface Backups {
  folder: string;
  work: { name: string } | null;
  failure: { at: number; problem: { msg: string } } | null;
  backups: { name: string; problem: { msg: string } | null }[];
}

/**
 * Creates a backup on the running server. Returns its path, or null if there is no organization. @throws UpdateRefused, or
 * the signal's reason.
 */
export async function backUpBefore(dataFolder: string, signal: AbortSignal): Promise<string | null> {
  if (!holdsOrganization(dataFolder)) return null;
  try {
    const call = callsTo(dataFolder);
    const finished = async (): Promise<Backups> => {
      for (;;) {
        signal.throwIfAborted();
        const found = await call<Backups>("GET", "/host/backups");
        if (!found.work) return found;
        await pause(LOOK_EVERY_MS);
      }
    };
    await finished(); // a scheduled backup may be running
    const { name } = await call<{ name: string }>("POST", "/host/backups");
    const { folder, failure, backups } = await finished();
    const made = backups.find((backup) => backup.name === name);
    // If the folder cannot be read, the list may be stale.
    if (made && made.problem === null && failure === null) return join(folder, name);
    throw new UpdateRefused("backup", { detail: (made?.problem ?? failure?.problem)?.msg ?? null });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UpdateRefused) throw error;
    const { message } = error as Error;
    throw new UpdateRefused(message.startsWith("No server runs") ? "noServer" : "backup", {
      detail: message,
      cause: error,
    });
  }
}
