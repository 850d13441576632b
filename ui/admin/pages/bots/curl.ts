export interface CurlMessage {
  /** The server's URL, without a trailing slash. */
  address: string;
  email: string;
  key: string;
  channel: string;
  topic: string;
  content: string;
}

/** Quotes a text for a POSIX shell. */
const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A shell command that sends a message. */
export const curlCommand = ({ address, email, key, channel, topic, content }: CurlMessage): string =>
  [
    `curl ${word(`${address}/api/v1/messages`)}`,
    `-u ${word(`${email}:${key}`)}`,
    "--data-urlencode type=channel",
    `--data-urlencode ${word(`to=${channel}`)}`,
    `--data-urlencode ${word(`topic=${topic}`)}`,
    `--data-urlencode ${word(`content=${content}`)}`,
  ].join(" \\\n  ");
