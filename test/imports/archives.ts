import assert from "node:assert/strict";
import { Readable } from "node:stream";
import type { Archive } from "../../server/imports/archive.ts";
import { type ExportReader, LeftOut } from "../../server/imports/model.ts";
import { collected } from "../support/collected.ts";

/** An archive in memory. Values that are not text are JSON. */
export function archiveOf(contents: Readonly<Record<string, unknown>>): Archive {
  const buffers = new Map(
    Object.entries(contents).map(([name, value]) => [
      name,
      Buffer.from(typeof value === "string" ? value : JSON.stringify(value)),
    ]),
  );
  return {
    files: new Map([...buffers].map(([name, { length }]) => [name, length])),
    open: async (name) => Readable.from([buffers.get(name) ?? Buffer.alloc(0)]),
    onDisk: async () => assert.fail("only Rocket.Chat reads from disk"),
    close: async () => {},
  };
}

/** Everything that a reader finds. People come first, as in an import. */
export async function organizationIn(reader: ExportReader) {
  const people = await collected(reader.people());
  const channels = await collected(reader.channels());
  const conversations = await collected(reader.conversations());
  const emoji = await collected(reader.emoji());
  const leftOut = new LeftOut();
  const messages = await collected(reader.messages(leftOut));
  return { people, channels, conversations, emoji, messages, leftOut: leftOut.toJSON() };
}

export type Organization = Awaited<ReturnType<typeof organizationIn>>;

/** One JSON value a line, for comparison with a fixture. */
export const linesOf = ({ people, channels, conversations, emoji, messages, leftOut }: Organization): string[] => [
  ...people.map((person) => JSON.stringify({ person })),
  ...channels.map((channel) => JSON.stringify({ channel })),
  ...conversations.map((conversation) => JSON.stringify({ conversation })),
  ...emoji.map((each) => JSON.stringify({ emoji: each })),
  ...messages.map((message) => JSON.stringify({ message })),
  JSON.stringify({ leftOut }),
];

/** IDs of all people that the organization refers to. */
export function referredPeople({ channels, conversations, messages }: Organization): Set<string> {
  const inTexts = messages.flatMap(({ text }) =>
    text.flatMap((part) => (typeof part === "object" && "person" in part ? part.person : [])),
  );
  const ofMessages = messages.flatMap(({ senderId, reactions, pinnedBy = [], starredBy }) => [
    senderId,
    ...reactions.flatMap(({ personIds }) => personIds),
    ...pinnedBy,
    ...starredBy,
  ]);
  const members = [...channels, ...conversations].flatMap(({ memberIds }) => memberIds);
  return new Set([...inTexts, ...ofMessages, ...members, ...channels.flatMap(({ creatorId }) => creatorId ?? [])]);
}
