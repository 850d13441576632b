/**
 * The organization, its settings, and what is kept for everyone.
 *
 * Tables are STRICT. Ids that leave the process are AUTOINCREMENT. Times are milliseconds since the epoch. `*_key` columns
 * have the folded text by which names are compared. Group settings (`can_*_group`) are JSON: a group id, or
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

-- Settings of the server itself: the operator's, not the organization's.
CREATE TABLE host_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE organization_domains (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  domain TEXT NOT NULL UNIQUE CHECK (length(domain) > 0), -- lower case
  allow_subdomains INTEGER NOT NULL CHECK (allow_subdomains IN (0, 1))
) STRICT;

-- A row for each picture that was ever changed.
CREATE TABLE organization_pictures (
  name TEXT PRIMARY KEY CHECK (name IN ('icon', 'logo', 'night_logo')),
  version INTEGER NOT NULL,
  file TEXT REFERENCES files (name) -- null: the generated picture
) STRICT, WITHOUT ROWID;

-- Only what differs from the defaults (docs/protocol.md#user-settings); values are JSON.
CREATE TABLE user_setting_defaults (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE linkifiers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pattern TEXT NOT NULL UNIQUE CHECK (length(pattern) > 0),
  url_template TEXT NOT NULL,
  example_input TEXT,
  reverse_template TEXT,
  alternative_url_templates TEXT NOT NULL, -- JSON
  position INTEGER NOT NULL -- of two that match at the same place, the one with the lower position counts
) STRICT;

CREATE TABLE playgrounds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) > 0),
  pygments_language TEXT NOT NULL CHECK (length(pygments_language) > 0),
  url_template TEXT NOT NULL,
  UNIQUE (pygments_language, name)
) STRICT;

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor_id INTEGER REFERENCES users (id),
  origin TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  before TEXT,
  after TEXT,
  first_id INTEGER REFERENCES audit (id) -- of the first entry that the same request made; null: this one
) STRICT;
CREATE INDEX audit_of_joining ON audit (id) WHERE action = 'join by invitation';
CREATE INDEX audit_by_act ON audit (first_id, id) WHERE first_id IS NOT NULL;

CREATE TABLE exports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type INTEGER NOT NULL CHECK (type IN (1, 2)), -- 1: public, 2: also what people agreed to
  acting_user_id INTEGER NOT NULL REFERENCES users (id),
  requested_at INTEGER NOT NULL,
  finished_at INTEGER,
  failed_at INTEGER,
  failure TEXT, -- in words
  deleted_at INTEGER, -- its file is gone
  bytes INTEGER, -- of the file
  people INTEGER,
  channels INTEGER,
  messages INTEGER,
  files INTEGER
) STRICT;

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
`;
