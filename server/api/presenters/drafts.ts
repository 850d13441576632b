import { z } from "zod";
import { draftsOf, type StoredDraft, syncsDrafts } from "../queries/drafts.ts";
import { type RegisterContext, readOnce, registerPart } from "./register-part.ts";

/** docs/protocol.md#other-records. The type "" means that the draft has no recipient yet. */
export const wireDraft = z.object({
  id: z.int(),
  type: z.enum(["", "stream", "private"]),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int(),
});
export type WireDraft = z.output<typeof wireDraft>;

export const draftOnWire = ({ edited_at, ...draft }: StoredDraft): WireDraft => ({
  ...draft,
  timestamp: edited_at / 1000,
});

const MAX_IN_REGISTER = 1000;

function draftsIn(context: RegisterContext): WireDraft[] {
  const { reader, viewer } = context;
  if (!syncsDrafts(reader, viewer)) return [];
  return readOnce(context, ["drafts"], () => draftsOf(reader, viewer, MAX_IN_REGISTER).map(draftOnWire));
}

export const registerParts = {
  drafts: registerPart({
    fields: { drafts: z.array(wireDraft) },
    read: (context) => ({ drafts: draftsIn(context) }),
    spectators: { drafts: [] },
    readAhead: draftsIn,
  }),
};
