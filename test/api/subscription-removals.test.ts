import assert from "node:assert/strict";
import test from "node:test";
import { type Chat, startChat } from "../support/chat.ts";

const PATH = "/users/me/subscriptions";
const leave = (chat: Chat, who: string, subscriptions: string[], principals?: unknown[]) =>
  chat.as(who).delete(PATH, { subscriptions, ...(principals && { principals }) });
const kinds = (events: { type: string; op?: string }[]) => events.map(({ type, op }) => (op ? `${type}/${op}` : type));
const audit = (chat: Chat) =>
  chat.server.app.store.reader.all<Record<string, unknown>>(
    "SELECT actor_id, target, before FROM audit WHERE action = 'unsubscribe users' ORDER BY id",
  );

test("unsubscribing notifies everyone who sees the channel", async (t) => {
  const chat = await startChat(t, {
    channels: [
      { name: "general", subscribers: ["hamlet", "othello", "polonius"] },
      { name: "lobby", subscribers: ["othello"] },
    ],
  });
  const send = () => chat.as("othello").post("/messages", { type: "channel", to: "general", topic: "t", content: "x" });
  const { id } = await send();
  const [hamlet, othello, cordelia, guest] = [
    await chat.register("hamlet"),
    await chat.register("othello"),
    await chat.register("cordelia"),
    await chat.register("polonius"),
  ];
  assert.deepEqual(
    hamlet.state.unread_msgs?.streams.flatMap((group) => group.unread_message_ids),
    [id],
  );
  const answer = await leave(chat, "hamlet", ["GENERAL", " general ", "lobby"]);
  assert.deepEqual([answer.status, answer.removed, answer.not_removed], [200, ["general"], ["lobby"]]);
  const own = await hamlet.events();
  assert.deepEqual(kinds(own), ["update_message_flags/add", "subscription/remove"]);
  assert.deepEqual(own[0]?.messages, [id]);
  assert.deepEqual(own[1]?.subscriptions, [{ stream_id: chat.ids.general, name: "general" }]);
  for (const other of [othello, cordelia, guest]) {
    const [peer, ...more] = await other.events();
    assert.deepEqual(more, []);
    assert.deepEqual(
      [peer?.type, peer?.op, peer?.stream_ids, peer?.user_ids],
      ["subscription", "peer_remove", [chat.ids.general], [chat.ids.hamlet]],
    );
  }
  await send();
  const { state } = await chat.register("hamlet");
  assert.deepEqual(state.unread_msgs?.streams, []);
  assert.deepEqual(
    [state.subscriptions, state.unsubscribed].map((list) => list?.map(({ name }) => name)),
    [[], ["general"]],
  );
  // A guest who leaves a public channel no longer sees it.
  await leave(chat, "polonius", ["general"]);
  const gone = (await guest.events()).filter(({ type }) => type === "stream").at(-1);
  assert.deepEqual([gone?.op, gone?.stream_ids], ["delete", [chat.ids.general]]);
  const after = (await chat.register("polonius")).state;
  assert.deepEqual([after.subscriptions, after.unsubscribed, after.never_subscribed], [[], [], []]);
  assert.deepEqual(audit(chat), []);
});

test("people removed together see each other's removal only in channels they can see", async (t) => {
  const many = Array.from({ length: 110 }, (_, number) => `extra${number}`);
  const chat = await startChat(t, {
    users: Object.fromEntries(many.map((name) => [name, {}])),
    channels: [
      { name: "general", subscribers: ["hamlet", "cordelia", "polonius", ...many] },
      { name: "other", subscribers: ["hamlet", "cordelia", "polonius"] },
    ],
  });
  const { ids } = chat;
  const [hamlet, iago] = [await chat.register("hamlet"), await chat.register("iago")];
  const leavers = ["hamlet", "cordelia", "polonius"].map((name) => ids[name] as number);
  await leave(chat, "iago", ["general", "other"], leavers);
  const peers = (await iago.events()).filter(({ op }) => op === "peer_remove");
  assert.deepEqual(
    peers.map(({ stream_ids, user_ids }) => [stream_ids, user_ids]),
    [[[ids.general, ids.other], leavers]],
  );
  const removals = (await hamlet.events()).filter(({ op }) => op === "peer_remove");
  assert.deepEqual(
    removals.map(({ user_ids }) => user_ids),
    [leavers.filter((id) => id !== ids.hamlet)],
  );
  // The crowd is larger than one slice.
  const crowd = many.map((name) => ids[name] as number);
  const answer = await leave(chat, "iago", ["general", "other"], [...crowd, ...leavers]);
  assert.deepEqual([answer.removed, answer.not_removed.sort()], [["general"], ["general", "other"]]);
  const left = (await hamlet.events()).filter(({ op }) => op === "peer_remove").flatMap(({ user_ids }) => user_ids);
  assert.deepEqual(left, crowd);
});

