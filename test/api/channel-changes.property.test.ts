import assert from "node:assert/strict";
import test from "node:test";
import { groupIds, openToWeb } from "../support/channels.ts";
import { type Caller, startChat } from "../support/chat.ts";
import { seeded } from "../support/recording-files.ts";

const SEED = Number(process.env["SEED"] ?? 1);
const ROUNDS = Number(process.env["ROUNDS"] ?? 60);
const CHECKED_EVERY = 4;

for (const archivedChannels of [true, false]) {
  const clients = archivedChannels ? "know archived channels" : "do not";
  test(`clients that ${clients} stay in sync`, async (t) => {
    const random = seeded(SEED + (archivedChannels ? 0 : 1000));
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const chat = await startChat(t, { watchAll: true, archivedChannels, prepare: openToWeb });
    const people = ["desdemona", "iago", "hamlet", "othello", "cordelia", "polonius", "bot"];
    const id = await groupIds(chat);
    const channels: number[] = [];
    let made = 0;
    const named = (channel: number) =>
      chat.server.app.store.reader.value<string>("SELECT name FROM channels WHERE id = ?", channel) as string;
    const someGroup = () =>
      pick<unknown>([
        id("role:nobody"),
        id("role:members"),
        id("role:administrators"),
        { direct_members: [chat.ids[pick(people)]], direct_subgroups: [] },
        { direct_members: [chat.ids["cordelia"]], direct_subgroups: [id("role:moderators")] },
      ]);
    const setting = () =>
      pick([
        "can_subscribe_group",
        "can_add_subscribers_group",
        "can_administer_channel_group",
        "can_send_message_group",
      ]);
    const acts: Record<string, (who: Caller) => Promise<unknown>> = {
      async create(who) {
        made += 1;
        const answer = await who.post("/users/me/subscriptions", {
          subscriptions: [{ name: `channel ${made}` }],
          principals: [...new Set([who.id, chat.ids[pick(people)]])],
          ...pick<object>([{}, { invite_only: true }, { invite_only: true, history_public_to_subscribers: false }]),
          [setting()]: someGroup(),
        });
        if (answer.result !== "success") return;
        channels.push((await who.get("/get_stream_id", { stream: `channel ${made}` }))["stream_id"]);
      },
      post: (who) =>
        who.post("/messages", { type: "channel", to: pick(channels), topic: pick(["a", "b"]), content: "x" }),
      rename: (who) => who.patch(`/streams/${pick(channels)}`, { new_name: `other ${Math.floor(random() * 1000)}` }),
      describe: (who) => who.patch(`/streams/${pick(channels)}`, { description: pick(["", "*x*"]) }),
      hide: (who) => who.patch(`/streams/${pick(channels)}`, { is_private: true }),
      show: (who) => who.patch(`/streams/${pick(channels)}`, { is_private: false }),
      open: (who) => who.patch(`/streams/${pick(channels)}`, { is_private: false, is_web_public: true }),
      protect: (who) =>
        who.patch(`/streams/${pick(channels)}`, {
          is_private: true,
          history_public_to_subscribers: pick([true, false]),
        }),
      group: (who) => who.patch(`/streams/${pick(channels)}`, { [setting()]: { new: someGroup() } }),
      both: (who) =>
        who.patch(`/streams/${pick(channels)}`, {
          is_private: pick([true, false]),
          is_archived: false,
          description: "both",
          [setting()]: { new: someGroup() },
        }),
      archive: (who) => who.delete(`/streams/${pick(channels)}`),
      unarchive: (who) => who.patch(`/streams/${pick(channels)}`, { is_archived: false }),
      default: (who) => who.patch(`/streams/${pick(channels)}`, { is_default_stream: pick([true, false]) }),
      subscribe: (who) =>
        who.post("/users/me/subscriptions", {
          subscriptions: [{ name: named(pick(channels)) }],
          principals: [chat.ids[pick(people)]],
        }),
      leave: (who) =>
        who.delete("/users/me/subscriptions", {
          subscriptions: [named(pick(channels))],
          principals: [chat.ids[pick(people)]],
        }),
      mute: (who) =>
        who.post("/user_topics", { stream_id: pick(channels), topic: "a", visibility_policy: pick([0, 1]) }),
    };
    await acts["create"]?.(chat.as("hamlet"));
    const log: string[] = [];
    let done = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const [name, who] = [pick(Object.keys(acts)), pick([...people, "desdemona", "hamlet", "hamlet"])];
      const answer = (await acts[name]?.(chat.as(who))) as { status?: number } | undefined;
      if (answer?.status === 200) done += 1;
      assert.ok((answer?.status ?? 200) < 500, `${name} by ${who}`);
      log.push(`${who}: ${name} ${answer?.status ?? ""}`);
      if (round % CHECKED_EVERY !== 0) continue;
      try {
        await chat.checkEvents();
      } catch (error) {
        throw new Error(`seed ${SEED}, after ${log.slice(-2 * CHECKED_EVERY).join("; ")}`, { cause: error });
      }
    }
    assert.ok(done > ROUNDS / 10, "enough of the changes succeed");
  });
}
