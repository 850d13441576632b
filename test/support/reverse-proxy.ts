import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/**
 * A proxy as operators put before Hearth: it keeps the Host header, and says which scheme and client it has. Its TLS is
 * left out. `forwardedFor`: the clients' address, since all of the tests' come from this machine.
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
