/** Earlier versions of edited messages, and deleted messages. Never edited after it has shipped. */
export const sql = `
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
`;
