import assert from "node:assert/strict";
import test from "node:test";
import { PATCHABLE } from "../../server/api/queries/organization-settings.ts";
import { ORGANIZATION_GROUP_SETTINGS } from "../../server/api/queries/permission-settings.ts";
import { systemGroupId } from "../../server/api/queries/user-group-members.ts";
import { type Chat, startChat } from "../support/chat.ts";

type Row = {
  /** The value to send. */
  good: unknown;
  /** The stored value, if it differs. */
  stored?: unknown;
  bad: unknown[];
  ownerOnly?: true;
  /** The event is `update_dict` with these deprecated fields. */
  legacyFields?: Record<string, unknown>;
};
const flag = (good: boolean, more: Partial<Row> = {}): Row => ({ good, bad: ["maybe", 1, "null"], ...more });
const LIMIT = { good: "unlimited", stored: null, bad: [0, -1, 1.5, "soon", true, "null", [60]] };
const channel = (good: unknown): Row => ({ good, bad: [0, -2, 999, "general", "null"] });
const owner = { ownerOnly: true } as const;

/** Every setting of PATCH /realm, except settings with a single valid value. */
const rows = (ids: Record<string, number>): Record<string, Row> => ({
  allow_message_editing: flag(false, { legacyFields: {} }),
  avatar_changes_disabled: flag(true),
  default_code_block_language: { good: "python", bad: ["klingon", "x".repeat(51)] },
  default_language: { good: "de", bad: ["", "xx", "German", "d".repeat(51)] },
  description: { good: 'A "republic" 🎭', bad: ["é".repeat(1001)] },
  digest_emails_enabled: flag(true),
  digest_weekday: { good: 6, bad: [7, -1, "Monday"] },
  disallow_disposable_email_addresses: flag(false, owner),
  email_changes_disabled: flag(true),
  emails_restricted_to_domains: flag(true, owner),
  enable_guest_user_dm_warning: flag(false),
  enable_guest_user_indicator: flag(false),
  enable_read_receipts: flag(false),
  enable_spectator_access: flag(true),
  giphy_rating: { good: 0, bad: [6, "g"] },
  inline_image_preview: flag(false),
  inline_url_embed_preview: flag(true),
  invite_required: flag(false, owner),
  jitsi_server_url: {
    good: "https://calls.example.com/here",
    bad: ["calls.example.com", "ftp://example.com", `https://example.com/${"x".repeat(190)}`],
  },
  message_content_allowed_in_email_notifications: flag(false),
  message_content_delete_limit_seconds: LIMIT,
  message_content_edit_limit_seconds: { ...LIMIT, legacyFields: {} },
  message_edit_history_visibility_policy: {
    good: "none",
    bad: ["some", 1, ""],
    legacyFields: { allow_edit_history: false },
  },
  message_retention_days: { good: 30, bad: [0, -1, 1.5, "forever"], ...owner },
  moderation_request_channel_id: channel(ids["cellar"]),
  move_messages_between_streams_limit_seconds: LIMIT,
  move_messages_within_stream_limit_seconds: LIMIT,
  name: { good: "Most Serene Republic", bad: ["", "  ", "x".repeat(41)] },
  name_changes_disabled: flag(true),
  new_stream_announcements_stream_id: channel(ids["general"]),
  org_type: { good: 1000, bad: [15, "school"] },
  require_e2ee_push_notifications: flag(true),
  require_unique_names: flag(true),
  send_welcome_emails: flag(false),
  signup_announcements_stream_id: channel(ids["general"]),
  strip_image_metadata: flag(false),
  topics_policy: {
    good: "disable_empty_topic",
    bad: ["inherit", "empty_topic_only", ""],
    legacyFields: { mandatory_topics: true },
  },
  video_chat_provider: { good: 0, bad: [3, 4, 5, 2, "jitsi_meet"] },
  waiting_period_threshold: { good: 3, bad: [-1, 1.5, "unlimited"], ...owner },
  want_advertise_in_communities_directory: flag(true),
  welcome_message_custom_text: { good: "**Ahoy.**", bad: ["é".repeat(8001)] },
  zulip_update_announcements_stream_id: channel(ids["general"]),
});

