import type { Reader } from "../../storage/transaction.ts";

/** Unicode code points. */
export const MAX_PLAYGROUND_NAME_LENGTH = 100;
export const MAX_PLAYGROUND_LANGUAGE_LENGTH = 40;
export const MAX_PLAYGROUND_TEMPLATE_LENGTH = 1000;
/** Per organization. */
export const MAX_PLAYGROUNDS = 100;

/** A site that runs code in one language. */
export interface Playground {
  id: number;
  name: string;
  pygments_language: string;
  url_template: string;
}

/** In the order of creation. Callers must not modify the result. */
export const playgrounds = (reader: Reader): readonly Playground[] =>
  reader.derived("playgrounds", ["playgrounds"], (rows) =>
    rows.all<Playground>("SELECT id, name, pygments_language, url_template FROM playgrounds ORDER BY id"),
  );
