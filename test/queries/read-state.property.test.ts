import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { messageVisibility } from "../../server/api/access/messages.ts";
import { createChannel } from "../../server/api/actions/channels.ts";
import { deleteMessages } from "../../server/api/actions/message-deletions.ts";
import { moveMessages } from "../../server/api/actions/message-edits.ts";
import { markMessages } from "../../server/api/actions/message-flags.ts";
import { saveReadChunks, storeChunk } from "../../server/api/actions/message-index.ts";
import { sendMessage } from "../../server/api/actions/messages.ts";
import { subscribe, unsubscribe } from "../../server/api/actions/subscriptions.ts";
import { flagsForViewer, unreadMessages } from "../../server/api/presenters/read-state.ts";
import { type Channel, channelById } from "../../server/api/queries/channels.ts";
import { CHUNK, MessageIndex, messageIndex } from "../../server/api/queries/message-index.ts";
import type { User } from "../../server/api/queries/users.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";
import { fetchMessages } from "../../server/search/fetched-messages.ts";
import { narrowTerms } from "../../server/search/narrow-terms.ts";
import type { Reader } from "../../server/storage/transaction.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { PUBLIC_CHANNEL } from "../support/new-channel.ts";
import { type Organization, startOrganization } from "../support/organization.ts";
import { runSliced } from "../support/run-sliced.ts";

const RUNS = IS_LONG_RUN ? 300 : 40;

/** One row per recipient and message, like the reference server. */
interface Row {
  received: boolean;
  read: boolean;
  starred: boolean;
  historical: boolean;
}
interface Message {
  id: number;
  sender: number;
  /** Index of a channel; null for a direct message to `members`. */
  channel: number | null;
  members: number[];
  topic: string;
  /** The subscribers of each channel when the message was sent. */
  subscribed: Set<number>[];
}

class Model {
  readonly messages = new Map<number, Message>();
  readonly rows = new Map<string, Row>();
  readonly subscribers: Set<number>[] = [new Set(), new Set(), new Set()];
  readonly guest: number;
  constructor(guest: number) {
    this.guest = guest;
  }

  row = (user: number, message: number) => this.rows.get(`${user} ${message}`);
  add = (user: number, message: number, row: Row) => void this.rows.set(`${user} ${message}`, row);

  added(user: number, message: number, row: Row): Row {
    this.add(user, message, row);
    return row;
  }

  isHere(user: number, { channel, members }: Message): boolean {
    return channel === null ? members.includes(user) : (this.subscribers[channel] as Set<number>).has(user);
  }

  /** Channel 0 is public, 1 private, 2 private with protected history. */
  sees(user: number, message: Message): boolean {
    if (message.channel === 0) return user !== this.guest || this.isHere(user, message);
    if (!this.isHere(user, message)) return false;
    if (message.channel !== 2) return true;
    return this.row(user, message.id)?.received === true || (message.subscribed[2] as Set<number>).has(user);
  }

  send(
    id: number,
    sender: number,
    to: { channel: number; topic: string } | { members: number[] },
    readBySender: boolean,
  ) {
    const message: Message = {
      id,
      sender,
      channel: "channel" in to ? to.channel : null,
      members: "members" in to ? to.members : [],
      topic: "channel" in to ? to.topic.toLowerCase() : "",
      subscribed: this.subscribers.map((users) => new Set(users)),
    };
    this.messages.set(id, message);
    const recipients = "channel" in to ? (this.subscribers[to.channel] as Set<number>) : to.members;
    for (const user of recipients) {
      this.add(user, id, { received: true, read: user === sender && readBySender, starred: false, historical: false });
    }
  }

  move(message: Message, channel: number, topic: string, users: readonly number[]) {
    const stays = message.channel === channel;
    message.channel = channel;
    message.topic = topic.toLowerCase();
    if (stays) return;
    for (const user of users) {
      const row = this.row(user, message.id);
      if (!row) continue;
      if (!this.isHere(user, message) || !this.sees(user, message)) row.read = true;
      if (this.sees(user, message)) continue;
      row.starred = false;
      row.historical = false;
      if (!row.received) this.rows.delete(`${user} ${message.id}`);
    }
  }

