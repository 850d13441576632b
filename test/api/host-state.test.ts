import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";
import { send, state } from "../support/host-state-samples.ts";

test("a sample reports verifiable figures about the server", async (t) => {
  const chat = await startChat(t, {
    operatorToken: "operator's own",
    unwatched: true,
    channels: [{ name: "stage", subscribers: ["hamlet"] }, { name: "old" }],
    host: "127.0.0.1",
  });
  const { app } = chat.server;
  app.store.transact({ actor: 1, action: "test" }, (tx) => {
    tx.run("UPDATE channels SET is_archived = 1 WHERE id = ?", chat.ids["old"] as number);
    tx.run("UPDATE users SET is_active = 0 WHERE id = ?", chat.ids["cordelia"] as number);
  });
  for (const text of ["one", "two", "three"]) await send(chat, "hamlet", text);
  const began = Date.now();
  const { status, result, msg, ...sample } = await state(chat);
  assert.deepEqual([status, result, msg], [200, "success", ""]);
  assert.ok(Math.abs(sample["now"] - began) < 10_000);
  assert.equal(sample["started_at"], app.startedAt);
  assert.equal(sample["version"], app.version);
  const { created_at, newcomers, ...organization } = sample["organization"];
  assert.deepEqual(organization, {
    name: "Venice",
    picture_url: "/generated/organization.png?version=1",
    people: 5, // desdemona, iago, hamlet, othello, polonius
    guests: 1,
    bots: 1,
    joined_last_week: 5,
    channels: 1,
    messages: 3,
    notices: 0,
    people_wrote: true,
  });
  assert.deepEqual(
    newcomers.map(({ full_name }: { full_name: string }) => full_name),
    ["Polonius", "Othello", "Hamlet", "Iago", "Desdemona"],
  );
  assert.ok(created_at > 0 && created_at <= began);
  const port = Number(new URL(chat.url).port);
  const addresses = [{ url: `http://127.0.0.1:${port}`, interface: "lo" }];
  assert.deepEqual(sample["network"], { host: "127.0.0.1", port, lan: false, https: "off", addresses });
  assert.deepEqual(sample["online"], { people: [], people_count: 0, elsewhere_count: 0, bots_count: 0 });
  assert.deepEqual(sample["queues"], { total: 0, waiting: 0, pages: { total: 0, waiting: 0 } });
  assert.deepEqual(sample["deliveries"], { waiting: 0, failed: 0, retried: { count: 0, bots: [] } });
  assert.deepEqual(sample["invitations"], { links: 0, people: 0 });
  assert.equal(sample["accepts_writes"], true);
  const { storage, memory, audit, newest_audit_id } = sample["host"];
  const { data_folder, ...bytes } = storage;
  assert.equal(data_folder, chat.folder);
  assert.equal(bytes.database_bytes, app.store.sizes.database);
  assert.ok(bytes.log_bytes > 0 && bytes.disk_free_bytes > 0 && bytes.disk_total_bytes >= bytes.disk_free_bytes);
  assert.ok(memory.process_bytes > 10_000_000);
  assert.equal(sample["messages"].per_minute.length, 60);
  assert.equal(sample["messages"].last_hour, 3);
  assert.equal(sample["messages"].minute % 60_000, 0);
  assert.equal(newest_audit_id, audit[0].id);
  assert.equal(audit.length, 10, "the organization, seven people and two channels");
  assert.deepEqual(audit[0].actor, { user_id: 1, full_name: "Desdemona" });
});

test("network mode lists the machine's reachable addresses only", async (t) => {
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true, host: "0.0.0.0" });
  const { network } = await state(chat);
  assert.deepEqual([network.host, network.lan], ["0.0.0.0", true]);
  for (const { url } of network.addresses) {
    const { hostname, port } = new URL(url);
    assert.equal(port, new URL(chat.url).port);
    assert.doesNotMatch(hostname, /^127\.|^localhost$|^\[::1\]$/);
    assert.equal((await fetch(`${url}/api/v1/server_settings`)).status, 200, url);
  }
});

test("names the newest changes, default channel groups included", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "stage", subscribers: [] }] });
  const owner = chat.as("desdemona");
  const set = { group_name: "troupe", description: "", stream_names: ["stage"] };
  assert.equal((await owner.post("/default_stream_groups/create", set))["result"], "success");
  const { host } = await owner.get("/host/state");
  assert.equal(host.audit[0].target_name, "troupe");
});

test("administrators get everything but machine details", async (t) => {
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const [owner, administrator] = [
    await chat.as("desdemona").get("/host/state"),
    await chat.as("iago").get("/host/state"),
  ];
  assert.equal(administrator.status, 200);
  assert.equal(owner["host"].storage.data_folder, chat.folder);
  assert.equal(administrator["host"], null);
  assert.ok(!JSON.stringify(administrator).includes(chat.folder));
  assert.deepEqual(administrator["organization"], owner["organization"]);
  // Also not in the responses of held polls, which all callers share.
  const held = chat.as("iago").get("/host/state", { after: administrator["sample"] });
  await send(chat, "hamlet", "one");
  assert.equal((await held)["host"], null);
});
