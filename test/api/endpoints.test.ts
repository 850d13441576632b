import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test from "node:test";
import { endpoints } from "../../server/endpoints/index.ts";

const folder = new URL("../../server/endpoints/", import.meta.url);

const isEndpoint = (value: unknown) => typeof value === "object" && value !== null && "route" in value;

test("every declared endpoint is served", async () => {
  const served = new Set<unknown>(endpoints);
  for (const file of readdirSync(folder)) {
    const exported = Object.entries(await import(new URL(file, folder).href));
    for (const [name, value] of exported)
      if (isEndpoint(value)) assert.ok(served.has(value), `${file}: ${name} is missing in declared.ts`);
  }
});

test("nothing but endpoints is served", () => {
  assert.ok(endpoints.length > 100);
  for (const one of endpoints) assert.ok(isEndpoint(one), JSON.stringify(one));
});