const CHANNELS = [
  { name: "general", subscribers: ["hamlet", "polonius"] },
  { name: "cellar", private: true },
];

const realmOf = async (chat: Chat, name = "hamlet") =>
  (await chat.register(name, { fetch_event_types: ["realm"] })).state;

const withoutIds = (events: Record<string, unknown>[]) => events.map(({ id: _, ...event }) => event);

test("every setting takes its valid values, with events", async (t) => {
  const chat = await startChat(t, { channels: CHANNELS });
  const desdemona = chat.as("desdemona");
  const table = rows(chat.ids);
  assert.deepEqual([...Object.keys(table), "authentication_methods", "string_id"].sort(), [...PATCHABLE].sort());
  const queues = [await chat.register("othello"), await chat.register("polonius"), await chat.register("bot")];
  const before = await realmOf(chat);
  const expected: Record<string, unknown> = {};
  for (const [name, { good, stored = good, legacyFields }] of Object.entries(table)) {
    assert.notDeepEqual(before[`realm_${name}`], stored, `${name} had another value before`);
    const answer = await desdemona.patch("/realm", { [name]: good });
    assert.equal(answer.result, "success", `${name}: ${answer.msg}`);
    assert.deepEqual(answer[name], stored);
    const event = legacyFields
      ? { type: "realm", op: "update_dict", property: "default", data: { [name]: stored, ...legacyFields } }
      : { type: "realm", op: "update", property: name, value: stored };
    for (const queue of queues) {
      const realm = withoutIds(await queue.events()).filter(({ type }) => type === "realm");
      assert.deepEqual(realm, [event], name);
    }
    Object.assign(expected, { [name]: stored, ...legacyFields });
  }
  const after = await realmOf(chat);
  for (const [field, value] of Object.entries(expected)) assert.deepEqual(after[`realm_${field}`], value, field);
  const unchanged = await desdemona.patch("/realm", { name: "Most Serene Republic", message_retention_days: 30 });
  assert.deepEqual(Object.keys(unchanged).sort(), ["msg", "result", "status"]);
  for (const queue of queues) assert.deepEqual(await queue.events(), []);
  const audit = await desdemona.get("/host/audit", { limit: 200 });
  assert.deepEqual(
    audit["entries"]
      .filter(({ action }: any) => action === "change organization setting")
      .map(({ target, actor_id, actor }: any) => [target, actor_id ?? actor?.user_id])
      .sort(),
    Object.keys(table)
      .map((name) => [`organization setting ${name}`, chat.ids["desdemona"]])
      .sort(),
  );
});

test("an invalid value changes nothing", async (t) => {
  const chat = await startChat(t, { channels: CHANNELS });
  const desdemona = chat.as("desdemona");
  const queue = await chat.register("hamlet");
  const before = await realmOf(chat);
  for (const [name, { bad }] of Object.entries(rows(chat.ids))) {
    for (const value of bad) {
      const beside = name === "giphy_rating" ? { org_type: 1000 } : { giphy_rating: 5 };
      const answer = await desdemona.patch("/realm", { [name]: value, ...beside });
      assert.equal(answer.status, 400, `${name}: ${JSON.stringify(value)}`);
      assert.equal(answer["code"], "BAD_REQUEST");
      assert.ok(name === "name" || answer.var_name === name || answer.msg.includes(name), answer.msg);
    }
  }
  for (const [name, value] of [
    ["authentication_methods", { Email: false }],
    ["authentication_methods", { Email: true, LDAP: true }],
    ["authentication_methods", {}],
    ["authentication_methods", { Semaphore: false }],
    ["authentication_methods", { Email: 1 }],
    ["string_id", "venice"],
  ] as const) {
    const answer = await desdemona.patch("/realm", { [name]: value });
    assert.equal(answer["code"], "BAD_REQUEST", `${name}: ${JSON.stringify(value)}`);
    assert.ok(answer.var_name === name || answer.msg.includes(name), answer.msg);
  }
  const fine = await desdemona.patch("/realm", { authentication_methods: { Email: true, LDAP: false } });
  assert.equal(fine.result, "success", fine.msg);
  assert.deepEqual((await realmOf(chat))["realm_authentication_methods"], {
    Email: { enabled: true, available: true },
  });
  const { ignored_parameters_unsupported: ignored } = await desdemona.patch("/realm", {
    mandatory_topics: true,
    plan_type: 3,
    push_notifications_enabled: true,
    icon_source: "U",
  });
  assert.deepEqual(ignored, ["mandatory_topics", "plan_type", "push_notifications_enabled", "icon_source"]);
  assert.deepEqual(await queue.events(), []);
  const after = await realmOf(chat);
  for (const name of PATCHABLE) assert.deepEqual(after[`realm_${name}`], before[`realm_${name}`], name);
});

