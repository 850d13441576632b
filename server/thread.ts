import { parentPort, workerData } from "node:worker_threads";
import { type RunningServer, type ServerOptions, startServer } from "./server.ts";

/** What the host hands to the thread. */
export interface ThreadOptions extends Omit<ServerOptions, "now" | "logger" | "onFailure"> {
  /** Obey `hang` and `fail`: for tests of the host. */
  testHooks?: boolean;
}

export type ToThread = "ping" | "stop" | "hang" | "fail";
export type FromThread =
  | { type: "ready"; url: string; notices: readonly string[] }
  | { type: "refused"; message: string }
  | { type: "pong" }
  | { type: "stopped" };

const port = parentPort;
if (!port) throw new Error("server/thread.ts runs as a worker thread: use server/host.ts.");
const { testHooks, ...options } = workerData as ThreadOptions;
const say = (message: FromThread) => port.postMessage(message);

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
  if (testHooks && message === "fail") throw new Error("a test asked the thread to fail");
});

try {
  server = await startServer({
    ...options,
    onFailure: (error) => {
      console.error(error);
      // Long enough for the callers that wait to be told; what was acknowledged is on disk.
      setTimeout(() => process.exit(1), 100);
    },
  });
  say({ type: "ready", url: server.url, notices: server.notices });
} catch (error) {
  say({ type: "refused", message: error instanceof Error ? error.message : String(error) });
  port.close();
}
