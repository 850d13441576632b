import type { Reader } from "../storage/transaction.ts";

/** An emoji that the organization added. */
export interface CustomEmoji {
  id: number;
  name: string;
  deactivated: boolean;
}

type Row = Omit<CustomEmoji, "deactivated"> & { deactivated: number };
const fromRow = (row: Row | undefined): CustomEmoji | undefined =>
  row && { ...row, deactivated: row.deactivated === 1 };

export const customEmojiById = (reader: Reader, id: number): CustomEmoji | undefined =>
  fromRow(reader.get<Row>("SELECT id, name, deactivated FROM custom_emoji WHERE id = ?", id));

/** The active emoji of this name. */
export const customEmojiByName = (reader: Reader, name: string): CustomEmoji | undefined =>
  fromRow(reader.get<Row>("SELECT id, name, deactivated FROM custom_emoji WHERE name = ? AND deactivated = 0", name));
