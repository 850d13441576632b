import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { Https } from "./host/https/https.ts";
import { escaped, nameOfRoot, PROFILE_PATH, ROOT_PATH } from "./host/https/root.ts";
import { hostOf, isForwarded, plainAddress } from "./http/caller.ts";
import { nameIn } from "./http/hostnames.ts";
import type { OverHttp } from "./http/options.ts";
import { builtPage, isOpenedByBrowser, pagesFolder } from "./pages.ts";

const TRUST_PAGE = "/trust/index.html";

/**
 * While the local authority is in use, a browser gets the trust page at any URL over HTTP. It explains how to trust the
 * root, and continues to HTTPS when the device does. A redirect would begin with the browser's warning.
 */
export function overHttp(https: Https, folder = pagesFolder): OverHttp {
  const trustPage = builtPage(folder, TRUST_PAGE);
  return {
    isServed: (path) =>
      path === ROOT_PATH || path === PROFILE_PATH || (https.root !== undefined && path.startsWith("/assets/")),
    sendPage(request, reply) {
      const { root } = https;
      const page = trustPage();
      // A reverse proxy has its own certificate.
      if (!root || isForwarded(request) || !isOpenedByBrowser(request) || page === undefined) return false;
      const origin = httpsOrigin(request, https);
      const data = { origin, fingerprint: root.fingerprint256, name: nameOfRoot(root) };
      const attributes = Object.entries(data).map(([key, value]) => ` data-${key}="${escaped(value)}"`);
      const html = page
        .replaceAll('="../', '="/') // relative URLs must work at any depth
        .replace('<div id="root"', (start) => start + attributes.join(""));
      void reply
        .type("text/html; charset=utf-8")
        .header("content-security-policy", policyFor(origin))
        .header("cache-control", "no-store")
        .header("referrer-policy", "no-referrer")
        .header("vary", "accept")
        .header("x-content-type-options", "nosniff")
        .header("x-robots-tag", "noindex")
        .send(html);
      return true;
    },
  };
}

/** The page connects to the server's HTTPS only, to find out whether the device trusts it. */
const policyFor = (origin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'", // Mantine sets styles of elements
    "img-src 'self'",
    "font-src 'self'",
    `connect-src 'self' ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/**
 * The server's HTTPS origin for this browser: the host that it used, or the IP address that it reached if the certificate
 * does not cover that host, for example a name without a domain.
 */
function httpsOrigin(request: IncomingMessage, https: Https): string {
  const host = hostOf(request) ?? "";
  const address = plainAddress(request.socket.localAddress);
  const [, port = "80"] = /:(\d+)$/.exec(host) ?? [];
  if (!https.covers(nameIn(host) ?? "") && https.covers(address))
    return `https://${isIPv6(address) ? `[${address}]` : address}:${port}`;
  return `https://${host.replace(/:\d+$/, "")}:${port}`;
}
