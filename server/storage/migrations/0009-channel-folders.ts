/** Channel folders, default channel groups, and settings for expired messages. Never edited after it has shipped. */
export const sql = `
CREATE TABLE channel_folders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (name <> ''),
  name_key TEXT NOT NULL,
  description TEXT NOT NULL,
  rendered_description TEXT NOT NULL,
  creator_id INTEGER REFERENCES users (id),
  created_at INTEGER NOT NULL,
  is_archived INTEGER NOT NULL DEFAULT 0 CHECK (is_archived IN (0, 1)),
  position INTEGER -- as administrators put them; null: by its id
) STRICT;
-- The name of an archived folder is free for others.
CREATE UNIQUE INDEX channel_folders_by_name ON channel_folders (name_key) WHERE is_archived = 0;

CREATE TABLE default_stream_groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (name <> ''),
  name_key TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL
) STRICT;

CREATE TABLE default_stream_group_channels (
  group_id INTEGER NOT NULL REFERENCES default_stream_groups (id),
  channel_id INTEGER NOT NULL REFERENCES channels (id),
  PRIMARY KEY (group_id, channel_id)
) STRICT, WITHOUT ROWID;

-- Which time the deletion of expired messages believes, in milliseconds since the epoch.
CREATE TABLE retention_clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  believed INTEGER NOT NULL,
  doubted INTEGER -- what the clock said when it had first jumped too far; null: it has not
) STRICT;

-- At this time, which was believed, no message had a higher id than this one: once a day.
CREATE TABLE retention_marks (
  at INTEGER PRIMARY KEY,
  last_message_id INTEGER NOT NULL
) STRICT;

CREATE INDEX deleted_messages_by_channel ON deleted_messages (sent_channel_id, id);
CREATE INDEX reminders_by_message ON reminders (message_id);
`;
