import { networkInterfaces } from "node:os";
import { app, type Session, shell, type WebContents, type WebFrameMain } from "electron";
import { PAGE_ORIGIN, PAGE_URL } from "./protocol.ts";

// What every web contents and every session of this app may do, in one place: nothing but what is listed here, each
// with its reason.

/** Permissions that our own page has. Any other, and any other page's, is refused. */
const PERMISSIONS: readonly string[] = [
  "clipboard-sanitized-write", // the buttons that copy an address or a link
];

/** What a click may open in the system's own programs. */
const OPENED_OUTSIDE: readonly ((url: URL, serverPort: number) => boolean)[] = [
  // The server's own address, to be looked at as others see it.
  (url, serverPort) =>
    url.protocol === "http:" && Number(url.port) === serverPort && ownAddresses().includes(url.hostname),
  // A person's address: a new message to it. Without what could fill in the rest of the message.
  (url) => url.protocol === "mailto:" && url.search === "" && /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(decoded(url.pathname)),
];

export interface Guarded {
  /** For the addresses that may be opened in the browser. */
  serverPort(): number;
  /** One line about what was refused, for the log. */
  report(line: string): void;
}

/** Before the app is ready, so that nothing is created without. */
export function guardEverything({ serverPort, report }: Guarded): void {
  // For whatever Chromium would connect to without asking a session: it finds no machine by any name or address.
  app.commandLine.appendSwitch("host-resolver-rules", "MAP * ~NOTFOUND");
  app.on("web-contents-created", (_event, contents) => guardContents(contents, { serverPort, report }));
  app.on("session-created", guardSession); // the default one too
  // A certificate that Chromium does not trust stays untrusted; nobody is asked for a password or a certificate.
  app.on("select-client-certificate", (event) => event.preventDefault());
}

export function isOurPage(frame: WebFrameMain | null | undefined): boolean {
  return frame?.parent === null && frame.origin === PAGE_ORIGIN;
}

function guardContents(contents: WebContents, { serverPort, report }: Guarded): void {
  const refuse = (event: { preventDefault(): void }, url: string) => {
    if (isPage(url)) return; // the page reloads itself
    event.preventDefault();
    report(`Refused to leave Hearth's page for ${url.slice(0, 200)}`);
  };
  contents.on("will-navigate", (event) => refuse(event, event.url));
  contents.on("will-redirect", (event) => refuse(event, event.url));
  contents.on("will-frame-navigate", (event) => {
    if (!event.isMainFrame) event.preventDefault(); // a frame shows nothing
  });
  contents.on("will-attach-webview", (event) => event.preventDefault());
  // A page that asks to stay does not hold its window open: it could for ever.
  contents.on("will-prevent-unload", (event) => event.preventDefault());
  // No policy of the page's and no webRequest sees what a peer connection sends.
  contents.setWebRTCIPHandlingPolicy("disable_non_proxied_udp");
  contents.setWindowOpenHandler(({ url }) => {
    if (isOurPage(contents.mainFrame) && mayOpenOutside(url, serverPort())) {
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
  session.on("will-download", (event) => event.preventDefault());
  // Its dictionaries would come from the internet.
  session.setSpellCheckerEnabled(false);
  // Beside the page's own policy: Chromium asks nobody for anything but app://hearth/.
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const inspected = !app.isPackaged && url.startsWith("devtools:");
    answer({ cancel: !url.startsWith(PAGE_URL) && !inspected });
  });
}

/** The fragment may differ: it is where the page keeps which of its own pages is shown. */
export function isPage(url: string): boolean {
  return url.split("#")[0] === PAGE_URL;
}

function mayOpenOutside(text: string, serverPort: number): boolean {
  const url = URL.parse(text);
  return url !== null && url.username === "" && OPENED_OUTSIDE.some((allows) => allows(url, serverPort));
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
