import type { Reader } from "../../storage/transaction.ts";

export interface CustomEmoji {
  id: number;
  name: string;
  author_id: number | null;
  /** The name of its picture's file, which is part of its URL. */
  file: string;
  /** The file format: `png`. */
  extension: string;
  /** The file of a still picture; null if the emoji is not animated. */
  still: string | null;
  deactivated: boolean;
}

type Row = Omit<CustomEmoji, "deactivated"> & { deactivated: number };

/**
 * Deactivated ones count, too: messages, reactions and statuses still show them, and every client loads all of them.
 */
export const MAX_CUSTOM_EMOJI = 2000;
/** In characters. */
export const MAX_EMOJI_NAME_LENGTH = 60;

interface Cached {
  byId: ReadonlyMap<number, CustomEmoji>;
  activeByName: ReadonlyMap<string, CustomEmoji>;
  byFile: ReadonlyMap<string, CustomEmoji>;
}

// Each emoji name in each message is looked up here.
const cached = (reader: Reader): Cached =>
  reader.derived("custom emoji", ["custom_emoji"], (rows) => {
    const all = rows
      .all<Row>("SELECT id, name, author_id, file, extension, still, deactivated FROM custom_emoji ORDER BY id")
      .map((row): CustomEmoji => ({ ...row, deactivated: row.deactivated === 1 }));
    return {
      byId: new Map(all.map((emoji) => [emoji.id, emoji])),
      activeByName: new Map(all.filter((emoji) => !emoji.deactivated).map((emoji) => [emoji.name, emoji])),
      byFile: new Map(all.map((emoji) => [emoji.file, emoji])),
    };
  });

/** By id, including deactivated ones. */
export const allCustomEmoji = (reader: Reader): CustomEmoji[] => [...cached(reader).byId.values()];

export const customEmojiById = (reader: Reader, id: number): CustomEmoji | undefined => cached(reader).byId.get(id);

export const customEmojiByName = (reader: Reader, name: string): CustomEmoji | undefined =>
  cached(reader).activeByName.get(name);

/** The emoji with this picture file, whether active or not. */
export const customEmojiByFile = (reader: Reader, file: string): CustomEmoji | undefined =>
  cached(reader).byFile.get(file);

/** The public and the neutral name of the same type (docs/protocol.md#reactions). */
export const EXTRA_EMOJI_TYPES = ["zulip_extra_emoji", "service_extra_emoji"] as const;
export const REACTION_TYPES = ["unicode_emoji", "realm_emoji", ...EXTRA_EMOJI_TYPES] as const;
export type ReactionType = (typeof REACTION_TYPES)[number];
