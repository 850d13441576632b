/** Who is signed in at the pages of a headless server. Never edited after it has shipped. */
export const sql = `
CREATE TABLE sessions (
  digest TEXT PRIMARY KEY, -- SHA-256 of the cookie's token: a copied database signs nobody in
  user_id INTEGER NOT NULL REFERENCES users (id),
  key_generation INTEGER NOT NULL, -- void when the user's own has gone up
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
`;
