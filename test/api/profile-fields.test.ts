import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";
import { add, addAll, FIELDS, fieldsOf, options, refused } from "../support/profile-fields.ts";

const without = ({ id: _, ...event }: Record<string, unknown>) => event;

test("profile field changes send events and audit", async (t) => {
  const chat = await startChat(t);
  const queue = await chat.register("polonius");
  assert.deepEqual(queue.state.custom_profile_fields, []);
  assert.deepEqual(queue.state["custom_profile_field_types"].PRONOUNS, { id: 8, name: "Pronouns" });
  assert.equal(
    queue.state["realm_default_external_accounts"]["github"]?.url_pattern,
    "https://github.com/%(username)s",
  );
  const made = await addAll(chat);
  const custom = { subtype: "custom", url_pattern: "https://x.example/%(username)s" };
  const all = {
    field_type: 7,
    name: " Forge ",
    hint: " where you build ",
    field_data: custom,
    display_in_profile_summary: true,
    required: true,
    editable_by_user: false,
    use_for_user_matching: true,
  };
  const forge = await add(chat, all);
  const fields = await fieldsOf(chat);
  assert.deepEqual(fields.at(-1), {
    id: forge,
    type: 7,
    order: 9,
    name: "Forge",
    hint: "where you build",
    field_data: JSON.stringify(custom),
    display_in_profile_summary: true,
    required: true,
    editable_by_user: false,
    use_for_user_matching: true,
  });
  assert.deepEqual(fields[0], {
    id: made["Phone"],
    type: 1,
    order: 1,
    name: "Phone",
    hint: "",
    field_data: "",
    required: false,
    editable_by_user: true,
    use_for_user_matching: false,
  });
  assert.deepEqual(JSON.parse(fields.find(({ name }) => name === "Editor")?.["field_data"]), options);
  assert.equal(fields.find(({ id }) => id === made["Account"])?.["name"], "GitHub username");
  const events = await queue.events();
  assert.equal(events.length, 9);
  assert.deepEqual(without(events[8] as object as Record<string, unknown>), { type: "custom_profile_fields", fields });

  const change = (id: number | undefined, params: object) => chat.as("iago").patch(`${FIELDS}/${id}`, { ...params });
  const changes = {
    name: "Telephone",
    hint: "with +",
    required: true,
    display_in_profile_summary: true,
    editable_by_user: false,
    use_for_user_matching: true,
  };
  assert.equal((await change(made["Phone"], changes)).status, 200);
  assert.equal((await change(made["Phone"], { name: "Telephone" })).status, 200); // no effect
  assert.equal(
    (await change(made["Editor"], { field_data: { ...options, vi: { text: "vi", order: "3" } } })).status,
    200,
  );
  const order = (await fieldsOf(chat)).map(({ id }) => id).reverse();
  assert.equal((await chat.as("iago").patch(FIELDS, { order })).status, 200);
  assert.deepEqual(
    (await fieldsOf(chat)).map(({ id }) => id),
    order,
  );
  assert.equal((await chat.as("iago").delete(`${FIELDS}/${forge}`)).status, 200);
  const left = await fieldsOf(chat);
  assert.deepEqual([left.length, left.at(-1)?.["name"], left.at(-1)?.["hint"]], [8, "Telephone", "with +"]);
  assert.equal((await queue.events()).length, 4);
  const rows = chat.server.app.store.reader.all<{ action: string }>(
    "SELECT action FROM audit WHERE action LIKE '%profile field%'",
  );
  assert.deepEqual(
    rows.map(({ action }) => action.split(" ")[0]),
    [...Array(9).fill("create"), "change", "change", "reorder", "delete"],
  );
  await chat.restart();
  assert.deepEqual((await chat.register("othello")).state.custom_profile_fields, left);
});

test("invalid fields and callers below administrator are rejected", async (t) => {
  const chat = await startChat(t);
  const made = await addAll(chat);
  await chat.as("iago").patch(`${FIELDS}/${made["Phone"]}`, { display_in_profile_summary: true });
  await chat.as("iago").patch(`${FIELDS}/${made["Page"]}`, { display_in_profile_summary: true });
  const before = await fieldsOf(chat);
  const custom = (url_pattern?: string) => ({ subtype: "custom", url_pattern });
  const account = (field_data: object) => ({ field_type: 7, name: "x", field_data });
  const list = (field_data: unknown) => ({ field_type: 3, name: "x", field_data });
  for (const params of [
    { field_type: 1 },
    { field_type: 1, name: "  " },
    { field_type: 1, name: "x".repeat(41) },
    { field_type: 1, name: "x", hint: "x".repeat(81) },
    { field_type: 1, name: "PHONE" },
    { field_type: 9, name: "x" },
    { field_type: 1, name: "x", field_data: options },
    { field_type: 1, name: "x", field_data: "vim" },
    { field_type: 1, name: "x", required: 7 },
    { field_type: 4, name: "x", display_in_profile_summary: true }, // one more than the limit
    { field_type: 2, name: "x", use_for_user_matching: true },
    list(undefined),
    list({}),
    list({ a: "b" }),
    list({ a: { text: "A" } }),
    list({ a: { text: " ", order: "1" } }),
    list({ "": { text: "A", order: "1" } }),
    list({ a: { text: "A", order: "first" } }),
    list({ a: { text: "A", order: "1" }, b: { text: "A", order: "2" } }),
    account({}),
    account({ subtype: "carrier_pigeon" }),
    account({ subtype: "github" }), // a duplicate subtype
    account({ subtype: "twitter", url_pattern: "https://x.example/%(username)s" }),
    account(custom()),
    account(custom("https://x.example/")),
    account(custom("https://%(username)s.example/%(username)s")),
    account(custom("javascript:alert(%(username)s)")),
    account(custom("%(username)s")),
  ])
    refused(await chat.as("iago").post(FIELDS, { ...params }), params);
  refused(await chat.as("iago").post(FIELDS, { name: "x" }), "no type", "REQUEST_VARIABLE_MISSING");
  const change = (id: unknown, params: object) => chat.as("iago").patch(`${FIELDS}/${id}`, { ...params });
  refused(await change(made["Account"], { name: "Git" }), "a known account's name");
  refused(await change(made["Account"], { hint: "Git" }), "a known account's hint");
  refused(await change(999, { name: "x" }), 999);
  refused(await change(made["Phone"], { name: "Biography" }), "taken");
  refused(await change(made["Biography"], { display_in_profile_summary: true }), "long text");
  refused(await change(made["Mentor"], { display_in_profile_summary: true }), "users");
  refused(await change(made["Editor"], { field_data: {} }), "no options");
  refused(await chat.as("iago").delete(`${FIELDS}/999`), 999);
  for (const order of [
    [],
    [made["Phone"]],
    [...before.map(({ id }) => id), made["Phone"]],
    [...before.slice(1).map(({ id }) => id), 999],
  ])
    refused(await chat.as("iago").patch(FIELDS, { order }), order);
  for (const name of ["hamlet", "polonius"]) {
    const person = chat.as(name);
    for (const answer of [
      await person.post(FIELDS, { field_type: 1, name: "x" }),
      await person.patch(FIELDS, { order: before.map(({ id }) => id) }),
      await person.patch(`${FIELDS}/${made["Phone"]}`, { name: "x" }),
      await person.delete(`${FIELDS}/${made["Phone"]}`),
      await person.delete(`${FIELDS}/999`),
    ])
      assert.equal(answer.result, "error");
  }
  assert.deepEqual(await fieldsOf(chat), before);
});
