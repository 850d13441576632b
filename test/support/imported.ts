import { Readable } from "node:stream";
import type { ExportReader, ImportedChannel, ImportedMessage, ImportedPerson } from "../../server/imports/model.ts";

export const importedPerson = (id: string, more: Partial<ImportedPerson> = {}): ImportedPerson => ({
  id,
  name: id,
  role: "member",
  isBot: false,
  isActive: true,
  ...more,
});

export const importedChannel = (id: string, more: Partial<ImportedChannel> = {}): ImportedChannel => ({
  id,
  name: id,
  description: "",
  isPrivate: false,
  isArchived: false,
  isDefault: false,
  isReadOnly: false,
  memberIds: [],
  ...more,
});

let count = 0;
export const importedMessage = (text: string, more: Partial<ImportedMessage> = {}): ImportedMessage => ({
  id: String(++count),
  place: "general",
  senderId: "ada",
  sentAt: 0,
  text: [text],
  files: [],
  reactions: [],
  starredBy: [],
  ...more,
});

/** A reader of these things. */
export function readerOf(
  things: { people?: ImportedPerson[]; channels?: ImportedChannel[]; messages?: ImportedMessage[] } = {},
  more: Partial<ExportReader> = {},
): ExportReader {
  const each = <T>(items: readonly T[] = []) =>
    async function* () {
      yield* items;
    };
  return {
    people: each(things.people),
    channels: each(things.channels),
    conversations: each([]),
    emoji: each([]),
    messages: each(things.messages),
    openFile: async () => Readable.from([]),
    ...more,
  };
}
