import assert from "node:assert/strict";
import test from "node:test";
import { passwordHashing } from "../../server/host/credentials/passwords.ts";
import type { Chat } from "../support/chat.ts";
import { importSmall } from "../support/small-import.ts";
import { type ReceivedMail, startMailingChat } from "../support/smtp.ts";

const MINUTE = 60_000;
const OWNER = { username: "desdemona@example.com", password: "secret-desdemona" };
const hash = passwordHashing({ cost: 1024 }).hash("forgotten since");

const askFor = (chat: Chat, email: string) => chat.anonymous("POST", "/host/reset-mails", { email });
const tokenIn = (text = "") => /\/reset\/#([\w-]{43})/.exec(text)?.[1] ?? "";
const setPassword = (chat: Chat, token: string) =>
  chat.anonymous("POST", "/host/password-resets", { token, new_password: "the handkerchief" });

test("a reset mail has a link that sets a new password once", async (t) => {
  const { chat, server, send } = await startMailingChat(t, { users: { emilia: { password_hash: await hash } } });
  assert.equal((await askFor(chat, "Emilia@example.com")).result, "success");
  await send();
  const [mail] = server.mails;
  assert.deepEqual([mail?.receivers, mail?.subject], [["emilia@example.com"], "Reset your password for Venice"]);
  assert.match(mail?.text ?? "", /https:\/\/chat\.example\.org\/reset\/#/);
  const token = tokenIn(mail?.text);
  assert.equal((await chat.anonymous("POST", "/host/sign-in-links/open", { token }))["email"], "emilia@example.com");
  assert.equal((await setPassword(chat, token)).result, "success");
  assert.equal((await setPassword(chat, token)).reason, "link_expired");
});

test("unknown, deactivated and bots' addresses get the same response, and no mail", async (t) => {
  const { chat, server, send } = await startMailingChat(t);
  await chat.as("desdemona").delete(`/users/${chat.ids["cordelia"]}`);
  const answers = [];
  for (const name of ["hamlet", "nobody", "cordelia", "bot"]) answers.push(await askFor(chat, `${name}@example.com`));
  for (const answer of answers) assert.deepEqual(answer, { result: "success", msg: "", status: 200 });
  await send();
  assert.deepEqual(
    server.mails.flatMap(({ receivers }) => receivers),
    ["hamlet@example.com"],
  );
  assert.equal(chat.server.app.store.reader.value("SELECT count(*) FROM mails"), 0);
});

test("a request for an unknown address writes the same statements as for a known one", async (t) => {
  const { chat } = await startMailingChat(t);
  const { store } = chat.server.app;
  const written = async (email: string) => {
    const statements: string[] = [];
    const transact = store.transact.bind(store);
    const mocked = t.mock.method(store, "transact", (about: any, fn: (tx: any) => any) =>
      transact(about, (tx: any) =>
        fn({ now: tx.now, run: (sql: string, ...values: any[]) => statements.push(sql) && tx.run(sql, ...values) }),
      ),
    );
    await askFor(chat, email);
    mocked.mock.restore();
    return statements;
  };
  const known = await written("hamlet@example.com");
  assert.ok(known.length > 0);
  assert.deepEqual(await written("nobody@example.com"), known);
});

test("resets are limited per address and per source, whether or not the account exists", async (t) => {
  const { chat } = await startMailingChat(t, { rateLimit: "on" });
  const statuses = async (email: (count: number) => string, times: number) => {
    const found: number[] = [];
    for (let count = 0; count < times; count++) found.push((await askFor(chat, email(count))).status);
    return found;
  };
  for (const name of ["hamlet", "nobody"])
    assert.deepEqual(await statuses(() => `${name}@example.com`, 4), [200, 200, 200, 429]);
  const others = await statuses((count) => `person${count}@example.com`, 20);
  assert.deepEqual([others.at(0), others.at(-1)], [200, 429]);
});

test("a mailed link expires after an hour, and leaves an administrator's link valid", async (t) => {
  const { chat, server, send, clock } = await startMailingChat(t);
  const made = await chat.as("iago").post("/host/sign-in-links", { user_id: chat.ids["hamlet"] });
  await askFor(chat, "hamlet@example.com");
  await send();
  const open = (token: string) => chat.anonymous("POST", "/host/sign-in-links/open", { token });
  assert.equal((await open(made["link"].split("#")[1])).result, "success");
  assert.equal((await open(tokenIn(server.mails[0]?.text))).result, "success");
  clock.now += 61 * MINUTE;
  assert.equal((await open(tokenIn(server.mails[0]?.text))).reason, "link_expired");
});

test("the link's token is not stored, and the host of the request is not in the mail", async (t) => {
  const { chat, server, send } = await startMailingChat(t);
  await chat.as("desdemona").patch("/host/settings", { ALLOWED_HOSTS: ["evil.example.com"] });
  await chat.anonymous("POST", "/host/reset-mails", { email: "hamlet@example.com" }, { host: "evil.example.com" });
  const stored = JSON.stringify(chat.server.app.store.reader.all("SELECT * FROM mails"));
  await send();
  const token = tokenIn(server.mails[0]?.text);
  assert.ok(token);
  assert.doesNotMatch(server.mails[0]?.raw ?? "", /evil/);
  assert.equal(stored.includes(token), false);
});

test("invitations by address are mailed, unless the inviter forwards the links", async (t) => {
  const { chat, server, send } = await startMailingChat(t);
  const invite = (email: string, more = {}) =>
    chat.as("desdemona").post("/invites", { invitee_emails: email, stream_ids: [], ...more });
  const mailed = await invite("new@example.org");
  assert.equal(mailed["emails_sent"], true);
  const kept = await invite("other@example.org", { send_emails: false });
  assert.equal(kept["emails_sent"], false);
  await send();
  assert.deepEqual(
    server.mails.map(({ receivers, subject }) => [receivers, subject]),
    [[["new@example.org"], "Desdemona invites you to Venice"]],
  );
  const token = /https:\/\/chat\.example\.org\/join\/([\w-]+)\//.exec(server.mails[0]?.text ?? "")?.[1];
  assert.equal(mailed["invitations"][0].invite_link.includes(token), true);
});

test("imported people get their claim links by mail if the inviter wants", async (t) => {
  const { chat, server, send } = await startMailingChat(t, { unwatched: true });
  const { stubId } = importSmall(chat);
  const invite = async (send_emails: boolean) =>
    (await chat.as("iago").post("/host/claim-invitations", { user_ids: [stubId], send_emails }))["invitations"][0];
  assert.equal((await invite(false)).is_mailed, false);
  const { is_mailed, invite_link } = await invite(true);
  assert.equal(is_mailed, true);
  await send();
  const [mail] = server.mails as ReceivedMail[];
  assert.deepEqual([server.mails.length, mail?.receivers], [1, ["yorick@example.com"]]);
  const token = /https:\/\/chat\.example\.org\/join\/([\w-]+)\//.exec(mail?.text ?? "")?.[1];
  assert.equal(invite_link.includes(token), true);
  assert.match(mail?.text ?? "", /take over your account/);
});

test("a revoked invitation is not mailed, and an invitation can be mailed again a few times", async (t) => {
  const { chat, server, send } = await startMailingChat(t, { rateLimit: "on" });
  const owner = chat.as("desdemona");
  await owner.post("/invites", { invitee_emails: "a@example.org, b@example.org", stream_ids: [] });
  const { invites } = await owner.get("/invites");
  const idOf = (email: string) => invites.find((one: any) => one.email === email).id;
  await owner.delete(`/invites/${idOf("a@example.org")}`);
  await send();
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++)
    statuses.push((await owner.post(`/invites/${idOf("b@example.org")}/resend`)).status);
  await send();
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
  assert.deepEqual(
    server.mails.flatMap(({ receivers }) => receivers),
    ["b@example.org", "b@example.org"],
  );
});

test("a sign-in from a new source is mailed, the first one and known sources are not", async (t) => {
  const { chat, server, send } = await startMailingChat(t);
  await chat.as("desdemona").patch("/host/settings", { TRUSTED_PROXIES: ["127.0.0.1"] });
  const signInFrom = (address: string) =>
    chat.anonymous("POST", "/fetch_api_key", OWNER, { "x-forwarded-for": address, "user-agent": "Evil Browser" });
  for (const address of ["198.51.100.1", "198.51.100.1"]) assert.equal((await signInFrom(address)).result, "success");
  await send();
  assert.deepEqual(server.mails, []);
  await signInFrom("198.51.100.2");
  await signInFrom("198.51.100.2");
  await send();
  assert.equal(server.mails.length, 1);
  assert.match((server.mails as ReceivedMail[])[0]?.text ?? "", /198\.51\.100\.2/);
  await chat.as("desdemona").patch("/settings", { enable_login_emails: false });
  await signInFrom("198.51.100.3");
  await send();
  assert.equal(server.mails.length, 1);
});
