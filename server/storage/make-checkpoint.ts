import { writeCheckpoint } from "./checkpoint.ts";
import type { Files } from "./files.ts";
import { maintain } from "./maintenance.ts";
import { migrations as allMigrations } from "./migrations/index.ts";
import { recover } from "./recovery.ts";
import type { Maintenance } from "./transaction.ts";

export interface CheckpointTask {
  folder: string;
  /** The newest closed segment, which is the last one that the checkpoint contains. */
  through: number;
}

/** Updates the unlogged tables by one transaction for each call, until it returns true. */
export type BringUpToDate = (work: Maintenance) => boolean;

/** Empties unlogged tables that cannot be updated. */
export type ResetUnlogged = (work: Maintenance) => void;

/** Loads the checkpoint on disk, replays the closed segments with the code of recovery, writes the next checkpoint. */
export async function makeCheckpoint(
  files: Files,
  { folder, through }: CheckpointTask,
  migrations: readonly string[] = allMigrations,
  bringUpToDate: BringUpToDate = () => true,
  reset?: ResetUnlogged,
): Promise<void> {
  const { database, seq, eventId } = await recover(files, folder, { through, migrations });
  try {
    while (!maintain(database, bringUpToDate));
  } catch (error) {
    // The unlogged tables can be rebuilt from the others, so they must not prevent a checkpoint.
    if (!reset) throw error;
    maintain(database, reset);
    while (!maintain(database, bringUpToDate));
  }
  writeCheckpoint(files, folder, database, { seq, eventId, segment: through + 1 });
  database.close();
}
