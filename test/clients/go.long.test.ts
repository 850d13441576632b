import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { before, type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { loadCertificates } from "../../server/host/https/local-authority.ts";
import { startChat } from "../support/chat.ts";
import { onPath } from "../support/programs.ts";

// Clients from the registry of Go modules, unmodified.
const BIN = join(import.meta.dirname, "../../.build/go-clients");
const go = onPath("go", process.env);
const withGo = { skip: go ? false : "no Go: install it to run this client" };

const run = promisify(execFile);

async function installed(program: string, module: string): Promise<string> {
  const path = join(BIN, program);
  if (!existsSync(path))
    await run(go as string, ["install", module], { env: { ...process.env, GOBIN: BIN, GOFLAGS: "-buildvcs=false" } });
  return path;
}

/** shoutrrr accepts neither a port nor a name without a dot, so this proxy leads every name to the server. */
async function proxyTo(t: TestContext, port: number): Promise<string> {
  const proxy = createServer().on("connect", (_, client) => {
    const server = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      server.pipe(client).pipe(server);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  t.after(() => proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

before(loadCertificates);

test("shoutrrr notifies a channel over HTTPS", withGo, async (t) => {
  const shoutrrr = await installed("shoutrrr", "github.com/nicholas-fedor/shoutrrr/shoutrrr@v0.13.2");
  const chat = await startChat(t, {
    channels: [{ name: "general", subscribers: ["hamlet", "bot"] }],
    host: "0.0.0.0",
    testing: { https: { machine: () => ({ hostname: "hearth", addresses: [] }) } },
  });
  const set = { HTTPS: JSON.stringify({ use: "local authority" }) };
  assert.equal((await chat.as("desdemona").patch("/host/settings", set)).status, 200);
  const root = join(chat.folder, "root.crt");
  writeFileSync(root, await (await fetch(`${chat.url}/hearth-root.crt`)).text());
  const { email, key } = chat.as("bot");
  const address = `zulip://${encodeURIComponent(email)}:${key}@hearth.local/?stream=general&topic=watch`;
  const proxy = await proxyTo(t, Number(new URL(chat.url).port));
  const env = { ...process.env, SSL_CERT_FILE: root, HTTPS_PROXY: proxy };
  await run(shoutrrr, ["send", "--url", address, "--message", "The bell then beating one."], { env });
  const newest = { anchor: "newest", num_before: 1, num_after: 0, apply_markdown: false };
  const { messages } = await chat.as("hamlet").get("/messages", newest);
  assert.deepEqual([messages[0].subject, messages[0].content], ["watch", "The bell then beating one."]);
});
