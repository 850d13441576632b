import { networkInterfaces } from "node:os";
import { app, type Session, shell, type WebContents } from "electron";
import { CHAT, isPageOf, isPageUrl, type Site, siteOf } from "./sites.ts";

// An allowlist for all web contents and sessions of this app.

const isWeb = ({ protocol }: URL): boolean => ["http:", "https:"].includes(protocol);

/** Links that open in the system's browser or mail program. */
const EXTERNAL_LINKS: readonly ((url: URL, site: Site, serverPort: number) => boolean)[] = [
  // The server's own URL. In the chat, people post links to anything.
  (url, site, serverPort) =>
    isWeb(url) && (site === CHAT || (Number(url.port) === serverPort && ownAddresses().includes(url.hostname))),
  // A message to one person. Other parameters could attach files or add recipients.
  (url) =>
    url.protocol === "mailto:" &&
    [...url.searchParams.keys()].every((name) => name === "subject" || name === "body") &&
    /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(decoded(url.pathname)),
];

/** Files that the page creates: tables, reports, backups, exports and the key of a bot. */
const SAVED_FILES = /\.(?:csv|json|tar)$|^zuliprc$/;
/** Pictures of the chat. Its other files open in the browser, which warns of dangerous ones. */
const SAVED_PICTURES = /\.(?:png|jpe?g|gif|webp|avif|bmp|tiff?|heic|ico)$/i;

/** Whether the page created the file, and its type is not executable. */
function mayBeSaved(site: Site, url: string, name: string): boolean {
  const isOwn = url.startsWith(`blob:${site.origin}/`) || (site === CHAT && url.startsWith("data:"));
  return isOwn && (SAVED_FILES.test(name) || (site === CHAT && SAVED_PICTURES.test(name)));
}

const isUpload = (url: string): boolean => url.startsWith(`${CHAT.url}user_uploads/`);

export interface Guarded {
  /** Links to this port of this machine can open in the browser. */
  serverPort(): number;
  /** The chat page opens an administration page. `hash`: empty, or `#/people`. */
  openAdmin(hash: string): void;
  /** The chat page opens a file. `path`: `/user_uploads/…`. */
  openFile(path: string): void;
  /** Called with one line about each denial, for the log. */
  report(line: string): void;
}

/** Runs before the app is ready, so that nothing is created without guards. */
export function guardEverything(guarded: Guarded): void {
  // Blocks connections that Chromium opens outside of a session: no hostname resolves.
  app.commandLine.appendSwitch("host-resolver-rules", "MAP * ~NOTFOUND");
  app.on("web-contents-created", (_event, contents) => guardContents(contents, guarded));
  app.on("session-created", guardSession); // the default one too
  // Electron asks no one for a password or a certificate.
  app.on("select-client-certificate", (event) => event.preventDefault());
}

function guardContents(contents: WebContents, { serverPort, openAdmin, openFile, report }: Guarded): void {
  const site = siteOf(contents.session);
  const refuse = (what: string, url: string) => report(`Refused to ${what} ${url.slice(0, 200)}`);
  const preventLeaving = (event: { preventDefault(): void }, url: string) => {
    if (isPageUrl(site, url)) return; // the page reloads itself
    event.preventDefault();
    const hash = site === CHAT ? adminHash(url) : undefined;
    if (hash === undefined) refuse("leave Hearth's page for", url);
    else openAdmin(hash);
  };
  contents.on("will-navigate", (event) => preventLeaving(event, event.url));
  contents.on("will-redirect", (event) => preventLeaving(event, event.url));
  contents.on("will-frame-navigate", (event) => {
    if (!event.isMainFrame) event.preventDefault(); // frames stay empty
  });
  contents.on("will-attach-webview", (event) => event.preventDefault());
  // A page cannot prevent its window from closing.
  contents.on("will-prevent-unload", (event) => event.preventDefault());
  // Neither the page's policy nor webRequest covers peer connections.
  contents.setWebRTCIPHandlingPolicy("disable_non_proxied_udp");
  contents.setWindowOpenHandler(({ url }) => {
    const hash = site === CHAT ? adminHash(url) : undefined;
    if (!isPageOf(site, contents.mainFrame)) refuse("open", url);
    else if (hash !== undefined) openAdmin(hash);
    else if (site === CHAT && isUpload(url)) openFile(url.slice(CHAT.origin.length));
    else if (!mayOpenExternally(url, site, serverPort())) refuse("open", url);
    else shell.openExternal(url).catch((error: Error) => report(`${url} could not be opened: ${error.message}`));
    return { action: "deny" };
  });
}

/** The hash of a link to an administration page, which another window shows. */
function adminHash(url: string): string | undefined {
  return /^app:\/\/chat\/admin\/(#\/[\x21-\x7e]*)?$/.exec(url)?.[0].slice(`${CHAT.url}admin/`.length);
}

function guardSession(session: Session): void {
  const allowed = (permission: string, url: string) => {
    const site = siteOf(session);
    return site.permissions.includes(permission) && `${url}/`.startsWith(site.url);
  };
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame }) =>
    answer(isMainFrame && allowed(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) => allowed(permission, origin));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  session.on("will-download", (event, item) => {
    if (!mayBeSaved(siteOf(session), item.getURL(), item.getFilename())) event.preventDefault();
  });
  // The spell checker would download its dictionaries.
  session.setSpellCheckerEnabled(false);
  // In addition to the page's own policy: no requests except to the session's own page.
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const inspected = !app.isPackaged && url.startsWith("devtools:");
    answer({ cancel: !url.startsWith(siteOf(session).url) && !inspected });
  });
}

function mayOpenExternally(text: string, site: Site, serverPort: number): boolean {
  const url = URL.parse(text);
  return url !== null && url.username === "" && EXTERNAL_LINKS.some((allows) => allows(url, site, serverPort));
}

function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return ["localhost", ...all.map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
