import assert from "node:assert/strict";
import { test } from "node:test";
import { clientCapabilities } from "../../server/api/presenters/client-capabilities.ts";
import { type Params, startChat } from "../support/chat.ts";
import { makeEverythingHappen, ok } from "../support/everything-happens.ts";
import { startFurnished } from "../support/furnished-chat.ts";
import {
  MOBILE_ANSWERS,
  MOBILE_CAPABILITIES,
  MOBILE_EVENTS,
  MOBILE_MESSAGE,
  MOBILE_PARAMETERS,
  MOBILE_REGISTER,
} from "../support/mobile-client.ts";
import { type Field, fieldsIn, valuesAt } from "../support/wire-types.ts";

// The mobile app cannot run here. It parses strictly: a missing field or a wrong type crashes it. So this checks
// responses against the app's declarations, even where other clients are lenient.

const CAPABILITIES = Object.keys(clientCapabilities);
/** The app's capabilities alone, with each other capability, and with all of them. */
const CLIENTS: Record<string, boolean>[] = [
  MOBILE_CAPABILITIES,
  ...CAPABILITIES.filter((name) => !(name in MOBILE_CAPABILITIES)).map((name) => ({
    ...MOBILE_CAPABILITIES,
    [name]: true,
  })),
  Object.fromEntries(CAPABILITIES.map((name) => [name, true])),
];

/** Fields that are missing or have another type. */
function wrongIn(answer: unknown, fields: readonly Field[]): string[] {
  const wrong = new Set<string>();
  for (const { path, steps, type, check } of fields) {
    for (const value of valuesAt(answer, steps)) {
      if (value === undefined) wrong.add(`${path} is missing`);
      else if (!check(value)) wrong.add(`${path}: ${JSON.stringify(value)} is not ${type}`);
    }
  }
  return [...wrong];
}

test("/register has every field that the app needs, correctly typed", async (t) => {
  const chat = await startFurnished(t);
  const fields = fieldsIn(MOBILE_REGISTER);
  await ok(chat.as("iago").post("/realm/profile_fields", { field_type: 1, name: "Part" }));
  await ok(chat.as("othello").post("/users/me/presence", { status: "active", ping_only: true, new_user_input: true }));
  await ok(chat.as("iago").delete(`/users/${chat.ids["cordelia"]}`));
  await ok(chat.as("hamlet").post(`/users/me/muted_users/${chat.ids["iago"]}`));
  const without = CAPABILITIES.map((name) => ({ ...MOBILE_CAPABILITIES, [name]: false }));
  const alone = CAPABILITIES.map((name) => ({ [name]: true }));
  for (const client_capabilities of [...CLIENTS, ...without, ...alone, {}]) {
    for (const name of ["hamlet", "polonius"]) {
      const state = await ok(chat.as(name).post("/register", { ...MOBILE_PARAMETERS, client_capabilities }));
      assert.deepEqual(wrongIn(state, fields), [], `${name} with ${JSON.stringify(client_capabilities)}`);
    }
  }
  const state = await ok(chat.as("hamlet").post("/register", MOBILE_PARAMETERS));
  const unseen = fields.filter(({ steps }) => [...valuesAt(state, steps)].length === 0).map(({ path }) => path);
  assert.deepEqual(
    unseen.filter((path) => !/^(realm_emoji|server_thumbnail_formats)/.test(path)),
    [],
    "there is an example of everything",
  );
  const data = (await (await fetch(state["server_emoji_data_url"])).json()) as Params;
  assert.deepEqual(wrongIn(data, fieldsIn(": code_to_names map<str[]>")), []);
});

