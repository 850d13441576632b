import assert from "node:assert/strict";
import test from "node:test";
import { endpoints } from "../../server/api/endpoints/index.ts";
import { type Body, type Chat, type ChatOptions, type Params, startChat } from "../support/chat.ts";

const WEB_PUBLIC = [{ operator: "channels", operand: "web-public" }];
const REFUSED = [401, "UNAUTHORIZED", "Authentication required. Send your email address and API key."];
const outcome = ({ status, code, msg }: Body) => [status, code, msg];

const CHANNELS = [
  { name: "public", subscribers: ["hamlet", "othello"] },
  { name: "secret", private: true, subscribers: ["hamlet", "iago"] },
];
const OPEN_CHANNELS = { square: ["hamlet", "polonius"], "old square": ["hamlet"] };

/** The conditions for anonymous access to a channel. */
interface Conditions {
  server?: boolean;
  organization?: boolean;
  channel?: boolean;
}

async function setConditions(chat: Chat, { server, organization, channel }: Conditions): Promise<void> {
  const owner = chat.as("desdemona");
  const answers: Body[] = [];
  if (server !== undefined) answers.push(await owner.patch("/host/settings", { WEB_PUBLIC_STREAMS_ENABLED: server }));
  if (organization !== undefined) answers.push(await owner.patch("/realm", { enable_spectator_access: organization }));
  if (channel !== undefined)
    answers.push(await owner.patch(`/streams/${chat.ids["square"]}`, { is_web_public: channel }));
  for (const answer of answers) assert.equal(answer.result, "success", answer.msg);
}

/** A chat with one web-public channel, an archived one that was web-public, and two that never were. */
async function startOpenChat(t: test.TestContext, options: ChatOptions = {}) {
  const chat = await startChat(t, { channels: CHANNELS, unwatched: true, ...options });
  await setConditions(chat, { server: true, organization: true });
  const owner = chat.as("desdemona");
  for (const [name, subscribers] of Object.entries(OPEN_CHANNELS)) {
    const principals = subscribers.map((who) => chat.ids[who]);
    const made = { subscriptions: [{ name }], principals, is_web_public: true };
    assert.equal((await owner.post("/users/me/subscriptions", made)).result, "success");
    chat.ids[name] = (await owner.get("/get_stream_id", { stream: name }))["stream_id"];
    const { topics } = await owner.get(`/users/me/${chat.ids[name]}/topics`);
    for (const { name: topic_name } of topics) // the topics of the system messages about its creation
      await owner.post(`/streams/${chat.ids[name]}/delete_topic`, { topic_name });
  }
  assert.equal((await owner.delete(`/streams/${chat.ids["old square"]}`)).status, 200);
  const send = async (who: string, to: string, topic: string, content: string): Promise<number> => {
    const answer = await chat.as(who).post("/messages", { type: "channel", to, topic, content });
    assert.equal(answer.result, "success", answer.msg);
    return answer["id"];
  };
  const spectate = (method: string, path: string, params?: Params) => chat.anonymous(method, path, params);
  const read = (params: Params = {}) =>
    spectate("GET", "/messages", { anchor: "newest", num_before: 100, narrow: WEB_PUBLIC, ...params });
  const ids = async (params?: Params): Promise<number[]> => {
    const answer = await read(params);
    assert.equal(answer.result, "success", answer.msg);
    return answer["messages"].map(({ id }: { id: number }) => id);
  };
  return { chat, send, spectate, read, idsRead: ids };
}

test("anonymous callers reach only the endpoints declared public", async (t) => {
  const { chat, spectate } = await startOpenChat(t);
  const open = new Set([
    "POST /register",
    "GET /messages",
    "GET /messages/{message_id}",
    "GET /users/me/{stream_id}/topics",
    "GET /user_uploads/{realm_id_str}/{filename}",
    "GET /avatar/{user_id}",
    "GET /avatar/{user_id}/medium",
    "GET /avatar/{email}",
    "GET /avatar/{email}/medium",
  ]);
  const declared = endpoints.filter(({ who }) => who !== "anyone").map((one) => one as (typeof endpoints)[number]);
  assert.deepEqual(
    declared.filter((one) => "spectators" in one && one.spectators).map(({ route }) => route),
    declared.map(({ route }) => route).filter((route) => open.has(route)),
  );
  for (const { route, outsideApi } of declared) {
    if (open.has(route) || outsideApi) continue;
    const [method = "", path = ""] = route.split(" ");
    const answer = await spectate(method, path.replaceAll(/\{\w+\}/g, "1"));
    assert.deepEqual([answer.status, answer["code"]], REFUSED.slice(0, 2), route);
  }
  const wrong = { authorization: `Basic ${Buffer.from("nobody@example.com:wrong").toString("base64")}` };
  const answer = await chat.anonymous("POST", "/register", {}, wrong);
  assert.deepEqual([answer.status, answer["code"]], [401, "INVALID_API_KEY"]);
  const cookie = `hearth_session_${new URL(chat.url).port}=ended`;
  const ended = await chat.anonymous("GET", "/messages", { anchor: "newest", narrow: WEB_PUBLIC }, { cookie });
  assert.deepEqual(outcome(ended), REFUSED);
});

