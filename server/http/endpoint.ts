import type { z } from "zod";
import type { ApiError } from "../errors.ts";
import type { SizeLimit } from "../media/files/file-being-received.ts";
import type { Reader, Transaction } from "../storage/transaction.ts";
import type { FileAnswer, Redirect } from "./file-answers.ts";
import type { ReceivedFile } from "./multipart.ts";
import type { AnyParam, Fields, Param } from "./params.ts";

/** The lowest role that can call. `guest` is any account. `operator` requires the operator's token of this start. */
export type Who =
  | "anyone"
  | "guest"
  | "member"
  | "moderator"
  | "administrator"
  | "owner"
  | "operator"
  | "operator or administrator"
  | "operator or owner";

/** The part of a caller that this folder reads. */
export interface Viewer {
  /** 0 for a spectator, who has no account. */
  readonly id: number;
  readonly email: string;
  readonly role: number;
  readonly is_bot: boolean;
  /** 2: an incoming webhook. */
  readonly bot_type?: number | null;
}

/**
 * A whole encoded response, including the envelope. It is sent without waiting for the log: it is for long polls, whose
 * events are on disk before a queue gets them.
 */
export class RawJson {
  readonly body: string | Uint8Array;
  constructor(body: string | Uint8Array) {
    this.body = body;
  }
}

/** An async `fn` does not compile: a transaction runs in one turn of the event loop. */
export type Transact = <T>(fn: (tx: Transaction) => T & (T extends PromiseLike<unknown> ? never : unknown)) => T;

export type ParamMap = Readonly<Record<string, AnyParam>>;
type Nobody = "anyone" | "operator" | "operator or administrator" | "operator or owner";

/** Whether only users can call: no one without an account, and no operator without a user. */
export const needsUser = (who: Who): boolean =>
  who !== "anyone" && who !== "operator" && who !== "operator or administrator" && who !== "operator or owner";

type OutputOf<P extends ParamMap> = { [K in keyof P]: P[K] extends Param<infer Out, infer _I, infer _O> ? Out : never };

/** A request as it arrived, for endpoints with `readsRaw`. */
export interface RawRequest {
  readonly method: string;
  /** The whole URL, as the client addressed it. */
  readonly url: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Fields;
  /** The fields of the body if it is a form. */
  readonly form: Fields;
  readonly body: Buffer;
  /** Set if the body was too large and has been dropped. */
  readonly refusal: ApiError | undefined;
}

/** The argument of a handler. Its members are computed lazily: destructure only those that you need. */
export interface Call<App, V, Params> {
  /** Null if `who` is anyone or the operator and no user is signed in. */
  readonly viewer: V;
  readonly params: Params;
  readonly reader: Reader;
  /** `store.transact` with the viewer as actor and the route as action. */
  readonly transact: Transact;
  readonly app: App;
  /** The client's program, from its User-Agent: `ZulipPython`. */
  readonly client: string;
  /** The User-Agent header, or an empty text. */
  readonly userAgent: string;
  /** For endpoints with `readsRaw`. */
  readonly raw: RawRequest;
  /** For endpoints with `takesFiles`. Files that the handler does not store are removed after the response. */
  readonly files: readonly ReceivedFile[];
  /**
   * Identifies the caller for fair scheduling (turns.ts): the id of the person who is responsible for the viewer, or
   * the source.
   */
  readonly caller: number | string;
  /** The client's IP address, for people. */
  readonly address: string;
  /** The source that limits count: an IPv4 address, or an IPv6 /64. */
  readonly source: string;
  /** Whether a program on this machine calls, without a proxy. */
  readonly isLocal: boolean;
  /** Whether a trusted proxy forwarded the request. */
  readonly isForwarded: boolean;
  /** This server's URL as the client addressed it, without a slash at the end. */
  readonly baseUrl: string;
  /** Whether the caller has the operator's credential. */
  readonly isOperator: boolean;
  /** The content of the session cookie, valid or not. Undefined if there is an Authorization header. */
  readonly session: string | undefined;
  /** Sets or removes the session cookie with the response. */
  setSession(token: string, seconds: number): void;
  removeSession(): void;
  /** Calls back if the client disconnects before the response; immediately if it has. */
  onGone(listener: () => void): void;
}

type Answered<T> = T | RawJson | FileAnswer | Redirect;
type Answer<T> = Answered<T> | Promise<Answered<T>>;
/** The response's fields next to the envelope. An endpoint without `response` sends only the envelope. */
type Body<R> = R extends z.ZodType ? z.output<R> : Record<string, never>;
/** A handler without `response` can return nothing. */
type Handled<R> = R extends z.ZodType ? Answer<Body<R>> : Answer<Body<R> | undefined> | void | Promise<void>;

