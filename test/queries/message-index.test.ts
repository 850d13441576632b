import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import test, { type TestContext } from "node:test";
import { createChannel } from "../../server/api/actions/channels.ts";
import { deleteMessages } from "../../server/api/actions/message-deletions.ts";
import { markMessages } from "../../server/api/actions/message-flags.ts";
import { saveReadChunks, storeChunk } from "../../server/api/actions/message-index.ts";
import { sendMessage } from "../../server/api/actions/messages.ts";
import { subscribe } from "../../server/api/actions/subscriptions.ts";
import type { RegisterContext } from "../../server/api/presenters/register-part.ts";
import { readAhead } from "../../server/api/presenters/register-parts.ts";
import { notificationBot } from "../../server/api/queries/bots.ts";
import type { Channel } from "../../server/api/queries/channels.ts";
import { CHUNK, messageCounts, messageIndex } from "../../server/api/queries/message-index.ts";
import { ReadState } from "../../server/api/queries/read-state.ts";
import { type User, userById } from "../../server/api/queries/users.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";
import { openStore, type Store } from "../../server/storage/store.ts";
import type { Reader, Transaction } from "../../server/storage/transaction.ts";
import { PUBLIC_CHANNEL } from "../support/new-channel.ts";
import { type Organization, startOrganization, temporaryFolder } from "../support/organization.ts";
import { endBeforeRemoval } from "../support/server-process.ts";

const about = { actor: null, action: "test" };

const plain = { content: "a", rendered: renderMarkdown("a"), client: "test", readBySender: true };

interface Started extends Organization {
  folder: string;
  hamlet: User;
  othello: User;
}

/** Hamlet and Othello write to each other from the end of the first chunk into the second. */
async function start(t: TestContext): Promise<Started> {
  const folder = temporaryFolder(t);
  const organization = await startOrganization(t, { folder });
  const { store } = organization;
  const [hamlet, othello] = [organization.add("hamlet"), organization.add("othello")];
  store.transact(about, (tx) => {
    send(tx, hamlet, hamlet, 1);
    tx.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'messages'", CHUNK - 6);
    send(tx, hamlet, othello, 10);
  });
  return { ...organization, folder, hamlet, othello };
}

function send(tx: Transaction, from: User, to: User, count: number): void {
  for (let sent = 0; sent < count; sent += 1) sendMessage(tx, from, { ...plain, to: { userIds: [from.id, to.id] } });
}

/** Moves the message counter to the start of this chunk, as after years of messages. */
const years = (tx: Transaction, last: number) =>
  tx.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'messages'", last * CHUNK);

/** A public channel without subscribers. */
const newChannel = (store: Store, actor: User): Channel =>
  store.transact(about, (tx) =>
    createChannel(tx, actor, {
      name: "plans",
      ...PUBLIC_CHANNEL,
    }),
  );

/** The steps that read this user's unread messages ahead of /register. */
const readingAhead = (reader: Reader, viewer: User) =>
  readAhead({ reader, viewer, fetches: (name) => ["message", "update_message_flags"].includes(name) } as Pick<
    RegisterContext,
    "fetches"
  > as RegisterContext);

const storedChunks = (reader: Reader): number[] =>
  reader.all<{ chunk: number }>("SELECT chunk FROM message_chunks ORDER BY chunk").map(({ chunk }) => chunk);

function storeAll(store: Store): void {
  while (store.maintain(storeChunk));
}

async function reopened(t: TestContext, folder: string, store: Store): Promise<Store> {
  await store.close();
  const again = await openStore({ folder });
  endBeforeRemoval(t, () => again.close());
  return again;
}

function compare({ reader }: Store): void {
  const index = messageIndex(reader);
  const rows = reader.all<{ id: number; sender: number; sent: number; location: number; topic: number }>(
    `SELECT id, sender_id AS sender, coalesce(sent_channel_id, 0) AS sent, coalesce(channel_id, -recipient_id) AS location,
       coalesce(topic_id, 0) AS topic FROM messages`,
  );
  const entries = new Map(rows.map(({ id, ...entry }) => [id, entry]));
  for (let id = 1; id <= index.last(reader) + 1; id += 1)
    assert.deepEqual(index.entry(reader, id), entries.get(id), `message ${id}`);
  assert.equal(messageCounts(reader).messages, rows.length);
}

