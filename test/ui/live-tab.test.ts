import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { type Client, createClient, Refusal } from "../../ui/api/client.ts";
import { LiveHub, type Port } from "../../ui/api/live-hub.ts";
import { LiveTab, type LiveTabOptions, type WorkerPort } from "../../ui/api/live-tab.ts";
import type { ServerState } from "../../ui/api/server-state.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";

const stage = { name: "stage", subscribers: ["hamlet", "othello"] };
const CHAT = ["message", "realm_user", "update_message_flags"];

function clientOf(chat: Chat, name: string) {
  const { email, key } = chat.as(name);
  return createClient({ baseUrl: chat.url, credentials: { email, apiKey: key } });
}

/** A shared worker without a browser. */
function startWorker(t: TestContext, chat: Chat, name = "hamlet") {
  const hub = new LiveHub({ client: clientOf(chat, name), wait: () => 5 });
  const ports: MessagePort[] = [];
  t.after(() => {
    for (const port of ports) port.close();
  });
  const openWorker = (): WorkerPort => {
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    hub.connect(port2 as unknown as Port);
    return port1 as unknown as WorkerPort;
  };
  return { hub, openWorker };
}

function openTab(t: TestContext, chat: Chat, more: Partial<LiveTabOptions> & Pick<LiveTabOptions, "openWorker">) {
  const tab = new LiveTab({ checkMs: 5, ...more });
  t.after(() => tab.close());
  const client = clientOf(chat, "hamlet");
  const follow = (types = CHAT, userId = chat.as("hamlet").id) => {
    const given = { states: 0, events: [] as string[], errors: [] as unknown[] };
    const live = tab.goLive({
      client,
      userId,
      register: { event_types: types, fetch_event_types: types },
      wait: () => 5,
      onState: (_state, events) => {
        given.states += 1;
        given.events.push(...events.map(({ type }) => type));
      },
      onError: (error) => void given.errors.push(error),
    });
    t.after(() => live.stop());
    const unread = () => live.state?.unread_msgs?.streams.flatMap((group) => group.unread_message_ids) ?? [];
    return {
      live,
      given,
      begins: () => until(() => live.state, "a state"),
      sees: (id: number) => until(() => unread().includes(id) || undefined, `message ${id}`),
    };
  };
  return { tab, follow };
}

const say = (chat: Chat) =>
  clientOf(chat, "othello").call("POST /messages", { type: "channel", to: "stage", topic: "plans", content: "x" });

test("tabs share one event queue, and each sees everything", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [stage] });
  const { hub, openWorker } = startWorker(t, chat);
  const tabs = Array.from({ length: 8 }, () => openTab(t, chat, { openWorker }).follow());
  for (const tab of tabs) await tab.begins();
  const { id } = await say(chat);
  for (const tab of tabs) await tab.sees(id);
  assert.deepEqual([hub.connections, chat.server.app.queues.count], [1, 1]);

  const late = openTab(t, chat, { openWorker }).follow();
  await late.sees(id);
  assert.equal(late.given.states, 1, "the state comes whole, with what happened before");
  assert.equal(chat.server.app.queues.count, 1);
  for (const tab of [...tabs, late]) tab.live.stop();
  await until(() => chat.server.app.queues.count === 0 || undefined, "the queue's end");
  assert.equal(hub.connections, 0);
});

test("tabs with other event types have their own queue", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const { hub, openWorker } = startWorker(t, chat);
  for (const types of [["realm"], CHAT, ["realm"], CHAT]) await openTab(t, chat, { openWorker }).follow(types).begins();
  assert.deepEqual([hub.connections, chat.server.app.queues.count], [2, 2]);
});

test("a closing tab ends its subscriptions", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const { hub, openWorker } = startWorker(t, chat);
  const { tab, follow } = openTab(t, chat, { openWorker });
  await follow().begins();
  await follow(["realm"]).begins();
  assert.equal(hub.connections, 2);
  tab.close();
  await until(() => hub.connections === 0 || undefined, "the end of both connections");
  await until(() => chat.server.app.queues.count === 0 || undefined, "the end of both queues");
});

test("polls the server state once for all tabs", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const { hub, openWorker } = startWorker(t, chat, "desdemona");
  const userId = chat.as("desdemona").id;
  const samples = [0, 0, 0].map(() => {
    const { tab } = openTab(t, chat, { openWorker });
    const seen: ServerState[] = [];
    const options = { client: clientOf(chat, "desdemona"), userId, wait: () => 5 };
    const feed = tab.followServerState({ ...options, onState: (state) => seen.push(state), onError: () => {} });
    t.after(() => feed.stop());
    return seen;
  });
  for (const seen of samples) await until(() => seen.length >= 2 || undefined, "two samples");
  assert.equal(hub.connections, 1);
  await until(() => chat.server.app.stateFeed.waiting === 1 || undefined, "a single held poll");
});

test("tabs learn of outages and recovery", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const { openWorker } = startWorker(t, chat);
  const tabs = [openTab(t, chat, { openWorker }).follow(), openTab(t, chat, { openWorker }).follow()];
  for (const tab of tabs) await tab.begins();
  await chat.server.close();
  for (const { given } of tabs)
    await until(() => given.errors.at(-1) instanceof TypeError || undefined, "an error without an answer");
  const late = openTab(t, chat, { openWorker }).follow();
  await until(() => late.given.errors.length > 0 || undefined, "the error, for who comes later");
  await chat.restart();
  for (const { given } of [...tabs, late])
    await until(() => given.errors.at(-1) === undefined || undefined, "the end of the outage");
  const { id } = await say(chat);
  for (const tab of [...tabs, late]) await tab.sees(id);
});

