import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { FILE_DONE } from "./tally.ts";

// Runs test files in this one process, one after another, as test/run.ts names them: the server is loaded once for
// them all. Each has to leave the process as it found it. What would keep a process of its own from ending, or give
// it an exit code, fails here as well, and so does an environment that the next file would inherit.

/** How long connections may take to close on a busy machine; less where a test gives it. */
const PATIENCE_MS = Number(process.argv[2] ?? 20_000);

let uncaught: unknown;
for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, (error) => (uncaught = error));

process.on("disconnect", () => process.exit());
process.on("message", async (path: string) => {
  if (path === "") process.exit(); // no more files
  const [resources, env] = [process.getActiveResourcesInfo(), { ...process.env }];
  const loading = import(pathToFileURL(path).href);
  await loading.catch(() => {}); // told below
  // Tests run in the order in which they were defined, so this is the last of the file.
  void test(FILE_DONE, async () => {
    await loading;
    await nothingIsLeft(resources);
    if (!isDeepStrictEqual(env, { ...process.env })) throw new Error("process.env is not what it was before");
    if (process.exitCode) {
      process.exitCode = undefined;
      throw new Error("Something failed after its test had ended", { cause: uncaught });
    }
  });
});

async function nothingIsLeft(before: string[]): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const left = process.getActiveResourcesInfo();
    for (const one of before) if (left.includes(one)) left.splice(left.indexOf(one), 1);
    if (left.length === 0) return;
    if (performance.now() > end) throw new Error(`Left open by a test: ${left.join(", ")}`);
    await sleep(5);
  }
}
