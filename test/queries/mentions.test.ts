import assert from "node:assert/strict";
import test from "node:test";
import { createChannel } from "../../server/api/actions/channels.ts";
import { sendMessage } from "../../server/api/actions/messages.ts";
import { renderMessage } from "../../server/api/actions/rendering.ts";
import { subscribe } from "../../server/api/actions/subscriptions.ts";
import { type Channel, channelById } from "../../server/api/queries/channels.ts";
import type { User } from "../../server/api/queries/users.ts";
import { PUBLIC_CHANNEL } from "../support/new-channel.ts";
import { startOrganization } from "../support/organization.ts";

test("a send's writes do not grow with its audience", async (t) => {
  const { store, act, owner, add } = await startOrganization(t);
  const people = [owner, ...Array.from({ length: 99 }, (_, n) => add(`person${n}`))];
  const channel = (name: string, users: User[]) => {
    const made = act((tx) => createChannel(tx, owner, { ...PUBLIC_CHANNEL, name })).result;
    act((tx) => subscribe(tx, { users, channels: [made] }));
    return channelById(store.reader, made.id) as Channel;
  };
  const [few, many] = [channel("few", people.slice(0, 3)), channel("many", people)];
  const statements = (target: Channel, content: string) => {
    const to = { channel: channelById(store.reader, target.id) as Channel, topic: "t" };
    const rendered = renderMessage(store.reader, owner, { to, content });
    const run: string[] = [];
    const { emitted } = act((tx) => {
      const counting = new Proxy(tx, {
        get: (target, name) =>
          name === "run"
            ? (...given: Parameters<typeof tx.run>) => {
                run.push(given[0]);
                return target.run(...given);
              }
            : Reflect.get(target, name),
      });
      return sendMessage(counting, owner, { to, content, rendered, client: "test", readBySender: true });
    });
    const event = emitted.find(({ event }) => event["type"] === "message");
    return { count: run.length, recipients: event?.users.length, differing: event?.differences.size };
  };
  for (const target of [few, many]) statements(target, "the topic's first message");
  assert.deepEqual(statements(few, "x"), { count: 1, recipients: 3, differing: 1 });
  assert.deepEqual(statements(many, "x"), { count: 1, recipients: 100, differing: 1 });
  assert.deepEqual(statements(many, "@**all**"), { count: 2, recipients: 100, differing: 1 });
  assert.equal(store.reader.value("SELECT COUNT(*) FROM message_flags"), 100);
});
