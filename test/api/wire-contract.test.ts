import assert from "node:assert/strict";
import { test } from "node:test";
import { endpoints } from "../../server/api/endpoints/index.ts";
import { clientCapabilities } from "../../server/api/presenters/client-capabilities.ts";
import type { Chat, Registered } from "../support/chat.ts";
import { makeEverythingHappen, ok } from "../support/everything-happens.ts";
import { startFurnished } from "../support/furnished-chat.ts";
import { upload } from "../support/uploaded-pictures.ts";
import { upload as uploadFile } from "../support/uploads.ts";
import { seenOnWire } from "../support/wire-check.ts";
import { EVENTS, RESPONSES } from "../support/wire-contract.ts";
import { fieldsIn } from "../support/wire-types.ts";

// Each response of every API test is compared with the public protocol (wire-check.ts). This one makes sure that none is
// left out.

const CAPABILITIES = Object.keys(clientCapabilities);
const CLIENTS: Record<string, boolean>[] = [
  {},
  ...CAPABILITIES.map((name) => ({ [name]: true })),
  Object.fromEntries(CAPABILITIES.map((name) => [name, true])),
];

/** Why this test does not call or cause them. */
const NOT_CALLED: Readonly<Record<string, string[]>> = {
  "always refused, because there is no such service": [
    "GET /calls/bigbluebutton/create",
    "GET /messages/summary",
    "POST /calls/zoom/create",
    "POST /mobile_push/e2ee/test_notification",
    "POST /mobile_push/register",
    "POST /mobile_push/test_notification",
    "has_zoom_token",
    "push_device",
    "realm_billing",
  ],
  "not served": ["GET /realm/subdomain/{subdomain}"],
  "the response is a redirect": ["GET /realm/icon", "GET /realm/logo"],
  "takes a while: exports.test.ts, queues.test.ts": ["DELETE /export/realm/{export_id}", "heartbeat"],
  "ends everything: organization-deactivation.test.ts": ["POST /realm/deactivate", "realm/deactivated"],
  "deprecated, and current servers do not send it either": ["realm_bot/remove"],
  "only for guests who cannot see everyone: limited-guests.test.ts": ["realm_user/remove"],
  "for the public server's own pages": ["restart", "web_reload_client"],
};

/** Why there is no example of an optional field, or of the items of a list. */
const NO_EXAMPLE: readonly [string, RegExp][] = [
  ["each setting is a field of its own: organization.test.ts", /^realm\/update_dict data\./],
  ["any changed setting", /^PATCH \/realm …$/],
  ["Hearth has no sign-in by other services", / external_authentication_methods\[\]\./],
  ["only channels with 250 subscribers: subscription-lists.test.ts", / subscriptions\[\]\.partial_subscribers$/],
  ["deprecated; nothing sets it", / (?:status\.)?away$/],
  ["deprecated; an implementation detail of the public server", / message_details\{\}\.unmuted_stream_msg$/],
  ["a new message was not edited", /^message message\.(?:edit_history|last_\w+_timestamp)/],
  ["nobody has reacted to a new message", /^message message\.reactions\[\]\./],
  [
    "no message has a new file, and a detached one has none left",
    /(?:^attachment\/add attachment|detached_uploads\[\])\.messages\[\]/,
  ],
  ["a new person has no profile yet", /^realm_user\/add person\.profile_data\{\}/],
];

