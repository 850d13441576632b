/** When people were last here, to the day. */
export const sql = `
CREATE TABLE user_activity (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  first_at INTEGER NOT NULL, -- when it was first noted
  active_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
