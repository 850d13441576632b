import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type TestContext } from "node:test";
import { Poster, PostFailed } from "../../server/integrations/outgoing/post.ts";

async function listen(t: TestContext, address: string, listener: RequestListener, port = 0) {
  const server = createServer(listener);
  const receiver = { port, reached: 0 };
  server.on("connection", () => {
    receiver.reached += 1;
  });
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  receiver.port = (server.address() as AddressInfo).port;
  t.after(() => server.close());
  t.after(() => server.closeAllConnections());
  return receiver;
}

/** Posts to names whose scripted resolutions change each time. */
function posterWith(t: TestContext, answers: string[][]) {
  const asked: string[] = [];
  const poster = new Poster(
    () => ({}),
    5000,
    async (name) => {
      asked.push(name);
      return answers.shift() ?? [];
    },
  );
  t.after(() => poster.close());
  return { poster, asked };
}

// A delivery loads it, and has five seconds. Under Wine, loading can take longer.
await import("undici");

const ALLOWED = { privateNetwork: false, listed: ["127.0.0.1"] };
const NOTHING = { headers: {}, body: "x" };

test("a name that changes after the check never reaches the new address", async (t) => {
  const allowed = await listen(t, "127.0.0.1", (_request, response) => response.setHeader("connection", "close").end());
  const forbidden = await listen(t, "127.0.0.2", (_request, response) => response.end(), allowed.port);
  const { poster, asked } = posterWith(t, [["127.0.0.1"], ["127.0.0.2"], ["127.0.0.2", "127.0.0.1"]]);
  const address = `http://rebind.example:${allowed.port}/`;
  assert.equal((await poster.post(address, ALLOWED, NOTHING)).status, 200);
  assert.deepEqual([asked.length, allowed.reached], [1, 1], "one look-up for one connection");
  await assert.rejects(poster.post(address, ALLOWED, NOTHING), (error: PostFailed) => {
    assert.ok(error instanceof PostFailed);
    assert.equal(error.problem.reason, "webhook_address_blocked");
    assert.deepEqual(error.problem.params, { target: "rebind.example", range: "loopback" });
    return true;
  });
  assert.equal((await poster.post(address, ALLOWED, NOTHING)).status, 200, "the allowed one of two addresses");
  assert.equal(forbidden.reached, 0);
});

test("checks redirect names like the first address", async (t) => {
  const receiver = await listen(t, "127.0.0.1", ({ url }, response) =>
    url === "/go"
      ? response
          .writeHead(307, { location: `http://inside.example:${receiver.port}/secret`, connection: "close" })
          .end()
      : response.end("secret"),
  );
  const forbidden = await listen(t, "127.0.0.3", (_request, response) => response.end("secret"), receiver.port);
  const { poster, asked } = posterWith(t, [["127.0.0.1"], ["127.0.0.3"]]);
  await assert.rejects(
    poster.post(`http://outside.example:${receiver.port}/go`, ALLOWED, NOTHING),
    /cannot reach inside\.example, a loopback address/,
  );
  assert.deepEqual(asked, ["outside.example", "inside.example"]);
  assert.equal(forbidden.reached, 0);
});

test("no spelling of a forbidden address connects", async (t) => {
  const receiver = await listen(t, "127.0.0.1", (_request, response) => response.end());
  const disguises = [
    ["127.0.0.1"],
    ["::1"],
    ["::ffff:127.0.0.1"],
    ["::ffff:7f00:1"],
    ["::127.0.0.1"],
    ["64:ff9b::7f00:1"],
    ["2002:7f00:1::"],
    ["0.0.0.0"],
    ["::"],
    ["169.254.169.254"],
    ["fe80::1"],
    ["fd00:ec2::254"],
    ["100.100.100.200"],
    ["10.0.0.1"],
    ["fc00::1"],
    ["224.0.0.1"],
    ["255.255.255.255"],
    ["2001:0:7f00:1::"], // Teredo
    ["64:ff9b:1::7f00:1"], // local-use NAT64
    ["not an address"],
    [],
  ];
  const { poster } = posterWith(t, [...disguises]);
  for (const [index, addresses] of disguises.entries())
    await assert.rejects(
      poster.post(`http://name${index}.example:${receiver.port}/`, { privateNetwork: false, listed: [] }, NOTHING),
      (error: unknown) => error instanceof PostFailed && !error.again,
      String(addresses),
    );
  for (const host of ["2130706433", "0x7f.1", "017700000001", "127.1", "[::ffff:127.0.0.1]", "localhost."])
    await assert.rejects(
      poster.post(`http://${host}:${receiver.port}/`, { privateNetwork: false, listed: [] }, NOTHING),
      PostFailed,
      host,
    );
  assert.equal(receiver.reached, 0);
});

test("a receiver gets at most 40 concurrent deliveries on reused connections", async (t) => {
  const held: (() => void)[] = [];
  let longest = 0;
  let free: () => void = () => {};
  const isFull = new Promise<void>((resolve) => {
    free = resolve;
  });
  const receiver = await listen(t, "127.0.0.1", (_request, response) => {
    held.push(() => response.end());
    longest = Math.max(longest, held.length);
    if (longest === 40) free();
    // After that, each ended delivery makes room for one.
    if (isReleased) held.shift()?.();
  });
  let isReleased = false;
  const { poster, asked } = posterWith(t, []);
  const posts = Array.from({ length: 200 }, () => poster.post(`http://127.0.0.1:${receiver.port}/`, ALLOWED, NOTHING));
  await isFull;
  isReleased = true;
  for (const answer of held.splice(0)) answer();
  const statuses = new Set((await Promise.all(posts)).map(({ status }) => status));
  assert.deepEqual([[...statuses], longest, receiver.reached], [[200], 40, 40]);
  assert.deepEqual(asked, [], "a literal address is looked up nowhere");
});
