import { setTimeout as pause } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { Failure, problem } from "../../errors.ts";
import { asPostFailed, mayPass, PostFailed, redirected, retryAfterMs } from "../../integrations/outgoing/post.ts";
import { VERSION } from "../../version.ts";

const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 1000;
const MAX_RETRY_AFTER_MS = 15 * 60_000;
const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_ANSWER_BYTES = 64 << 10;

/** Other hosts of Slack serve pictures, which need no token. */
const TOKEN_HOSTS = ["slack.com", "files.slack.com"];
const TOKEN_CHECK = new URL("https://slack.com/api/auth.test");
const SCOPE = "files:read";
/** Slack's own failures, in responses with status 200. */
const TEMPORARY = ["fatal_error", "internal_error", "ratelimited", "request_timeout", "service_unavailable"];

export interface Wanted {
  /** Bytes, as the export says. */
  readonly size?: number | undefined;
  readonly maxBytes: number;
  /** The part that is already there. The response can be the whole file, the rest (206), or no range (416). */
  readonly begun?: { readonly bytes: number; readonly validator?: string | undefined } | undefined;
}

/** Requests to Slack only, with a token for the hosts that need one. No error contains a token. */
export class SlackRequests {
  readonly #agent: Dispatcher;
  readonly #token: string | undefined;
  readonly #signal: AbortSignal;
  readonly #pause: (ms: number) => Promise<unknown>;
  /** Slack asks for this pause. */
  #held: Promise<unknown> = Promise.resolve();

  constructor(
    agent: Dispatcher,
    {
      token,
      signal,
      pauseFor = (ms) => pause(ms, undefined, { signal }),
    }: { token: string | undefined; signal: AbortSignal; pauseFor?: ((ms: number) => Promise<unknown>) | undefined },
  ) {
    if (token !== undefined && !/^xox[\w.-]+$/.test(token)) throw new Failure(problem("slack_token_malformed"));
    this.#agent = agent;
    this.#token = token;
    this.#signal = signal;
    this.#pause = pauseFor;
  }

  /** Repeats failures that may pass, after pauses. */
  async retried<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#held;
      try {
        return await work();
      } catch (error) {
        this.#signal.throwIfAborted();
        if (!(error instanceof PostFailed && error.again) || attempt === MAX_ATTEMPTS) throw error;
      }
      await this.#pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }

  /** Does nothing without a token. @throws Failure if it is not valid. */
  async checkToken(): Promise<void> {
    if (this.#token === undefined) return;
    const { headers, error } = await this.retried(async () => {
      const response = await this.#respond(TOKEN_CHECK, this.#token, { maxBytes: MAX_ANSWER_BYTES });
      const error = await errorIn(response.body);
      if (error !== undefined && TEMPORARY.includes(error))
        throw new PostFailed(problem("slack_token_refused", { cause: error }), true);
      return { headers: response.headers, error };
    });
    if (error !== undefined) throw new Failure(problem("slack_token_refused", { cause: error }));
    const scopes = textOf(headers["x-oauth-scopes"])?.split(/\s*,\s*/) ?? [];
    // Old kinds of tokens have other scopes, without a colon.
    if (scopes.some((scope) => scope.includes(":")) && !scopes.includes(SCOPE))
      throw new Failure(problem("slack_token_scope_missing", { scope: SCOPE }));
  }

  /**
   * The response with the file. The token in a URL goes first: it is for all files of the export, and the other token only
   * for files that its owner can see. Consume the body.
   * @throws PostFailed
   */
  async get(url: URL, wanted: Wanted): Promise<Dispatcher.ResponseData> {
    if (this.#token === undefined || !url.searchParams.has("t")) return this.#respond(url, this.#token, wanted);
    try {
      return await this.#respond(url, undefined, wanted);
    } catch (error) {
      if (!(error instanceof PostFailed) || error.again) throw error;
      return await this.#respond(url, this.#token, wanted);
    }
  }

  async #respond(url: URL, token: string | undefined, wanted: Wanted): Promise<Dispatcher.ResponseData> {
    const response = await this.#request(url, token, rangeHeaders(wanted));
    const refusal = refusalOf(response, wanted);
    if (!refusal) return response;
    await response.body.dump();
    if (refusal.again) this.#hold(retryAfterMs(textOf(response.headers["retry-after"]), Date.now()));
    throw refusal;
  }

  async #request(
    url: URL,
    token: string | undefined,
    headers: Record<string, string>,
  ): Promise<Dispatcher.ResponseData> {
    let target = url;
    for (let redirects = 0; ; redirects += 1) {
      const response = await this.#exchange(target, token, headers);
      // A body that nobody reads fails too when the connections are closed.
      response.body.on("error", () => {});
      const location = textOf(response.headers["location"]);
      if (!REDIRECTS.includes(response.statusCode) || location === undefined) return response;
      await response.body.dump();
      if (redirects === MAX_REDIRECTS)
        throw new PostFailed(problem("too_many_redirects", { count: MAX_REDIRECTS }), false);
      target = redirected(target, location);
    }
  }

