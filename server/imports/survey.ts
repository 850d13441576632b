import type { Archive } from "./archive.ts";
import {
  type ExportReader,
  type ImportedChannel,
  type ImportedConversation,
  type ImportedEmoji,
  type ImportedFile,
  type ImportedMessage,
  type ImportedPerson,
  LeftOut,
  type LeftOutKind,
} from "./model.ts";

/** Files of an export, by where their contents are. */
export interface FileCounts {
  /** In the export. */
  present: number;
  bytes: number;
  /** At an address of the source. */
  elsewhere: number;
  missing: number;
}

export interface PlaceCounts {
  messages: number;
  /** The times of the oldest and the newest message. */
  from: number;
  to: number;
}

/** The contents of an export, for the preview. */
export interface Survey {
  people: ImportedPerson[];
  channels: ImportedChannel[];
  conversations: ImportedConversation[];
  emoji: ImportedEmoji[];
  /** Messages by channel or conversation. */
  places: Record<string, PlaceCounts>;
  /** By UTC year. */
  messagesByYear: Record<string, number>;
  messages: number;
  reactions: number;
  files: FileCounts;
  leftOut: Partial<Record<LeftOutKind, number>>;
  /** Messages that others link to, as `place` and `id`. */
  linked: [place: string, id: string][];
}

/** Reads the whole export. `onMessage` gets each message. `signal` stops it between two messages. */
export async function surveyOf(
  reader: ExportReader,
  archive: Pick<Archive, "files">,
  { onMessage, signal }: { onMessage?: (message: ImportedMessage) => Promise<void> | void; signal?: AbortSignal } = {},
): Promise<Survey> {
  const [people, channels] = [await all(reader.people()), await all(reader.channels())];
  const [conversations, emoji] = [await all(reader.conversations()), await all(reader.emoji())];
  const leftOut = new LeftOut();
  const places = new Map<string, PlaceCounts>();
  const years = new Map<string, number>();
  const linked = new Map<string, [string, string]>();
  const files: FileCounts = { present: 0, bytes: 0, elsewhere: 0, missing: 0 };
  const counts = { messages: 0, reactions: 0 };
  for await (const message of reader.messages(leftOut)) {
    signal?.throwIfAborted();
    counts.messages += 1;
    for (const { personIds } of message.reactions) counts.reactions += personIds.length;
    for (const file of message.files) countFile(files, file, archive);
    countIn(places, message);
    const year = String(new Date(message.sentAt).getUTCFullYear());
    years.set(year, (years.get(year) ?? 0) + 1);
    for (const part of message.text)
      if (typeof part === "object" && "message" in part)
        linked.set(`${part.place} ${part.message}`, [part.place, part.message]);
    await onMessage?.(message);
  }
  return {
    people,
    channels,
    conversations,
    emoji,
    ...counts,
    places: Object.fromEntries(places),
    messagesByYear: Object.fromEntries([...years].sort()),
    files,
    leftOut: leftOut.toJSON(),
    linked: [...linked.values()],
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function countFile(counts: FileCounts, { source, size }: ImportedFile, { files }: Pick<Archive, "files">): void {
  if (source === "missing") counts.missing += 1;
  else if ("url" in source) counts.elsewhere += 1;
  else {
    const bytes = "gridfs" in source ? (size ?? 0) : files.get(source.path);
    if (bytes === undefined) counts.missing += 1;
    else {
      counts.present += 1;
      counts.bytes += bytes;
    }
  }
}

function countIn(places: Map<string, PlaceCounts>, { place, sentAt }: ImportedMessage): void {
  const counts = places.get(place);
  if (!counts) places.set(place, { messages: 1, from: sentAt, to: sentAt });
  else {
    counts.messages += 1;
    counts.from = Math.min(counts.from, sentAt);
    counts.to = Math.max(counts.to, sentAt);
  }
}
