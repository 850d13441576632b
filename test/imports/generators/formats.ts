import type { Archive } from "../../../server/imports/archive.ts";
import { discordReader } from "../../../server/imports/formats/discord.ts";
import { mattermostReader } from "../../../server/imports/formats/mattermost.ts";
import { rocketchatReader } from "../../../server/imports/formats/rocketchat.ts";
import { slackReader } from "../../../server/imports/formats/slack.ts";
import { teamsReader } from "../../../server/imports/formats/teams.ts";
import { zulipReader } from "../../../server/imports/formats/zulip.ts";
import type { ExportReader } from "../../../server/imports/model.ts";
import type { Size } from "../random-model.ts";
import { writeDiscord } from "./discord.ts";
import type { Expected } from "./expected.ts";
import { writeMattermost } from "./mattermost.ts";
import { writeRocketchat } from "./rocketchat.ts";
import { writeSlack } from "./slack.ts";
import { writeTeams } from "./teams.ts";
import { writeZulip } from "./zulip.ts";

interface Generated {
  /** Writes an export to a path: a file, or a folder. */
  readonly write: (path: string, size: Size) => Promise<Expected>;
  readonly reader: (archive: Archive) => ExportReader;
}

export const GENERATED: Readonly<Record<string, Generated>> = {
  slack: { write: writeSlack, reader: slackReader },
  mattermost: { write: writeMattermost, reader: mattermostReader },
  rocketchat: { write: writeRocketchat, reader: rocketchatReader },
  discord: { write: writeDiscord, reader: discordReader },
  teams: { write: writeTeams, reader: teamsReader },
  zulip: { write: writeZulip, reader: zulipReader },
};