  mark(user: number, message: Message, op: "add" | "remove", flag: "read" | "starred") {
    let row = this.row(user, message.id);
    const unseen: Row = { received: false, read: true, starred: false, historical: message.sender !== user };
    if (flag === "read" && op === "remove") {
      if (!this.isHere(user, message)) return;
      row ??= this.added(user, message.id, unseen);
      row.read = false;
    } else if (flag === "read") {
      if (row) row.read = true;
    } else if (op === "add") {
      row ??= this.added(user, message.id, unseen);
      row.starred = true;
    } else if (row) row.starred = false;
  }

  flags(user: number, message: Message): string[] {
    const row = this.row(user, message.id);
    const flags = [];
    if (row?.read !== false) flags.push("read");
    if (row?.starred) flags.push("starred");
    if (row ? row.historical : message.sender !== user) flags.push("historical");
    return flags;
  }

  matching(user: number, test: (message: Message) => boolean, ownHistory: boolean): number[] {
    return [...this.messages.values()]
      .filter((message) => this.sees(user, message) && test(message))
      .filter((message) => !ownHistory || message.sender === user || this.row(user, message.id) !== undefined)
      .map(({ id }) => id)
      .sort((a, b) => a - b);
  }
}

const TOPICS = ["lunch", "Lunch", "", "plans"];
const user = fc.nat({ max: 3 });
const channel = fc.nat({ max: 2 });
const topic = fc.constantFrom(...TOPICS);
/** Selects messages: one bit per index in the list. */
const which = fc.noBias(fc.nat({ max: 2 ** 16 - 1 }));
const op = fc.constantFrom("add" as const, "remove" as const);

const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("send" as const), user, channel, topic, quietly: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("direct" as const), user, others: fc.subarray([0, 1, 2, 3]) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("subscribe" as const), user, channel }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("unsubscribe" as const), user, channel }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("move" as const), which, channel, topic }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("rename" as const), which, topic }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("mark" as const),
      user,
      which,
      op,
      flag: fc.constantFrom("read" as const, "starred" as const),
    }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

/** A random history on its own channels. */
class History {
  readonly model: Model;
  readonly channels: Channel[];
  readonly organization: Organization;
  readonly users: User[];

  constructor(organization: Organization, users: User[]) {
    this.organization = organization;
    this.users = users;
    this.model = new Model((users[3] as User).id);
    this.channels = [{}, { invite_only: true }, { invite_only: true, history_public_to_subscribers: false }].map(
      (more, index) =>
        organization.act((tx) =>
          createChannel(tx, users[0] as User, {
            name: `channel ${index}`,
            ...PUBLIC_CHANNEL,
            ...more,
          }),
        ).result,
    );
  }

  get reader(): Reader {
    return this.organization.store.reader;
  }
  now = (index: number) => channelById(this.reader, (this.channels[index] as Channel).id) as Channel;
  chosen = (bits: number, test: (message: Message) => boolean) =>
    [...this.model.messages.values()].filter((message, at) => bits & (1 << (at % 16)) && test(message));

  run(step: Command): void {
    const { model } = this;
    const { act } = this.organization;
    const actor = this.users["user" in step ? step.user : 0] as User;
    if (step.do === "send" || step.do === "direct") {
      const readBySender = step.do === "direct" || !step.quietly;
      const members =
        step.do === "direct" ? [...new Set([actor.id, ...step.others.map((at) => (this.users[at] as User).id)])] : [];
      const to = step.do === "send" ? { channel: this.now(step.channel), topic: step.topic } : { userIds: members };
      const message = { to, content: "text", rendered: renderMarkdown("text"), client: "test", readBySender };
      const id = act((tx) => sendMessage(tx, actor, message)).result.id;
      model.send(
        id,
        actor.id,
        step.do === "send" ? { channel: step.channel, topic: step.topic } : { members },
        readBySender,
      );
    } else if (step.do === "subscribe") {
      act((tx) => subscribe(tx, { users: [actor], channels: [this.now(step.channel)] }));
      (model.subscribers[step.channel] as Set<number>).add(actor.id);
    } else if (step.do === "unsubscribe") {
      act((tx) => unsubscribe(tx, null, { users: [actor], channels: [this.now(step.channel)] }));
      (model.subscribers[step.channel] as Set<number>).delete(actor.id);
      for (const message of model.messages.values()) {
        const row = model.row(actor.id, message.id);
        if (row && message.channel === step.channel) row.read = true;
      }
    } else if (step.do === "move" || step.do === "rename") {
      const found = this.chosen(step.which, (message) => message.channel !== null);
      const target = step.do === "move" ? { channel: this.now(step.channel) } : {};
      const move = {
        ids: found.map(({ id }) => id),
        ...target,
        topic: step.topic,
        propagateMode: "change_all" as const,
      };
      act((tx) => moveMessages(tx, actor, move));
      const users = this.users.map(({ id }) => id);
      for (const message of found)
        model.move(message, step.do === "move" ? step.channel : (message.channel as number), step.topic, users);
    } else if (step.do === "delete") {
      const found = this.chosen(step.which, () => true);
      act((tx) =>
        deleteMessages(
          tx,
          actor,
          found.map(({ id }) => id),
        ),
      );
      for (const { id } of found) {
        model.messages.delete(id);
        for (const one of this.users) model.rows.delete(`${one.id} ${id}`);
      }
    } else {
      const found = this.chosen(step.which, (message) => model.sees(actor.id, message));
      act((tx) => markMessages(tx, actor, { ids: found.map(({ id }) => id), op: step.op, flag: step.flag }));
      for (const message of found) model.mark(actor.id, message, step.op, step.flag);
    }
  }

