import type { Reader } from "../../storage/transaction.ts";

export interface StoredStatus {
  status_text: string;
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
}
export const NO_STATUS: StoredStatus = { status_text: "", emoji_name: "", emoji_code: "", reaction_type: "" };

/** By user id; only users with a status. Callers must not modify the result. */
export const storedStatuses = (reader: Reader): ReadonlyMap<number, StoredStatus> =>
  reader.derived(
    "user statuses",
    ["user_statuses"],
    (rows) =>
      new Map(
        rows
          .all<StoredStatus & { user_id: number }>(
            "SELECT user_id, status_text, emoji_name, emoji_code, reaction_type FROM user_statuses",
          )
          .map(({ user_id, ...status }) => [user_id, status]),
      ),
  );

export const storedStatus = (reader: Reader, userId: number): StoredStatus =>
  storedStatuses(reader).get(userId) ?? NO_STATUS;
