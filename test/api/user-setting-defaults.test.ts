import assert from "node:assert/strict";
import test from "node:test";
import { USER_SETTING_DEFAULT_NAMES } from "../../server/api/queries/user-settings.ts";
import { type Chat, startChat } from "../support/chat.ts";

// docs/protocol.md#user-settings
const FLAGS = `starred_message_counts receives_typing_notifications web_suggest_update_timezone fluid_layout_width
  high_contrast_mode enable_drafts_synchronization translate_emoticons display_emoji_reaction_users
  web_escape_navigates_to_home_view left_side_userlist hide_ai_features enable_stream_desktop_notifications
  enable_stream_email_notifications enable_stream_push_notifications enable_stream_audible_notifications
  enable_desktop_notifications enable_sounds enable_followed_topic_desktop_notifications
  enable_followed_topic_email_notifications enable_followed_topic_push_notifications
  enable_followed_topic_audible_notifications enable_offline_email_notifications enable_offline_push_notifications
  enable_online_push_notifications enable_digest_emails message_content_in_email_notifications message_content_in_push_notifications
  pm_content_in_desktop_notifications wildcard_mentions_notify enable_followed_topic_wildcard_mentions_notify
  automatically_follow_topics_where_mentioned presence_enabled enter_sends twenty_four_hour_time
  send_private_typing_notifications send_stream_typing_notifications send_read_receipts web_navigate_to_sent_message
  web_left_sidebar_unreads_count_summary web_left_sidebar_show_channel_folders`.split(/\s+/);

const upTo = (max: number) => ({ good: Array.from({ length: max }, (_, at) => at + 1), bad: [0, max + 1, "one"] });
const words = (...good: string[]) => ({ good, bad: ["", "none of them", good[0]?.toUpperCase() as string, 1] });
const VALUES: Record<string, { good: unknown[]; bad: unknown[] }> = {
  web_channel_default_view: upTo(4),
  web_mark_read_on_scroll_policy: upTo(3),
  web_font_size_px: { good: [12, 20], bad: [0, -14, 14.5, "large"] },
  web_line_height_percent: { good: [120, 140], bad: [0, -1, 122.5, "wide"] },
  color_scheme: upTo(3),
  web_home_view: words("recent_topics", "inbox", "all_messages"),
  emojiset: { good: ["google", "twitter", "text"], bad: ["google-blob", "apple", "", 1] },
  demote_inactive_streams: upTo(3),
  user_list_style: upTo(3),
  web_animate_image_previews: words("always", "on_hover", "never"),
  web_stream_unreads_count_display_policy: upTo(3),
  notification_sound: { good: ["none", "ding", "deep tom"], bad: ["", "bang", 1] },
  email_notifications_batching_period_seconds: { good: [1, 604_800], bad: [0, -1, 604_801, "often"] },
  desktop_icon_count_display: upTo(4),
  push_away_minutes: { good: [1, 120], bad: [0, 121, 1.5, "long"] },
  realm_name_in_email_notifications_policy: upTo(3),
  automatically_follow_topics_policy: upTo(4),
  automatically_unmute_topics_in_muted_streams_policy: upTo(4),
  resolved_topic_notice_auto_read_policy: words("always", "except_followed", "never"),
  email_address_visibility: upTo(5),
};

const PATH = "/realm/user_settings_defaults";
const defaultsOf = async (chat: Chat): Promise<Record<string, unknown>> =>
  (await chat.register("hamlet", { fetch_event_types: ["realm_user_settings_defaults"] })).state[
    "realm_user_settings_defaults"
  ];

