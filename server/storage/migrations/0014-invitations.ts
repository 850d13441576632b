/** Invitation links. Used and revoked ones have no row. Never edited after it has shipped. */
export const sql = `
CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  digest TEXT NOT NULL UNIQUE, -- SHA-256 of the link's token, which is not kept
  seed TEXT NOT NULL, -- with secret.key it gives the token again: a copied database opens nothing
  inviter_id INTEGER NOT NULL REFERENCES users (id),
  role INTEGER NOT NULL CHECK (role IN (100, 200, 300, 400, 600)),
  email TEXT, -- whom it is for, who uses it up; null: whoever has the link, as often as they like
  email_key TEXT CHECK ((email IS NULL) = (email_key IS NULL)),
  made_at INTEGER NOT NULL,
  expires_at INTEGER, -- null: never
  default_channels INTEGER NOT NULL CHECK (default_channels IN (0, 1)),
  welcome_text TEXT, -- null: as the organization says; empty: none
  tells_inviter INTEGER NOT NULL CHECK (tells_inviter IN (0, 1))
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
`;
