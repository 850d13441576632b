import assert from "node:assert/strict";
import test from "node:test";
import { MAIL_USER, refusal, smtpSettingFor, startMailingChat, startMailServer } from "../support/smtp.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

type Mailing = Awaited<ReturnType<typeof startMailingChat>>;

/** Othello writes to Hamlet, and two minutes pass. */
async function missedMessage({ chat, clock, send }: Mailing, content = "hello"): Promise<void> {
  await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["hamlet"]], content });
  clock.now += 2 * MINUTE;
  await send();
}
const stateOf = async ({ chat }: Mailing) => (await chat.as("desdemona").get("/host/mail"))["state"];
const failing = async ({ chat }: Mailing, by: string) =>
  (await chat.as(by).get("/host/failing-addresses"))["failing_addresses"];

test("a mail that is refused for now is sent later, once", async (t) => {
  const mailing = await startMailingChat(t);
  const { server, clock, send } = mailing;
  server.onReceiver = () => refusal(450, "4.2.0 Greylisted");
  await missedMessage(mailing);
  assert.deepEqual(server.mails, []);
  const { waiting, last_failure } = await stateOf(mailing);
  assert.deepEqual([waiting, last_failure.problem.reason], [1, "smtp_refused_for_now"]);
  server.onReceiver = () => undefined;
  await send();
  assert.equal(server.mails.length, 0, "not before the pause ends");
  clock.now += MINUTE;
  await send();
  await send();
  assert.equal(server.mails.length, 1);
  const after = await stateOf(mailing);
  assert.deepEqual([after.waiting, after.last_sent_at], [0, clock.now]);
});

test("mails wait while the mail server is away, also across a restart", async (t) => {
  const first = await startMailServer(t);
  const mailing = await startMailingChat(t, { server: first });
  const { chat, clock, send } = mailing;
  await first.close();
  await missedMessage(mailing);
  assert.equal((await stateOf(mailing)).last_failure.problem.reason, "smtp_connection_refused");
  await chat.restart();
  const second = await startMailServer(t);
  const setting = { smtp: smtpSettingFor(second), password: MAIL_USER.password };
  await chat.as("desdemona").put("/host/mail", setting);
  clock.now += MINUTE;
  await send();
  // The test trusts only the authority of the first server.
  assert.equal((await stateOf(mailing)).last_failure.problem.reason, "smtp_certificate_refused");
  assert.equal((await stateOf(mailing)).waiting, 1);
});

test("a failing mail server gets few attempts, and new settings try immediately", async (t) => {
  const mailing = await startMailingChat(t);
  const { chat, server, clock, send } = mailing;
  await chat.as("desdemona").put("/host/mail", { smtp: smtpSettingFor(server), password: "wrong" });
  await missedMessage(mailing);
  for (let second = 0; second < 30; second++) {
    clock.now += 1000;
    await send();
  }
  assert.equal(server.signIns.length, 1);
  await chat.as("desdemona").put("/host/mail", { smtp: smtpSettingFor(server), password: MAIL_USER.password });
  await send();
  assert.equal(server.mails.length, 1);
  assert.equal((await stateOf(mailing)).last_failure, null);
});

test("a mail that cannot be sent for two days is given up", async (t) => {
  const mailing = await startMailingChat(t);
  const { server, clock, send } = mailing;
  server.onReceiver = () => refusal(450, "4.2.0 Later");
  await missedMessage(mailing);
  clock.now += 2 * DAY;
  await send();
  const { waiting, given_up, last_failure } = await stateOf(mailing);
  assert.deepEqual([waiting, given_up, last_failure.problem.reason], [0, 1, "smtp_refused_for_now"]);
});

test("a restart before the mail is sent loses and repeats nothing", async (t) => {
  const mailing = await startMailingChat(t);
  const { chat, server, clock, send } = mailing;
  await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["hamlet"]], content: "hello" });
  await chat.restart();
  clock.now += 2 * MINUTE;
  await send();
  await chat.restart();
  await send();
  assert.equal(server.mails.length, 1);
});

test("a mail that was accepted before a crash is repeated with the same Message-ID", async (t) => {
  const mailing = await startMailingChat(t);
  const { chat, server, send } = mailing;
  const { store } = chat.server.app;
  let row: Record<string, string | number | null> | undefined;
  server.onMail = () => {
    row ??= store.reader.get("SELECT * FROM mails");
    return undefined;
  };
  await missedMessage(mailing);
  // As after a crash between the acceptance and the deletion of the row.
  const columns = Object.keys(row ?? {});
  store.transact({ actor: null, action: "test" }, (tx) =>
    tx.run(
      `INSERT INTO mails (${columns.join()}) VALUES (${columns.map(() => "?").join()})`,
      ...Object.values(row ?? {}),
    ),
  );
  await send();
  assert.equal(server.mails.length, 2);
  assert.equal(server.mails[1]?.messageId, server.mails[0]?.messageId);
});

