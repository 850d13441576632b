/** Drafts, saved snippets, scheduled messages and reminders. Never edited after it has shipped. */
export const sql = `
CREATE TABLE drafts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  type TEXT NOT NULL CHECK (type IN ('', 'stream', 'private')),
  recipients TEXT NOT NULL, -- JSON: a channel's id, or users' ids
  topic TEXT NOT NULL,
  content TEXT NOT NULL CHECK (content <> ''),
  edited_at INTEGER NOT NULL -- whole seconds, in milliseconds
) STRICT;
CREATE INDEX drafts_by_user ON drafts (user_id, edited_at);

CREATE TABLE saved_snippets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  title TEXT NOT NULL CHECK (title <> ''),
  content TEXT NOT NULL CHECK (content <> ''),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX saved_snippets_by_user ON saved_snippets (user_id);

-- A row leaves in the transaction that sends its message.
CREATE TABLE scheduled_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sender_id INTEGER NOT NULL REFERENCES users (id),
  channel_id INTEGER REFERENCES channels (id),
  user_ids TEXT, -- JSON: all who take part in the conversation, the sender too
  topic TEXT NOT NULL,
  content TEXT NOT NULL,
  rendered_content TEXT NOT NULL,
  renderer_version INTEGER NOT NULL,
  client TEXT NOT NULL,
  base_url TEXT NOT NULL, -- this server as the sender addressed it: links in the text that start so are its own
  read_by_sender INTEGER NOT NULL CHECK (read_by_sender IN (0, 1)),
  deliver_at INTEGER NOT NULL,
  failure TEXT, -- why it could not be sent
  CHECK ((channel_id IS NULL) <> (user_ids IS NULL))
) STRICT;
CREATE INDEX scheduled_messages_by_sender ON scheduled_messages (sender_id, deliver_at);
CREATE INDEX scheduled_messages_due ON scheduled_messages (deliver_at) WHERE failure IS NULL;

CREATE TABLE reminders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  message_id INTEGER NOT NULL, -- which may be deleted meanwhile
  content TEXT NOT NULL,
  rendered_content TEXT NOT NULL,
  renderer_version INTEGER NOT NULL,
  deliver_at INTEGER NOT NULL,
  failure TEXT
) STRICT;
CREATE INDEX reminders_by_user ON reminders (user_id, deliver_at);
CREATE INDEX reminders_due ON reminders (deliver_at) WHERE failure IS NULL;
`;
