import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import fc from "fast-check";
import { type Chat, startChat } from "../support/chat.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";

const RUNS = IS_LONG_RUN ? 100 : 6;
const PEOPLE = ["hamlet", "othello", "polonius"];
const GUEST = 2;
const CHANNELS = ["stage", "cellar"];
const PRIVATE = 1;
const TYPES = ["message", "update_message_flags", "subscription"];
/** Small limits, so that queues often fall out of memory and responses are often truncated. */
const LIMITS = { events: 3, recentEvents: 6 };

interface Filter {
  types: string[];
  narrow: "topic" | "sender" | "dm" | undefined;
  allPublic: boolean;
}

const person = fc.nat(PEOPLE.length - 1);
const channel = fc.nat(CHANNELS.length - 1);
const topic = fc.constantFrom("a", "b");
const filter: fc.Arbitrary<Filter> = fc.record({
  types: fc.subarray(TYPES, { minLength: 1 }),
  narrow: fc.option(fc.constantFrom("topic", "sender", "dm"), { nil: undefined, freq: 1 }),
  allPublic: fc.boolean(),
});
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("send"), who: person, channel, topic }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("write"), who: person, to: person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("subscribe"), who: person, channel }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("flag"),
      who: person,
      message: fc.nat(),
      flag: fc.constantFrom("read", "starred"),
      op: fc.constantFrom("add", "remove"),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("poll"),
      queue: fc.nat(),
      acknowledge: fc.constantFrom("all", "all", "first", "nothing", "what is old"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("register"), who: person, filter }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("give up"), queue: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart") }) },
) as fc.Arbitrary<Record<string, any> & { do: string }>;

/** The expected contents of a queue: a list that gets a copy of every event. */
interface Queue {
  id: string;
  who: number;
  filter: Filter;
  start: number;
  expected: string[];
  acknowledged: number;
  /** IDs of the received events, by their index in `expected`. */
  ids: number[];
}

interface Message {
  id: number;
  to: Set<number>;
  starred: Set<number>;
  read: Set<number>;
}

class Model {
  readonly chat: Chat;
  queues: Queue[] = [];
  readonly messages: Message[] = [];
  readonly subscribers = [new Set<number>([0, 1]), new Set<number>([0])];
  readonly eventOfMessage = new Map<number, number>();

  constructor(chat: Chat) {
    this.chat = chat;
  }

  deliver(type: string, key: string, wants: (queue: Queue) => boolean): void {
    for (const queue of this.queues) if (queue.filter.types.includes(type) && wants(queue)) queue.expected.push(key);
  }

  sent(id: number, from: number, to: Set<number>, target: { topic?: string; public: boolean }): void {
    this.messages.push({ id, to, starred: new Set(), read: new Set([from]) });
    this.deliver("message", `message ${id}`, ({ who, filter }) => {
      if (!to.has(who) && !(target.public && filter.allPublic && who !== GUEST)) return false;
      if (filter.narrow === "topic") return target.topic === "a";
      if (filter.narrow === "sender") return from === 0;
      return filter.narrow === undefined || target.topic === undefined;
    });
  }

  sees = (who: number, channel: number) =>
    (this.subscribers[channel] as Set<number>).has(who) || (channel !== PRIVATE && who !== GUEST);
}

/** The model's key for a received event. */
function keyOf(model: Model, event: any): string {
  if (event.type === "message") return `message ${event.message.id}`;
  if (event.type === "update_message_flags") return `${event.flag} ${event.op} ${event.messages}`;
  const { chat } = model;
  const [channelId] = event.stream_ids ?? event.subscriptions.map(({ stream_id }: { stream_id: number }) => stream_id);
  const name = CHANNELS.find((channel) => chat.ids[channel] === channelId);
  return event.op === "add" ? `add ${name}` : `${event.op} ${name} ${event.user_ids}`;
}

async function poll(model: Model, queue: Queue, acknowledge: string): Promise<number> {
  const received = queue.ids.length;
  let last_event_id: number | undefined;
  if (acknowledge === "all") queue.acknowledged = received;
  if (acknowledge === "first" && received > queue.acknowledged) queue.acknowledged += 1;
  if (acknowledge === "what is old") last_event_id = queue.start;
  else if (acknowledge !== "nothing") last_event_id = queue.ids[queue.acknowledged - 1] ?? queue.start;
  const { chat } = model;
  const params = { queue_id: queue.id, last_event_id, dont_block: true };
  const answer = await chat.as(PEOPLE[queue.who] as string).get("/events", params);
  assert.equal(answer.result, "success", answer.msg);
  const due = queue.expected.slice(queue.acknowledged, queue.acknowledged + LIMITS.events);
  assert.deepEqual(
    answer["events"].map((event: any) => keyOf(model, event)),
    due,
  );
  for (const [index, event] of answer["events"].entries()) {
    const position = queue.acknowledged + index;
    if (position < queue.ids.length) assert.equal(event.id, queue.ids[position], "an event keeps its id");
    else {
      assert.ok(event.id > (queue.ids.at(-1) ?? queue.start));
      queue.ids.push(event.id);
    }
    if (event.type !== "message") continue;
    const other = model.eventOfMessage.get(event.message.id) ?? event.id;
    assert.equal(event.id, other, "an event has one id in all queues");
    model.eventOfMessage.set(event.message.id, event.id);
  }
  return due.length;
}

