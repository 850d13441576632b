/** The command that starts this server again, with its address and port to be changed. */
export const serveCommand = (folder: string, { host, port }: { host: string; port: number }): string =>
  `npm run hearth -- serve --data "${folder}" --host ${host} --port ${port}`;
