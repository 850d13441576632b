import { z } from "zod";
import { downloadAnswer } from "../../http/file-answers.ts";
import { integer, oneOf, text } from "../../http/params.ts";
import { runIteratorInSlices } from "../../http/run-in-slices.ts";
import { AUDIT_KINDS, type AuditKind, auditActionsOf } from "../actions/audit.ts";
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
import { endpoint, forOwners } from "./endpoint.ts";

/*
 * The audit is only for owners and the operator. It reveals what administrators cannot see: deleted topics of private
 * channels, hidden addresses and server settings.
 */

const period = {
  since: integer({ min: 0 }).optional().describe("Milliseconds since the epoch. Includes this time."),
  until: integer({ min: 0 }).optional().describe("Milliseconds since the epoch. Excludes this time."),
};
const origin = oneOf(...AUDIT_ORIGINS)
  .optional()
  .describe("Only entries of this origin.");

export const getOperatorAudit = endpoint({
  ...forOwners,
  route: "GET /host/audit",
  summary: "List audit entries, newest first.",
  params: {
    before: integer({ min: 1 }).optional().describe("Only entries before this ID."),
    actor_id: integer({ min: 1 }).optional().describe("Only entries by this user."),
    action: text().optional().describe("Only this action, such as `change role`."),
    target: text().optional().describe("Only entries with this target, such as `user 12`."),
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
  actor_id: integer({ min: 0 }).optional().describe("Only entries by this user; 0: by the server."),
  kind: oneOf(...AUDIT_KINDS)
    .optional()
    .describe("Only entries of this kind."),
  origin,
  user_id: integer({ min: 1 }).optional().describe("Only changes to this user, or with this user in a list."),
  channel_id: integer({ min: 1 }).optional().describe("Only changes to this channel, or with this channel in a list."),
  ...period,
  text: text()
    .maxLength(200)
    .optional()
    .describe("Only changes whose sentence, name or value contains this text, in either language."),
};

const searchOf = ({ actor_id, kind, ...rest }: AuditSearch & { kind?: AuditKind | undefined }): AuditSearch => ({
  ...rest,
  actor_id: actor_id === 0 ? null : actor_id,
  actions: kind && auditActionsOf(kind),
});

export const getOperatorAuditActs = endpoint({
  ...forOwners,
  route: "GET /host/audit/acts",
  summary: "List acts, newest first: the changes of each request. Includes an act if one of its changes matches.",
  params: {
    ...search,
    before: integer({ min: 1 }).optional().describe("Only acts before this one."),
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

/** Per file. For older entries, choose an earlier period. */
const MAX_CSV_ACTS = 20_000;

export const getOperatorAuditCsv = endpoint({
  ...forOwners,
  route: "GET /host/audit/csv",
  summary: `Download matching acts as CSV, with a row for each change: at most ${MAX_CSV_ACTS} acts.`,
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
