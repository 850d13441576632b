/** Uploads get a checksum. */
export const sql = `
ALTER TABLE files ADD COLUMN sha256 TEXT; -- null: not computed yet
ALTER TABLE files ADD COLUMN damaged_at INTEGER; -- since when its contents are missing or others than were received
CREATE INDEX files_damaged ON files (name) WHERE damaged_at IS NOT NULL;
`;
