import assert from "node:assert/strict";
import { createDecipheriv, createECDH, createHash, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { type KeyPair, makeLeaf, makeRoot } from "../../server/host/https/certificates.ts";
import type { PushPayload } from "../../server/notifications/web-push/payload.ts";
import type { Body, Caller } from "./chat.ts";
import { until } from "./patience.ts";

// A push service on this machine, and browsers that decrypt its pushes. The decryption follows RFC 8291 and does not
// use the server's library.

export interface Push {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export type PushScript = (response: ServerResponse, push: Push) => void;

export interface PushService {
  /** https://127.0.0.1:PORT */
  readonly origin: string;
  readonly port: number;
  readonly pushes: Push[];
  /** Responds to each push. The default accepts it. */
  script: PushScript;
  connections: number;
}

export const accept: PushScript = (response) => void response.writeHead(201).end();
export const refuse =
  (status: number, headers: Record<string, string> = {}): PushScript =>
  (response) =>
    void response.writeHead(status, headers).end("no");

const lifetime = () => ({ from: new Date(Date.now() - 86_400_000), until: new Date(Date.now() + 86_400_000) });
let certificate: KeyPair | undefined;

/** Its authority is trusted by this process, like the authorities of real push services. */
function trustedCertificate(): KeyPair {
  if (certificate) return certificate;
  const names = { names: ["localhost"], networks: ["127.0.0.0/8"] };
  const root = makeRoot({ name: "Push services", ...names, ...lifetime() });
  setDefaultCACertificates([...getCACertificates("default"), root.certificate.toString()]);
  certificate = makeLeaf(root, { name: "push", names: ["localhost", "127.0.0.1"], ...lifetime() });
  return certificate;
}

export async function startPushService(t: TestContext, script = accept): Promise<PushService> {
  const { certificate: cert, key } = trustedCertificate();
  const pushes: Push[] = [];
  const credentials = { cert: cert.toString(), key: key.export({ type: "pkcs8", format: "pem" }) };
  const server = createServer(credentials, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const push = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) };
      pushes.push(push);
      service.script(response, push);
    });
  });
  server.on("connection", () => {
    service.connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  t.after(() => server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const service: PushService = { origin: `https://127.0.0.1:${port}`, port, pushes, script, connections: 0 };
  return service;
}

/** A browser with a subscription at the push service. */
export class PushBrowser {
  readonly endpoint: string;
  readonly #service: PushService;
  readonly #keys = createECDH("prime256v1");
  readonly #auth = randomBytes(16);

  constructor(service: PushService, name = "browser", origin = service.origin) {
    this.#service = service;
    this.endpoint = `${origin}/push/${name}`;
    this.#keys.generateKeys();
  }

  get subscription() {
    return {
      endpoint: this.endpoint,
      p256dh: this.#keys.getPublicKey("base64url"),
      auth: this.#auth.toString("base64url"),
    };
  }

  get digest(): string {
    return createHash("sha256").update(this.endpoint).digest("base64url");
  }

  register(caller: Caller): Promise<Body> {
    return caller.post("/users/me/web_push/devices", this.subscription);
  }

  /** Requests for this browser, accepted or not. */
  get pushes(): Push[] {
    return this.#service.pushes.filter(({ path }) => path === new URL(this.endpoint).pathname);
  }

  /** The decrypted payloads, after this many have arrived. */
  async received(count: number): Promise<PushPayload[]> {
    await until(() => (this.pushes.length >= count ? true : undefined), `${count} pushes`);
    return this.pushes.map((push) => this.decrypted(push));
  }

  decrypted({ body }: Push): PushPayload {
    const [salt, idLength] = [body.subarray(0, 16), body.readUInt8(20)];
    const serverKey = body.subarray(21, 21 + idLength);
    const record = body.subarray(21 + idLength);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.#keys.getPublicKey(), serverKey]);
    const derive = (from: Buffer, salted: Buffer, about: Buffer | string, length: number) =>
      Buffer.from(hkdfSync("sha256", from, salted, about, length));
    const secret = derive(this.#keys.computeSecret(serverKey), this.#auth, info, 32);
    const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
    const nonce = derive(secret, salt, "Content-Encoding: nonce\0", 12);
    const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    const end = padded.lastIndexOf(2);
    assert.ok(padded.subarray(end + 1).every((byte) => byte === 0));
    return JSON.parse(padded.subarray(0, end).toString());
  }
}

/** The claims of the request's VAPID token, after its signature is verified with the key that the server announces. */
export function vapidClaims({ headers }: Push, publicKey: string): Record<string, unknown> {
  const [, token = "", key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? "") ?? [];
  assert.equal(key, publicKey);
  const [header, claims, signature] = token.split(".") as [string, string, string];
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const jwk = { kty: "EC", crv: "P-256", x: x as string, y: y as string };
  const isSigned = verify(
    "sha256",
    Buffer.from(`${header}.${claims}`),
    { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  assert.ok(isSigned);
  return JSON.parse(Buffer.from(claims, "base64url").toString());
}
