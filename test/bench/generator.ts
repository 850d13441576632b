import { fork } from "node:child_process";
import type { Once, Report, Result, Task } from "./load.ts";
import { cpuSeconds } from "./processes.ts";

export interface Load {
  /** Runs a task. `server` is the process whose CPU seconds are counted during it. */
  run(task: Task | Once, server?: { pid: number }): Promise<Result & { serverCpu: number }>;
  /** Stops the current task. */
  stop(): void;
  close(): void;
}

/** Starts the load generator in a separate process. */
export function startLoad(): Load {
  const child = fork(new URL("./load.ts", import.meta.url));
  const end = () => child.kill();
  process.once("exit", end);
  return {
    run: (task, server) =>
      new Promise((resolve, reject) => {
        let before = Number.NaN;
        const exited = () => reject(new Error("The load generator ended."));
        const onReport = (report: Report) => {
          if (report.is === "measuring") {
            if (server) before = cpuSeconds(server.pid);
            return;
          }
          child.off("message", onReport).off("exit", exited);
          if (report.is === "failed") return reject(new Error(report.message));
          resolve({ ...report.result, serverCpu: server ? cpuSeconds(server.pid) - before : Number.NaN });
        };
        child.on("message", onReport).once("exit", exited);
        child.send(task);
      }),
    stop: () => {
      if (child.connected) child.send("stop");
    },
    close: () => {
      process.off("exit", end);
      child.kill();
    },
  };
}