test("messages have every field that the app needs, fetched and live", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "stage", subscribers: ["hamlet", "othello"] }] });
  const othello = chat.as("othello");
  const queues = await Promise.all(
    CLIENTS.map((client_capabilities) => chat.register("hamlet", { ...MOBILE_PARAMETERS, client_capabilities })),
  );
  const sent = [
    await ok(othello.post("/messages", { type: "channel", to: "stage", topic: "", content: "/poll Now?\nyes" })),
    await ok(othello.post("/messages", { type: "direct", to: [chat.ids["hamlet"]], content: "psst" })),
  ];
  for (const { id } of sent) await ok(chat.as("hamlet").post(`/messages/${id}/reactions`, { emoji_name: "tada" }));
  const check = (message: Params) =>
    assert.deepEqual(wrongIn(message, fieldsIn(MOBILE_MESSAGE[message["type"] as "stream"])), []);
  for (const queue of queues) {
    const events = (await queue.events()).filter(({ type }) => type === "message");
    assert.equal(events.length, 2);
    for (const { message } of events) check(message);
  }
  for (const apply_markdown of [true, false]) {
    const params = { anchor: "newest", num_before: 10, num_after: 0, apply_markdown, allow_empty_topic_name: true };
    const page = await ok(chat.as("hamlet").get("/messages", params));
    const around = "anchor num; found_newest bool; found_oldest bool; found_anchor bool; history_limited bool";
    assert.deepEqual(wrongIn(page, fieldsIn(`: ${around}; messages object[]\n messages[]: flags str[]`)), []);
    assert.deepEqual([...new Set(page["messages"].map(({ type }: Params) => type))].sort(), ["private", "stream"]);
    for (const message of page["messages"]) check(message);
    assert.ok(page["messages"].some(({ submessages }: { submessages: unknown[] }) => submessages.length > 0));
  }
});

test("the app can read all other responses", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "stage", subscribers: ["hamlet", "othello"] }] });
  const hamlet = chat.as("hamlet");
  const unchecked = new Set<string>(Object.keys(MOBILE_ANSWERS));
  const check = async (call: keyof typeof MOBILE_ANSWERS, answer: Promise<Params>): Promise<Params> => {
    const body = await ok(answer);
    assert.deepEqual(wrongIn(body, fieldsIn(MOBILE_ANSWERS[call])), [], call);
    unchecked.delete(call);
    return body;
  };
  await check("GET /server_settings", chat.anonymous("GET", "/server_settings"));
  const account = { username: "desdemona@example.com", password: "secret-desdemona" };
  await check("POST /fetch_api_key", chat.anonymous("POST", "/fetch_api_key", account));
  await check("GET /users/me", hamlet.get("/users/me"));
  const message = { type: "channel", to: "stage", topic: "acts", content: "hello" };
  const { id } = await check("POST /messages", hamlet.post("/messages", message));
  await check("GET /messages/{message_id}", hamlet.get(`/messages/${id}`, { allow_empty_topic_name: true }));
  const read = { op: "add", flag: "read" };
  await check("POST /messages/flags", chat.as("othello").post("/messages/flags", { messages: [id], ...read }));
  const narrow = { anchor: "oldest", num_before: 0, num_after: 10, narrow: [], ...read };
  await check("POST /messages/flags/narrow", hamlet.post("/messages/flags/narrow", narrow));
  await check("POST /messages/flags/narrow", hamlet.post("/messages/flags/narrow", { ...narrow, num_after: 0 }));
  await check("GET /messages/{message_id}/read_receipts", hamlet.get(`/messages/${id}/read_receipts`));
  await check("GET /users/me/{stream_id}/topics", hamlet.get(`/users/me/${chat.ids["stage"]}/topics`));
  await check("POST /saved_snippets", hamlet.post("/saved_snippets", { title: "Oath", content: "by heaven" }));
  assert.deepEqual([...unchecked], []);
});

test("every event has the fields that the app needs", async (t) => {
  const chat = await startChat(t, {
    unwatched: true,
    channels: [{ name: "stage", subscribers: ["hamlet", "othello"] }],
  });
  const queues = await Promise.all(
    CLIENTS.map((client_capabilities) => chat.register("hamlet", { ...MOBILE_PARAMETERS, client_capabilities })),
  );
  await makeEverythingHappen(chat);
  for (const [at, queue] of queues.entries()) {
    const seen = new Set<string>();
    const capabilities = CLIENTS[at] as Record<string, boolean>;
    for (const event of await queue.events()) {
      const { type, op } = event as unknown as { type: string; op?: string };
      const name = type in MOBILE_EVENTS ? type : `${type}/${op}`;
      const fields = MOBILE_EVENTS[name];
      // The app does not request the other forms of these.
      if (!fields || (type === "presence" && capabilities["simplified_presence_events"])) continue;
      seen.add(name);
      assert.deepEqual(wrongIn(event, fieldsIn(`: id int; ${fields}`)), [], `${name}, ${JSON.stringify(capabilities)}`);
    }
    if (at === 0)
      assert.deepEqual(
        Object.keys(MOBILE_EVENTS).filter((name) => !seen.has(name)),
        [],
      );
  }
});