test("each of three conditions closes public access immediately", async (t) => {
  const { chat, send, spectate, read } = await startOpenChat(t);
  const id = await send("hamlet", "square", "pigeons", "coo");
  const { square } = chat.ids;
  const calls: Record<string, () => Promise<Body>> = {
    register: () => spectate("POST", "/register", { fetch_event_types: ["stream"] }),
    "bad register": () => spectate("POST", "/register", { client_gravatar: true }),
    messages: () => read(),
    "bad messages": () => read({ anchor: "nonsense" }),
    channel: () => read({ narrow: [["channel", square]] }),
    message: () => spectate("GET", `/messages/${id}`),
    "no message": () => spectate("GET", "/messages/999999"),
    topics: () => spectate("GET", `/users/me/${square}/topics`),
    "no topics": () => spectate("GET", "/users/me/999999/topics"),
  };
  const statuses = async () => {
    const found: Record<string, unknown> = {};
    for (const [name, call] of Object.entries(calls)) found[name] = outcome(await call());
    return found;
  };
  const well = [200, undefined, ""];
  const open = await statuses();
  for (const name of ["register", "messages", "channel", "message", "topics"]) assert.deepEqual(open[name], well, name);
  for (const name of ["bad register", "bad messages", "no message", "no topics"])
    assert.equal((open[name] as unknown[])[0], 400, name);
  const closed = Object.fromEntries(Object.keys(calls).map((name) => [name, REFUSED]));
  for (const condition of ["server", "organization"] as const) {
    await setConditions(chat, { [condition]: false });
    assert.deepEqual(await statuses(), closed, condition);
    await setConditions(chat, { [condition]: true });
    assert.deepEqual(await statuses(), open, condition);
  }
  await setConditions(chat, { channel: false });
  const without = await statuses();
  assert.deepEqual(without["register"], well);
  assert.deepEqual((await calls["register"]?.())?.["streams"], []);
  assert.deepEqual((await read())["messages"], []);
  assert.deepEqual(without["message"], without["no message"]);
  assert.deepEqual(without["topics"], without["no topics"]);
  assert.deepEqual(without["channel"], outcome(await read({ narrow: [["channel", 999_999]] })));
  await setConditions(chat, { channel: true });
  assert.deepEqual(await statuses(), open);
});

