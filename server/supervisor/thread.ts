import { parentPort, workerData } from "node:worker_threads";
import { NoOrganization } from "../errors.ts";
import { startSetup } from "../first-run/setup.ts";
import { type ServerOptions, type ServerTesting, startServer } from "../server.ts";
import { type Files, type OpenFile, realFiles } from "../storage/files.ts";
import { collectGarbage } from "./collect-garbage.ts";

/** What the host hands to the thread. */
export interface ThreadOptions extends Omit<ServerOptions, "now" | "logger" | "onFailure" | "testing"> {
  /**
   * Serve first run where the folder holds no organization, and go on as the server when it has been made; without it
   * such a folder is refused. "host": only the host's credential makes one. "code": also who has the one-time code.
   */
  setup?: "code" | "host";
  testing?: ThreadTesting | undefined;
}

/** What tests change in the thread: as much of a server's as can be sent to it, and whether it obeys their messages. */
export interface ThreadTesting extends Omit<ServerTesting, "files" | "checkpoint"> {
  /** Obey `hang`, `fail` and `break disk`. */
  hooks?: boolean;
}

export type ToThread = "ping" | "stop" | "hang" | "fail" | "break disk";
export type FromThread =
  /** In first run this comes twice: with "setup", and when the organization has been made. */
  | { type: "ready"; state: "setup" | "running"; url: string; notices: readonly string[] }
  | { type: "setup code"; code: string }
  /** `again`: what kept it from starting may pass by itself. `code`: the system's own, EADDRINUSE say. */
  | { type: "refused"; message: string; again: boolean; code: string | undefined }
  | { type: "pong" }
  | { type: "stopped" };

const port = parentPort;
if (!port) throw new Error("server/supervisor/thread.ts runs as a worker thread: use server/supervisor/supervisor.ts.");
const { setup, testing: { hooks, ...testing } = {}, ...options } = workerData as ThreadOptions;
const post = (message: FromThread) => port.postMessage(message);

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

let server: { close(): Promise<void> } | undefined;
let stopping = false;
port.on("message", (message: ToThread) => {
  if (message === "ping") post({ type: "pong" });
  if (message === "stop") {
    stopping = true;
    server?.close().then(
      () => {
        post({ type: "stopped" });
        port.close();
      },
      (error: unknown) => {
        throw error;
      },
    );
  }
  if (hooks && message === "hang") for (;;);
  if (hooks && message === "break disk") broken = true;
  if (hooks && message === "fail") throw new Error("a test asked the thread to fail");
});

async function serve(at?: number): Promise<void> {
  const running = await startServer({
    ...options,
    ...(at !== undefined && { port: at }),
    testing: hooks ? { ...testing, files: breakable } : testing,
    onFailure: (error) => {
      console.error(error);
      // Long enough for the callers that wait to be told; what was acknowledged is on disk.
      setTimeout(() => process.exit(1), 100);
    },
  });
  server = running;
  if (stopping) return running.close(); // told so before there was anything to close
  post({ type: "ready", state: "running", url: running.url, notices: running.notices });
  setTimeout(collectGarbage, 300).unref();
}

/** First run, then the server at the same address. */
async function serveSetup(mode: "code" | "host"): Promise<void> {
  const first = await startSetup({
    ...options,
    testing,
    setup: mode,
    onCode: (code) => post({ type: "setup code", code }),
  });
  server = first;
  post({ type: "ready", state: "setup", url: first.url, notices: [] });
  await first.made;
  await first.close();
  if (!stopping) await serve(Number(new URL(first.url).port));
}

function refuse(error: unknown): void {
  const { name = "", message = String(error), syscall, code } = error as NodeJS.ErrnoException;
  // What the disk says of itself; damage and whatever else needs a person has other errors.
  const again = syscall !== undefined || name === "StorageFull" || name === "StorageFailed";
  post({ type: "refused", message, again, code });
  port?.close();
}

// Not awaited here: a first run that is stopped never gets to its end.
serve()
  .catch((error: unknown) => {
    if (!setup || !(error instanceof NoOrganization)) throw error;
    return serveSetup(setup);
  })
  .catch(refuse);