test("rejects a page of another user", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const { openWorker } = startWorker(t, chat);
  const { given, live } = openTab(t, chat, { openWorker }).follow(CHAT, chat.as("othello").id);
  const error = await until(() => given.errors[0], "a refusal");
  assert.ok(error instanceof Refusal && error.status === 401);
  assert.deepEqual([given.states, live.state], [0, undefined]);
  await until(() => chat.server.app.queues.count === 0 || undefined, "no queue that nobody reads");
});

test("without a worker each tab has its own connection", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [stage] });
  const none = () => {
    throw new ReferenceError("SharedWorker is not defined");
  };
  const broken = (onError: () => void): WorkerPort => {
    setImmediate(onError);
    return { postMessage() {}, onmessage: null };
  };
  const silent = (): WorkerPort => ({ postMessage() {}, onmessage: null });
  const tabs = [none, broken, silent].map((openWorker) => openTab(t, chat, { openWorker, startMs: 20 }));
  const follows = tabs.map(({ follow }) => follow());
  for (const one of follows) await one.begins();
  const { id } = await say(chat);
  for (const one of follows) await one.sees(id);
  assert.equal(chat.server.app.queues.count, 3);
  assert.ok(tabs.every(({ tab }) => tab.isMain.value));
  for (const { live } of follows) live.stop();
  await until(() => chat.server.app.queues.count === 0 || undefined, "the queues' end");
});

test("restarts a worker that the browser ended", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const { openWorker } = startWorker(t, chat);
  let opened = 0;
  let kill = () => {};
  const mortal = (): WorkerPort => {
    opened += 1;
    const port = openWorker();
    if (opened > 1) return port;
    let isDead = false;
    kill = () => {
      isDead = true;
      port.onmessage = null;
    };
    return {
      postMessage: (message) => isDead || port.postMessage(message),
      set onmessage(listener: WorkerPort["onmessage"]) {
        if (!isDead) port.onmessage = listener;
      },
    };
  };
  const one = openTab(t, chat, { openWorker: mortal, silenceMs: 20, startMs: 200 }).follow();
  await one.begins();
  kill();
  await until(() => opened === 2 || undefined, "another worker");
  const { id } = await say(chat);
  await one.sees(id);
});

test("the last used tab is the main tab", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const { openWorker } = startWorker(t, chat);
  const tabs = [0, 1, 2].map(() => openTab(t, chat, { openWorker }).tab);
  const mains = () => tabs.map(({ isMain }) => isMain.value);
  const becomes = (wanted: boolean[]) =>
    until(() => mains().join() === wanted.join() || undefined, `the main tab: ${wanted}`);
  await becomes([true, false, false]);
  tabs[2]?.focus();
  await becomes([false, false, true]);
  tabs[2]?.close();
  await until(() => tabs[1]?.isMain.value || undefined, "another main tab");
});

test("a tab that wakes or reconnects polls immediately", async (t) => {
  const window = Object.assign(new EventTarget(), { location: { protocol: "http:" } });
  const document = Object.assign(new EventTarget(), { visibilityState: "hidden", hasFocus: () => false });
  const asked: string[] = [];
  // A server that never responds, and no automatic retry.
  const client = {
    call: async (route: string) => {
      asked.push(route);
      throw new TypeError("fetch failed");
    },
  } as unknown as Client;
  const hub = new LiveHub({ client, wait: () => 3_600_000 });
  const ports: MessagePort[] = [];
  class SharedWorker {
    readonly port: MessagePort;
    constructor() {
      const { port1, port2 } = new MessageChannel();
      ports.push(port1, port2);
      hub.connect(port2 as unknown as Port);
      this.port = port1;
    }
  }
  const before = { window: globalThis.window, document: globalThis.document, SharedWorker: globalThis.SharedWorker };
  t.after(() => {
    for (const port of ports) port.close();
    Object.assign(globalThis, before);
  });
  for (const [how, worker] of Object.entries({ "by the worker": SharedWorker, alone: undefined })) {
    Object.assign(globalThis, { window, document, SharedWorker: worker });
    // Each page has one instance, so each variant needs a new module.
    const address = new URL(`../../ui/api/live-tab.ts?${how}`, import.meta.url).href;
    const { liveTab } = (await import(address)) as typeof import("../../ui/api/live-tab.ts");
    const errors: unknown[] = [];
    const options = {
      client,
      userId: 7,
      wait: () => 3_600_000,
      onState() {},
      onError: (error: unknown) => errors.push(error),
    };
    const live = liveTab().goLive(options);
    const failsAgain = (times: number, what: string) =>
      until(() => errors.length === times || undefined, `${how}: ${what}`);
    await failsAgain(1, "the first attempt");
    document.visibilityState = "hidden";
    document.dispatchEvent(new Event("visibilitychange"));
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate); // an attempt would be counted below
    document.visibilityState = "visible";
    document.dispatchEvent(new Event("visibilitychange"));
    await failsAgain(2, "an attempt when somebody looks");
    window.dispatchEvent(new Event("online"));
    await failsAgain(3, "an attempt when there is a network");
    assert.deepEqual(asked.splice(0), Array(3).fill("POST /register"), `${how}: none while nobody looks`);
    live.stop();
    window.dispatchEvent(new Event("pagehide"));
  }
});
