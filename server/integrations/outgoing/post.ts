import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { Agent, buildConnector, Dispatcher } from "undici";
import { type Interfaces, isRoutedHere } from "../../api/access/own-network.ts";
import { reasonAgainstTarget, type WebhookTargets } from "../../api/access/webhook-addresses.ts";
import { Failure, type Problem, problem } from "../../errors.ts";
import { Lookups } from "./lookups.ts";
import { NO_OWNER } from "./owner-turns.ts";

export const POST_TIMEOUT_MS = 10_000;
export const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_REDIRECTS = 3;
/** To one host, so that a receiver that recovers with a long queue is not flooded. */
const MAX_CONNECTIONS = 40;
const MAX_AGENTS = 100;

export interface Posted {
  status: number;
  body: string;
  /** The header Retry-After. */
  retryAfter: string | undefined;
}

export interface Content {
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/** Why a delivery failed, as a text for the owner. `again`: a retry may succeed. */
export class PostFailed extends Failure {
  override readonly name = "PostFailed";
  readonly again: boolean;
  constructor(problem: Problem, again: boolean, options?: ErrorOptions) {
    super(problem, options);
    this.again = again;
  }
}

/** Loaded on the first delivery, because it takes 5 MB. Cached, because another import costs as much as a signature. */
let loaded: Promise<typeof import("undici")> | undefined;

/** Posts to other machines through guarded connections, redirects included. */
export class Poster {
  readonly #interfaces: () => Interfaces;
  readonly #timeoutMs: number;
  readonly #lookups: Lookups;
  /** By owner and permitted targets, so that no owner uses the connections of others. */
  readonly #agents = new Map<string, Agent>();

  constructor(
    interfaces: () => Interfaces = networkInterfaces,
    timeoutMs = POST_TIMEOUT_MS,
    lookUp?: (name: string) => Promise<string[]>,
  ) {
    this.#interfaces = interfaces;
    this.#timeoutMs = timeoutMs;
    this.#lookups = new Lookups(lookUp);
  }

  /** `owner`: the owner of the bot. Throws PostFailed. */
  async post(address: string, targets: WebhookTargets, { headers, body }: Content, owner = NO_OWNER): Promise<Posted> {
    const deadline = new Deadline(this.#timeoutMs);
    try {
      loaded ??= import("undici");
      const dispatcher = this.#agent(targets, owner, await loaded);
      let url = new URL(address);
      for (let redirects = 0; ; redirects += 1) {
        const answer = await exchange(dispatcher, url, { headers, body }, deadline);
        if (answer.location === undefined) return answer;
        if (redirects === MAX_REDIRECTS)
          throw new PostFailed(problem("too_many_redirects", { count: MAX_REDIRECTS }), false);
        url = redirected(url, answer.location);
      }
    } catch (error) {
      throw asPostFailed(error);
    } finally {
      deadline.clear();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }

  #agent(targets: WebhookTargets, owner: number, undici: typeof import("undici")): Agent {
    const key = JSON.stringify([owner, targets]);
    const existing = this.#agents.get(key);
    if (existing) return existing;
    const [oldest] = this.#agents;
    if (oldest && this.#agents.size >= MAX_AGENTS) {
      this.#agents.delete(oldest[0]);
      void oldest[1].close();
    }
    const guard = {
      targets,
      owner,
      interfaces: this.#interfaces,
      lookups: this.#lookups,
      timeoutMs: this.#timeoutMs,
    };
    const agent = guardedAgent(undici, guard, { connections: MAX_CONNECTIONS, pipelining: 1 });
    this.#agents.set(key, agent);
    return agent;
  }
}

export interface Guard {
  targets: WebhookTargets;
  /** Whose turn the lookups take. */
  owner: number;
  interfaces: () => Interfaces;
  lookups: Lookups;
  /** For a lookup, and for a connection. */
  timeoutMs: number;
}

/**
 * Connects only where the targets allow. For each connection it resolves the name once, checks the address and connects
 * to exactly that address. So a name that resolves differently later (DNS rebinding) changes nothing.
 */
export function guardedAgent(undici: typeof import("undici"), guard: Guard, options: Agent.Options): Agent {
  const connectTo = undici.buildConnector({ timeout: guard.timeoutMs });
  return new undici.Agent({
    keepAliveTimeout: 4000, // many servers close after five seconds
    ...options,
    connect: (wanted, callback) => {
      judged(wanted, guard).then(
        (checked) => connectTo(checked, callback),
        (error: Error) => callback(error, null),
      );
    },
  });
}

/** The same connection, to an address instead of a name. Throws PostFailed, or an error of the lookup. */
async function judged(
  options: buildConnector.Options,
  { targets, owner, interfaces, lookups, timeoutMs }: Guard,
): Promise<buildConnector.Options> {
  const name = options.hostname.replace(/^\[|\]$/g, "");
  const port = Number(options.port || (options.protocol === "https:" ? 443 : 80));
  const addresses = isIP(name) ? [name] : await lookups.addressesOf(name, owner, timeoutMs);
  const problems: Problem[] = [];
  for (const address of addresses) {
    const refusal = reasonAgainstTarget(targets, {
      name,
      port,
      address,
      isRoutedHere: await isRoutedHere(address),
      interfaces: interfaces(),
    });
    if (refusal === undefined)
      return { ...options, hostname: address, ...(!isIP(name) && { servername: options.servername || name }) };
    problems.push(refusal);
  }
  throw new PostFailed(problems[0] ?? problem("hostname_without_address", { hostname: name }), false);
}

export function redirected(from: URL, location: string): URL {
  if (!URL.canParse(location, from)) throw new PostFailed(problem("redirect_malformed"), false);
  const to = new URL(location, from);
  if (to.protocol !== "https:" && to.protocol !== "http:")
    throw new PostFailed(problem("redirect_not_http", { protocol: to.protocol.slice(0, -1) }), false);
  if (from.protocol === "https:" && to.protocol === "http:") throw new PostFailed(problem("redirect_to_http"), false);
  return to;
}

/** The deadline of a delivery, its redirects included. */
class Deadline {
  readonly #timer: NodeJS.Timeout;
  #passed: ((error: PostFailed) => void) | undefined;