test("stores complete chunks and reads them after a restart", async (t) => {
  const { folder, store } = await start(t);
  assert.deepEqual(storedChunks(store.reader), []);
  storeAll(store);
  assert.deepEqual(storedChunks(store.reader), [0]);
  await store.checkpoint(); // no record contains them
  const again = await reopened(t, folder, store);
  again.maintain((work) => {
    const sql = "SELECT length(places) FROM message_chunks WHERE chunk = 0";
    assert.equal(work.value(sql), 16 * CHUNK);
  });
  compare(again);
  assert.equal(again.maintain(storeChunk), false);
});

test("deleting a message stores its chunk again", async (t) => {
  const { folder, hamlet, store } = await start(t);
  storeAll(store);
  store.transact(about, (tx) => deleteMessages(tx, hamlet, [CHUNK - 3]));
  assert.deepEqual(storedChunks(store.reader), []);
  compare(store);
  storeAll(store);
  assert.deepEqual(storedChunks(store.reader), [0]);
  compare(await reopened(t, folder, store));
});

test("a chunk without messages uses no space", async (t) => {
  const { folder, hamlet, store } = await start(t);
  store.transact(about, (tx) => deleteMessages(tx, hamlet, [1, ...[5, 4, 3, 2, 1].map((before) => CHUNK - before)]));
  storeAll(store);
  assert.equal(store.reader.value("SELECT length(places) FROM message_chunks WHERE chunk = 0"), 0);
  compare(await reopened(t, folder, store));
});

test("a rollback discards cached reads", async (t) => {
  const { folder, hamlet, store } = await start(t);
  const again = await reopened(t, folder, store);
  const undone = () =>
    again.transact(about, (tx) => {
      tx.run("UPDATE messages SET recipient_id = ? WHERE id = ?", 1, CHUNK - 3);
      assert.equal(messageIndex(tx).entry(tx, CHUNK - 3)?.location, -1);
      deleteMessages(tx, hamlet, [CHUNK - 2]);
      throw new Error("taken back");
    });
  assert.throws(undone, /taken back/);
  compare(again);
});

test("system messages count separately, deleted ones do not count", async (t) => {
  const { hamlet, othello, store } = await start(t);
  const bot = userById(store.reader, notificationBot(store.reader).id) as User;
  const before = messageCounts(store.reader);
  store.transact(about, (tx) => send(tx, bot, hamlet, 3));
  const undone = () =>
    store.transact(about, (tx) => {
      send(tx, bot, othello, 2);
      throw new Error("taken back");
    });
  assert.throws(undone, /taken back/);
  const after = messageCounts(store.reader);
  assert.deepEqual(after, { messages: before.messages + 3, notices: before.notices + 3 });
  const last = messageIndex(store.reader).last(store.reader);
  store.transact(about, (tx) => deleteMessages(tx, hamlet, [last, CHUNK - 1]));
  assert.deepEqual(messageCounts(store.reader), { messages: before.messages + 1, notices: before.notices + 2 });
});

test("remembers read chunks until a message becomes unread", async (t) => {
  const { folder, othello, store } = await start(t);
  const ids = Array.from({ length: 10 }, (_, at) => CHUNK - 5 + at);
  const unread = ({ reader }: Store) => new ReadState(reader, othello.id).unread({ remember: true }).reverse();
  const isRead = ({ reader }: Store) => new ReadState(reader, othello.id).isChunkRead(ids[0] as number);
  assert.deepEqual(unread(store), ids);
  assert.equal(isRead(store), false);
  store.transact(about, (tx) => markMessages(tx, othello, { ids, op: "add", flag: "read" }));
  assert.deepEqual(unread(store), []);
  store.transact(about, (tx) => saveReadChunks(tx, 1));
  const second = await reopened(t, folder, store);
  assert.equal(isRead(second), true);
  second.transact(about, (tx) => markMessages(tx, othello, { ids: [CHUNK - 2], op: "remove", flag: "read" }));
  assert.deepEqual(unread(second), [CHUNK - 2]);
  const third = await reopened(t, folder, second);
  assert.equal(isRead(third), false);
  assert.deepEqual(unread(third), [CHUNK - 2]);
});

