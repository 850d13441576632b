/** What was taken out of the organization, or is being taken: a row for each export, and a file for each that is there. */
export const sql = `
CREATE TABLE exports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type INTEGER NOT NULL CHECK (type IN (1, 2)), -- 1: public, 2: also what people agreed to
  acting_user_id INTEGER NOT NULL REFERENCES users (id),
  requested_at INTEGER NOT NULL,
  finished_at INTEGER,
  failed_at INTEGER,
  failure TEXT, -- in words
  deleted_at INTEGER, -- its file is gone
  bytes INTEGER, -- of the file
  people INTEGER,
  channels INTEGER,
  messages INTEGER,
  files INTEGER
) STRICT;
`;
