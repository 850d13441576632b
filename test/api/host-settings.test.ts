import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { getOperatorSettings, patchOperatorSettings } from "../../server/api/endpoints/operator-settings.ts";
import { operatorSettings } from "../../server/api/queries/operator-settings.ts";
import { ROLES } from "../../server/api/queries/users.ts";
import { serve, startOrganization } from "../support/organization.ts";

const endpoints = [getOperatorSettings, patchOperatorSettings];
const INITIAL = {
  ALLOWED_HOSTS: [],
  RATE_LIMITS: {
    api_by_user: [[60, 200]],
    api_by_ip: [[60, 100]],
    authenticate_by_username: [[1800, 5]],
    authenticate_by_ip: [[1800, 30]],
    stored_bytes_by_user: [[3600, 50_000_000]],
  },
  INVITATION_LINK_VALIDITY_MINUTES: 14_400,
  ORGANIZATION_DEACTIVATED: false,
  MAX_FILE_UPLOAD_SIZE_MIB: 100,
  UPLOAD_QUOTA_MIB: null,
  WEBHOOK_ALLOWED_HOSTS: [],
  WEB_PUSH: false,
  TRUSTED_PROXIES: [],
  LOG_LEVEL: "info",
  BACKUPS_DAILY: true,
  BACKUP_FOLDER: null,
  HTTPS: { use: "off" },
  SMTP: null,
  PUBLIC_URL: null,
  MDNS: true,
  WEB_PUBLIC_STREAMS_ENABLED: false,
};

function setEnvironment(t: TestContext, name: string, value: string): void {
  process.env[name] = value;
  t.after(() => delete process.env[name]);
}

test("operator and owner change server settings", async (t) => {
  const organization = await startOrganization(t);
  const { call } = await serve(t, organization, endpoints);
  assert.deepEqual((await call("host", "GET /host/settings")).body, {
    result: "success",
    msg: "",
    settings: INITIAL,
    set_by_environment: [],
  });
  const changed = await call(organization.owner, "PATCH /host/settings", {
    ALLOWED_HOSTS: ["Chat.Example.com"],
    RATE_LIMITS: { api_by_user: [[60, 1000]] },
    INVITATION_LINK_VALIDITY_MINUTES: 60,
  });
  assert.equal(changed.status, 200);
  await call("host", "PATCH /host/settings", { WEB_PUBLIC_STREAMS_ENABLED: true });
  assert.deepEqual((await call(organization.owner, "GET /host/settings")).body["settings"], {
    ALLOWED_HOSTS: ["chat.example.com"],
    RATE_LIMITS: { ...INITIAL.RATE_LIMITS, api_by_user: [[60, 1000]] },
    INVITATION_LINK_VALIDITY_MINUTES: 60,
    ORGANIZATION_DEACTIVATED: false,
    MAX_FILE_UPLOAD_SIZE_MIB: 100,
    UPLOAD_QUOTA_MIB: null,
    WEBHOOK_ALLOWED_HOSTS: [],
    WEB_PUSH: false,
    TRUSTED_PROXIES: [],
    LOG_LEVEL: "info",
    BACKUPS_DAILY: true,
    BACKUP_FOLDER: null,
    HTTPS: { use: "off" },
    SMTP: null,
    PUBLIC_URL: null,
    MDNS: true,
    WEB_PUBLIC_STREAMS_ENABLED: true,
  });
});

test("nobody else reads or changes server settings", async (t) => {
  const organization = await startOrganization(t);
  const { call } = await serve(t, organization, endpoints);
  const callers = [
    organization.add("cassio", { role: ROLES.administrator }),
    organization.add("emilia"),
    organization.add("roderigo", { role: ROLES.guest }),
    organization.add("clown", { is_bot: true, role: ROLES.owner }),
    null,
  ];
  for (const who of callers) {
    const read = await call(who, "GET /host/settings");
    assert.equal(read.status, who ? 400 : 401);
    assert.equal(read.body["settings"], undefined);
    const written = await call(who, "PATCH /host/settings", { WEB_PUBLIC_STREAMS_ENABLED: true });
    assert.equal(written.status, who ? 400 : 401);
  }
  assert.deepEqual(operatorSettings(organization.store.reader), INITIAL);
});

test("a change is audited with its previous value", async (t) => {
  const organization = await startOrganization(t);
  const { call } = await serve(t, organization, endpoints);
  const minutes = { INVITATION_LINK_VALIDITY_MINUTES: 60 };
  for (let again = 0; again < 2; again++) await call(organization.owner, "PATCH /host/settings", minutes);
  assert.deepEqual(
    organization.store.reader.all(
      "SELECT actor_id, target, before, after FROM audit WHERE action = 'change host setting'",
    ),
    [
      {
        actor_id: organization.owner.id,
        target: "host setting INVITATION_LINK_VALIDITY_MINUTES",
        before: "14400",
        after: "60",
      },
    ],
  );
});

