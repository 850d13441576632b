/** Case-insensitive unique names of groups, and the time up to which new full members were announced. */
export const sql = `
ALTER TABLE user_groups ADD COLUMN name_key TEXT;
UPDATE user_groups SET name_key = lower(name); -- system groups only: there was no way to make another
CREATE UNIQUE INDEX user_groups_by_name_key ON user_groups (name_key);

CREATE TABLE full_members_told (id INTEGER PRIMARY KEY CHECK (id = 1), until INTEGER NOT NULL) STRICT;
`;
