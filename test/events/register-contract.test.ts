import assert from "node:assert/strict";
import test from "node:test";
import { clientCapabilities } from "../../server/api/presenters/client-capabilities.ts";
import { FURNISHED, startFurnished } from "../support/furnished-chat.ts";
import { REGISTER_CONTRACT } from "../support/register-contract.ts";
import { REGISTER_DIFFERENCES } from "../support/wire-differences.ts";
import { type Field, faultsIn, fieldsIn, shapeOf, valuesAt } from "../support/wire-types.ts";

interface Clause extends Field {
  /** The event types that together request the field. */
  names: string[];
}

const clauses: Clause[] = Object.entries(REGISTER_CONTRACT).flatMap(([fetch, text]) =>
  fieldsIn(text).map((field) => ({ ...field, names: fetch.split("+") })),
);

const listed = shapeOf([...Object.values(REGISTER_CONTRACT), ...Object.values(REGISTER_DIFFERENCES)].flatMap(fieldsIn));

/** Fields that the public protocol does not list. */
const strangeIn = ({ status: _status, result: _result, msg: _msg, ...state }: Record<string, unknown>) => [
  ...new Set([...faultsIn(state, listed)].filter((fault) => fault.endsWith("is not listed"))),
];

interface Asked {
  /** All names are requested without it. */
  name?: string;
  capabilities?: Record<string, boolean>;
  /** Whether the caller gets no such field. */
  leaves?: (path: string) => boolean;
}

/** Deviations of a response from the listed fields, and fields without an example. */
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

const CAPABILITIES = Object.keys(clientCapabilities);
const CLIENTS: Record<string, boolean>[] = [
  {},
  ...CAPABILITIES.map((name) => ({ [name]: true })),
  Object.fromEntries(CAPABILITIES.map((name) => [name, true])),
];

test("every client gets every field, correctly typed", async (t) => {
  const chat = await startFurnished(t);
  for (const name of FURNISHED) {
    for (const client_capabilities of CLIENTS) {
      const lists = Object.keys(client_capabilities).length === 0 ? ["true", "false", "partial"] : ["partial"];
      for (const include_subscribers of lists) {
        const state = await chat.as(name).post("/register", { client_capabilities, include_subscribers });
        const { wrong } = compared(state, { capabilities: client_capabilities });
        assert.deepEqual(
          [...wrong, ...strangeIn(state)],
          [],
          `${name}, ${JSON.stringify(client_capabilities)}, ${include_subscribers}`,
        );
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
    assert.deepEqual([...wrong, ...strangeIn(state)], [], JSON.stringify(client_capabilities));
    assert.ok(state["subscriptions"].length > 0 && state["realm_users"].length > 0);
    for (const list of ["subscriptions", "streams"])
      for (const field of ["subscribers", "partial_subscribers"]) assert.ok(!(field in state[list][0]), field);
    for (const person of state["realm_users"]) assert.equal(person.date_joined, undefined);
  }
});
