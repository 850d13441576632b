import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { problem } from "../../server/errors.ts";
import { type Archive, NotAnExport } from "../../server/imports/archive.ts";
import { type ExportReader, type ImportedMessage, LeftOut, type Text } from "../../server/imports/model.ts";
import { collected } from "../support/collected.ts";
import { written } from "./visible.ts";

/** An archive in memory. Values that are not text become JSON. */
export function archiveOf(contents: Readonly<Record<string, unknown>>): Archive {
  const files = new Map(
    Object.entries(contents).map(([name, value]) => [
      name,
      Buffer.from(typeof value === "string" ? value : JSON.stringify(value)),
    ]),
  );
  return {
    files: new Map([...files].map(([name, { length }]) => [name, length])),
    async open(name) {
      const content = files.get(name);
      if (!content) throw new NotAnExport(problem("import_part_missing", { name }));
      return Readable.from([content]);
    },
    onDisk: async () => assert.fail("only Rocket.Chat reads from disk"),
    close: async () => {},
  };
}

/** Reads everything, and checks that all references have targets. Starts with people, like an import. */
export async function organizationOf(reader: ExportReader) {
  const people = await collected(reader.people());
  const channels = await collected(reader.channels());
  const conversations = await collected(reader.conversations());
  const emoji = await collected(reader.emoji());
  const leftOut = new LeftOut();
  const messages = await collected(reader.messages(leftOut));
  const organization = { people, channels, conversations, emoji, messages, leftOut: leftOut.toJSON() };
  for (const things of [people, channels, conversations])
    assert.equal(new Set(things.map(({ id }) => id)).size, things.length, "IDs are unique");
  const known = new Set(people.map(({ id }) => id));
  for (const id of referredPeople(organization)) assert.ok(known.has(id), `no person ${id}`);
  const places = new Set([...channels, ...conversations].map(({ id }) => id));
  for (const id of messages.flatMap(placesIn)) assert.ok(places.has(id), `no place ${id}`);
  return organization;
}

export type Organization = Awaited<ReturnType<typeof organizationOf>>;

/** IDs of all people that the organization refers to. */
export function referredPeople({
  channels,
  conversations,
  messages,
}: Pick<Organization, "channels" | "conversations" | "messages">): Set<string> {
  const members = [...channels, ...conversations].flatMap(({ memberIds }) => memberIds);
  const creators = channels.flatMap(({ creatorId }) => creatorId ?? []);
  return new Set([...members, ...creators, ...messages.flatMap(peopleIn)]);
}

function peopleIn({ senderId, text, reactions, pinnedBy = [], starredBy }: ImportedMessage): string[] {
  const mentioned = text.flatMap((part) => (typeof part === "object" && "person" in part ? part.person : []));
  return [senderId, ...mentioned, ...reactions.flatMap(({ personIds }) => personIds), ...pinnedBy, ...starredBy];
}

function placesIn({ place, text }: ImportedMessage): string[] {
  const linked = text.flatMap((part) => {
    if (typeof part === "string") return [];
    return "channel" in part ? part.channel : "place" in part ? part.place : [];
  });
  return [place, ...linked];
}

/** The organization as JSON, which leaves out undefined fields. */
export const importedOrganization = async (reader: ExportReader) =>
  JSON.parse(JSON.stringify(await organizationOf(reader)));

/** The organization in a short form, without fields that are undefined, false or empty. */
export function summary(organization: Organization): unknown {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === false || value === "" || (Array.isArray(value) && value.length === 0);
  const short = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(short);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) => (isEmpty(each) ? [] : [[key, short(each)]])),
    );
  };
  const messages = organization.messages.map((message) => ({ ...message, text: written(message.text) }));
  return short({ ...organization, messages });
}

/** A JSON value per line, for comparison with a fixture. */
export const linesOf = ({ people, channels, conversations, emoji, messages, leftOut }: Organization): string[] => [
  ...people.map((person) => JSON.stringify({ person })),
  ...channels.map((channel) => JSON.stringify({ channel })),
  ...conversations.map((conversation) => JSON.stringify({ conversation })),
  ...emoji.map((each) => JSON.stringify({ emoji: each })),
  ...messages.map((message) => JSON.stringify({ message })),
  JSON.stringify({ leftOut }),
];

/** Some fields of each row, as a line. */
export const columns = (rows: readonly object[], ...names: readonly string[]): string[] =>
  rows.map((row) => names.map((name) => String((row as Record<string, unknown>)[name])).join(" | "));

/** A text in one line, with references as JSON. */
export const shown = (text: Text): string =>
  text.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join("");
