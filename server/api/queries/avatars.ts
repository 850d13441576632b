import type { Reader } from "../../storage/transaction.ts";

/** What is known of an address of somebody's picture. */
export interface Avatar {
  /** Whose picture is, or was, there. */
  user_id: number;
  /** The larger picture's file; null once the picture was replaced. */
  medium: string | null;
}

export const avatarAt = (reader: Reader, token: string): Avatar | undefined =>
  reader.get("SELECT user_id, medium FROM avatars WHERE token = ?", token);
