import assert from "node:assert/strict";
import test from "node:test";
import { clientCapabilities } from "../../server/presenters/client-capabilities.ts";
import { makeChannel, openToWeb } from "../support/channels.ts";
import { type Chat, type ChatOptions, startChat } from "../support/chat.ts";
import { REGISTER_CONTRACT } from "../support/register-contract.ts";

type Check = (value: unknown) => boolean;

const isInt: Check = Number.isSafeInteger;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isList = (value: unknown, item: Check) => Array.isArray(value) && value.every(item);
const SIMPLE: Record<string, Check> = {
  int: isInt,
  num: Number.isFinite,
  str: (value) => typeof value === "string",
  bool: (value) => typeof value === "boolean",
  null: (value) => value === null,
  object: isObject,
  map: isObject,
  groupSetting: (value) =>
    isInt(value) ||
    (isObject(value) && isList(value["direct_members"], isInt) && isList(value["direct_subgroups"], isInt)),
};

/** Splits at separators outside brackets. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [""];
  let depth = 0;
  for (const letter of text) {
    if ("({<".includes(letter)) depth += 1;
    if (")}>".includes(letter)) depth -= 1;
    if (letter === separator && depth === 0) parts.push("");
    else parts.push(`${parts.pop()}${letter}`);
  }
  return parts.map((part) => part.trim());
}

function checkOf(type: string): Check {
  const union = split(type, "|");
  if (union.length > 1) {
    const checks = union.map(checkOf);
    return (value) => checks.some((check) => check(value));
  }
  if (type.endsWith("[]")) {
    const item = checkOf(type.slice(0, -2));
    return (value) => isList(value, item);
  }
  const inside = type.slice(type.search(/[({<]/) + 1, -1);
  if (type.startsWith("(")) return checkOf(inside);
  if (type.startsWith("map<")) {
    const item = checkOf(inside);
    return (value) => isObject(value) && Object.values(value).every(item);
  }
  if (type.startsWith("{")) {
    const checks = split(inside, ",").map((field) => {
      const [name = "", of = ""] = split(field, ":");
      return { name: name.replace("?", ""), optional: name.endsWith("?"), check: checkOf(of) };
    });
    return (value) =>
      isObject(value) && checks.every(({ name, optional, check }) => (name in value ? check(value[name]) : optional));
  }
  if (/^(str|int)\(/.test(type)) {
    const values = inside.split("|");
    return (value) => typeof value === (type.startsWith("str") ? "string" : "number") && values.includes(String(value));
  }
  const check = SIMPLE[type];
  assert.ok(check, `there is no type ${type}`);
  return check;
}

interface Clause {
  /** The event types that together request the field. */
  names: string[];
  path: string;
  steps: string[];
  optional: boolean;
  type: string;
  check: Check;
}

const clauses: Clause[] = Object.entries(REGISTER_CONTRACT).flatMap(([fetch, text]) =>
  text
    .replaceAll(/\n {6}/g, " ")
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [, parents = "", fields = ""] = /^([^:]*): (.+)$/.exec(line.trim()) ?? [];
      return split(parents, ",").flatMap((parent) =>
        split(fields, ";").map((field) => {
          const [name = "", type = ""] = split(field, " ");
          const path = (parent === "" ? name : `${parent}.${name}`).replace("?", "");
          const steps = path.match(/\[\]|\{\}|[^.[\]{}]+/g) ?? [];
          return { names: fetch.split("+"), path, steps, optional: name.endsWith("?"), type, check: checkOf(type) };
        }),
      );
    }),
);

/** The values at a path; undefined for a missing one. */
function* valuesAt(value: unknown, [step, ...rest]: readonly string[]): Generator<unknown> {
  if (step === undefined) yield value;
  else if (step === "[]" || step === "{}")
    for (const item of Object.values((value ?? {}) as object)) yield* valuesAt(item, rest);
  else yield* valuesAt((value as Record<string, unknown> | undefined)?.[step], rest);
}

interface Asked {
  /** Without it, all names are requested. */
  name?: string;
  capabilities?: Record<string, boolean>;
  /** Whether the caller gets no such field. */
  leaves?: (path: string) => boolean;
}

/** The deviations of an answer from the listed fields, and the fields that it has no example of. */
function compared(state: Record<string, unknown>, { name, capabilities = {}, leaves = () => false }: Asked) {
  const wrong = new Set<string>();
  const unseen: string[] = [];
  const legacy = ["update_display_settings", "update_global_notifications"];
  const due = ({ names, path }: Clause) =>
    !leaves(path) &&
    !(capabilities["user_settings_object"] && legacy.includes(names[0] as string)) &&
    names.every((one) => name === undefined || one === "*always" || one === name);
  const fields = new Set(clauses.filter(due).map(({ steps }) => steps[0] as string));
  for (const clause of clauses.filter(due)) {
    const { path, optional, type, check } = clause;
    const values = [...valuesAt(state, clause.steps)];
    if (values.every((value) => value === undefined)) unseen.push(path);
    for (const value of values) {
      if (value === undefined && !optional) wrong.add(`${path} is missing`);
      if (value !== undefined && !check(value)) wrong.add(`${path}: ${JSON.stringify(value)} is not ${type}`);
    }
  }
  for (const { steps } of clauses) {
    const field = steps[0] as string;
    if (steps.length === 1 && field in state && !fields.has(field)) wrong.add(`${field} was not asked for`);
  }
  return { wrong: [...wrong], unseen };
}

