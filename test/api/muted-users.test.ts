import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

const general = { name: "general", subscribers: ["hamlet", "othello", "iago", "polonius"] };
const without = ({ id: _, ...event }: Record<string, unknown>) => event;
const MUTED = "/users/me/muted_users";

test("a muted user's messages become read", async (t) => {
  const now = 1_800_000_000_500;
  const chat = await startChat(t, { channels: [general], now: () => now });
  const { othello, iago, bot } = chat.ids;
  const send = async (name: string, params: object) => {
    const answer = await chat.as(name).post("/messages", { content: "hm", ...params });
    assert.equal(answer.status, 200, answer.msg);
    return answer.id as number;
  };
  const to = { type: "channel", to: "general", topic: "t" };
  const direct = { type: "direct", to: [chat.ids["hamlet"]] };
  const before = [await send("othello", to), await send("othello", direct)];
  const others = await send("iago", to);
  const [own, outsider] = [await chat.register("hamlet"), await chat.register("othello")];
  assert.deepEqual(own.state.muted_users, []);
  for (const id of [othello, bot]) assert.equal((await chat.as("hamlet").post(`${MUTED}/${id}`)).status, 200);
  const both = [
    { id: othello, timestamp: 1_800_000_000 },
    { id: bot, timestamp: 1_800_000_000 },
  ].sort((a, b) => (a.id as number) - (b.id as number));
  assert.deepEqual((await chat.register("hamlet")).state.muted_users, both);
  assert.deepEqual((await own.events()).map(without), [
    { type: "muted_users", muted_users: [both.find(({ id }) => id === othello)] },
    { type: "update_message_flags", op: "add", operation: "add", flag: "read", messages: before, all: false },
    { type: "muted_users", muted_users: both },
  ]);
  // New messages of the muted user arrive as read, mentions too; those of others do not.
  await send("othello", { ...to, content: "@**Hamlet** look" });
  await send("othello", direct);
  const last = await send("iago", to);
  const came = (await own.events()).filter(({ type }) => type === "message");
  assert.deepEqual(
    came.map(({ flags }) => flags),
    [["read", "mentioned"], ["read"], []],
  );
  const { unread_msgs } = (await chat.register("hamlet")).state as Record<string, any>;
  assert.deepEqual(unread_msgs.streams[0].unread_message_ids, [others, last]);
  assert.deepEqual([unread_msgs.pms, unread_msgs.mentions], [[], []]);
  // The muted user gets no event.
  assert.ok((await outsider.events()).every(({ type }) => type === "message"));
  assert.equal((await chat.as("hamlet").delete(`${MUTED}/${othello}`)).status, 200);
  assert.deepEqual((await own.events()).map(without), [
    { type: "muted_users", muted_users: both.filter(({ id }) => id === bot) },
  ]);
  const heard = await send("othello", direct);
  assert.deepEqual(
    ((await chat.register("hamlet")).state as Record<string, any>).unread_msgs.pms[0].unread_message_ids,
    [heard],
  );
  await chat.restart();
  assert.deepEqual(
    (await chat.register("hamlet")).state.muted_users?.map(({ id }) => id),
    [bot],
  );
  assert.ok(iago);
});

test("read receipts omit muted users in both directions", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const { othello, iago, polonius, hamlet } = chat.ids;
  const { id } = await chat.as("iago").post("/messages", { type: "channel", to: "general", topic: "t", content: "hm" });
  for (const name of ["hamlet", "othello", "polonius"])
    await chat.as(name).post("/messages/flags", { messages: [id], op: "add", flag: "read" });
  const readers = async (name: string) => (await chat.as(name).get(`/messages/${id}/read_receipts`)).user_ids;
  const sorted = (...ids: (number | undefined)[]) => (ids as number[]).sort((a, b) => a - b);
  assert.deepEqual(await readers("iago"), sorted(hamlet, othello, polonius));
  await chat.as("iago").post(`${MUTED}/${othello}`);
  await chat.as("polonius").post(`${MUTED}/${iago}`);
  assert.deepEqual(await readers("iago"), sorted(hamlet));
  assert.deepEqual(await readers("hamlet"), sorted(hamlet, othello));
});

test("invalid, hidden and repeated mutes are rejected", async (t) => {
  const chat = await startChat(t, {
    unwatched: true,
    channels: [general],
    prepare: (tx) => {
      const members = tx.value<number>("SELECT id FROM user_groups WHERE name = 'role:members'") as number;
      tx.run(
        "INSERT INTO organization_settings (name, value) VALUES ('can_access_all_users_group', ?)",
        String(members),
      );
    },
  });
  const { hamlet, othello, cordelia } = chat.ids;
  const systemBot = (await chat.register("hamlet")).state["cross_realm_bots"][0]!.user_id;
  const person = chat.as("hamlet");
  const refusals: string[] = [];
  for (const id of [hamlet, 999_999, systemBot]) {
    const answer = await person.post(`${MUTED}/${id}`);
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"]);
    refusals.push(answer.msg);
  }
  assert.equal(refusals[1], refusals[2]);
  assert.equal((await person.post(`${MUTED}/${othello}`)).status, 200);
  assert.equal((await person.post(`${MUTED}/${othello}`)).status, 400);
  assert.equal((await person.delete(`${MUTED}/${cordelia}`)).status, 400);
  assert.equal((await person.delete(`${MUTED}/999999`)).status, 400);
  // The guest shares a channel with Othello but not with Cordelia, so she looks missing.
  const guest = chat.as("polonius");
  assert.equal((await guest.post(`${MUTED}/${othello}`)).status, 200);
  for (const call of [guest.post, guest.delete]) {
    const [hidden, absent] = [await call(`${MUTED}/${cordelia}`), await call(`${MUTED}/999999`)];
    assert.equal(hidden.status, 400);
    assert.deepEqual(hidden, absent);
  }
  assert.deepEqual(
    (await chat.register("hamlet")).state.muted_users?.map(({ id }) => id),
    [othello],
  );
});
