import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/**
 * A reverse proxy without its TLS. It keeps the Host header and adds the scheme and the client. `forwardedFor` is the
 * client's address, since all test clients are on this machine.
 */
export async function startReverseProxy(
  t: TestContext,
  { to, forwardedFor = () => "203.0.113.9" }: { to: string; forwardedFor?: (headers: IncomingHttpHeaders) => string },
): Promise<string> {
  const { hostname, port } = new URL(to);
  const proxy = createServer((received, response) => {
    const { method, url, headers } = received;
    const before = headers["x-forwarded-for"] === undefined ? "" : `${headers["x-forwarded-for"]}, `;
    const added = { "x-forwarded-for": `${before}${forwardedFor(headers)}`, "x-forwarded-proto": "https" };
    const sent = request({ hostname, port, method, path: url, headers: { ...headers, ...added } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.on("error", () => response.destroy());
    received.pipe(sent);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}
