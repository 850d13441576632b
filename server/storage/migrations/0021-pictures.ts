/** Uploaded pictures, and what is made from them: docs/architecture.md#pictures. */
export const sql = `
CREATE TABLE pictures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL UNIQUE, -- of the upload: what follows /user_uploads/ in its address
  file_name TEXT NOT NULL REFERENCES files (name), -- the upload itself
  format TEXT NOT NULL,      -- as it was sniffed: jpeg, png …
  width INTEGER,             -- in pixels, as it is looked at; null: not measured yet
  height INTEGER,
  frames INTEGER NOT NULL DEFAULT 1,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'ready', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0 -- begun, to make its thumbnails
) STRICT;
CREATE INDEX pictures_waiting ON pictures (id) WHERE state = 'waiting';

CREATE TABLE thumbnails (
  picture_id INTEGER NOT NULL REFERENCES pictures (id),
  name TEXT NOT NULL, -- of its format, as in addresses
  file_name TEXT NOT NULL REFERENCES files (name),
  PRIMARY KEY (picture_id, name)
) STRICT, WITHOUT ROWID;

-- Messages whose HTML, or that of an earlier text of theirs, holds a placeholder.
CREATE TABLE messages_awaiting_pictures (
  picture_id INTEGER NOT NULL REFERENCES pictures (id),
  message_id INTEGER NOT NULL REFERENCES messages (id),
  PRIMARY KEY (picture_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_awaiting_pictures_by_message ON messages_awaiting_pictures (message_id);
`;