const only = (id: number) => ({ direct_members: [id], direct_subgroups: [] });

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("every call and every event is compared with the public protocol", async (t) => {
  seenOnWire.clear();
  const chat = await startFurnished(t);
  const queues: Registered[] = [];
  for (const client_capabilities of CLIENTS)
    for (const name of ["hamlet", "desdemona"]) queues.push(await chat.register(name, { client_capabilities }));
  await makeEverythingHappen(chat);
  await callTheRest(chat);
  for (const queue of queues) await queue.events();
  const unseen = [...Object.keys(RESPONSES), ...Object.keys(EVENTS)].filter((name) => !seenOnWire.has(name));
  assert.deepEqual(unseen.sort(), Object.values(NOT_CALLED).flat().sort());
  const isMissing = (field: string) => !seenOnWire.has(field) && !NO_EXAMPLE.some(([, pattern]) => pattern.test(field));
  const fields = Object.entries({ ...RESPONSES, ...EVENTS })
    .filter(([name, text]) => text !== "" && seenOnWire.has(name))
    .flatMap(([name, text]) => fieldsIn(text).map(({ path }) => `${name} ${path}`));
  assert.deepEqual(fields.filter(isMissing), [], "there is an example of every field");
});

test("serves no call that the public protocol lacks", () => {
  const others = endpoints.filter(({ outsideApi, route }) => !outsideApi && !(route in RESPONSES));
  assert.deepEqual(others.map(({ route }) => route).sort(), [
    "DELETE /users/me/ntfy", // devices without a push service
    "DELETE /users/me/web_push/devices/{device_id}",
    "GET /dev_list_users", // these are always refused
    "GET /external/{integration}", // services of others call it, with formats of their own
    "GET /users/me/ntfy",
    "GET /users/me/web_push",
    "POST /dev_fetch_api_key",
    "POST /external/{integration}",
    "POST /jwt/fetch_api_key",
    "POST /register", // register-contract.test.ts
    "POST /users/me/notifications/test",
    "POST /users/me/ntfy",
    "POST /users/me/web_push/devices",
  ]);
});