test("administrators change most settings, owners the rest", async (t) => {
  const chat = await startChat(t, { channels: CHANNELS, users: { tybalt: { role: 300 } } });
  const queue = await chat.register("hamlet");
  const before = await realmOf(chat);
  const nobody = systemGroupId(chat.server.app.store.reader, "role:nobody");
  const owners = systemGroupId(chat.server.app.store.reader, "role:owners");
  const groups = Object.entries(ORGANIZATION_GROUP_SETTINGS).map(([name, { forbidden, ownerOnly }]) => {
    const good = { new: forbidden.includes("role:nobody") ? owners : nobody };
    return [name, { good, bad: [], ...(ownerOnly && owner) }] as [string, Row];
  });
  for (const [name, { good, ownerOnly }] of [...Object.entries(rows(chat.ids)), ...groups]) {
    for (const who of ["hamlet", "tybalt", "bot"]) {
      assert.equal((await chat.as(who).patch("/realm", { [name]: good }))["code"], "UNAUTHORIZED_PRINCIPAL", name);
    }
    if (!ownerOnly) continue;
    const combined = await chat.as("iago").patch("/realm", { description: "Iago's", [name]: good });
    assert.equal(combined["code"], "UNAUTHORIZED_PRINCIPAL", name);
    assert.ok(combined.msg.includes(name));
  }
  for (const name of ["authentication_methods", "string_id"]) {
    const answer = await chat.as("iago").patch("/realm", { [name]: name === "string_id" ? "x" : { Email: true } });
    assert.equal(answer["code"], "UNAUTHORIZED_PRINCIPAL");
  }
  assert.equal((await chat.as("polonius").patch("/realm", { description: "A guest's" }))["code"], "BAD_REQUEST");
  assert.equal((await chat.anonymous("PATCH", "/realm", { description: "Anybody's" })).status, 401);
  assert.deepEqual(await queue.events(), []);
  const after = await realmOf(chat);
  for (const field of Object.keys(before).filter((name) => name.startsWith("realm_")))
    assert.deepEqual(after[field], before[field], field);
  assert.equal((await chat.as("iago").patch("/realm", { description: "Iago's" })).result, "success");
});

test("channel settings drop channels that become unsuitable", async (t) => {
  const chat = await startChat(t, {
    channels: [...CHANNELS, { name: "attic" }, { name: "yard", private: true, subscribers: ["iago"] }],
    users: { antonio: { role: 200 } },
  });
  const { attic, cellar, general, yard } = chat.ids;
  const [desdemona, iago] = [chat.as("desdemona"), chat.as("iago")];
  const patch = (params: Record<string, unknown>) => iago.patch("/realm", params);
  await desdemona.delete(`/streams/${attic}`);
  const archived = await patch({ signup_announcements_stream_id: attic });
  const missing = await patch({ signup_announcements_stream_id: 999 });
  assert.equal(archived.msg.replace(String(attic), "999"), missing.msg);
  assert.deepEqual(archived["code"], missing["code"]);
  assert.equal((await patch({ moderation_request_channel_id: general })).status, 400);
  assert.equal((await patch({ moderation_request_channel_id: cellar })).status, 200);
  assert.equal((await patch({ moderation_request_channel_id: -1 })).status, 200);
  await patch({
    moderation_request_channel_id: cellar,
    new_stream_announcements_stream_id: yard,
    signup_announcements_stream_id: general,
    zulip_update_announcements_stream_id: yard,
  });
  const queue = await chat.register("hamlet", { event_types: ["realm"] });
  await desdemona.delete(`/streams/${yard}`);
  await desdemona.patch(`/streams/${cellar}`, { is_private: false });
  assert.deepEqual(
    (await queue.events()).map(({ op, property, value }) => [op, property, value]),
    [
      ["update", "new_stream_announcements_stream_id", -1],
      ["update", "zulip_update_announcements_stream_id", -1],
      ["update", "moderation_request_channel_id", -1],
    ],
  );
  assert.equal((await realmOf(chat))["realm_signup_announcements_stream_id"], general);
});

