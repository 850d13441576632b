/** Uploads that are pictures, and what is made from them: docs/architecture.md#pictures. */
export const sql = `
CREATE TABLE pictures (
  attachment_id INTEGER PRIMARY KEY REFERENCES attachments (id),
  format TEXT NOT NULL, -- as it was told from the first bytes: jpeg, png …
  width INTEGER,        -- in pixels, as it is looked at; null: not measured yet
  height INTEGER,
  frames INTEGER NOT NULL DEFAULT 1,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'ready', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0 -- begun, to make its thumbnails
) STRICT;
CREATE INDEX pictures_waiting ON pictures (attachment_id) WHERE state = 'waiting';

CREATE TABLE thumbnails (
  attachment_id INTEGER NOT NULL REFERENCES pictures (attachment_id),
  name TEXT NOT NULL, -- of its format, as in addresses
  file TEXT NOT NULL UNIQUE REFERENCES files (name),
  PRIMARY KEY (attachment_id, name)
) STRICT, WITHOUT ROWID;

-- Messages whose HTML, or that of an earlier text of theirs, holds a placeholder.
CREATE TABLE messages_awaiting_pictures (
  attachment_id INTEGER NOT NULL REFERENCES pictures (attachment_id),
  message_id INTEGER NOT NULL REFERENCES messages (id),
  PRIMARY KEY (attachment_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_awaiting_pictures_by_message ON messages_awaiting_pictures (message_id);
`;