test("a permanently refused address pauses until its person or an administrator retries", async (t) => {
  const mailing = await startMailingChat(t);
  const { chat, server } = mailing;
  server.onReceiver = (address) => refusal(550, `5.1.1 <${address}> unknown`);
  await missedMessage(mailing);
  for (const by of ["hamlet", "desdemona", "iago"]) {
    const [{ user_id, response }] = await failing(mailing, by);
    assert.deepEqual([user_id, response], [chat.ids["hamlet"], "550 5.1.1 <hamlet@example.com> unknown"], by);
  }
  server.onReceiver = () => undefined;
  await missedMessage(mailing);
  assert.deepEqual(server.mails, []);
  await chat.as("iago").delete(`/host/failing-addresses/${chat.ids["hamlet"]}`);
  assert.deepEqual(await failing(mailing, "hamlet"), []);
  await missedMessage(mailing, "again");
  assert.equal(server.mails.length, 1);
});

test("members do not see or retry the addresses of others", async (t) => {
  const mailing = await startMailingChat(t);
  const { chat, server } = mailing;
  server.onReceiver = () => refusal(550, "5.1.1 unknown");
  await missedMessage(mailing);
  assert.deepEqual(await failing(mailing, "othello"), []);
  const refused = await chat.as("othello").delete(`/host/failing-addresses/${chat.ids["hamlet"]}`);
  assert.equal(refused.result, "error");
  assert.equal((await failing(mailing, "hamlet")).length, 1);
});

test("administrators do not learn a hidden address from the mail server's response", async (t) => {
  const mailing = await startMailingChat(t);
  const { chat, server } = mailing;
  await chat.as("hamlet").patch("/settings", { email_address_visibility: 4 });
  server.onReceiver = (address) => refusal(550, `<${address}> unknown`);
  await missedMessage(mailing);
  const answer = await failing(mailing, "iago");
  assert.deepEqual([answer.length, answer[0].response], [1, null]);
  assert.doesNotMatch(JSON.stringify(await stateOf(mailing)), /hamlet@/);
});

test("a new address ends the pause, and so does a test mail to your own address", async (t) => {
  const mailing = await startMailingChat(t);
  const { chat, server } = mailing;
  server.onReceiver = (address) => (address.startsWith("hamlet@") ? refusal(550, "unknown") : undefined);
  await missedMessage(mailing);
  const refused = await chat.as("hamlet").post("/host/mail/own-test");
  assert.deepEqual([refused["is_sent"], refused["response"]], [false, "550 unknown"]);
  await chat.as("desdemona").patch(`/users/${chat.ids["hamlet"]}`, { new_email: "prince@example.com" });
  assert.deepEqual(await failing(mailing, "desdemona"), []);
  await missedMessage(mailing);
  assert.deepEqual(server.mails[0]?.receivers, ["prince@example.com"]);
});

test("a refused mail does not mark the address", async (t) => {
  const mailing = await startMailingChat(t);
  mailing.server.onMail = () => refusal(554, "5.7.1 Looks like spam");
  await missedMessage(mailing);
  assert.deepEqual(await failing(mailing, "hamlet"), []);
  const { given_up, last_failure } = await stateOf(mailing);
  assert.deepEqual([given_up, last_failure.problem.reason], [1, "smtp_mail_refused"]);
});

test("turning mails off deletes those that wait", async (t) => {
  const mailing = await startMailingChat(t);
  const { chat, server, send } = mailing;
  server.onReceiver = () => refusal(450, "later");
  await missedMessage(mailing);
  await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["hamlet"]], content: "next" });
  await chat.as("desdemona").put("/host/mail", { smtp: null });
  assert.equal((await stateOf(mailing)).waiting, 0);
  const setting = { smtp: smtpSettingFor(server), password: MAIL_USER.password };
  server.onReceiver = () => undefined;
  await chat.as("desdemona").put("/host/mail", setting);
  await send();
  assert.deepEqual(server.mails, []);
});

test("a mail server that stops responding does not stop the server", async (t) => {
  const reached = Promise.withResolvers<void>();
  const server = await startMailServer(t, { options: { onRcptTo: () => reached.resolve() } });
  const mailing = await startMailingChat(t, { server });
  const { chat, clock } = mailing;
  await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["hamlet"]], content: "hello" });
  clock.now += 2 * MINUTE;
  const sending = chat.server.app.mail.run();
  await reached.promise;
  await chat.restart(); // closes the connection, and waits for the sender
  await sending;
  assert.equal((await stateOf(mailing)).waiting, 1);
});
