import type { Worker } from "node:worker_threads";
import { type ImageThreads, startImageThread } from "../../server/media/images/images.ts";

// A thread for images takes almost a second to start, so the servers of a process reuse one.

const waiting = new Set<Worker>();

export const imageThreads: ImageThreads = {
  start() {
    const [thread = startImageThread()] = waiting;
    waiting.delete(thread);
    thread.ref();
    return thread;
  },
  async release(thread) {
    if (waiting.size > 0) return thread.terminate();
    waiting.add(thread);
    thread.unref();
    thread.once("exit", () => waiting.delete(thread));
  },
};

/** How many threads no server uses at the moment. */
export function waitingImageThreads(): number {
  return waiting.size;
}
