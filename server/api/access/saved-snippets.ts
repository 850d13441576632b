import { notFound } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type SavedSnippet, savedSnippetOf } from "../queries/saved-snippets.ts";
import type { User } from "../queries/users.ts";

export function savedSnippetToChange(reader: Reader, viewer: User, id: number): SavedSnippet {
  const snippet = savedSnippetOf(reader, viewer, id);
  if (!snippet) throw notFound("saved_snippet_not_found");
  return snippet;
}
