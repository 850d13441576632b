import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reader } from "../storage/transaction.ts";
import type { DispatchOptions } from "./dispatch.ts";
import type { Call, Transact, Viewer } from "./endpoint.ts";
import type { Route } from "./router.ts";
import { sessionCookie, sessionIn } from "./session-cookie.ts";

/** The caller's address; IPv4 in its own notation also where the socket speaks IPv6. */
export function addressOf(request: IncomingMessage): string {
  const address = request.socket.remoteAddress ?? "";
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}

/** A request as its handler sees it. Members are computed when a handler asks for them; most ask for two or three. */
export class OpenCall<App, V extends Viewer> implements Call<App, V | null, Record<string, unknown>> {
  readonly viewer: V | null;
  readonly params: Record<string, unknown>;
  readonly atDesktop: boolean;
  /** Of the answer, where it succeeds. */
  headers: Record<string, string> | undefined;
  readonly #options: DispatchOptions<App, V>;
  readonly #route: Route;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #clients: Map<string, string>;

  constructor(
    viewer: V | null,
    atHost: boolean,
    params: Record<string, unknown>,
    options: DispatchOptions<App, V>,
    route: Route,
    request: IncomingMessage,
    response: ServerResponse,
    clients: Map<string, string>,
  ) {
    this.viewer = viewer;
    this.atDesktop = atHost;
    this.params = params;
    this.#options = options;
    this.#route = route;
    this.#request = request;
    this.#response = response;
    this.#clients = clients;
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
      action: this.#route.endpoint.route as string,
      origin: this.atDesktop ? "desktop" : "api",
    };
    return (fn) => this.#options.store.transact(about, fn);
  }

  get client(): string {
    const agent = this.#request.headers["user-agent"] ?? "";
    let client = this.#clients.get(agent);
    if (client === undefined) {
      client = (/^\s*([^\s/]*)/.exec(agent)?.[1] ?? "").slice(0, 30) || "unspecified";
      if (this.#clients.size >= 500) this.#clients.clear();
      if (agent.length <= 500) this.#clients.set(agent, client);
    }
    return client;
  }

  get address(): string {
    return addressOf(this.#request);
  }

  get baseUrl(): string {
    return this.#options.baseUrl?.() ?? `http://${this.#request.headers.host}`;
  }

  get session(): string | undefined {
    return sessionIn(this.#request);
  }

  setSession(token: string, seconds: number): void {
    this.headers = { "set-cookie": sessionCookie(this.#request, token, seconds) };
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
}
