import assert from "node:assert/strict";
import test from "node:test";
import { type ClientCapabilities, capabilitiesIn } from "../../server/api/presenters/client-capabilities.ts";
import type { RegisterContext } from "../../server/api/presenters/register-part.ts";
import { readAhead, readState } from "../../server/api/presenters/register-parts.ts";
import { ROLES, type User } from "../../server/api/queries/users.ts";
import type { Value } from "../../server/storage/transaction.ts";
import { type Organization, startOrganization } from "../support/organization.ts";

const contextOf = (
  { store }: Organization,
  viewer: User,
  capabilities: Partial<ClientCapabilities> = {},
): RegisterContext => ({
  reader: store.reader,
  viewer,
  fetches: () => true,
  keyOf: () => "",
  tokenOf: () => "",
  capabilities: capabilitiesIn(capabilities),
  includeSubscribers: "false",
  slimPresence: true,
  presenceHistoryLimitDays: 14,
  baseUrl: "http://hearth.local:9991",
  now: Date.now(),
  ahead: new Map(),
});

const register = (organization: Organization, viewer: User, capabilities: Partial<ClientCapabilities> = {}) =>
  readState(contextOf(organization, viewer, capabilities)) as Record<string, unknown>;

// The fields about people that mobile, terminal and library clients need at startup.
const NEEDED = `alert_words cross_realm_bots custom_profile_fields email event_queue_longpoll_timeout_seconds full_name
  max_file_upload_size_mib max_stream_name_length max_topic_length muted_users presences realm_allow_message_editing
  realm_default_external_accounts realm_emoji realm_enable_read_receipts realm_icon_url
  realm_message_content_edit_limit_seconds realm_message_retention_days realm_name realm_non_active_users
  realm_presence_disabled realm_user_groups realm_users realm_waiting_period_threshold realm_wildcard_mention_policy
  server_emoji_data_url server_presence_offline_threshold_seconds server_presence_ping_interval_seconds user_id
  user_settings user_status`;

test("known clients find the fields they need to start", async (t) => {
  const organization = await startOrganization(t);
  const state = register(organization, organization.owner, { user_settings_object: true });
  for (const field of NEEDED.split(/\s+/)) assert.notEqual(state[field], undefined, field);
  assert.equal(state["realm_name"], "Venice");
  assert.equal(state["server_emoji_data_url"], "http://hearth.local:9991/static/emoji-data.json");
  for (const [field, value] of Object.entries(state)) assert.notEqual(value, undefined, field);
});

test("data read ahead is reused until it changes", async (t) => {
  const organization = await startOrganization(t);
  const { owner: viewer, store } = organization;
  const { reader } = store;
  const { all } = reader;
  const reads: string[] = [];
  t.mock.method(reader, "all", (sql: string, ...values: Value[]) => {
    const [, table] =
      /FROM (channels|user_groups|drafts|saved_snippets|scheduled_messages|user_topics)\b/.exec(sql) ?? [];
    if (table) reads.push(table);
    return all.call(reader, sql, ...values);
  });
  organization.act((tx) => tx.run("UPDATE channels SET description = ''"));
  organization.act((tx) => tx.run("UPDATE user_groups SET description = ''"));
  const context = contextOf(organization, viewer);
  let steps = 0;
  for (const _ of readAhead(context)) steps += 1;
  const tables = ["channels", "drafts", "saved_snippets", "scheduled_messages", "user_groups", "user_topics"];
  assert.deepEqual([...new Set(reads)].sort(), tables);
  assert.ok(steps >= tables.length, "each in a turn of its own, where it takes long");
  const before = reads.length;
  assert.deepEqual(readState(context).saved_snippets, []);
  assert.equal(reads.length, before);
  organization.act((tx) => {
    const sql = "INSERT INTO saved_snippets (user_id, title, content, created_at) VALUES (?, 'Hi', 'Hello', ?)";
    tx.run(sql, viewer.id, tx.now);
  });
  assert.deepEqual(
    readState(context).saved_snippets?.map(({ title }) => title),
    ["Hi"],
  );
  assert.deepEqual(reads.slice(before), ["saved_snippets"]);
});

