import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { startChat } from "../support/chat.ts";
import { MAIL_USER, refusal, smtpSettingFor, startMailingChat, startMailServer } from "../support/smtp.ts";

const PLAIN = { host: "mail.example.org", port: 25, security: "none", user: null, from_address: "a@example.org" };

test("without a mail server, nothing is promised or sent", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const before = await chat.anonymous("GET", "/server_settings");
  assert.equal(before["realm_sends_email"], false);
  await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["hamlet"]], content: "hello" });
  assert.equal(chat.server.app.store.reader.value("SELECT count(*) FROM missed_mails"), 0);
  const refused = await chat.anonymous("POST", "/host/reset-mails", { email: "hamlet@example.com" });
  assert.deepEqual([refused.status, refused.reason], [400, "mail_off"]);
});

test("only owners read and change the mail server", async (t) => {
  const { chat, server } = await startMailingChat(t);
  for (const name of ["iago", "hamlet", "polonius", "bot"]) {
    for (const answer of [
      await chat.as(name).get("/host/mail"),
      await chat.as(name).put("/host/mail", { smtp: null }),
      await chat.as(name).post("/host/mail/test"),
    ])
      assert.equal(answer.result, "error", name);
  }
  assert.equal((await chat.as("desdemona").get("/host/mail"))["smtp"].port, server.port);
  assert.deepEqual(server.mails, []);
});

test("the password is never returned, logged or stored in clear", async (t) => {
  const { chat } = await startMailingChat(t);
  const owner = chat.as("desdemona");
  const answers = [await owner.get("/host/mail"), await owner.get("/host/settings"), await owner.get("/host/audit")];
  assert.equal(answers[0]?.["has_password"], true);
  await chat.server.app.store.durable();
  const files = readdirSync(chat.folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(chat.folder, name))
    .filter((path) => statSync(path).isFile());
  const texts = [
    ...answers.map((answer) => JSON.stringify(answer)),
    ...files.map((path) => readFileSync(path, "latin1")),
  ];
  for (const text of texts) assert.equal(text.includes(MAIL_USER.password), false);
});

test("another mail server does not get the stored password", async (t) => {
  const { chat, server } = await startMailingChat(t);
  const other = await startMailServer(t);
  const owner = chat.as("desdemona");
  const refused = await owner.put("/host/mail", { smtp: smtpSettingFor(other) });
  assert.deepEqual([refused.status, refused.reason, refused["var_name"]], [400, "smtp_password_missing", "password"]);
  // The same call as for other settings does not refuse, but the password does not open.
  await owner.patch("/host/settings", { SMTP: smtpSettingFor(other) });
  assert.equal((await owner.get("/host/mail"))["has_password"], false);
  const tested = await owner.post("/host/mail/test");
  assert.equal(tested["problem"].reason, "smtp_password_missing");
  assert.deepEqual([other.signIns, server.signIns], [[], []]);
});

test("unchanged servers keep their password", async (t) => {
  const { chat, server } = await startMailingChat(t);
  const owner = chat.as("desdemona");
  const smtp = { ...smtpSettingFor(server), from_name: "Our chat" };
  assert.equal((await owner.put("/host/mail", { smtp })).result, "success");
  assert.equal((await owner.post("/host/mail/test"))["problem"], null);
  assert.deepEqual(server.mails[0]?.from, { name: "Our chat", address: "hearth@mail.example.org" });
});

for (const security of ["tls", "starttls"] as const)
  test(`a test mail arrives over ${security}, with a verified certificate`, async (t) => {
    const { chat, server } = await startMailingChat(t, { security });
    const answer = await chat.as("desdemona").post("/host/mail/test", { to: "someone@example.org" });
    assert.deepEqual([answer["to"], answer["problem"]], ["someone@example.org", null]);
    const [mail] = server.mails;
    assert.deepEqual([mail?.receivers, mail?.sender], [["someone@example.org"], "hearth@mail.example.org"]);
    assert.deepEqual([mail?.subject, mail?.header("auto-submitted")], ["Test email from Venice", "auto-generated"]);
    assert.deepEqual(server.signIns, [`${MAIL_USER.user}:${MAIL_USER.password}`]);
  });

