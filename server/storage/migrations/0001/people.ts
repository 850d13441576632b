/** People: accounts, sessions, groups, invitations, profiles and personal records. */
export const sql = `
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
  joined_at INTEGER NOT NULL,
  system_bot TEXT CHECK (system_bot IS NULL OR (is_bot = 1 AND bot_owner_id IS NULL)),
  avatar TEXT REFERENCES files (name), -- null: the generated picture
  is_imported_stub INTEGER NOT NULL DEFAULT 0 CHECK (is_imported_stub IN (0, 1)) -- until the person claims it
) STRICT;
CREATE UNIQUE INDEX users_by_system_bot ON users (system_bot) WHERE system_bot IS NOT NULL;

-- Only what differs from the defaults (docs/protocol.md#user-settings).
CREATE TABLE user_settings (
  user_id INTEGER NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;
-- Everybody who joins while a default differs has a row for it: one setting is read without the others.
CREATE INDEX user_settings_by_name ON user_settings (name, user_id, value);

CREATE TABLE user_activity (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  first_at INTEGER NOT NULL, -- when it was first noted
  active_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE full_members_told (id INTEGER PRIMARY KEY CHECK (id = 1), until INTEGER NOT NULL) STRICT;

CREATE TABLE sessions (
  digest TEXT PRIMARY KEY, -- SHA-256 of the cookie's token: a copied database signs nobody in
  user_id INTEGER NOT NULL REFERENCES users (id),
  key_generation INTEGER NOT NULL, -- void when the user's own has gone up
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  user_agent TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE sign_in_links (
  user_id INTEGER NOT NULL REFERENCES users (id),
  by_mail INTEGER NOT NULL CHECK (by_mail IN (0, 1)), -- requested by the user: it replaces no administrator's link
  digest TEXT NOT NULL UNIQUE, -- SHA-256 of the link's token: a copied database opens nothing
  key_generation INTEGER NOT NULL, -- void when the user's own has gone up
  made_by INTEGER NOT NULL REFERENCES users (id), -- void when they may not make it any more
  made_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, by_mail) -- a newer link takes the older one's place
) STRICT;
CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at);

CREATE TABLE sign_in_addresses (
  user_id INTEGER NOT NULL REFERENCES users (id),
  address TEXT NOT NULL,
  last_at INTEGER NOT NULL, -- to the day
  PRIMARY KEY (user_id, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_addresses_by_time ON sign_in_addresses (last_at);

-- Of devices that asked for push notifications. No endpoint returns them.
CREATE TABLE push_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL CHECK (kind IN ('apns', 'fcm')),
  token TEXT NOT NULL,
  app_id TEXT, -- of Apple devices
  UNIQUE (user_id, kind, token)
) STRICT;

-- The person's ntfy topic follows from secret.key and the generation: a copied database names no topic.
CREATE TABLE ntfy_topics (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  generation INTEGER NOT NULL, -- a revocation increments it
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

-- Browsers that asked for Web Push.
CREATE TABLE web_push_subscriptions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  endpoint TEXT NOT NULL UNIQUE, -- the push service's URL
  p256dh TEXT NOT NULL, -- the browser's keys, in base64url
  auth TEXT NOT NULL,
  server_key TEXT NOT NULL, -- the server's public key that the push service accepts for it
  origin TEXT NOT NULL, -- this server's URL in the browser
  session TEXT, -- the digest of the browser's session, which may have expired; null: an API key
  user_agent TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  sent_id INTEGER NOT NULL, -- the newest notification that it has
  failure INTEGER -- the HTTP status of the last attempt if it failed; 0: no connection
) STRICT;
CREATE INDEX web_push_subscriptions_by_user ON web_push_subscriptions (user_id);

-- For the devices above, in order. Each device reads from its own position.
CREATE TABLE notifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL CHECK (kind IN ('message', 'clear', 'test')), -- clear: the message was read or deleted
  message_id INTEGER, -- null for tests; the message can be deleted later
  trigger TEXT, -- the reason: notifications/decision.ts
  device TEXT CHECK (device IN ('ntfy', 'web_push')), -- null: all
  created_at INTEGER NOT NULL,
  CHECK ((kind = 'test') = (message_id IS NULL)),
  CHECK ((kind = 'message') = (trigger IS NOT NULL))
) STRICT;
CREATE INDEX notifications_by_user ON notifications (user_id, id);
CREATE INDEX notifications_by_message ON notifications (message_id);

-- Notifications that wait until the person is away, or until quiet hours end.
CREATE TABLE waiting_notifications (
  user_id INTEGER NOT NULL REFERENCES users (id),
  message_id INTEGER NOT NULL,
  trigger TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX waiting_notifications_by_time ON waiting_notifications (due_at);

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
  can_remove_members_group TEXT NOT NULL,
  name_key TEXT
) STRICT;
CREATE UNIQUE INDEX user_groups_by_name_key ON user_groups (name_key);

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

CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  digest TEXT NOT NULL UNIQUE, -- SHA-256 of the link's token, which is not kept
  seed TEXT NOT NULL, -- with secret.key it gives the token again: a copied database opens nothing
  inviter_id INTEGER NOT NULL REFERENCES users (id),
  role INTEGER NOT NULL CHECK (role IN (100, 200, 300, 400, 600)),
  email TEXT, -- whom it is for, who uses it up; null: whoever has the link, as often as they like
  email_key TEXT CHECK ((email IS NULL) = (email_key IS NULL)),
  stub_id INTEGER UNIQUE REFERENCES users (id), -- the imported account that its link activates; null: a new account
  made_at INTEGER NOT NULL,
  expires_at INTEGER, -- null: never
  default_channels INTEGER NOT NULL CHECK (default_channels IN (0, 1)),
  welcome_text TEXT, -- null: as the organization says; empty: none
  tells_inviter INTEGER NOT NULL CHECK (tells_inviter IN (0, 1)),
  CHECK (stub_id IS NULL OR email IS NULL)
) STRICT;
CREATE INDEX invitations_by_inviter ON invitations (inviter_id);
CREATE INDEX invitations_by_email ON invitations (email_key) WHERE email_key IS NOT NULL;
CREATE INDEX invitations_by_expiry ON invitations (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE invitation_channels (
  invitation_id INTEGER NOT NULL REFERENCES invitations (id) ON DELETE CASCADE,
  channel_id INTEGER NOT NULL REFERENCES channels (id),
  PRIMARY KEY (invitation_id, channel_id)
) STRICT;

CREATE TABLE invitation_groups (
  invitation_id INTEGER NOT NULL REFERENCES invitations (id) ON DELETE CASCADE,
  group_id INTEGER NOT NULL REFERENCES user_groups (id),
  PRIMARY KEY (invitation_id, group_id)
) STRICT;

-- When addresses were invited, for the limit of a day: revoking an invitation does not give it back.
CREATE TABLE invited_addresses (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL) STRICT;
CREATE INDEX invited_addresses_by_time ON invited_addresses (at);

CREATE TABLE profile_fields (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type INTEGER NOT NULL CHECK (type BETWEEN 1 AND 8),
  name TEXT NOT NULL CHECK (length(name) > 0),
  name_key TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  field_data TEXT NOT NULL, -- JSON; empty where the type has none
  position INTEGER NOT NULL,
  display_in_profile_summary INTEGER NOT NULL CHECK (display_in_profile_summary IN (0, 1)),
  required INTEGER NOT NULL CHECK (required IN (0, 1)),
  editable_by_user INTEGER NOT NULL CHECK (editable_by_user IN (0, 1)),
  use_for_user_matching INTEGER NOT NULL CHECK (use_for_user_matching IN (0, 1))
) STRICT;

CREATE TABLE profile_values (
  user_id INTEGER NOT NULL REFERENCES users (id),
  field_id INTEGER NOT NULL REFERENCES profile_fields (id),
  value TEXT NOT NULL CHECK (length(value) > 0),
  rendered_value TEXT, -- null where the field's type is no Markdown
  PRIMARY KEY (user_id, field_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX profile_values_by_field ON profile_values (field_id, user_id);

-- A row only where there is a text or an emoji; the three fields of an emoji are all set or all empty.
CREATE TABLE user_statuses (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  status_text TEXT NOT NULL,
  emoji_name TEXT NOT NULL,
  emoji_code TEXT NOT NULL,
  reaction_type TEXT NOT NULL
) STRICT;

-- As it was when it was last written: what is newer is in memory.
CREATE TABLE presences (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  active_at INTEGER, -- null: never
  seen_at INTEGER NOT NULL,
  update_id INTEGER NOT NULL
) STRICT;

CREATE TABLE muted_users (
  user_id INTEGER NOT NULL REFERENCES users (id),
  muted_user_id INTEGER NOT NULL REFERENCES users (id),
  muted_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, muted_user_id),
  CHECK (user_id <> muted_user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE alert_words (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  word TEXT NOT NULL CHECK (length(word) > 0),
  word_key TEXT NOT NULL, -- in lower case
  UNIQUE (user_id, word_key)
) STRICT;

CREATE TABLE navigation_views (
  user_id INTEGER NOT NULL REFERENCES users (id),
  fragment TEXT NOT NULL CHECK (length(fragment) > 0),
  name TEXT, -- null for the views that every client has
  is_pinned INTEGER NOT NULL CHECK (is_pinned IN (0, 1)),
  PRIMARY KEY (user_id, fragment),
  UNIQUE (user_id, name)
) STRICT, WITHOUT ROWID;

-- What somebody has been shown once and need not be shown again.
CREATE TABLE onboarding_steps (
  user_id INTEGER NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;

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
  note TEXT NOT NULL, -- the owner's; empty: none
  content TEXT NOT NULL,
  rendered_content TEXT NOT NULL,
  renderer_version INTEGER NOT NULL,
  deliver_at INTEGER NOT NULL,
  failure TEXT
) STRICT;
CREATE INDEX reminders_by_user ON reminders (user_id, deliver_at);
CREATE INDEX reminders_due ON reminders (deliver_at) WHERE failure IS NULL;
CREATE INDEX reminders_by_message ON reminders (message_id);
`;
