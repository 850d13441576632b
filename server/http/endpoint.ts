import type { z } from "zod";
import type { ApiError } from "../errors.ts";
import type { Reader, Transaction } from "../storage/transaction.ts";
import type { FileAnswer, Redirect } from "./file-answers.ts";
import type { ReceivedFile, SizeLimit } from "./multipart-files.ts";
import type { AnyParam, Fields, Param } from "./params.ts";

/** The lowest role that may call. `guest` is any account. `operator` has the operator's token of this start. */
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

/** What this room needs to know of whoever calls. */
export interface Viewer {
  /** 0: a spectator, who has no account. */
  readonly id: number;
  readonly email: string;
  readonly role: number;
  readonly is_bot: boolean;
  /** 2: an incoming webhook. */
  readonly bot_type?: number | null;
}

/**
 * A whole answer, envelope included, already encoded, and already durable: it is sent without waiting for the log.
 * For held long polls, whose events left the log on disk before they were handed out.
 */
export class RawJson {
  readonly body: string | Uint8Array;
  constructor(body: string | Uint8Array) {
    this.body = body;
  }
}

/** A fn that is async does not compile: everything in it happens in one turn. */
export type Transact = <T>(fn: (tx: Transaction) => T & (T extends PromiseLike<unknown> ? never : unknown)) => T;

export type ParamMap = Readonly<Record<string, AnyParam>>;
type Nobody = "anyone" | "operator" | "operator or administrator" | "operator or owner";

/** Whether only a user may call: not somebody without an account, nor the operator in nobody's name. */
export const needsUser = (who: Who): boolean =>
  who !== "anyone" && who !== "operator" && who !== "operator or administrator" && who !== "operator or owner";

type OutputOf<P extends ParamMap> = { [K in keyof P]: P[K] extends Param<infer Out, infer _I, infer _O> ? Out : never };

/** A request that its handler reads itself. */
export interface RawRequest {
  readonly method: string;
  /** The whole address, as the caller addressed it. */
  readonly url: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Fields;
  /** The fields of the body, where it is a form. */
  readonly form: Fields;
  readonly body: Buffer;
  /** Why there is no body although one was sent: it was too large. */
  readonly refusal: ApiError | undefined;
}

/** What a handler is given. Its members are read lazily: take what you need by destructuring. */
export interface Call<App, V, Params> {
  /** Null if nobody is signed in and `who` is anyone or the operator. */
  readonly viewer: V;
  readonly params: Params;
  readonly reader: Reader;
  /** `store.transact` with the viewer as actor and the route as action. */
  readonly transact: Transact;
  readonly app: App;
  /** The program that calls, from its User-Agent: `ZulipPython`. */
  readonly client: string;
  /** The User-Agent header as it came; empty where there is none. */
  readonly userAgent: string;
  /** The request as it came; where the endpoint `readsRaw`. */
  readonly raw: RawRequest;
  /** Those of the body, where the endpoint `takesFiles`; removed after the answer unless the handler has stored them. */
  readonly files: readonly ReceivedFile[];
  /** Who takes turns with others (turns.ts): the person who answers for the viewer, by id, or the source. */
  readonly caller: number | string;
  /** The caller's IP address, for people. */
  readonly address: string;
  /** What limits count the caller's address as: an IPv4 address, or an IPv6 /64. */
  readonly source: string;
  /** Whether a program on this machine calls, and not through a proxy. */
  readonly isLocal: boolean;
  /** Whether a trusted proxy passed the request on. */
  readonly isForwarded: boolean;
  /** This server as the caller addressed it, no slash at the end. */
  readonly baseUrl: string;
  /** Whether the request has the operator's token. */
  readonly isOperator: boolean;
  /** What the caller's session cookie holds, whether it counts or not; undefined where an Authorization header came. */
  readonly session: string | undefined;
  /** Has the answer set the session cookie for so many seconds, or remove it. */
  setSession(token: string, seconds: number): void;
  removeSession(): void;
  /** Calls back when the caller goes away before the answer; at once if it has. */
  onGone(listener: () => void): void;
}

type Answered<T> = T | RawJson | FileAnswer | Redirect;
type Answer<T> = Answered<T> | Promise<Answered<T>>;
/** The answer's fields beside the envelope; an endpoint without `response` answers the envelope alone. */
type Body<R> = R extends z.ZodType ? z.output<R> : Record<string, never>;
/** A handler without `response` may return nothing. */
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
  /** What too low a role is told, a guest's too, in place of the usual refusal: docs/protocol.md#refusals-by-role. */
  readonly refusal?: () => ApiError;
  /** Whether a bot may call. */
  readonly bots?: boolean;
  /** Whether an incoming webhook's bot may call (bot_type 2); other bots are not asked. Default false. */
  readonly incomingWebhooks?: boolean;
  /** Whether somebody without an account may call, while there is public access: HttpOptions.spectator. */
  readonly spectators?: boolean;
  readonly outsideApi?: boolean;
  /** For who `anyone`: a sign-in or a greeting, where clients send an Authorization header that is not valid yet. */
  readonly ignoreCredentials?: boolean;
  /** A browser may call it from our own pages only: what sets a cookie. Programs send no Origin, and may. */
  readonly ownPagesOnly?: boolean;
  /** The handler reads the request itself, as it came: what other services send in a form of their own. */
  readonly readsRaw?: boolean;
  /**
   * With `readsRaw`, where the request itself names an account: its id, whose limit the request counts towards. Without
   * one it counts towards the limit of the address.
   */
  readonly countsAs?: (call: Pick<Call<App, null, object>, "reader" | "app" | "raw">) => number | undefined;
  /**
   * A body of multipart/form-data may hold so many files, one by default. They are on disk before the handler is
   * called, which is after the caller has signed in. Their size is limited for each request.
   */
  readonly takesFiles?: { readonly most?: number; limit(call: { reader: Reader; app: App; viewer: V }): SizeLimit };
  /** A success is a FileAnswer or a Redirect: for the OpenAPI document. */
  readonly sendsFile?: boolean;
  /** Whether this request counts towards the user's rate limit, told from its raw fields. A held long poll does not. */
  readonly countsTowardsLimit?: (fields: Fields) => boolean;
  /** Whether it reads so much that it waits for its turn, as every GET does (turns.ts). */
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
/** What the handler gets: optional parameters may be undefined. */
export type ParamsOf<E extends AnyEndpoint> = OutputOf<E["params"]>;
/** The fields of a success beside the envelope. */
export type ResponseOf<E extends AnyEndpoint> =
  E extends Endpoint<infer _A, infer _V, infer _R, infer _W, infer _P, infer R> ? Body<R> : never;

type Omittable<P> = P extends Param<infer _O, infer _I, infer Omit> ? Omit : never;
/** What a client gives, path parameters included: JavaScript values, before they become fields. */
export type InputOf<E extends AnyEndpoint, P extends ParamMap = E["params"]> = {
  [K in keyof P as Omittable<P[K]> extends true ? never : K]: P[K]["types"]["in"];
} & { [K in keyof P as Omittable<P[K]> extends true ? K : never]?: P[K]["types"]["in"] };

/** The function that declares endpoints of one application: `export const endpoint = endpointFor<App, User>()`. */
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
