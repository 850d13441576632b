import { createReadStream } from "node:fs";
import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { FetchedFiles } from "./archive.ts";
import type { FileSource, ImportedMessage } from "./model.ts";
import { monthOf } from "./months.ts";
import { type OpenedExport, openExport } from "./recognise.ts";
import { SortedMessages } from "./sorted-messages.ts";
import { type Survey, surveyOf } from "./survey.ts";

/** An export that was read once. Its messages are in the folder, by time. */
export interface Prepared {
  format: OpenedExport["format"];
  survey: Survey;
  /** Number of files with messages. */
  runs: number;
  /** The counts of `survey` before files were fetched. */
  original?: Survey["places"];
}

const unpackedIn = (folder: string) => join(folder, "unpacked");
const messagesIn = (folder: string) => join(folder, "messages");
const resultIn = (folder: string) => join(folder, "prepared.json");
const elsewhereIn = (folder: string) => join(folder, "elsewhere.jsonl");

/** A file that only the source has. `place` and `month`: of its message; undefined for pictures of people. */
export interface FileElsewhere {
  url: string;
  size?: number | undefined;
  place?: string;
  month?: string;
}

/**
 * Reads an export at `path` and writes to `folder` what an import needs. `onMessages` gets the number of messages so far.
 * @throws NotAnExport
 */
export async function prepare(
  path: string,
  folder: string,
  { onMessages, emojiHere }: { onMessages: (count: number) => void; emojiHere: readonly string[] },
): Promise<Prepared> {
  await mkdir(folder, { recursive: true });
  const { format, archive, reader } = await openExport(path, unpackedIn(folder));
  try {
    const sorted = new SortedMessages(messagesIn(folder));
    let count = 0;
    let lines: string[] = [];
    const addElsewhere = async (files: readonly FileElsewhere[]) => {
      for (const file of files) lines.push(`${JSON.stringify(file)}\n`);
      if (lines.length >= LINES_AT_ONCE) await writeLines();
    };
    const writeLines = async () => {
      await appendFile(elsewhereIn(folder), lines.join(""));
      lines = [];
    };
    const onMessage = async (message: ImportedMessage) => {
      count += 1;
      if (count % 1000 === 0) onMessages(count);
      if (message.files.length > 0) await addElsewhere(filesElsewhere(message));
      await sorted.add(message);
    };
    const survey = await surveyOf(reader, archive, { onMessage, emojiHere });
    await sorted.flush();
    await addElsewhere(survey.people.flatMap(({ picture }) => urlsIn(picture)));
    await writeLines();
    const prepared = { format, survey, runs: sorted.runs };
    await writePrepared(folder, prepared);
    return prepared;
  } finally {
    await archive.close();
  }
}

const LINES_AT_ONCE = 1000;

const urlsIn = (source: FileSource | undefined, size?: number): { url: string; size?: number }[] =>
  source !== undefined && source !== "missing" && "url" in source
    ? [{ url: source.url, ...(size !== undefined && { size }) }]
    : [];

const filesElsewhere = ({ files, place, sentAt }: ImportedMessage): FileElsewhere[] =>
  files.flatMap(({ source, size }) => urlsIn(source, size).map((file) => ({ ...file, place, month: monthOf(sentAt) })));

async function writePrepared(folder: string, prepared: Prepared): Promise<void> {
  await writeFile(`${resultIn(folder)}.new`, JSON.stringify(prepared));
  await rename(`${resultIn(folder)}.new`, resultIn(folder));
}

export async function* elsewhere(folder: string): AsyncGenerator<FileElsewhere> {
  const lines = createInterface({ input: createReadStream(elsewhereIn(folder)), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) yield JSON.parse(line);
}

/** Counts files that were fetched as files of the export. `sizeOf`: bytes, or undefined if a file was not fetched. */
export async function countFetched(
  folder: string,
  prepared: Prepared,
  sizeOf: (url: string) => Promise<number | undefined>,
): Promise<Prepared> {
  const places = prepared.original ?? prepared.survey.places;
  const survey = { ...prepared.survey, places: structuredClone(places) };
  const counted: Prepared = { ...prepared, survey, original: places };
  for await (const { url, place, month } of elsewhere(folder)) {
    const size = await sizeOf(url);
    const counts = counted.survey.places[place ?? ""]?.[month ?? ""];
    if (size === undefined || !counts) continue;
    counts.elsewhere -= 1;
    counts.files += 1;
    counts.bytes += size;
  }
  await writePrepared(folder, counted);
  return counted;
}

export const readPrepared = async (folder: string): Promise<Prepared> =>
  JSON.parse(await readFile(resultIn(folder), "utf8"));

export interface ReopenedExport extends Omit<OpenedExport, "format"> {
  prepared: Prepared;
  /** By time. */
  messages: AsyncIterable<ImportedMessage>;
}

/** Opens a prepared export again, to write it. */
export async function reopen(path: string, folder: string, fetched: FetchedFiles): Promise<ReopenedExport> {
  const prepared = await readPrepared(folder);
  const { archive, reader } = await openExport(path, unpackedIn(folder), fetched);
  const messages = new SortedMessages(messagesIn(folder), { runs: prepared.runs }).read();
  return { prepared, archive, reader, messages };
}
