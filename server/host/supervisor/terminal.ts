import { appendFileSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** A mistake of the user. Exit code 2. */
export class UsageError extends Error {}
/** Ctrl-C or Ctrl-D at a prompt: nothing to print. */
export class Cancelled extends Error {}

/**
 * Escapes text from other people. Escape sequences in the name of an organization could move the cursor, change earlier
 * output, or set the window's title. Joiners stay, because names and emoji need them.
 */
export const printable = (text: string): string =>
  text.replace(
    /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );

const WIDTH = 80;

/** Never breaks a word, even if it is longer than a line. */
export function wrapped(text: string, indent: number): string[] {
  const lines: string[] = [];
  let line = /^ */.exec(text)?.[0] ?? "";
  for (const [index, word] of text
    .trim()
    .split(/(?<=\S)(?= )/)
    .entries()) {
    if (index > 0 && line.length + word.length > WIDTH) {
      lines.push(line.trimEnd());
      line = " ".repeat(indent) + word.trimStart();
    } else line += word;
  }
  return [...lines, line.trimEnd()];
}

export async function confirmed(question: string, signal?: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError("There is no terminal to ask on. Use --yes to answer yes.");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question, signal ? { signal } : {})).trim().toLowerCase() === "yes";
  } catch (error) {
    throw (error as Error).name === "AbortError" ? new Cancelled() : error;
  } finally {
    terminal.close();
  }
}

/** Asks on stderr, so that stdout contains only the result. Does not echo the input. */
export async function askHidden(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError("There is no terminal to ask on: set HEARTH_OWNER_PASSWORD.");
  // readline echoes the input to this output.
  const discarding = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: discarding, terminal: true });
  process.stderr.write(question); // after createInterface: the terminal itself echoes before that
  try {
    return await terminal.question("");
  } catch (error) {
    throw (error as Error).name === "AbortError" ? new Cancelled() : error;
  } finally {
    process.stderr.write("\n");
    terminal.close();
  }
}

const MAX_OUTPUT_BYTES = 1 << 20;

/** Writes all output to a file. A start with a large file begins again with an empty one. @throws fs errors. */
export function writeOutputTo(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_OUTPUT_BYTES) rmSync(path);
  appendFileSync(path, `${new Date().toISOString()}\n`, { mode: 0o600 });
  const write = (text: string | Uint8Array) => {
    try {
      appendFileSync(path, text);
    } catch {
      // A full disk must not end the server.
    }
    return true;
  };
  process.stdout.write = process.stderr.write = write;
}
