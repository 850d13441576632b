/** Channels, folders, subscriptions and topics. */
export const sql = `
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

CREATE TABLE archived_channels_unread (
  channel_id INTEGER PRIMARY KEY REFERENCES channels (id),
  after_user_id INTEGER NOT NULL
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
CREATE INDEX subscriptions_that_notify ON subscriptions (channel_id, user_id)
  WHERE push_notifications = 1 OR email_notifications = 1;

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

-- Kept by name, not by the topic's number: a topic without messages can be muted too. No row: as the channel.
CREATE TABLE user_topics (
  user_id INTEGER NOT NULL REFERENCES users (id),
  channel_id INTEGER NOT NULL REFERENCES channels (id),
  name_key TEXT NOT NULL,
  topic TEXT NOT NULL,
  policy INTEGER NOT NULL CHECK (policy IN (1, 2, 3)), -- 1 muted, 2 unmuted, 3 followed
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, channel_id, name_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_topics_by_topic ON user_topics (channel_id, name_key);
`;