test("every default takes its valid values and no others", async (t) => {
  const chat = await startChat(t);
  const iago = chat.as("iago");
  assert.deepEqual([...FLAGS, ...Object.keys(VALUES)].sort(), [...USER_SETTING_DEFAULT_NAMES].sort());
  const queue = await chat.register("polonius");
  const inForce = await defaultsOf(chat);
  const flags = Object.fromEntries(FLAGS.map((name) => [name, { good: [!inForce[name]], bad: ["yes", 1, "null"] }]));
  for (const [name, { good, bad }] of Object.entries({ ...VALUES, ...flags })) {
    for (const value of bad) {
      const beside = name === "enter_sends" ? "enable_sounds" : "enter_sends";
      const answer = await iago.patch(PATH, { [name]: value, [beside]: !inForce[beside] });
      assert.equal(answer["code"], "BAD_REQUEST", `${name}: ${JSON.stringify(value)}`);
      assert.ok(answer.msg.includes(name), answer.msg);
    }
    assert.deepEqual(await queue.events(), [], name);
    for (const value of good) {
      const answer = await iago.patch(PATH, { [name]: value });
      assert.deepEqual(answer, { result: "success", msg: "", status: 200 }, name);
      const expected =
        value === inForce[name] ? [] : [{ type: "realm_user_settings_defaults", op: "update", property: name, value }];
      assert.deepEqual(
        (await queue.events()).map(({ id: _, ...event }) => event),
        expected,
      );
      inForce[name] = value;
    }
  }
  assert.deepEqual(await defaultsOf(chat), inForce);
  const { ignored_parameters_unsupported: ignored } = await iago.patch(PATH, {
    timezone: "Europe/Rome",
    default_language: "de",
    allow_private_data_export: true,
    enable_login_emails: false,
    enable_marketing_emails: false,
  });
  assert.equal(ignored.length, 5);
  assert.deepEqual(await defaultsOf(chat), inForce);
});

test("only administrators set the defaults", async (t) => {
  const chat = await startChat(t, { users: { tybalt: { role: 300 } } });
  for (const who of ["hamlet", "tybalt", "polonius", "bot"]) {
    const answer = await chat.as(who).patch(PATH, { enter_sends: true });
    assert.deepEqual([answer.status, answer["code"]], [400, "BAD_REQUEST"], who);
    // The role is checked before the parameters (docs/protocol.md#order-of-checks).
    assert.equal((await chat.as(who).patch(PATH, { enter_sends: "perhaps" })).msg, answer.msg, who);
  }
  assert.equal((await chat.anonymous("PATCH", PATH, { enter_sends: true })).status, 401);
  assert.equal((await defaultsOf(chat))["enter_sends"], false);
});

test("only people who join later get new defaults", async (t) => {
  const chat = await startChat(t);
  const desdemona = chat.as("desdemona");
  const draft = { drafts: [{ type: "", to: [], topic: "", content: "to be" }] };
  await chat.as("hamlet").post("/drafts", draft);
  const mine = async (email: string, key: string) => {
    const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
    return (await chat.anonymous("POST", "/register", { fetch_event_types: ["user_settings"] }, { authorization }))[
      "user_settings"
    ];
  };
  const before = (await chat.register("hamlet")).state["user_settings"];
  await desdemona.patch(PATH, {
    enter_sends: true,
    emojiset: "twitter",
    enable_drafts_synchronization: false,
    email_address_visibility: 4,
    web_font_size_px: 18,
  });
  const person = { email: "emilia@example.com", full_name: "Emilia", password: "secret-emilia" };
  const queue = await chat.register("othello");
  assert.equal((await desdemona.post("/users", person)).result, "success");
  const [added] = await queue.events();
  assert.equal(added?.["person"].delivery_email, null);
  assert.match(added?.["person"].email, /^user\d+@/);
  const signedIn = await chat.anonymous("POST", "/fetch_api_key", {
    username: person.email,
    password: person.password,
  });
  const fresh = await mine(person.email, signedIn["api_key"]);
  assert.equal(fresh["enter_sends"], true);
  assert.equal(fresh["emojiset"], "twitter");
  assert.equal(fresh["web_font_size_px"], 18);
  assert.equal(fresh["email_address_visibility"], 4);
  // Later changes of the defaults do not affect existing members.
  await desdemona.patch(PATH, { emojiset: "text", web_font_size_px: 16 });
  assert.deepEqual(await mine(person.email, signedIn["api_key"]), fresh);
  assert.deepEqual((await chat.register("hamlet")).state["user_settings"], before);
  assert.equal((await chat.register("hamlet")).state["drafts"]?.length, 1);
});