test("accepts the words unlimited and default", async (t) => {
  const chat = await startChat(t);
  const desdemona = chat.as("desdemona");
  const { realm_jitsi_server_url: none, server_jitsi_server_url: usual } = await realmOf(chat);
  assert.equal(none, null);
  const queue = await chat.register("hamlet");
  assert.equal((await desdemona.patch("/realm", { jitsi_server_url: '"https://calls.example.com"' })).status, 200);
  assert.equal((await realmOf(chat))["jitsi_server_url"], "https://calls.example.com");
  assert.equal((await desdemona.patch("/realm", { jitsi_server_url: "default" }))["jitsi_server_url"], null);
  assert.equal((await realmOf(chat))["jitsi_server_url"], usual);
  for (const [sent, stored] of [
    [3600, 3600],
    ['"unlimited"', null],
    ["60", 60],
    ["unlimited", null],
  ] as const) {
    const answer = await desdemona.patch("/realm", { message_content_edit_limit_seconds: sent });
    assert.equal(answer["message_content_edit_limit_seconds"], stored);
  }
  assert.equal((await desdemona.patch("/realm", { message_retention_days: 7 }))["message_retention_days"], 7);
  assert.equal(
    (await desdemona.patch("/realm", { message_retention_days: "unlimited" }))["message_retention_days"],
    -1,
  );
  assert.equal((await queue.events()).length, 8);
  // Names are plain text: JSON in them is not parsed.
  assert.equal((await desdemona.patch("/realm", { name: '"Venice" 2', description: "true" }))["name"], '"Venice" 2');
  assert.equal((await realmOf(chat))["realm_description"], "true");
});

test("each group setting takes groups and people it permits", async (t) => {
  const chat = await startChat(t);
  const { reader } = chat.server.app.store;
  const desdemona = chat.as("desdemona");
  const id = (name: Parameters<typeof systemGroupId>[1]) => systemGroupId(reader, name);
  const queue = await chat.register("polonius");
  const atFirst = await realmOf(chat);
  const expected: Record<string, unknown> = {};
  for (const [name, { forbidden, onlySystemGroups, initial }] of Object.entries(ORGANIZATION_GROUP_SETTINGS)) {
    const patch = (value: unknown, more: object = {}) => desdemona.patch("/realm", { [name]: { new: value, ...more } });
    const before = atFirst[`realm_${name}`];
    assert.equal(before, id(initial as "role:members"));
    for (const group of forbidden) {
      const answer = await patch(id(group));
      assert.equal(answer["code"], "BAD_REQUEST", `${name} ${group}`);
      assert.ok(answer.var_name === name || answer.msg.includes(name), answer.msg);
      const within = await patch({ direct_members: [chat.ids["hamlet"]], direct_subgroups: [id(group)] });
      assert.notEqual(within.result, "success", `${name} ${group} within`);
    }
    for (const bad of [9999, "role:members", null, { direct_members: [9999], direct_subgroups: [] }, { members: [1] }])
      assert.equal((await patch(bad))["code"], "BAD_REQUEST", `${name} ${JSON.stringify(bad)}`);
    assert.equal((await desdemona.patch("/realm", { [name]: id("role:owners") })).status, 400);
    const stale = await patch(id("role:members"), { old: id("role:nobody") });
    assert.equal(stale["code"], "EXPECTATION_MISMATCH", name);
    assert.deepEqual(await queue.events(), []);
    const people = {
      direct_members: [chat.ids["othello"], chat.ids["hamlet"], chat.ids["hamlet"]],
      direct_subgroups: [],
    };
    if (onlySystemGroups.length > 0) {
      const refused = await patch(people);
      assert.equal(refused["code"], "SYSTEM_GROUP_REQUIRED");
      assert.equal(refused["setting_name"], name);
      const other = onlySystemGroups.find((group) => group !== initial) as "role:owners";
      assert.equal((await patch(id(other), { old: before })).result, "success");
      expected[name] = id(other);
      await queue.events();
      continue;
    }
    assert.equal((await patch(people, { old: before })).result, "success");
    const stored = { direct_members: [chat.ids["hamlet"], chat.ids["othello"]], direct_subgroups: [] };
    const [event, ...more] = withoutIds(await queue.events());
    assert.deepEqual(more, []);
    assert.equal(event?.["op"], "update_dict");
    assert.deepEqual({ ...(event?.["data"] as object), [name]: stored }, event?.["data"]);
    // The same people in another order are no change.
    assert.equal((await patch({ ...stored, direct_members: stored.direct_members.toReversed() })).result, "success");
    assert.deepEqual(await queue.events(), []);
    const alone = { direct_members: [], direct_subgroups: [id("role:moderators")] };
    assert.equal((await patch(alone, { old: people }))[name], id("role:moderators"));
    const noNobody = forbidden.includes("role:nobody");
    const empty = await patch({ direct_members: [], direct_subgroups: [] });
    assert.equal(empty.result, noNobody ? "error" : "success", name);
    expected[name] = id(noNobody ? "role:moderators" : "role:nobody");
    await queue.events();
  }
  const after = await realmOf(chat);
  for (const [name, value] of Object.entries(expected)) assert.equal(after[`realm_${name}`], value, name);
});

