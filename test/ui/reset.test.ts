import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, assertNone, visit } from "../support/browser.ts";
import { cannedPages } from "../support/canned-pages.ts";
import { startChat } from "../support/chat.ts";
import { desktopBridge } from "../support/desktop-bridge.ts";
import { dataFolder, type Person, serveHere } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

test("a password reset link works once", async (t) => {
  const folder = await dataFolder(t);
  const { url } = await serveHere(t, folder.path);
  const [owner, hamlet] = folder.people as [Person, Person];
  const made = await fetch(`${url}/host/sign-in-links`, {
    method: "POST",
    headers: { authorization: owner.authorization },
    body: new URLSearchParams({ user_id: String(hamlet.id) }),
  });
  const { link } = (await made.json()) as { link: string };
  const { page, complaints } = await visit(t, link);
  await page.setViewportSize({ width: 360, height: 640 });
  await page.getByRole("heading", { name: uiText("reset.hello", { name: "Hamlet" }) }).waitFor();
  const password = page.getByLabel(en.reset.newPassword, { exact: true });
  await password.and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: en.reset.submit }).click();
  await page.getByText(en.errors.missing.password).waitFor();
  await password.fill("hamlet@example.com");
  await page.keyboard.press("Enter");
  await page.getByText(/consists of your name/).waitFor();
  await assertLooks(page, "refused");
  await password.fill("to sleep, perchance");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: en.reset.done }).and(page.locator(":focus")).waitFor();
  await assertLooks(page, "done");
  await page.getByText(likeText(uiText("reset.next", { email: "hamlet@example.com", address: "{{}}" }))).waitFor();
  assert.equal(await page.getByRole("link", { name: en.reset.toChat }).getAttribute("href"), "/");
  assert.ok(!complaints.some((line) => !/400/.test(line)), complaints.join());
  const signIn = await fetch(`${url}/api/v1/fetch_api_key`, {
    method: "POST",
    body: new URLSearchParams({ username: "hamlet@example.com", password: "to sleep, perchance" }),
  });
  assert.equal(signIn.status, 200);
  assert.deepEqual(await page.context().cookies(), [], "nobody is signed in by it");
  await page.reload();
  await page.getByRole("heading", { name: en.reset.invalidLink }).and(page.locator(":focus")).waitFor();
  await assertLooks(page, "void");
});

test("no page of the link shows a hidden email address", async (t) => {
  const person = { full_name: "Hamlet", email: null, organization: "Denmark" };
  const answers = { "POST /host/sign-in-links/open": person, "POST /host/password-resets": {} };
  const pages = await cannedPages(t, { session: {}, answers });
  const { page } = await visit(t, `${pages.url}/reset/index.html#token`);
  await page.getByLabel(en.reset.newPassword, { exact: true }).fill("to sleep, perchance");
  await assertNone(page.locator("input[name=username]"));
  await page.keyboard.press("Enter");
  await page.getByText(likeText(en.reset.nextHidden)).waitFor();
  await assertLooks(page, "done, with a hidden address");
});

test("a failed request offers to try again", async (t) => {
  const pages = await cannedPages(t, { session: {}, answers: { "POST /host/sign-in-links/open": 500 } });
  const { page } = await visit(t, `${pages.url}/reset/index.html#token`);
  const again = page.getByRole("button", { name: en.app.tryAgain });
  await again.waitFor();
  await assertLooks(page, "no answer");
  const person = { full_name: "Hamlet", email: "hamlet@example.com", organization: "Denmark" };
  pages.set({ answers: { "POST /host/sign-in-links/open": person } });
  await again.click();
  await page.getByRole("heading", { name: uiText("reset.hello", { name: "Hamlet" }) }).waitFor();
});

/** Checks the page in both themes. */
async function assertLooks(page: Page, what: string): Promise<void> {
  await assertFits(page, what);
  await assertAccessibleInBothThemes(page, what, "light");
}

test("an invalid link says so", async (t) => {
  const { url } = await serveHere(t, (await dataFolder(t)).path);
  for (const path of ["/reset/", "/reset/#nothing"]) {
    const { page } = await visit(t, `${url}${path}`);
    await page.getByRole("heading", { name: en.reset.invalidLink }).waitFor();
  }
});

test("the operator sets an owner's password", async (t) => {
  const operatorToken = "operator's own";
  const chat = await startChat(t, { unwatched: true, operatorToken });
  // Like main/protocol.ts for the window. Requests of a shared worker would lack it.
  const extraHTTPHeaders = { authorization: `Bearer ${operatorToken}` };
  const { page } = await visit(t, `${chat.url}/admin/#/people?open=${chat.ids["desdemona"]}`, {
    before: `${desktopBridge}; delete window.SharedWorker;`,
    extraHTTPHeaders,
  });
  const drawer = page.getByRole("dialog").first();
  await drawer.getByRole("tab", { name: en.people.tabs.signIn }).click();
  const password = drawer.getByLabel(en.people.ownerPasswordNew, { exact: true });
  const set = drawer.getByRole("button", { name: uiText("people.ownerPasswordSet", { name: "Desdemona" }) });
  await set.click();
  await drawer.getByText(en.errors.missing.password).waitFor();
  await password.fill("the handkerchief");
  await assertAccessibleInBothThemes(page, "an owner's password");
  await set.click();
  await page.getByText(uiText("people.ownerPasswordDone", { name: "Desdemona" })).waitFor();
  const params = { username: "desdemona@example.com", password: "the handkerchief" };
  assert.equal((await chat.anonymous("POST", "/fetch_api_key", params)).result, "success");
  // No other user's password is set there.
  await page.goto(`${chat.url}/admin/#/people?open=${chat.ids["iago"]}`);
  await drawer.getByRole("heading", { name: "Iago" }).waitFor();
  await drawer.getByRole("tab", { name: en.people.tabs.signIn }).click();
  await drawer.getByRole("button", { name: en.people.makeLink }).waitFor();
  await assertNone(password);
});
