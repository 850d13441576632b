import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { request } from "undici";
import { type ChatOptions, startChat } from "../support/chat.ts";
import { startReverseProxy } from "../support/reverse-proxy.ts";
import { upload } from "../support/uploads.ts";

const HOST = "chat.example.com";
const password = "secret-desdemona";

/** A chat behind a proxy that ends TLS for chat.example.com. */
async function startBehindProxy(t: TestContext, options: ChatOptions = {}) {
  const chat = await startChat(t, {
    channels: [{ name: "design", private: true, subscribers: ["hamlet", "othello"] }],
    ...options,
  });
  await chat.as("desdemona").patch("/host/settings", { ALLOWED_HOSTS: [HOST], TRUSTED_PROXIES: ["127.0.0.1"] });
  const proxy = await startReverseProxy(t, { to: chat.url, forwardedFor: (headers) => String(headers["x-test-from"]) });
  const call = async (
    method: "GET" | "POST",
    path: string,
    { as, params = {}, headers = {}, from = "203.0.113.9" }: Asked = {},
  ) => {
    const { email, key } = as === undefined ? {} : chat.as(as);
    const response = await request(`${proxy}${path}`, {
      method,
      headers: {
        host: HOST,
        "x-test-from": from,
        ...(key && { authorization: `Basic ${btoa(`${email}:${key}`)}` }),
        "content-type": "application/x-www-form-urlencoded",
        ...headers,
      },
      ...(method === "POST" && { body: new URLSearchParams(params).toString() }),
    });
    const body = await response.body.text();
    return {
      status: response.statusCode,
      headers: response.headers,
      body: body.startsWith("{") ? JSON.parse(body) : body,
    };
  };
  return { chat, call };
}

interface Asked {
  as?: string;
  params?: Record<string, string>;
  headers?: Record<string, string>;
  from?: string;
}

test("behind a TLS proxy every URL says https", async (t) => {
  const { chat, call } = await startBehindProxy(t);
  const own = `https://${HOST}`;
  assert.equal((await call("GET", "/api/v1/server_settings")).body.realm_url, own);
  const { body } = await call("POST", "/api/v1/register", {
    as: "desdemona",
    params: { fetch_event_types: '["realm"]' },
  });
  assert.equal(body.realm_url, own);
  assert.ok(body.server_emoji_data_url.startsWith(`${own}/`));
  const invitation = await call("POST", "/api/v1/invites/multiuse", { as: "desdemona" });
  assert.ok(invitation.body.invite_link.startsWith(`${own}/join/`));
  const made = await chat.as("hamlet").post("/bots", { full_name: "Tides", short_name: "tides", bot_type: 1 });
  const file = await call("GET", `/host/bots/${made["user_id"]}/zuliprc`, { as: "hamlet" });
  assert.ok(JSON.stringify(file.body).includes(`site=${own}`), JSON.stringify(file.body));
  const { body: state } = await call("GET", "/host/state", { as: "desdemona" });
  assert.deepEqual(state.network.addresses[0], { url: own, interface: "proxy" });
});

test("recognizes links to its own host with either scheme", async (t) => {
  const { chat, call } = await startBehindProxy(t);
  const rendered = async (content: string) =>
    (await call("POST", "/api/v1/messages/render", { as: "hamlet", params: { content } })).body.rendered;
  const link = (url: string) => `[it](${url})`;
  const relative = await rendered(link(`http://${HOST}/#narrow/channel/1`));
  assert.match(relative, /href="#narrow/);
  for (const host of [`https://${HOST}`, `https://${HOST}:443`, `http://${HOST}:80`, `https://CHAT.example.com`])
    assert.equal(await rendered(link(`${host}/#narrow/channel/1`)), relative, host);
  for (const host of [
    "https://example.com",
    `https://${HOST}.evil.example`,
    `https://${HOST}@evil.example`,
    `https://${HOST}:8443`,
  ])
    assert.notEqual(await rendered(link(`${host}/#narrow/channel/1`)), relative, host);
  const direct = await chat
    .as("hamlet")
    .post("/messages/render", { content: link(`https://${HOST}/#narrow/channel/1`) });
  assert.equal(direct["rendered"], relative);
});

test("readers open an upload linked by its https URL", async (t) => {
  const { chat, call } = await startBehindProxy(t);
  for (const scheme of ["http", "https"]) {
    const url = await upload(chat, "hamlet");
    const params = { type: "channel", to: "design", topic: "file", content: `[a](${scheme}://${HOST}${url})` };
    assert.equal((await call("POST", "/api/v1/messages", { as: "hamlet", params })).status, 200);
    assert.equal((await call("GET", url, { as: "othello" })).status, 200, scheme);
    assert.equal((await call("GET", url, { as: "cordelia" })).status, 404, "who cannot read the message");
  }
});

test("a session behind a TLS proxy has a secure cookie", async (t) => {
  const { call } = await startBehindProxy(t);
  const params = { username: "desdemona@example.com", password };
  const signIn = (origin: string) => call("POST", "/host/session", { params, headers: { origin } });
  assert.equal((await signIn("https://evil.example")).status, 403);
  const { headers } = await signIn(`https://${HOST}`);
  const [cookie = ""] = [headers["set-cookie"]].flat();
  assert.match(cookie, /^__Host-hearth_session_443=[^;]+; Path=\/; .*; Secure$/);
  const session = { cookie: cookie.split(";", 1)[0] as string };
  assert.equal((await call("GET", "/host/session", { headers: session })).body.user.email, "desdemona@example.com");
});

test("each client behind a proxy has its own limits", async (t) => {
  const { chat, call } = await startBehindProxy(t, { rateLimit: "on" });
  const signIn = async (from: string, given: string) =>
    (
      await call("POST", "/api/v1/fetch_api_key", {
        from,
        params: { username: "desdemona@example.com", password: given },
      })
    ).status;
  const home = "2001:db8:0:1::5";
  assert.equal(await signIn(home, password), 200);
  for (let guess = 0; guess < 6; guess++) await signIn(`2001:db8:0:2::${guess}`, `guess ${guess}`);
  assert.equal(await signIn("2001:db8:0:2::99", password), 429, "of the same /64");
  assert.equal(await signIn("203.0.113.9", password), 200);
  for (let guess = 0; guess < 6; guess++) await signIn("2001:db8:0:1::66", `guess ${guess}`);
  assert.equal(await signIn("2001:db8:0:1::77", password), 200, "the /64 from which they signed in before");
  const kept = chat.server.app.store.reader.all("SELECT address FROM sign_in_addresses ORDER BY address");
  assert.deepEqual(kept, [{ address: "2001:db8:0:1::/64" }, { address: "203.0.113.9" }]);
});
