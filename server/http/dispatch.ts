import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { ApiError } from "../errors.ts";
import type { Reader, Transaction } from "../storage/transaction.ts";
import { BasicCredentials, HostCredential, refuseByRole, unauthorized } from "./authentication.ts";
import { addBodyFields, addUrlencoded, hasBody, readBody } from "./body.ts";
import { RawJson, type Viewer } from "./endpoint.ts";
import { errorBody, NO_CODE, successBody, toApiError, unavailable, withIgnored } from "./envelope.ts";
import type { HostRule } from "./hosts.ts";
import { addressOf, OpenCall } from "./open-call.ts";
import type { Fields } from "./params.ts";
import { DEFAULT_LIMITS, type Limits, RateLimiter, type Standing } from "./rate-limits.ts";
import type { Found, Route, Router } from "./router.ts";
import { badOrigin, isOwnOrigin, sessionIn } from "./session-cookie.ts";

/** What this room uses of the store. */
export interface HttpStore {
  readonly reader: Reader;
  readonly seq: number;
  durable(seq?: number): Promise<void> | undefined;
  transact<T>(about: { actor: number | null; action: string; origin: string }, fn: (tx: Transaction) => T): T;
}

export interface Logger {
  /** For what is our bug: the error whole, with its stack. */
  error(message: string, error: unknown): void;
}

export interface DispatchOptions<App, V extends Viewer> {
  readonly store: HttpStore;
  readonly app: App;
  /** Who has this email and API key. Called on each request, so it is fast. @throws ApiError 401 */
  readonly identify: (email: string, key: string) => V;
  /** Who has a session with this token; undefined where it is void. Asked where there is no Authorization header. */
  readonly identifySession?: ((token: string) => V | undefined) | undefined;
  /** As whom somebody without credentials calls the endpoints that take spectators; undefined where nobody may. */
  readonly spectator?: (() => V | undefined) | undefined;
  /** Random, made at each start. */
  readonly hostToken?: string | undefined;
  /** As whom the host's credential acts on endpoints that need a user. */
  readonly hostActsAs?: (() => V | undefined) | undefined;
  readonly logger: Logger;
  readonly rateLimit?: "on" | "off" | undefined;
  readonly limits?: (() => Limits) | undefined;
  /** The organization's own address, where one is set; else each caller's Host header tells it. */
  readonly baseUrl?: (() => string | undefined) | undefined;
  /** Most bytes of a request's body. */
  readonly bodyLimit?: number | undefined;
  /** Checks each answer against its declaration and answers 500 where it differs. For tests. */
  readonly checkResponses?: boolean | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

const NO_FIELDS: Fields = new Map();
/** A message of 10,000 characters in a PATCH's query, as zulip-js sends it, takes up to 120,000 bytes. */
export const MOST_URL = 131_072;

/** Takes a request from the parser to its answer. One per server; holds no state of requests. */
export class Dispatcher<App, V extends Viewer> {
  closing = false;
  readonly #options: DispatchOptions<App, V>;
  readonly #router: Router;
  readonly #hosts: HostRule;
  readonly #bodyLimit: number;
  readonly #credentials = new BasicCredentials();
  readonly #host: HostCredential;
  readonly #byUser: RateLimiter | undefined;
  readonly #byAddress: RateLimiter | undefined;
  readonly #clients = new Map<string, string>();

  constructor(router: Router, hosts: HostRule, options: DispatchOptions<App, V>) {
    this.#router = router;
    this.#hosts = hosts;
    this.#options = options;
    this.#bodyLimit = options.bodyLimit ?? 2 * 1024 * 1024;
    this.#host = new HostCredential(options.hostToken);
    if (options.rateLimit === "off") return;
    const { limits = (): Limits => ({}), now = Date.now } = options;
    this.#byUser = new RateLimiter(() => limits().api_by_user ?? DEFAULT_LIMITS.api_by_user, now);
    this.#byAddress = new RateLimiter(() => limits().api_by_ip ?? DEFAULT_LIMITS.api_by_ip, now);
  }

