import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { type Client, Refusal } from "../../ui/api/client.ts";
import type { State } from "../../ui/api/state-shape.ts";
import { Feed } from "../../ui/chat/model/feed.ts";
import type { Message, Viewer } from "../../ui/chat/model/feed-state.ts";
import { OfflineCopier } from "../../ui/chat/model/offline-copier.ts";
import { type CopyStorage, type OfflineCopy, removeCopyOfOthers } from "../../ui/chat/model/offline-copy.ts";
import { Outbox, type Outgoing } from "../../ui/chat/model/outbox.ts";
import { BrowserMemory } from "../support/browser-memory.ts";
import { until } from "../support/patience.ts";

const SELF = 7;
const VIEWER: Viewer = { userId: SELF, isMuted: () => false, isFollowed: () => false };
const HOUR_MS = 3_600_000;
const UNREACHABLE = () => Promise.reject(new TypeError("fetch failed"));

const message = (id: number, subject: string): Message =>
  ({
    id,
    type: "stream",
    stream_id: 5,
    subject,
    sender_id: 3,
    content: `${id}`,
    display_recipient: "general",
    flags: [],
  }) as unknown as Message;

/** A browser with messages pending for an hour, and a server with some of the user's messages. */
function afterAnHour(t: TestContext, waiting: Partial<Outgoing>[], held: { id: number; content: string }[]) {
  const storage = new BrowserMemory();
  for (const [at, one] of waiting.entries()) {
    const full: Outgoing = {
      localId: `${at}`,
      queueId: "old queue",
      after: 100,
      to: { channelId: 5, topic: "lunch" },
      content: "",
      at: Date.now() - HOUR_MS + at,
      state: "waiting",
      ...one,
    };
    storage.setItem(`hearth-outbox-${SELF}-${at}`, JSON.stringify(full));
  }
  const sent: Record<string, unknown>[] = [];
  const asked: Record<string, unknown>[] = [];
  const client = {
    call: async (route: string, input: Record<string, unknown>) => {
      if (route === "POST /messages") {
        sent.push(input);
        held.push({ id: 200 + sent.length, content: String(input["content"]) });
        return { id: 200 + sent.length };
      }
      asked.push(input);
      return { messages: held.filter(({ id }) => id > Number(input["anchor"])) };
    },
  } as unknown as Client;
  const outbox = new Outbox({ client, storage, userId: SELF });
  outbox.follow({ queue_id: "new queue", max_message_id: 150 } as State);
  t.after(() => outbox.stop());
  const isDone = () => outbox.store.value.every(({ state }) => state === "sent") || undefined;
  return { outbox, storage, sent, asked, isDone: () => until(isDone, "an empty outbox") };
}

test("a message pending for an hour is sent once", async (t) => {
  const { sent, asked, isDone } = afterAnHour(
    t,
    [{ content: "arrived, unanswered " }, { content: "twice" }, { content: "twice" }, { to: { userIds: [9, 3] } }],
    [
      { id: 99, content: "twice" },
      { id: 120, content: "arrived, unanswered" },
    ],
  );
  await isDone();
  assert.deepEqual(
    sent.map(({ content, queue_id, local_id }) => [content, queue_id, local_id]),
    [
      ["twice", "new queue", "1"],
      ["twice", "new queue", "2"],
      ["", "new queue", "3"],
    ],
  );
  assert.deepEqual(asked[0]?.["narrow"], [
    { operator: "channel", operand: 5 },
    { operator: "topic", operand: "lunch" },
    { operator: "sender", operand: SELF },
  ]);
  const direct = asked.at(-1) as { narrow: unknown[] };
  assert.deepEqual(direct.narrow[0], { operator: "dm", operand: [3, 9] });
});

test("a message refused before an outage stays for the user to decide", async (t) => {
  const { outbox, sent, isDone } = afterAnHour(t, [{ content: "no", state: "failed" }, { content: "yes" }], []);
  await until(() => outbox.store.value.some(({ state }) => state === "sent") || undefined, "the other");
  assert.deepEqual(
    sent.map(({ content }) => content),
    ["yes"],
  );
  outbox.retry("0", "new queue");
  await isDone();
  assert.equal(sent.length, 2);
});

