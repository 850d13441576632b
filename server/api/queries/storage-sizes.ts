import type { Reader } from "../../storage/transaction.ts";

/** The size of one channel's messages, in bytes; channel null: direct messages. */
export interface MessageSizes {
  channel_id: number | null;
  messages: number;
  bytes: number;
}

/** Measures messages in a range of ids. The caller limits the work by the range. */
export const messageSizes = (reader: Reader, first: number, last: number): MessageSizes[] =>
  reader.all<MessageSizes>(
    `SELECT channel_id, COUNT(*) AS messages, SUM(octet_length(content) + octet_length(rendered_content)) AS bytes
     FROM messages WHERE id BETWEEN ? AND ? GROUP BY channel_id ORDER BY channel_id`,
    first,
    last,
  );

export interface UploadSizes {
  channel_id: number | null;
  files: number;
  bytes: number;
}

/**
 * Measures uploads in a range of ids, by channel of the messages that use them. A file in two channels counts in both.
 */
export const uploadSizes = (reader: Reader, first: number, last: number): UploadSizes[] =>
  reader.all<UploadSizes>(
    `SELECT channel_id, COUNT(*) AS files, SUM(size) AS bytes
     FROM (SELECT DISTINCT a.id, a.size, m.channel_id FROM attachments a
             JOIN message_attachments h ON h.attachment_id = a.id JOIN messages m ON m.id = h.message_id
           WHERE a.id BETWEEN ? AND ?)
     GROUP BY channel_id ORDER BY channel_id`,
    first,
    last,
  );

export const newestUploadId = (reader: Reader): number =>
  reader.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'attachments'") ?? 0;

export interface FileSizes {
  kind: string;
  files: number;
  bytes: number;
}

/** Measures the stored files whose names begin with these hexadecimal digits. */
export const fileSizes = (reader: Reader, start: string): FileSizes[] =>
  reader.all<FileSizes>(
    `SELECT kind, COUNT(*) AS files, SUM(size) AS bytes FROM files WHERE name >= ? AND name < ?
     GROUP BY kind ORDER BY kind`,
    start,
    `${start}g`,
  );
