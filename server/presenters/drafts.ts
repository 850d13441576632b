import { draftsOf, keepsDraftsHere } from "../queries/drafts.ts";
import type { RegisterPart } from "./register-context.ts";

const MOST_IN_REGISTER = 1000;

export const registerParts: Record<string, RegisterPart> = {
  drafts: ({ reader, viewer }) => ({
    drafts: keepsDraftsHere(reader, viewer) ? draftsOf(reader, viewer, MOST_IN_REGISTER) : [],
  }),
};