  compare(reader: Reader = this.reader): void {
    for (const viewer of this.users) this.#compareFor(reader, viewer);
    for (const [index, one] of this.channels.entries()) {
      const ids = [...this.model.messages.values()].filter((message) => message.channel === index).map(({ id }) => id);
      const first = ids.length > 0 ? Math.min(...ids) : null;
      assert.equal(channelById(reader, one.id)?.first_message_id, first, "first_message_id");
    }
  }

  #compareFor(reader: Reader, viewer: User): void {
    const { model } = this;
    const own = viewer.id;
    const fetched = (narrow: unknown[]) =>
      runSliced(
        fetchMessages(reader, viewer, {
          anchor: "newest",
          includeAnchor: true,
          before: 1000,
          after: 0,
          narrow: narrowTerms(narrow),
          applyMarkdown: true,
          allowEmptyTopic: true,
        }),
      ).messages;
    const ids = (narrow: unknown[]) => fetched(narrow).map(({ id }) => id);
    const all = model.matching(own, () => true, false);
    const unread = all.filter((id) => model.row(own, id)?.read === false);

    const state = unreadMessages(reader, viewer, true);
    const listed = [...state.pms, ...state.streams, ...state.huddles].flatMap((group) => group.unread_message_ids);
    assert.deepEqual(
      listed.sort((a, b) => a - b),
      unread,
      "unread_msgs",
    );
    assert.equal(state.count, unread.length);
    assert.deepEqual(ids([["is", "unread"]]), unread, "is:unread");

    const visibility = messageVisibility(reader, viewer);
    for (const message of model.messages.values()) {
      assert.equal(visibility.sees(message.id), model.sees(own, message), `${viewer.full_name} sees ${message.id}`);
      assert.equal(visibility.state.received(message.id), model.row(own, message.id)?.received === true, "received");
    }
    const flags = flagsForViewer(reader, visibility.state, all);
    for (const id of all)
      assert.deepEqual(flags.get(id), model.flags(own, model.messages.get(id) as Message), `flags of ${id}`);

