import assert from "node:assert/strict";
import test from "node:test";
import type { State } from "../../ui/api/state-shape.ts";
import {
  byPresence,
  groupsOf,
  lastSeen,
  membersOf,
  mentionOf,
  optionsOf,
  profileOf,
  timeAt,
} from "../../ui/chat/model/people.ts";
import { type Person, personById } from "../../ui/chat/model/selectors.ts";
import { SECTIONS, settingsAt } from "../../ui/chat/settings/sections.ts";

const NOW = Date.UTC(2026, 10, 22, 14, 30);
const ago = (seconds: number) => ({ active_timestamp: NOW / 1000 - seconds, idle_timestamp: NOW / 1000 - seconds });

const person = (user_id: number, full_name: string, more: Partial<Person> = {}): Person =>
  ({ user_id, full_name, is_active: true, is_bot: false, role: 400, profile_data: {}, ...more }) as Person;

const group = (id: number, name: string, members: number[], direct_subgroup_ids: number[] = [], more = {}) => ({
  id,
  name,
  members,
  direct_subgroup_ids,
  is_system_group: false,
  deactivated: false,
  ...more,
});

const state = {
  realm_users: [
    person(1, "Ann"),
    person(2, "Bo"),
    person(3, "Bo"),
    person(4, "Clock", { is_bot: true }),
    person(5, "Dora"),
  ],
  realm_non_active_users: [person(9, "Gone", { is_active: false })],
  realm_user_groups: [
    group(20, "crew", [1, 9], [21]),
    group(21, "cooks", [2], [20]),
    group(22, "old", [1], [], { deactivated: true }),
    group(23, "role:members", [1, 2], [], { is_system_group: true }),
  ],
  presences: { 1: ago(3600), 2: ago(20), 5: ago(20) },
  server_presence_offline_threshold_seconds: 200,
} as unknown as State;

test("a group's members include those of the groups in it", () => {
  const ids = (groupId: number) => membersOf(state, groupId).map(({ user_id }) => user_id);
  assert.deepEqual([ids(20), ids(21), ids(404)], [[1, 2], [1, 2], []], "the two hold each other");
  const names = (userId: number) => groupsOf(state, userId).map(({ name }) => name);
  assert.deepEqual([names(1), names(3)], [["cooks", "crew"], []]);
});

test("people are listed by presence, then by name, bots last", () => {
  const listed = byPresence(state, state.realm_users ?? [], NOW);
  assert.deepEqual(
    listed.map(({ person: { user_id }, presence }) => `${user_id} ${presence}`),
    ["2 active", "5 active", "1 offline", "3 offline", "4 offline"],
  );
  assert.equal(lastSeen(state, 1), NOW - 3_600_000);
  assert.equal(lastSeen(state, 3), undefined);
});

test("a profile shows values in words, and links only to the web", () => {
  const field = (id: number, type: number, field_data: object | string = "") => ({
    id,
    type,
    name: `field ${id}`,
    field_data: typeof field_data === "string" ? field_data : JSON.stringify(field_data),
  });
  const options = { a: { text: "Port", order: "2" }, b: { text: "Starboard", order: "1" } };
  const fields = [
    field(1, 1),
    field(2, 3, options),
    field(3, 5),
    field(4, 6),
    field(5, 7, { subtype: "hub" }),
    field(6, 7, { subtype: "custom", url_pattern: "javascript:%(username)s" }),
    field(7, 5),
    field(8, 3, "no JSON"),
  ];
  const values = ["", "a", "https://x.example/", "[2,9]", "ann lee", "ann", "javascript:alert(1)", "z"];
  const profile_data = Object.fromEntries(values.map((value, at) => [at + 1, { value }]));
  const accounts = { hub: { name: "Hub", text: "", hint: "", url_pattern: "https://hub.example/%(username)s" } };
  const more = { custom_profile_fields: fields, realm_default_external_accounts: accounts } as unknown as State;
  const shown = profileOf({ ...state, ...more }, person(1, "Ann", { profile_data }));
  assert.deepEqual(
    shown.map(({ field: { id }, text, link, userIds }) => [id, text, link, userIds]),
    [
      [2, "Port", undefined, undefined],
      [3, "https://x.example/", "https://x.example/", undefined],
      [4, "", undefined, [2, 9]],
      [5, "ann lee", "https://hub.example/ann%20lee", undefined],
      [6, "ann", undefined, undefined],
      [7, "javascript:alert(1)", undefined, undefined],
      [8, "z", undefined, undefined],
    ],
  );
  assert.deepEqual(
    optionsOf(fields[1] as never).map(({ label }) => label),
    ["Starboard", "Port"],
  );
});

test("an ambiguous mention contains the ID", () => {
  const mention = (id: number) => mentionOf(state, personById(state, id) as Person);
  assert.deepEqual([mention(1), mention(3)], ["@**Ann** ", "@**Bo|3** "]);
});

test("a person's local time uses their time zone", () => {
  assert.equal(timeAt("Asia/Tokyo", NOW, "en-GB"), "23:30");
  assert.deepEqual([timeAt("", NOW, "en"), timeAt("Mars/Olympus", NOW, "en")], [undefined, undefined]);
});

test("settings also have the public web client's URLs", () => {
  for (const section of SECTIONS) assert.equal(settingsAt(`#settings/${section}`), section);
  const found = ["#settings", "#settings/account-and-privacy", "#settings/nowhere", "#inbox", ""].map(settingsAt);
  assert.deepEqual(found, ["profile", "account", "profile", undefined, undefined]);
});
