import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { allChannels } from "../queries/channels.ts";
import { messageIndex } from "../queries/message-index.ts";
import { organizationSetting } from "../queries/organization.ts";
import { fileSizes, messageSizes, newestUploadId, uploadSizes } from "../queries/storage-sizes.ts";

const contents = z.object({
  messages: z.int(),
  text_bytes: z.int().describe("Size of the messages as Markdown and as HTML. Plain text has no separate HTML."),
  files: z.int(),
  file_bytes: z.int().describe("Size of the uploads in its messages. An upload in two channels counts in both."),
});
type Contents = z.output<typeof contents>;

/** The sizes of stored content, by location. */
export const storedContents = z.object({
  channels: z
    .array(
      contents.extend({
        channel_id: z.int(),
        name: z.string(),
        is_archived: z.boolean(),
        message_retention_days: z.int().nullable().describe("Days. Null: the organization's retention; -1: forever."),
      }),
    )
    .describe("Channels that have content or their own retention."),
  direct: contents.describe("Direct messages."),
  uploads: z.array(z.object({ kind: z.string(), files: z.int(), bytes: z.int() })).describe("Contents of uploads/."),
  message_retention_days: z.int().describe("Retention of the organization, in days; -1: forever."),
});
export type StoredContents = z.output<typeof storedContents>;

/** Number of ids per step: a few milliseconds of work. */
const MESSAGES = 1000;
const UPLOADS = 500;
const HEXADECIMAL = [..."0123456789abcdef"];

/** Adds up the stored sizes. An iterator, so that it can run in slices: it reads every message once. */
export function* measureContents(reader: Reader): Generator<undefined, StoredContents> {
  const found = new Map<number | null, Contents>();
  const of = (channelId: number | null): Contents => {
    const existing = found.get(channelId) ?? { messages: 0, text_bytes: 0, files: 0, file_bytes: 0 };
    found.set(channelId, existing);
    return existing;
  };
  for (let first = 1; first <= messageIndex(reader).last(reader); first += MESSAGES) {
    for (const { channel_id, messages, bytes } of messageSizes(reader, first, first + MESSAGES - 1)) {
      const sum = of(channel_id);
      sum.messages += messages;
      sum.text_bytes += bytes;
    }
    yield undefined;
  }
  for (let first = 1; first <= newestUploadId(reader); first += UPLOADS) {
    for (const { channel_id, files, bytes } of uploadSizes(reader, first, first + UPLOADS - 1)) {
      const sum = of(channel_id);
      sum.files += files;
      sum.file_bytes += bytes;
    }
    yield undefined;
  }
  const uploads = new Map<string, { files: number; bytes: number }>();
  for (const start of HEXADECIMAL.flatMap((one) => HEXADECIMAL.map((other) => one + other))) {
    for (const { kind, files, bytes } of fileSizes(reader, start)) {
      const sum = uploads.get(kind) ?? { files: 0, bytes: 0 };
      uploads.set(kind, { files: sum.files + files, bytes: sum.bytes + bytes });
    }
    yield undefined;
  }
  const channels = allChannels(reader)
    .filter(({ id, message_retention_days }) => found.has(id) || message_retention_days !== null)
    .map(({ id, name, is_archived, message_retention_days }) => ({
      channel_id: id,
      name,
      is_archived,
      message_retention_days,
      ...of(id),
    }));
  return {
    channels,
    direct: of(null),
    uploads: [...uploads].map(([kind, sizes]) => ({ kind, ...sizes })),
    message_retention_days: organizationSetting(reader, "message_retention_days"),
  };
}