test("a conversation shows the cached copy until the server responds", async () => {
  const answers = [UNREACHABLE, async () => ({ messages: [message(1, "lunch")], found_newest: true })];
  const client = { call: () => (answers.shift() as () => Promise<unknown>)() } as unknown as Client;
  const stored = [message(1, "lunch"), message(2, "tea"), message(3, "lunch")];
  const feed = new Feed(client, { kind: "topic", channelId: 5, topic: "lunch" }, VIEWER, stored);
  const ids = () => feed.store.value.messages.map(({ id }) => id);
  await feed.open();
  assert.deepEqual([ids(), feed.store.value.isLoaded], [[1, 3], true]);
  assert.ok(feed.store.value.error instanceof TypeError);
  feed.retry();
  await until(() => (ids().length === 1 && feed.store.value.error === undefined) || undefined, "the server's answer");
  feed.retry();
  assert.equal(answers.length, 0);
});

test("does not show cached messages that the server refuses", async () => {
  const refuse = () => Promise.reject(new Refusal(400, { msg: "Invalid channel ID", code: "BAD_REQUEST" }));
  const client = { call: refuse } as unknown as Client;
  const feed = new Feed(client, { kind: "channel", channelId: 5 }, VIEWER, [message(1, "lunch")]);
  await feed.open();
  assert.deepEqual([feed.store.value.messages, feed.store.value.isLoaded], [[], false]);
});

function memory(copy?: OfflineCopy): CopyStorage & { copy: OfflineCopy | undefined; written: number } {
  return {
    copy,
    written: 0,
    async read() {
      return this.copy;
    },
    async write(next) {
      this.copy = next;
      this.written += 1;
    },
    async remove() {
      this.copy = undefined;
    },
  };
}

test("the cache holds the newest and open messages after changes", async (t) => {
  const client = {
    call: async (_route: string, { num_after }: { num_after: number }) => ({
      messages: num_after > 0 ? [message(8, "tea"), message(9, "tea")] : [message(7, "tea")],
      found_newest: true,
      found_oldest: num_after === 0,
    }),
  } as unknown as Client;
  const open = new Feed(client, { kind: "topic", channelId: 5, topic: "lunch" }, VIEWER);
  open.store.update((before) => ({ ...before, isLoaded: true, messages: [message(2, "lunch"), message(8, "tea")] }));
  const bot = { full_name: "Gull", api_key: "k", services: [{ base_url: "https://gulls.example", token: "t" }] };
  const source = { state: { max_message_id: 9, realm_bots: [bot] } as unknown as State, feeds: [open] };
  const storage = memory();
  const copier = new OfflineCopier({ client, viewer: VIEWER, storage, source, firstMs: 0, everyMs: HOUR_MS });
  t.after(() => copier.stop());
  await until(() => storage.copy, "a copy");
  assert.deepEqual(
    storage.copy?.messages.map(({ id }) => id),
    [2, 7, 8, 9],
  );
  const { realm_bots: _, ...others } = source.state;
  const { realm_bots: bots, ...copied } = storage.copy?.state ?? {};
  assert.deepEqual([storage.copy?.userId, copied], [SELF, others]);
  assert.deepEqual(bots, [{ full_name: "Gull", services: [{ base_url: "https://gulls.example" }] }], "without keys");
  await copier.copy();
  assert.equal(storage.written, 1);
  copier.apply({ id: 1, type: "delete_message", message_type: "stream", message_ids: [9], stream_id: 5, topic: "tea" });
  source.state = { ...source.state };
  await copier.copy();
  assert.deepEqual(
    storage.copy?.messages.map(({ id }) => id),
    [2, 7, 8],
  );
});

test("deletes the cache of other and signed-out users", async () => {
  const copy: OfflineCopy = { userId: SELF, state: {}, messages: [], at: 0 };
  for (const [userId, stays] of [
    [SELF, true],
    [8, false],
    [undefined, false],
  ] as const) {
    const storage = memory(copy);
    await removeCopyOfOthers(userId, storage);
    assert.equal(storage.copy !== undefined, stays, String(userId));
  }
});