test("one invalid value rejects the whole change", async (t) => {
  const organization = await startOrganization(t);
  const { call } = await serve(t, organization, endpoints);
  const wrong = [
    { ALLOWED_HOSTS: ["not a name"] },
    { ALLOWED_HOSTS: "chat.example.com" },
    { TRUSTED_PROXIES: ["proxy.example.com"] },
    { TRUSTED_PROXIES: ["10.0.0.0/33"] },
    { TRUSTED_PROXIES: ["::ffff:10.0.0.0/104"] },
    { TRUSTED_PROXIES: ["fe80::1%eth0"] },
    { RATE_LIMITS: { api_by_user: [[0, 1]] } },
    { RATE_LIMITS: { api_by_moon: [[60, 1]] } },
    { INVITATION_LINK_VALIDITY_MINUTES: 0 },
    { WEB_PUBLIC_STREAMS_ENABLED: "maybe" },
    { LOG_LEVEL: "everything" },
  ];
  for (const params of wrong) {
    const { status, body } = await call("host", "PATCH /host/settings", {
      INVITATION_LINK_VALIDITY_MINUTES: 60,
      ...params,
    });
    assert.equal(status, 400, JSON.stringify(params));
    assert.match(body["msg"] as string, new RegExp(Object.keys(params)[0] as string));
  }
  assert.deepEqual(operatorSettings(organization.store.reader), INITIAL);
});

test("trusted proxies are IP addresses and networks", async (t) => {
  const organization = await startOrganization(t);
  const { call } = await serve(t, organization, endpoints);
  const TRUSTED_PROXIES = ["127.0.0.1", "::1", "10.0.0.0/8", "2001:db8::/32"];
  assert.equal((await call("host", "PATCH /host/settings", { TRUSTED_PROXIES })).status, 200);
  assert.deepEqual(operatorSettings(organization.store.reader).TRUSTED_PROXIES, TRUSTED_PROXIES);
  setEnvironment(t, "TRUSTED_PROXIES", "127.0.0.1, ::1");
  const { body } = await call("host", "GET /host/settings");
  assert.deepEqual(body["set_by_environment"], ["TRUSTED_PROXIES"]);
});

test("an environment variable overrides a setting and locks it", async (t) => {
  const organization = await startOrganization(t);
  const { call } = await serve(t, organization, endpoints);
  await call("host", "PATCH /host/settings", { INVITATION_LINK_VALIDITY_MINUTES: 60 });
  setEnvironment(t, "INVITATION_LINK_VALIDITY_MINUTES", "30");
  setEnvironment(t, "WEB_PUBLIC_STREAMS_ENABLED", "true");
  setEnvironment(t, "ALLOWED_HOSTS", "chat.example.com, other.example");
  setEnvironment(t, "RATE_LIMITS", '{"api_by_ip":[[60,5000]]}');
  const { body } = await call("host", "GET /host/settings");
  assert.deepEqual(body["settings"], {
    ALLOWED_HOSTS: ["chat.example.com", "other.example"],
    RATE_LIMITS: { ...INITIAL.RATE_LIMITS, api_by_ip: [[60, 5000]] },
    INVITATION_LINK_VALIDITY_MINUTES: 30,
    ORGANIZATION_DEACTIVATED: false,
    MAX_FILE_UPLOAD_SIZE_MIB: 100,
    UPLOAD_QUOTA_MIB: null,
    WEBHOOK_ALLOWED_HOSTS: [],
    WEB_PUSH: false,
    TRUSTED_PROXIES: [],
    LOG_LEVEL: "info",
    BACKUPS_DAILY: true,
    BACKUP_FOLDER: null,
    HTTPS: { use: "off" },
    SMTP: null,
    PUBLIC_URL: null,
    MDNS: true,
    WEB_PUBLIC_STREAMS_ENABLED: true,
  });
  const refused = await call("host", "PATCH /host/settings", { INVITATION_LINK_VALIDITY_MINUTES: 90 });
  assert.equal(refused.status, 400);
  assert.match(refused.body["msg"] as string, /INVITATION_LINK_VALIDITY_MINUTES/);
  // The database keeps the value for a start without the variable.
  const sql = "SELECT value FROM host_settings WHERE name = 'INVITATION_LINK_VALIDITY_MINUTES'";
  assert.equal(organization.store.reader.value(sql), "60");
});

test("reports an invalid environment variable by name", async (t) => {
  const organization = await startOrganization(t);
  setEnvironment(t, "INVITATION_LINK_VALIDITY_MINUTES", "soon");
  assert.throws(() => operatorSettings(organization.store.reader), /INVITATION_LINK_VALIDITY_MINUTES.*soon/);
});
