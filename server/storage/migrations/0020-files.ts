/** What the data folder's uploads/ holds: docs/architecture.md#files. Whose a file is, the tables say that refer to it. */
export const sql = `
CREATE TABLE files (
  name TEXT PRIMARY KEY, -- of the file, random
  kind TEXT NOT NULL,    -- the folder in uploads/
  size INTEGER NOT NULL, -- bytes
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
