import type { Readable } from "node:stream";
import type { Archive } from "../archive.ts";
import type {
  ExportReader,
  FileSource,
  ImportedChannel,
  ImportedConversation,
  ImportedEmoji,
  ImportedMessage,
  ImportedPerson,
  LeftOut,
} from "../model.ts";
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

class TeamsExport implements ExportReader {
  readonly archive: Archive;
  readonly #files: readonly TeamsFile[];
  #contents: Promise<TeamsSurvey> | undefined;

  constructor(archive: Archive) {
    this.archive = archive;
    this.#files = teamsFiles(archive);
  }

  async *people(): AsyncGenerator<ImportedPerson> {
    yield* (await this.#survey()).people.values();
  }

  async *channels(): AsyncGenerator<ImportedChannel> {
    const survey = await this.#survey();
    for (const [id, channel] of survey.channels) yield channelOf(id, channel, survey);
  }

  async *conversations(): AsyncGenerator<ImportedConversation> {
    for (const [id, { memberIds }] of (await this.#survey()).chats) yield { id, memberIds: [...memberIds] };
  }

  async *emoji(): AsyncGenerator<ImportedEmoji> {
    yield* (await this.#survey()).emoji.values();
  }

  async *messages(leftOut: LeftOut): AsyncGenerator<ImportedMessage> {
    const messages = new TeamsMessages(await this.#survey(), leftOut);
    for (const { name } of this.#of("messages")) {
      for await (const record of teamsRecords(this.archive, name)) {
        const message = messages.read(record);
        if (message) yield message;
      }
      messages.endFile(name);
    }
  }

  async openFile(source: FileSource): Promise<Readable> {
    return this.archive.open(source !== "missing" && "path" in source ? source.path : "");
  }

  #of(kind: TeamsFile["kind"]): TeamsFile[] {
    return this.#files.filter((file) => file.kind === kind);
  }

  #survey(): Promise<TeamsSurvey> {
    this.#contents ??= this.#readAll();
    return this.#contents;
  }

  async #readAll(): Promise<TeamsSurvey> {
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
      for (const file of this.#of(kind))
        for await (const record of teamsRecords(this.archive, file.name)) add(record, file);
    return survey;
  }
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

export const teamsReader = (archive: Archive): TeamsExport => new TeamsExport(archive);
