import { inspect } from "node:util";

/** One finished test as a line of JSON, so that the results of a file that crashes or hangs later are not lost. */
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

/** The name of the extra test that marks the end of a file in a shared process. */
export const FILE_DONE = "(the file is done)";

/** A node:test reporter for test/run.ts: writes lines, or sends messages if there is a channel. */
export default async function* tally(
  source: AsyncIterable<{ type: string; data: TestReport }>,
): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { error } = data.details;
    const { name, skip, todo } = data;
    // Subtests report their own failures, so a parent that failed only because of them is skipped.
    if (error?.failureType === "subtestsFailed" || (data.details.type === "suite" && !error)) continue;
    const line: Tally =
      todo || (skip && !error) // a test that skips itself may still fail
        ? { outcome: "skipped", name, ...reasonOf([skip, todo]) }
        : error
          ? { outcome: "failed", name, at: `${data.file}:${data.line}`, error: textOf(error.cause ?? error) }
          : { outcome: "passed", name };
    if (process.send) process.send(line);
    else yield `${JSON.stringify(line)}\n`;
  }
  yield "end\n"; // not reached if a file calls process.exit()
}

function reasonOf(given: unknown[]): { reason?: string } {
  const reason = given.find((why) => typeof why === "string");
  return reason === undefined ? {} : { reason };
}

function textOf(error: unknown): string {
  return inspect(error).replace(/^ +at .*node:internal.*\n/gm, "");
}
