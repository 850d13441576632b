import { draftsOf, syncsDrafts } from "../queries/drafts.ts";
import type { RegisterPart } from "./register-context.ts";

const MAX_IN_REGISTER = 1000;

export const registerParts: Record<string, RegisterPart> = {
  drafts: ({ reader, viewer }) => ({
    drafts: syncsDrafts(reader, viewer) ? draftsOf(reader, viewer, MAX_IN_REGISTER) : [],
  }),
};
