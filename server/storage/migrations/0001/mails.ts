/** Mails by SMTP. A row leaves when its mail was accepted or given up. The conventions of organization.ts apply. */
export const sql = `
-- Sealed by secret.key, and bound to the server and user of the setting SMTP.
CREATE TABLE smtp_password (id INTEGER PRIMARY KEY CHECK (id = 1), sealed TEXT NOT NULL) STRICT;

-- Messages that wait for the next mail to their receiver.
CREATE TABLE missed_mails (
  user_id INTEGER NOT NULL REFERENCES users (id),
  message_id INTEGER NOT NULL, -- the message can be deleted later
  trigger TEXT NOT NULL, -- the reason: notifications/decision.ts
  due_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX missed_mails_by_time ON missed_mails (due_at);

-- What a mail is about. Its text and its links are made when it is sent: a copied database opens nothing.
CREATE TABLE mails (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('missed', 'reset', 'invitation', 'sign_in')),
  user_id INTEGER REFERENCES users (id), -- null for resets and invitations
  invitation_id INTEGER, -- the invitation can be revoked
  address_key TEXT, -- of a reset; the address may have no account
  facts TEXT NOT NULL, -- JSON, by kind
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  CHECK ((user_id IS NULL) = (kind IN ('reset', 'invitation'))),
  CHECK ((address_key IS NULL) = (kind <> 'reset')),
  CHECK ((invitation_id IS NULL) = (kind <> 'invitation'))
) STRICT;
CREATE INDEX mails_by_time ON mails (due_at, id);
CREATE INDEX mails_by_user ON mails (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX mails_by_address ON mails (address_key) WHERE address_key IS NOT NULL;
CREATE INDEX mails_by_invitation ON mails (invitation_id) WHERE invitation_id IS NOT NULL;

-- Addresses that the mail server refused permanently. A row counts while the user has this address.
CREATE TABLE failing_addresses (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  email TEXT NOT NULL,
  response TEXT NOT NULL, -- of the mail server
  failed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE mail_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_sent_at INTEGER,
  last_failure_at INTEGER,
  last_failure TEXT, -- JSON: errors.ts
  given_up INTEGER NOT NULL -- mails, since the settings changed
) STRICT;
`;