const NAMES = ["desdemona", "hamlet", "polonius", "bot"];
const CAPABILITIES = Object.keys(clientCapabilities);
const CLIENTS: Record<string, boolean>[] = [
  {},
  ...CAPABILITIES.map((name) => ({ [name]: true })),
  Object.fromEntries(CAPABILITIES.map((name) => [name, true])),
];

/** A chat with an example of everything that people can have. */
async function startFurnished(t: test.TestContext, options: ChatOptions = {}): Promise<Chat> {
  const chat = await startChat(t, { prepare: openToWeb, unwatched: true, ...options });
  const done = async (answer: Promise<Record<string, any>>) => {
    const { result, msg, ...fields } = await answer;
    assert.equal(result, "success", msg);
    return fields;
  };
  const owner = chat.as("desdemona");
  const { channel_folder_id } = await done(owner.post("/channel_folders/create", { name: "Acts", description: "" }));
  const all = { subscribers: [...NAMES, "othello", "iago"] };
  const somebody = { direct_members: [chat.ids["hamlet"]], direct_subgroups: [] };
  const square = await makeChannel(chat, "square", { is_web_public: true, folder_id: channel_folder_id, ...all });
  await makeChannel(chat, "stage", { is_default_stream: true, message_retention_days: 30, ...all });
  await makeChannel(chat, "cellar", { invite_only: true, history_public_to_subscribers: false, ...all });
  await makeChannel(chat, "left", { is_web_public: true, ...all });
  await makeChannel(chat, "never", { subscribers: ["iago"], is_web_public: true, can_send_message_group: somebody });
  const ruin = await makeChannel(chat, "ruin", all);
  const troupe = { group_name: "troupe", description: "", stream_names: ["square"] };
  await done(owner.post("/default_stream_groups/create", troupe));
  const message = { type: "channel", to: "square", topic: "acts" };
  const { id } = await done(chat.as("othello").post("/messages", { ...message, content: "@**Hamlet** is here" }));
  const later = { scheduled_delivery_timestamp: Math.floor(chat.server.app.now() / 1000) + 86_400 };
  for (const name of NAMES) {
    const who = chat.as(name);
    await done(who.delete("/users/me/subscriptions", { subscriptions: ["left"] }));
    for (const to of [[who.id], [who.id, chat.ids["cordelia"]]])
      await done(chat.as("othello").post("/messages", { type: "direct", to, content: "psst" }));
    await done(who.post("/messages/flags", { messages: [id], op: "add", flag: "starred" }));
    await done(who.post("/user_topics", { stream_id: square, topic: "acts", visibility_policy: 2 }));
    if (name === "bot") continue;
    await done(who.post("/reminders", { message_id: id, ...later }));
    await done(who.post("/scheduled_messages", { ...message, to: square, content: "later", ...later }));
    await done(who.post("/saved_snippets", { title: "Oath", content: "by heaven" }));
    await done(who.post("/drafts", { drafts: [{ type: "stream", to: [square], topic: "acts", content: "exit" }] }));
  }
  await done(owner.delete(`/streams/${ruin}`));
  return chat;
}

test("every client gets every field, correctly typed", async (t) => {
  const chat = await startFurnished(t);
  for (const name of NAMES) {
    for (const client_capabilities of CLIENTS) {
      const lists = Object.keys(client_capabilities).length === 0 ? ["true", "false", "partial"] : ["partial"];
      for (const include_subscribers of lists) {
        const state = await chat.as(name).post("/register", { client_capabilities, include_subscribers });
        const { wrong } = compared(state, { capabilities: client_capabilities });
        assert.deepEqual(wrong, [], `${name}, ${JSON.stringify(client_capabilities)}, ${include_subscribers}`);
      }
    }
  }
  const state = await chat.as("hamlet").post("/register", { include_subscribers: "true" });
  const { unseen } = compared(state, {});
  assert.deepEqual(
    unseen.filter((path) => /^(\w*subscri|stream|channel_folder|realm_default_stream|unread|user_topics)/.test(path)),
    ["subscriptions[]", "unsubscribed[]", "never_subscribed[]"].map((list) => `${list}.partial_subscribers`),
    "the example data covers every field",
  );
});

test("each fetch_event_types name returns exactly its own fields", async (t) => {
  const chat = await startFurnished(t);
  for (const name of new Set(clauses.flatMap(({ names }) => names))) {
    const state = await chat.as("hamlet").post("/register", { fetch_event_types: [name] });
    assert.deepEqual(compared(state, { name }).wrong, [], name);
  }
});

test("anonymous callers get all fields but personal ones", async (t) => {
  const chat = await startFurnished(t);
  const leaves = (path: string) =>
    /^(realm_users|cross_realm_bots)\[\]\.(date_joined|is_owner|is_admin|is_guest|bot_type|bot_owner_id|role|timezone)$/.test(
      path,
    );
  for (const client_capabilities of CLIENTS) {
    const state = await chat.anonymous("POST", "/register", { client_capabilities, include_subscribers: "partial" });
    const { wrong } = compared(state, { capabilities: client_capabilities, leaves });
    assert.deepEqual(wrong, [], JSON.stringify(client_capabilities));
    assert.ok(state["subscriptions"].length > 0 && state["realm_users"].length > 0);
    for (const list of ["subscriptions", "streams"])
      for (const field of ["subscribers", "partial_subscribers"]) assert.ok(!(field in state[list][0]), field);
    for (const person of state["realm_users"]) assert.equal(person.date_joined, undefined);
  }
});
