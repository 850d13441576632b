import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { until } from "../support/patience.ts";
import { call, type DataFolder, dataFolder, type Person, type Serving, serve } from "../support/server-process.ts";

const SENDERS_PER_PERSON = 2;

/** A server that is repeatedly killed and restarted on one port. */
class Victim {
  readonly #t: TestContext;
  readonly #folder: DataFolder;
  #serving: Serving | undefined;
  /** Pending while no server runs. */
  #up: PromiseWithResolvers<void> = Promise.withResolvers();
  #over = false;
  url = "";
  /** Responses since the last start. */
  answered = 0;

  constructor(t: TestContext, folder: DataFolder) {
    this.#t = t;
    this.#folder = folder;
    t.after(() => {
      this.#over = true;
    });
  }

  async start(): Promise<void> {
    this.#serving = await serve(this.#t, this.#folder.path, this.url === "" ? 0 : Number(new URL(this.url).port));
    this.url = this.#serving.url;
    this.answered = 0;
    this.#up.resolve();
  }

  async kill(): Promise<void> {
    const { child, ended } = this.#serving as Serving;
    this.#up = Promise.withResolvers();
    child.kill("SIGKILL");
    await ended;
  }

  /** Repeats the call until there is a response, since a kill interrupts it. */
  async insist(person: Person, route: string, params: Record<string, unknown>): Promise<Record<string, any>> {
    for (;;) {
      await this.#up.promise;
      let answer: Record<string, any>;
      try {
        answer = await call(this.url, person, route, params);
      } catch (error) {
        if (this.#over) throw error;
        continue;
      }
      if (answer["status"] === 500) await until(() => this.#serving?.stderr || undefined, "the server's own words");
      const { stderr } = this.#serving as Serving;
      assert.equal(answer["result"], "success", `${route}: ${JSON.stringify(answer)}\n${stderr}`);
      this.answered += 1;
      return answer;
    }
  }
}

interface Queue {
  readonly person: Person;
  readonly id: string;
  last: number;
  readonly seen: { event: number; message: number; content: string; localId: string | undefined }[];
}

async function register(server: Victim, person: Person): Promise<Queue> {
  const options = { event_types: ["message"], fetch_event_types: [], apply_markdown: false };
  const { queue_id, last_event_id } = await server.insist(person, "POST /register", options);
  return { person, id: queue_id, last: last_event_id, seen: [] };
}

async function poll(server: Victim, queue: Queue): Promise<void> {
  const { events } = await server.insist(queue.person, "GET /events", {
    queue_id: queue.id,
    last_event_id: queue.last,
  });
  for (const event of events) {
    assert.ok(event.id > queue.last, `event ${event.id} after ${queue.last}`);
    queue.last = event.id;
    if (event.type !== "message") continue;
    const { id, content } = event.message;
    queue.seen.push({ event: event.id, message: id, content, localId: event.local_id });
  }
}

/**
 * Kills a server under load repeatedly. At the end every acknowledged message exists exactly once, and every queue has
 * received each once and in order.
 */
export async function killUnderLoad(t: TestContext, kills: number): Promise<void> {
  const folder = await dataFolder(t);
  const server = new Victim(t, folder);
  await server.start();
  const [owner] = folder.people as [Person];
  const subscription = { subscriptions: [{ name: "stage" }], principals: folder.people.map(({ id }) => id) };
  await server.insist(owner, "POST /users/me/subscriptions", subscription);
  const queues = await Promise.all(folder.people.map((person) => register(server, person)));
  const late = await register(server, owner); // polls only at the end

  let sending = true;
  const acknowledged = new Map<string, number>();
  const send = async (queue: Queue, name: string) => {
    for (let count = 0; sending; count += 1) {
      const content = `${name} says ${count}`;
      const message = { type: "channel", to: "stage", topic: `act ${count % 7}`, content };
      const origin = { queue_id: queue.id, local_id: `${name}.${count}` };
      const { id } = await server.insist(queue.person, "POST /messages", { ...message, ...origin });
      assert.equal(acknowledged.has(content), false);
      acknowledged.set(content, id);
    }
  };
  const senders = queues.flatMap((queue, index) =>
    Array.from({ length: SENDERS_PER_PERSON }, (_, number) => send(queue, `sender ${index}.${number}`)),
  );
  let listening = true;
  const listeners = queues.map(async (queue) => {
    while (listening) await poll(server, queue);
  });
  const load = Promise.all([...senders, ...listeners]);
  const failed = load.then(() => undefined);

  for (let kill = 0; kill < kills; kill += 1) {
    // Kills happen at different moments: after the first response, and after few or many.
    const answers = [0, 1, IS_LONG_RUN ? 500 : 150, 7, 120][kill % 5] as number;
    await Promise.race([failed, until(() => (server.answered >= answers ? true : undefined), "answers")]);
    await server.kill();
    await server.start();
  }
  sending = false;
  await Promise.race([failed, Promise.all(senders)]);
  const last = Math.max(...acknowledged.values());
  await Promise.race([
    failed,
    until(
      () => (queues.every(({ seen }) => seen.at(-1)?.message === last) ? true : undefined),
      "all queues to be done",
    ),
  ]);
  while (late.seen.at(-1)?.message !== last) await poll(server, late);
  listening = false;
  for (const { person, id } of queues) await server.insist(person, "DELETE /events", { queue_id: id });
  await load;

  const senderIds = new Set(folder.people.map(({ id }) => id)); // excludes the system message of the new channel
  const stored: { id: number; content: string }[] = [];
  for (let anchor: number | "oldest" = "oldest"; ; ) {
    const window = { anchor, include_anchor: false, num_before: 0, num_after: 1000, apply_markdown: false };
    const { messages, found_newest } = await server.insist(owner, "GET /messages", window);
    for (const { id, content, sender_id } of messages) if (senderIds.has(sender_id)) stored.push({ id, content });
    if (found_newest) break;
    anchor = messages.at(-1).id;
  }
  const expected = [...acknowledged].map(([content, id]) => ({ id, content })).sort((a, b) => a.id - b.id);
  assert.deepEqual(stored, expected, "every acknowledged message exactly once, and nothing else");
  for (const queue of [...queues, late]) {
    const seen = queue.seen.map(({ message, content }) => ({ id: message, content }));
    assert.deepEqual(seen, expected, `the queue of ${queue.person.id}`);
  }
  const events = (queue: Queue) => queue.seen.map(({ event }) => event);
  for (const queue of queues) assert.deepEqual(events(queue), events(late), "an event has one id in all queues");
  for (const [index, queue] of queues.entries()) {
    const own = queue.seen.filter(({ localId }) => localId !== undefined);
    assert.ok(own.every(({ content, localId }) => content.replace(" says ", ".") === localId));
    assert.equal(own.length, expected.filter(({ content }) => content.startsWith(`sender ${index}.`)).length);
  }
  t.diagnostic(`${expected.length} messages`);
  await server.kill();
}
