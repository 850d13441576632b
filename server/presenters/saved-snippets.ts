import { savedSnippetsOf } from "../queries/saved-snippets.ts";
import type { RegisterPart } from "./register-context.ts";

export const registerParts: Record<string, RegisterPart> = {
  saved_snippets: ({ reader, viewer }) => ({ saved_snippets: savedSnippetsOf(reader, viewer) }),
};