test("a changed group setting applies immediately", async (t) => {
  const chat = await startChat(t);
  const id = (name: Parameters<typeof systemGroupId>[1]) => systemGroupId(chat.server.app.store.reader, name);
  const queue = await chat.register("hamlet");
  assert.equal(queue.state["can_create_public_streams"], true);
  await chat.as("iago").patch("/realm", {
    can_create_public_channel_group: { new: id("role:administrators") },
    can_mention_many_users_group: { new: id("role:nobody") },
  });
  assert.deepEqual(
    (await queue.events()).map(({ data }) => data),
    [
      { can_create_public_channel_group: id("role:administrators"), create_public_stream_policy: 2 },
      { can_mention_many_users_group: id("role:nobody"), wildcard_mention_policy: 6 },
    ],
  );
  const after = (await chat.register("hamlet")).state;
  assert.equal(after["can_create_public_streams"], false);
  assert.equal(after["can_create_private_streams"], true);
  assert.equal(after["realm_create_public_stream_policy"], 2);
  assert.equal(after["realm_wildcard_mention_policy"], 6);
  const refused = await chat.as("hamlet").post("/users/me/subscriptions", { subscriptions: [{ name: "mine" }] });
  assert.equal(refused.result, "error");
});

test("the waiting period updates the full members group", async (t) => {
  const chat = await startChat(t, { now: () => Date.now() });
  const full = systemGroupId(chat.server.app.store.reader, "role:fullmembers");
  const queue = await chat.register("polonius");
  const desdemona = chat.as("desdemona");
  const groupEvents = async () =>
    withoutIds(await queue.events()).filter(({ type }) => type === "user_group") as {
      op: string;
      user_ids: number[];
    }[];
  await desdemona.patch("/realm", { waiting_period_threshold: 10 });
  const [left, ...more] = await groupEvents();
  assert.deepEqual(more, []);
  assert.equal(left?.op, "remove_members");
  assert.ok(
    left?.user_ids.includes(chat.ids["hamlet"] as number) && !left.user_ids.includes(chat.ids["iago"] as number),
  );
  await desdemona.patch("/realm", { waiting_period_threshold: 0 });
  const [back] = await groupEvents();
  assert.deepEqual(back, { type: "user_group", op: "add_members", group_id: full, user_ids: left?.user_ids });
});

test("new people are announced in the configured channel", async (t) => {
  const chat = await startChat(t, { channels: CHANNELS });
  const desdemona = chat.as("desdemona");
  await desdemona.patch("/realm", { signup_announcements_stream_id: chat.ids["general"] });
  const queue = await chat.register("polonius", { event_types: ["message"] });
  const outsider = await chat.register("othello", { event_types: ["message"] });
  await desdemona.post("/users", { email: "emilia@example.com", full_name: "Emilia", password: "secret-emilia" });
  const [{ message } = { message: {} as any }, ...more] = await queue.events();
  assert.deepEqual(more, []);
  assert.equal(message.stream_id, chat.ids["general"]);
  assert.match(message.content, /Emilia/);
  assert.deepEqual(await outsider.events(), []);
});

