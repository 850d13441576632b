import { z } from "zod";
import { downloadAnswer } from "../../http/file-answers.ts";
import { integer, oneOf, text } from "../../http/params.ts";
import { runIteratorInSlices } from "../../http/run-in-slices.ts";
import { AUDIT_KINDS, type AuditKind, auditActionsOf } from "../actions/audit-catalogue.ts";
import {
  type AuditSearch,
  auditCsv,
  auditEntry,
  auditNames,
  findAuditActs,
  namesIn,
  wireAuditAct,
} from "../presenters/audit.ts";
import { AUDIT_ORIGINS, auditEntries } from "../queries/audit.ts";
import { endpoint } from "./endpoint.ts";

/*
 * The audit is for owners and the desk alone. Administrators could learn from it what they may not see: the topics that
 * were deleted in private channels, addresses that people hide from them, and the settings of the server.
 */
const forOwners = { who: "operator or owner", bots: false, outsideApi: true } as const;

const period = {
  since: integer({ min: 0 }).optional().describe("Milliseconds since the epoch: only entries from then on."),
  until: integer({ min: 0 }).optional().describe("Milliseconds since the epoch: only entries before then."),
};
const origin = oneOf(...AUDIT_ORIGINS)
  .optional()
  .describe("Only what came this way.");

export const getHostAudit = endpoint({
  ...forOwners,
  route: "GET /host/audit",
  summary: "Who changed what, newest first.",
  params: {
    before: integer({ min: 1 }).optional().describe("Only entries older than this id."),
    actor_id: integer({ min: 1 }).optional().describe("Only what this user did."),
    action: text().optional().describe("Only this, `change role` for one."),
    target: text().optional().describe("Only what was done to this: `user 12`."),
    origin,
    ...period,
    limit: integer({ min: 1, max: 200 }).default(50),
  },
  response: z.object({ entries: z.array(auditEntry), has_more: z.boolean() }),
  handle: ({ reader, params }) => {
    const { limit, ...filter } = params;
    const found = auditEntries(reader, limit + 1, filter);
    return { entries: found.slice(0, limit), has_more: found.length > limit };
  },
});

const search = {
  actor_id: integer({ min: 0 }).optional().describe("Only what this user did; 0: the server itself."),
  kind: oneOf(...AUDIT_KINDS)
    .optional()
    .describe("Only changes to these."),
  origin,
  user_id: integer({ min: 1 }).optional().describe("Only changes to this person, or that list them."),
  channel_id: integer({ min: 1 }).optional().describe("Only changes to this channel, or that list it."),
  ...period,
  text: text()
    .maxLength(200)
    .optional()
    .describe("Only changes with this in what the pages say of them, in either language, in a name or a value."),
};

const searchOf = ({ actor_id, kind, ...rest }: AuditSearch & { kind?: AuditKind | undefined }): AuditSearch => ({
  ...rest,
  actor_id: actor_id === 0 ? null : actor_id,
  actions: kind && auditActionsOf(kind),
});

export const getHostAuditActs = endpoint({
  ...forOwners,
  route: "GET /host/audit/acts",
  summary:
    "Who changed what, newest first: what one request changed together. An act is listed when one of its changes matches.",
  params: {
    ...search,
    before: integer({ min: 1 }).optional().describe("Only acts older than this one."),
    limit: integer({ min: 1, max: 200 }).default(50),
  },
  response: z.object({ acts: z.array(wireAuditAct), names: auditNames, has_more: z.boolean() }),
  handle: async (call) => {
    const { before, limit, ...filter } = call.params;
    const found = await runIteratorInSlices(
      call,
      findAuditActs(call.reader, searchOf(filter), { before, limit: limit + 1 }),
    );
    const acts = found.slice(0, limit);
    return { acts, names: namesIn(call.reader, acts), has_more: found.length > limit };
  },
});

/** Of one file; who needs older ones asks for an earlier period. */
const MAX_CSV_ACTS = 20_000;

export const getHostAuditCsv = endpoint({
  ...forOwners,
  route: "GET /host/audit/csv",
  summary: `The same as a table for spreadsheets, each change a row: at most ${MAX_CSV_ACTS} acts.`,
  sendsFile: true,
  params: search,
  handle: async (call) => {
    const acts = await runIteratorInSlices(
      call,
      findAuditActs(call.reader, searchOf(call.params), { limit: MAX_CSV_ACTS }),
    );
    const bytes = Buffer.concat(await runIteratorInSlices(call, auditCsv(call.reader, acts)));
    const day = new Date(call.app.now()).toISOString().slice(0, 10);
    return downloadAnswer(`hearth-audit-${day}.csv`, "text/csv; charset=utf-8", bytes);
  },
});
