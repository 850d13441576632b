/** The configuration file of command-line clients of the public protocol. */
export const zuliprc = (site: string, email: string, key: string): string =>
  `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