test("anonymous callers read web-public channels and nothing else", async (t) => {
  const { chat, send, spectate, read, idsRead } = await startOpenChat(t);
  const shown = await send("hamlet", "square", "pigeons", "coo");
  const hidden = [
    await send("hamlet", "public", "pigeons", "a merely public coo"),
    await send("hamlet", "secret", "pigeons", "a secret coo"),
    (await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids["othello"]], content: "psst" }))["id"],
    (await chat.as("polonius").post("/messages", { type: "direct", to: [chat.ids["polonius"]], content: "note" }))[
      "id"
    ],
  ];
  await chat.as("othello").post(`/messages/${hidden[0]}/reactions`, { emoji_name: "tada" });
  const { square, public: merelyPublic, secret, "old square": archived } = chat.ids;
  for (const narrow of [
    WEB_PUBLIC,
    [["channel", square]],
    [["stream", "square"]],
    [
      ["channels", "web-public"],
      ["topic", "pigeons"],
    ],
    [
      ["channels", "web-public"],
      ["sender", chat.ids["hamlet"]],
    ],
    [
      ["channels", "web-public"],
      ["id", shown],
    ],
    [
      ["channels", "web-public"],
      ["near", shown],
    ],
    [
      ["channels", "web-public"],
      ["with", shown],
    ],
    [...WEB_PUBLIC, ["search", "coo"]],
    [
      ["channel", square],
      ["search", "coo"],
    ],
    [["channel", square], { operator: "is", operand: "resolved", negated: true }],
  ]) {
    assert.deepEqual(await idsRead({ narrow }), [shown], JSON.stringify(narrow));
  }
  assert.deepEqual(await idsRead({ narrow: [...WEB_PUBLIC, ["id", hidden[0]]] }), []);
  const { anchor: _, num_before: __, ...byId } = { anchor: 0, num_before: 0 };
  const several = await spectate("GET", "/messages", { ...byId, message_ids: [shown, ...hidden], narrow: WEB_PUBLIC });
  assert.deepEqual(
    several["messages"].map(({ id }: { id: number }) => id),
    [shown],
  );
  const absent = outcome(await spectate("GET", "/messages/999999"));
  for (const id of hidden) assert.deepEqual(outcome(await spectate("GET", `/messages/${id}`)), absent);
  const noChannel = outcome(await read({ narrow: [...WEB_PUBLIC, ["channel", 999_999]] }));
  assert.equal(noChannel[1], "BAD_NARROW");
  const noTopics = outcome(await spectate("GET", "/users/me/999999/topics"));
  for (const channel of [merelyPublic, secret, archived]) {
    assert.deepEqual(outcome(await read({ narrow: [["channel", channel]] })), noChannel);
    assert.deepEqual(outcome(await spectate("GET", `/users/me/${channel}/topics`)), noTopics);
  }
  assert.deepEqual(outcome(await read({ narrow: [["channel", "secret"]] })), noChannel);
  const { topics } = await spectate("GET", `/users/me/${square}/topics`);
  assert.deepEqual(topics, [{ max_id: shown, name: "pigeons" }]);
  const noSender = outcome(await read({ narrow: [...WEB_PUBLIC, ["sender", 999_999]] }));
  for (const who of [chat.ids["othello"], chat.ids["polonius"], "hamlet@example.com", "othello@example.com"]) {
    assert.deepEqual(outcome(await read({ narrow: [...WEB_PUBLIC, ["sender", who]] })), noSender, String(who));
  }
});

test("other narrows require an account", async (t) => {
  const { chat, read, spectate } = await startOpenChat(t);
  const { square, hamlet } = chat.ids;
  for (const narrow of [
    [],
    [["topic", "pigeons"]],
    [["channels", "public"]],
    [["-channels", "web-public"]],
    [{ operator: "channel", operand: square, negated: true }],
    [["dm", [hamlet]]],
    [...WEB_PUBLIC, ["dm", [hamlet]]],
    [...WEB_PUBLIC, ["dm-including", hamlet]],
    [...WEB_PUBLIC, ["in", "home"]],
    [...WEB_PUBLIC, ["is", "unread"]],
    [...WEB_PUBLIC, ["is", "starred"]],
    [...WEB_PUBLIC, ["is", "mentioned"]],
    [...WEB_PUBLIC, ["is", "followed"]],
    [...WEB_PUBLIC, ["is", "dm"]],
    [...WEB_PUBLIC, ["nonsense", "x"]],
  ]) {
    assert.deepEqual(outcome(await read({ narrow })), REFUSED, JSON.stringify(narrow));
  }
  assert.deepEqual(outcome(await spectate("GET", "/messages", { message_ids: [1] })), REFUSED);
  const answer = await fetch(`${chat.url}/api/v1/messages?anchor=newest`);
  assert.match(answer.headers.get("www-authenticate") ?? "", /^Basic /);
});

