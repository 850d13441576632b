/** Pictures that people upload: of themselves, of the organization, and of its emoji. */
export const sql = `
-- Every address at which a picture of somebody is or was, since clients may know an older one.
CREATE TABLE avatars (
  token TEXT PRIMARY KEY, -- stands in the address; while the picture is there, its file's name
  user_id INTEGER NOT NULL REFERENCES users (id),
  medium TEXT REFERENCES files (name) -- the larger one's file; null once the picture was replaced
) STRICT, WITHOUT ROWID;
ALTER TABLE users ADD COLUMN avatar TEXT REFERENCES files (name); -- null: the generated picture

-- A row for each picture that was ever changed.
CREATE TABLE organization_pictures (
  name TEXT PRIMARY KEY CHECK (name IN ('icon', 'logo', 'night_logo')),
  version INTEGER NOT NULL,
  file TEXT REFERENCES files (name) -- null: the generated picture
) STRICT, WITHOUT ROWID;

-- Nobody could add an emoji before, so nothing is lost.
DROP TABLE custom_emoji;
CREATE TABLE custom_emoji (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- what reactions and statuses name it by
  name TEXT NOT NULL,
  author_id INTEGER REFERENCES users (id),
  file TEXT NOT NULL UNIQUE REFERENCES files (name), -- its name stands in the address
  extension TEXT NOT NULL,             -- tells the picture's format
  still TEXT REFERENCES files (name),  -- a picture that does not move; null where the other does not either
  deactivated INTEGER NOT NULL DEFAULT 0 CHECK (deactivated IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX custom_emoji_by_name ON custom_emoji (name) WHERE deactivated = 0;
`;
