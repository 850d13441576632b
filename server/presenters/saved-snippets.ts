import { z } from "zod";
import { savedSnippetsOf, wireSavedSnippet } from "../queries/saved-snippets.ts";
import { registerPart } from "./register-part.ts";

export const registerParts = {
  saved_snippets: registerPart({ saved_snippets: z.array(wireSavedSnippet) }, ({ reader, viewer }) => ({
    saved_snippets: savedSnippetsOf(reader, viewer),
  })),
};