  /** `elsewhere` gets what is neither declared nor under /api or /host: pages. */
  handle(request: IncomingMessage, response: ServerResponse, elsewhere: RequestListener) {
    try {
      if (this.closing) throw unavailable("The server is stopping.");
      this.#hosts.check(request.headers.host);
      const url = request.url as string;
      if (url.length > MOST_URL) {
        throw new ApiError("BAD_REQUEST", `The address is too long: at most ${MOST_URL} bytes.`, {}, { status: 414 });
      }
      const question = url.indexOf("?");
      const path = pathOf(question < 0 ? url : url.slice(0, question));
      const found = this.#router.find(path);
      const method = request.method as string;
      if (!found) {
        if (path === "*" && method === "OPTIONS")
          return this.#sendAllowed(response, ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);
        if (/^\/+(api|host)(\/|$)/.test(path)) return this.notFound(request, response);
        return elsewhere(request, response);
      }
      const { place } = found;
      if (method === "OPTIONS") return this.#sendAllowed(response, place.allowed);
      const route = place.methods.get(method);
      // A POST may say in its body that it means another method.
      if (!route && method !== "POST") throw this.#notAllowed(method, request, place.allowed);
      const bodied = hasBody(request);
      let fields = NO_FIELDS;
      if (question >= 0 || bodied) {
        const mutable = new Map<string, string>();
        fields = mutable;
        if (question >= 0) addUrlencoded(mutable, url.slice(question + 1));
        if (bodied) {
          readBody(request, this.#bodyLimit, (tooLarge, body) => {
            if (tooLarge) return this.refuse(response, tooLarge);
            addBodyFields(mutable, body, request, (error) => {
              if (error) return this.refuse(response, error);
              this.#run(method === "POST" ? "by field" : route, found, mutable, request, response);
            });
          });
          return;
        }
      }
      this.#run(method === "POST" ? "by field" : route, found, fields, request, response);
    } catch (error) {
      this.#fail(error, undefined, response, undefined);
    }
  }

  notFound(request: IncomingMessage, response: ServerResponse) {
    try {
      this.#byAddress?.count(addressOf(request));
      this.refuse(response, new ApiError("BAD_REQUEST", "There is nothing at this address.", {}, { status: 404 }));
    } catch (error) {
      this.#fail(error, undefined, response, undefined);
    }
  }

  /** Answers with an error that needs no barrier, since nothing of the store is in it. */
  refuse(response: ServerResponse, error: ApiError) {
    this.#send(response, error.status, errorBody(error), undefined, error.headers);
  }

