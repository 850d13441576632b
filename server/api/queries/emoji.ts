import type { Reader } from "../../storage/transaction.ts";

/** An emoji that the organization added. */
export interface CustomEmoji {
  id: number;
  name: string;
  author_id: number | null;
  /** The name of its picture's file, which stands in its address. */
  file: string;
  /** Tells its format: `png`. */
  extension: string;
  /** The file of a picture that does not move; null where the other does not either. */
  still: string | null;
  deactivated: boolean;
}

type Row = Omit<CustomEmoji, "deactivated"> & { deactivated: number };

/** Deactivated ones count too: messages, reactions and statuses still show them, and every client loads them all. */
export const MAX_CUSTOM_EMOJI = 2000;
/** Characters. */
export const MAX_EMOJI_NAME_LENGTH = 60;

interface Cached {
  byId: ReadonlyMap<number, CustomEmoji>;
  activeByName: ReadonlyMap<string, CustomEmoji>;
  byFile: ReadonlyMap<string, CustomEmoji>;
}

// Each emoji name of each message is looked up.
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

/** In the order of their ids, deactivated ones too. */
export const allCustomEmoji = (reader: Reader): CustomEmoji[] => [...cached(reader).byId.values()];

export const customEmojiById = (reader: Reader, id: number): CustomEmoji | undefined => cached(reader).byId.get(id);

/** The active emoji of this name. */
export const customEmojiByName = (reader: Reader, name: string): CustomEmoji | undefined =>
  cached(reader).activeByName.get(name);

/** The one whose picture is in this file, deactivated or not. */
export const customEmojiByFile = (reader: Reader, file: string): CustomEmoji | undefined =>
  cached(reader).byFile.get(file);

/** The public and the neutral name of one type (docs/protocol.md#reactions). */
export const EXTRA_EMOJI_TYPES = ["zulip_extra_emoji", "service_extra_emoji"] as const;
/** Emoji that are no characters and nobody's own; their code is their name. The second is how public clients know the first. */
export const EXTRA_EMOJI: ReadonlySet<string> = new Set(["hearth", "zulip"]);
export const REACTION_TYPES = ["unicode_emoji", "realm_emoji", ...EXTRA_EMOJI_TYPES] as const;
export type ReactionType = (typeof REACTION_TYPES)[number];
