import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openArchive } from "../../server/imports/archive.ts";
import { discordReader, isDiscord } from "../../server/imports/formats/discord.ts";
import { isMattermost, mattermostReader } from "../../server/imports/formats/mattermost.ts";
import { isRocketchat, rocketchatReader } from "../../server/imports/formats/rocketchat.ts";
import { isSlack, slackReader } from "../../server/imports/formats/slack.ts";
import { isTeams, teamsReader } from "../../server/imports/formats/teams.ts";
import { isZulip } from "../../server/imports/formats/zulip.ts";
import { linesOf, organizationOf } from "./archives.ts";

const folder = fileURLToPath(new URL("fixtures/", import.meta.url));

const slack = { is: isSlack, read: slackReader };
const mattermost = { is: isMattermost, read: mattermostReader };
const rocketchat = { is: isRocketchat, read: rocketchatReader };
const discord = { is: isDiscord, read: discordReader };
const teams = { is: isTeams, read: teamsReader };
const CHECKS = [isSlack, isMattermost, isRocketchat, isDiscord, isTeams, isZulip];

/** Exports of other projects (fixtures/README.md). */
const FORMATS = {
  "slack-zulip.zip": slack,
  "slack-zulip-unicode.zip": slack,
  "slack-export-viewer.zip": slack,
  "mattermost-zulip.jsonl": mattermost,
  "mattermost-zulip-direct.jsonl": mattermost,
  rocketchat,
  discord,
  teams,
} as const;

export type Fixture = keyof typeof FORMATS;
export const FIXTURES = Object.keys(FORMATS) as Fixture[];

/** The reader's result, with one value on each line. */
export const expectedFile = (name: Fixture): string => join(folder, `${name.replace(/\.\w+$/, "")}.expected.jsonl`);

export async function linesOfFixture(name: Fixture): Promise<string[]> {
  const work = mkdtempSync(join(tmpdir(), "hearth-import-"));
  const archive = await openArchive(join(folder, name), work);
  try {
    const { is, read } = FORMATS[name];
    for (const check of CHECKS)
      if ((await check(archive)) !== (check === is)) throw new Error(`${check.name} is wrong about ${name}`);
    return linesOf(await organizationOf(read(archive)));
  } finally {
    await archive.close();
    rmSync(work, { recursive: true, force: true });
  }
}
