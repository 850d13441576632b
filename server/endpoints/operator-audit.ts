import { z } from "zod";
import { integer, oneOf, text } from "../http/params.ts";
import { AUDIT_ORIGINS, auditEntries, auditEntry } from "../queries/audit.ts";
import { endpoint } from "./endpoint.ts";

export const getHostAudit = endpoint({
  route: "GET /host/audit",
  summary: "Who changed what, newest first.",
  who: "operator or owner",
  bots: false,
  outsideApi: true,
  params: {
    before: integer({ min: 1 }).optional().describe("Only entries older than this id."),
    actor_id: integer({ min: 1 }).optional().describe("Only what this user did."),
    action: text().optional().describe("Only this, `change role` for one."),
    target: text().optional().describe("Only what was done to this: `user 12`."),
    origin: oneOf(...AUDIT_ORIGINS)
      .optional()
      .describe("Only what came this way."),
    since: integer({ min: 0 }).optional().describe("Milliseconds since the epoch: only entries from then on."),
    until: integer({ min: 0 }).optional().describe("Milliseconds since the epoch: only entries before then."),
    limit: integer({ min: 1, max: 200 }).default(50),
  },
  response: z.object({ entries: z.array(auditEntry), has_more: z.boolean() }),
  handle: ({ reader, params }) => {
    const { limit, ...filter } = params;
    const found = auditEntries(reader, limit + 1, filter);
    return { entries: found.slice(0, limit), has_more: found.length > limit };
  },
});
