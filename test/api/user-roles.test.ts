import assert from "node:assert/strict";
import test from "node:test";
import { type Chat, startChat } from "../support/chat.ts";

const changeRole = (chat: Chat, by: string, who: string, role: number) =>
  chat.as(by).patch(`/users/${chat.ids[who]}`, { role });
const typesOf = (events: { type: string; op?: string }[]) =>
  events.map(({ type, op }) => (op ? `${type}/${op}` : type));

test("a role change updates everything that depends on it", async (t) => {
  const chat = await startChat(t, {
    watchAll: true,
    channels: [
      { name: "open", subscribers: ["hamlet"] },
      { name: "council", private: true, subscribers: ["desdemona"] },
      { name: "guests", private: true, subscribers: ["desdemona", "polonius"] },
    ],
    users: { emilia: {} },
  });
  await chat.as("cordelia").patch("/settings", { email_address_visibility: 3 });
  await chat.as("emilia").patch("/settings", { email_address_visibility: 5 });
  const [polonius, hamlet, cordelia] = [
    await chat.register("polonius"),
    await chat.register("hamlet"),
    await chat.register("cordelia"),
  ];
  const mail = (state: { realm_users?: any[] }, name: string) =>
    state.realm_users?.find((user) => user.user_id === chat.ids[name]).delivery_email;
  assert.deepEqual(
    polonius.state.streams?.map(({ name }) => name),
    ["guests"],
  );

  // A guest becomes a member, then a moderator, then an administrator.
  assert.equal((await changeRole(chat, "iago", "polonius", 400)).result, "success");
  const events = await polonius.events();
  assert.deepEqual(events.find((event) => event["person"]?.role)?.["person"], {
    user_id: chat.ids["polonius"],
    role: 400,
  });
  assert.deepEqual(
    events.filter(({ type }) => type === "stream").flatMap((event) => event["streams"].map(({ name }: any) => name)),
    ["open"],
  );
  assert.ok(typesOf(events).includes("default_streams"));
  await chat.checkEvents();
  assert.equal((await changeRole(chat, "iago", "polonius", 300)).result, "success");
  const asModerator = (await polonius.events()).filter((event) => event["person"]?.delivery_email !== undefined);
  assert.deepEqual(
    asModerator.map((event) => event["person"]),
    [{ user_id: chat.ids["emilia"], delivery_email: "emilia@example.com" }],
  );
  assert.equal((await changeRole(chat, "iago", "polonius", 200)).result, "success");
  const asAdministrator = await polonius.events();
  assert.deepEqual(
    asAdministrator.filter(({ type }) => type === "stream").map((event) => event["streams"][0].name),
    ["council"],
    "administrators see private channels",
  );
  assert.equal(mail((await chat.register("polonius")).state, "cordelia"), "cordelia@example.com");
  await chat.checkEvents();
  const updates = await cordelia.events();
  assert.deepEqual(
    updates.filter(({ type }) => type === "realm_user").map((event) => event["person"].role),
    [400, 300, 200],
  );
  assert.deepEqual(
    new Set(typesOf(updates)),
    new Set(["realm_user/update", "user_group/remove_members", "user_group/add_members"]),
  );
  assert.ok(!typesOf(await hamlet.events()).includes("stream/create"), "others get no such event");

  // The administrator becomes a guest again.
  assert.equal((await changeRole(chat, "desdemona", "polonius", 600)).result, "success");
  const lost = await polonius.events();
  assert.deepEqual(
    lost.filter(({ type }) => type === "stream").flatMap((event) => event["stream_ids"]),
    [chat.ids["open"], chat.ids["council"]],
  );
  assert.deepEqual(
    lost
      .filter((event) => event["person"]?.delivery_email === null)
      .map((event) => event["person"].user_id)
      .sort(),
    [chat.ids["cordelia"], chat.ids["emilia"]].sort(),
  );
  await chat.checkEvents();
  const { body } = { body: await chat.as("desdemona").get("/host/audit") };
  const roles = body["entries"].filter((entry: any) => entry.action === "change role");
  assert.deepEqual(
    roles.map(({ actor, before, after }: any) => [actor.full_name, before, after]),
    [
      ["Desdemona", 200, 600],
      ["Iago", 300, 200],
      ["Iago", 400, 300],
      ["Iago", 600, 400],
    ],
  );
  assert.equal(roles[0].target_name, "Polonius");
});

