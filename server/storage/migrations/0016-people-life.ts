/** Profile fields, statuses, presence, muted users, alert words. */
export const sql = `
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
`;
