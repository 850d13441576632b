import { networkInterfaces } from "node:os";
import type { Http } from "../http/server.ts";

export interface Listening {
  readonly host: string;
  readonly port: number;
}

/** Where a server listens unless it is told otherwise. */
export const listeningAt = ({
  host = "127.0.0.1",
  port = 9400,
}: {
  host?: string | undefined;
  port?: number | undefined;
}): Listening => ({ host, port });

/** Opens the port; 0 is any free one. @throws Error in words, with the system's code (EADDRINUSE …). */
export async function listenOn(http: Http, where: Listening): Promise<Listening> {
  const { port } = await http.listen(where).catch((error: NodeJS.ErrnoException) => {
    throw Object.assign(new Error(whyNot(where, error), { cause: error }), { code: error.code });
  });
  return { ...where, port };
}

function whyNot({ host, port }: Listening, error: NodeJS.ErrnoException): string {
  if (error.code === "EADDRINUSE")
    return `Port ${port} of ${host} is in use by another program. Stop that one, or choose another port.`;
  if (error.code === "EACCES") return `This user may not open port ${port} of ${host}. Choose one above 1023.`;
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return `This machine has no address ${host} to listen on. Choose another host.`;
  return `Port ${port} of ${host} cannot be opened: ${error.message}`;
}

export const urlOf = ({ host, port }: Listening): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

export const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || host.startsWith("127.");
const isEverywhere = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** The URL by which this machine itself reaches it; undefined where that is no loopback address. */
export function localUrl({ host, port }: Listening): string | undefined {
  if (isEverywhere(host)) return `http://127.0.0.1:${port}`;
  return isLoopback(host) ? urlOf({ host, port }) : undefined;
}

/** By which URLs others reach it, each with its network interface: IPv4 first. Alone, this machine's own. */
export function reachableAt({ host, port }: Listening): { url: string; interface: string }[] {
  if (isLoopback(host)) return [{ url: urlOf({ host, port }), interface: "lo" }];
  const own = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses
      // A link's own addresses (fe80:) need a zone, which no URL can carry.
      .filter(({ internal, address }) => !internal && !/^fe[89ab]/i.test(address))
      .map(({ address, family }) => ({ address, family, name })),
  );
  const listened = own.filter(({ address, family }) =>
    isEverywhere(host) ? host === "::" || family === "IPv4" : address === host,
  );
  return listened
    .sort((a, b) => a.family.localeCompare(b.family))
    .map(({ address, name }) => ({ url: urlOf({ host: address, port }), interface: name }));
}
