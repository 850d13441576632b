import { badRequest, refusedParameter } from "../../errors.ts";
import type { Transaction } from "../../storage/transaction.ts";
import type { Draft } from "../access/drafts.ts";
import { draftOnWire } from "../presenters/drafts.ts";
import {
  draftCount,
  draftOf,
  draftsLength,
  MAX_DRAFTS,
  MAX_DRAFTS_LENGTH,
  type StoredDraft,
} from "../queries/drafts.ts";
import type { User } from "../queries/users.ts";
import { insertRow } from "./rows.ts";

/** Drafts store whole seconds. */
const thisSecond = (tx: Transaction) => Math.floor(tx.now / 1000) * 1000;

/** Returns the IDs in the same order. */
export function createDrafts(tx: Transaction, owner: User, drafts: readonly Draft[]): number[] {
  if (draftCount(tx, owner) + drafts.length > MAX_DRAFTS) throw badRequest("too_many_drafts", { count: MAX_DRAFTS });
  const ids = drafts.map(({ type, to, topic, content, editedAt = thisSecond(tx) }) =>
    insertRow(tx, "drafts", {
      user_id: owner.id,
      type,
      recipients: JSON.stringify(to),
      topic,
      content,
      edited_at: editedAt,
    }),
  );
  assertFit(tx, owner, "drafts");
  const made = ids.map((id) => draftOnWire(draftOf(tx, owner, id) as StoredDraft));
  if (made.length > 0) tx.emit({ type: "drafts", op: "add", drafts: made }, { users: [owner.id] });
  return ids;
}

/** `parameter`: the parameter with the new text. */
function assertFit(tx: Transaction, owner: User, parameter: string): void {
  if (draftsLength(tx, owner) > MAX_DRAFTS_LENGTH)
    throw refusedParameter(parameter, "drafts_too_long", { count: MAX_DRAFTS_LENGTH });
}

export function editDraft(
  tx: Transaction,
  owner: User,
  { id, content: before, to: toBefore }: StoredDraft,
  { type, to, topic, content, editedAt = thisSecond(tx) }: Draft,
): void {
  tx.run(
    "UPDATE drafts SET type = ?, recipients = ?, topic = ?, content = ?, edited_at = ? WHERE id = ?",
    type,
    JSON.stringify(to),
    topic,
    content,
    editedAt,
    id,
  );
  if (content.length > before.length || to.length > toBefore.length) assertFit(tx, owner, "draft");
  const draft = draftOnWire(draftOf(tx, owner, id) as StoredDraft);
  tx.emit({ type: "drafts", op: "update", draft }, { users: [owner.id] });
}

export function deleteDraft(tx: Transaction, owner: User, { id }: StoredDraft): void {
  tx.run("DELETE FROM drafts WHERE id = ?", id);
  tx.emit({ type: "drafts", op: "remove", draft_id: id }, { users: [owner.id] });
}

/**
 * For turning `enable_drafts_synchronization` off. Sends no events, because clients would delete their local copies.
 */
export function deleteDrafts(tx: Transaction, owner: User): void {
  tx.run("DELETE FROM drafts WHERE user_id = ?", owner.id);
}
