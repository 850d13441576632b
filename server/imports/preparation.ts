import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ImportedMessage } from "./model.ts";
import { type OpenedExport, openExport } from "./recognise.ts";
import { SortedMessages } from "./sorted-messages.ts";
import { type Survey, surveyOf } from "./survey.ts";

/** An export that was read once. Its messages are in the folder, by time. */
export interface Prepared {
  format: OpenedExport["format"];
  survey: Survey;
  /** Number of files with messages. */
  runs: number;
}

const unpackedIn = (folder: string) => join(folder, "unpacked");
const messagesIn = (folder: string) => join(folder, "messages");
const resultIn = (folder: string) => join(folder, "prepared.json");

/**
 * Reads an export at `path` and writes to `folder` what an import needs. `onMessages` gets the number of messages so far.
 * @throws NotAnExport
 */
export async function prepare(
  path: string,
  folder: string,
  { onMessages, signal }: { onMessages: (count: number) => void; signal?: AbortSignal },
): Promise<Prepared> {
  await mkdir(folder, { recursive: true });
  const { format, archive, reader } = await openExport(path, unpackedIn(folder));
  try {
    const sorted = new SortedMessages(messagesIn(folder));
    let count = 0;
    const onMessage = (message: ImportedMessage) => {
      count += 1;
      if (count % 1000 === 0) onMessages(count);
      return sorted.add(message);
    };
    const survey = await surveyOf(reader, archive, { onMessage, ...(signal && { signal }) });
    await sorted.flush();
    const prepared = { format, survey, runs: sorted.runs };
    await writeFile(`${resultIn(folder)}.new`, JSON.stringify(prepared));
    await rename(`${resultIn(folder)}.new`, resultIn(folder));
    return prepared;
  } finally {
    await archive.close();
  }
}

export const readPrepared = async (folder: string): Promise<Prepared> =>
  JSON.parse(await readFile(resultIn(folder), "utf8"));

export interface ReopenedExport extends Omit<OpenedExport, "format"> {
  prepared: Prepared;
  /** By time. */
  messages: AsyncIterable<ImportedMessage>;
}

/** Opens a prepared export again, to write it. */
export async function reopen(path: string, folder: string): Promise<ReopenedExport> {
  const prepared = await readPrepared(folder);
  const { archive, reader } = await openExport(path, unpackedIn(folder));
  // Readers learn about people and places before they open files.
  for await (const _ of reader.people());
  const messages = new SortedMessages(messagesIn(folder), { runs: prepared.runs }).read();
  return { prepared, archive, reader, messages };
}
