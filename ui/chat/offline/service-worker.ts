// Opens the chat page while the server is unreachable, and shows Web Push notifications. It caches the page's own files;
// messages are in the copy of model/offline-copy.ts. It is a classic script without imports, because not every browser
// supports module workers.
import type { PushPayload } from "../../../server/notifications/web-push/payload.ts";
import type { PushedData } from "../notifications/web-push.ts";

/** The part of the worker's scope that this script uses; TypeScript's types are those of a page. */
interface WorkerScope {
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "push", listener: (event: PushEvent) => void): void;
  addEventListener(type: "notificationclick", listener: (event: NotificationEvent) => void): void;
  addEventListener(type: "pushsubscriptionchange", listener: (event: SubscriptionChange) => void): void;
  skipWaiting(): Promise<void>;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
}
interface WindowClient {
  readonly url: string;
  readonly visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}
interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface PushEvent extends ExtendableEvent {
  readonly data: { json(): PushPayload } | null;
}
interface NotificationEvent extends ExtendableEvent {
  readonly notification: Notification;
}
interface SubscriptionChange extends ExtendableEvent {
  readonly newSubscription?: PushSubscription | null;
}

const scope = globalThis as unknown as WorkerScope;
/** The build inserts the files of the chat page and a digest of their names (ui/vite.config.ts). */
const { files, version } = JSON.parse("SHELL") as { files: string[]; version: string };
const PREFIX = "hearth-shell-";
const CACHE = PREFIX + version;
const PAGE = "/";
/** Connections to a sleeping machine hang instead of failing. */
const TIMEOUT_MS = 3_000;

scope.addEventListener("install", (event) => {
  const store = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll([PAGE, ...files]);
    await scope.skipWaiting();
  };
  event.waitUntil(store());
});

scope.addEventListener("activate", (event) => {
  const takeOver = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await scope.clients.claim();
  };
  event.waitUntil(takeOver());
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== globalThis.location.origin) return;
  if (request.mode === "navigate" && pathname === PAGE) event.respondWith(page(request));
  else if (pathname.startsWith("/assets/")) event.respondWith(asset(request));
});

/** The server's page, or the cached one if the server is unreachable or starting. */
async function page(request: Request): Promise<Response> {
  const stored = await caches.match(PAGE, { ignoreVary: true });
  if (!stored) return fetch(request);
  const fresh = fetch(request).then(
    (answer) => (answer.status >= 500 ? stored : answer),
    () => stored,
  );
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(stored), TIMEOUT_MS));
  return Promise.race([fresh, late]);
}

/** File names contain a hash of the content, so cached files are never stale. */
const asset = async (request: Request): Promise<Response> =>
  (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

scope.addEventListener("push", (event) => {
  const payload = event.data?.json();
  if (payload) event.waitUntil(showPush(payload));
});

/** Safari ends a subscription after a few pushes without a notification, even while its page is on the screen. */
const MUST_SHOW = /AppleWebKit/.test(navigator.userAgent) && !/Chrom(?:e|ium)\//.test(navigator.userAgent);

/**
 * A chat page on the screen notifies itself. A page in the background may be frozen, so the push is shown; if that page
 * was faster, its notification has the same tag, and the push replaces it without a sound.
 */
async function showPush({ kind, title, body, url, tag, icon, message_id, clear }: PushPayload): Promise<void> {
  const shown = await scope.registration.getNotifications();
  for (const one of shown) if (clear.includes(dataOf(one)?.message_id ?? 0)) one.close();
  const isOnScreen = (await chatPages()).some(({ visibilityState }) => visibilityState === "visible");
  if (kind === "message" && isOnScreen && !MUST_SHOW) return;
  const isRepeated = kind === "message" && shown.some((one) => dataOf(one)?.message_id === message_id);
  const isQuiet = isRepeated || (isOnScreen && kind === "message");
  const data: PushedData = { url, message_id };
  // TypeScript's types lack `renotify`.
  const options: NotificationOptions & { renotify: boolean } = {
    body,
    tag,
    data,
    badge: "/badge-96.png",
    icon: icon ?? "/icon-192.png",
    renotify: !isQuiet,
    silent: isQuiet,
  };
  await scope.registration.showNotification(title, options);
}

const dataOf = ({ data }: Notification): PushedData | null => data as PushedData | null;

async function chatPages(): Promise<WindowClient[]> {
  const all = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter(({ url }) => new URL(url).pathname === PAGE);
}

scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(dataOf(event.notification)?.url ?? PAGE));
});

/** In an open chat page, otherwise in a new one. */
async function open(url: string): Promise<void> {
  const pages = await chatPages();
  const page = pages.find(({ visibilityState }) => visibilityState === "visible") ?? pages[0];
  if (!page) {
    await scope.clients.openWindow(url);
    return;
  }
  page.postMessage({ type: "open", hash: new URL(url, page.url).hash });
  await page.focus();
}

scope.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event.newSubscription)));

/** The push service has replaced the subscription. The server forgets the old one when the push service refuses it. */
async function renew(given: PushSubscription | null | undefined): Promise<void> {
  const path = "/api/v1/users/me/web_push";
  const answer = await fetch(path);
  if (!answer.ok) return; // signed out
  const { is_on, public_key } = (await answer.json()) as { is_on: boolean; public_key: string };
  if (!is_on) return;
  const subscription =
    given ??
    (await scope.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key }));
  const { endpoint = "", keys } = subscription.toJSON();
  const body = new URLSearchParams({ endpoint, p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" });
  await fetch(`${path}/devices`, { method: "POST", body });
}
