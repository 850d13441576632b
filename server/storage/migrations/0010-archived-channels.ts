/** Archived channels whose unread messages are being marked as read, and the last subscriber for whom that is done. */
export const sql = `
CREATE TABLE archived_channels_unread (
  channel_id INTEGER PRIMARY KEY REFERENCES channels (id),
  after_user_id INTEGER NOT NULL
) STRICT;
`;
