import { integer } from "../../http/params.ts";

/** Which part of a webhook log is read. */
export const logSpan = {
  since: integer({ min: 0 }).optional().describe("Milliseconds since the epoch."),
  until: integer({ min: 0 }).optional().describe("Milliseconds since the epoch."),
  before: integer({ min: 1 }).optional().describe("Only entries older than this id."),
  limit: integer({ min: 1, max: 1000 }).default(100),
};

/** Of rows that were read with one more than the limit: those to answer, and whether there are more. */
export const pageOf = <T>(found: readonly T[], limit: number): { page: T[]; has_more: boolean } => ({
  page: found.slice(0, limit),
  has_more: found.length > limit,
});