  #notAllowed(method: string, request: IncomingMessage, allowed: readonly string[]): ApiError {
    this.#byAddress?.count(addressOf(request));
    return new ApiError(
      NO_CODE,
      `This address does not take the method ${method}.`,
      { allowed_methods: allowed },
      { status: 405, headers: { allow: allowed.join(", ") } },
    );
  }

  #sendAllowed(response: ServerResponse, allowed: readonly string[]) {
    const headers: Record<string, string> = { allow: allowed.join(", ") };
    if (this.closing) headers.connection = "close";
    response.writeHead(204, headers).end();
  }

  #run(
    chosen: Route | undefined | "by field",
    { place, values }: Found,
    fields: Fields,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    let route: Route | undefined;
    let standing: Standing | undefined;
    try {
      let meant = request.method as string;
      if (chosen === "by field") {
        // The field is used up only where it overrides; an endpoint may still have a parameter of this name.
        const override = place.methods.get("POST")?.endpoint.params.method ? undefined : fields.get("method");
        if (override === undefined) route = place.methods.get("POST");
        else {
          meant = override.slice(0, 20).toUpperCase();
          route = place.methods.get(meant);
          (fields as Map<string, string>).delete("method");
        }
      } else route = chosen;
      if (!route) throw this.#notAllowed(meant, request, place.allowed);
      const { endpoint } = route;
      if (endpoint.ownPagesOnly && request.headers.origin !== undefined && !isOwnOrigin(request)) throw badOrigin();
      const atHost = !endpoint.ignoreCredentials && this.#isHost(request);
      const viewer = this.#viewer(route, request, atHost);
      if (!atHost) {
        if (!viewer || viewer.id === 0) standing = this.#byAddress?.count(addressOf(request));
        else if (this.#byUser && endpoint.countsTowardsLimit?.(fields) !== false)
          standing = this.#byUser.count(viewer.id);
      }
      if (viewer && !(atHost && !route.needsUser)) refuseByRole(endpoint, viewer);
      const params = route.reader.read(fields, values);
      const call = new OpenCall(viewer, atHost, params, this.#options, route, request, response, this.#clients);
      const result = endpoint.handle(call) as unknown;
      if (result instanceof Promise) {
        result.then(
          (value) => this.#succeed(value, route as Route, fields, response, standing, call.headers),
          (error) => this.#fail(error, route, response, standing),
        );
      } else {
        this.#succeed(result, route, fields, response, standing, call.headers);
      }
    } catch (error) {
      this.#fail(error, route, response, standing);
    }
  }

  #isHost(request: IncomingMessage): boolean {
    try {
      return this.#host.isIn(request.headers.authorization);
    } catch (error) {
      this.#byAddress?.count(addressOf(request));
      throw error;
    }
  }

  /** Who calls; a refused sign-in counts against the address. */
  #viewer(route: Route, request: IncomingMessage, atHost: boolean): V | null {
    const { who, ignoreCredentials, spectators } = route.endpoint;
    const { authorization } = request.headers;
    if (atHost) {
      const owner = this.#options.hostActsAs?.() ?? null;
      if (!owner && route.needsUser) throw unauthorized("There is no owner yet whom the host could act as.");
      return owner;
    }
    if (ignoreCredentials) return null;
    try {
      if (authorization === undefined) {
        const viewer = who === "host" ? undefined : this.#viewerBySession(request);
        if (viewer || who === "anyone") return viewer ?? null;
        // Whose session has ended is told so.
        const stranger = spectators && sessionIn(request) === undefined ? this.#options.spectator?.() : undefined;
        if (stranger) return stranger;
      }
      if (who === "host") throw unauthorized("This is for the host.", "Bearer");
      const [email, key] = this.#credentials.parse(authorization);
      return this.#options.identify(email, key);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.#byAddress?.count(addressOf(request));
      throw error;
    }
  }

  #viewerBySession(request: IncomingMessage): V | undefined {
    const { identifySession } = this.#options;
    const token = identifySession && sessionIn(request);
    if (token === undefined) return undefined;
    if (request.method !== "GET" && request.method !== "HEAD" && !isOwnOrigin(request)) throw badOrigin();
    return identifySession?.(token);
  }

  #succeed(
    result: unknown,
    route: Route,
    fields: Fields,
    response: ServerResponse,
    standing: Standing | undefined,
    headers: Readonly<Record<string, string>> | undefined,
  ) {
    let body: string | Uint8Array;
    try {
      const ignored = fields.size === 0 ? undefined : route.reader.ignored(fields);
      if (this.#options.checkResponses) checkResponse(route, result);
      if (result instanceof RawJson) {
        return this.#send(response, 200, ignored ? withIgnored(result.body, ignored) : result.body, standing, headers);
      }
      body = successBody(result as object | undefined, ignored);
    } catch (error) {
      return this.#fail(error, route, response, standing);
    }
    this.#sendDurably(response, 200, body, standing, headers);
  }

  #fail(error: unknown, route: Route | undefined, response: ServerResponse, standing: Standing | undefined) {
    const { answer, unexpected } = toApiError(error);
    // What a handler throws when its caller has gone is not news.
    if (unexpected && !(response.destroyed && (error as Error)?.name === "AbortError")) {
      this.#options.logger.error(`${route?.endpoint.route ?? "A request"} failed`, error);
    }
    const headers =
      answer.status === 401 ? { ...answer.headers, "www-authenticate": challenge(answer, response) } : answer.headers;
    if (route) this.#sendDurably(response, answer.status, errorBody(answer), standing, headers);
    else this.#send(response, answer.status, errorBody(answer), standing, headers);
  }

  /** The barrier: nothing leaves before everything that the handler could have seen is on disk. */
  #sendDurably(
    response: ServerResponse,
    status: number,
    body: string,
    standing: Standing | undefined,
    headers?: Readonly<Record<string, string>>,
  ) {
    let pending: Promise<void> | undefined;
    try {
      const { store } = this.#options;
      pending = store.durable(store.seq);
    } catch (error) {
      return this.#undurable(error, response);
    }
    if (pending === undefined) return this.#send(response, status, body, standing, headers);
    pending.then(
      () => this.#send(response, status, body, standing, headers),
      (error) => this.#undurable(error, response),
    );
  }

  #undurable(error: unknown, response: ServerResponse) {
    const { answer, unexpected } = toApiError(error);
    if (unexpected) this.#options.logger.error("Waiting for the log failed", error);
    this.refuse(
      response,
      answer.status === 503 ? answer : unavailable("The server's storage has failed; it is starting again."),
    );
  }

  #send(
    response: ServerResponse,
    status: number,
    body: string | Uint8Array,
    standing: Standing | undefined,
    extra?: Readonly<Record<string, string>>,
  ) {
    if (response.destroyed || response.headersSent) return;
    const headers: (string | number)[] = [
      "content-type",
      "application/json",
      "content-length",
      typeof body === "string" ? Buffer.byteLength(body) : body.length,
      "cache-control",
      "no-store",
      "x-content-type-options",
      "nosniff",
    ];
    if (standing) {
      const { limit, remaining, reset } = standing;
      headers.push("x-ratelimit-limit", limit, "x-ratelimit-remaining", remaining, "x-ratelimit-reset", reset);
    }
    if (extra) {
      for (const name in extra) {
        if (!standing || !name.startsWith("x-ratelimit-")) headers.push(name, extra[name] as string);
      }
    }
    if (this.closing && !extra?.connection) headers.push("connection", "close");
    response.writeHead(status, headers as string[]);
    response.end(body);
  }
}

