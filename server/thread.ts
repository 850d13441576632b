import { parentPort, workerData } from "node:worker_threads";
import { collectGarbage } from "./collect-garbage.ts";
import { type RunningServer, type ServerOptions, startServer } from "./server.ts";
import { type Files, type OpenFile, realFiles } from "./storage/files.ts";

/** What the host hands to the thread. */
export interface ThreadOptions extends Omit<ServerOptions, "now" | "logger" | "onFailure" | "files"> {
  /** Obey `hang`, `fail` and `break disk`: for tests of the host. */
  testHooks?: boolean;
}

export type ToThread = "ping" | "stop" | "hang" | "fail" | "break disk";
export type FromThread =
  | { type: "ready"; url: string; notices: readonly string[] }
  /** `again`: what kept it from starting may pass by itself. */
  | { type: "refused"; message: string; again: boolean }
  | { type: "pong" }
  | { type: "stopped" };

const port = parentPort;
if (!port) throw new Error("server/thread.ts runs as a worker thread: use server/host.ts.");
const { testHooks, ...options } = workerData as ThreadOptions;
const say = (message: FromThread) => port.postMessage(message);

/** A disk whose flushes fail once a test has said so. */
let broken = false;
const breakable: Files = {
  ...realFiles,
  open(path, how) {
    const file = realFiles.open(path, how);
    return Object.assign(Object.create(file) as OpenFile, {
      dataSync: () => (broken ? Promise.reject(new Error("a test broke the disk")) : file.dataSync()),
    });
  },
};

let server: RunningServer | undefined;
port.on("message", (message: ToThread) => {
  if (message === "ping") say({ type: "pong" });
  if (message === "stop") {
    server?.close().then(
      () => {
        say({ type: "stopped" });
        port.close();
      },
      (error: unknown) => {
        throw error;
      },
    );
  }
  if (testHooks && message === "hang") for (;;);
  if (testHooks && message === "break disk") broken = true;
  if (testHooks && message === "fail") throw new Error("a test asked the thread to fail");
});

try {
  server = await startServer({
    ...options,
    ...(testHooks && { files: breakable }),
    onFailure: (error) => {
      console.error(error);
      // Long enough for the callers that wait to be told; what was acknowledged is on disk.
      setTimeout(() => process.exit(1), 100);
    },
  });
  say({ type: "ready", url: server.url, notices: server.notices });
  setTimeout(collectGarbage, 300).unref();
} catch (error) {
  const { name = "", message = String(error), syscall } = error as NodeJS.ErrnoException;
  // What the disk says of itself; damage and whatever else needs a person has other errors.
  say({ type: "refused", message, again: syscall !== undefined || name === "StorageFull" || name === "StorageFailed" });
  port.close();
}
