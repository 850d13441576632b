/**
 * Uploads get a checksum, and the secrets of webhooks are sealed by secret.key. SQL cannot seal: secrets from before
 * become empty, which counts as unreadable, so that nothing is accepted or sent without them.
 */
export const sql = `
ALTER TABLE files ADD COLUMN sha256 TEXT; -- null: not computed yet
ALTER TABLE files ADD COLUMN damaged_at INTEGER; -- since when its contents are missing or others than were received
CREATE INDEX files_damaged ON files (name) WHERE damaged_at IS NOT NULL;

UPDATE bots SET webhook_secret = '' WHERE webhook_secret IS NOT NULL;
UPDATE bot_services SET token = '', secret = '';
`;
