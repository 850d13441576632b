import { problem } from "../errors.ts";
import { type Archive, type FetchedFiles, NotAnExport, openArchive } from "./archive.ts";
import { discordReader, isDiscord } from "./formats/discord.ts";
import { hearthReader, isHearthExport } from "./formats/hearth.ts";
import { isMattermost, mattermostReader } from "./formats/mattermost.ts";
import { isRocketchat, rocketchatReader } from "./formats/rocketchat.ts";
import { isSlack, slackReader } from "./formats/slack.ts";
import { isTeams, teamsReader } from "./formats/teams.ts";
import { isZulip, zulipReader } from "./formats/zulip.ts";
import type { ExportReader, Format } from "./model.ts";

interface Recognised {
  format: Format;
  is(archive: Archive): boolean | Promise<boolean>;
  reader(archive: Archive, fetched?: FetchedFiles): ExportReader;
}

/** Formats whose files have distinctive names come first. The others are recognised by their contents. */
const READERS: readonly Recognised[] = [
  { format: "zulip", is: isZulip, reader: zulipReader },
  { format: "hearth", is: isHearthExport, reader: hearthReader },
  { format: "rocketchat", is: isRocketchat, reader: rocketchatReader },
  { format: "mattermost", is: isMattermost, reader: mattermostReader },
  { format: "slack", is: isSlack, reader: slackReader },
  { format: "teams", is: isTeams, reader: teamsReader },
  { format: "discord", is: isDiscord, reader: discordReader },
];

export interface OpenedExport {
  format: Format;
  archive: Archive;
  reader: ExportReader;
}

/**
 * Opens an export of a known format. `workFolder` is an empty folder for unpacked files. `fetched` has files that the
 * export names by URL.
 * @throws NotAnExport
 */
export async function openExport(path: string, workFolder: string, fetched?: FetchedFiles): Promise<OpenedExport> {
  const archive = await openArchive(path, workFolder);
  try {
    for (const { format, is, reader } of READERS)
      if (await is(archive)) return { format, archive, reader: reader(archive, fetched) };
    throw new NotAnExport(problem("import_format_unknown"));
  } catch (error) {
    await archive.close();
    throw error;
  }
}
