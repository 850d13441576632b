import { inspect } from "node:util";

/** One finished test, as a line of JSON, so that what a crashed or hung file had done by then is still known. */
export type Tally =
  | { outcome: "passed" | "skipped"; name: string; reason?: string }
  | { outcome: "failed"; name: string; at: string; error: string };

interface TestReport {
  name: string;
  file?: string;
  line?: number;
  skip?: string | boolean;
  todo?: string | boolean;
  details: { type?: string; error?: Error & { failureType?: string } };
}

/** The test that ends a file where several share a process; not one of its tests. */
export const FILE_DONE = "(the file is done)";

/** A reporter of node:test, for test/run.ts: in lines, or in messages where it listens to them. */
export default async function* tally(
  source: AsyncIterable<{ type: string; data: TestReport }>,
): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { error } = data.details;
    const { name, skip, todo } = data;
    // A suite, or a test with subtests, that fails because of a test inside: that one has been told.
    if (error?.failureType === "subtestsFailed" || (data.details.type === "suite" && !error)) continue;
    const line: Tally =
      todo || (skip && !error) // one that says so half-way may fail all the same
        ? { outcome: "skipped", name, ...reasonOf([skip, todo]) }
        : error
          ? { outcome: "failed", name, at: `${data.file}:${data.line}`, error: told(error.cause ?? error) }
          : { outcome: "passed", name };
    if (process.send) process.send(line);
    else yield `${JSON.stringify(line)}\n`;
  }
  yield "end\n"; // a file that calls process.exit() half-way does not get here
}

function reasonOf(given: unknown[]): { reason?: string } {
  const reason = given.find((why) => typeof why === "string");
  return reason === undefined ? {} : { reason };
}

function told(error: unknown): string {
  return inspect(error).replace(/^ +at .*node:internal.*\n/gm, "");
}
