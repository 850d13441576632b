import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import test, { type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";
import { type SecondMachine, secondMachine } from "../support/second-machine.ts";

const LISTENER = fileURLToPath(new URL("../support/mdns-listener.mjs", import.meta.url));

/** A listener on another machine of the network, and its queries. */
async function listen(t: TestContext, { netns, otherAddress }: SecondMachine) {
  const child = spawn("ip", [...netns, process.execPath, LISTENER, otherAddress], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => child.kill());
  const heard: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => heard.push(line));
  await until(() => heard.find((line) => line === "listening"), "the listener");
  return {
    heard,
    ask: (name: string) => child.stdin.write(`${name}\n`),
    take: (name: string) => child.stdin.write(`take ${name}\n`),
  };
}

const names = async (chat: Awaited<ReturnType<typeof startChat>>) =>
  (await chat.as("desdemona").get("/host/network"))["listening"].addresses
    .filter((one: { interface: string }) => one.interface === "mDNS")
    .map((one: { url: string }) => one.url);

test("another machine finds hearth.local only while the server is open", async (t) => {
  const other = secondMachine(t);
  if (!other) return;
  const { heard, ask } = await listen(t, other);
  const closed = await startChat(t, { unwatched: true, host: "127.0.0.1", testing: { mdns: true } });
  assert.deepEqual(await names(closed), []);
  const chat = await startChat(t, { unwatched: true, host: other.address, testing: { mdns: true } });
  const { port } = new URL(chat.url);
  await until(async () => ((await names(chat)).length > 0 ? true : undefined), "a name");
  const [url = ""] = await names(chat);
  // Another server of this machine may use the first names.
  const [, name = "", number] = /^http:\/\/(hearth(?:-(\d+))?\.local):(\d+)$/.exec(url) ?? [];
  assert.equal(new URL(url).port, port);
  heard.length = 0;
  ask(name);
  await until(() => heard.find((line) => line === `${name} A ${other.address}`), "the address");
  ask("_hearth._tcp.local");
  const service = `Venice${number ? ` (${number})` : ""}._hearth._tcp.local`;
  await until(() => heard.find((line) => line === `_hearth._tcp.local PTR ${service}`), "the service");
  // When mDNS is turned off, the name is free. When it is turned on again, the server is found again.
  const set = (isOn: boolean) => chat.as("desdemona").patch("/host/settings", { MDNS: isOn });
  await set(false);
  await until(() => heard.find((line) => line.startsWith("_hearth._tcp.local goodbye")), "the name is given up");
  await until(async () => ((await names(chat)).length === 0 ? true : undefined), "no name");
  await set(true);
  await until(async () => ((await names(chat)).length > 0 ? true : undefined), "a name again");
  heard.length = 0;
  const began = performance.now();
  await chat.server.close();
  assert.ok(performance.now() - began < 3000);
  await until(() => heard.find((line) => line.startsWith("_hearth._tcp.local goodbye")), "the end of the service");
  assert.deepEqual(await names(closed), []);
});

test("shows the replacement for a name already in use", async (t) => {
  const other = secondMachine(t);
  if (!other) return;
  const { take } = await listen(t, other);
  take("hearth.local");
  const chat = await startChat(t, { unwatched: true, host: other.address, testing: { mdns: true } });
  await until(async () => ((await names(chat)).length > 0 ? true : undefined), "a name");
  const [url = ""] = await names(chat);
  assert.match(url, /^http:\/\/hearth-\d\.local:\d+$/);
  // The server responds at that name, and the certificate contains it.
  await chat.as("desdemona").patch("/host/settings", { HTTPS: JSON.stringify({ use: "local authority" }) });
  const name = new URL(url).hostname;
  await until(async () => {
    const { https } = await chat.as("desdemona").get("/host/network");
    return https.names.includes(name) || undefined;
  }, "the name in the certificate");
});
