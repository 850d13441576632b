/** Users' settings for single topics. Never edited after it has shipped. */
export const sql = `
-- Kept by name, not by the topic's number: a topic without messages can be muted too. No row: as the channel.
CREATE TABLE user_topics (
  user_id INTEGER NOT NULL REFERENCES users (id),
  channel_id INTEGER NOT NULL REFERENCES channels (id),
  name_key TEXT NOT NULL,
  topic TEXT NOT NULL,
  policy INTEGER NOT NULL CHECK (policy IN (1, 2, 3)), -- 1 muted, 2 unmuted, 3 followed
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, channel_id, name_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_topics_by_topic ON user_topics (channel_id, name_key);
`;
