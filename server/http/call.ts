import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reader } from "../storage/transaction.ts";
import type { RawBody } from "./body.ts";
import { addressOf, clientOf, hostOf, isEncrypted, isForwarded, isLocal, requestSource } from "./caller.ts";
import type { Call, RawRequest, Transact, Viewer } from "./endpoint.ts";
import type { ReceivedFile } from "./multipart-files.ts";
import type { HttpOptions } from "./options.ts";
import type { Fields } from "./params.ts";
import type { RateLimitStatus } from "./rate-limits.ts";
import type { Route } from "./routes.ts";
import { sessionCookie, sessionIn } from "./session-cookie.ts";

const NO_FIELDS: Fields = new Map();
const NO_FILES: readonly ReceivedFile[] = [];
const NO_PARAMS: Record<string, unknown> = {};

/**
 * A request on its way through the stages of mount.ts, each of which fills in its part, and then as its handler sees
 * it. What handlers ask for is computed when they do; most ask for two or three things.
 */
export class RequestCall<App, V extends Viewer> implements Call<App, V | null, Record<string, unknown>> {
  /** Undefined until the body has said which method is meant. */
  route: Route | undefined;
  fields: Fields = NO_FIELDS;
  isSignedIn = false;
  viewer: V | null = null;
  atDesktop = false;
  /** Whether it waits for its turn, and its answer is written in turns (turns.ts). */
  takesTurns = false;
  rateLimit: RateLimitStatus | undefined;
  params = NO_PARAMS;
  files = NO_FILES;
  /** Where the endpoint reads the request itself. */
  rawBody: RawBody | undefined;
  rawQuery: Fields = NO_FIELDS;
  /** Of the answer, where it succeeds. */
  headers: Record<string, string> | undefined;
  readonly request: IncomingMessage;
  /** By the clock of `performance`. */
  readonly startedAt = performance.now();
  readonly #response: ServerResponse;
  readonly #options: HttpOptions<App, V>;

  constructor(
    options: HttpOptions<App, V>,
    route: Route | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    this.#options = options;
    this.route = route;
    this.request = request;
    this.#response = response;
  }

  get reader(): Reader {
    return this.#options.store.reader;
  }

  get app(): App {
    return this.#options.app;
  }

  get transact(): Transact {
    const about = {
      actor: this.viewer?.id || null,
      action: this.route?.endpoint.route as string,
      origin: this.atDesktop ? "desktop" : "api",
      act: this.request,
    };
    return (fn) => this.#options.store.transact(about, fn);
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

  /** Who takes turns with others: turns.ts. */
  get caller(): number | string {
    const id = this.viewer?.id;
    return id ? (this.#options.answerableFor?.(id) ?? id) : this.source;
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
    return this.#options.baseUrl?.() ?? `${isEncrypted(this.request) ? "https" : "http"}://${hostOf(this.request)}`;
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

  /** Calls back when the answer is out, or the caller has gone; at once if that was before. */
  onAnswered(listener: () => void): void {
    if (this.#response.destroyed) listener();
    else this.#response.once("close", listener);
  }
}
