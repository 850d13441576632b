import { networkInterfaces } from "node:os";
import { Failure, type Problem, problem } from "../../errors.ts";
import { isLoopbackAddress } from "../../http/caller.ts";
import type { Http } from "../../http/server.ts";

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Whether other machines use HTTPS. The window and the command line on this machine always use HTTP. */
  readonly https?: boolean;
}

export const listeningAt = ({
  host = "127.0.0.1",
  port = 9400,
}: {
  host?: string | undefined;
  port?: number | undefined;
}): Listening => ({ host, port });

/** Opens the port; 0 is any free port. @throws Error for users, with the code of the system error (EADDRINUSE …). */
export async function listenOn(http: Http, listening: Listening): Promise<Listening> {
  const { port } = await http.listen(listening).catch((error: NodeJS.ErrnoException) => {
    throw Object.assign(new Failure(listenProblem(listening, error), { cause: error }), { code: error.code });
  });
  return { ...listening, port };
}

/** On a busy machine a response takes seconds. */
const PROBE_MS = 5000;

/**
 * The URL of another Hearth that responds at this address; undefined for any other program. Sends no credential. Called
 * only at the first start, so a program that takes the port of a running server gets no request.
 */
export async function hearthAt(listening: Listening): Promise<string | undefined> {
  const url = localUrl(listening) ?? urlOf(listening);
  try {
    const response = await fetch(`${url}/host/session`, { signal: AbortSignal.timeout(PROBE_MS) });
    const { at_desktop, setup } = (await response.json()) as Record<string, unknown>;
    return typeof at_desktop === "boolean" && typeof setup === "boolean" ? url : undefined;
  } catch {
    return undefined; // another protocol or API
  }
}

export const portInUseByHearth = ({ host, port }: Listening, url: string): Problem =>
  problem("port_in_use_by_hearth", { port, host, url });

function listenProblem({ host, port }: Listening, error: NodeJS.ErrnoException): Problem {
  if (error.code === "EADDRINUSE") return problem("port_in_use", { port, host });
  if (error.code === "EACCES") return problem("port_forbidden", { port, host });
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") return problem("host_not_available", { host });
  return problem("port_not_opened", { port, host, cause: error.message });
}

export const urlOf = ({ host, port, https = false }: Listening): string =>
  `${https ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;

export const isLoopback = (host: string): boolean => host === "localhost" || isLoopbackAddress(host);
const isAnyAddress = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** The loopback URL of the server; undefined if it does not listen on loopback. */
export function localUrl({ host, port }: Listening): string | undefined {
  if (isAnyAddress(host)) return `http://127.0.0.1:${port}`;
  return isLoopback(host) ? urlOf({ host, port }) : undefined;
}

/** The URLs for other machines, IPv4 first, each with its network interface. On a loopback address, only that URL. */
export function reachableUrls({ host, port, https = false }: Listening): { url: string; interface: string }[] {
  if (isLoopback(host)) return [{ url: urlOf({ host, port }), interface: "lo" }];
  const own = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses
      // Link-local addresses (fe80:) need a zone, which URLs cannot contain.
      .filter(({ internal, address }) => !internal && !/^fe[89ab]/i.test(address))
      .map(({ address, family }) => ({ address, family, name })),
  );
  const listened = own.filter(({ address, family }) =>
    isAnyAddress(host) ? host === "::" || family === "IPv4" : address === host,
  );
  return listened
    .sort((a, b) => a.family.localeCompare(b.family))
    .map(({ address, name }) => ({ url: urlOf({ host: address, port, https }), interface: name }));
}