async function perform(model: Model, command: Record<string, any>): Promise<void> {
  const { chat } = model;
  const caller = () => chat.as(PEOPLE[command["who"]] as string);
  const pick = <T>(list: T[], number: number): T | undefined => list[number % list.length];
  switch (command["do"]) {
    case "send": {
      const { who, channel, topic } = command as { who: number; channel: number; topic: string };
      const message = { type: "channel", to: CHANNELS[channel], topic, content: "x" };
      const subscribers = model.subscribers[channel] as Set<number>;
      const answer = await caller().post("/messages", message);
      assert.equal(answer.result === "success", model.sees(who, channel), answer.msg);
      if (answer.result === "success")
        model.sent(answer["id"], who, new Set(subscribers), { topic, public: channel !== PRIVATE });
      return;
    }
    case "write": {
      const { who, to } = command as { who: number; to: number };
      const to_ids = [chat.ids[PEOPLE[to] as string]];
      const answer = await caller().post("/messages", { type: "direct", to: to_ids, content: "x" });
      assert.equal(answer.result, "success", answer.msg);
      return model.sent(answer["id"], who, new Set([who, to]), { public: false });
    }
    case "subscribe": {
      const { who, channel } = command as { who: number; channel: number };
      const name = CHANNELS[channel] as string;
      const id = chat.ids[PEOPLE[who] as string];
      const answer = await chat.as("hamlet").post("/users/me/subscriptions", {
        subscriptions: [{ name }],
        principals: [id],
        send_new_subscription_messages: false,
      });
      assert.equal(answer.result, "success", answer.msg);
      const subscribers = model.subscribers[channel] as Set<number>;
      if (subscribers.has(who)) return;
      subscribers.add(who);
      model.deliver("subscription", `add ${name}`, (queue) => queue.who === who);
      model.deliver(
        "subscription",
        `peer_add ${name} ${id}`,
        (queue) => queue.who !== who && model.sees(queue.who, channel),
      );
      return;
    }
    case "flag": {
      const { who, flag, op } = command as { who: number; flag: "read" | "starred"; op: "add" | "remove" };
      const message = pick(
        model.messages.filter(({ to }) => to.has(who)),
        command["message"],
      );
      if (!message) return;
      const answer = await caller().post("/messages/flags", { messages: [message.id], op, flag });
      assert.equal(answer.result, "success", answer.msg);
      const holders = message[flag];
      if (holders.has(who) === (op === "add")) return;
      if (op === "add") holders.add(who);
      else holders.delete(who);
      return model.deliver("update_message_flags", `${flag} ${op} ${message.id}`, (queue) => queue.who === who);
    }
    case "poll": {
      const queue = pick(model.queues, command["queue"]);
      if (queue) await poll(model, queue, command["acknowledge"]);
      return;
    }
    case "register": {
      const { who, filter } = command as { who: number; filter: Filter };
      const narrow = {
        topic: [["topic", "a"]],
        sender: [["sender", "hamlet@example.com"]],
        dm: [["is", "dm"]],
        none: [],
      }[filter.narrow ?? "none"];
      const more = { narrow, all_public_streams: filter.allPublic, fetch_event_types: [] };
      const { queueId, state } = await chat.register(PEOPLE[who] as string, { event_types: filter.types, ...more });
      const start = state["last_event_id"] as number;
      model.queues.push({ id: queueId, who, filter, start, expected: [], acknowledged: 0, ids: [] });
      return;
    }
    case "give up": {
      const queue = pick(model.queues, command["queue"]);
      if (!queue) return;
      const answer = await chat.as(PEOPLE[queue.who] as string).delete("/events", { queue_id: queue.id });
      assert.equal(answer.result, "success", answer.msg);
      model.queues = model.queues.filter((other) => other !== queue);
      return;
    }
    case "restart":
      return chat.restart();
  }
}

test("every queue gets exactly its events, in order, once", async () => {
  const everything = { types: TYPES, narrow: undefined, allPublic: false };
  const commands = fc.array(step, { minLength: 20, maxLength: 70 });
  await fc.assert(
    fc.asyncProperty(fc.array(filter, { minLength: 1, maxLength: 3 }), commands, async (filters, steps) => {
      const ends: (() => Promise<void>)[] = [];
      const run = { after: (end: () => Promise<void>) => void ends.push(end) } as unknown as TestContext;
      try {
        const chat = await startChat(run, {
          unwatched: true,
          testing: { queueLimits: LIMITS },
          channels: [
            { name: "stage", subscribers: ["hamlet", "othello"] },
            { name: "cellar", private: true, subscribers: ["hamlet"] },
          ],
        });
        const model = new Model(chat);
        for (const [who, one] of [everything, everything, everything, ...filters].entries())
          await perform(model, { do: "register", who: who % PEOPLE.length, filter: one });
        for (const command of steps) await perform(model, command);
        for (const queue of model.queues) while ((await poll(model, queue, "all")) > 0);
        for (const queue of model.queues) assert.equal(queue.ids.length, queue.expected.length);
      } finally {
        for (const end of ends) await end();
      }
    }),
    { numRuns: RUNS, seed: 20_261_121 },
  );
});
