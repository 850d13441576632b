import { parentPort, workerData } from "node:worker_threads";
import { writeCheckpoint } from "./checkpoint.ts";
import { type Files, realFiles } from "./files.ts";
import { migrations as allMigrations } from "./migrations/index.ts";
import { recover } from "./recovery.ts";

export interface CheckpointTask {
  folder: string;
  /** The newest closed segment: what the checkpoint is to hold. */
  through: number;
}

/** Loads the checkpoint on disk, replays closed segments with recovery's own code, writes the next checkpoint. */
export async function makeCheckpoint(
  files: Files,
  { folder, through }: CheckpointTask,
  migrations: readonly string[] = allMigrations,
): Promise<void> {
  const { database, seq, eventId } = await recover(files, folder, { through, migrations });
  writeCheckpoint(files, folder, database, { seq, eventId, segment: through + 1 });
  database.close();
}

if (parentPort) {
  await makeCheckpoint(realFiles, workerData as CheckpointTask);
  parentPort.postMessage("done");
}