export interface Declaration<
  App,
  V,
  Route extends string,
  W extends Who,
  P extends ParamMap,
  R extends z.ZodType | undefined,
> {
  /** Method and path, `{name}` for path parameters: `PATCH /messages/{message_id}`. Under /api/v1 unless `outsideApi`. */
  readonly route: Route;
  readonly summary: string;
  readonly who: W;
  /** Replaces the usual refusal of a role that is too low: docs/protocol.md#refusals-by-role. */
  readonly refusal?: () => ApiError;
  /** Whether bots can call. */
  readonly bots?: boolean;
  /** Whether bots of incoming webhooks (bot_type 2) can call. Default false. */
  readonly incomingWebhooks?: boolean;
  /** Whether people without an account can call while public access is on: HttpOptions.spectator. */
  readonly spectators?: boolean;
  readonly outsideApi?: boolean;
  /** For calls before sign-in: clients send an Authorization header that is not valid yet. */
  readonly ignoreCredentials?: boolean;
  /** Browsers can call it from our own pages only, since it sets a cookie. Programs send no Origin and can call it. */
  readonly ownPagesOnly?: boolean;
  /** The handler reads the request itself, for other services with formats of their own. */
  readonly readsRaw?: boolean;
  /**
   * With `readsRaw`: the id of the account that the request names. The request counts towards the limit of that account,
   * or of the address if there is none.
   */
  readonly countsAs?: (call: Pick<Call<App, null, object>, "reader" | "app" | "raw">) => number | undefined;
  /**
   * The multipart body can contain `most` files, by default one. They are on disk before the handler runs. They are
   * only received after sign-in.
   */
  readonly takesFiles?: { readonly most?: number; limit(call: { reader: Reader; app: App; viewer: V }): SizeLimit };
  /** A success is a FileAnswer or a Redirect. For the OpenAPI document. */
  readonly sendsFile?: boolean;
  /** Whether the request counts towards the user's rate limit. A held long poll does not. */
  readonly countsTowardsLimit?: (fields: Fields) => boolean;
  /** Whether the endpoint reads so much that its calls wait for their turn, as every GET does (turns.ts). */
  readonly takesTurns?: boolean;
  readonly params?: P;
  readonly response?: R;
  handle(call: Call<App, W extends Nobody ? V | null : V, OutputOf<P>>): Handled<R>;
}

export interface Endpoint<
  App = unknown,
  V = unknown,
  Route extends string = string,
  W extends Who = Who,
  P extends ParamMap = ParamMap,
  R extends z.ZodType | undefined = z.ZodType | undefined,
> extends Declaration<App, V, Route, W, P, R> {
  readonly params: P;
}

// biome-ignore lint/suspicious/noExplicitAny: endpoints of every shape share one table
export type AnyEndpoint = Endpoint<any, any, any, any, any, any>;

/** `POST /messages`, as a literal type. */
export type RouteOf<E extends AnyEndpoint> = E["route"];
/** The handler's parameters. Optional ones may be undefined. */
export type ParamsOf<E extends AnyEndpoint> = OutputOf<E["params"]>;
/** The fields of a success next to the envelope. */
export type ResponseOf<E extends AnyEndpoint> =
  E extends Endpoint<infer _A, infer _V, infer _R, infer _W, infer _P, infer R> ? Body<R> : never;

type Omittable<P> = P extends Param<infer _O, infer _I, infer Omit> ? Omit : never;
/** A client's input, including path parameters, as JavaScript values before they become fields. */
export type InputOf<E extends AnyEndpoint, P extends ParamMap = E["params"]> = {
  [K in keyof P as Omittable<P[K]> extends true ? never : K]: P[K]["types"]["in"];
} & { [K in keyof P as Omittable<P[K]> extends true ? K : never]?: P[K]["types"]["in"] };

/** Creates the function that declares endpoints: `export const endpoint = endpointFor<App, User>()`. */
export function endpointFor<App, V extends Viewer>() {
  return <
    const Route extends string,
    W extends Who,
    P extends ParamMap = Record<never, never>,
    R extends z.ZodType | undefined = undefined,
  >(
    declaration: Declaration<App, V, Route, W, P, R>,
  ): Endpoint<App, V, Route, W, P, R> => ({ ...declaration, params: declaration.params ?? ({} as P) });
}