test("permissions follow the role", async (t) => {
  const organization = await startOrganization(t);
  const { owner, add } = organization;
  const may = (viewer: User) => {
    const state = register(organization, viewer);
    const granted = (name: string) => state[name] === true;
    return [
      "is_owner",
      "is_admin",
      "is_moderator",
      "is_guest",
      "can_create_public_streams",
      "can_create_private_streams",
      "can_create_web_public_streams",
      "can_subscribe_other_users",
      "can_invite_others_to_realm",
    ].filter(granted);
  };
  const member = [
    "can_create_public_streams",
    "can_create_private_streams",
    "can_subscribe_other_users",
    "can_invite_others_to_realm",
  ];
  assert.deepEqual(may(owner), ["is_owner", "is_admin", "is_moderator", ...member]);
  assert.deepEqual(may(add("cassio", { role: ROLES.administrator })), ["is_admin", "is_moderator", ...member]);
  assert.deepEqual(may(add("lodovico", { role: ROLES.moderator })), ["is_moderator", ...member]);
  assert.deepEqual(may(add("emilia")), member);
  assert.deepEqual(may(add("roderigo", { role: ROLES.guest })), ["is_guest"]);
});

test("only the owner creates web-public channels, once allowed", async (t) => {
  const organization = await startOrganization(t);
  const cassio = organization.add("cassio", { role: ROLES.administrator });
  organization.act((tx) => {
    tx.run("INSERT INTO host_settings (name, value) VALUES ('WEB_PUBLIC_STREAMS_ENABLED', 'true')");
    tx.run("INSERT INTO organization_settings (name, value) VALUES ('enable_spectator_access', 'true')");
  });
  assert.equal(register(organization, organization.owner)["can_create_web_public_streams"], true);
  assert.equal(register(organization, cassio)["can_create_web_public_streams"], false);
});

test("old clients get settings at the top level", async (t) => {
  const organization = await startOrganization(t);
  const emilia = organization.add("emilia");
  organization.act((tx) => {
    tx.run("INSERT INTO user_settings (user_id, name, value) VALUES (?, 'enter_sends', 'true')", emilia.id);
    tx.run("INSERT INTO user_settings (user_id, name, value) VALUES (?, 'notification_sound', '\"ding\"')", emilia.id);
    tx.run("UPDATE users SET timezone = 'Europe/Rome' WHERE id = ?", emilia.id);
  });
  const fresh = { ...emilia, timezone: "Europe/Rome" };
  const old = register(organization, fresh);
  assert.deepEqual([old["enter_sends"], old["notification_sound"], old["timezone"]], [true, "ding", "Europe/Rome"]);
  const current = register(organization, fresh, { user_settings_object: true });
  assert.deepEqual([current["enter_sends"], current["timezone"]], [undefined, undefined]);
  const settings = current["user_settings"] as Record<string, unknown>;
  assert.deepEqual(
    [settings["enter_sends"], settings["notification_sound"], settings["timezone"]],
    [true, "ding", "Europe/Rome"],
  );
  const others = register(organization, organization.owner)["user_settings"] as Record<string, unknown>;
  assert.deepEqual([others["enter_sends"], others["notification_sound"], others["timezone"]], [false, "zulip", ""]);
});

test("only capable clients see deactivated groups", async (t) => {
  const organization = await startOrganization(t);
  organization.act((tx) =>
    tx.run(
      `INSERT INTO user_groups (name, deactivated, can_add_members_group, can_join_group, can_leave_group,
         can_manage_group, can_mention_group, can_remove_members_group) VALUES ('turks', 1, '1', '1', '1', '1', '1', '1')`,
    ),
  );
  const names = (capabilities: Record<string, boolean>) =>
    (register(organization, organization.owner, capabilities)["realm_user_groups"] as { name: string }[]).map(
      ({ name }) => name,
    );
  assert.equal(names({}).includes("turks"), false);
  assert.equal(names({ include_deactivated_groups: true }).includes("turks"), true);
});

test("deactivated people are listed separately", async (t) => {
  const organization = await startOrganization(t);
  const [emilia, iago] = [organization.add("emilia"), organization.add("iago")];
  organization.act((tx) => tx.run("UPDATE users SET is_active = 0 WHERE id = ?", iago.id));
  const state = register(organization, emilia) as Record<
    "realm_users" | "realm_non_active_users",
    { user_id: number }[]
  >;
  assert.deepEqual(
    state.realm_users.map((user) => user.user_id),
    [organization.owner.id, emilia.id],
  );
  assert.deepEqual(
    state.realm_non_active_users.map((user) => user.user_id),
    [iago.id],
  );
});
