import { fork } from "node:child_process";
import type { Once, Report, Result, Task } from "./load.ts";
import { cpuSeconds } from "./processes.ts";

export interface Load {
  /** Runs a task; `server`: the process whose CPU seconds are counted while it is measured. */
  run(task: Task | Once, server?: { pid: number }): Promise<Result & { serverCpu: number }>;
  /** Ends a task that sends. */
  stop(): void;
  close(): void;
}

/** The load generator, in a process of its own. */
export function startLoad(): Load {
  const child = fork(new URL("./load.ts", import.meta.url));
  const end = () => child.kill();
  process.once("exit", end);
  return {
    run: (task, server) =>
      new Promise((resolve, reject) => {
        let before = Number.NaN;
        const gone = () => reject(new Error("The load generator ended."));
        const hear = (report: Report) => {
          if (report.is === "measuring") {
            if (server) before = cpuSeconds(server.pid);
            return;
          }
          child.off("message", hear).off("exit", gone);
          if (report.is === "failed") return reject(new Error(report.message));
          resolve({ ...report.result, serverCpu: server ? cpuSeconds(server.pid) - before : Number.NaN });
        };
        child.on("message", hear).once("exit", gone);
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
