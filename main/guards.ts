import { networkInterfaces } from "node:os";
import { app, type Session, shell, type WebContents, type WebFrameMain } from "electron";
import { PAGE_ORIGIN, PAGE_URL } from "./protocol.ts";

// An allowlist for all web contents and sessions of this app.

/** Permissions of our own page. All others are denied, and other pages have none. */
const PERMISSIONS: readonly string[] = [
  "clipboard-sanitized-write", // the buttons that copy a URL or a link
];

/** Links that open in the system's browser or mail program. */
const EXTERNAL_LINKS: readonly ((url: URL, serverPort: number) => boolean)[] = [
  // The server's own URL.
  (url, serverPort) =>
    ["http:", "https:"].includes(url.protocol) &&
    Number(url.port) === serverPort &&
    ownAddresses().includes(url.hostname),
  // A message to one person. Other parameters could attach files or add recipients.
  (url) =>
    url.protocol === "mailto:" &&
    [...url.searchParams.keys()].every((name) => name === "subject" || name === "body") &&
    /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(decoded(url.pathname)),
];

/** Files that the page creates: tables, reports, backups, exports and the key of a bot. */
const SAVED_FILES = /\.(?:csv|json|tar)$|^zuliprc$/;

/** Whether the page created the file, and its type is not executable. */
const mayBeSaved = (url: string, name: string): boolean =>
  url.startsWith(`blob:${PAGE_ORIGIN}/`) && SAVED_FILES.test(name);

export interface Guarded {
  /** Links to this port of this machine can open in the browser. */
  serverPort(): number;
  /** Called with one line about each denial, for the log. */
  report(line: string): void;
}

/** Runs before the app is ready, so that nothing is created without guards. */
export function guardEverything({ serverPort, report }: Guarded): void {
  // Blocks connections that Chromium opens outside of a session: no hostname resolves.
  app.commandLine.appendSwitch("host-resolver-rules", "MAP * ~NOTFOUND");
  app.on("web-contents-created", (_event, contents) => guardContents(contents, { serverPort, report }));
  app.on("session-created", guardSession); // the default one too
  // Electron asks no one for a password or a certificate.
  app.on("select-client-certificate", (event) => event.preventDefault());
}

export function isOurPage(frame: WebFrameMain | null | undefined): boolean {
  return frame?.parent === null && frame.origin === PAGE_ORIGIN;
}

function guardContents(contents: WebContents, { serverPort, report }: Guarded): void {
  const preventLeaving = (event: { preventDefault(): void }, url: string) => {
    if (isPage(url)) return; // the page reloads itself
    event.preventDefault();
    report(`Refused to leave Hearth's page for ${url.slice(0, 200)}`);
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
    if (isOurPage(contents.mainFrame) && mayOpenExternally(url, serverPort())) {
      shell.openExternal(url).catch((error: Error) => report(`${url} could not be opened: ${error.message}`));
    } else report(`Refused to open ${url.slice(0, 200)}`);
    return { action: "deny" };
  });
}

function guardSession(session: Session): void {
  const allowed = (permission: string, url: string) =>
    PERMISSIONS.includes(permission) && `${url}/`.startsWith(PAGE_URL);
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame }) =>
    answer(isMainFrame && allowed(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) => allowed(permission, origin));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  session.on("will-download", (event, item) => {
    if (!mayBeSaved(item.getURL(), item.getFilename())) event.preventDefault();
  });
  // The spell checker would download its dictionaries.
  session.setSpellCheckerEnabled(false);
  // In addition to the page's own policy: no requests except to app://hearth/.
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const inspected = !app.isPackaged && url.startsWith("devtools:");
    answer({ cancel: !url.startsWith(PAGE_URL) && !inspected });
  });
}

/** Ignores the fragment, in which the page stores its own route. */
export function isPage(url: string): boolean {
  return url.split("#")[0] === PAGE_URL;
}

function mayOpenExternally(text: string, serverPort: number): boolean {
  const url = URL.parse(text);
  return url !== null && url.username === "" && EXTERNAL_LINKS.some((allows) => allows(url, serverPort));
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