test("administrators, bot owners and permitted groups unsubscribe others", async (t) => {
  const chat = await startChat(t, {
    users: { ophelia: {}, laertes: {} },
    channels: [
      { name: "general", subscribers: ["hamlet", "othello", "bot", "polonius"] },
      { name: "design", private: true, subscribers: ["hamlet", "othello", "ophelia", "bot"] },
      { name: "secret", private: true, subscribers: ["othello", "bot"] },
    ],
  });
  const { ids } = chat;
  const refused = async (who: string, channel: string, whom: string) => {
    const answer = await leave(chat, who, [channel], [ids[whom]]);
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"], `${who}, ${channel}, ${whom}`);
  };
  const hidden = async (who: string, channel: string, whom: string) => {
    const answer = await leave(chat, who, [channel], [ids[whom]]);
    const absent = await leave(chat, who, ["nowhere"], [ids[whom]]);
    assert.deepEqual([answer.status, answer.code, answer.stream], [400, "STREAM_DOES_NOT_EXIST", channel]);
    assert.equal(answer.msg, absent.msg.replace("nowhere", channel));
  };
  const removed = async (who: string, channel: string, whom: string) =>
    assert.deepEqual((await leave(chat, who, [channel], [ids[whom]])).removed, [channel], `${who} ${channel} ${whom}`);
  for (const who of ["hamlet", "cordelia"]) await refused(who, "general", "othello");
  await refused("hamlet", "design", "othello");
  for (const who of ["polonius", "cordelia", "hamlet"]) await hidden(who, "secret", "othello");
  await refused("polonius", "general", "othello");
  // Bot owners can, if they can see the channel.
  await removed("hamlet", "general", "bot");
  await refused("othello", "design", "bot");
  await hidden("hamlet", "secret", "bot");
  // A bot may unsubscribe itself, but does not act for its owner.
  await refused("bot", "design", "hamlet");
  await removed("bot", "design", "bot");

  const groups = { direct_members: [ids.cordelia, ids.laertes], direct_subgroups: [] };
  const set = async (name: string, value: object) => {
    for (const channel of ["general", "design"]) {
      const answer = await chat.as("desdemona").patch(`/streams/${ids[channel]}`, { [name]: { new: value } });
      assert.equal(answer.result, "success", answer.msg);
    }
  };
  await set("can_remove_subscribers_group", groups);
  await removed("cordelia", "general", "othello");
  await hidden("cordelia", "design", "othello");
  await refused("hamlet", "design", "othello");
  // An administrator can, even without content access.
  await removed("iago", "design", "othello");
  await set("can_administer_channel_group", groups);
  await removed("laertes", "design", "ophelia");
  await removed("desdemona", "general", "polonius");
  assert.deepEqual(
    audit(chat).map(({ actor_id, before }) => [actor_id, before]),
    [
      [ids.cordelia, JSON.stringify([ids.othello])],
      [ids.iago, JSON.stringify([ids.othello])],
      [ids.laertes, JSON.stringify([ids.ophelia])],
      [ids.desdemona, JSON.stringify([ids.polonius])],
    ],
  );
});

test("an invalid removal changes nothing", async (t) => {
  const chat = await startChat(t, {
    users: { ophelia: {} },
    prepare: (tx, ids) => tx.run("UPDATE users SET is_active = 0 WHERE id = ?", ids.ophelia as number),
    channels: [
      { name: "general", subscribers: ["hamlet", "othello"] },
      { name: "lobby", subscribers: ["hamlet"] },
    ],
  });
  const refused = async (params: object, code = "BAD_REQUEST") => {
    const answer = await chat.as("iago").delete(PATH, params as Record<string, unknown>);
    assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(params));
    return answer;
  };
  await refused({}, "REQUEST_VARIABLE_MISSING");
  await refused({ subscriptions: "general" });
  await refused({ subscriptions: [1] });
  const missing = await refused({ subscriptions: ["lobby", "nowhere"] }, "STREAM_DOES_NOT_EXIST");
  assert.equal(missing.stream, "nowhere");
  const strangers = [chat.ids.ophelia, 999_999, -1, "nobody@example.com", "ophelia@example.com"];
  for (const who of strangers) {
    const { msg } = await refused({ subscriptions: ["general"], principals: [chat.ids.hamlet, who] });
    assert.ok(msg.includes(String(who)), msg);
  }
  await refused({ subscriptions: ["general"], principals: [true] });
  const { state } = await chat.register("hamlet", { include_subscribers: "true" });
  assert.deepEqual(
    state.subscriptions?.map(({ subscribers }) => subscribers),
    [[chat.ids.hamlet, chat.ids.othello], [chat.ids.hamlet]],
  );
  const byEmail = await leave(chat, "iago", ["general"], ["othello@example.com", "hamlet@example.com"]);
  assert.deepEqual([byEmail.removed, byEmail.not_removed], [["general"], []]);
  assert.equal((await chat.anonymous("DELETE", PATH, { subscriptions: ["general"] })).status, 401);
});

