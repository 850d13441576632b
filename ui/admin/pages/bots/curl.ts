export interface CurlMessage {
  /** Of the server, no slash at the end. */
  address: string;
  email: string;
  key: string;
  channel: string;
  topic: string;
  content: string;
}

/** A text as one word of a POSIX shell. */
const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command that sends a message, for a POSIX shell. */
export const curlCommand = ({ address, email, key, channel, topic, content }: CurlMessage): string =>
  [
    `curl ${word(`${address}/api/v1/messages`)}`,
    `-u ${word(`${email}:${key}`)}`,
    "--data-urlencode type=channel",
    `--data-urlencode ${word(`to=${channel}`)}`,
    `--data-urlencode ${word(`topic=${topic}`)}`,
    `--data-urlencode ${word(`content=${content}`)}`,
  ].join(" \\\n  ");
