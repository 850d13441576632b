/// <reference lib="dom" />
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { Window } from "happy-dom";
import type { Page } from "playwright-core";
import { transformSync } from "rolldown/utils";
import { newSessionToken } from "../../server/api/access/sessions.ts";
import { createSession } from "../../server/api/actions/sessions.ts";
import { emojiGroups } from "../../ui/build/emoji-groups.ts";
import type { App as ChatApp } from "../../ui/chat/App.tsx";
import type { Chat } from "./chat.ts";

// Shows the pages in this process. The DOM is happy-dom, which has no layout and no styles, and the server is real.

const EMOJI_GROUPS = "virtual:emoji-groups";
const CLASS_NAMES = "export default new Proxy({}, { get: (_, name) => String(name) });";

registerHooks({
  resolve(name, context, next) {
    if (name === EMOJI_GROUPS) return { url: name, format: "module", shortCircuit: true };
    // In Node, the router would render for a server.
    const isRouter = context.parentURL?.includes("/@tanstack/");
    return next(name, isRouter ? { ...context, conditions: ["browser", ...context.conditions] } : context);
  },
  load(url, context, next) {
    const loaded = (source: string) => ({ format: "module" as const, source, shortCircuit: true });
    if (url === EMOJI_GROUPS) return loaded(`export const groups = ${JSON.stringify(emojiGroups())}`);
    if (url.endsWith(".css")) return loaded(CLASS_NAMES);
    if (!url.endsWith(".tsx")) return next(url, context);
    const path = fileURLToPath(url);
    const { code, errors } = transformSync(path, readFileSync(path, "utf8"), { jsx: { runtime: "automatic" } });
    if (errors[0]) throw errors[0];
    return loaded(code);
  },
});

const window = new Window({ url: "http://localhost/", width: 1280, height: 800 });
/** Classes and objects of the window that Node has too. The server goes on with Node's. */
const TAKEN = ["localStorage", "sessionStorage", "navigator", "Event", "CustomEvent", "KeyboardEvent", "MouseEvent"];
for (const name of Object.getOwnPropertyNames(window)) {
  if (name in globalThis && !TAKEN.includes(name)) continue;
  Object.defineProperty(globalThis, name, { value: Reflect.get(window, name), configurable: true, writable: true });
}
globalThis.FormData = class extends FormData {
  constructor(form?: HTMLFormElement) {
    super();
    if (form) for (const [name, value] of new window.FormData(form as any)) this.append(name, value as string);
  }
};
// Lists without a height would show no row.
for (const size of ["offsetWidth", "offsetHeight", "clientWidth", "clientHeight"])
  Object.defineProperty(window.HTMLElement.prototype, size, { configurable: true, value: 4000 });

// There are no style sheets, and happy-dom would look for their rules for a long time.
globalThis.getComputedStyle = window.getComputedStyle = (({ style }: HTMLElement) => style) as any;
Object.defineProperty(document, "fonts", { value: new EventTarget() });

const [{ createElement }, { createRoot }, { MantineProvider }, { theme }] = await Promise.all([
  import("react"),
  import("react-dom/client"),
  import("@mantine/core"),
  import("../../ui/theme.ts"),
]);
const [{ createClient }, { ClientProvider }, { addTexts, loadErrors }, { liveTab }, { en }] = await Promise.all([
  import("../../ui/api/client.ts"),
  import("../../ui/api/client-context.ts"),
  import("../../ui/locales/i18n.ts"),
  import("../../ui/api/live-tab.ts"),
  import("../../ui/locales/en.ts"),
]);
const { timeoutManager } = await import("@tanstack/react-query");
// Its timers for unused responses would keep the process for minutes.
timeoutManager.setTimeoutProvider({
  setTimeout: (run, ms) => setTimeout(run, ms).unref(),
  clearTimeout: (timer) => clearTimeout(timer),
  setInterval: (run, ms) => setInterval(run, ms).unref(),
  clearInterval: (timer) => clearInterval(timer),
});
const { RenderedPage } = await import("./rendered-page.ts");
await addTexts(en, () => Promise.resolve({ texts: {} }));
await loadErrors();
liveTab().close(); // its timer; a page without a worker has its own connections

/** The cookie of a new session. */
async function signedIn(chat: Chat, who: string): Promise<string> {
  const [token, { store }] = [newSessionToken(), chat.server.app];
  const session = { token, userAgent: navigator.userAgent };
  store.transact({ actor: null, action: "test" }, (tx) => createSession(tx, chat.user(who), session));
  await store.durable();
  return `hearth_session_${new URL(chat.url).port}=${token}`;
}

/** Requests that wait for something to happen. */
const LONG_POLL = /\/events\b|\/host\/state|[?&]after=/;

type Send = (url: string, init?: RequestInit) => Promise<Response>;

interface ShowOptions {
  as?: string;
  /** Stands between the page and the server. */
  between?: (url: string, init: RequestInit | undefined, send: Send) => Promise<Response>;
}

export const showAdmin = async (chat: Chat, path: string, options: ShowOptions = {}) =>
  show(chat, `admin/#${path}`, options, (await import("../../ui/admin/App.tsx")).App as typeof ChatApp);
export const showChat = async (chat: Chat, hash = "", options: ShowOptions = {}) =>
  show(chat, hash, options, (await import("../../ui/chat/App.tsx")).App);

async function show(chat: Chat, path: string, options: ShowOptions, App: typeof ChatApp) {
  const { as = "desdemona", between = (url, init, send) => send(url, init) } = options;
  const cookie = await signedIn(chat, as);
  localStorage.clear();
  sessionStorage.clear();
  window.happyDOM.setURL(`${chat.url}/${path}`);
  const element = document.createElement("div");
  element.id = "root";
  document.body.replaceChildren(element);
  const root = createRoot(element);
  const pending = new Set<Promise<unknown>>();
  const send: Send = async (url, init) => {
    const response = fetch(url, { ...init, headers: { ...(init?.headers as object), cookie, origin: chat.url } });
    if (!LONG_POLL.test(url)) pending.add(response);
    return response.finally(() => pending.delete(response));
  };
  const client = createClient({
    baseUrl: chat.url,
    fetch: ((url: string, init?: RequestInit) => between(url, init, send)) as typeof fetch,
  });
  const page = createElement(ClientProvider, { value: client, children: createElement(App) });
  root.render(
    createElement(MantineProvider, {
      theme,
      env: "test",
      withCssVariables: false,
      withGlobalClasses: false,
      children: page,
    }),
  );
  chat.closePages.push(async () => {
    // Some requests of the page have no signal, and would be repeated until the server responds.
    await Promise.allSettled(pending);
    root.unmount();
  });
  // The calls of Playwright's page that these tests use.
  return new RenderedPage(document.body) as unknown as Page;
}
