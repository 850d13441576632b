import type { Reader, Transaction } from "../storage/transaction.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import type { AnyEndpoint, Viewer } from "./endpoint.ts";
import type { FileReceiver } from "./multipart.ts";
import type { Clocks, Limits } from "./rate-limits.ts";
import type { Encryption } from "./secure-connections.ts";

/** What this room uses of the store. */
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
  /** How long it took. */
  readonly ms: number;
  readonly user_id: number | undefined;
  readonly address: string;
  readonly client: string;
}

export interface Logger {
  /** For what is our bug: the error whole, with its stack. `secrets`: what of the request nobody may read. */
  error(message: string, error: unknown, secrets?: readonly string[]): void;
  /** Called with each answer of an endpoint. Most are not written down: `describe` is called for those that are. */
  answered?(status: number, describe: () => AnsweredRequest): void;
}

export interface HttpOptions<App, V extends Viewer> {
  readonly endpoints: readonly AnyEndpoint[];
  readonly store: HttpStore;
  readonly app: App;
  /** Who has this email and API key. Called on each request, so it is fast. @throws ApiError 401 */
  readonly identify: (email: string, key: string) => V;
  /** Who has a session with this token; undefined where it is void. Asked where there is no Authorization header. */
  readonly identifySession?: ((token: string) => V | undefined) | undefined;
  /** As whom somebody without credentials calls the endpoints that take spectators; undefined where nobody may. */
  readonly spectator?: (() => V | undefined) | undefined;
  /** Random, made at each start. */
  readonly operatorToken?: string | undefined;
  /** As whom the host's credential acts on endpoints that need a user. */
  readonly operatorActsAs?: (() => V | undefined) | undefined;
  /** Where files are put that endpoints take; without it, a body with a file is refused. */
  readonly files?: FileReceiver | undefined;
  readonly logger: Logger;
  /** The id of the user who answers for what this one does: a bot's owner. Turns and limits count for both. */
  readonly answerableFor?: ((id: number) => number) | undefined;
  /** Without it, requests are not limited. */
  readonly limits?: (() => Limits) | undefined;
  /** The organization's own URL, where one is set; else it is the one that each caller addresses. */
  readonly baseUrl?: (() => string | undefined) | undefined;
  /** Names that are answered beside IP addresses, localhost, *.local and the machine's own: the setting ALLOWED_HOSTS. */
  readonly allowedHosts?: (() => readonly string[]) | undefined;
  /** Addresses and networks of proxies whose word on scheme, host and client counts: the setting TRUSTED_PROXIES. */
  readonly trustedProxies?: (() => readonly string[]) | undefined;
  /** Whether other machines have to encrypt what they send; without it they need not, and cannot. */
  readonly encryption?: Encryption | undefined;
  /** The path at which a certificate is offered that others need before they can encrypt anything. */
  readonly rootPath?: string | undefined;
  /** Most bytes of a request's body. */
  readonly bodyLimit?: number | undefined;
  /** Checks each answer against its declaration and answers 500 where it differs. For tests. */
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
  /** To the end of its body. How long the answer takes is not limited. */
  request: 30_000,
  /** Above the minute after which proxies and clients give up a quiet connection themselves. */
  keepAlive: 75_000,
  /** A connection without a byte either way: a reader who has gone. Above the longest long poll (a heartbeat each 55 s). */
  silence: 180_000,
  /** How often the first two are looked at. */
  check: 5_000,
  /** From close() until connections that are still busy are cut. */
  stop: 500,
};