test("a late joiner scans no old messages", async (t) => {
  const { hamlet, othello, store, add } = await start(t);
  const [cordelia, newcomer, another] = [add("cordelia"), add("newcomer"), add("another")];
  const channel = newChannel(store, hamlet);
  store.transact(about, (tx) => {
    years(tx, 2);
    subscribe(tx, { users: [hamlet, cordelia], channels: [channel] });
    sendMessage(tx, hamlet, { ...plain, to: { channel, topic: "plans" } });
    years(tx, 20);
    subscribe(tx, { users: [othello], channels: [channel] });
    send(tx, hamlet, hamlet, 1);
  });
  const { reader } = store;
  const walk = ({ id }: User) => {
    const state = new ReadState(reader, id);
    const { mock } = t.mock.method(state.index, "chunk");
    const unread = state.unread({ remember: true });
    mock.restore();
    return { unread, chunks: mock.calls.map(({ arguments: [, number] }) => number) };
  };
  assert.deepEqual(walk(newcomer), { unread: [], chunks: [20, 19, 18, 17] });
  assert.deepEqual(walk(newcomer).chunks, [20]); // the current chunk
  const [old] = walk(cordelia).unread;
  assert.equal(old, 2 * CHUNK + 1); // since her subscription
  assert.equal(walk(othello).unread.length, 10); // in a conversation
  store.transact(about, (tx) => {
    subscribe(tx, { users: [another], channels: [channel] });
    markMessages(tx, another, { ids: [old as number], op: "remove", flag: "read" });
  });
  assert.deepEqual(walk(another).unread, [old]); // marked as unread
});

test("reads a user's history ahead of /register, a few chunks at a time", async (t) => {
  const { hamlet, othello, store } = await start(t);
  store.transact(about, (tx) => {
    years(tx, 40);
    send(tx, hamlet, hamlet, 1);
  });
  const { reader } = store;
  const { mock } = t.mock.method(messageIndex(reader), "chunk");
  const visited = () => {
    const chunks = mock.calls.map(({ arguments: [, number] }) => number as number);
    mock.resetCalls();
    return chunks;
  };
  const steps = readingAhead(reader, othello);
  let [done, longest, all] = [false, 0, 0];
  while (!done) {
    done = steps.next().done === true;
    const { length } = visited();
    longest = Math.max(longest, length);
    all += length;
  }
  assert.equal(all, 41, "all of them");
  assert.ok(longest <= 16, `${longest} in one turn`);
  const { length } = new ReadState(reader, othello.id).unread({ remember: true });
  assert.equal(length, 10);
  assert.deepEqual(visited(), [40, 1, 0]); // the current chunk, and chunks with unread messages
});

test("messages that become unread during reading ahead are not missed", async (t) => {
  const { hamlet, othello, store } = await start(t);
  const channel = newChannel(store, hamlet);
  const old = store.transact(about, (tx) => {
    years(tx, 2);
    subscribe(tx, { users: [hamlet], channels: [channel] });
    const { id } = sendMessage(tx, hamlet, { ...plain, to: { channel, topic: "plans" } });
    years(tx, 40);
    send(tx, hamlet, hamlet, 1);
    return id;
  });
  const steps = readingAhead(store.reader, othello);
  steps.next();
  steps.next();
  store.transact(about, (tx) => {
    subscribe(tx, { users: [othello], channels: [channel] });
    markMessages(tx, othello, { ids: [old], op: "remove", flag: "read" });
  });
  while (!steps.next().done);
  assert.ok(new ReadState(store.reader, othello.id).unread({ remember: true }).includes(old));
});

test("a stored chunk is unused after a deletion found only in the log", async (t) => {
  const { folder, hamlet, store } = await start(t);
  storeAll(store);
  await store.checkpoint();
  store.transact(about, (tx) => deleteMessages(tx, hamlet, [CHUNK - 3]));
  await store.durable();
  const crashed = temporaryFolder(t);
  cpSync(folder, crashed, { recursive: true });
  const again = await openStore({ folder: crashed });
  endBeforeRemoval(t, () => again.close());
  assert.equal(again.report.replayed, 1);
  assert.deepEqual(storedChunks(again.reader), []);
  compare(again);
});
