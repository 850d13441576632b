import { writeCheckpoint } from "./checkpoint.ts";
import type { Files } from "./files.ts";
import { maintain } from "./maintenance.ts";
import { migrations as allMigrations } from "./migrations/index.ts";
import { recover } from "./recovery.ts";
import type { Maintenance } from "./transaction.ts";

export interface CheckpointTask {
  folder: string;
  /** The newest closed segment: what the checkpoint is to hold. */
  through: number;
}

/** Brings unlogged tables up to date: a transaction for each call, until it answers true. */
export type BringUpToDate = (work: Maintenance) => boolean;

/** Empties unlogged tables that cannot be brought up to date. */
export type CheckpointRestarted = (work: Maintenance) => void;

/** Loads the checkpoint on disk, replays closed segments with recovery's own code, writes the next checkpoint. */
export async function makeCheckpoint(
  files: Files,
  { folder, through }: CheckpointTask,
  migrations: readonly string[] = allMigrations,
  bringUpToDate: BringUpToDate = () => true,
  startAnew?: CheckpointRestarted,
): Promise<void> {
  const { database, seq, eventId } = await recover(files, folder, { through, migrations });
  try {
    while (!maintain(database, bringUpToDate));
  } catch (error) {
    // They are made from the others, which a checkpoint must not go without.
    if (!startAnew) throw error;
    maintain(database, startAnew);
    while (!maintain(database, bringUpToDate));
  }
  writeCheckpoint(files, folder, database, { seq, eventId, segment: through + 1 });
  database.close();
}
