/** Search: the index of words, and other properties of messages. Never edited after it has shipped. */
const IMAGE_ENDS = ["bmp", "gif", "jpg", "jpeg", "png", "webp", "avif", "heic", "heif", "tif", "tiff"];
const image = IMAGE_ENDS.flatMap((end) => [`.${end}"`, `.${end}?`, `.${end}#`])
  .map((end) => `rendered_content LIKE '% href="%${end}%'`)
  .join(" OR ");

export const sql = `
-- Bits: 1 link, 2 image, 4 attachment.
ALTER TABLE messages ADD COLUMN holds INTEGER NOT NULL DEFAULT 0;
-- Links to channels, topics and people are no links; links to messages are.
UPDATE messages SET holds = 1
  WHERE rendered_content LIKE '%<a href="%' OR rendered_content LIKE '%<a class="message-link"%';
UPDATE messages SET holds = holds | 2 WHERE holds = 1 AND (${image});
UPDATE messages SET holds = holds | 4 WHERE holds & 1
  AND (rendered_content LIKE '%href="/user_uploads/%' OR rendered_content LIKE '%href="user_uploads/%');
CREATE INDEX messages_with_link ON messages (id) WHERE holds & 1;
CREATE INDEX messages_with_image ON messages (id) WHERE holds & 2;
CREATE INDEX messages_with_attachment ON messages (id) WHERE holds & 4;

-- Words as markdown/matches.ts folds them, with blanks between: "simple" takes them as they are, whatever their
-- script, where unicode61 knows the letters of its year only. Unlogged, like the next one.
CREATE VIRTUAL TABLE message_search USING fts4 (body, topic, content="", matchinfo=fts3, order=desc, tokenize=simple);

-- How far the index goes. No row: it is empty.
CREATE TABLE message_search_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  message_id INTEGER NOT NULL, -- messages up to this one are in it
  edit_id INTEGER NOT NULL,    -- and edits and moves up to this one
  documents INTEGER NOT NULL,  -- ever put in: more than there are messages, where some were edited or deleted since
  version INTEGER NOT NULL     -- of the words
) STRICT;
`;
