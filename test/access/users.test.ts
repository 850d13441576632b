import assert from "node:assert/strict";
import test from "node:test";
import { apiEmail } from "../../server/api/access/email-visibility.ts";
import { validOrganizationName } from "../../server/api/access/organization.ts";
import { validEmail, validFullName } from "../../server/api/access/users.ts";
import { createUser } from "../../server/api/actions/users.ts";
import { usersSeenBy } from "../../server/api/presenters/users.ts";
import { notificationBot } from "../../server/api/queries/bots.ts";
import { ROLES, userByEmail, userById } from "../../server/api/queries/users.ts";
import { startOrganization } from "../support/organization.ts";

test("a name is trimmed and validated", () => {
  assert.equal(validFullName("  Othello the Moor \n"), "Othello the Moor");
  assert.equal(validFullName("夏目"), "夏目");
  assert.equal(validFullName("😀".repeat(100)), "😀".repeat(100));
  assert.throws(() => validFullName(" X "), /at least 2/);
  assert.throws(() => validFullName("\u202eognoi"), /cannot contain/);
  for (const unseen of ["\u200b\u200b", "\u3164\u2800\u202e"])
    assert.throws(() => validFullName(unseen), /visible character/, JSON.stringify(unseen));
  assert.throws(() => validFullName("😀".repeat(101)), /at most 100/);
  for (const bad of ["*", "`", "\\", ">", '"', "@", "\n", "\u0000"]) {
    assert.throws(() => validFullName(`O${bad}thello`), /cannot contain/, JSON.stringify(bad));
  }
});

test("an email address needs a local part and a host", () => {
  for (const good of ["iago@example.com", "iago+x@kitchen", "jürgen@bücher.example"])
    assert.equal(validEmail(good), good);
  for (const bad of [
    "",
    "iago",
    "iago@",
    "@example.com",
    "i ago@example.com",
    "a@b@c",
    "iago@-x.com",
    "iago@x..com",
    "iago@x.com\n.",
  ]) {
    assert.throws(() => validEmail(bad), /email/, bad);
  }
  assert.throws(() => validEmail(`${"a".repeat(250)}@x.com`), /at most 254/);
});

test("an organization's name has 1 to 40 characters", () => {
  assert.equal(validOrganizationName(" Venice "), "Venice");
  for (const unseen of ["  ", "\u200b"]) assert.throws(() => validOrganizationName(unseen), /needs a name/);
  assert.throws(() => validOrganizationName("Ven\nice"), /control characters/);
  assert.throws(() => validOrganizationName("v".repeat(41)), /at most 40/);
});

test("an email address is unique and matched case-insensitively", async (t) => {
  const { store, add } = await startOrganization(t);
  const othello = add("othello", { email: "Othello@Example.com" });
  assert.equal(othello.email, "Othello@Example.com");
  assert.equal(userByEmail(store.reader, " oTHELLO@eXAMPLE.COM")?.id, othello.id);
  assert.throws(() => add("othello2", { email: "OTHELLO@example.com" }), {
    code: "BAD_REQUEST",
    message: /already/,
  });
});

test("rejects email addresses reserved as placeholders", async (t) => {
  const { add, owner } = await startOrganization(t);
  for (const email of [`user${owner.id}@venice.local`, "User99@Venice.Local"]) {
    assert.throws(() => add("iago", { email }), { code: "BAD_REQUEST" });
  }
  add("iago", { email: "user.friendly@venice.local" });
  add("cassio", { email: "user1@example.com" });
});

test("a rejected user leaves nothing behind, even in memory", async (t) => {
  const { store, owner } = await startOrganization(t);
  assert.throws(() =>
    store.transact({ actor: null, action: "test" }, (tx) => {
      const user = createUser(tx, owner, { email: "iago@example.com", full_name: "Iago", password_hash: null });
      assert.equal(userById(tx, user.id)?.full_name, "Iago");
      throw new Error("no");
    }),
  );
  assert.equal(userByEmail(store.reader, "iago@example.com"), undefined);
  assert.equal(userById(store.reader, notificationBot(store.reader).id + 1), undefined);
});

