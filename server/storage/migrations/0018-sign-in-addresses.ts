/** Where somebody has signed in from: others' guesses of their password do not hold them up there. */
export const sql = `
CREATE TABLE sign_in_addresses (
  user_id INTEGER NOT NULL REFERENCES users (id),
  address TEXT NOT NULL,
  last_at INTEGER NOT NULL, -- to the day
  PRIMARY KEY (user_id, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_addresses_by_time ON sign_in_addresses (last_at);
`;