async function callTheRest(chat: Chat): Promise<void> {
  const [owner, hamlet, othello] = [chat.as("desdemona"), chat.as("hamlet"), chat.as("othello")];
  const stage = chat.ids["stage"] as number;
  const sendPicture = async (name: string, path: string) => ok(upload(chat, name, path, [{ bytes: PNG }]));

  await ok(chat.anonymous("GET", "/server_settings"));
  await ok(
    chat.anonymous("POST", "/fetch_api_key", { username: "desdemona@example.com", password: "secret-desdemona" }),
  );

  // Uploads and pictures.
  const url = await uploadFile(chat, "hamlet", "contents");
  const note = { type: "channel", to: "stage", topic: "files", content: `[notes](${url})` };
  const { id: withFile } = await ok(hamlet.post("/messages", note));
  const { attachments } = await ok(hamlet.get("/attachments"));
  await ok(hamlet.get(url));
  await ok(hamlet.get(url.replace("/user_uploads/", "/thumbnail/status/")));
  await ok(hamlet.patch(`/messages/${withFile}`, { content: "none" }));
  await ok(hamlet.delete(`/attachments/${attachments[0].id}`));
  await sendPicture("hamlet", "/users/me/avatar");
  await ok(hamlet.delete("/users/me/avatar"));
  for (const path of ["/realm/icon", "/realm/logo"]) {
    await ok(upload(chat, "desdemona", path, [{ bytes: PNG }], { fields: { night: "false" } }));
    await ok(owner.delete(path, { night: false }));
  }
  await sendPicture("desdemona", "/realm/emoji/crown");
  await ok(owner.get("/realm/emoji"));

  await ok(owner.post("/channels/create", { name: "wings", subscribers: [chat.ids["hamlet"]] }));
  await ok(owner.post("/realm/test_welcome_bot_custom_message", { welcome_message_custom_text: "Welcome" }));
  await ok(owner.get(`/users/${chat.ids["hamlet"]}/channels`));

  // Messages.
  const { id } = await ok(hamlet.post("/messages", { ...note, content: "one" }));
  const { id: inner } = await ok(hamlet.post("/messages", { ...note, topic: "more", content: "two" }));
  await ok(hamlet.patch(`/messages/${id}`, { content: "edited" }));
  for (const params of [
    { num_before: 50, num_after: 0 },
    { num_before: 0, num_after: 5 },
  ])
    await ok(hamlet.get("/messages", { anchor: "newest", ...params }));
  const found = [{ operator: "search", operand: "edited" }];
  await ok(hamlet.get("/messages", { anchor: "newest", num_before: 5, num_after: 0, narrow: found }));
  await ok(hamlet.get("/messages/matches_narrow", { msg_ids: [id], narrow: found }));
  await ok(hamlet.get(`/messages/${id}`));
  await ok(hamlet.get(`/messages/${id}/history`));
  await ok(hamlet.get(`/messages/${id}/read_receipts`));
  await ok(hamlet.post("/messages/render", { content: "x" }));
  await ok(hamlet.post(`/messages/${id}/typing`, { op: "start" }));
  await ok(hamlet.post(`/messages/${id}/typing`, { op: "stop" }));
  const narrow = { anchor: "newest", num_before: 5, num_after: 0, narrow: [], op: "add", flag: "read" };
  await ok(hamlet.post("/messages/flags/narrow", narrow));
  await ok(hamlet.post("/messages/flags/narrow", { ...narrow, op: "remove" }));
  await ok(othello.post("/mark_topic_as_read", { stream_id: stage, topic_name: "files" }));
  await ok(othello.post("/mark_stream_as_read", { stream_id: stage }));
  await ok(othello.post("/mark_all_as_read"));
  await ok(owner.delete(`/messages/${inner}`));
  await ok(hamlet.post("/zcommand", { command: "/ping" }));
  const { scheduled_messages } = await ok(hamlet.get("/scheduled_messages"));
  const { scheduled_message_id } = scheduled_messages[0];
  await ok(hamlet.patch(`/scheduled_messages/${scheduled_message_id}`, { content: "later still" }));
  await ok(hamlet.delete(`/scheduled_messages/${scheduled_message_id}`));
  const due = { type: "channel", to: stage, topic: "t", content: "x", scheduled_delivery_timestamp: 4_000_000_000 };
  await ok(hamlet.post("/scheduled_messages", due));
  const { reminders } = await ok(hamlet.get("/reminders"));
  await ok(hamlet.delete(`/reminders/${reminders[0].reminder_id}`));
  await ok(hamlet.post("/reminders", { message_id: id, scheduled_delivery_timestamp: 4_000_000_000 }));
  const { drafts } = await ok(hamlet.get("/drafts"));
  const draft = { type: "", to: [], topic: "", content: "x" };
  await ok(hamlet.patch(`/drafts/${drafts[0].id}`, { draft }));
  await ok(hamlet.delete(`/drafts/${drafts[0].id}`));
  await ok(hamlet.post("/drafts", { drafts: [draft] }));
  await ok(hamlet.get("/saved_snippets"));
  await ok(owner.post("/users/me/subscriptions", { subscriptions: [{ name: "reports" }], invite_only: true }));
  const { stream_id: moderation_request_channel_id } = await ok(owner.get("/get_stream_id", { stream: "reports" }));
  await ok(owner.patch("/realm", { moderation_request_channel_id }));
  await ok(hamlet.post(`/messages/${id}/report`, { report_type: "spam" }));

  // A message with everything.
  const topic = "see https://example.org";
  const queue = await chat.register("hamlet");
  const echoed = { ...note, topic, content: "three", queue_id: queue.queueId, local_id: "1" };
  const { id: full } = await ok(hamlet.post("/messages", echoed));
  await queue.events();
  await ok(othello.post(`/messages/${full}/reactions`, { emoji_name: "tada" }));
  await ok(hamlet.patch(`/messages/${full}`, { topic: `${topic} again`, content: "four" }));
  await ok(owner.patch(`/messages/${full}`, { stream_id: chat.ids["square"] as number }));
  const { id: poll } = await ok(hamlet.post("/messages", { ...note, content: "/poll Now?\nyes" }));
  const whisper = { type: "direct", to: [othello.id], content: "@**Othello** psst" };
  const { id: direct } = await ok(hamlet.post("/messages", whisper));
  for (const one of [full, poll, direct]) await ok(hamlet.get(`/messages/${one}`));
  await ok(hamlet.get(`/messages/${full}/history`));
  await ok(hamlet.get("/messages", { anchor: "newest", num_before: 50, num_after: 0 }));
  for (const op of ["start", "stop"]) await ok(hamlet.post(`/messages/${direct}/typing`, { op }));
  const { id: answer } = await ok(
    othello.post("/messages", { ...whisper, to: [hamlet.id], content: "@**Hamlet** yes" }),
  );
  const read = { messages: [answer], flag: "read" };
  for (const op of ["add", "remove"]) await ok(hamlet.post("/messages/flags", { ...read, op }));

  // Channels.
  await ok(owner.patch(`/streams/${chat.ids["left"]}`, { is_private: true }));
  const closed = { subscriptions: [{ name: "cellar" }], authorization_errors_fatal: false };
  await ok(chat.as("cordelia").post("/users/me/subscriptions", closed));
  await ok(hamlet.get("/streams", { include_default: true }));
  await ok(hamlet.get(`/streams/${stage}`));
  await ok(hamlet.get(`/streams/${stage}/members`));
  await ok(hamlet.get(`/streams/${stage}/email_address`));
  await ok(hamlet.get("/get_stream_id", { stream: "stage" }));
  await ok(hamlet.get(`/users/me/${stage}/topics`));
  for (const include_subscribers of [true, false])
    await ok(hamlet.get("/users/me/subscriptions", { include_subscribers }));
  await ok(hamlet.get(`/users/${othello.id}/subscriptions/${stage}`));
  await ok(hamlet.patch("/users/me/subscriptions", { add: [{ name: "fresh" }], delete: ["stage"] }));
  await ok(hamlet.post("/users/me/subscriptions", { subscriptions: [{ name: "stage" }] }));
  await ok(hamlet.patch(`/users/me/subscriptions/${stage}`, { property: "pin_to_top", value: true }));
  const muted = { stream_id: stage, topic: "t", op: "add" };
  await ok(hamlet.patch("/users/me/subscriptions/muted_topics", muted));
  await ok(owner.delete("/default_streams", { stream_id: stage }));
  await ok(owner.post("/default_streams", { stream_id: stage }));
  const { realm_default_stream_groups } = await ok(
    owner.post("/register", { fetch_event_types: ["default_stream_groups"] }),
  );
  const [{ id: group }] = realm_default_stream_groups;
  await ok(owner.patch(`/default_stream_groups/${group}`, { new_description: "x" }));
  await ok(owner.patch(`/default_stream_groups/${group}/streams`, { op: "add", stream_names: ["never"] }));
  await ok(owner.delete(`/default_stream_groups/${group}`));
  await ok(owner.post(`/streams/${stage}/delete_topic`, { topic_name: "files" }));

  await callPeopleAndSettings(chat);
}