test("a certificate of an unknown authority is refused before the password is sent", async (t) => {
  const server = await startMailServer(t);
  const { chat } = await startMailingChat(t, { server, testing: { smtp: {} } });
  const { problem } = (await chat.as("desdemona").post("/host/mail/test")) as any;
  assert.equal(problem.reason, "smtp_certificate_refused", problem.msg);
  assert.deepEqual(server.signIns, []);
});

test("a server without STARTTLS gets no password", async (t) => {
  const server = await startMailServer(t, { security: "none" });
  const { chat } = await startMailingChat(t, { server, security: "starttls" });
  const { problem } = (await chat.as("desdemona").post("/host/mail/test")) as any;
  assert.equal(problem.reason, "smtp_encryption_failed", problem.msg);
  assert.deepEqual([server.signIns, server.mails], [[], []]);
});

test("a test mail names the error of the mail server", async (t) => {
  const { chat, server } = await startMailingChat(t, { testing: { smtp: { timeoutMs: 300 } } });
  const owner = chat.as("desdemona");
  const reason = async (smtp: object, password: string | undefined = MAIL_USER.password) => {
    const set = await owner.put("/host/mail", { smtp: { ...smtpSettingFor(server), ...smtp }, password });
    assert.equal(set.result, "success", set.msg);
    return (await owner.post("/host/mail/test"))["problem"]?.reason;
  };
  assert.equal(await reason({ host: "mail.invalid" }), "smtp_host_not_found");
  assert.equal(await reason({ port: 1 }), "smtp_connection_refused");
});

test("a wrong password, and refused senders and receivers, have their own errors", async (t) => {
  const { chat, server } = await startMailingChat(t);
  const owner = chat.as("desdemona");
  const reason = async () => {
    const { problem } = (await owner.post("/host/mail/test")) as any;
    return [problem.reason, /5\.7\.\d/.test(problem.msg)];
  };
  server.onSender = () => refusal(553, "5.7.1 Not your address");
  assert.deepEqual(await reason(), ["smtp_sender_refused", true]);
  server.onSender = () => undefined;
  server.onReceiver = () => refusal(550, "5.7.2 No such mailbox");
  assert.deepEqual(await reason(), ["smtp_receiver_refused", true]);
  await owner.put("/host/mail", { smtp: smtpSettingFor(server), password: "wrong" });
  assert.deepEqual(await reason(), ["smtp_sign_in_refused", true]);
});

test("a silent mail server is a timeout", async (t) => {
  const server = await startMailServer(t, { options: { onConnect: () => {} } });
  const { chat } = await startMailingChat(t, { server, testing: { smtp: { ca: server.ca, timeoutMs: 300 } } });
  assert.equal((await chat.as("desdemona").post("/host/mail/test"))["problem"].reason, "smtp_timeout");
});

test("invalid settings are refused by name", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const owner = chat.as("desdemona");
  for (const [name, wrong] of [
    ["smtp", PLAIN],
    ["smtp", { ...PLAIN, accept_plaintext: true, port: 0 }],
    ["smtp", { ...PLAIN, accept_plaintext: true, from_address: "a@b.org>\r\nBcc: x@y.org" }],
    ["smtp", { ...PLAIN, accept_plaintext: true, from_name: "A\nB" }],
    ["smtp", { ...PLAIN, accept_plaintext: true, host: "a b" }],
    ["public_url", "https://chat.example.org/path"],
    ["public_url", "javascript:alert(1)"],
  ] as const) {
    const refused = await owner.put("/host/mail", { [name]: wrong });
    assert.deepEqual([refused.status, refused["var_name"]], [400, name], JSON.stringify(wrong));
  }
  const accepted = await owner.put("/host/mail", { smtp: { ...PLAIN, accept_plaintext: true } });
  assert.equal(accepted.result, "success", accepted.msg);
});

test("pages learn immediately that the server sends mails", async (t) => {
  const chat = await startChat(t);
  const page = await chat.register("hamlet");
  assert.equal(page.state["realm_sends_email"], false);
  await chat.as("desdemona").put("/host/mail", { smtp: { ...PLAIN, host: "127.0.0.1" } });
  const events = await page.events();
  assert.deepEqual(
    events.map(({ type, data }) => [type, data]),
    [["realm", { sends_email: true }]],
  );
  assert.equal((await chat.anonymous("GET", "/server_settings"))["realm_sends_email"], true);
});
