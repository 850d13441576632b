/** Imports from other chats, and the things that each has created. */
export const sql = `
CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  format TEXT NOT NULL,
  name TEXT NOT NULL, -- of the export's file
  started_by INTEGER REFERENCES users (id), -- null: the operator
  started_at INTEGER NOT NULL,
  finished_at INTEGER, -- null: running, or interrupted
  state TEXT NOT NULL CHECK (state IN ('writing', 'done', 'removing')),
  messages INTEGER NOT NULL DEFAULT 0, -- written so far
  last_reaction_id INTEGER, -- the highest id at the end; null until then
  counts TEXT NOT NULL -- JSON: the preview's counts
) STRICT;

-- is_new: 0 for an account that existed before.
CREATE TABLE import_people (
  import_id INTEGER NOT NULL REFERENCES imports (id),
  source_id TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id),
  is_new INTEGER NOT NULL CHECK (is_new IN (0, 1)),
  PRIMARY KEY (import_id, source_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_people_by_user ON import_people (user_id);

CREATE TABLE import_channels (
  import_id INTEGER NOT NULL REFERENCES imports (id),
  channel_id INTEGER NOT NULL REFERENCES channels (id),
  source_id TEXT NOT NULL,
  PRIMARY KEY (import_id, channel_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE import_conversations (
  import_id INTEGER NOT NULL REFERENCES imports (id),
  recipient_id INTEGER NOT NULL REFERENCES recipients (id),
  is_new INTEGER NOT NULL CHECK (is_new IN (0, 1)),
  PRIMARY KEY (import_id, recipient_id)
) STRICT, WITHOUT ROWID;

-- New custom emoji and channel folders.
CREATE TABLE import_emoji (
  import_id INTEGER NOT NULL REFERENCES imports (id),
  emoji_id INTEGER NOT NULL REFERENCES custom_emoji (id),
  PRIMARY KEY (import_id, emoji_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE import_folders (
  import_id INTEGER NOT NULL REFERENCES imports (id),
  folder_id INTEGER NOT NULL REFERENCES channel_folders (id),
  PRIMARY KEY (import_id, folder_id)
) STRICT, WITHOUT ROWID;

-- Merges of imported accounts into other accounts that are not complete.
CREATE TABLE merges (
  stub_id INTEGER PRIMARY KEY REFERENCES users (id),
  user_id INTEGER NOT NULL REFERENCES users (id), -- the account that gets the history
  started_by INTEGER NOT NULL REFERENCES users (id),
  started_at INTEGER NOT NULL,
  next_message_id INTEGER NOT NULL -- mentions in messages before this one are changed
) STRICT;

-- The ids of imported messages: everybody has read them, and their times do not ascend with the ids around them.
CREATE TABLE import_ranges (
  first_id INTEGER PRIMARY KEY,
  last_id INTEGER NOT NULL,
  import_id INTEGER NOT NULL REFERENCES imports (id),
  written_at INTEGER NOT NULL,
  CHECK (last_id >= first_id)
) STRICT;
CREATE INDEX import_ranges_by_import ON import_ranges (import_id, first_id);
`;
