import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reader } from "../storage/transaction.ts";
import type { RawBody } from "./body.ts";
import { addressOf, clientOf, hostOf, isEncrypted, isForwarded, isLocal, requestSource } from "./caller.ts";
import type { Call, RawRequest, Transact, Viewer } from "./endpoint.ts";
import type { ReceivedFile } from "./multipart.ts";
import { BODY_LIMIT, type HttpOptions } from "./options.ts";
import type { Fields } from "./params.ts";
import type { RateLimitStatus } from "./rate-limits.ts";
import type { Route, RoutePath } from "./routes.ts";
import { sessionCookie, sessionIn } from "./session-cookie.ts";

const NO_FIELDS: Fields = new Map();
const NO_FILES: readonly ReceivedFile[] = [];
const NO_PARAMS: Record<string, unknown> = {};

/**
 * A request to an endpoint. Each stage of stages.ts fills in its part, and then the handler gets it. The getters are lazy,
 * since most handlers use two or three of them.
 */
export class RequestCall implements Call<unknown, Viewer | null, Record<string, unknown>> {
  readonly path: RoutePath;
  /** Undefined until the body has named the method. */
  route: Route | undefined;
  fields: Fields = NO_FIELDS;
  isSignedIn = false;
  viewer: Viewer | null = null;
  isOperator = false;
  /** Whether the call waits for its turn, and its response is written in turns (turns.ts). */
  takesTurns = false;
  rateLimit: RateLimitStatus | undefined;
  params = NO_PARAMS;
  files = NO_FILES;
  /** For endpoints that read the request themselves. */
  rawBody: RawBody | undefined;
  rawQuery: Fields = NO_FIELDS;
  /** The headers of a successful response. */
  headers: Record<string, string> | undefined;
  readonly options: HttpOptions<unknown, Viewer>;
  readonly request: IncomingMessage;
  /** Uses the clock of `performance`. */
  readonly startedAt = performance.now();
  readonly #response: ServerResponse;

  constructor(
    options: HttpOptions<unknown, Viewer>,
    path: RoutePath,
    route: Route | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    this.options = options;
    this.path = path;
    this.route = route;
    this.request = request;
    this.#response = response;
  }

  get bodyLimit(): number {
    return this.options.bodyLimit ?? BODY_LIMIT;
  }

  get reader(): Reader {
    return this.options.store.reader;
  }

  get app(): unknown {
    return this.options.app;
  }

  get transact(): Transact {
    const about = {
      actor: this.viewer?.id || null,
      action: this.route?.endpoint.route as string,
      origin: this.isOperator ? "desktop" : "api",
      act: this.request,
    };
    return (fn) => this.options.store.transact(about, fn);
  }

  get raw(): RawRequest {
    const { method = "", headers, url = "" } = this.request;
    return {
      method,
      url: `${this.baseUrl}${url}`,
      headers: headers as Record<string, string | undefined>,
      query: this.rawQuery,
      form: this.rawBody?.form ?? NO_FIELDS,
      body: this.rawBody?.bytes ?? Buffer.alloc(0),
      refusal: this.rawBody?.refusal,
    };
  }

  get caller(): number | string {
    const id = this.viewer?.id;
    return id ? (this.options.answerableFor?.(id) ?? id) : this.source;
  }

  get client(): string {
    return clientOf(this.request);
  }

  get userAgent(): string {
    return this.request.headers["user-agent"] ?? "";
  }

  get address(): string {
    return addressOf(this.request);
  }

  get source(): string {
    return requestSource(this.request);
  }

  get isForwarded(): boolean {
    return isForwarded(this.request);
  }

  get isLocal(): boolean {
    return isLocal(this.request);
  }

  get baseUrl(): string {
    return this.options.baseUrl?.() ?? `${isEncrypted(this.request) ? "https" : "http"}://${hostOf(this.request)}`;
  }

  get session(): string | undefined {
    return sessionIn(this.request);
  }

  setSession(token: string, seconds: number): void {
    this.headers = { "set-cookie": sessionCookie(this.request, token, seconds) };
  }

  removeSession(): void {
    this.setSession("", 0);
  }

  onGone(listener: () => void): void {
    const response = this.#response;
    if (response.destroyed) listener();
    else
      response.once("close", () => {
        if (!response.writableFinished) listener();
      });
  }

  /** Calls back after the response, or when the client disconnects; immediately if that has happened. */
  onAnswered(listener: () => void): void {
    if (this.#response.destroyed) listener();
    else this.#response.once("close", listener);
  }
}
