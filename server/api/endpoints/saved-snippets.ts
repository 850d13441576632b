import { z } from "zod";
import { badRequest } from "../../errors.ts";
import { integer } from "../../http/params.ts";
import { savedSnippetToChange } from "../access/saved-snippets.ts";
import { createSavedSnippet, deleteSavedSnippet, editSavedSnippet } from "../actions/saved-snippets.ts";
import { ownSavedSnippets, wireSavedSnippet } from "../presenters/saved-snippets.ts";
import { MAX_SNIPPET_TITLE_LENGTH } from "../queries/saved-snippets.ts";
import { endpoint } from "./endpoint.ts";
import { messageContent, trimmedText } from "./params.ts";

const title = trimmedText().maxLength(MAX_SNIPPET_TITLE_LENGTH);
const content = messageContent();

/** Neither may be empty. */
function asStored({ title, content }: { title?: string | undefined; content?: string | undefined }) {
  if (title === "") throw badRequest("snippet_title_missing");
  if (content === "") throw badRequest("snippet_content_missing");
  return { title, content };
}

export const getSavedSnippets = endpoint({
  route: "GET /saved_snippets",
  summary: "List the caller's saved snippets, oldest first.",
  who: "guest",
  response: z.object({ saved_snippets: z.array(wireSavedSnippet) }),
  handle: ({ viewer, reader }) => ({ saved_snippets: ownSavedSnippets(reader, viewer) }),
});

export const postSavedSnippet = endpoint({
  route: "POST /saved_snippets",
  summary: "Save a snippet.",
  who: "guest",
  params: { title, content },
  response: z.object({ saved_snippet_id: z.int() }),
  handle: ({ viewer, params, transact }) => {
    const { title = "", content = "" } = asStored(params);
    return { saved_snippet_id: transact((tx) => createSavedSnippet(tx, viewer, { title, content })) };
  },
});

export const patchSavedSnippet = endpoint({
  route: "PATCH /saved_snippets/{saved_snippet_id}",
  summary: "Change the title or content of a saved snippet.",
  who: "guest",
  params: { saved_snippet_id: integer(), title: title.optional(), content: content.optional() },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => {
      const before = savedSnippetToChange(tx, viewer, params.saved_snippet_id);
      if (params.title === undefined && params.content === undefined) throw badRequest("nothing_to_change");
      editSavedSnippet(tx, viewer, before, asStored(params));
    });
  },
});

export const removeSavedSnippet = endpoint({
  route: "DELETE /saved_snippets/{saved_snippet_id}",
  summary: "Delete a saved snippet.",
  who: "guest",
  params: { saved_snippet_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => deleteSavedSnippet(tx, viewer, savedSnippetToChange(tx, viewer, params.saved_snippet_id))),
});