  constructor(ms: number) {
    const pass = () => this.#passed?.(new PostFailed(problem("response_timeout", { count: ms / 1000 }), true));
    this.#timer = setTimeout(pass, ms);
  }

  /** Replaces the earlier callback. */
  onPassed(passed: (error: PostFailed) => void): void {
    this.#passed = passed;
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

interface Exchanged extends Posted {
  /** The target of a redirect. */
  location: string | undefined;
}

/**
 * One request and its response. Uses undici's dispatch, because the stream and the signal of its `request` cost more
 * than all the rest, and a bounded text needs neither.
 */
function exchange(
  dispatcher: Agent,
  { origin, pathname, search }: URL,
  { headers, body }: Content,
  deadline: Deadline,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let failed: Error | undefined;
    const fail = (error: Error) => {
      failed ??= error;
      reject(failed);
      controller?.abort(failed);
    };
    deadline.onPassed(fail);
    let [status, size] = [0, 0];
    let location: string | undefined;
    let retryAfter: string | undefined;
    const chunks: Buffer[] = [];
    dispatcher.dispatch(
      { origin, path: pathname + search, method: "POST", headers, body },
      {
        onRequestStart(started) {
          controller = started;
          if (failed) started.abort(failed); // it failed while it waited for a connection
        },
        onResponseStart(_controller, statusCode, answered) {
          status = statusCode;
          retryAfter = answered["retry-after"]?.toString();
          if ([301, 302, 307, 308].includes(statusCode)) location = answered["location"]?.toString();
        },
        onResponseData(_controller, chunk) {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES)
            fail(new PostFailed(problem("response_too_large", { max: MAX_ANSWER_BYTES }), false));
          else if (location === undefined) chunks.push(chunk);
        },
        onResponseEnd: () =>
          resolve({
            status,
            location,
            retryAfter,
            // Unlike a Buffer's toString, it removes a byte order mark.
            body: new TextDecoder().decode(Buffer.concat(chunks, location === undefined ? size : 0)),
          }),
        onResponseError: (_controller, error) => fail(error),
      },
    );
  });
}

/** Whether a later attempt may succeed after this status. */
export const mayPass = (status: number): boolean => status >= 500 || status === 408 || status === 425 || status === 429;

/** Milliseconds in the header Retry-After: seconds, or a date. 0 without a valid header. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

const CAUSES = {
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_closed",
  ENOTFOUND: "hostname_not_found",
  EAI_AGAIN: "dns_lookup_failed",
  EHOSTUNREACH: "host_unreachable",
  ENETUNREACH: "network_unreachable",
  UND_ERR_SOCKET: "connection_closed",
} as const;

export function asPostFailed(error: unknown): PostFailed {
  if (error instanceof PostFailed) return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  const reason = Object.hasOwn(CAUSES, code) ? CAUSES[code as keyof typeof CAUSES] : undefined;
  const what = reason ? problem(reason) : problem("connection_failed", { cause: message });
  return new PostFailed(what, true, { cause: error });
}
