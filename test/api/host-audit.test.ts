import assert from "node:assert/strict";
import test from "node:test";
import { recordAudit } from "../../server/actions/audit.ts";
import type { AuditChange } from "../../server/actions/audit-catalogue.ts";
import { type Chat, startChat } from "../support/chat.ts";

/** So many changes by the owner, one after the other. */
function change(chat: Chat, count: number): void {
  record(
    chat,
    Array.from({ length: count }, (_, number) => ({
      action: "reorder profile fields",
      target: "organization",
      before: [number],
      after: [number + 1],
    })),
  );
}

const record = (chat: Chat, changes: readonly AuditChange[]): void =>
  chat.server.app.store.transact({ actor: 1, action: "test", origin: "api" }, (tx) => {
    for (const one of changes) recordAudit(tx, chat.user("desdemona"), one);
  });

const actions = (answer: Record<string, any>) => answer["entries"].map(({ action }: { action: string }) => action);

test("owner and operator read the audit", async (t) => {
  const chat = await startChat(t, { unwatched: true, operatorToken: "operator's own" });
  change(chat, 1);
  const now = Date.now();
  const operator = { authorization: "Bearer operator's own" };
  await chat.anonymous("PATCH", "/host/settings", { INVITATION_LINK_VALIDITY_MINUTES: 60 }, operator);
  for (const answer of [
    await chat.as("desdemona").get("/host/audit", { limit: 2 }),
    await chat.anonymous("GET", "/host/audit", { limit: 2 }, operator),
  ]) {
    assert.equal(answer["has_more"], true);
    const [setting, order] = answer["entries"];
    const { id, at, ...rest } = setting;
    assert.deepEqual(rest, {
      actor: { user_id: 1, full_name: "Desdemona" },
      origin: "desktop",
      action: "change host setting",
      target: "host setting INVITATION_LINK_VALIDITY_MINUTES",
      before: 14_400,
      after: 60,
      target_name: null,
    });
    assert.equal(id, order.id + 1);
    assert.ok(Math.abs(at - now) < 60_000);
    assert.deepEqual([order.before, order.after, order.origin], [[0], [1], "api"]);
  }
});

test("pages of the audit join without gaps", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  change(chat, 300);
  const owner = chat.as("desdemona");
  assert.deepEqual(actions(await owner.get("/host/audit")).length, 50);
  const all: number[] = [];
  for (let before: number | undefined; ; ) {
    const { entries, has_more } = await owner.get("/host/audit", { limit: 200, before });
    all.push(...entries.map(({ id }: { id: number }) => id));
    if (!has_more) break;
    before = all.at(-1) as number;
  }
  const ids = chat.server.app.store.reader.all<{ id: number }>("SELECT id FROM audit ORDER BY id DESC");
  assert.deepEqual(
    all,
    ids.map(({ id }) => id),
  );
  const [first, second] = [all.at(-1) as number, all.at(-2) as number];
  assert.deepEqual(await owner.get("/host/audit", { before: first }).then(actions), []);
  const last = await owner.get("/host/audit", { before: second, limit: 1 });
  assert.deepEqual([actions(last), last["has_more"]], [["create organization"], false]);
  assert.deepEqual([last["entries"][0].actor, last["entries"][0].origin], [null, "server"]);
});

test("people and channels appear under their current names", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [{ name: "stage" }] });
  record(chat, [
    { action: "change password", target: `user ${chat.user("hamlet").id}` },
    { action: "archive channel", target: `channel ${chat.ids["stage"] as number}`, before: { name: "stage" } },
    { action: "change password", target: "user 9999" },
    { action: "reorder profile fields", target: "organization", before: [1], after: [2] },
  ]);
  const rename = (sql: string, name: string) =>
    chat.server.app.store.transact({ actor: 1, action: "test" }, (tx) => void tx.run(sql, chat.ids[name] as number));
  rename("UPDATE users SET full_name = 'Prince Hamlet' WHERE id = ?", "hamlet");
  const { entries } = await chat.as("desdemona").get("/host/audit", { limit: 4 });
  const names = entries.map((entry: { target_name: string }) => entry.target_name);
  assert.deepEqual(names, [null, null, "stage", "Prince Hamlet"]);
});

test("the audit filters by every field", async (t) => {
  let now = 1_800_000_000_000;
  const chat = await startChat(t, { unwatched: true, operatorToken: "operator's own", now: () => now });
  const operator = { authorization: "Bearer operator's own" };
  const role = (name: string, to: number) => chat.as("desdemona").patch(`/users/${chat.ids[name]}`, { role: to });
  assert.equal((await role("hamlet", 300)).result, "success");
  now += 1000;
  assert.equal((await role("othello", 300)).result, "success");
  now += 1000;
  assert.equal((await chat.as("iago").patch(`/users/${chat.ids["hamlet"]}`, { role: 400 })).result, "success");
  await chat.anonymous("PATCH", "/host/settings", { INVITATION_LINK_VALIDITY_MINUTES: 60 }, operator);
  const hamlet = `user ${chat.ids["hamlet"]}`;
  const found = async (params: Record<string, unknown>) =>
    (await chat.as("desdemona").get("/host/audit", params))["entries"].map(
      ({ actor, action, target }: { actor: { user_id: number }; action: string; target: string }) =>
        `${actor?.user_id} ${action} ${target}`,
    );
  const [owner, iago] = [chat.ids["desdemona"], chat.ids["iago"]];
  const roles = [
    `${iago} change role ${hamlet}`,
    `${owner} change role user ${chat.ids["othello"]}`,
    `${owner} change role ${hamlet}`,
  ];
  assert.deepEqual(await found({ action: "change role" }), roles);
  assert.deepEqual(await found({ action: "change role", actor_id: iago }), roles.slice(0, 1));
  assert.deepEqual(await found({ action: "change role", target: hamlet }), [roles[0], roles[2]]);
  assert.deepEqual(await found({ action: "change role", since: now - 1000, until: now }), roles.slice(1, 2));
  const desktop = [`${owner} change host setting host setting INVITATION_LINK_VALIDITY_MINUTES`];
  assert.deepEqual(await found({ origin: "desktop" }), desktop);
  assert.deepEqual(await found({ actor_id: 9999 }), []);
  for (const params of [{ actor_id: 0 }, { origin: "elsewhere" }, { since: -1 }, { until: "noon" }]) {
    const answer = await chat.as("desdemona").get("/host/audit", params);
    assert.equal(answer.status, 400);
    assert.match(answer.msg, new RegExp(Object.keys(params)[0] as string));
  }
});

test("other people and invalid filters are rejected", async (t) => {
  const users = { clown: { is_bot: true, bot_type: 1 as const, role: 100 as const } };
  const chat = await startChat(t, { unwatched: true, users });
  for (const name of ["iago", "hamlet", "polonius", "bot", "clown"]) {
    const answer = await chat.as(name).get("/host/audit");
    assert.equal(answer.status, 400, name);
    assert.equal(answer["entries"], undefined);
  }
  assert.equal((await chat.anonymous("GET", "/host/audit")).status, 401);
  for (const params of [{ before: 0 }, { before: "new" }, { limit: 0 }, { limit: 201 }, { limit: "all" }]) {
    const answer = await chat.as("desdemona").get("/host/audit", params);
    assert.equal(answer.status, 400);
    assert.match(answer.msg, new RegExp(Object.keys(params)[0] as string));
  }
});
