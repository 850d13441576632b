import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openArchive } from "../../server/imports/archive.ts";
import type { ImportedMessage } from "../../server/imports/model.ts";
import { SortedMessages } from "../../server/imports/sorted-messages.ts";
import { type Survey, surveyOf } from "../../server/imports/survey.ts";
import { GENERATED } from "./generators/formats.ts";

/** Reads an export as an import does: its survey, then its messages, oldest first. */
export async function surveyExport(
  format: string,
  path: string,
  onMessage: (message: ImportedMessage) => void = () => {},
): Promise<Survey> {
  const work = mkdtempSync(join(tmpdir(), "hearth-survey-"));
  const archive = await openArchive(path, join(work, "archive"));
  try {
    const sorted = new SortedMessages(join(work, "sorted"));
    const reader = GENERATED[format]?.reader(archive);
    if (!reader) throw new Error(`Unknown format: ${format}`);
    const survey = await surveyOf(reader, archive, { onMessage: (message) => sorted.add(message) });
    await sorted.flush();
    for await (const message of sorted.read()) onMessage(message);
    return survey;
  } finally {
    await archive.close();
    rmSync(work, { recursive: true, force: true });
  }
}

/** `node survey-export.ts FORMAT PATH` prints the number of messages. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [format = "", path = ""] = process.argv.slice(2);
  let messages = 0;
  await surveyExport(format, path, () => messages++);
  console.log(messages);
}
