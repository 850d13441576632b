import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { Worker } from "node:worker_threads";
import { FILE_DONE } from "./tally.ts";

// Runs test files in this one process, one after another, as test/run.ts names them: the server is loaded once for
// them all. Each has to leave the process as it found it. What would keep a process of its own from ending, or give
// it an exit code, fails here as well, and so does what the next file would inherit.

/** How long connections may take to close on a busy machine; less where a test gives it. */
const PATIENCE_MS = Number(process.argv[2] ?? 20_000);

let uncaught: unknown;
for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, (error) => (uncaught = error));

/** Those that run: only one that is listened to is among the active resources. */
const workers = new Set<Worker>();
process.on("worker", (worker) => {
  workers.add(worker);
  worker.once("exit", () => workers.delete(worker));
});

/** A hook outside of a test: it would go on in all files that follow. */
const HOOK = /^import .*\b(?:before|after)(?:Each)?\b.*"node:test"|\btest\.(?:before|after)(?:Each)?\(/m;

process.on("disconnect", () => process.exit());
process.on("message", async (path: string) => {
  if (path === "") process.exit(); // no more files
  const [before, state] = [active(), stateOfProcess()];
  const loading = load(path);
  await loading.catch(() => {}); // told below
  // Tests run in the order in which they were defined, so this is the last of the file.
  void test(FILE_DONE, async () => {
    try {
      await loading;
      await nothingIsLeft(before);
      const now = stateOfProcess();
      for (const what of Object.keys(state) as (keyof typeof state)[])
        if (!isDeepStrictEqual(state[what], now[what])) throw new Error(`${what} is not what it was before`);
      if (process.exitCode || uncaught !== undefined)
        throw new Error("Something failed outside of a test, or after it had ended", { cause: uncaught });
    } finally {
      process.exitCode = uncaught = undefined;
    }
  });
});

async function load(path: string): Promise<void> {
  if (HOOK.test(readFileSync(path, "utf8"))) throw new Error("A hook outside of a test: use those of its own context");
  await import(pathToFileURL(path).href);
}

const stateOfProcess = () => ({
  "process.env": { ...process.env },
  "process.cwd()": process.cwd(),
  "The clock": [Date, Date.now, performance.now, setTimeout, setInterval],
});

const active = () => [...process.getActiveResourcesInfo(), ...Array<string>(workers.size).fill("Worker")];

async function nothingIsLeft(before: string[]): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    await turn(); // only then it is known whether somebody catches what was rejected last
    const left = active();
    for (const one of before) if (left.includes(one)) left.splice(left.indexOf(one), 1);
    if (left.length === 0) return;
    if (performance.now() > end) throw new Error(`Left open by a test: ${left.join(", ")}`);
    await sleep(5);
  }
}
