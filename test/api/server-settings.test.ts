import assert from "node:assert/strict";
import test from "node:test";
import { getServerSettings } from "../../server/api/endpoints/server-settings.ts";
import { serve, startOrganization } from "../support/organization.ts";

test("anyone learns the organization's name and sign-in methods", async (t) => {
  const organization = await startOrganization(t);
  const { call, baseUrl } = await serve(t, organization, [getServerSettings]);
  const { status, body } = await call(null, "GET /api/v1/server_settings");
  assert.equal(status, 200);
  assert.equal(body["realm_name"], "Venice");
  assert.equal(body["realm_url"], baseUrl);
  assert.equal(body["realm_uri"], baseUrl);
  assert.deepEqual([body["zulip_feature_level"], body["service_feature_level"]], [421, 421]);
  assert.equal(body["zulip_version"], "11.0");
  assert.equal(body["zulip_merge_base"], "11.0");
  assert.match(body["service_version"] as string, /^\d+\.\d+\.\d+/);
  assert.equal(body["realm_web_public_access_enabled"], false);
  const offered = Object.entries(body["authentication_methods"] as object).filter(([, offered]) => offered);
  assert.deepEqual(
    offered.map(([name]) => name),
    ["password", "email"],
  );
  assert.equal((await fetch(body["realm_icon"] as string)).status, 200);
});

test("the description is sent as escaped HTML", async (t) => {
  const organization = await startOrganization(t);
  organization.act((tx) =>
    tx.run(
      "INSERT INTO organization_settings (name, value) VALUES ('description', ?)",
      JSON.stringify("**Moors** <script>"),
    ),
  );
  const { call } = await serve(t, organization, [getServerSettings]);
  const { body } = await call(null, "GET /api/v1/server_settings");
  assert.equal(body["realm_description"], "<p><strong>Moors</strong> &lt;script&gt;</p>");
});

test("public access needs both the server's and organization's settings", async (t) => {
  const organization = await startOrganization(t);
  const { call } = await serve(t, organization, [getServerSettings]);
  const isOn = async () => (await call(null, "GET /api/v1/server_settings")).body["realm_web_public_access_enabled"];
  organization.act((tx) =>
    tx.run("INSERT INTO organization_settings (name, value) VALUES ('enable_spectator_access', 'true')"),
  );
  assert.equal(await isOn(), false);
  organization.act((tx) =>
    tx.run("INSERT INTO host_settings (name, value) VALUES ('WEB_PUBLIC_STREAMS_ENABLED', 'true')"),
  );
  assert.equal(await isOn(), true);
});
