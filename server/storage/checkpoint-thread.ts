import { parentPort, workerData } from "node:worker_threads";
import { realFiles } from "./files.ts";
import { type CheckpointTask, makeCheckpoint } from "./make-checkpoint.ts";

// The thread of a store that stands alone; a server's is ../chores/checkpoint-thread.ts.
await makeCheckpoint(realFiles, workerData as CheckpointTask);
parentPort?.postMessage("done");
