/** Files on disk, uploads and pictures. */
export const sql = `
CREATE TABLE files (
  name TEXT PRIMARY KEY, -- of the file, random
  kind TEXT NOT NULL,    -- the folder in uploads/
  size INTEGER NOT NULL, -- bytes
  created_at INTEGER NOT NULL,
  sha256 TEXT, -- null: not computed yet
  damaged_at INTEGER -- since when its contents are missing or not as received
) STRICT, WITHOUT ROWID;
CREATE INDEX files_damaged ON files (name) WHERE damaged_at IS NOT NULL;

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

-- Every address at which a picture of somebody is or was, since clients may know an older one.
CREATE TABLE avatars (
  token TEXT PRIMARY KEY, -- stands in the address; while the picture is there, its file's name
  user_id INTEGER NOT NULL REFERENCES users (id),
  medium TEXT REFERENCES files (name) -- the larger one's file; null once the picture was replaced
) STRICT, WITHOUT ROWID;

-- The organization's own emoji; its id is what a reaction keeps as the code. A deactivated one stays for what names it.
CREATE TABLE custom_emoji (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- what reactions and statuses name it by
  name TEXT NOT NULL,
  author_id INTEGER REFERENCES users (id),
  file TEXT NOT NULL UNIQUE REFERENCES files (name), -- its name stands in the address
  extension TEXT NOT NULL,             -- tells the picture's format
  still TEXT REFERENCES files (name),  -- a picture that does not move; null where the other does not either
  deactivated INTEGER NOT NULL DEFAULT 0 CHECK (deactivated IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX custom_emoji_by_name ON custom_emoji (name) WHERE deactivated = 0;
`;
