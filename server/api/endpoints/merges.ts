import { z } from "zod";
import { aboutParameter } from "../../errors.ts";
import { integer } from "../../http/params.ts";
import { runInSlices } from "../../http/run-in-slices.ts";
import { accountToMergeInto, personToMerge } from "../access/merges.ts";
import { mergeSlice, startMerge } from "../actions/merges.ts";
import { importedHistory } from "../queries/merges.ts";
import { endpoint } from "./endpoint.ts";

export const getImportedHistory = endpoint({
  route: "GET /host/imported-people/{user_id}",
  summary: "Count the history of an imported person that a merge moves.",
  who: "administrator",
  bots: false,
  outsideApi: true,
  params: { user_id: integer() },
  response: z.object({
    messages: z.int(),
    reactions: z.int(),
    conversations: z.int(),
    channels: z.int(),
  }),
  handle: ({ viewer, params, reader }) => importedHistory(reader, personToMerge(reader, viewer, params.user_id).id),
});

export const mergeImportedPerson = endpoint({
  route: "POST /host/imported-people/{user_id}/merge",
  summary: "Merge an imported person into an account, which gets their history. Cannot be undone.",
  who: "administrator",
  bots: false,
  outsideApi: true,
  params: { user_id: integer(), into: integer().describe("ID of the account, of an active person.") },
  response: z.object({ is_done: z.boolean().describe("If not, the server continues.") }),
  handle: async (call) => {
    const { viewer, params, app, transact } = call;
    const stubId = params.user_id;
    transact((tx) => {
      const stub = personToMerge(tx, viewer, stubId);
      startMerge(tx, viewer, { stub, into: aboutParameter("into", () => accountToMergeInto(tx, viewer, params.into)) });
    });
    const is_done = await runInSlices({ app, caller: viewer.id, onGone() {} }, () =>
      transact((tx) => mergeSlice(tx, stubId)),
    );
    return { is_done };
  },
});
