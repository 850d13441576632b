import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

const channels = [
  { name: "general", subscribers: ["hamlet", "polonius"] },
  { name: "lobby", subscribers: ["othello"] },
  { name: "design", private: true, subscribers: ["hamlet"] },
];

test("everybody is shown the channels that they may know of, and only those", async (t) => {
  const chat = await startChat(t, { channels });
  const names = async (name: string, params: Record<string, unknown> = {}) => {
    const answer = await chat.as(name).get("/streams", params);
    return answer.result === "success"
      ? answer.streams.map((channel: { name: string }) => channel.name)
      : answer.status;
  };
  assert.deepEqual(await names("hamlet"), ["general", "lobby", "design"]);
  assert.deepEqual(await names("othello"), ["general", "lobby"]);
  assert.deepEqual(await names("polonius"), ["general"]);
  assert.deepEqual(await names("othello", { include_public: false }), ["lobby"]);
  assert.deepEqual(await names("othello", { include_subscribed: false }), ["general", "lobby"]);
  assert.deepEqual(
    await names("othello", { include_public: false, include_subscribed: false, include_can_access_content: true }),
    ["general", "lobby"],
  );
  assert.deepEqual(
    await names("othello", { include_public: false, include_subscribed: false, include_web_public: true }),
    [],
  );
  assert.deepEqual(await names("iago"), ["general", "lobby"]);
  for (const option of ["include_all", "include_all_active"]) {
    assert.deepEqual(await names("iago", { [option]: true }), ["general", "lobby", "design"]);
    assert.equal(await names("othello", { [option]: true }), 400);
  }
  assert.deepEqual(await names("bot", { include_public: false, include_owner_subscribed: true }), [
    "general",
    "design",
  ]);
  assert.equal(await names("hamlet", { include_owner_subscribed: true }), 400);
});

test("a channel has every field of the contract", async (t) => {
  const chat = await startChat(t);
  await chat
    .as("hamlet")
    .post("/users/me/subscriptions", { subscriptions: [{ name: "Design", description: "all\n*ours*" }] });
  await chat.as("hamlet").post("/messages", { type: "channel", to: "design", topic: "t", content: "x" });
  const { streams } = await chat.as("othello").get("/streams", { include_default: true });
  const [{ date_created, ...channel }] = streams;
  assert.ok(Math.abs(date_created - Date.now() / 1000) < 100);
  const group = (await chat.register("hamlet")).state.realm_user_groups as { id: number; name: string }[];
  const id = (name: string) => group.find((one) => one.name === name)?.id;
  assert.deepEqual(channel, {
    stream_id: 1,
    name: "Design",
    is_archived: false,
    description: "all *ours*",
    rendered_description: "<p>all <em>ours</em></p>",
    creator_id: chat.ids.hamlet,
    invite_only: false,
    is_web_public: false,
    stream_post_policy: 1,
    is_announcement_only: false,
    message_retention_days: null,
    history_public_to_subscribers: true,
    first_message_id: 1,
    is_recently_active: true,
    stream_weekly_traffic: null,
    folder_id: null,
    topics_policy: "inherit",
    subscriber_count: 1,
    is_default: false,
    can_add_subscribers_group: id("role:nobody"),
    can_administer_channel_group: { direct_members: [chat.ids.hamlet], direct_subgroups: [] },
    can_delete_any_message_group: id("role:nobody"),
    can_delete_own_message_group: id("role:nobody"),
    can_move_messages_out_of_channel_group: id("role:nobody"),
    can_move_messages_within_channel_group: id("role:nobody"),
    can_remove_subscribers_group: id("role:administrators"),
    can_resolve_topics_group: id("role:nobody"),
    can_send_message_group: id("role:everyone"),
    can_subscribe_group: id("role:nobody"),
  });
});

test("the first message of a channel changes its first_message_id for all who see it", async (t) => {
  const chat = await startChat(t, { channels });
  const [othello, guest] = [await chat.register("othello"), await chat.register("polonius")];
  const { id } = await chat.as("hamlet").post("/messages", { type: "channel", to: "lobby", topic: "t", content: "x" });
  const update = (await othello.events()).find(({ type }) => type === "stream");
  assert.deepEqual(
    [update?.op, update?.property, update?.value, update?.stream_id],
    ["update", "first_message_id", id, chat.ids.lobby],
  );
  assert.deepEqual(await guest.events(), []);
});