test("anonymous messages omit email addresses, edits, read state and origin", async (t) => {
  const { chat, send, spectate, read, idsRead } = await startOpenChat(t);
  const hamlet = chat.as("hamlet");
  const id = await send("hamlet", "square", "pigeons", "a secret word, too soon");
  await hamlet.patch(`/messages/${id}`, { content: "coo *coo*" });
  await hamlet.post(`/messages/${id}/reactions`, { emoji_name: "tada" });
  const { message, raw_content } = await spectate("GET", `/messages/${id}`);
  assert.equal(message.sender_email, `user${hamlet.id}@${emailHost(chat)}`);
  assert.equal(message.sender_full_name, "Hamlet");
  assert.deepEqual(message.flags, ["read"]);
  assert.equal("edit_history" in message, false);
  assert.deepEqual([message.content, raw_content], ["<p>coo <em>coo</em></p>", "coo *coo*"]);
  assert.deepEqual(message.reactions.length, 1);
  assert.doesNotMatch(JSON.stringify([message, await read()]), /example\.com|secret word/);
  assert.equal((await read({ apply_markdown: false }))["messages"][0].content, "coo *coo*");
  const moved = await send("hamlet", "secret", "plots", "moved out");
  const move = async (channel: string) => {
    const to = chat.ids[channel];
    const answer = await chat.as("desdemona").patch(`/messages/${moved}`, {
      stream_id: to,
      topic: "plots",
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    });
    assert.equal(answer.result, "success", answer.msg);
  };
  assert.equal(
    (await chat.as("desdemona").post("/users/me/subscriptions", { subscriptions: [{ name: "square" }] })).status,
    200,
  );
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
    tx.run(
      "INSERT OR REPLACE INTO subscriptions (user_id, channel_id, subscribed, color) VALUES (?, ?, 1, '#000000')",
      chat.ids["desdemona"] as number,
      chat.ids["secret"] as number,
    ),
  );
  await move("square");
  assert.deepEqual(await idsRead({ anchor: "first_unread" }), [id, moved]);
  assert.doesNotMatch(JSON.stringify(await spectate("GET", `/messages/${moved}`)), /prev_stream|"stream":/);
  await move("secret");
  assert.deepEqual(await idsRead(), [id]);
  assert.deepEqual((await spectate("GET", `/users/me/${chat.ids["square"]}/topics`))["topics"].length, 1);
});

const emailHost = (chat: Chat): string =>
  JSON.parse(
    chat.server.app.store.reader.value<string>("SELECT value FROM organization_settings WHERE name = 'email_host'") ??
      "",
  );

