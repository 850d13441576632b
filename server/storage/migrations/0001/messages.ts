/** Messages, what belongs to them, read state and the search index. */
export const sql = `
-- A channel, or the set of people in a direct conversation: what recipient_id on the wire names.
CREATE TABLE recipients (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_key TEXT UNIQUE -- ascending user ids joined by commas; null for a channel
) STRICT;

CREATE TABLE conversation_members (
  user_id INTEGER NOT NULL REFERENCES users (id),
  recipient_id INTEGER NOT NULL REFERENCES recipients (id),
  PRIMARY KEY (user_id, recipient_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sender_id INTEGER NOT NULL REFERENCES users (id),
  recipient_id INTEGER NOT NULL REFERENCES recipients (id), -- where it is now
  sent_channel_id INTEGER REFERENCES channels (id),          -- where it was sent; never changes; null: direct
  channel_id INTEGER REFERENCES channels (id),               -- where it is now; null: direct
  topic_id INTEGER REFERENCES topics (id),
  topic TEXT NOT NULL,
  content TEXT NOT NULL,
  rendered_content TEXT NOT NULL,
  renderer_version INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  client TEXT NOT NULL,
  last_edited_at INTEGER,
  last_moved_at INTEGER,
  holds INTEGER NOT NULL DEFAULT 0 -- bits: 1 link, 2 image, 4 attachment, 8 mention by name
) STRICT;
CREATE INDEX messages_by_topic ON messages (topic_id) WHERE topic_id IS NOT NULL;
CREATE INDEX messages_by_recipient ON messages (recipient_id);
CREATE INDEX messages_by_sender ON messages (sender_id);
CREATE INDEX messages_with_link ON messages (id) WHERE holds & 1;
CREATE INDEX messages_with_image ON messages (id) WHERE holds & 2;
CREATE INDEX messages_with_attachment ON messages (id) WHERE holds & 4;
CREATE INDEX messages_with_mention ON messages (id) WHERE holds & 8;
CREATE UNIQUE INDEX message_places ON messages (id, sender_id, sent_channel_id, channel_id, recipient_id, topic_id);

-- What was before; null where that part did not change.
CREATE TABLE message_edits (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL REFERENCES messages (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  edited_at INTEGER NOT NULL,
  prev_content TEXT,
  prev_rendered_content TEXT,
  prev_topic TEXT,
  topic TEXT,
  prev_channel_id INTEGER REFERENCES channels (id),
  channel_id INTEGER REFERENCES channels (id),
  CHECK ((prev_content IS NULL) = (prev_rendered_content IS NULL)),
  CHECK ((prev_topic IS NULL) = (topic IS NULL)),
  CHECK ((prev_channel_id IS NULL) = (channel_id IS NULL)),
  CHECK (prev_content IS NOT NULL OR prev_topic IS NOT NULL OR prev_channel_id IS NOT NULL)
) STRICT;
CREATE INDEX message_edits_by_message ON message_edits (message_id);

-- Where deleted messages were sent: the highest id that came to somebody does not go down when its message goes.
CREATE TABLE deleted_messages (
  id INTEGER PRIMARY KEY,
  sent_channel_id INTEGER,
  recipient_id INTEGER NOT NULL
) STRICT;
CREATE INDEX deleted_messages_by_recipient ON deleted_messages (recipient_id);
CREATE INDEX deleted_messages_by_channel ON deleted_messages (sent_channel_id, id);

-- Bits: 1 starred, 2 mentioned, 4 stream_wildcard_mentioned, 8 topic_wildcard_mentioned, 16 collapsed,
-- 32 has_alert_word, 64 historical. A row only where a bit is set.
CREATE TABLE message_flags (
  user_id INTEGER NOT NULL REFERENCES users (id),
  message_id INTEGER NOT NULL,
  flags INTEGER NOT NULL CHECK (flags > 0),
  PRIMARY KEY (user_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_flags_by_message ON message_flags (message_id);

-- zulip_extra_emoji and service_extra_emoji are two names of one type, and kept as they were sent.
CREATE TABLE reactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL REFERENCES messages (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  emoji_name TEXT NOT NULL,
  emoji_code TEXT NOT NULL,
  reaction_type TEXT NOT NULL
    CHECK (reaction_type IN ('unicode_emoji', 'realm_emoji', 'zulip_extra_emoji', 'service_extra_emoji')),
  UNIQUE (message_id, reaction_type, emoji_code, user_id)
) STRICT;

CREATE TABLE submessages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL REFERENCES messages (id),
  sender_id INTEGER NOT NULL REFERENCES users (id),
  msg_type TEXT NOT NULL,
  content TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX submessages_by_message ON submessages (message_id);

-- Read state as its difference from the default (received: unread; else read). Bit n of chunk c is
-- message c * 4096 + n; 512 bytes; no row where nothing differs.
CREATE TABLE read_differences (
  user_id INTEGER NOT NULL REFERENCES users (id),
  chunk INTEGER NOT NULL,
  bits BLOB NOT NULL CHECK (length(bits) = 512),
  PRIMARY KEY (user_id, chunk)
) STRICT, WITHOUT ROWID;

-- A bit for each chunk in which the user has nothing unread, and nothing is written any more.
CREATE TABLE read_chunks (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  bits BLOB NOT NULL
) STRICT;

-- Of 4,096 messages: four numbers for each. Not in the log; a row that is missing is made again.
CREATE TABLE message_chunks (
  chunk INTEGER PRIMARY KEY,
  places BLOB NOT NULL
) STRICT;

CREATE TABLE message_counts (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  messages INTEGER NOT NULL,
  notices INTEGER NOT NULL -- sent by the server's own bots
) STRICT;
INSERT INTO message_counts (id, messages, notices) VALUES (1, 0, 0);

-- Words as markdown/matches.ts folds them, with blanks between: "simple" takes them as they are, whatever their
-- script, where unicode61 knows the letters of its year only. Unlogged, like the next one.
CREATE VIRTUAL TABLE message_search USING fts4 (body, topic, content="", matchinfo=fts3, order=desc, tokenize=simple);

-- How far the index goes. No row: it is empty.
CREATE TABLE message_search_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  message_id INTEGER NOT NULL, -- messages up to this one are in it
  edit_id INTEGER NOT NULL,    -- and edits and moves up to this one
  documents INTEGER NOT NULL,  -- ever put in: more than there are messages, where some were edited or deleted since
  version INTEGER NOT NULL     -- of the words
) STRICT;

CREATE TRIGGER message_sent AFTER INSERT ON messages BEGIN
  UPDATE message_counts SET messages = messages + 1,
    notices = notices + (SELECT system_bot IS NOT NULL FROM users WHERE id = NEW.sender_id);
END;

CREATE TRIGGER message_deleted AFTER DELETE ON messages BEGIN
  UPDATE message_counts SET messages = messages - 1,
    notices = notices - (SELECT system_bot IS NOT NULL FROM users WHERE id = OLD.sender_id);
  DELETE FROM message_chunks WHERE chunk = OLD.id / 4096;
END;

CREATE TRIGGER message_moved AFTER UPDATE OF channel_id, recipient_id, topic_id, sender_id ON messages BEGIN
  DELETE FROM message_chunks WHERE chunk = OLD.id / 4096;
END;
`;
