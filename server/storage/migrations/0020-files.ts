/** What the data folder's uploads/ holds (docs/architecture.md#files), and what people have uploaded. */
export const sql = `
CREATE TABLE files (
  name TEXT PRIMARY KEY, -- of the file, random
  kind TEXT NOT NULL,    -- the folder in uploads/
  size INTEGER NOT NULL, -- bytes
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE attachments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  file TEXT NOT NULL UNIQUE REFERENCES files (name),
  token TEXT NOT NULL UNIQUE, -- the unguessable part of its address
  name TEXT NOT NULL,         -- as its owner calls it
  content_type TEXT NOT NULL, -- told from its bytes
  size INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  unclaimed_since INTEGER     -- null while a message holds it
) STRICT;
CREATE INDEX attachments_by_user ON attachments (user_id, id);
CREATE INDEX attachments_unclaimed ON attachments (unclaimed_since) WHERE unclaimed_since IS NOT NULL;

-- Which messages hold which files: who may read one of them may read the file.
CREATE TABLE message_attachments (
  attachment_id INTEGER NOT NULL REFERENCES attachments (id),
  message_id INTEGER NOT NULL REFERENCES messages (id),
  PRIMARY KEY (attachment_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_attachments_by_message ON message_attachments (message_id);
`;
