import { z } from "zod";
import { draftsOf, syncsDrafts, wireDraft } from "../queries/drafts.ts";
import { registerPart } from "./register-part.ts";

const MAX_IN_REGISTER = 1000;

export const registerParts = {
  drafts: registerPart({ drafts: z.array(wireDraft) }, ({ reader, viewer }) => ({
    drafts: syncsDrafts(reader, viewer) ? draftsOf(reader, viewer, MAX_IN_REGISTER) : [],
  })),
};
