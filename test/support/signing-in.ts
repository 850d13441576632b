import assert from "node:assert/strict";
import type { Person } from "./server-process.ts";

export async function personWith(url: string, username: string, password: string): Promise<Person> {
  const response = await fetch(`${url}/api/v1/fetch_api_key`, {
    method: "POST",
    body: new URLSearchParams({ username, password }),
  });
  const answer = (await response.json()) as { api_key: string; user_id: number; msg: string };
  assert.equal(response.status, 200, answer.msg);
  const authorization = `Basic ${Buffer.from(`${username}:${answer.api_key}`).toString("base64")}`;
  return { id: answer.user_id, authorization };
}
