/**
 * The first schema. Never edited after it has shipped.
 *
 * Tables are STRICT; ids that leave the process are AUTOINCREMENT; times are milliseconds since the epoch;
 * `*_key` columns hold the folded text by which names are compared. Group settings (`can_*_group`) are JSON: a group id, or
 * `{"direct_members": [...], "direct_subgroups": [...]}`.
 */
export const sql = `
CREATE TABLE organization (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  name TEXT NOT NULL CHECK (length(name) > 0),
  created_at INTEGER NOT NULL
) STRICT;

-- Only what differs from the defaults (docs/protocol.md#organization-settings, docs/protocol.md#group-settings).
CREATE TABLE organization_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Settings of the server itself: the host's, not the organization's.
CREATE TABLE host_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  full_name TEXT NOT NULL,
  role INTEGER NOT NULL CHECK (role IN (100, 200, 300, 400, 600)),
  is_bot INTEGER NOT NULL DEFAULT 0 CHECK (is_bot IN (0, 1)),
  bot_type INTEGER CHECK (bot_type IN (1, 2, 3, 4)),
  bot_owner_id INTEGER REFERENCES users (id),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  timezone TEXT NOT NULL DEFAULT '',
  avatar_version INTEGER NOT NULL DEFAULT 1,
  key_generation INTEGER NOT NULL DEFAULT 1,
  password_hash TEXT,
  joined_at INTEGER NOT NULL
) STRICT;

-- Only what differs from the defaults (docs/protocol.md#user-settings).
CREATE TABLE user_settings (
  user_id INTEGER NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;

-- The eight system groups are rows too; who belongs to them follows from users.role.
CREATE TABLE user_groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL DEFAULT '',
  is_system_group INTEGER NOT NULL DEFAULT 0 CHECK (is_system_group IN (0, 1)),
  creator_id INTEGER REFERENCES users (id),
  created_at INTEGER,
  deactivated INTEGER NOT NULL DEFAULT 0 CHECK (deactivated IN (0, 1)),
  can_add_members_group TEXT NOT NULL,
  can_join_group TEXT NOT NULL,
  can_leave_group TEXT NOT NULL,
  can_manage_group TEXT NOT NULL,
  can_mention_group TEXT NOT NULL,
  can_remove_members_group TEXT NOT NULL
) STRICT;

CREATE TABLE user_group_members (
  group_id INTEGER NOT NULL REFERENCES user_groups (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  PRIMARY KEY (group_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_group_subgroups (
  group_id INTEGER NOT NULL REFERENCES user_groups (id),
  subgroup_id INTEGER NOT NULL REFERENCES user_groups (id),
  PRIMARY KEY (group_id, subgroup_id)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE channels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient_id INTEGER NOT NULL UNIQUE REFERENCES recipients (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL DEFAULT '',
  rendered_description TEXT NOT NULL DEFAULT '',
  creator_id INTEGER REFERENCES users (id),
  created_at INTEGER NOT NULL,
  is_archived INTEGER NOT NULL DEFAULT 0 CHECK (is_archived IN (0, 1)),
  invite_only INTEGER NOT NULL CHECK (invite_only IN (0, 1)),
  is_web_public INTEGER NOT NULL DEFAULT 0 CHECK (is_web_public IN (0, 1)),
  history_public_to_subscribers INTEGER NOT NULL CHECK (history_public_to_subscribers IN (0, 1)),
  message_retention_days INTEGER,
  topics_policy TEXT NOT NULL DEFAULT 'inherit',
  folder_id INTEGER,
  is_default INTEGER NOT NULL DEFAULT 0 CHECK (is_default IN (0, 1)),
  first_message_id INTEGER,
  can_add_subscribers_group TEXT NOT NULL,
  can_administer_channel_group TEXT NOT NULL,
  can_delete_any_message_group TEXT NOT NULL,
  can_delete_own_message_group TEXT NOT NULL,
  can_move_messages_out_of_channel_group TEXT NOT NULL,
  can_move_messages_within_channel_group TEXT NOT NULL,
  can_remove_subscribers_group TEXT NOT NULL,
  can_resolve_topics_group TEXT NOT NULL,
  can_send_message_group TEXT NOT NULL,
  can_subscribe_group TEXT NOT NULL
) STRICT;

-- A person's settings for a channel; kept after unsubscribing (subscribed = 0).
CREATE TABLE subscriptions (
  user_id INTEGER NOT NULL REFERENCES users (id),
  channel_id INTEGER NOT NULL REFERENCES channels (id),
  subscribed INTEGER NOT NULL CHECK (subscribed IN (0, 1)),
  color TEXT NOT NULL,
  is_muted INTEGER NOT NULL DEFAULT 0 CHECK (is_muted IN (0, 1)),
  pin_to_top INTEGER NOT NULL DEFAULT 0 CHECK (pin_to_top IN (0, 1)),
  desktop_notifications INTEGER,
  audible_notifications INTEGER,
  push_notifications INTEGER,
  email_notifications INTEGER,
  wildcard_mentions_notify INTEGER,
  PRIMARY KEY (user_id, channel_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX subscriptions_by_channel ON subscriptions (channel_id, subscribed, user_id);

-- Who received what: messages sent to the channel with first_message_id <= id <= last_message_id (open: null).
CREATE TABLE subscription_periods (
  user_id INTEGER NOT NULL REFERENCES users (id),
  channel_id INTEGER NOT NULL REFERENCES channels (id),
  first_message_id INTEGER NOT NULL,
  last_message_id INTEGER,
  PRIMARY KEY (user_id, channel_id, first_message_id)
) STRICT, WITHOUT ROWID;

-- Topics are fields of messages; this only gives each (channel, folded name) a small number.
CREATE TABLE topics (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  channel_id INTEGER NOT NULL REFERENCES channels (id),
  name_key TEXT NOT NULL,
  UNIQUE (channel_id, name_key)
) STRICT;

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
  last_moved_at INTEGER
) STRICT;
CREATE INDEX messages_by_topic ON messages (topic_id) WHERE topic_id IS NOT NULL;
CREATE INDEX messages_by_recipient ON messages (recipient_id);
CREATE INDEX messages_by_sender ON messages (sender_id);

-- Bits: 1 starred, 2 mentioned, 4 stream_wildcard_mentioned, 8 topic_wildcard_mentioned, 16 collapsed,
-- 32 has_alert_word, 64 historical. A row only where a bit is set.
CREATE TABLE message_flags (
  user_id INTEGER NOT NULL REFERENCES users (id),
  message_id INTEGER NOT NULL,
  flags INTEGER NOT NULL CHECK (flags > 0),
  PRIMARY KEY (user_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_flags_by_message ON message_flags (message_id);

-- Read state as its difference from the default (received: unread; else read). Bit n of chunk c is
-- message c * 4096 + n; 512 bytes; no row where nothing differs.
CREATE TABLE read_differences (
  user_id INTEGER NOT NULL REFERENCES users (id),
  chunk INTEGER NOT NULL,
  bits BLOB NOT NULL CHECK (length(bits) = 512),
  PRIMARY KEY (user_id, chunk)
) STRICT, WITHOUT ROWID;

CREATE TABLE event_queues (
  id TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  options TEXT NOT NULL,
  lifespan_seconds INTEGER NOT NULL,
  first_event_id INTEGER NOT NULL, -- the last event id given out before the queue began
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A send repeated by the same queue with the same local_id, target, topic and content within 10 minutes
-- is answered with the first message's id (docs/protocol.md#repeated-sends), after a crash too.
CREATE TABLE local_sends (
  queue_id TEXT NOT NULL,
  local_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  message_id INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  PRIMARY KEY (queue_id, local_id, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX local_sends_by_time ON local_sends (sent_at);

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor_id INTEGER REFERENCES users (id),
  origin TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  before TEXT,
  after TEXT
) STRICT;
`;
