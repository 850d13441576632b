import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { problem } from "../../server/errors.ts";
import { type Archive, NotAnExport } from "../../server/imports/archive.ts";
import {
  type ExportReader,
  type ImportedChannel,
  type ImportedConversation,
  type ImportedEmoji,
  type ImportedMessage,
  type ImportedPerson,
  LeftOut,
} from "../../server/imports/model.ts";
import { collected } from "../support/collected.ts";
import { written } from "./visible-text.ts";

/** An export in memory. Values become JSON, and texts are files as they are. */
export function archiveOf(contents: Readonly<Record<string, unknown>>): Archive {
  const texts = new Map(
    Object.entries(contents).map(([name, content]) => [
      name,
      Buffer.from(typeof content === "string" ? content : JSON.stringify(content)),
    ]),
  );
  return {
    files: new Map([...texts].map(([name, content]) => [name, content.length])),
    async open(name) {
      const content = texts.get(name);
      if (!content) throw new NotAnExport(problem("import_part_missing", { name }));
      return Readable.from([content]);
    },
    onDisk: async () => assert.fail("only Rocket.Chat reads from disk"),
    close: async () => {},
  };
}

export interface Organization {
  people: ImportedPerson[];
  channels: ImportedChannel[];
  conversations: ImportedConversation[];
  emoji: ImportedEmoji[];
  messages: ImportedMessage[];
  leftOut: LeftOut;
}

export async function organizationOf(reader: ExportReader): Promise<Organization> {
  const leftOut = new LeftOut();
  return {
    people: await collected(reader.people()),
    channels: await collected(reader.channels()),
    conversations: await collected(reader.conversations()),
    emoji: await collected(reader.emoji()),
    messages: await collected(reader.messages(leftOut)),
    leftOut,
  };
}

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
  return short({ ...organization, messages, leftOut: organization.leftOut.toJSON() });
}
