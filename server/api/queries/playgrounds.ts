import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";

/** Unicode code points. */
export const MAX_PLAYGROUND_NAME_LENGTH = 40;
export const MAX_PLAYGROUND_LANGUAGE_LENGTH = 40;
export const MAX_PLAYGROUND_TEMPLATE_LENGTH = 1000;
/** Of one organization. */
export const MAX_PLAYGROUNDS = 100;

/** A site that runs code of one language: docs/protocol.md#playgrounds. */
export const wirePlayground = z.object({
  id: z.int(),
  name: z.string(),
  pygments_language: z.string().describe("As `data-code-language` of a block of code."),
  url_template: z.string().describe("An RFC 6570 template with the variable `code`."),
});
export type WirePlayground = z.output<typeof wirePlayground>;

/** In the order in which they were added. Not to be changed by the caller. */
export const playgrounds = (reader: Reader): readonly WirePlayground[] =>
  reader.derived("playgrounds", ["playgrounds"], (rows) =>
    rows.all<WirePlayground>("SELECT id, name, pygments_language, url_template FROM playgrounds ORDER BY id"),
  );
