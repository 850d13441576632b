import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, assertNone, type Login, visit } from "../support/browser.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { MAIL_USER, refusal, startMailingChat, startMailServer } from "../support/smtp.ts";
import { uiText } from "../support/ui-texts.ts";

const OWNER: Login = { email: "desdemona@example.com", password: "secret-desdemona" };

async function open(t: TestContext, chat: Chat, path: string, as?: Login): Promise<Page> {
  const { page } = await visit(t, `${chat.url}${path}`, as ? { as } : {});
  chat.closePages.push(() => page.close());
  return page;
}

async function assertLooks(page: Page, state: string): Promise<void> {
  await assertFits(page, state);
  await assertAccessibleInBothThemes(page, state);
}

test("an owner sets up a mail server, and sees its refusal and then a sent test mail", async (t) => {
  const server = await startMailServer(t);
  const chat = await startChat(t, { unwatched: true, testing: { smtp: { ca: server.ca } } });
  const page = await open(t, chat, "/admin/#/email", OWNER);
  const { email } = en;
  await page.getByLabel(email.host, { exact: true }).fill("localhost");
  await page.getByLabel(email.port, { exact: true }).fill(String(server.port));
  await page.getByLabel(email.user, { exact: true }).fill(MAIL_USER.user);
  await page.getByLabel(email.from, { exact: true }).fill("hearth@mail.example.org");
  await page.getByRole("button", { name: email.turnOn }).click();
  await page.getByText(/Enter the password for this mail server/).waitFor();
  await page.getByLabel(email.password, { exact: true }).fill("wrong");
  await page.getByRole("button", { name: email.turnOn }).click();
  await page.getByRole("button", { name: email.testSend }).click();
  await page
    .getByRole("alert")
    .getByText(/does not accept the user name and password/)
    .waitFor();
  await page.getByLabel(email.password, { exact: true }).fill(MAIL_USER.password);
  await page.getByRole("button", { name: email.save }).click();
  await page.getByText(email.saved).first().waitFor();
  await page.getByRole("button", { name: email.testSend }).click();
  await page.getByText(uiText("email.testSent", { email: OWNER.email })).waitFor();
  await assertLooks(page, "a sent test mail");
  assert.deepEqual(server.mails[0]?.receivers, [OWNER.email]);
});

test("a forgotten password is reset by mail, from the sign-in page", async (t) => {
  const { chat, server, send } = await startMailingChat(t);
  const page = await open(t, chat, "/");
  await page.getByText(en.signIn.forgot).click();
  const form = page.locator("details");
  await form.getByLabel(en.signIn.email).fill(OWNER.email);
  await form.getByRole("button", { name: en.signIn.sendLink }).click();
  await page.getByText(uiText("signIn.linkSent", { email: OWNER.email })).waitFor();
  await assertLooks(page, "the link is sent");
  await send();
  const [, token] = /\/reset\/#([\w-]+)/.exec(server.mails[0]?.text ?? "") ?? [];
  await page.goto(`${chat.url}/reset/#${token}`);
  await page.getByLabel(en.reset.newPassword, { exact: true }).fill("to sleep, perchance");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: en.reset.done }).waitFor();
});

test("without a mail server, the sign-in page and the settings promise no mail", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const page = await open(t, chat, "/#settings/notifications", OWNER);
  await page.getByRole("heading", { name: en.ownSettings.groups.desktop }).waitFor();
  await assertNone(page.getByRole("heading", { name: en.ownSettings.groups.email, exact: true }));
  const signIn = await open(t, chat, "/");
  await signIn.getByText(en.signIn.forgot).click();
  await signIn.getByText(en.signIn.forgotAsk).waitFor();
  await assertNone(signIn.getByRole("button", { name: en.signIn.sendLink }));
});

test("a person tests their own mails, and retries a refused address", async (t) => {
  const { chat, server, send, clock } = await startMailingChat(t);
  server.onReceiver = () => refusal(550, "5.1.1 unknown");
  await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["desdemona"]], content: "hello" });
  clock.now += 2 * 60_000;
  await send();
  const page = await open(t, chat, "/#settings/notifications", OWNER);
  const { email } = en.ownSettings;
  await page.getByText(uiText("ownSettings.email.refused", { response: "550 5.1.1 unknown" })).waitFor();
  await assertLooks(page, "a refused address");
  server.onReceiver = () => undefined;
  await page.getByRole("button", { name: email.test }).click();
  await page.getByText(uiText("ownSettings.email.sent", { email: OWNER.email })).waitFor();
  await page.getByRole("button", { name: email.retry }).waitFor({ state: "detached" });
});

test("an administrator retries the refused address of a person", async (t) => {
  const { chat, server, send, clock } = await startMailingChat(t);
  server.onReceiver = () => refusal(550, "5.1.1 unknown");
  await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["hamlet"]], content: "hello" });
  clock.now += 2 * 60_000;
  await send();
  const page = await open(t, chat, `/admin/#/people?open=${chat.ids["hamlet"]}`, OWNER);
  await page.getByText(/refuses Hamlet's email address.*550 5\.1\.1 unknown/).waitFor();
  await page.getByRole("button", { name: en.people.mailRetry }).click();
  await page.getByRole("button", { name: en.people.mailRetry }).waitFor({ state: "detached" });
  assert.deepEqual((await chat.as("desdemona").get("/host/failing-addresses"))["failing_addresses"], []);
});

test("invitations are sent by mail if the inviter wants it", async (t) => {
  const { chat, server, send } = await startMailingChat(t);
  const page = await open(t, chat, "/admin/#/invitations?do=invite", OWNER);
  const dialog = page.getByRole("dialog");
  await dialog.getByText(en.invite.email, { exact: true }).click();
  await dialog.getByLabel(en.invite.emails).fill("new@example.org");
  assert.equal(await dialog.getByLabel(en.invite.sendEmails).isChecked(), true);
  await assertLooks(page, "an invitation by mail");
  await dialog.getByRole("button", { name: en.invite.make }).click();
  await page.getByText(en.invite.mailed_one).waitFor();
  await send();
  assert.deepEqual(server.mails[0]?.receivers, ["new@example.org"]);
});

test("the unsubscribe page asks first, and says what happened", async (t) => {
  const { chat } = await startMailingChat(t);
  const token = chat.server.app.mailKeys.unsubscribeToken(chat.ids["hamlet"] ?? 0);
  const page = await open(t, chat, `/unsubscribe/#${token}`);
  await page.getByRole("heading", { name: en.unsubscribe.title }).waitFor();
  await assertLooks(page, "the question");
  const setting = async () =>
    (await chat.register("hamlet")).state["user_settings"]?.["enable_offline_email_notifications" as "enter_sends"];
  assert.equal(await setting(), true);
  await page.getByRole("button", { name: en.unsubscribe.submit }).click();
  await page.getByRole("heading", { name: en.unsubscribe.done }).waitFor();
  assert.equal(await setting(), false);
  const forged = await open(t, chat, `/unsubscribe/#${token}x`);
  await forged.getByRole("button", { name: en.unsubscribe.submit }).click();
  await forged.getByRole("heading", { name: en.unsubscribe.invalid }).waitFor();
});
