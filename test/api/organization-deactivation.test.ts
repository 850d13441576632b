import assert from "node:assert/strict";
import test from "node:test";
import { ROLES } from "../../server/api/queries/users.ts";
import { startChat } from "../support/chat.ts";

const OPERATOR_TOKEN = "operator-token";
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };

test("a deactivated organization admits nobody", async (t) => {
  let now = 1_800_000_000_000;
  const chat = await startChat(t, {
    unwatched: true,
    operatorToken: OPERATOR_TOKEN,
    now: () => now,
    channels: [{ name: "general", subscribers: ["hamlet"] }],
  });
  const [desdemona, hamlet] = [chat.as("desdemona"), chat.as("hamlet")];
  const queue = await chat.register("hamlet");
  const sent = await hamlet.post("/scheduled_messages", {
    type: "channel",
    to: chat.ids["general"],
    topic: "plans",
    content: "later",
    scheduled_delivery_timestamp: now / 1000 + 60,
  });
  assert.equal(sent.result, "success", sent.msg);
  await queue.events();

  for (const who of ["iago", "hamlet"])
    assert.equal((await chat.as(who).post("/realm/deactivate"))["code"], "UNAUTHORIZED_PRINCIPAL");
  for (const who of ["polonius", "bot"])
    assert.equal((await chat.as(who).post("/realm/deactivate"))["code"], "BAD_REQUEST");
  assert.equal((await chat.anonymous("POST", "/realm/deactivate")).status, 401);
  for (const deletion_delay_days of [14, 0, "soon", "1.5"]) {
    const refused = await desdemona.post("/realm/deactivate", { deletion_delay_days });
    assert.equal(refused["code"], "BAD_REQUEST");
    assert.match(refused.msg, /deletion_delay_days/);
  }
  assert.deepEqual(await queue.events(), []);

  const poll = hamlet.get("/events", { queue_id: queue.queueId });
  assert.equal((await desdemona.post("/realm/deactivate", { deletion_delay_days: "null" })).result, "success");
  assert.deepEqual(
    (await poll)["events"].map(({ id: _, ...event }: any) => event),
    [{ type: "realm", op: "deactivated", realm_id: 1 }],
  );
  const isKeptOut = ({ status, code }: { status: number; code?: unknown }) =>
    assert.deepEqual([status, code], [401, "REALM_DEACTIVATED"]);
  for (const who of ["desdemona", "iago", "hamlet", "polonius", "bot"]) {
    isKeptOut(await chat.as(who).get("/users/me"));
    isKeptOut(await chat.as(who).post("/register"));
  }
  isKeptOut(await hamlet.get("/events", { queue_id: queue.queueId, dont_block: true }));
  isKeptOut(
    await chat.anonymous("POST", "/fetch_api_key", { username: "desdemona@example.com", password: "secret-desdemona" }),
  );
  const wrong = await chat.anonymous("POST", "/fetch_api_key", {
    username: "desdemona@example.com",
    password: "guess-guess",
  });
  assert.equal(wrong["code"], "AUTHENTICATION_FAILED");
  assert.equal((await chat.anonymous("GET", "/server_settings")).result, "success");
  now += 120_000;
  chat.server.runChores();
  await chat.restart();
  isKeptOut(await desdemona.patch("/host/settings", { ORGANIZATION_DEACTIVATED: false }));
  isKeptOut(await hamlet.get("/users/me"));

  const undone = await chat.anonymous("PATCH", "/host/settings", { ORGANIZATION_DEACTIVATED: false }, operator);
  assert.equal(undone.result, "success", undone.msg);
  const scheduled = await hamlet.get("/scheduled_messages");
  assert.equal(scheduled["scheduled_messages"].length, 1);
  chat.server.runChores();
  assert.equal((await hamlet.get("/scheduled_messages"))["scheduled_messages"].length, 0);
  const audit = (await desdemona.get("/host/audit"))["entries"].filter(({ target }: any) =>
    target.endsWith("ORGANIZATION_DEACTIVATED"),
  );
  assert.deepEqual(
    audit.map(({ after, origin }: any) => [after, origin]),
    [
      [false, "desktop"],
      [true, "api"],
    ],
  );
});

test("deactivation ends public access", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const desdemona = chat.as("desdemona");
  await desdemona.patch("/host/settings", { WEB_PUBLIC_STREAMS_ENABLED: true });
  await desdemona.patch("/realm", { enable_spectator_access: true });
  const look = () => chat.anonymous("POST", "/register");
  assert.equal((await look()).status, 200);
  assert.equal((await chat.anonymous("GET", "/server_settings"))["realm_web_public_access_enabled"], true);
  await desdemona.post("/realm/deactivate");
  assert.equal((await look()).status, 401);
  assert.equal((await chat.anonymous("GET", "/server_settings"))["realm_web_public_access_enabled"], false);
});

test("deactivation ends page sessions as well as keys", async (t) => {
  const chat = await startChat(t, { unwatched: true, users: { clown: { is_bot: true, role: ROLES.owner } } });
  const signIn = () =>
    fetch(`${chat.url}/host/session`, {
      method: "POST",
      body: new URLSearchParams({ username: "desdemona@example.com", password: "secret-desdemona" }),
    });
  const cookie = (await signIn()).headers.get("set-cookie")?.split(";")[0] ?? "";
  const whoAmI = () => fetch(`${chat.url}/api/v1/users/me`, { headers: { cookie } });
  assert.equal((await whoAmI()).status, 200);
  assert.equal((await chat.as("clown").post("/realm/deactivate"))["code"], "BAD_REQUEST");
  await chat.as("desdemona").post("/realm/deactivate");
  assert.equal((await whoAmI()).status, 401);
  const again = await signIn();
  assert.equal(again.status, 401);
  assert.equal(((await again.json()) as { code: string }).code, "REALM_DEACTIVATED");
});
