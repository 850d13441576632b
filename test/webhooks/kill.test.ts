import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test from "node:test";
import { until } from "../support/patience.ts";
import { call, dataFolder, type Person, type Serving, serve } from "../support/server-process.ts";

const MESSAGES = 8;

test("an unmarked delivery repeats under its ID after a kill, and none is lost", async (t) => {
  const { path, people } = await dataFolder(t);
  const [owner, hamlet] = people as [Person, Person];
  const received: { id: string; data: string }[] = [];
  let killAt: number[] = [];
  let server: Serving | undefined;
  const receiver = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ id: String(request.headers["webhook-id"]), data: JSON.parse(body).data });
    if (killAt[0] !== received.length) return response.end('{"content":"heard"}');
    killAt.shift();
    server?.child.kill("SIGKILL"); // deliveries that it sent but did not mark
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  t.after(() => receiver.close());
  t.after(() => receiver.closeAllConnections());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

  server = await serve(t, path);
  const host = (method: string, where: string, fields: Record<string, string>) =>
    fetch(`${server?.url}${where}`, {
      method,
      headers: { authorization: owner.authorization },
      body: new URLSearchParams(fields),
    });
  assert.ok((await host("PATCH", "/host/settings", { WEBHOOK_ALLOWED_HOSTS: '["127.0.0.1"]' })).ok);
  const bot = await call(server.url, owner, "POST /bots", {
    full_name: "Echo",
    short_name: "echo",
    bot_type: 3,
    payload_url: JSON.stringify(url),
  });
  const id = bot["user_id"] as number;
  assert.ok((await host("PATCH", `/host/bots/${id}`, { is_paused: "true" })).ok);
  for (let number = 1; number <= MESSAGES; number += 1)
    await call(server.url, hamlet, "POST /messages", { type: "direct", to: [id], content: `message ${number}` });
  killAt = [1, 4, 5];
  assert.ok((await host("PATCH", `/host/bots/${id}`, { is_paused: "false" })).ok);

  for (const _kill of [1, 2, 3]) {
    await server.ended;
    server = await serve(t, path);
  }
  await until(async () => {
    const answer = await fetch(`${server?.url}/host/bots/${id}`, { headers: { authorization: owner.authorization } });
    return ((await answer.json()) as { waiting: number }).waiting === 0 || undefined;
  }, "all deliveries to be done");

  const idsByMessage = new Map<string, Set<string>>();
  for (const { id: uid, data } of received) idsByMessage.set(data, (idsByMessage.get(data) ?? new Set()).add(uid));
  const sent = Array.from({ length: MESSAGES }, (_, index) => `message ${index + 1}`);
  assert.deepEqual([...idsByMessage.keys()], sent, "all of them, in their order");
  assert.deepEqual(
    [...idsByMessage.values()].map(({ size }) => size),
    sent.map(() => 1),
    "repeats keep the id",
  );
  assert.equal(received.length, MESSAGES + 3, "each kill repeats one");
  const { messages } = await call(server.url, hamlet, "GET /messages", {
    anchor: "newest",
    num_before: 100,
    num_after: 0,
    narrow: [["dm", [id]]],
  });
  const answers = (messages as { sender_id: number }[]).filter(({ sender_id }) => sender_id === id);
  assert.equal(answers.length, MESSAGES, "each answer is posted once");
});
