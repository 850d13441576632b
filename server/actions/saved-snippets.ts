import { tooManyStored } from "../errors.ts";
import {
  MAX_SAVED_SNIPPETS,
  savedSnippetCount,
  savedSnippetOf,
  type WireSavedSnippet,
} from "../queries/saved-snippets.ts";
import type { User } from "../queries/users.ts";
import type { Transaction } from "../storage/transaction.ts";

export function createSavedSnippet(tx: Transaction, owner: User, input: { title: string; content: string }): number {
  if (savedSnippetCount(tx, owner) >= MAX_SAVED_SNIPPETS) throw tooManyStored("saved snippets", MAX_SAVED_SNIPPETS);
  const id = tx.run(
    "INSERT INTO saved_snippets (user_id, title, content, created_at) VALUES (?, ?, ?, ?)",
    owner.id,
    input.title,
    input.content,
    tx.now,
  );
  const saved_snippet = savedSnippetOf(tx, owner, id) as WireSavedSnippet;
  tx.emit({ type: "saved_snippets", op: "add", saved_snippet }, { users: [owner.id] });
  return id;
}

export function editSavedSnippet(
  tx: Transaction,
  owner: User,
  before: WireSavedSnippet,
  { title = before.title, content = before.content }: { title?: string | undefined; content?: string | undefined },
): void {
  tx.run("UPDATE saved_snippets SET title = ?, content = ? WHERE id = ?", title, content, before.id);
  tx.emit(
    { type: "saved_snippets", op: "update", saved_snippet: { ...before, title, content } },
    { users: [owner.id] },
  );
}

export function deleteSavedSnippet(tx: Transaction, owner: User, { id }: WireSavedSnippet): void {
  tx.run("DELETE FROM saved_snippets WHERE id = ?", id);
  tx.emit({ type: "saved_snippets", op: "remove", saved_snippet_id: id }, { users: [owner.id] });
}