/** How to sign in. A browser that hears of Basic asks for name and password in a window of its own, over our page. */
function challenge(answer: ApiError, { req: request }: ServerResponse): string {
  if (/^Mozilla\//.test(request.headers["user-agent"] ?? "")) return 'Session realm="hearth"';
  return answer.headers["www-authenticate"] ?? 'Basic realm="zulip"';
}

/** The path of a request line: a proxy's absolute form loses its origin. */
function pathOf(target: string): string {
  if (target.charCodeAt(0) === 47 || target === "*") return target;
  return target.replace(/^https?:\/\/[^/]*/i, "") || "/";
}

function checkResponse({ endpoint }: Route, result: unknown) {
  let fields = result as Record<string, unknown> | undefined;
  if (result instanceof RawJson) {
    if (endpoint.response === undefined) return;
    const { result: _result, msg: _msg, ...rest } = JSON.parse(Buffer.from(result.body as string).toString("utf8"));
    fields = rest;
  }
  if (endpoint.response === undefined) {
    if (Object.keys(fields ?? {}).length > 0)
      throw new Error(`${endpoint.route} declares no response, but answers with one`);
    return;
  }
  const parsed = endpoint.response.safeParse(fields);
  if (!parsed.success) throw new Error(`${endpoint.route} answers otherwise than it declares: ${parsed.error.message}`);
}
