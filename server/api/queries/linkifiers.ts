import type { Reader } from "../../storage/transaction.ts";

/** A pattern that turns its matches in texts into links. */
export interface Linkifier {
  pattern: string;
  url_template: string;
  example_input: string | null;
  reverse_template: string | null;
  alternative_url_templates: string[];
  id: number;
}

/** In order of precedence. Callers must not modify the result. */
export const linkifiers = (reader: Reader): readonly Linkifier[] =>
  reader.derived("linkifiers", ["linkifiers"], (rows) =>
    rows
      .all<Linkifier & { alternative_url_templates: string }>(
        `SELECT pattern, url_template, example_input, reverse_template, alternative_url_templates, id
         FROM linkifiers ORDER BY position, id`,
      )
      .map((row) => ({ ...row, alternative_url_templates: JSON.parse(row.alternative_url_templates) })),
  );
