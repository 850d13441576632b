import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { makeLeaf, makeRoot } from "../../server/host/https/certificates.ts";
import {
  type FetchOptions,
  type FetchResult,
  fetchFiles,
  type WantedFile,
} from "../../server/host/imports/fetched-files.ts";
import { Lookups } from "../../server/integrations/outgoing/lookups.ts";
import { guardedAgent } from "../../server/integrations/outgoing/post.ts";

// Slack's hosts on this machine, and a folder for the files that they serve.

export const TOKEN = "xoxp-1-secret";
export const FILE = "https://files.slack.com/files-pri/T1-F1/plan.pdf";

export interface Received {
  host: string;
  path: string;
  headers: IncomingMessage["headers"];
}

export type Script = (response: ServerResponse, request: Received) => void;

/** Sends the whole body, or the requested rest. `etag` identifies the body. */
export const serve =
  (body: Buffer, etag = '"1"'): Script =>
  (response, { headers }) => {
    const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
    if (start === 0 || headers["if-range"] !== etag) {
      response.writeHead(200, { "content-length": body.length, etag }).end(body);
      return;
    }
    const range = `bytes ${start}-${body.length - 1}/${body.length}`;
    response.writeHead(206, { "content-range": range, etag }).end(body.subarray(start));
  };

/** Sends the first bytes, then breaks the connection. */
export const breakAfter =
  (bytes: number, body: Buffer, etag = '"1"'): Script =>
  (response) => {
    response.writeHead(200, { "content-length": body.length, etag });
    response.write(body.subarray(0, bytes), () => setImmediate(() => response.destroy()));
  };

export const answer =
  (status: number, headers: Record<string, string> = {}, body = ""): Script =>
  (response) =>
    void response.writeHead(status, headers).end(body);

export const signInPage = answer(200, { "content-type": "text/html; charset=utf-8" }, "<!DOCTYPE html>Sign in");

export const tokenCheck = (result: object, scopes = "identify,files:read"): Script =>
  answer(200, { "content-type": "application/json", "x-oauth-scopes": scopes }, JSON.stringify(result));

export class SlackServer {
  readonly folder: string;
  readonly requests: Received[] = [];
  /** Names that were looked up. */
  readonly names: string[] = [];
  /** Pauses between attempts, which the tests skip. */
  readonly pauses: number[] = [];
  /** By URL: the scripts of its requests. The last one repeats. */
  readonly scripts: Record<string, Script[]> = { "https://slack.com/api/auth.test": [tokenCheck({ ok: true })] };
  readonly #port: number;

  constructor(folder: string, port: number) {
    this.folder = folder;
    this.#port = port;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const host = (request.headers.host ?? "").replace(/:\d+$/, "");
    const received = { host, path: request.url ?? "", headers: request.headers };
    this.requests.push(received);
    const scripts = this.scripts[`https://${host}${received.path}`] ?? [answer(404)];
    const script = scripts.length > 1 ? scripts.shift() : scripts[0];
    script?.(response, received);
  }

  /** Headers of the requests for a URL. */
  headersOf(url: string): IncomingMessage["headers"][] {
    return this.requests.filter(({ host, path }) => `https://${host}${path}` === url).map(({ headers }) => headers);
  }

  fetch(files: Iterable<WantedFile>, options: Partial<FetchOptions> = {}): Promise<FetchResult> {
    return fetchFiles(files, {
      folder: this.folder,
      token: TOKEN,
      agentFor: (undici, guard, limits) => {
        const targets = { ...guard.targets, listed: ["127.0.0.1"] };
        const lookups = new Lookups(async (name) => {
          this.names.push(name);
          return ["127.0.0.1"];
        });
        return guardedAgent(undici, { ...guard, targets, lookups }, limits).compose(
          (dispatch) => (wanted, handler) => dispatch({ ...wanted, origin: `${wanted.origin}:${this.#port}` }, handler),
        );
      },
      pauseFor: async (ms) => this.pauses.push(ms),
      ...options,
    });
  }
}

const HOSTS = ["slack.com", "files.slack.com", "acme.slack.com", "avatars.slack-edge.com"];

export async function startSlack(t: TestContext): Promise<SlackServer> {
  const lifetime = { from: new Date(Date.now() - 86_400_000), until: new Date(Date.now() + 86_400_000) };
  const root = makeRoot({ name: "Slack", names: HOSTS, networks: [], ...lifetime });
  const { certificate, key } = makeLeaf(root, { name: "slack", names: HOSTS, ...lifetime });
  setDefaultCACertificates([...getCACertificates("default"), root.certificate.toString()]);
  const credentials = { cert: certificate.toString(), key: key.export({ type: "pkcs8", format: "pem" }) };
  const server = createServer(credentials, (request, response) => slack.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = mkdtempSync(join(tmpdir(), "hearth-slack-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  t.after(() => server.close());
  t.after(() => server.closeAllConnections());
  const slack = new SlackServer(folder, (server.address() as AddressInfo).port);
  return slack;
}
