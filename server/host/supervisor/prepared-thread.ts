import { setFlagsFromString } from "node:v8";
import { SHARE_ENV, Worker, type WorkerOptions } from "node:worker_threads";

/** In the same folder as this file, also after bundling (main/vite.config.ts). */
export const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js", import.meta.url);
/**
 * Megabytes for new objects in the server's thread from its beginning. V8 begins with half of one and doubles it, and so
 * copies what a start makes, which stays, again and again.
 */
const ROOM_AT_FIRST = 16;

let prepared: Worker | undefined;

/**
 * Begins the server's thread before it is known what it is to serve: it loads the server while this thread loads the
 * command line, whose environment it shares. It does not keep the process from ending.
 */
export function prepareThread(): void {
  const worker = start(THREAD, { env: SHARE_ENV });
  const discard = () => {
    if (prepared === worker) prepared = undefined;
  };
  worker.once("error", discard).once("exit", discard); // another one fails in the same way, and tells
  worker.unref();
  prepared = worker;
}

/** A thread that loads this file, or has loaded it. Its first message is its ThreadOptions. */
export function takeThread(file: URL): Worker {
  if (!prepared || file.href !== THREAD.href) return start(file);
  const worker = prepared;
  prepared = undefined;
  worker.ref();
  return worker;
}

/** V8 has no such option for one thread: its flag counts for those that begin while it is set. */
function start(file: URL, options?: WorkerOptions): Worker {
  const setRoom = (megabytes: number) => setFlagsFromString(`--min-semi-space-size=${megabytes}`);
  setRoom(ROOM_AT_FIRST);
  return new Worker(file, options).once("online", () => setRoom(0));
}
