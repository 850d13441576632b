// Opens the chat page while the server is unreachable. It caches the page's own files; messages are in the copy of
// model/offline-copy.ts. It is a classic script without imports, because not every browser supports module workers.

/** The part of the worker's scope that this script uses; TypeScript's types are those of a page. */
interface WorkerScope {
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}
interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
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
