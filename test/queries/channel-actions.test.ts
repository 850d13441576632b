import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { createChannel } from "../../server/api/actions/channels.ts";
import { deleteMessages } from "../../server/api/actions/message-deletions.ts";
import { moveMessages } from "../../server/api/actions/message-edits.ts";
import { markMessages } from "../../server/api/actions/message-flags.ts";
import { sendMessage } from "../../server/api/actions/messages.ts";
import { subscribe, unsubscribe } from "../../server/api/actions/subscriptions.ts";
import { unreadMessages } from "../../server/api/presenters/read-state.ts";
import { type Channel, channelById } from "../../server/api/queries/channels.ts";
import type { User } from "../../server/api/queries/users.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";
import { PUBLIC_CHANNEL } from "../support/new-channel.ts";
import { type Emitted, startOrganization } from "../support/organization.ts";

/** Two public channels and a private one: hamlet is in all, othello in the first, cordelia in none. */
async function start(t: TestContext) {
  const organization = await startOrganization(t);
  const { act, store, add, owner } = organization;
  const [hamlet, othello, cordelia] = [add("hamlet"), add("othello"), add("cordelia")];
  const create = (name: string, invite_only: boolean, users: User[]): Channel =>
    act((tx) => {
      const channel = createChannel(tx, hamlet, {
        name,
        ...PUBLIC_CHANNEL,
        invite_only,
      });
      subscribe(tx, { users, channels: [channel] });
      return channel;
    }).result;
  const [one, two, secret] = [
    create("one", false, [hamlet, othello]),
    create("two", false, [hamlet]),
    create("secret", true, [hamlet]),
  ];
  const now = (channel: Channel) => channelById(store.reader, channel.id) as Channel;
  const send = (channel: Channel, topic = "t") =>
    act((tx) =>
      sendMessage(tx, hamlet, {
        to: { channel: now(channel), topic },
        content: "x",
        rendered: renderMarkdown("x"),
        client: "test",
        readBySender: true,
      }),
    ).result.id;
  const unread = (user: User) =>
    unreadMessages(store.reader, user, true).streams.flatMap((group) => group.unread_message_ids);
  return { ...organization, owner, hamlet, othello, cordelia, one, two, secret, now, send, unread };
}

const names = (emitted: Emitted[]) => emitted.map(({ event }) => [event.type, event.op].filter(Boolean).join("/"));
const of = (emitted: Emitted[], type: string) => emitted.filter(({ event }) => event.type === type);

test("moving messages marks them as read for readers not subscribed to the new channel", async (t) => {
  const { act, owner, hamlet, othello, cordelia, one, two, now, send, unread } = await start(t);
  const [a, b] = [send(one, "lunch"), send(one, "lunch")];
  assert.deepEqual(unread(othello), [a, b]);
  const { emitted } = act((tx) =>
    moveMessages(tx, hamlet, { ids: [b, a], channel: now(two), topic: "plans", propagateMode: "change_all" }),
  );
  assert.deepEqual(unread(othello), []);
  assert.deepEqual(names(emitted).slice(0, 4), [
    "update_message_flags/add",
    "update_message",
    "stream/update",
    "stream/update",
  ]);
  assert.deepEqual([emitted[0]?.event["messages"], emitted[0]?.users], [[a, b], [othello.id]]);
  const update = emitted[1] as Emitted;
  // Everyone who may read a public channel gets the event with their own flags.
  assert.deepEqual(update.users, [owner.id, hamlet.id, othello.id, cordelia.id]);
  const flagsOf = (user: User) => update.differences.get(user.id)?.["flags"] ?? update.event["flags"];
  assert.deepEqual([othello, cordelia].map(flagsOf), [["read"], ["read", "historical"]]);
  const { edit_timestamp, flags: _flags, ...fields } = update.event;
  assert.equal(typeof edit_timestamp, "number");
  assert.deepEqual(fields, {
    type: "update_message",
    user_id: hamlet.id,
    rendering_only: false,
    message_id: a,
    message_ids: [a, b],
    stream_name: "one",
    stream_id: one.id,
    new_stream_id: two.id,
    propagate_mode: "change_all",
    orig_subject: "lunch",
    subject: "plans",
    topic_links: [],
  });
  assert.deepEqual([now(one).first_message_id, now(two).first_message_id], [null, a]);
  act((tx) => subscribe(tx, { users: [othello], channels: [now(two)] }));
  assert.deepEqual(unread(othello), []);
});

