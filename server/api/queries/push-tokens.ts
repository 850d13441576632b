import type { Reader } from "../../storage/transaction.ts";
import type { User } from "./users.ts";

/** Apple's or Google's address of a device. */
export interface PushToken {
  kind: "apns" | "fcm";
  token: string;
}

export const hasPushToken = (reader: Reader, user: User, { kind, token }: PushToken): boolean =>
  reader.value("SELECT id FROM push_tokens WHERE user_id = ? AND kind = ? AND token = ?", user.id, kind, token) !==
  undefined;
