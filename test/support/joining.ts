import assert from "node:assert/strict";
import type { Body, Chat, Params } from "./chat.ts";

export function tokenIn(link: string): string {
  const token = /\/join\/(?:#([\w-]{43})|([\w-]{43})\/)$/.exec(link)?.slice(1).find(Boolean);
  assert.ok(token, link);
  return token;
}

export async function linkOf(chat: Chat, name: string, params: Params = {}): Promise<string> {
  const made = await chat.as(name).post("/invites/multiuse", params);
  assert.equal(made.status, 200, made.msg);
  return tokenIn(made["invite_link"]);
}

export async function linkFor(chat: Chat, name: string, email: string, params: Params = {}): Promise<string> {
  const made = await chat.as(name).post("/invites", { invitee_emails: email, stream_ids: [], ...params });
  assert.equal(made.status, 200, made.msg);
  return tokenIn(made["invitations"][0].invite_link);
}

export const join = (chat: Chat, token: string, name: string, params: Params = {}): Promise<Body> =>
  chat.anonymous("POST", "/host/join", {
    token,
    full_name: name.charAt(0).toUpperCase() + name.slice(1),
    email: `${name}@example.com`,
    password: "three unrelated words",
    ...params,
  });

export async function joined(chat: Chat, token: string, name: string, params: Params = {}): Promise<Body> {
  const answer = await join(chat, token, name, params);
  assert.equal(answer.status, 200, answer.msg);
  return answer;
}

export async function assertVoid(chat: Chat, token: string): Promise<void> {
  const VOID = [
    404,
    "BAD_REQUEST",
    "This invitation link is no longer valid. Ask the person who gave it to you for a new one.",
  ];
  for (const answer of [await join(chat, token, "nobody"), await chat.anonymous("POST", "/host/join/open", { token })])
    assert.deepEqual([answer.status, answer["code"], answer.msg], VOID);
  assert.equal((await fetch(`${chat.url}/join/${token}/`)).status, 404);
}
