import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mock, type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { ANSWER_MS, askUntilAnswered } from "../../ui/api/ask-until-answered.ts";
import { createClient, Refusal } from "../../ui/api/client.ts";
import { askSession } from "../../ui/api/session.ts";

const SESSION = { result: "success", msg: "", setup: false, user: null, access: "none" };

/** A server that holds each response until the test releases it. */
async function holdingServer(t: TestContext) {
  const held: ServerResponse[] = [];
  const server = createServer((_request, response) => void held.push(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const asked = async (count: number) => {
    while (held.length < count) await setImmediate();
    return held[count - 1] as ServerResponse;
  };
  const answer = (response: ServerResponse, body: object, status = 200) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  return { client: createClient({ baseUrl: `http://127.0.0.1:${port}` }), asked, answer };
}

/** Advances time in steps until the promise settles or `isOver` is true. */
async function passing(isOver: () => boolean, stepMs = 250): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    assert.ok(turn < 100_000, "it ends");
    mock.timers.tick(stepMs);
    await setImmediate();
  }
}

test("gives up after ten seconds without a response and retries", async (t) => {
  const { client, asked, answer } = await holdingServer(t);
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  let errors = 0;
  const session = askSession({ client, onError: () => (errors += 1) });
  const first = await asked(1);
  mock.timers.tick(ANSWER_MS - 1);
  await setImmediate();
  assert.equal(errors, 0, "it may still come");
  assert.equal(first.destroyed, false);
  mock.timers.tick(1);
  await passing(() => errors === 1, 0);
  let second: ServerResponse | undefined;
  void asked(2).then((response) => {
    second = response;
  });
  await passing(() => second !== undefined);
  answer(second as ServerResponse, SESSION);
  assert.equal((await session).access, "none");
});

test("retries an unreachable server, but not a refusal", async (t) => {
  const { client, asked, answer } = await holdingServer(t);
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const isFinal = (error: unknown) => error instanceof Refusal && error.status < 500;
  const refusals: unknown[] = [];
  void askUntilAnswered({ ask: (signal) => client.call("GET /server_settings", {}, signal), isFinal }).then(
    () => assert.fail("it was refused"),
    (error: unknown) => void refusals.push(error),
  );
  answer(await asked(1), { result: "error", msg: "Starting" }, 503);
  let second: ServerResponse | undefined;
  void asked(2).then((response) => {
    second = response;
  });
  await passing(() => second !== undefined);
  (second as ServerResponse).destroy();
  let third: ServerResponse | undefined;
  void asked(3).then((response) => {
    third = response;
  });
  await passing(() => third !== undefined);
  assert.equal(refusals.length, 0);
  answer(third as ServerResponse, { result: "error", msg: "No" }, 400);
  await passing(() => refusals.length > 0);
  assert.ok(refusals[0] instanceof Refusal);
});

test("cancelling aborts the current attempt", async (t) => {
  const { client, asked } = await holdingServer(t);
  const controller = new AbortController();
  const session = askSession({ client, signal: controller.signal, onError: () => assert.fail("it was no error") });
  const response = await asked(1);
  const closed = new Promise((resolve) => response.on("close", resolve));
  controller.abort();
  await assert.rejects(session, { name: "AbortError" });
  await closed;
});
