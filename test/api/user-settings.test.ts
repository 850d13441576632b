import assert from "node:assert/strict";
import test from "node:test";
import { USER_SETTING_NAMES, USER_SETTINGS } from "../../server/api/queries/user-settings.ts";
import { applyEvent } from "../../ui/api/state.ts";
import type { State } from "../../ui/api/state-shape.ts";
import { type Chat, type Registered, startChat } from "../support/chat.ts";

type Row = { good: unknown; bad: unknown[] };
const number = (good: number, ...bad: unknown[]): Row => ({ good, bad: [0, -1, 1.5, "many", true, ...bad] });
const word = (good: string, ...bad: unknown[]): Row => ({ good, bad: ["", "nonsense", 7, ...bad] });

const OTHERS: Record<string, Row> = {
  automatically_follow_topics_policy: number(1, 5),
  automatically_unmute_topics_in_muted_streams_policy: number(1, 5),
  color_scheme: number(2, 4),
  default_language: word("de", "xx", "d".repeat(51)),
  demote_inactive_streams: number(3, 4),
  desktop_icon_count_display: number(4, 5),
  email_address_visibility: number(5, 6),
  email_notifications_batching_period_seconds: number(604_800, 604_801),
  emojiset: word("google-blob", "apple"),
  notification_sound: word("deep tom", "Ding"),
  push_away_minutes: number(10, 121),
  quiet_days: { good: 96, bad: [-1, 128, 1.5, "weekend"] },
  quiet_hours_end: { good: 0, bad: [-1, 1440, "7:00"] },
  quiet_hours_start: { good: 1439, bad: [-1, 1440, "22:00"] },
  quiet_until: { good: 1_800_000_000, bad: [-1, 1.5, "tomorrow"] },
  realm_name_in_email_notifications_policy: number(2, 4),
  resolved_topic_notice_auto_read_policy: word("always", "Always"),
  timezone: word("Europe/Rome", "+05:00", "Venice"),
  user_list_style: number(1, 4),
  web_animate_image_previews: word("never"),
  web_channel_default_view: number(4, 5),
  web_font_size_px: number(14),
  web_home_view: word("all_messages", "all"),
  web_line_height_percent: number(122),
  web_mark_read_on_scroll_policy: number(3, 4),
  web_stream_unreads_count_display_policy: number(3, 4),
};
OTHERS["timezone"] = { good: "Europe/Rome", bad: ["nonsense", "+05:00", "Venice", 7] };

const settingsOf = async (chat: Chat, name: string): Promise<Record<string, unknown>> =>
  (await chat.register(name, { fetch_event_types: ["user_settings"] })).state["user_settings"];
const eventsOf = async (queue: Registered) => (await queue.events()).map(({ id: _, ...event }) => event);

/** Events that a setting sends to other people who see the user. */
const ABOUT_PEOPLE = new Set(["realm_user", "user_status"]);

test("each setting accepts its valid values", async (t) => {
  const chat = await startChat(t);
  const hamlet = chat.as("hamlet");
  const [own, other] = [await chat.register("hamlet"), await chat.register("othello")];
  const initial = await settingsOf(chat, "hamlet");
  const expected = { ...initial };
  for (const name of USER_SETTING_NAMES) {
    const before = initial[name];
    const isFlag = typeof before === "boolean";
    const { good, bad } = isFlag ? { good: !before, bad: ["maybe", 1, "null"] } : (OTHERS[name] as Row);
    assert.notDeepEqual(good, before, name);
    for (const value of bad) {
      const beside = name === "twenty_four_hour_time" ? "wildcard_mentions_notify" : "twenty_four_hour_time";
      const answer = await hamlet.patch("/settings", { [name]: value, [beside]: !expected[beside] });
      assert.equal(answer["code"], "BAD_REQUEST", `${name}: ${JSON.stringify(value)}`);
      assert.ok(answer.msg.includes(name), answer.msg);
    }
    assert.deepEqual(await own.events(), [], name);
    const answer = await hamlet.patch("/settings", { [name]: good });
    assert.deepEqual(answer, { result: "success", msg: "", status: 200 }, name);
    const [event, ...more] = (await eventsOf(own)).filter(({ type }) => !ABOUT_PEOPLE.has(type));
    const language = name === "default_language" && { language_name: "Deutsch" };
    assert.deepEqual(event, { type: "user_settings", op: "update", property: name, value: good, ...language });
    assert.deepEqual(more, [], name);
    await hamlet.patch("/settings", { [name]: good });
    assert.deepEqual(await own.events(), []);
    expected[name] = good;
  }
  assert.deepEqual(await settingsOf(chat, "hamlet"), expected);
  assert.deepEqual(
    (await eventsOf(other)).filter(({ type }) => !ABOUT_PEOPLE.has(type)),
    [],
  );
  assert.deepEqual(await settingsOf(chat, "othello"), initial);
});

