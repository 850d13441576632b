import { integer } from "../http/params.ts";

/** Which part of a webhook log is read. */
export const logSpan = {
  since: integer({ min: 0 }).optional().describe("Milliseconds since the epoch."),
  until: integer({ min: 0 }).optional().describe("Milliseconds since the epoch."),
  before: integer({ min: 1 }).optional().describe("Only entries older than this id."),
  limit: integer({ min: 1, max: 1000 }).default(100),
};
