import type { IncomingMessage } from "node:http";
import type { FastifyReply } from "fastify";
import type { Reader, Transaction } from "../storage/transaction.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import type { AnyEndpoint, Viewer } from "./endpoint.ts";
import type { FileReceiver } from "./multipart.ts";
import type { Clocks, Limits } from "./rate-limits.ts";
import type { Encryption } from "./secure-connections.ts";

/** The part of the store that this folder uses. */
export interface HttpStore {
  readonly reader: Reader;
  readonly seq: number;
  durable(seq?: number): Promise<void> | undefined;
  untilRoom(): Promise<void> | undefined;
  transact<T>(
    about: { actor: number | null; action: string; origin: string; act: object },
    fn: (tx: Transaction) => T,
  ): T;
}

export interface AnsweredRequest {
  readonly route: string;
  /** Duration, in milliseconds. */
  readonly ms: number;
  readonly user_id: number | undefined;
  readonly address: string;
  readonly client: string;
}

export interface Logger {
  /** Logs a bug with its stack. `secrets`: texts of the request that must not be in the log. */
  error(message: string, error: unknown, secrets?: readonly string[]): void;
  /** Called with each response of an endpoint. Most are not logged, so `describe` is lazy. */
  answered?(status: number, describe: () => AnsweredRequest): void;
}

export interface OverHttp {
  /** Whether this path is served over HTTP too. */
  isServed(path: string): boolean;
  /** Sends a page instead of the redirect to HTTPS. Returns false for the redirect. */
  sendPage(request: IncomingMessage, reply: FastifyReply): boolean;
}

export interface HttpOptions<App, V extends Viewer> {
  readonly endpoints: readonly AnyEndpoint[];
  readonly store: HttpStore;
  readonly app: App;
  /** Called for each request, so it must be fast. @throws ApiError 401 */
  readonly identify: (email: string, key: string) => V;
  /** The user of a session, or undefined if the token is not valid. Called without an Authorization header. */
  readonly identifySession?: ((token: string) => V | undefined) | undefined;
  /** The viewer for requests without credentials to endpoints with `spectators`; undefined while public access is off. */
  readonly spectator?: (() => V | undefined) | undefined;
  /** Random for each start. */
  readonly operatorToken?: string | undefined;
  /** The user as whom the operator calls endpoints that need a user. */
  readonly operatorActsAs?: (() => V | undefined) | undefined;
  /** For endpoints with `takesFiles`. */
  readonly files?: FileReceiver | undefined;
  readonly logger: Logger;
  /** The id of the person responsible for a user: a bot's owner. Turns and limits count both together. */
  readonly answerableFor?: ((id: number) => number) | undefined;
  /** Without it, requests are not limited. */
  readonly limits?: (() => Limits) | undefined;
  /** The organization's own URL. Without it, each client gets the URL that it addressed. */
  readonly baseUrl?: (() => string | undefined) | undefined;
  /**
   * Accepted in addition to IP addresses, localhost, *.local and the machine's own names: the setting ALLOWED_HOSTS.
   */
  readonly allowedHosts?: (() => readonly string[]) | undefined;
  /** Addresses and networks of proxies whose forwarding headers count: the setting TRUSTED_PROXIES. */
  readonly trustedProxies?: (() => readonly string[]) | undefined;
  /** HTTPS for other machines. Without it, the server only speaks HTTP. */
  readonly encryption?: Encryption | undefined;
  /** Responses to other machines over HTTP while HTTPS is on. */
  readonly overHttp?: OverHttp | undefined;
  /** Limit of a request's body, in bytes. */
  readonly bodyLimit?: number | undefined;
  /** Responds 500 if a response differs from its declaration. For tests. */
  readonly checkResponses?: boolean | undefined;
  /** For the OpenAPI document. */
  readonly version?: string | undefined;
  readonly clocks?: Clocks | undefined;
  readonly timeouts?: Partial<typeof TIMEOUTS> | undefined;
  readonly connections?: Partial<ConnectionLimits> | undefined;
}

export const BODY_LIMIT = 2 * 1024 * 1024;

/** In milliseconds. */
export const TIMEOUTS = {
  /** From a request's first byte, or the connection, to the end of its headers. */
  headers: 15_000,
  /** To the end of its body. The time of the response is not limited. */
  request: 30_000,
  /** Longer than the minute after which proxies and clients close an idle connection themselves. */
  keepAlive: 75_000,
  /** Without a byte in either direction. Longer than the longest long poll (a heartbeat each 55 s). */
  silence: 180_000,
  /** Interval of the checks of the first two. */
  check: 5_000,
  /** From close() until busy connections are closed. */
  stop: 500,
};