  async #exchange(
    url: URL,
    token: string | undefined,
    headers: Record<string, string>,
  ): Promise<Dispatcher.ResponseData> {
    if (!isOfSlack(url)) throw new PostFailed(problem("slack_url_foreign", { url: withoutQuery(url.href) }), false);
    try {
      return await this.#agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: "GET",
        headers: {
          ...headers,
          "accept-encoding": "identity",
          "user-agent": `Hearth/${VERSION}`,
          ...(token !== undefined && TOKEN_HOSTS.includes(url.hostname) && { authorization: `Bearer ${token}` }),
        },
        signal: this.#signal,
      });
    } catch (error) {
      const failed = asPostFailed(error);
      if (!failed.problem.reason.startsWith("webhook_address_")) throw failed;
      throw new PostFailed(problem("slack_address_not_public", { host: url.hostname }), false);
    }
  }

  #hold(ms: number): void {
    if (ms === 0) return;
    this.#held = Promise.all([this.#held, this.#pause(Math.min(ms, MAX_RETRY_AFTER_MS))]);
    this.#held.catch(() => {}); // thrown by the next await
  }
}

const isOfSlack = ({ protocol, hostname, port }: URL): boolean =>
  protocol === "https:" &&
  port === "" &&
  (hostname === "slack.com" || hostname.endsWith(".slack.com") || hostname.endsWith(".slack-edge.com"));

const MAX_SHOWN = 200;

/** The query may have a token. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: "", pathname: url.split(/[?#]/)[0] ?? "" };
  return `${origin}${pathname}`.slice(0, MAX_SHOWN);
}

/** The pieces of a body. @throws PostFailed */
export async function* received(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* body;
  } catch (error) {
    throw asPostFailed(error);
  }
}

export const tooLarge = (maxBytes: number): PostFailed =>
  new PostFailed(problem("slack_file_too_large", { max: Math.ceil(maxBytes / (1 << 20)) }), false);

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

const rangeHeaders = ({ begun }: Wanted): Record<string, string> =>
  begun === undefined
    ? {}
    : { range: `bytes=${begun.bytes}-`, ...(begun.validator !== undefined && { "if-range": begun.validator }) };

export function lengthOf({ "content-length": length }: Dispatcher.ResponseData["headers"]): number | undefined {
  const bytes = textOf(length);
  return bytes === undefined ? undefined : Number(bytes);
}

/** The header that identifies this version of the file. Weak ETags do not identify bytes. */
export function validatorIn({ etag, "last-modified": modified }: Dispatcher.ResponseData["headers"]) {
  const tag = textOf(etag);
  return tag?.startsWith('"') ? tag : textOf(modified);
}

/** The header Content-Range: `bytes 100-199/200`. */
export function rangeIn({ "content-range": range }: Dispatcher.ResponseData["headers"]) {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(textOf(range) ?? "") ?? [];
  return { start: Number(start), total: Number(total) };
}

function refusalOf({ statusCode, headers }: Dispatcher.ResponseData, wanted: Wanted): PostFailed | undefined {
  if (wanted.begun && (statusCode === 206 || statusCode === 416)) return undefined;
  if (statusCode === 200 && !isSignInPage(headers, wanted.size))
    return (lengthOf(headers) ?? 0) > wanted.maxBytes ? tooLarge(wanted.maxBytes) : undefined;
  if ([200, 401, 403].includes(statusCode)) return new PostFailed(problem("slack_file_not_readable"), false);
  if ([404, 410].includes(statusCode)) return new PostFailed(problem("slack_file_not_found"), false);
  return new PostFailed(problem("slack_http_status", { status: statusCode }), mayPass(statusCode));
}

/** Slack redirects to this page, with status 200, if the token cannot read the file. The file can be HTML too. */
function isSignInPage(headers: Dispatcher.ResponseData["headers"], size: number | undefined): boolean {
  if (!/^text\/html\b/i.test(textOf(headers["content-type"]) ?? "")) return false;
  if (/^attachment\b/i.test(textOf(headers["content-disposition"]) ?? "")) return false;
  return size === undefined || lengthOf(headers) !== size;
}

/** The error code in a response of Slack's API. */
async function errorIn(body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of received(body)) {
    bytes += piece.length;
    if (bytes > MAX_ANSWER_BYTES) throw tooLarge(MAX_ANSWER_BYTES);
    pieces.push(piece);
  }
  try {
    const { ok, error } = JSON.parse(Buffer.concat(pieces).toString()) as { ok?: unknown; error?: unknown };
    if (ok === true) return undefined;
    return typeof error === "string" && /^[a-z_]{1,60}$/.test(error) ? error : "unknown";
  } catch {
    return "unknown";
  }
}
