import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual, parseArgs } from "node:util";
import type { Worker } from "node:worker_threads";
import { waitingImageThreads } from "./image-threads.ts";
import { PATIENCE_MS } from "./patience.ts";
import { FILE_DONE } from "./tally.ts";

// Runs the test files that test/run.ts names in this process, one after another, so that the server is loaded once.
// Each file must leave the process as it found it. Open resources, uncaught errors and changed globals are failures of
// the file that caused them.

const { values: options } = parseArgs({ options: { patience: { type: "string" }, browser: { type: "boolean" } } });
/** How long connections may take to close. One test sets a shorter time. */
const patienceMs = Number(options.patience ?? PATIENCE_MS);
/** Starts before the first file, which would otherwise seem to leave it open. */
const browser = options.browser ? import("./browser.ts").then(({ theBrowser }) => theBrowser()) : undefined;
browser?.catch(() => {}); // tests that need it report the failure

let uncaught: unknown;
for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, (error) => (uncaught = error));

/** The running workers: active resources include only those with a listener. */
const workers = new Set<Worker>();
process.on("worker", (worker) => {
  workers.add(worker);
  worker.once("exit", () => workers.delete(worker));
});

/** A hook outside of a test would also run in all later files. */
const HOOK = /^import .*\b(?:before|after)(?:Each)?\b.*"node:test"|\btest\.(?:before|after)(?:Each)?\(/m;

process.on("disconnect", () => process.exit());
process.on("message", async (path: string) => {
  if (path === "") return end(); // no more files
  await browser?.catch(() => {});
  const [before, state] = [active(), stateOfProcess()];
  const loading = load(path);
  await loading.catch(() => {}); // reported below
  // Tests run in the order of their definition, so this is the last one of the file.
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

/** Does not wait for the event loop, which a failed file's leftovers would keep busy. */
async function end(): Promise<never> {
  await (await browser?.catch(() => undefined))?.close();
  process.exit();
}

async function load(path: string): Promise<void> {
  if (HOOK.test(readFileSync(path, "utf8"))) throw new Error("A hook outside of a test: use those of its own context");
  await import(pathToFileURL(path).href);
}

const stateOfProcess = () => ({
  "process.env": { ...process.env },
  "process.cwd()": process.cwd(),
  "The clock": [Date, Date.now, performance.now, setTimeout, setInterval],
});

const active = () => {
  const running = workers.size - waitingImageThreads();
  return [...process.getActiveResourcesInfo(), ...Array<string>(running).fill("Worker")];
};

async function nothingIsLeft(before: string[]): Promise<void> {
  const end = performance.now() + patienceMs;
  for (;;) {
    await turn(); // lets unhandled rejections surface
    const left = active();
    for (const one of before) if (left.includes(one)) left.splice(left.indexOf(one), 1);
    if (left.length === 0) return;
    if (performance.now() > end) throw new Error(`Left open by a test: ${left.join(", ")}`);
    await sleep(5);
  }
}
