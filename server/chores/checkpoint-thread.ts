import { parentPort, workerData } from "node:worker_threads";
import { clearIndex, indexAll } from "../actions/message-search.ts";
import { realFiles } from "../storage/files.ts";
import { type CheckpointTask, makeCheckpoint } from "../storage/make-checkpoint.ts";

// Folds the log into a new hearth.db, in which search is up to date.
await makeCheckpoint(realFiles, workerData as CheckpointTask, undefined, indexAll, clearIndex);
parentPort?.postMessage("done");
