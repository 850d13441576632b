import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openExport } from "../../server/imports/recognise.ts";
import { linesOf, organizationOf } from "./archives.ts";

const folder = fileURLToPath(new URL("fixtures/", import.meta.url));

/** Exports of other projects (fixtures/README.md). Their names begin with the format. */
export const FIXTURES = [
  "slack-zulip.zip",
  "slack-zulip-unicode.zip",
  "slack-export-viewer.zip",
  "mattermost-zulip.jsonl",
  "mattermost-zulip-direct.jsonl",
  "rocketchat",
  "discord",
  "teams",
];

/** The reader's result, with one value on each line. */
export const expectedFile = (name: string): string => join(folder, `${name.replace(/\.\w+$/, "")}.expected.jsonl`);

export async function linesOfFixture(name: string): Promise<string[]> {
  const work = mkdtempSync(join(tmpdir(), "hearth-import-"));
  const { format, archive, reader } = await openExport(join(folder, name), work);
  try {
    assert.ok(name.startsWith(format), `${name} is not an export of ${format}`);
    return linesOf(await organizationOf(reader));
  } finally {
    await archive.close();
    rmSync(work, { recursive: true, force: true });
  }
}
