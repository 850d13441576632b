import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openArchive } from "../../server/imports/archive.ts";
import { mattermostReader } from "../../server/imports/formats/mattermost.ts";
import { isSlack, slackReader } from "../../server/imports/formats/slack.ts";
import { linesOf, organizationIn } from "./archives.ts";

const folder = fileURLToPath(new URL("fixtures/", import.meta.url));

/** Exports of other projects (fixtures/README.md). */
export const FIXTURES = [
  "slack-zulip.zip",
  "slack-zulip-unicode.zip",
  "slack-export-viewer.zip",
  "mattermost-zulip.jsonl",
  "mattermost-zulip-direct.jsonl",
];

/** The reader's result, one value a line. */
export const expectedFile = (name: string): string => join(folder, `${name.replace(/\.\w+$/, "")}.expected.jsonl`);

export async function linesOfFixture(name: string): Promise<string[]> {
  const work = mkdtempSync(join(tmpdir(), "hearth-import-"));
  const archive = await openArchive(join(folder, name), work);
  try {
    const reader = (await isSlack(archive)) ? slackReader(archive) : mattermostReader(archive);
    return linesOf(await organizationIn(reader));
  } finally {
    await archive.close();
    rmSync(work, { recursive: true, force: true });
  }
}
