import { z } from "zod";
import { integer, json, listOf } from "../../http/params.ts";
import { messageText } from "../../markdown/render.ts";
import type { Reader } from "../../storage/transaction.ts";
import { MAX_RECIPIENTS } from "../access/destinations.ts";
import { draftToChange, userWhoSyncsDrafts, validDraft } from "../access/drafts.ts";
import { createDrafts, deleteDraft, editDraft } from "../actions/drafts.ts";
import { draftOnWire, wireDraft } from "../presenters/drafts.ts";
import { draftsOf } from "../queries/drafts.ts";
import type { User } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";

/** Each may be as long as a message. */
const MAX_DRAFTS_AT_ONCE = 100;

const givenDraft = z.object({
  id: z.int().optional().describe("Ignored: the server assigns the ID."),
  type: wireDraft.shape.type,
  to: z.array(z.int()).max(MAX_RECIPIENTS),
  topic: z.string(),
  content: z.string(),
  timestamp: z.number().optional().describe("Seconds; default: now."),
});

const asStored = (reader: Reader, owner: User, draft: z.output<typeof givenDraft>) =>
  validDraft(reader, owner, { ...draft, content: messageText(draft.content) });

export const getDrafts = endpoint({
  route: "GET /drafts",
  summary: "List the caller's drafts, oldest edit first.",
  who: "guest",
  response: z.object({ count: z.int(), drafts: z.array(wireDraft) }),
  handle: ({ viewer, reader }) => {
    const drafts = draftsOf(reader, userWhoSyncsDrafts(reader, viewer));
    return { count: drafts.length, drafts: drafts.map(draftOnWire).reverse() };
  },
});

export const postDrafts = endpoint({
  route: "POST /drafts",
  summary: "Create drafts.",
  who: "guest",
  params: { drafts: listOf(givenDraft, MAX_DRAFTS_AT_ONCE) },
  response: z.object({ ids: z.array(z.int()) }),
  handle: ({ viewer, params, transact }) => ({
    ids: transact((tx) => {
      const owner = userWhoSyncsDrafts(tx, viewer);
      const drafts = params.drafts.map((draft) => asStored(tx, owner, draft));
      return createDrafts(tx, owner, drafts);
    }),
  }),
});

export const patchDraft = endpoint({
  route: "PATCH /drafts/{draft_id}",
  summary: "Replace a draft.",
  who: "guest",
  params: { draft_id: integer(), draft: json(givenDraft) },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => {
      const before = draftToChange(tx, viewer, params.draft_id);
      editDraft(tx, viewer, before, asStored(tx, viewer, params.draft));
    });
  },
});

export const removeDraft = endpoint({
  route: "DELETE /drafts/{draft_id}",
  summary: "Delete a draft.",
  who: "guest",
  params: { draft_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => deleteDraft(tx, viewer, draftToChange(tx, viewer, params.draft_id))),
});
