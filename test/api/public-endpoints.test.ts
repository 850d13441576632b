import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { startChat } from "../support/chat.ts";

interface PublicEndpoint {
  method: string;
  path: string;
  area: string;
  outsideApi?: true;
}

/** Every call of the public protocol up to Hearth's level, and newer calls that clients already use. */
const PUBLIC: PublicEndpoint[] = JSON.parse(
  readFileSync(new URL("../support/public-endpoints.json", import.meta.url), "utf8"),
);

/** Why calls are not served. Remove a call from this list when you add it. */
const NOT_SERVED: Record<string, string[]> = {
  "a page of the public documentation, which no server answers": [
    "POST /real-time",
    "POST /rest-error-handling",
    "POST /zulip-outgoing-webhook",
  ],
  "a server has one organization, so nobody looks for a free name": ["GET /realm/subdomain/{subdomain}"],
  "above the level that Hearth announces, by which clients decide": [
    "POST /register_client_device",
    "POST /remove_client_device",
  ],
};

test("every call of the public protocol is served or explained", async (t) => {
  assert.ok(PUBLIC.length > 180);
  const chat = await startChat(t, { unwatched: true });
  const ask = async ({ method, path, outsideApi }: PublicEndpoint) => {
    const address = `${chat.url}${outsideApi ? "" : "/api/v1"}${path.replaceAll(/\{\w+\}/g, "1")}`;
    const response = await fetch(address, { method, redirect: "manual" });
    return { status: response.status, body: await response.text() };
  };
  // Unknown paths are refused before any other check, so this needs no sign-in.
  const unknown = await ask({ method: "GET", path: "/no/such/path", area: "" });
  assert.equal(unknown.status, 404);
  const reasons = new Map(Object.entries(NOT_SERVED).flatMap(([why, calls]) => calls.map((call) => [call, why])));
  const wrong: string[] = [];
  for (const call of PUBLIC) {
    const name = `${call.method} ${call.path}`;
    const { status, body } = await ask(call);
    const isServed = status !== 405 && !(status === 404 && body === unknown.body);
    const why = reasons.get(name);
    reasons.delete(name);
    if (isServed && why) wrong.push(`${name} is served now: take it off the list.`);
    if (!isServed && !why) wrong.push(`${name} (${call.area}) is not served: ${status}.`);
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual([...reasons.keys()], [], "these are no calls of the public protocol");
});
