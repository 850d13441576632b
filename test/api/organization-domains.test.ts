import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

test("owners manage allowed domains, and clients get events", async (t) => {
  const chat = await startChat(t);
  const [desdemona, hamlet] = [chat.as("desdemona"), chat.as("hamlet")];
  const queue = await chat.register("polonius");
  const listed = async () => (await chat.as("polonius").get("/realm/domains"))["domains"];
  assert.deepEqual(await listed(), []);
  const first = await desdemona.post("/realm/domains", { domain: " Venice.Example ", allow_subdomains: false });
  const [id, name] = first["new_domain"];
  assert.ok(Number.isInteger(id));
  assert.equal(name, "venice.example");
  await desdemona.post("/realm/domains", { domain: "cyprus.example", allow_subdomains: true });
  await desdemona.patch("/realm/domains/venice.example", { allow_subdomains: true });
  await desdemona.patch("/realm/domains/venice.example", { allow_subdomains: true });
  const all = [
    { domain: "cyprus.example", allow_subdomains: true },
    { domain: "venice.example", allow_subdomains: true },
  ];
  assert.deepEqual(await listed(), all);
  assert.deepEqual((await chat.register("hamlet")).state["realm_domains"], all);
  assert.equal((await desdemona.delete("/realm/domains/CYPRUS.example")).result, "success");
  assert.deepEqual(
    (await queue.events()).map(({ id: _, ...event }) => event),
    [
      { type: "realm_domains", op: "add", realm_domain: { domain: "venice.example", allow_subdomains: false } },
      { type: "realm_domains", op: "add", realm_domain: { domain: "cyprus.example", allow_subdomains: true } },
      { type: "realm_domains", op: "change", realm_domain: { domain: "venice.example", allow_subdomains: true } },
      { type: "realm_domains", op: "remove", domain: "cyprus.example" },
    ],
  );
  for (const [method, path, params] of [
    ["post", "/realm/domains", { domain: "venice.example", allow_subdomains: true }],
    ["post", "/realm/domains", { domain: "VENICE.example", allow_subdomains: true }],
    ["post", "/realm/domains", { domain: "not a domain", allow_subdomains: true }],
    ["post", "/realm/domains", { domain: "", allow_subdomains: true }],
    ["post", "/realm/domains", { domain: "x.example", allow_subdomains: "perhaps" }],
    ["patch", "/realm/domains/nowhere.example", { allow_subdomains: true }],
    ["delete", "/realm/domains/cyprus.example", {}],
  ] as const) {
    assert.equal((await desdemona[method](path, params))["code"], "BAD_REQUEST", JSON.stringify(params));
  }
  const missing = await desdemona.post("/realm/domains", { domain: "x.example" });
  assert.equal(missing["code"], "REQUEST_VARIABLE_MISSING");
  for (const who of [chat.as("iago"), hamlet, chat.as("bot")]) {
    const params = { domain: "who.example", allow_subdomains: true };
    assert.equal((await who.post("/realm/domains", params))["code"], "UNAUTHORIZED_PRINCIPAL");
    assert.equal((await who.patch("/realm/domains/venice.example", params))["code"], "UNAUTHORIZED_PRINCIPAL");
    assert.equal((await who.delete("/realm/domains/venice.example"))["code"], "UNAUTHORIZED_PRINCIPAL");
  }
  assert.equal((await chat.as("polonius").delete("/realm/domains/venice.example"))["code"], "BAD_REQUEST");
  assert.deepEqual(await listed(), [all[1]]);
});

test("removing the last domain ends the restriction", async (t) => {
  const chat = await startChat(t);
  const desdemona = chat.as("desdemona");
  await desdemona.post("/realm/domains", { domain: "venice.example", allow_subdomains: false });
  await desdemona.patch("/realm", { emails_restricted_to_domains: true });
  const queue = await chat.register("hamlet");
  await desdemona.delete("/realm/domains/venice.example");
  assert.deepEqual(
    (await queue.events()).map(({ type, op, property, value }) => [type, op, property, value]),
    [
      ["realm_domains", "remove", undefined, undefined],
      ["realm", "update", "emails_restricted_to_domains", false],
    ],
  );
});
