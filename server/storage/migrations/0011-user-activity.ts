/** The day on which each user was last active. */
export const sql = `
CREATE TABLE user_activity (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  first_at INTEGER NOT NULL, -- when it was first noted
  active_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
