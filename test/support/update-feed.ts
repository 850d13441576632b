import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** A published release: the file that describes it, its signature, and an installer. */
export interface PublishedRelease {
  version?: string;
  notes?: string;
  /** The installer's content. */
  content?: Buffer;
  installer?: string;
  /** The literal release file, instead of the other fields. */
  text?: string;
  /** Another signer than the owner of the feed. */
  signedBy?: KeyObject;
}

export interface UpdateFeed {
  readonly address: string;
  /** The public key in the format that an owner enters. */
  readonly key: string;
  readonly privateKey: KeyObject;
  readonly asked: string[];
  readonly headers: Record<string, unknown>[];
  /** The files by name. A response may be a function. */
  readonly files: Map<string, Buffer | ((response: ServerResponse) => void)>;
  publish(release?: PublishedRelease): void;
}

export const RELEASE_FILE = process.arch === "x64" ? "latest-linux.yml" : `latest-linux-${process.arch}.yml`;
export const INSTALLER = "Hearth-9.1.0.AppImage";

const sha512 = (content: Buffer) => createHash("sha512").update(content).digest("base64");

export function releaseText({
  version = "9.1.0",
  notes = "Faster.",
  content = Buffer.from("the new program"),
  installer = INSTALLER,
}: PublishedRelease): string {
  return [
    `version: ${version}`,
    "files:",
    `  - url: ${installer}`,
    `    sha512: ${sha512(content)}`,
    `    size: ${content.length}`,
    `path: ${installer}`,
    `releaseNotes: ${JSON.stringify(notes)}`,
    "releaseDate: '2026-11-20T10:00:00.000Z'",
    "",
  ].join("\n");
}

export function keyPair(): { key: string; privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  return { key: Buffer.from(x, "base64url").toString("base64"), privateKey };
}

export const signatureOf = (text: string, privateKey: KeyObject): Buffer =>
  Buffer.from(`${sign(null, Buffer.from(text), privateKey).toString("base64")}\n`);

/** A valid web feed. Tests then remove parts of it. */
export async function updateFeed(t: TestContext, release: PublishedRelease = {}): Promise<UpdateFeed> {
  const asked: string[] = [];
  const headers: Record<string, unknown>[] = [];
  const files: UpdateFeed["files"] = new Map();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    headers.push(request.headers);
    const file = path.startsWith("/updates/")
      ? files.get(decodeURIComponent(path.slice("/updates/".length)))
      : undefined;
    if (typeof file === "function") return file(response);
    response.writeHead(file ? 200 : 404).end(file ?? "not here");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { key, privateKey } = keyPair();
  const publish = (published: PublishedRelease = {}) => {
    const text = published.text ?? releaseText(published);
    files.set(RELEASE_FILE, Buffer.from(text));
    files.set(`${RELEASE_FILE}.sig`, signatureOf(text, published.signedBy ?? privateKey));
    files.set(published.installer ?? INSTALLER, published.content ?? Buffer.from("the new program"));
  };
  publish(release);
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/updates`;
  return { address, key, privateKey, asked, headers, files, publish };
}
