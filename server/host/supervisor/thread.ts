import { parentPort } from "node:worker_threads";
import { NoOrganization, type Problem, problemOf } from "../../errors.ts";
import { type RunningServer, type ServerOptions, type ServerTesting, startServer } from "../../server.ts";
import { fileProblem, forbiddenFileProblem } from "../../storage/errors.ts";
import { type Files, type OpenFile, realFiles } from "../../storage/files.ts";
import type { RestoreRequest } from "../backups/restores.ts";
import { startSetup } from "../first-run/setup.ts";
import type { OrganizationSummary } from "../operator/state-feed.ts";
import { collectGarbageWhenIdle } from "./collect-garbage.ts";

export interface ThreadOptions extends Omit<ServerOptions, "now" | "logger" | "onFailure" | "onRestore" | "testing"> {
  /** Serves first run if the folder contains no organization (SetupOptions). Without it such a folder is an error. */
  setup?: "code" | "operator";
  testing?: ThreadTesting | undefined;
}

/** The options for tests that can be sent to a thread. */
export interface ThreadTesting extends Omit<ServerTesting, "files" | "fetchFiles"> {
  /** Accepts `hang`, `fail` and `break disk`. */
  hooks?: boolean;
}

/** `suspend` and `resume`: the computer goes to sleep and wakes up. `log`: lines of the supervisor for the server's log. */
export type ToThread =
  | "ping"
  | "alive?"
  | "stop"
  | "suspend"
  | "resume"
  | "hang"
  | "fail"
  | "break disk"
  | { log: readonly string[] };
export type FromThread =
  /** Sent twice in first run: with "setup", and after the organization was created. */
  | { type: "ready"; state: "setup" | "running"; url: string; notices: readonly string[] }
  | { type: "setup code"; code: string }
  /** `retryable`: a later attempt may succeed. `code`: of a system error, for example EADDRINUSE. */
  | { type: "not started"; problem: Problem; retryable: boolean; code: string | undefined }
  /** `summary` is undefined in first run. */
  | { type: "pong"; summary?: OrganizationSummary | undefined }
  /** The response to "alive?". */
  | { type: "alive" }
  /** Storage has failed, and the thread ends. */
  | { type: "failed"; problem: Problem }
  /** The supervisor must stop the thread and restore a backup. */
  | { type: "restore"; request: RestoreRequest }
  | { type: "stopped" };

if (!parentPort)
  throw new Error(
    "server/host/supervisor/thread.ts runs as a worker thread: use server/host/supervisor/supervisor.ts.",
  );
const port = parentPort;
const post = (message: FromThread) => port.postMessage(message);

/** A disk whose flushes fail after `break disk`. */
let broken = false;
const breakable: Files = {
  ...realFiles,
  open(path, how, options) {
    const file = realFiles.open(path, how, options);
    const ifWhole = (flush: () => Promise<void>) =>
      broken ? Promise.reject(new Error("a test broke the disk")) : flush();
    return Object.assign(Object.create(file) as OpenFile, {
      writeLater: (bytes: Uint8Array, at: number) => ifWhole(() => file.writeLater(bytes, at)),
      dataSync: () => ifWhole(file.dataSync),
    });
  },
};

/** Serves until "stop". */
function run({ setup, testing: { hooks, ...testing } = {}, ...options }: ThreadOptions): void {
  let server: (Pick<RunningServer, "close"> & Partial<RunningServer>) | undefined;
  let stopping = false;
  port.on("message", (message: ToThread) => {
    if (typeof message === "object") for (const line of message.log) server?.app?.log.warn(line);
    if (message === "ping") post({ type: "pong", summary: server?.app?.stateFeed.summary() });
    if (message === "suspend") server?.app?.queues.suspend();
    if (message === "resume") server?.wake?.();
    if (message === "alive?") post({ type: "alive" });
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
    if (hooks && message === "hang") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (hooks && message === "break disk") broken = true;
    if (hooks && message === "fail") throw new Error("a test asked the thread to fail");
  });

  async function serve(fixedPort?: number): Promise<void> {
    const running = await startServer({
      ...options,
      ...(fixedPort !== undefined && { port: fixedPort }),
      testing: hooks ? { ...testing, files: breakable } : testing,
      onRestore: (request) => post({ type: "restore", request }),
      onFailure: (error) => {
        console.error(error);
        post({ type: "failed", problem: problemOf(error) });
        // Gives waiting callers time to get their errors. All acknowledged changes are on disk.
        setTimeout(() => process.exit(1), 100);
      },
    });
    server = running;
    if (stopping) return running.close(); // stopped during the start
    post({ type: "ready", state: "running", url: running.url, notices: running.notices });
    collectGarbageWhenIdle();
  }

  async function serveSetup(mode: "code" | "operator"): Promise<void> {
    const first = await startSetup({
      ...options,
      testing,
      setup: mode,
      onCode: (code) => post({ type: "setup code", code }),
    });
    server = first;
    post({ type: "ready", state: "setup", url: first.url, notices: [] });
    await first.finished;
    await first.close();
    if (!stopping) await serve(Number(new URL(first.url).port));
  }

  function reportNotStarted(error: unknown): void {
    const { name = "", syscall, code } = error as NodeJS.ErrnoException;
    const problem =
      forbiddenFileProblem(options.dataFolder, error as NodeJS.ErrnoException) ??
      fileProblem(error) ??
      problemOf(error);
    // Disk errors may disappear. Damage and all other errors need a person.
    const retryable = syscall !== undefined || ["StorageFull", "StorageBusy", "StorageFailed"].includes(name);
    post({ type: "not started", problem, retryable, code });
    port.close();
  }

  // Not awaited, because a stopped first run never settles.
  serve()
    .catch((error: unknown) => {
      if (!setup || !(error instanceof NoOrganization)) throw error;
      return serveSetup(setup);
    })
    .catch(reportNotStarted);
}

port.once("message", run);
