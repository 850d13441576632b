import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";

/** A pattern whose matches in texts become links: docs/protocol.md#linkifiers. */
export const wireLinkifier = z.object({
  pattern: z.string().describe("A regular expression of RE2."),
  url_template: z.string().describe("An RFC 6570 template that uses the named groups of the pattern."),
  id: z.int(),
});
export type WireLinkifier = z.output<typeof wireLinkifier>;

/** In the order of precedence. Not to be changed by the caller. */
export const linkifiers = (reader: Reader): readonly WireLinkifier[] =>
  reader.derived("linkifiers", ["linkifiers"], (rows) =>
    rows.all<WireLinkifier>("SELECT pattern, url_template, id FROM linkifiers ORDER BY position, id"),
  );