test("the last subscriber leaving archives a private channel", async (t) => {
  const chat = await startChat(t, {
    channels: [{ name: "design", private: true, subscribers: ["hamlet", "othello"] }],
  });
  const [hamlet, iago, cordelia] = [
    await chat.register("hamlet"),
    await chat.register("iago"),
    await chat.register("cordelia"),
  ];
  await leave(chat, "hamlet", ["design"]);
  const gone = (await hamlet.events()).map(({ type, op }) => `${type}/${op}`);
  assert.deepEqual(gone.slice(-2), ["subscription/remove", "stream/delete"]);
  const { state } = await chat.register("hamlet");
  assert.deepEqual([state.subscriptions, state.unsubscribed, state.never_subscribed, state.streams], [[], [], [], []]);
  const again = await leave(chat, "hamlet", ["design"]);
  assert.deepEqual([again.code, again.stream], ["STREAM_DOES_NOT_EXIST", "design"]);
  assert.equal((await chat.as("iago").get("/streams", { include_all: true })).streams.length, 1);
  await leave(chat, "othello", ["design"]);
  assert.equal((await chat.as("iago").get("/streams", { include_all: true })).streams.length, 0);
  assert.ok((await iago.events()).some(({ type, op }) => type === "stream" && op === "delete"));
  assert.deepEqual(await cordelia.events(), []);
});

test("PATCH adds and removes subscriptions atomically", async (t) => {
  const chat = await startChat(t, {
    channels: [
      { name: "general", subscribers: ["hamlet", "polonius"] },
      { name: "lobby", subscribers: [] },
      { name: "design", private: true, subscribers: ["othello"] },
    ],
  });
  const patch = (who: string, params: object) => chat.as(who).patch(PATH, params as Record<string, unknown>);
  const refused = async (who: string, params: object, code = "BAD_REQUEST") => {
    const answer = await patch(who, params);
    assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(params));
  };
  await refused("hamlet", {});
  await refused("hamlet", { add: [], delete: [] });
  await refused("hamlet", { add: [{ name: "lobby", color: "red" }] });
  await refused("hamlet", { add: [{}] });
  await refused("hamlet", { delete: [1] });
  await refused("hamlet", { delete: ["general"], add: [{ name: "design" }] });
  await refused("hamlet", { delete: ["general", "nowhere"], add: [{ name: "lobby" }] }, "STREAM_DOES_NOT_EXIST");
  await refused("polonius", { delete: ["general"], add: [{ name: "lobby" }] });
  const names = async (who: string) => (await chat.register(who)).state.subscriptions?.map(({ name }) => name);
  assert.deepEqual([await names("hamlet"), await names("polonius")], [["general"], ["general"]]);
  const answer = await patch("hamlet", {
    delete: ["general", "lobby"],
    add: [{ name: "Lobby" }, { name: "new", color: "#abcdef", description: "ours" }],
  });
  const { subscribed, already_subscribed, removed, not_removed } = answer;
  assert.deepEqual(
    [subscribed, already_subscribed, removed, not_removed],
    [{ [String(chat.ids.hamlet)]: ["lobby", "new"] }, {}, ["general"], ["lobby"]],
  );
  const { state } = await chat.register("hamlet");
  assert.deepEqual(
    state.subscriptions?.map(({ name, description, color }) => [name, description, name === "new" && color]),
    [
      ["lobby", "", false],
      ["new", "ours", "#abcdef"],
    ],
  );
  const left = await patch("polonius", { delete: ["general"] });
  assert.deepEqual([left.removed, left.subscribed], [["general"], {}]);
});