test("anonymous /register creates no queue and shows web-public channels", async (t) => {
  const { chat, send, spectate } = await startOpenChat(t, {
    prepare: (tx, ids) => {
      const named = JSON.stringify({ direct_members: [ids["othello"]], direct_subgroups: [] });
      for (const [name, value] of [
        ["can_create_groups", named],
        ["new_stream_announcements_stream_id", "1"],
        ["signup_announcements_stream_id", "3"],
      ] as const)
        tx.run("INSERT INTO organization_settings (name, value) VALUES (?, ?)", name, value);
    },
  });
  await send("hamlet", "square", "pigeons", "coo");
  await send("othello", "public", "ravens", "caw");
  await chat.as("hamlet").post("/drafts", { drafts: [{ type: "", to: [], topic: "", content: "to do" }] });
  await chat
    .as("hamlet")
    .post("/user_groups/create", { name: "players", description: "", members: [chat.ids["iago"]] });
  const owner = chat.as("desdemona");
  const folders: number[] = [];
  for (const name of ["open", "closed"])
    folders.push((await owner.post("/channel_folders/create", { name, description: "" }))["channel_folder_id"]);
  for (const [channel, folder_id] of [
    ["square", folders[0]],
    ["public", folders[1]],
    ["old square", folders[1]],
  ] as const)
    await owner.patch(`/streams/${chat.ids[channel]}`, { folder_id });
  const state = await spectate("POST", "/register", { client_capabilities: { archived_channels: true } });
  assert.equal(state.status, 200, state.msg);
  assert.deepEqual([state["queue_id"], state["last_event_id"], state["zulip_feature_level"]], [null, -1, 421]);
  const { square, hamlet } = chat.ids;
  for (const list of ["streams", "subscriptions"]) {
    assert.deepEqual(
      state[list].map(({ stream_id }: { stream_id: number }) => stream_id),
      [square],
      list,
    );
    assert.equal(state[list][0].creator_id, null);
    assert.equal("subscribers" in state[list][0], false);
  }
  assert.deepEqual([state["unsubscribed"], state["never_subscribed"]], [[], []]);
  assert.deepEqual(
    state["channel_folders"].map(({ name, creator_id }: Params) => [name, creator_id]),
    [["open", null]],
  );
  assert.deepEqual(state["realm_users"], [
    {
      user_id: hamlet,
      full_name: "Hamlet",
      email: `user${hamlet}@${emailHost(chat)}`,
      delivery_email: null,
      is_active: true,
      is_bot: false,
      avatar_url: state["realm_users"][0].avatar_url,
      avatar_version: 1,
      is_imported_stub: false,
    },
  ]);
  assert.deepEqual([state["realm_non_active_users"], state["cross_realm_bots"]], [[], []]);
  const groups = state["realm_user_groups"] as { id: number; name: string; members: number[] }[];
  assert.deepEqual([groups.length, groups.flatMap(({ members }) => members)], [8, []]);
  const nobody = groups.find(({ name }) => name === "role:nobody")?.id;
  assert.equal(state["realm_can_create_groups"], nobody);
  assert.equal(state["streams"][0].can_administer_channel_group, nobody);
  assert.deepEqual(
    [state["realm_new_stream_announcements_stream_id"], state["realm_signup_announcements_stream_id"]],
    [-1, square],
  );
  for (const name of ["drafts", "scheduled_messages", "saved_snippets", "user_topics", "realm_bots", "alert_words"])
    assert.deepEqual(state[name], [], name);
  assert.deepEqual([state["max_message_id"], state["unread_msgs"].count, state["is_guest"]], [-1, 0, true]);
  assert.doesNotMatch(JSON.stringify(state), /Othello|Cordelia|example\.com|secret|old square|"public"/);
  const own = await chat.register("hamlet");
  const served = new Set(Object.keys(state));
  assert.deepEqual(
    Object.keys(own.state).filter((name) => !served.has(name)),
    [],
  );
  // The bot announces each change in the channel and so becomes visible there.
  for (const channel of [false, true]) await setConditions(chat, { channel });
  const registered = await spectate("POST", "/register", { fetch_event_types: ["realm_user"] });
  assert.deepEqual(
    [registered["realm_users"], registered["cross_realm_bots"]].map((list) =>
      list.map((user: Params) => user["full_name"]),
    ),
    [["Hamlet"], ["Notification Bot"]],
  );
  const some = await spectate("POST", "/register", { fetch_event_types: ["stream"], include_subscribers: "partial" });
  assert.deepEqual(
    Object.keys(some).filter((name) => !/^(zulip|service|queue|idle|last|status|result|msg)/.test(name)),
    ["streams"],
  );
  for (const name of ["client_gravatar", "include_subscribers"]) {
    const refused = await spectate("POST", "/register", { [name]: true });
    assert.deepEqual([refused.status, refused["code"]], [400, "BAD_REQUEST"]);
    assert.match(refused.msg, new RegExp(name));
    assert.equal((await spectate("POST", "/register", { [name]: false, fetch_event_types: [] })).status, 200);
  }
  const narrow = await spectate("POST", "/register", { narrow: [["dm", "hamlet@example.com"]] });
  assert.equal(narrow["code"], "BAD_NARROW");
});

test("limits anonymous callers by IP address, users by account", async (t) => {
  const limits = (address: number, user: number) => (tx: Parameters<NonNullable<ChatOptions["prepare"]>>[0]) =>
    tx.run(
      "INSERT INTO host_settings (name, value) VALUES ('RATE_LIMITS', ?)",
      JSON.stringify({
        api_by_user: [[60, user]],
        api_by_ip: [[60, address]],
        authenticate_by_username: [[1800, 5]],
        authenticate_by_ip: [[1800, 30]],
      }),
    );
  const now = 1_800_000_000_000;
  const { chat, spectate } = await startOpenChat(t, { prepare: limits(3, 100), rateLimit: "on", now: () => now });
  const path = `/users/me/${chat.ids["square"]}/topics`;
  for (let n = 0; n < 3; n += 1) assert.equal((await spectate("GET", path)).status, 200);
  const refused = await spectate("GET", path);
  assert.deepEqual([refused.status, refused["code"]], [429, "RATE_LIMIT_HIT"]);
  assert.equal((await chat.as("hamlet").get(path)).status, 200);
});

test("web-public channels change no rights of members", async (t) => {
  const { chat, send } = await startOpenChat(t);
  await send("polonius", "square", "pigeons", "coo");
  const id = await send("hamlet", "square", "pigeons", "coo");
  assert.equal((await chat.as("cordelia").get(`/messages/${id}`)).status, 200);
  assert.equal((await chat.as("polonius").get(`/messages/${id}`))["message"].sender_email, "hamlet@example.com");
  const publicMessage = await send("hamlet", "public", "ravens", "caw");
  assert.equal((await chat.as("polonius").get(`/messages/${publicMessage}`)).status, 400);
});
