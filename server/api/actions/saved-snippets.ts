import { badRequest, refusedParameter } from "../../errors.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { savedSnippetOnWire } from "../presenters/saved-snippets.ts";
import {
  MAX_SAVED_SNIPPETS,
  MAX_SNIPPETS_LENGTH,
  type SavedSnippet,
  savedSnippetCount,
  savedSnippetOf,
  savedSnippetsLength,
} from "../queries/saved-snippets.ts";
import type { User } from "../queries/users.ts";
import { insertRow } from "./rows.ts";

export function createSavedSnippet(tx: Transaction, owner: User, input: { title: string; content: string }): number {
  if (savedSnippetCount(tx, owner) >= MAX_SAVED_SNIPPETS)
    throw badRequest("too_many_saved_snippets", { count: MAX_SAVED_SNIPPETS });
  assertRoomFor(tx, owner, [...input.content].length);
  const id = insertRow(tx, "saved_snippets", {
    user_id: owner.id,
    title: input.title,
    content: input.content,
    created_at: tx.now,
  });
  const saved_snippet = savedSnippetOnWire(savedSnippetOf(tx, owner, id) as SavedSnippet);
  tx.emit({ type: "saved_snippets", op: "add", saved_snippet }, { users: [owner.id] });
  return id;
}

function assertRoomFor(tx: Transaction, owner: User, added: number): void {
  if (added > 0 && savedSnippetsLength(tx, owner) + added > MAX_SNIPPETS_LENGTH)
    throw refusedParameter("content", "saved_snippets_too_long", { count: MAX_SNIPPETS_LENGTH });
}

export function editSavedSnippet(
  tx: Transaction,
  owner: User,
  before: SavedSnippet,
  { title = before.title, content = before.content }: { title?: string | undefined; content?: string | undefined },
): void {
  assertRoomFor(tx, owner, [...content].length - [...before.content].length);
  tx.run("UPDATE saved_snippets SET title = ?, content = ? WHERE id = ?", title, content, before.id);
  const saved_snippet = savedSnippetOnWire({ ...before, title, content });
  tx.emit({ type: "saved_snippets", op: "update", saved_snippet }, { users: [owner.id] });
}

export function deleteSavedSnippet(tx: Transaction, owner: User, { id }: SavedSnippet): void {
  tx.run("DELETE FROM saved_snippets WHERE id = ?", id);
  tx.emit({ type: "saved_snippets", op: "remove", saved_snippet_id: id }, { users: [owner.id] });
}