test("a new user is announced with their group memberships", async (t) => {
  const { act, owner, add } = await startOrganization(t);
  const guest = add("roderigo", { role: ROLES.guest });
  const input = { email: "iago@example.com", full_name: "Iago", password_hash: null };
  const { result: iago, emitted } = act((tx) => createUser(tx, owner, input));
  const [added, members, fullMembers] = emitted;
  assert.equal(emitted.length, 3);
  assert.deepEqual({ ...added?.event, person: undefined }, { type: "realm_user", op: "add", person: undefined });
  assert.equal((added as { event: { person?: { user_id: number } } }).event.person?.user_id, iago.id);
  for (const grown of [members, fullMembers]) {
    assert.deepEqual(
      { ...grown?.event, group_id: 0 },
      { type: "user_group", op: "add_members", group_id: 0, user_ids: [iago.id] },
    );
  }
  for (const { users, differences } of emitted) {
    assert.deepEqual(users, [owner.id, guest.id, iago.id]);
    assert.equal(differences.size, 0);
  }
});

test("a new user's email address is hidden from unauthorized viewers", async (t) => {
  const { act, owner, add } = await startOrganization(t);
  const [emilia, cassio] = [add("emilia"), add("cassio", { role: ROLES.administrator })];
  const { result: iago, emitted } = act((tx) =>
    createUser(tx, owner, {
      email: "iago@example.com",
      full_name: "Iago",
      password_hash: null,
      settings: { email_address_visibility: 3 },
    }),
  );
  const { event, users, differences } = emitted[0] as (typeof emitted)[number];
  const person = event["person"] as Record<string, unknown>;
  assert.deepEqual(users, [owner.id, emilia.id, cassio.id, iago.id]);
  assert.deepEqual([person["email"], person["delivery_email"]], [`user${iago.id}@venice.local`, "iago@example.com"]);
  assert.deepEqual([...differences], [[emilia.id, { person: { ...person, delivery_email: null } }]]);
});

test("adding a user is audited with the actor", async (t) => {
  const { store, owner, add } = await startOrganization(t);
  const iago = add("iago");
  const [last] = store.reader.all<Record<string, unknown>>("SELECT * FROM audit ORDER BY id DESC LIMIT 1");
  assert.equal(last?.["actor_id"], owner.id);
  assert.equal(last?.["target"], `user ${iago.id}`);
  assert.equal(String(last?.["after"]).includes("iago@example.com"), true);
});

test("a hidden email address is never shown in any form", async (t) => {
  const { store, owner, add, act } = await startOrganization(t);
  const people = {
    administrator: add("cassio", { role: ROLES.administrator }),
    moderator: add("lodovico", { role: ROLES.moderator }),
    member: add("emilia"),
    guest: add("roderigo", { role: ROLES.guest }),
  };
  const iago = add("iago");
  const seers = {
    1: ["administrator", "moderator", "member", "guest"],
    2: ["administrator", "moderator", "member"],
    5: ["administrator", "moderator"],
    3: ["administrator"],
    4: [],
  };
  for (const [visibility, seenBy] of Object.entries(seers)) {
    act((tx) =>
      tx.run(
        "INSERT INTO user_settings (user_id, name, value) VALUES (?, 'email_address_visibility', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        iago.id,
        visibility,
      ),
    );
    const shown = Object.entries(people).filter(
      ([, viewer]) =>
        usersSeenBy(store.reader, viewer).find((user) => user.user_id === iago.id)?.delivery_email !== null,
    );
    assert.deepEqual(
      shown.map(([name]) => name),
      seenBy,
      `visibility ${visibility}`,
    );
    const own = usersSeenBy(store.reader, iago).find((user) => user.user_id === iago.id);
    assert.equal(own?.delivery_email, "iago@example.com");
    assert.equal(apiEmail(store.reader, iago), visibility === "1" ? "iago@example.com" : `user${iago.id}@venice.local`);
  }
  assert.equal(apiEmail(store.reader, owner), "desdemona@example.com");
});
