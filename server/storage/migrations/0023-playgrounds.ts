/** Sites that run code of a language, which clients open from a message (docs/protocol.md#playgrounds). */
export const sql = `
CREATE TABLE playgrounds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) > 0),
  pygments_language TEXT NOT NULL CHECK (length(pygments_language) > 0),
  url_template TEXT NOT NULL,
  UNIQUE (pygments_language, name)
) STRICT;
`;
