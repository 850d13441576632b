import { EXTRA_EMOJI, emojiOfCharacters } from "../markdown/emoji.ts";
import type { Archive } from "./archive.ts";
import {
  type ExportReader,
  type ImportedChannel,
  type ImportedConversation,
  type ImportedEmoji,
  type ImportedMessage,
  type ImportedPerson,
  type ImportedReaction,
  LeftOut,
  type LeftOutKind,
} from "./model.ts";
import { type MonthCounts, monthOf } from "./months.ts";

/** Summary of an export for the preview. */
export interface Survey {
  people: ImportedPerson[];
  channels: ImportedChannel[];
  conversations: ImportedConversation[];
  emoji: ImportedEmoji[];
  /** By channel or conversation, and by UTC month. Places without messages are absent. */
  places: Record<string, Record<string, MonthCounts>>;
  leftOut: Partial<Record<LeftOutKind, number>>;
  /** Messages that others link to, as `place` and `id`. */
  linked: [place: string, id: string][];
}

/** Reads the whole export. `onMessage` gets each message. `signal` stops it between two messages. */
export async function surveyOf(
  reader: ExportReader,
  archive: Pick<Archive, "files">,
  {
    onMessage,
    signal,
    emojiHere = [],
  }: {
    onMessage?: (message: ImportedMessage) => Promise<void> | void;
    signal?: AbortSignal;
    /** Names of custom emoji that exist in Hearth. */
    emojiHere?: readonly string[];
  } = {},
): Promise<Survey> {
  const leftOut = new LeftOut();
  const places = new Map<string, Map<string, MonthCounts>>();
  const linked = new Map<string, [string, string]>();
  const emoji = await all(reader.emoji());
  const isKnown = knownEmoji(emoji, emojiHere);
  for await (const message of reader.messages(leftOut)) {
    signal?.throwIfAborted();
    const counts = countsOf(places, message);
    countIn(counts, message, archive);
    for (const { emoji, personIds } of message.reactions)
      if (isKnown(emoji)) counts.reactions += personIds.length;
      else leftOut.add("reactions of unknown emoji", personIds.length);
    for (const part of message.text)
      if (typeof part === "object" && "message" in part)
        linked.set(`${part.place} ${part.message}`, [part.place, part.message]);
    await onMessage?.(message);
  }
  // After the messages, readers know the people and places that only messages have.
  return {
    people: await all(reader.people()),
    channels: await all(reader.channels()),
    conversations: await all(reader.conversations()),
    emoji,
    places: Object.fromEntries([...places].map(([place, months]) => [place, Object.fromEntries(months)])),
    leftOut: leftOut.toJSON(),
    linked: [...linked.values()],
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function countsOf(places: Map<string, Map<string, MonthCounts>>, { place, sentAt }: ImportedMessage): MonthCounts {
  const months = places.get(place) ?? new Map<string, MonthCounts>();
  places.set(place, months);
  const month = monthOf(sentAt);
  const counts = months.get(month) ?? { messages: 0, reactions: 0, files: 0, bytes: 0, elsewhere: 0, missing: 0 };
  months.set(month, counts);
  return counts;
}

/** Custom emoji without a picture in the export are unknown. */
function knownEmoji(
  emoji: readonly ImportedEmoji[],
  here: Iterable<string>,
): (emoji: ImportedReaction["emoji"]) => boolean {
  const custom = new Set([...emoji.filter(hasPicture).map(({ name }) => name), ...here, ...EXTRA_EMOJI]);
  return (used) => ("name" in used ? custom.has(used.name) : emojiOfCharacters(used.character) !== undefined);
}

/** Whether the export contains the picture. */
export const hasPicture = ({ picture }: ImportedEmoji): boolean => picture !== "missing" && !("url" in picture);

function countIn(counts: MonthCounts, { files }: ImportedMessage, archive: Pick<Archive, "files">): void {
  counts.messages += 1;
  for (const { source, size } of files) {
    if (source === "missing") counts.missing += 1;
    else if ("url" in source) counts.elsewhere += 1;
    else {
      const bytes = "gridfs" in source ? (size ?? 0) : archive.files.get(source.path);
      counts.files += bytes === undefined ? 0 : 1;
      counts.missing += bytes === undefined ? 1 : 0;
      counts.bytes += bytes ?? 0;
    }
  }
}
