import { z } from "zod";
import { draftsOf, syncsDrafts, wireDraft } from "../queries/drafts.ts";
import { type RegisterContext, readOnce, registerPart } from "./register-part.ts";

const MAX_IN_REGISTER = 1000;

function draftsIn(context: RegisterContext): z.output<typeof wireDraft>[] {
  const { reader, viewer } = context;
  if (!syncsDrafts(reader, viewer)) return [];
  return readOnce(context, ["drafts"], () => draftsOf(reader, viewer, MAX_IN_REGISTER));
}

export const registerParts = {
  drafts: registerPart({
    fields: { drafts: z.array(wireDraft) },
    read: (context) => ({ drafts: draftsIn(context) }),
    spectators: { drafts: [] },
    readAhead: draftsIn,
  }),
};
