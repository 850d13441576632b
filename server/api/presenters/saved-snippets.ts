import { z } from "zod";
import { savedSnippetsOf, wireSavedSnippet } from "../queries/saved-snippets.ts";
import { type RegisterContext, readOnce, registerPart } from "./register-part.ts";

const snippetsIn = (context: RegisterContext): z.output<typeof wireSavedSnippet>[] =>
  readOnce(context, ["saved_snippets"], () => savedSnippetsOf(context.reader, context.viewer));

export const registerParts = {
  saved_snippets: registerPart({
    fields: { saved_snippets: z.array(wireSavedSnippet) },
    read: (context) => ({ saved_snippets: snippetsIn(context) }),
    spectators: { saved_snippets: [] },
    readAhead: snippetsIn,
  }),
};
