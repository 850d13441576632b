import assert from "node:assert/strict";
import { type ExportReader, type ImportedMessage, LeftOut, type Text } from "../../server/imports/model.ts";
import { collected } from "./collected.ts";

/** All that a reader finds in an export, after checking that its parts refer to each other. */
export async function importedOrganization(reader: ExportReader) {
  const people = await collected(reader.people());
  const channels = await collected(reader.channels());
  const conversations = await collected(reader.conversations());
  const emoji = await collected(reader.emoji());
  const leftOut = new LeftOut();
  const messages = await collected(reader.messages(leftOut));
  const ids = [people, channels, conversations].map((things) => things.map(({ id }) => id));
  for (const list of ids) assert.equal(new Set(list).size, list.length, "IDs are unique");
  const [known, places] = [new Set(ids[0]), new Set([...(ids[1] as string[]), ...(ids[2] as string[])])];
  const named = [...channels, ...conversations].flatMap(({ memberIds }) => memberIds);
  const creators = channels.flatMap(({ creatorId }) => creatorId ?? []);
  for (const id of [...named, ...creators, ...messages.flatMap(peopleIn)]) assert.ok(known.has(id), `no person ${id}`);
  for (const message of messages)
    for (const place of placesIn(message)) assert.ok(places.has(place), `no place ${place}`);
  // JSON leaves out what is undefined.
  return JSON.parse(JSON.stringify({ people, channels, conversations, emoji, messages, leftOut }));
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

/** A text in one line, with references in braces. */
export const shown = (text: Text): string =>
  text.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join("");

/** Some fields of each row in one line. */
export const columns = (rows: readonly object[], ...names: readonly string[]): string[] =>
  rows.map((row) => names.map((name) => String((row as Record<string, unknown>)[name])).join(" | "));
