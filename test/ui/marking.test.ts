import assert from "node:assert/strict";
import test from "node:test";
import { type Client, Refusal } from "../../ui/api/client.ts";
import type { State } from "../../ui/api/state-shape.ts";
import { MAX_MARKED, Marking, unreadIds } from "../../ui/chat/model/reading.ts";

const SELF = 7;
const unread = {
  count: 5,
  mentions: [],
  old_unreads_missing: false,
  streams: [
    { stream_id: 5, topic: "Lunch", unread_message_ids: [1, 9] },
    { stream_id: 5, topic: "", unread_message_ids: [2] },
    { stream_id: 6, topic: "lunch", unread_message_ids: [3] },
  ],
  pms: [{ other_user_id: 8, unread_message_ids: [4] }],
  huddles: [{ user_ids_string: "7,8,9", unread_message_ids: [5, 6] }],
} as unknown as NonNullable<State["unread_msgs"]>;

test("marking as read covers unread messages in its scope", () => {
  const ids = (scope: Parameters<typeof unreadIds>[1]) => unreadIds(unread, scope, SELF);
  assert.deepEqual(ids({ kind: "everything" }), [9, 6, 5, 4, 3, 2, 1]);
  assert.deepEqual(ids({ kind: "directs" }), [6, 5, 4]);
  assert.deepEqual(ids({ kind: "direct", userIds: [8, 9] }), [6, 5]);
  assert.deepEqual(ids({ kind: "channel", channelId: 5 }), [9, 2, 1]);
  assert.deepEqual(ids({ kind: "topic", channelId: 5, topic: "lunch" }), [9, 1]);
});

/**
 * Marks the requested messages except those already read. Refuses a request with a deleted message, like the server.
 */
function server({ wasRead = [] as number[], deleted = [] as number[] } = {}) {
  const asked: number[] = [];
  const failures: Error[] = [];
  const call = async (_route: string, { messages }: { messages: number[] }) => {
    const failure = asked.length > 0 ? failures.shift() : undefined;
    if (failure) throw failure;
    asked.push(messages.length);
    if (messages.some((id) => deleted.includes(id))) throw new Refusal(400, { msg: "Invalid message(s)" });
    return { messages: messages.filter((id) => !wasRead.includes(id)) };
  };
  return { client: { call } as unknown as Client, asked, failures };
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test("an outage during marking keeps progress and continues", async () => {
  const { client, asked, failures } = server({ wasRead: [3] });
  const marking = new Marking(client, "add", upTo(2 * MAX_MARKED + 1));
  assert.ok(marking.isLong);
  failures.push(new TypeError("Failed to fetch"));
  const progress: number[] = [];
  await assert.rejects(
    marking.run(() => progress.push(marking.done)),
    TypeError,
  );
  assert.deepEqual([marking.done, marking.total, progress], [MAX_MARKED, 2 * MAX_MARKED + 1, [MAX_MARKED]]);
  await marking.run(() => progress.push(marking.done));
  assert.deepEqual(asked, [MAX_MARKED, MAX_MARKED, 1]);
  assert.equal(marking.done, marking.total);
  assert.deepEqual(
    marking.changed,
    upTo(2 * MAX_MARKED + 1).filter((id) => id !== 3),
    "what was read before is not taken back",
  );
});

test("a deleted message does not block marking others", async () => {
  const { client } = server({ deleted: [6] });
  const marking = new Marking(client, "remove", upTo(9));
  await marking.run(() => {});
  assert.deepEqual(marking.changed, [1, 2, 3, 4, 5, 7, 8, 9]);
});

test("marks messages older than the page knows", async () => {
  const { client } = server();
  const older = [[2, 1], []];
  const marking = new Marking(client, "add", [4, 3], async () => older.shift() ?? []);
  await marking.run(() => {});
  assert.deepEqual(marking.changed, [4, 3, 2, 1]);
});

test("does not retry a message that stays unread", async () => {
  const { client, asked } = server({ deleted: [1] });
  const marking = new Marking(client, "add", [2], async () => {
    assert.ok(asked.length < 10, "it goes on without an end");
    return [2, 1];
  });
  await marking.run(() => {});
  assert.deepEqual(marking.changed, [2]);
});
