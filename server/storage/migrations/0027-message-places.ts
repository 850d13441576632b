/**
 * Where each message is, in an index of its own: queries/message-index.ts reads thousands of messages at once, and reads
 * a thirtieth of the pages this way.
 */
export const sql = `
CREATE UNIQUE INDEX message_places ON messages (id, sender_id, sent_channel_id, channel_id, recipient_id, topic_id);
`;
