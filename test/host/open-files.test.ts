import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { maxConnections } from "../../server/http/connection-limits.ts";
import { until } from "../support/patience.ts";
import { announced, call, dataFolder, type Person, run, serve } from "../support/server-process.ts";

const CLI = fileURLToPath(new URL("../../.build/app/cli.js", import.meta.url));
/** Two segments of the log, at 16 MB each. */
const SENDS = 1200;

test("sockets leave file descriptors for the log", { skip: process.platform === "win32" }, async (t) => {
  const folder = await dataFolder(t);
  const owner = folder.people[0] as Person;
  const args = [process.execPath, CLI, "serve", "--data", folder.path, "--port", "0", "--rate-limit", "off"];
  const server = run(t, "sh", ["-c", 'ulimit -n 64; exec "$@"', "sh", ...args]);
  const url = await announced(server);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const body = new URLSearchParams({ type: "direct", to: `[${owner.id}]`, content: "x".repeat(10_000) }).toString();
  const headers = { authorization: owner.authorization, "content-type": "application/x-www-form-urlencoded" };
  const send = async () => {
    const sent = request(`${url}/api/v1/messages`, { method: "POST", agent, headers }).end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return (await json(response)) as { result: string; msg: string; id: number };
  };
  await send(); // its connection stays open
  const { port, hostname } = new URL(url);
  const idle = Array.from({ length: 100 }, () =>
    connect(Number(port), hostname)
      .on("error", () => {})
      .resume(),
  );
  t.after(() => {
    for (const socket of idle) socket.destroy();
  });
  await until(() => idle.some(({ closed }) => closed) || undefined, "the first to be refused");
  let newest = 0;
  for (let sent = 0; sent < SENDS; sent += 1) {
    const { result, msg, id } = await send();
    assert.equal(result, "success", `send ${sent}: ${msg}\n${server.stderr}`);
    newest = id;
  }
  assert.equal(server.stderr, "");
  server.child.kill("SIGKILL");
  await server.ended;
  const again = await serve(t, folder.path);
  const read = await call(again.url, owner, "GET /messages", {
    anchor: "newest",
    num_before: 1,
    num_after: 0,
    narrow: [],
  });
  assert.equal(read["messages"][0]?.id, newest);
});

test("the open-file limit bounds connections", (t) => {
  const proc = mkdtempSync(join(tmpdir(), "hearth-proc-"));
  t.after(() => rmSync(proc, { recursive: true }));
  mkdirSync(join(proc, "fd"));
  for (let fd = 0; fd < 30; fd += 1) writeFileSync(join(proc, "fd", String(fd)), "");
  const limitedTo = (limit: string) => {
    writeFileSync(
      join(proc, "limits"),
      `Max processes  7 7 processes\nMax open files            ${limit}  4096  files\n`,
    );
    return maxConnections(proc);
  };
  assert.deepEqual(["1024", "64", "40", "1048576", "unlimited"].map(limitedTo), [974, 14, 4, 5000, 5000]);
  assert.equal(maxConnections(join(proc, "missing")), 5000, "not on Linux");
});