    assert.deepEqual(
      ids([]),
      model.matching(own, () => true, true),
      "no narrow",
    );
    assert.deepEqual(
      ids([["is", "starred"]]),
      all.filter((id) => model.row(own, id)?.starred),
      "is:starred",
    );
    assert.deepEqual(
      ids([["is", "dm"]]),
      model.matching(own, (message) => message.channel === null, false),
      "is:dm",
    );
    const inTopic = (message: Message) => message.channel === 0 && message.topic === "lunch";
    if (own !== model.guest || (model.subscribers[0] as Set<number>).has(own)) {
      const channelId = (this.channels[0] as Channel).id;
      assert.deepEqual(
        ids([["channel", channelId]]),
        model.matching(own, (message) => message.channel === 0, false),
        "channel",
      );
      const narrow = [
        ["stream", "channel 0"],
        ["topic", "LUNCH"],
      ];
      assert.deepEqual(ids(narrow), model.matching(own, inTopic, false), "channel and topic");
      const negated = [["channel", channelId], { operator: "topic", operand: "lunch", negated: true }];
      const others = model.matching(own, (message) => message.channel === 0 && message.topic !== "lunch", false);
      assert.deepEqual(ids(negated), others, "channel and not topic");
    }
    assert.deepEqual(
      ids([["sender", own]]),
      model.matching(own, (message) => message.sender === own, true),
      "sender",
    );
    const firstUnread = runSliced(
      fetchMessages(reader, viewer, {
        anchor: "first_unread",
        includeAnchor: true,
        before: 0,
        after: 0,
        narrow: [],
        applyMarkdown: true,
        allowEmptyTopic: true,
      }),
    );
    assert.deepEqual(
      firstUnread.messages.map(({ id }) => id),
      unread.slice(0, 1),
      "first_unread",
    );
  }

  /** Removes everything before the next history. */
  clear(): void {
    this.organization.act((tx) => {
      deleteMessages(tx, this.users[0] as User, [...this.model.messages.keys()]);
      assert.equal(tx.value("SELECT COUNT(*) FROM read_differences"), 0);
      assert.equal(tx.value("SELECT COUNT(*) FROM message_flags"), 0);
      tx.run("DELETE FROM user_topics");
      tx.run("DELETE FROM subscriptions");
      tx.run("DELETE FROM subscription_periods");
      tx.run("DELETE FROM topics");
      tx.run("DELETE FROM channels");
    });
  }
}

/** Lets the next messages end one chunk of the message index and start another. */
function nearEndOfChunk({ store, act }: Organization): void {
  const end = Math.ceil((messageIndex(store.reader).last(store.reader) + 1) / CHUNK) * CHUNK;
  act((tx) => tx.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'messages'", end - 8));
}

test("read state and narrows match a row-per-recipient model", async (t) => {
  const organization = await startOrganization(t);
  const users = [
    organization.add("hamlet"),
    organization.add("othello"),
    organization.add("cordelia"),
    organization.add("polonius", { role: 600 }),
  ];
  let histories = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40, size: "max" }), async (commands) => {
      const history = new History(organization, users);
      try {
        if (histories++ % 50 === 0) nearEndOfChunk(organization);
        for (const step of commands) {
          history.run(step);
          if (step.do === "unsubscribe" || step.do === "move") {
            history.compare();
            organization.act((tx) => saveReadChunks(tx, users.length));
            while (organization.store.maintain(storeChunk));
          }
        }
        history.compare();
      } finally {
        history.clear();
        await organization.store.durable();
      }
    }),
    { seed: 412, numRuns: RUNS },
  );
});

test("a rebuilt index equals the live one", async (t) => {
  const organization = await startOrganization(t);
  const users = ["hamlet", "othello", "cordelia"].map((name) => organization.add(name));
  users.push(organization.add("polonius", { role: 600 }));
  const history = new History(organization, users);
  for (const step of fc.sample(command, { seed: 7, numRuns: 400 })) history.run(step);
  history.compare();
  const { reader } = organization.store;
  const [live, read] = [messageIndex(reader), new MessageIndex()];
  for (let id = 0; id <= live.last(reader) + 1; id += 1)
    assert.deepEqual(read.entry(reader, id), live.entry(reader, id));
  assert.equal(read.last(reader), live.last(reader));
});

test("a failed transaction leaves the index unchanged", async (t) => {
  const organization = await startOrganization(t);
  const hamlet = organization.add("hamlet");
  const { reader } = organization.store;
  const message = {
    to: { userIds: [hamlet.id] },
    content: "a",
    rendered: renderMarkdown("a"),
    client: "test",
    readBySender: false,
  };
  assert.throws(() =>
    organization.act((tx) => {
      sendMessage(tx, hamlet, message);
      throw new Error("taken back");
    }),
  );
  assert.equal(messageIndex(reader).entry(reader, 1), undefined);
  assert.equal(unreadMessages(reader, hamlet, true).count, 0);
  const id = organization.act((tx) => sendMessage(tx, hamlet, message)).result.id;
  assert.equal(id, 1);
  assert.deepEqual(unreadMessages(reader, hamlet, true).pms[0]?.unread_message_ids, [1]);
});