test("guests have settings, bots and anonymous callers do not", async (t) => {
  const chat = await startChat(t);
  for (const path of ["/settings", "/settings/display", "/settings/notifications"]) {
    assert.equal((await chat.as("bot").patch(path, { enter_sends: true }))["code"], "BAD_REQUEST");
    assert.equal((await chat.anonymous("PATCH", path, { enter_sends: true })).status, 401);
  }
  assert.equal((await settingsOf(chat, "bot"))["enter_sends"], false);
  assert.equal((await chat.as("polonius").patch("/settings", { enter_sends: true })).result, "success");
  assert.equal((await settingsOf(chat, "polonius"))["enter_sends"], true);
  assert.equal((await settingsOf(chat, "hamlet"))["enter_sends"], false);
});

test("old endpoints and events still work", async (t) => {
  const chat = await startChat(t);
  const hamlet = chat.as("hamlet");
  const old = await chat.register("hamlet", { client_capabilities: { user_settings_object: false } });
  const recent = await chat.register("hamlet");
  assert.equal(old.state["enter_sends"], false);
  assert.equal(old.state["notification_sound"], "zulip");
  assert.equal(recent.state["enter_sends"], undefined);
  assert.equal((await hamlet.patch("/settings/display", { default_language: "fr", enter_sends: "true" })).status, 200);
  assert.equal((await hamlet.patch("/settings/notifications", { notification_sound: '"ding"' })).status, 200);
  await hamlet.patch("/settings", { web_font_size_px: 18 });
  const french = { language_name: "Français" };
  const update = (property: string, value: unknown, more = {}) => ({
    type: "user_settings",
    op: "update",
    property,
    value,
    ...more,
  });
  const display = (setting_name: string, setting: unknown, more = {}) => ({
    type: "update_display_settings",
    user: hamlet.email,
    setting_name,
    setting,
    ...more,
  });
  const sorted = (events: object[]) => events.map((event) => JSON.stringify(event)).sort();
  const events = await old.events();
  const after = events.reduce((state, event) => applyEvent(state, event), old.state as State);
  const both = events.map(({ id: _, ...event }) => event);
  assert.deepEqual(
    sorted(both),
    sorted([
      update("default_language", "fr", french),
      display("default_language", "fr", french),
      update("enter_sends", true),
      display("enter_sends", true),
      update("notification_sound", "ding"),
      {
        type: "update_global_notifications",
        user: hamlet.email,
        notification_name: "notification_sound",
        setting: "ding",
      },
      update("web_font_size_px", 18),
    ]),
  );
  assert.deepEqual(sorted(await eventsOf(recent)), sorted(both.filter(({ type }) => type === "user_settings")));
  const fresh = await chat.register("hamlet", { client_capabilities: {} });
  for (const name of ["enter_sends", "default_language", "notification_sound", "user_settings"] as const)
    assert.deepEqual(after[name], fresh.state[name], name);
  assert.deepEqual([fresh.state["enter_sends"], fresh.state["default_language"]], [true, "fr"]);
});

test("turning draft synchronization off deletes stored drafts", async (t) => {
  const chat = await startChat(t);
  const hamlet = chat.as("hamlet");
  const draft = { drafts: [{ type: "", to: [], topic: "", content: "to be" }] };
  await hamlet.post("/drafts", draft);
  await chat.as("othello").post("/drafts", draft);
  assert.equal((await chat.register("hamlet")).state["drafts"]?.length, 1);
  await hamlet.patch("/settings", { enable_drafts_synchronization: false });
  await hamlet.patch("/settings", { enable_drafts_synchronization: true });
  assert.deepEqual((await chat.register("hamlet")).state["drafts"], []);
  assert.equal((await chat.register("othello")).state["drafts"]?.length, 1);
});

