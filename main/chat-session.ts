import type { Session } from "electron";
import { VERSION } from "../server/version.ts";
import {
  asOperator,
  type Credential,
  callServer,
  type ForwardedRequest,
  type Forwarding,
  forward,
  notReady,
  ownHost,
  type Upstream,
} from "./protocol.ts";

/** The chat window's storage has the cookie under this URL, which its page cannot reach. */
const COOKIE = { url: "http://127.0.0.1/", name: "hearth_session" };
/** Chromium deletes it after this time. The server decides when a session ends. */
const STORED_SECONDS = 365 * 24 * 3600;
const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { win32: "Windows", darwin: "Macintosh" };
/** For the list of sessions, and for the server's count of people online. */
const AGENT = { "user-agent": `HearthDesktop/${VERSION} (${SYSTEMS[process.platform] ?? "Linux"})` };

interface SignedIn {
  readonly token: string;
  readonly userId: number;
}
type SessionAnswer = { user: { user_id: number } | null };

/**
 * The sign-in of the chat window: a session of the first owner, as in a browser. The operator's token creates it, and the
 * page gets neither. A new session replaces one that has ended.
 */
export class ChatSession {
  readonly #storage: Session;
  /** Called when the window has another user than before. */
  readonly #onOtherUser: () => void;
  #signedIn: Promise<SignedIn> | undefined;
  #userId: number | undefined;

  constructor(storage: Session, onOtherUser: () => void) {
    this.#storage = storage;
    this.#onOtherUser = onOtherUser;
  }

  /** Call it when the server starts: it can have another folder, or another first owner. */
  checkAgain(): void {
    this.#signedIn = undefined;
  }

  /** Sends a request of the page. */
  readonly forward: Forwarding = async (upstream, request) => {
    const sent = await this.#send(upstream, request).catch(() => undefined);
    if (!sent) return notReady(); // no session yet: the server stops, or has no owner
    const { response, token } = sent;
    // The response to a wrong password is 401 too.
    if (response.status !== 401 || (await this.#isValid(upstream, token))) return response;
    await this.#forget(token);
    if (request.body) return notReady(); // it is used up, so the page sends it again
    return (await this.#send(upstream, request).catch(() => undefined))?.response ?? notReady();
  };

  async #send(upstream: Upstream, request: ForwardedRequest): Promise<{ response: Response; token: string }> {
    const { token, userId } = await this.#session(upstream);
    const response = await forward(upstream, request, credentialOf(upstream, token), (headers) => {
      const replacement = tokenIn(headers["set-cookie"]);
      if (replacement === undefined) return;
      // A new password ends the old session.
      this.#signedIn = Promise.resolve({ token: replacement, userId });
      void this.#store(replacement);
    });
    return { response, token };
  }

  #session(upstream: Upstream): Promise<SignedIn> {
    if (this.#signedIn) return this.#signedIn;
    const signingIn = this.#signIn(upstream);
    this.#signedIn = signingIn;
    signingIn.catch(() => {
      if (this.#signedIn === signingIn) this.#signedIn = undefined; // the next request tries again
    });
    return signingIn;
  }

  /** The stored session if it is of the first owner, otherwise a new one. */
  async #signIn(upstream: Upstream): Promise<SignedIn> {
    const { user: owner } = await callServer<SessionAnswer>(upstream, "GET", "/host/session");
    const [stored] = await this.#storage.cookies.get(COOKIE);
    if (stored && owner) {
      const { user } = await this.#ask(upstream, stored.value);
      if (user?.user_id === owner.user_id) return this.#use({ token: stored.value, userId: owner.user_id });
    }
    const credential = { ...asOperator(upstream), ...AGENT };
    const { token, user_id } = await callServer<{ token: string; user_id: number }>(
      upstream,
      "POST",
      "/host/sessions",
      credential,
    );
    await this.#store(token);
    return this.#use({ token, userId: user_id });
  }

  #use(signedIn: SignedIn): SignedIn {
    const { userId } = signedIn;
    if (this.#userId !== undefined && this.#userId !== userId) this.#onOtherUser();
    this.#userId = userId;
    return signedIn;
  }

  #ask(upstream: Upstream, token: string): Promise<SessionAnswer> {
    return callServer(upstream, "GET", "/host/session", credentialOf(upstream, token));
  }

  /** Also true if the server does not respond. */
  #isValid(upstream: Upstream, token: string): Promise<boolean> {
    return this.#ask(upstream, token).then(
      ({ user }) => user !== null,
      () => true,
    );
  }

  /** Several requests can notice the same end. */
  async #forget(token: string): Promise<void> {
    const current = await this.#signedIn?.catch(() => undefined);
    if (current?.token === token) this.#signedIn = undefined;
  }

  /** Without it, the next start of the app creates another session. */
  async #store(value: string): Promise<void> {
    const expirationDate = Date.now() / 1000 + STORED_SECONDS;
    await this.#storage.cookies
      .set({ ...COOKIE, value, httpOnly: true, sameSite: "strict", expirationDate })
      .then(() => this.#storage.cookies.flushStore())
      .catch(() => {});
  }
}

/** The cookie has the server's port in its name, and changes need the server's own origin. */
function credentialOf({ url }: Upstream, token: string): Credential {
  const host = ownHost(url);
  const { port } = new URL(url);
  return { host, origin: `http://${host}`, cookie: `hearth_session_${port}=${token}`, ...AGENT };
}

/** Undefined if the response changes no session. */
function tokenIn(cookies: string[] | undefined): string | undefined {
  return /^hearth_session_\d+=([\w-]+);/.exec(cookies?.join("\n") ?? "")?.[1];
}