test("nobody promotes themselves", async (t) => {
  const chat = await startChat(t, {
    users: { lodovico: { role: 300 }, robot: { is_bot: true, role: 200 } },
    unwatched: true,
  });
  const before = Object.keys(chat.ids).map((name) => chat.user(name)?.role);
  const tried: [string, () => Promise<{ status: number; result: string; code?: string }>][] = [];
  for (const name of ["polonius", "hamlet", "lodovico", "bot"]) {
    const self = chat.as(name);
    for (const role of [100, 200, 300, 400]) {
      if (role >= chat.user(name).role) continue;
      tried.push([`${name} by id`, () => self.patch(`/users/${self.id}`, { role }) as never]);
      tried.push([`${name} by email`, () => self.patch(`/users/${self.email}`, { role }) as never]);
    }
  }
  const iago = chat.as("iago");
  const robot = chat.as("robot");
  tried.push(["an administrator by id", () => iago.patch(`/users/${iago.id}`, { role: 100 }) as never]);
  tried.push(["an administrator by email", () => iago.patch(`/users/${iago.email}`, { role: 100 }) as never]);
  tried.push(["an administrator's bot", () => robot.patch(`/users/${robot.id}`, { role: 100 }) as never]);
  for (const [what, attempt] of tried) {
    const { result, code } = await attempt();
    assert.equal(result, "error", what);
    assert.ok(code === "UNAUTHORIZED_PRINCIPAL" || code === "BAD_REQUEST", what);
  }
  // Endpoints without a role parameter report it as ignored.
  const settings = await chat.as("hamlet").patch("/settings", { role: 100, is_admin: true });
  assert.deepEqual(settings["ignored_parameters_unsupported"].sort(), ["is_admin", "role"]);
  const added = await chat
    .as("iago")
    .post("/users", { email: "new@example.com", full_name: "New", password: "a motley fool", role: 100 });
  assert.deepEqual(added["ignored_parameters_unsupported"], ["role"]);
  assert.deepEqual(
    Object.keys(chat.ids).map((name) => chat.user(name)?.role),
    before,
  );
});

test("administrators assign roles, owners assign owners, one owner remains", async (t) => {
  const chat = await startChat(t, {
    users: { lodovico: { role: 300 }, brabantio: { role: 100 }, crown: { is_bot: true, role: 100, bot_owner_id: 1 } },
    unwatched: true,
  });
  for (const by of ["lodovico", "hamlet", "bot"]) {
    const { status, code } = (await changeRole(chat, by, "othello", 600)) as any;
    assert.deepEqual([status, code], [400, "UNAUTHORIZED_PRINCIPAL"], by);
  }
  assert.equal((await changeRole(chat, "polonius", "othello", 600))["code"], "BAD_REQUEST");
  for (const role of [200, 600]) {
    const { code } = (await changeRole(chat, "iago", "brabantio", role)) as any;
    assert.equal(code, "UNAUTHORIZED_PRINCIPAL", "an administrator cannot change an owner's role");
  }
  assert.equal((await changeRole(chat, "iago", "othello", 100))["code"], "UNAUTHORIZED_PRINCIPAL");
  assert.equal(chat.user("othello").role, 400);
  for (const role of [0, 150, 500, 1000, -100]) {
    const { status, msg } = await changeRole(chat, "desdemona", "othello", role);
    assert.equal(status, 400);
    assert.match(msg, /role must be one of/);
  }
  assert.equal((await changeRole(chat, "desdemona", "desdemona", 200)).result, "success", "there is another owner");
  const last = await changeRole(chat, "brabantio", "brabantio", 200);
  assert.deepEqual(
    [last.status, last["code"], last["var_name"]],
    [400, "BAD_REQUEST", "role"],
    "a bot does not count as the last owner",
  );
  assert.equal((await changeRole(chat, "brabantio", "othello", 100)).result, "success");
  assert.equal((await changeRole(chat, "brabantio", "brabantio", 200)).result, "success");
});

test("a bot never outranks its owner", async (t) => {
  const chat = await startChat(t, {
    users: { cassio: { role: 200 }, drill: { is_bot: true, role: 200, bot_owner_id: 1 } },
    prepare: (tx, ids) =>
      void tx.run("UPDATE users SET bot_owner_id = ? WHERE id = ?", ids["cassio"] as number, ids["drill"] as number),
  });
  const above = await changeRole(chat, "desdemona", "bot", 300);
  assert.deepEqual([above.status, above["var_name"]], [400, "role"], "its owner is a member");
  assert.equal((await changeRole(chat, "desdemona", "bot", 600)).result, "success");
  await changeRole(chat, "desdemona", "cassio", 400);
  assert.equal(chat.user("drill").role, 400, "its role falls with its owner's");
  const refused = await chat.as("drill").patch(`/users/${chat.ids["hamlet"]}`, { full_name: "Yorick" });
  assert.equal(refused["code"], "UNAUTHORIZED_PRINCIPAL");
});

test("only oversized changes drop a queue", async (t) => {
  const chat = await startChat(t, {
    channels: Array.from({ length: 180 }, (_, at) => ({ name: `channel ${at}`, subscribers: ["hamlet"] })),
    unwatched: true,
  });
  const [polonius, hamlet] = [await chat.register("polonius"), await chat.register("hamlet")];
  const held = chat
    .as("polonius")
    .get("/events", { queue_id: polonius.queueId, last_event_id: polonius.state["last_event_id"] });
  assert.equal((await changeRole(chat, "iago", "polonius", 400)).result, "success");
  await held;
  const gone = await chat.as("polonius").get("/events", { queue_id: polonius.queueId, dont_block: true });
  assert.equal(gone["code"], "BAD_EVENT_QUEUE_ID");
  assert.equal((await chat.register("polonius")).state.never_subscribed?.length, 180);
  assert.ok((await hamlet.events()).some((event) => event["person"]?.role === 400));
  await chat.restart();
  assert.equal(
    (await chat.as("polonius").get("/events", { queue_id: polonius.queueId }))["code"],
    "BAD_EVENT_QUEUE_ID",
  );
  assert.equal(
    (await chat.as("hamlet").get("/events", { queue_id: hamlet.queueId, dont_block: true })).result,
    "success",
  );
});
