import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { type SavedSnippet, savedSnippetsOf } from "../queries/saved-snippets.ts";
import type { User } from "../queries/users.ts";
import { type RegisterContext, readOnce, registerPart } from "./register-part.ts";

/** docs/protocol.md#other-records. */
export const wireSavedSnippet = z.object({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  date_created: z.int(),
});
export type WireSavedSnippet = z.output<typeof wireSavedSnippet>;

export const savedSnippetOnWire = ({ created_at, ...snippet }: SavedSnippet): WireSavedSnippet => ({
  ...snippet,
  date_created: Math.floor(created_at / 1000),
});

/** The viewer's own snippets, oldest first. */
export const ownSavedSnippets = (reader: Reader, viewer: User): WireSavedSnippet[] =>
  savedSnippetsOf(reader, viewer).map(savedSnippetOnWire);

const snippetsIn = (context: RegisterContext): WireSavedSnippet[] =>
  readOnce(context, ["saved_snippets"], () => ownSavedSnippets(context.reader, context.viewer));

export const registerParts = {
  saved_snippets: registerPart({
    fields: { saved_snippets: z.array(wireSavedSnippet) },
    read: (context) => ({ saved_snippets: snippetsIn(context) }),
    spectators: { saved_snippets: [] },
    readAhead: snippetsIn,
  }),
};
