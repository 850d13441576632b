import assert from "node:assert/strict";
import test from "node:test";
import { until } from "../support/patience.ts";
import { startReverseProxy } from "../support/reverse-proxy.ts";
import { announced, emptyFolder, hearth } from "../support/server-process.ts";

const params = {
  organization: "Rowing Club",
  owner_name: "Ann",
  owner_email: "ann@example.org",
  password: "oar and anchor 9",
};

for (const trusted of ["", "127.0.0.1"]) {
  test(`first run rejects ${trusted ? "a trusted proxy" : "a proxy"}`, async (t) => {
    const folder = emptyFolder(t);
    const server = hearth(t, ["serve", "--data", folder, "--port", "0"], { TRUSTED_PROXIES: trusted });
    const url = await announced(server);
    const code = await until(() => /#code=([A-Z0-9-]+)/.exec(server.stderr)?.[1], "the code");
    const proxy = await startReverseProxy(t, { to: url, forwardedFor: () => "127.0.0.1" });
    const setUp = (base: string) =>
      fetch(`${base}/host/setup`, { method: "POST", body: new URLSearchParams({ ...params, code }) });
    assert.equal((await setUp(proxy)).status, 403);
    const session = async (base: string) =>
      (await (await fetch(`${base}/host/session`)).json()) as { data_folder: string };
    assert.equal((await session(proxy)).data_folder, "");
    assert.equal((await session(url)).data_folder, folder);
    assert.equal((await setUp(url)).status, 200);
  });
}
