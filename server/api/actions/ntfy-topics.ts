import type { Transaction } from "../../storage/transaction.ts";
import { ntfyTopicOf } from "../queries/ntfy-topics.ts";
import type { User } from "../queries/users.ts";
import { upsertRow } from "./rows.ts";

/** Replaces the person's topic. Phones with an earlier topic get nothing more. */
export const turnNtfyOn = (tx: Transaction, user: User): void => setTopic(tx, user, true);

/** Does nothing if it is off. */
export function turnNtfyOff(tx: Transaction, user: User): void {
  if (ntfyTopicOf(tx, user.id)?.is_on) setTopic(tx, user, false);
}

function setTopic(tx: Transaction, { id: user_id }: User, isOn: boolean): void {
  const generation = (ntfyTopicOf(tx, user_id)?.generation ?? 0) + 1;
  upsertRow(tx, "ntfy_topics", { user_id }, { generation, is_on: isOn ? 1 : 0, created_at: tx.now });
  tx.emit({ type: "ntfy_topic", op: "update" }, { users: [user_id] });
}