async function callPeopleAndSettings(chat: Chat): Promise<void> {
  const [owner, hamlet, othello, bot] = [chat.as("desdemona"), chat.as("hamlet"), chat.as("othello"), chat.as("bot")];

  // People.
  const value = await ok(owner.post("/realm/profile_fields", { field_type: 2, name: "Life", hint: "so far" }));
  const data = [{ id: value["id"], value: "**short**" }];
  await ok(hamlet.patch("/users/me/profile_data", { data }));
  await ok(hamlet.get("/users", { include_custom_profile_fields: true }));
  await ok(hamlet.get(`/users/${hamlet.id}`, { include_custom_profile_fields: true }));
  await ok(hamlet.get(`/users/${hamlet.email}`, { include_custom_profile_fields: true }));
  for (const one of [hamlet, bot]) await ok(one.get("/users/me"));
  await ok(hamlet.delete("/users/me/profile_data", { data: [value["id"]] }));
  await ok(owner.post("/realm/profile_fields", { field_type: 1, name: "Nickname", display_in_profile_summary: true }));
  await ok(owner.patch(`/realm/profile_fields/${value["id"]}`, { display_in_profile_summary: false, name: "Deeds" }));
  const { custom_fields } = await ok(owner.get("/realm/profile_fields"));
  const order = custom_fields.map(({ id }: { id: number }) => id).reverse();
  await ok(owner.patch("/realm/profile_fields", { order }));
  await ok(owner.delete(`/realm/profile_fields/${value["id"]}`));
  await ok(hamlet.post("/users/me/presence", { status: "active" }));
  await ok(hamlet.post("/users/me/presence", { status: "active", slim_presence: true }));
  await ok(hamlet.get(`/users/${hamlet.id}/presence`));
  await ok(hamlet.get("/realm/presence"));
  const status = { status_text: "at sea", emoji_name: "boat" };
  await ok(hamlet.post("/users/me/status", status));
  await ok(owner.post(`/users/${hamlet.id}/status`, { ...status, status_text: "ashore" }));
  await ok(hamlet.get(`/users/${hamlet.id}/status`));
  await ok(hamlet.delete(`/users/me/muted_users/${chat.ids["cordelia"]}`));
  await ok(hamlet.get("/users/me/alert_words"));
  await ok(hamlet.delete("/users/me/alert_words", { alert_words: ["ghost"] }));
  const { email: lear } = { email: "lear@example.com" };
  const { user } = await ok(owner.get(`/users/${lear}`));
  await ok(owner.patch(`/users/${lear}`, { role: 300 }));
  await ok(owner.patch(`/users/${user.user_id}`, { role: 600 }));
  await ok(owner.delete(`/users/${user.user_id}`));
  await ok(owner.post(`/users/${user.user_id}/reactivate`));
  await ok(hamlet.post("/users/me/onboarding_steps", { onboarding_step: "intro_inbox_view_modal" }));
  for (const path of ["/users/me/android_gcm_reg_id", "/users/me/apns_device_token"]) {
    await ok(hamlet.post(path, { token: "c0ffee", appid: "org.zulip.Zulip" }));
    await ok(hamlet.delete(path, { token: "c0ffee" }));
  }

  // Groups and folders.
  const { user_groups } = await ok(hamlet.get("/user_groups", { include_deactivated_groups: true }));
  const { id: group } = user_groups.find(({ name }: { name: string }) => name === "players");
  await ok(hamlet.get(`/user_groups/${group}/members`));
  await ok(hamlet.get(`/user_groups/${group}/members/${hamlet.id}`));
  await ok(hamlet.get(`/user_groups/${group}/subgroups`));
  for (const setting of ["can_add_members_group", "can_join_group", "can_leave_group", "can_manage_group"])
    await ok(owner.patch(`/user_groups/${group}`, { [setting]: { new: only(hamlet.id) } }));
  for (const setting of ["can_mention_group", "can_remove_members_group"])
    await ok(owner.patch(`/user_groups/${group}`, { [setting]: { new: only(hamlet.id) } }));
  await ok(owner.patch(`/user_groups/${group}`, { name: "cast" }));
  await ok(owner.post(`/user_groups/${group}/deactivate`));
  const { channel_folders } = await ok(hamlet.get("/channel_folders"));
  const { id: folder } = channel_folders.find(({ name }: { name: string }) => name === "Bows");
  await ok(owner.patch(`/channel_folders/${folder}`, { is_archived: true, description: "all" }));
  const fragment = "narrow/is/dm";
  await ok(hamlet.post("/navigation_views", { fragment, is_pinned: true, name: "Whispers" }));
  await ok(hamlet.patch(`/navigation_views/${fragment}`, { name: "Letters", is_pinned: false }));
  await ok(hamlet.get("/navigation_views"));
  await ok(hamlet.delete(`/navigation_views/${fragment}`));

  // Bots.
  const { user_id: made } = await ok(
    hamlet.post("/bots", {
      full_name: "Echo",
      short_name: "echo",
      bot_type: 3,
      payload_url: '"https://hooks.invalid/"',
      service_name: "echo",
    }),
  );
  const defaults = { default_sending_stream: "stage", default_events_register_stream: "stage" };
  await ok(hamlet.patch(`/bots/${made}`, { ...defaults, default_all_public_streams: true, service_interface: 2 }));
  await ok(upload(chat, "hamlet", `/bots/${made}`, [{ bytes: PNG }], { method: "PATCH" }));
  await ok(hamlet.patch(`/bots/${made}`, { full_name: "Answer", short_name: "answer", bot_owner_id: othello.id }));
  await ok(othello.get("/bots"));
  await ok(othello.post(`/bots/${made}/api_key/regenerate`));
  await ok(othello.delete(`/bots/${made}`));
  await ok(bot.put("/bot_storage", { storage: { key: "value" } }));
  await ok(bot.get("/bot_storage"));
  await ok(bot.delete("/bot_storage"));

  // The organization.
  await ok(owner.patch("/realm", { name: "Verona", topics_policy: "disable_empty_topic" }));
  await ok(owner.patch("/realm/user_settings_defaults", { fluid_layout_width: true }));
  for (const path of ["/settings", "/settings/display", "/settings/notifications"])
    await ok(hamlet.patch(path, { fluid_layout_width: path === "/settings", enable_sounds: path === "/settings" }));
  await ok(hamlet.patch("/settings", { allow_private_data_export: true, default_language: "de" }));
  const domain = { domain: "example.org", allow_subdomains: true };
  await ok(owner.post("/realm/domains", domain));
  await ok(owner.get("/realm/domains"));
  await ok(owner.patch("/realm/domains/example.org", { allow_subdomains: false }));
  await ok(owner.delete("/realm/domains/example.org"));
  const linkifier = { pattern: "#(?P<id>[0-9]+)", url_template: "https://example.org/{id}" };
  const { id: filter } = await ok(owner.post("/realm/filters", linkifier));
  await ok(owner.patch(`/realm/filters/${filter}`, { ...linkifier, url_template: "https://example.org/x/{id}" }));
  await ok(owner.get("/realm/linkifiers"));
  await ok(owner.patch("/realm/linkifiers", { ordered_linkifier_ids: [filter] }));
  await ok(owner.delete(`/realm/filters/${filter}`));
  const playground = { name: "Run", pygments_language: "Python", url_template: "https://example.org/{code}" };
  const { id: site } = await ok(owner.post("/realm/playgrounds", playground));
  await ok(owner.delete(`/realm/playgrounds/${site}`));
  await ok(owner.delete("/realm/emoji/crown"));
  await ok(owner.post("/invites", { invitee_emails: "kent@example.com", stream_ids: [] }));
  await ok(owner.post("/invites/multiuse"));
  const { invites } = await ok(owner.get("/invites"));
  for (const { id, is_multiuse } of invites) {
    if (!is_multiuse) await ok(owner.post(`/invites/${id}/resend`));
  }
  const left = (await ok(owner.get("/invites")))["invites"];
  for (const { id, is_multiuse } of left) await ok(owner.delete(`/invites/${is_multiuse ? "multiuse/" : ""}${id}`));
  await ok(owner.post("/export/realm", { export_type: 1 }));
  await ok(owner.get("/export/realm"));
  await ok(owner.get("/export/realm/consents"));

  const { queueId } = await chat.register("othello");
  await ok(othello.delete("/events", { queue_id: queueId }));
  await ok(chat.as("cordelia").delete("/users/me"));
  await ok(othello.post("/users/me/api_key/regenerate"));
}
