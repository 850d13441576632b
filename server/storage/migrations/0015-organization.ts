/** Allowed domains of email addresses, and default settings for new users. */
export const sql = `
CREATE TABLE organization_domains (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  domain TEXT NOT NULL UNIQUE CHECK (length(domain) > 0), -- lower case
  allow_subdomains INTEGER NOT NULL CHECK (allow_subdomains IN (0, 1))
) STRICT;

-- Only what differs from the defaults (docs/protocol.md#user-settings); values are JSON.
CREATE TABLE user_setting_defaults (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Everybody who joins while a default differs has a row for it: one setting is read without the others.
CREATE INDEX user_settings_by_name ON user_settings (name, user_id, value);
`;