test("added people obey the organization's rules", async (t) => {
  const chat = await startChat(t);
  const desdemona = chat.as("desdemona");
  let count = 0;
  const add = (email: string, full_name = `Person ${++count}`) =>
    desdemona.post("/users", { email, full_name, password: "secret-enough" });
  assert.equal((await add("a@mailinator.com"))["code"], "BAD_REQUEST");
  assert.equal((await add("a@mx.yopmail.com"))["code"], "BAD_REQUEST");
  await desdemona.patch("/realm", { disallow_disposable_email_addresses: false });
  assert.equal((await add("a@mailinator.com")).result, "success");
  await desdemona.post("/realm/domains", { domain: "venice.example", allow_subdomains: false });
  await desdemona.post("/realm/domains", { domain: "cyprus.example", allow_subdomains: true });
  await desdemona.patch("/realm", { emails_restricted_to_domains: true, require_unique_names: true });
  assert.equal((await add("b@example.com"))["code"], "BAD_REQUEST");
  assert.equal((await add("b@sub.venice.example"))["code"], "BAD_REQUEST");
  assert.equal((await add("b@notcyprus.example"))["code"], "BAD_REQUEST");
  assert.equal((await add("b@Venice.Example")).result, "success");
  assert.equal((await add("b@fort.cyprus.example")).result, "success");
  assert.equal((await add("c@venice.example", "HAMLET"))["code"], "BAD_REQUEST");
  await desdemona.patch("/realm", { default_language: "fr" });
  const { user_id } = await add("d@venice.example");
  const reader = chat.server.app.store.reader;
  const language = reader.value(
    "SELECT value FROM user_settings WHERE user_id = ? AND name = 'default_language'",
    user_id,
  );
  assert.equal(language, '"fr"');
});

test("announcements need a channel that the administrator can read", async (t) => {
  const secret = { name: "secret", private: true, subscribers: ["hamlet", "desdemona"] };
  const chat = await startChat(t, { channels: [secret] });
  for (const about of ["new_stream", "signup", "zulip_update"]) {
    const name = `${about}_announcements_stream_id`;
    const refused = await chat.as("iago").patch("/realm", { [name]: chat.ids["secret"] });
    assert.equal(refused.status, 400, name);
    assert.equal(refused.reason, "channel_not_readable");
    const allowed = await chat.as("desdemona").patch("/realm", { [name]: chat.ids["secret"] });
    assert.equal(allowed.result, "success", allowed.msg);
    const unchanged = await chat.as("iago").patch("/realm", { [name]: chat.ids["secret"] });
    assert.equal(unchanged.result, "success", "what stays as it is needs no reading");
  }
});

test("administrators try out a welcome message", async (t) => {
  const chat = await startChat(t);
  const path = "/realm/test_welcome_bot_custom_message";
  const [iago, hamlet] = [await chat.register("iago"), await chat.register("hamlet")];
  const answer = await chat.as("iago").post(path, { welcome_message_custom_text: "Have **soup**." });
  const [{ message }] = (await iago.events()) as [any];
  assert.deepEqual([message.id, message.content], [answer.message_id, "<p>Have <strong>soup</strong>.</p>"]);
  assert.equal(
    (await chat.as("hamlet").post(path, { welcome_message_custom_text: "x" })).code,
    "UNAUTHORIZED_PRINCIPAL",
  );
  assert.equal((await chat.as("polonius").post(path, { welcome_message_custom_text: "x" })).code, "BAD_REQUEST");
  for (const text of [" \n", "𝄞".repeat(8001)]) {
    const refused = await chat.as("iago").post(path, { welcome_message_custom_text: text });
    assert.deepEqual(
      [refused.status, refused.code, refused.var_name],
      [400, "BAD_REQUEST", "welcome_message_custom_text"],
    );
  }
  assert.deepEqual([await iago.events(), await hamlet.events()], [[], []]);
});
