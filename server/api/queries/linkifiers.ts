import type { Reader } from "../../storage/transaction.ts";

/** A pattern whose matches in texts become links. */
export interface Linkifier {
  pattern: string;
  url_template: string;
  id: number;
}

/** In the order of precedence. Not to be changed by the caller. */
export const linkifiers = (reader: Reader): readonly Linkifier[] =>
  reader.derived("linkifiers", ["linkifiers"], (rows) =>
    rows.all<Linkifier>("SELECT pattern, url_template, id FROM linkifiers ORDER BY position, id"),
  );
