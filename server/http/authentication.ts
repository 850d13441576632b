import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ApiError, badRequest, problem, unauthorizedPrincipal } from "../errors.ts";
import type { AnyEndpoint, Viewer } from "./endpoint.ts";
import type { HttpOptions } from "./options.ts";
import type { RequestLimits } from "./rate-limits.ts";
import type { Route } from "./routes.ts";
import { badOrigin, isOwnOrigin, sessionIn } from "./session-cookie.ts";

type UnauthorizedReason =
  | "authentication_required"
  | "authorization_header_malformed"
  | "operator_credential_wrong"
  | "owner_missing"
  | "operator_only";

export const unauthorized = (reason: UnauthorizedReason = "authentication_required", scheme = 'Basic realm="zulip"') =>
  new ApiError("UNAUTHORIZED", problem(reason), {}, { status: 401, headers: { "www-authenticate": scheme } });

/** Parses `Authorization: Basic …` and caches the parsed headers, valid or not. */
export class BasicCredentials {
  readonly #parsed = new Map<string, readonly [email: string, key: string]>();

  /** @throws UNAUTHORIZED for a missing or malformed header. */
  parse(header: string | undefined): readonly [email: string, key: string] {
    if (header === undefined) throw unauthorized();
    const cached = this.#parsed.get(header);
    if (cached) return cached;
    const encoded = /^basic +([a-z0-9+/]+={0,2}) *$/i.exec(header)?.[1];
    const plain = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
    const colon = plain.indexOf(":");
    if (colon <= 0 || colon === plain.length - 1) throw unauthorized("authorization_header_malformed");
    const pair = [plain.slice(0, colon), plain.slice(colon + 1)] as const;
    if (header.length <= 1000) {
      if (this.#parsed.size >= 5000) this.#parsed.delete(this.#parsed.keys().next().value as string);
      this.#parsed.set(header, pair);
    }
    return pair;
  }
}

/** Compares `Authorization: Bearer …` with the operator's credential in constant time. */
export class OperatorCredential {
  readonly #digest: Buffer | undefined;

  constructor(token: string | undefined) {
    this.#digest = token ? digest(token) : undefined;
  }

  /** True for the operator, false for another scheme. @throws UNAUTHORIZED for a wrong token. */
  isIn(header: string | undefined): boolean {
    if (header === undefined || !/^bearer /i.test(header)) return false;
    if (this.#digest && timingSafeEqual(digest(header.slice(7).trim()), this.#digest)) return true;
    throw unauthorized("operator_credential_wrong", "Bearer");
  }
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Identifies the caller by the operator's credential, an API key or a session. */
export class Authentication {
  readonly #options: HttpOptions<unknown, Viewer>;
  readonly #limits: RequestLimits;
  readonly #credentials = new BasicCredentials();
  readonly #operator: OperatorCredential;

  constructor(options: HttpOptions<unknown, Viewer>, limits: RequestLimits) {
    this.#options = options;
    this.#limits = limits;
    this.#operator = new OperatorCredential(options.operatorToken);
  }

  /** The viewer is null if the route needs no account. A failed sign-in counts towards the limit of the address. */
  viewerOf(request: IncomingMessage, route: Route): { viewer: Viewer | null; isOperator: boolean } {
    try {
      const isOperator = !route.endpoint.ignoreCredentials && this.#operator.isIn(request.headers.authorization);
      return { isOperator, viewer: isOperator ? this.#operatorsViewer(route) : this.#viewer(request, route) };
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.#limits.countAddress(request);
      throw error;
    }
  }

  #operatorsViewer({ needsUser }: Route): Viewer | null {
    const owner = this.#options.operatorActsAs?.() ?? null;
    if (!owner && needsUser) throw unauthorized("owner_missing");
    return owner;
  }

  #viewer(request: IncomingMessage, { endpoint }: Route): Viewer | null {
    const { who, ignoreCredentials, spectators } = endpoint;
    const { authorization } = request.headers;
    if (ignoreCredentials) return null;
    if (authorization === undefined) {
      const viewer = who === "operator" ? undefined : this.#viewerBySession(request);
      if (viewer || who === "anyone") return viewer ?? null;
      // A client with an expired session gets 401, not the spectator's view.
      const spectator = spectators && sessionIn(request) === undefined ? this.#options.spectator?.() : undefined;
      if (spectator) return spectator;
    }
    if (who === "operator") throw unauthorized("operator_only", "Bearer");
    const [email, key] = this.#credentials.parse(authorization);
    return this.#options.identify(email, key);
  }

  #viewerBySession(request: IncomingMessage): Viewer | undefined {
    const { identifySession } = this.#options;
    const token = identifySession && sessionIn(request);
    if (token === undefined) return undefined;
    if (request.method !== "GET" && request.method !== "HEAD" && !isOwnOrigin(request)) throw badOrigin();
    return identifySession?.(token);
  }
}

const MAX_ROLE = {
  guest: 600,
  member: 400,
  moderator: 300,
  administrator: 200,
  owner: 100,
  "operator or administrator": 200,
  "operator or owner": 100,
} as const;
const REFUSALS = {
  moderator: "moderators_only",
  administrator: "administrators_only",
  owner: "owners_only",
  "operator or administrator": "administrators_only",
  "operator or owner": "owners_only",
} as const;

/** Refuses by role and kind of account, before parameters are read: docs/protocol.md#order-of-checks. */
export function assertRole(endpoint: AnyEndpoint, viewer: Viewer): void {
  const { who, bots = true, incomingWebhooks = false, refusal } = endpoint;
  if (viewer.bot_type === 2 && !incomingWebhooks) throw badRequest("incoming_webhooks_not_allowed");
  if (viewer.is_bot && !bots) throw badRequest("bots_not_allowed");
  if (who === "anyone" || who === "operator") return;
  if (viewer.role <= MAX_ROLE[who as keyof typeof MAX_ROLE]) return;
  if (refusal) throw refusal();
  if (viewer.role > 400) throw badRequest("guests_not_allowed");
  throw unauthorizedPrincipal(REFUSALS[who as keyof typeof REFUSALS]);
}
