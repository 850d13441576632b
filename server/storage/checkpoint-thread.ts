import { parentPort, workerData } from "node:worker_threads";
import { realFiles } from "./files.ts";
import { type CheckpointTask, makeCheckpoint } from "./make-checkpoint.ts";

// The checkpoint thread of a store without a server. A server uses ../chores/checkpoint-thread.ts.
await makeCheckpoint(realFiles, workerData as CheckpointTask);
parentPort?.postMessage("done");