test("a hidden email address disappears for others", async (t) => {
  const chat = await startChat(t, { users: { tybalt: { role: 300 } } });
  const hamlet = chat.as("hamlet");
  const user_id = chat.ids["hamlet"] as number;
  const names = ["desdemona", "iago", "tybalt", "othello", "polonius", "hamlet"];
  const queues = new Map<string, Registered>();
  for (const name of names) queues.set(name, await chat.register(name));
  const hidden = `user${user_id}@${chat.server.app.store.reader.value<string>("SELECT value FROM organization_settings WHERE name = 'email_host'")?.slice(1, -1)}`;
  const persons = async () => {
    const seen: Record<string, object[]> = {};
    for (const [name, queue] of queues) {
      seen[name] = (await eventsOf(queue)).filter(({ type }) => type === "realm_user").map(({ person }) => person);
    }
    return seen;
  };
  const renamed = (new_email: string) => ({ user_id, new_email });
  const address = (delivery_email: string | null) => ({ user_id, delivery_email });
  await hamlet.patch("/settings", { email_address_visibility: 5 });
  assert.deepEqual(await persons(), {
    desdemona: [renamed(hidden)],
    iago: [renamed(hidden)],
    tybalt: [renamed(hidden)],
    othello: [renamed(hidden), address(null)],
    polonius: [renamed(hidden), address(null)],
    hamlet: [renamed(hidden)],
  });
  await hamlet.patch("/settings", { email_address_visibility: 2 });
  assert.deepEqual(await persons(), {
    desdemona: [],
    iago: [],
    tybalt: [],
    othello: [address(hamlet.email)],
    polonius: [],
    hamlet: [],
  });
  await hamlet.patch("/settings", { email_address_visibility: 4 });
  const last = await persons();
  assert.deepEqual(last["desdemona"], [address(null)]);
  assert.deepEqual(last["polonius"], []);
  const { members } = await chat.as("desdemona").get("/users");
  const seen = members.find((user: { user_id: number }) => user.user_id === user_id);
  assert.deepEqual([seen.email, seen.delivery_email], [hidden, null]);
  assert.equal((await chat.register("hamlet")).state["email"], hidden);
  await hamlet.patch("/settings", { email_address_visibility: 1 });
  assert.deepEqual((await persons())["polonius"], [renamed(hamlet.email), address(hamlet.email)]);
});

test("hidden people's email addresses and time zones stay hidden", async (t) => {
  const channels = [{ name: "yard", subscribers: ["polonius", "othello"] }];
  const chat = await startChat(t, { channels, unwatched: true });
  const reader = chat.server.app.store.reader;
  const members = reader.value<number>("SELECT id FROM user_groups WHERE name = 'role:members'");
  await chat.as("desdemona").patch("/realm", { can_access_all_users_group: { new: members } });
  const queue = await chat.register("polonius");
  const change = { email_address_visibility: 4, timezone: "Europe/Rome" };
  await chat.as("hamlet").patch("/settings", change);
  assert.deepEqual(await queue.events(), []);
  await chat.as("othello").patch("/settings", change);
  const ids = new Set((await eventsOf(queue)).map(({ person }) => person.user_id));
  assert.deepEqual([...ids], [chat.ids["othello"]]);
});

test("a time zone is visible to everyone", async (t) => {
  const chat = await startChat(t);
  const queue = await chat.register("othello");
  const hamlet = chat.as("hamlet");
  await hamlet.patch("/settings", { timezone: "Europe/Copenhagen" });
  const person = { user_id: hamlet.id, email: hamlet.email, timezone: "Europe/Copenhagen" };
  assert.deepEqual(await eventsOf(queue), [{ type: "realm_user", op: "update", person }]);
  assert.equal((await hamlet.get("/users/me"))["timezone"], "Europe/Copenhagen");
  assert.equal((await hamlet.patch("/settings", { timezone: "" })).result, "success");
});

test("this test covers every setting that is not boolean", () => {
  const words = USER_SETTING_NAMES.filter((name) => typeof USER_SETTINGS[name].initial !== "boolean");
  assert.deepEqual(Object.keys(OTHERS).sort(), [...words].sort());
});