test("a move to a hidden channel deletes messages and flags", async (t) => {
  const { act, store, owner, hamlet, othello, cordelia, one, secret, now, send } = await start(t);
  const id = send(one);
  act((tx) => markMessages(tx, cordelia, { ids: [id], op: "add", flag: "starred" }));
  const { emitted } = act((tx) =>
    moveMessages(tx, hamlet, { ids: [id], channel: now(secret), propagateMode: "change_one" }),
  );
  const [gone] = of(emitted, "delete_message");
  assert.deepEqual(
    [gone?.event["message_ids"], gone?.event["stream_id"], gone?.users],
    [[id], one.id, [owner.id, othello.id, cordelia.id]],
  );
  assert.deepEqual(of(emitted, "update_message")[0]?.users, [hamlet.id]);
  assert.equal(store.reader.value("SELECT COUNT(*) FROM message_flags"), 0);
});

test("deleting notifies former readers and leaves nothing behind", async (t) => {
  const { act, store, owner, hamlet, othello, cordelia, one, now, send, unread } = await start(t);
  const [a, b] = [send(one), send(one)];
  act((tx) => markMessages(tx, othello, { ids: [a], op: "add", flag: "read" }));
  act((tx) => markMessages(tx, cordelia, { ids: [a], op: "add", flag: "starred" }));
  const { emitted } = act((tx) => deleteMessages(tx, hamlet, [a]));
  assert.deepEqual(names(emitted), ["delete_message", "stream/update"]);
  assert.deepEqual(emitted[0]?.event, {
    type: "delete_message",
    message_ids: [a],
    message_type: "stream",
    stream_id: one.id,
    topic: "t",
  });
  assert.deepEqual(emitted[0]?.users, [owner.id, hamlet.id, othello.id, cordelia.id]);
  assert.equal(now(one).first_message_id, b);
  assert.deepEqual(unread(othello), [b]);
  for (const table of ["message_flags", "read_differences"])
    assert.equal(store.reader.value(`SELECT COUNT(*) FROM ${table}`), 0);
});

test("unsubscribing marks read, notifies and hides a private channel", async (t) => {
  const { act, owner, hamlet, othello, secret, now, send, unread } = await start(t);
  act((tx) => subscribe(tx, { users: [othello], channels: [now(secret)] }));
  const id = send(secret);
  const { emitted, result } = act((tx) => unsubscribe(tx, null, { users: [othello], channels: [now(secret)] }));
  assert.deepEqual([...result.removed.keys()], [othello.id]);
  assert.deepEqual(names(emitted), [
    "update_message_flags/add",
    "subscription/remove",
    "subscription/peer_remove",
    "stream/delete",
  ]);
  assert.deepEqual(
    emitted.map(({ users }) => users),
    [[othello.id], [othello.id], [owner.id, hamlet.id], [othello.id]],
  );
  assert.deepEqual(emitted[0]?.event["messages"], [id]);
  assert.deepEqual(act((tx) => unsubscribe(tx, null, { users: [othello], channels: [now(secret)] })).emitted, []);
  act((tx) => subscribe(tx, { users: [othello], channels: [now(secret)] }));
  assert.deepEqual(unread(othello), []);
  const next = send(secret);
  assert.deepEqual(unread(othello), [next]);
});

test("a message event differs for its sender only", async (t) => {
  const { act, hamlet, othello, one, now } = await start(t);
  const { emitted } = act((tx) =>
    sendMessage(tx, hamlet, {
      to: { channel: now(one), topic: "t" },
      content: "x",
      rendered: renderMarkdown("x"),
      client: "test",
      readBySender: true,
    }),
  );
  const [message] = of(emitted, "message") as [Emitted];
  assert.deepEqual(message.users, [hamlet.id, othello.id]);
  assert.deepEqual([...message.differences], [[hamlet.id, { flags: ["read"] }]]);
  assert.deepEqual([message.event["flags"], message.event["raw_content"]], [[], "x"]);
});
