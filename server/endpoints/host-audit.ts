import { z } from "zod";
import { integer } from "../http/params.ts";
import { auditEntries, auditEntry } from "../queries/audit.ts";
import { endpoint } from "./endpoint.ts";

export const getHostAudit = endpoint({
  route: "GET /host/audit",
  summary: "Who changed what, newest first.",
  who: "host or owner",
  bots: false,
  outsideApi: true,
  params: {
    before: integer({ min: 1 }).optional().describe("Only entries older than this id."),
    limit: integer({ min: 1, max: 200 }).default(50),
  },
  response: z.object({ entries: z.array(auditEntry), has_more: z.boolean() }),
  handle: ({ reader, params }) => {
    const found = auditEntries(reader, params.limit + 1, params.before);
    return { entries: found.slice(0, params.limit), has_more: found.length > params.limit };
  },
});
