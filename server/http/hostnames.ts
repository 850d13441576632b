import { isIP } from "node:net";
import { hostname } from "node:os";
import { ApiError, badRequest, problem } from "../errors.ts";

/**
 * The Host headers that the server accepts. With DNS rebinding, a web page makes its own name point at this machine and
 * sends requests under that name. It cannot do so with an IP address, a local name, or a name of the setting.
 */
export class HostnameRule {
  readonly #allowed: () => readonly string[];
  readonly #own: ReadonlySet<string>;
  /** Accepted headers, except those that depend on the setting. */
  readonly #accepted = new Set<string>();

  constructor(allowed: () => readonly string[], machineName = hostname()) {
    this.#allowed = allowed;
    const name = machineName.toLowerCase().replace(/\.$/, "");
    this.#own = new Set(["localhost", name, name.split(".")[0] as string].filter(Boolean));
  }

  /** @throws ApiError 400 for a missing or malformed header, 421 for a hostname that is not accepted. */
  check(header: string | undefined): void {
    if (header !== undefined && this.#accepted.has(header)) return;
    if (!header) throw badRequest("host_header_missing");
    const name = nameIn(header);
    if (name === undefined) throw badRequest("host_header_malformed");
    if (isIP(name) !== 0 || this.#own.has(name) || name.endsWith(".local")) {
      if (this.#accepted.size >= 64) this.#accepted.clear();
      this.#accepted.add(header);
      return;
    }
    for (const allowed of this.#allowed()) if (nameIn(allowed) === name) return;
    throw new ApiError("BAD_REQUEST", problem("hostname_not_allowed", { hostname: name }), {}, { status: 421 });
  }
}

/** The host in a header, in lower case, without port, brackets or final dot; undefined if it is malformed. */
export function nameIn(header: string): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([\p{L}\p{N}._-]+))(?::\d{1,5})?$/iu.exec(header);
  const name = match?.[1] ?? match?.[2];
  if (!name || name.length > 255 || (match?.[1] && isIP(name) !== 6)) return undefined;
  return name.toLowerCase().replace(/\.$/, "") || undefined;
}
