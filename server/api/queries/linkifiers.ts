import type { Reader } from "../../storage/transaction.ts";

/** A pattern that turns its matches in texts into links. */
export interface Linkifier {
  pattern: string;
  url_template: string;
  id: number;
}

/** In order of precedence. Callers must not modify the result. */
export const linkifiers = (reader: Reader): readonly Linkifier[] =>
  reader.derived("linkifiers", ["linkifiers"], (rows) =>
    rows.all<Linkifier>("SELECT pattern, url_template, id FROM linkifiers ORDER BY position, id"),
  );
