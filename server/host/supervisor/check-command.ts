import { NoOrganization } from "../../errors.ts";
import { checkFolder } from "./check-folder.ts";
import type { Part } from "./check-report.ts";
import { holdsOrganization, takeLockInTime } from "./data-folder.ts";
import { printable } from "./printable.ts";

/* `hearth check`: prints each part as soon as it is read, in 80 columns. */

const WIDTH = 80;
/** Names of parts, and their state. */
const INDENT = 21;

/** Whether all is well. Only the folder's lock is taken: an interrupted restore or move stays as it is. */
export async function runCheck(
  folder: string,
  print: (line: string) => void,
  report: (line: string) => void,
): Promise<boolean> {
  if (!holdsOrganization(folder)) throw new NoOrganization(folder);
  const lock = await takeLockInTime(folder, { report });
  try {
    const todo = await checkFolder(folder, (part) => {
      for (const line of partText(part)) print(line);
    });
    if (todo.length === 0) return true;
    print("");
    print("What to do, in this order:");
    for (const [index, step] of todo.entries())
      for (const line of wrapped(`${index + 1}. ${printable(step)}`, 3)) print(line);
    return false;
  } finally {
    lock.release();
  }
}

function partText({ name, state, lines }: Part): string[] {
  const [first = "", ...rest] = lines.map(printable);
  const head = `${name.padEnd(12)} ${state.padEnd(7)} `;
  return [
    ...wrapped(head + first, INDENT),
    ...rest.flatMap((line) => wrapped(" ".repeat(INDENT) + line, INDENT + (/^ */.exec(line)?.[0].length ?? 0))),
  ];
}

/** Words stay whole, also those that are longer than a line. */
function wrapped(text: string, indent: number): string[] {
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
