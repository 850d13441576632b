import type { Body, Chat } from "./chat.ts";
import { assertOnWire } from "./wire-check.ts";

export const pngSize = (bytes: Uint8Array): [number, number] => {
  const view = Buffer.from(bytes);
  return [view.readUInt32BE(16), view.readUInt32BE(20)];
};

/** A GIF of 2 by 2 pixels and two frames, red and blue. */
export const MOVING_GIF = Buffer.concat([
  Buffer.from("GIF89a"),
  Buffer.from([2, 0, 2, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]),
  Buffer.from([0x21, 0xff, 11]),
  Buffer.from("NETSCAPE2.0"),
  Buffer.from([3, 1, 0, 0, 0]),
  ...[
    [0x84, 0x51],
    [0x8c, 0x53],
  ].map(([first, second]) =>
    Buffer.from([
      ...[0x21, 0xf9, 4, 0, 10, 0, 0, 0],
      ...[0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0],
      ...[2, 2, first as number, second as number, 0],
    ]),
  ),
  Buffer.from([0x3b]),
]);

export interface Upload {
  bytes: Uint8Array;
  filename?: string;
  type?: string;
}

export async function upload(
  chat: Chat,
  name: string,
  path: string,
  files: readonly Upload[],
  { fields = {}, method = "POST" }: { fields?: Record<string, string>; method?: string } = {},
): Promise<Body> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  for (const { bytes, filename = "picture.png", type = "image/png" } of files)
    form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), filename);
  const { email, key } = chat.as(name);
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  const response = await fetch(`${chat.url}/api/v1${path}`, {
    method,
    body: form,
    headers: { authorization, "hearth-error-reason": "1" },
  });
  const answer = (await response.json()) as object;
  if (response.status === 200) assertOnWire(method, path, answer);
  return { ...answer, status: response.status } as Body;
}

export interface Served {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** The response to an anonymous request; redirects are not followed. */
export async function served(chat: Chat, path: string): Promise<Served> {
  const response = await fetch(`${chat.url}${path}`, { redirect: "manual" });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}
