import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Body, Chat } from "./chat.ts";
import { IS_LONG_RUN } from "./long-run.ts";
import { assertOnWire } from "./wire-check.ts";

/** Concurrent uploads that the server must store while it responds to others. */
export const UPLOADS_AT_ONCE = IS_LONG_RUN ? 1000 : 200;

export interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

export const basic = (chat: Chat, name: string): Record<string, string> => {
  const { email, key } = chat.as(name);
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  return { authorization, "hearth-error-reason": "1" };
};

/** POST /user_uploads with any response. */
export async function tryUpload(
  chat: Chat,
  who: string,
  bytes: BlobPart = "contents",
  { filename = "notes.txt", type = "", field = "file" } = {},
): Promise<Body> {
  const body = new FormData();
  body.append(field, new Blob([bytes], { type }), filename);
  const response = await fetch(`${chat.url}/api/v1/user_uploads`, { method: "POST", headers: basic(chat, who), body });
  const answer = (await response.json()) as object;
  if (response.status === 200) assertOnWire("POST", "/user_uploads", answer);
  return { ...answer, status: response.status } as Body;
}

export async function upload(chat: Chat, who: string, bytes: BlobPart = "contents", how = {}): Promise<string> {
  const answer = await tryUpload(chat, who, bytes, how);
  assert.equal(answer.result, "success", answer.msg);
  return answer["url"];
}

export async function fetchFile(
  chat: Chat,
  who: string | Record<string, string>,
  url: string,
  { headers = {}, method = "GET" }: { headers?: Record<string, string>; method?: string } = {},
): Promise<Fetched> {
  const own = typeof who === "string" ? basic(chat, who) : who;
  const response = await fetch(`${chat.url}${url}`, { method, headers: { ...own, ...headers }, redirect: "manual" });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

export function filesOnDisk({ folder }: { folder: string }): string[] {
  const uploads = join(folder, "uploads");
  if (!existsSync(uploads)) return [];
  return readdirSync(uploads, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(uploads.length + 1));
}
