import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test from "node:test";
import { endpoints } from "../../server/api/endpoints/index.ts";
import type { AnyParam } from "../../server/http/params.ts";
import { routeOf } from "../../server/http/routes.ts";
import { startChat } from "../support/chat.ts";

const folder = new URL("../../server/api/endpoints/", import.meta.url);

const isEndpoint = (value: unknown) => typeof value === "object" && value !== null && "route" in value;

test("every declared endpoint is served", async () => {
  const served = new Set<unknown>(endpoints);
  for (const file of readdirSync(folder)) {
    const exported = Object.entries(await import(new URL(file, folder).href));
    for (const [name, value] of exported)
      if (isEndpoint(value)) assert.ok(served.has(value), `${file}: ${name} is missing in declared.ts`);
  }
});

test("serves nothing but endpoints", () => {
  assert.ok(endpoints.length > 100);
  for (const one of endpoints) assert.ok(isEndpoint(one), JSON.stringify(one));
});

test("every URL lists its allowed methods", async (t) => {
  const { server } = await startChat(t);
  const taken = new Map<string, Set<string>>();
  for (const { endpoint, path, method } of endpoints.map(routeOf)) {
    const kinds = endpoint.params as Record<string, AnyParam>;
    const address = path.replace(/\{(\w+)\}/g, (_, name) => (kinds[name]?.inPath === "number" ? "1" : "x"));
    const methods = taken.get(address) ?? new Set();
    taken.set(address, methods.add(method));
    if (method === "GET") methods.add("HEAD");
  }
  assert.ok(taken.size > 150);
  for (const [address, methods] of taken) {
    const allow = [...methods].sort().join(", ");
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      if (methods.has(method)) continue;
      const answer = await fetch(server.url + address, { method });
      await answer.arrayBuffer();
      const expected = [method === "OPTIONS" ? 204 : 405, allow];
      assert.deepEqual([answer.status, answer.headers.get("allow")], expected, `${method} ${address}`);
    }
  }
});
