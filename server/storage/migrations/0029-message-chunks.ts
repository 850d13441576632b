/**
 * What was computed from all messages after each start, in rows: where the messages of a chunk are
 * (queries/message-index.ts), how many there are, and in which chunks a user has nothing unread (queries/read-chunks.ts).
 */
export const sql = `
-- Of 4,096 messages: four numbers for each. Not in the log; a row that is missing is made again.
CREATE TABLE message_chunks (
  chunk INTEGER PRIMARY KEY,
  places BLOB NOT NULL
) STRICT;

CREATE TABLE message_counts (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  messages INTEGER NOT NULL,
  notices INTEGER NOT NULL -- sent by the server's own bots
) STRICT;
INSERT INTO message_counts (id, messages, notices) SELECT 1,
  (SELECT COUNT(*) FROM messages),
  (SELECT COUNT(*) FROM messages WHERE sender_id IN (SELECT id FROM users WHERE system_bot IS NOT NULL));

CREATE TRIGGER message_sent AFTER INSERT ON messages BEGIN
  UPDATE message_counts SET messages = messages + 1,
    notices = notices + (SELECT system_bot IS NOT NULL FROM users WHERE id = NEW.sender_id);
END;
CREATE TRIGGER message_deleted AFTER DELETE ON messages BEGIN
  UPDATE message_counts SET messages = messages - 1,
    notices = notices - (SELECT system_bot IS NOT NULL FROM users WHERE id = OLD.sender_id);
  DELETE FROM message_chunks WHERE chunk = OLD.id / 4096;
END;
CREATE TRIGGER message_moved AFTER UPDATE OF channel_id, recipient_id, topic_id ON messages BEGIN
  DELETE FROM message_chunks WHERE chunk = OLD.id / 4096;
END;

-- A bit for each chunk in which the user has nothing unread, and nothing is written any more.
CREATE TABLE read_chunks (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  bits BLOB NOT NULL
) STRICT;
`;
