/** Patterns whose matches in texts become links (docs/protocol.md#linkifiers). */
export const sql = `
CREATE TABLE linkifiers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pattern TEXT NOT NULL UNIQUE CHECK (length(pattern) > 0),
  url_template TEXT NOT NULL,
  position INTEGER NOT NULL -- of two that match at the same place, the one with the lower position counts
) STRICT;
`;
