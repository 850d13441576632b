/** Reactions to messages, the organization's own emoji, and what is attached to messages with a widget (polls, lists). */
export const sql = `
-- The organization's own emoji; its id is what a reaction keeps as the code. A deactivated one stays for what names it.
CREATE TABLE custom_emoji (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  author_id INTEGER REFERENCES users (id),
  deactivated INTEGER NOT NULL DEFAULT 0 CHECK (deactivated IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX custom_emoji_by_name ON custom_emoji (name) WHERE deactivated = 0;

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
`;
