/** The file from which command-line programs of the public protocol take who they are. */
export const zuliprc = (site: string, email: string, key: string): string =>
  `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
