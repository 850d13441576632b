/** Archived channels whose unread messages are being marked as read: for subscribers up to this one it is done. */
export const sql = `
CREATE TABLE archived_channels_unread (
  channel_id INTEGER PRIMARY KEY REFERENCES channels (id),
  after_user_id INTEGER NOT NULL
) STRICT;
`;
