/** Links for setting a new password. Never edited after it has shipped. */
export const sql = `
CREATE TABLE sign_in_links (
  user_id INTEGER PRIMARY KEY REFERENCES users (id), -- a newer link takes the older one's place
  digest TEXT NOT NULL UNIQUE, -- SHA-256 of the link's token: a copied database opens nothing
  key_generation INTEGER NOT NULL, -- void when the user's own has gone up
  made_by INTEGER NOT NULL REFERENCES users (id), -- void when they may not make it any more
  made_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at);
`;
