import type { Archive } from "../archive.ts";
import { type LoadedExport, lazyReader } from "../lazy-reader.ts";
import type { ExportReader, ImportedChannel, ImportedMessage } from "../model.ts";
import { teamsText } from "./teams-fields.ts";
import { TeamsMessages } from "./teams-messages.ts";
import { type Channel, type TeamsFile, TeamsSurvey, teamsFiles, teamsRecords } from "./teams-survey.ts";

/*
 * Reads data of Microsoft Teams: the folder of the export tool, or the same files with objects of Microsoft Graph.
 * Messages are not sorted, and name people, channels and threads that are in no list, so this reads all of them first.
 */

const MAX_PROBED_FILES = 50;

export async function isTeams(archive: Archive): Promise<boolean> {
  const files = teamsFiles(archive);
  if (files.some(({ name }) => /(?:^|\/)(?:usersList|teamsList)\.json$/.test(name))) return true;
  for (const { name } of files.filter(({ kind }) => kind === "messages").slice(0, MAX_PROBED_FILES)) {
    for await (const record of teamsRecords(archive, name)) {
      if (teamsText(record, "body", "contentType") !== undefined && teamsText(record, "createdDateTime") !== undefined)
        return true;
      break;
    }
  }
  return false;
}

export const teamsReader = (archive: Archive): ExportReader => lazyReader(archive, () => loadExport(archive));

async function loadExport(archive: Archive): Promise<LoadedExport> {
  const files = teamsFiles(archive);
  const survey = await readSurvey(archive, files);
  return {
    people: () => survey.people.values(),
    channels: () => [...survey.channels].map(([id, channel]) => channelOf(id, channel, survey)),
    conversations: () => [...survey.chats].map(([id, { memberIds }]) => ({ id, memberIds: [...memberIds] })),
    emoji: () => survey.emoji.values(),
    messages: (leftOut) => readMessages(archive, files, new TeamsMessages(survey, leftOut)),
  };
}

async function* readMessages(
  archive: Archive,
  files: readonly TeamsFile[],
  messages: TeamsMessages,
): AsyncGenerator<ImportedMessage> {
  for (const { name, kind } of files) {
    if (kind !== "messages") continue;
    for await (const record of teamsRecords(archive, name)) {
      const message = messages.read(record);
      if (message) yield message;
    }
    messages.endFile(name);
  }
}

async function readSurvey(archive: Archive, files: readonly TeamsFile[]): Promise<TeamsSurvey> {
  const survey = new TeamsSurvey();
  const steps = [
    ["users", (record) => survey.addUser(record)],
    ["teams", (record) => survey.addTeam(record)],
    ["channels", (record, file) => survey.addChannel(record, file.ownerId)],
    ["members", (record, file) => survey.addMember(record, file.ownerId)],
    ["chats", (record) => survey.addChat(record)],
    ["messages", (record, file) => survey.addMessage(record, file)],
  ] satisfies [TeamsFile["kind"], (record: unknown, file: TeamsFile) => void][];
  for (const [kind, add] of steps)
    for (const file of files.filter((each) => each.kind === kind))
      for await (const record of teamsRecords(archive, file.name)) add(record, file);
  return survey;
}

/** Members of a team see its standard channels. The lists of other channels are not in the export. */
function channelOf(id: string, channel: Channel, survey: TeamsSurvey): ImportedChannel {
  const team = survey.teams.get(channel.teamId ?? "");
  const isStandard = channel.membership === "standard";
  const active = survey.active.get(id) ?? [];
  return {
    id,
    name: channel.name,
    description: channel.description,
    isPrivate: !isStandard || team?.isPublic !== true,
    isArchived: channel.isArchived || team?.isArchived === true,
    isDefault: false,
    isReadOnly: channel.isReadOnly,
    folder: team?.name || undefined,
    createdAt: channel.createdAt,
    creatorId: isStandard ? team?.ownerIds[0] : undefined,
    memberIds: [...new Set([...(isStandard ? (team?.memberIds ?? []) : []), ...active])],
  };
}
