import assert from "node:assert/strict";
import test from "node:test";
import type { Page, Request } from "playwright-core";
import { assertAccessible, assertFits, visit } from "../support/browser.ts";
import { cannedPages, OWNER } from "../support/canned-pages.ts";
import { busyState } from "../support/host-states.ts";
import { call, dataFolder, type Person, serve } from "../support/server-process.ts";
import { personWith } from "../support/signing-in.ts";

const OWNER_SIGN_IN = { username: "owner@example.com", password: "secret-owner" };

async function signIn(page: Page, { username, password }: { username: string; password: string }): Promise<void> {
  await page.getByLabel("Email address").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

test("an owner signs in, reloads and signs out", async (t) => {
  const { url } = await serve(t, (await dataFolder(t)).path);
  const { page, complaints } = await visit(t, `${url}/admin/`);
  await page.getByRole("heading", { name: "Sign in to Venice" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/admin/");
  await signIn(page, OWNER_SIGN_IN);
  await page.getByRole("heading", { name: "Venice", exact: true }).waitFor();
  await page.waitForFunction(() => document.title === "Venice – Hearth");
  await page.reload();
  await page.getByRole("heading", { name: "Venice", exact: true }).waitFor();
  assert.deepEqual(complaints, []);

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to Venice" }).waitFor();
  assert.equal(await page.getByText("You have been signed out.").count(), 0, "that was wanted");
  await page.reload();
  await page.getByRole("heading", { name: "Sign in to Venice" }).waitFor();
});

test("a wrong password shows an error and keeps the input", async (t) => {
  const { url } = await serve(t, (await dataFolder(t)).path);
  const { page } = await visit(t, `${url}/admin/`);
  await signIn(page, { ...OWNER_SIGN_IN, password: "guess" });
  await page.getByRole("alert").getByText("The email address or the password is not right.").waitFor();
  assert.equal(await page.getByLabel("Email address").inputValue(), OWNER_SIGN_IN.username);

  await page.getByText("Forgot your password?").click();
  await page.getByText("Ask an administrator for a link.").waitFor();
  await page.getByText("hearth -- sign-in-link --data DIR --email EMAIL").waitFor();

  await page.getByLabel("Email address").fill("");
  await page.keyboard.press("Enter");
  await page.getByText("Enter your email address.").waitFor();
  await page.locator("[name=username]:focus").waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
});

test("each role gets the pages that are for it, also when it changes", async (t) => {
  const { path, people } = await dataFolder(t);
  const { url } = await serve(t, path);
  const owner = people[0] as Person;
  const cleo = { email: "cleo@example.com", full_name: "Cleo", password: "by the nile" };
  const { user_id } = await call(url, owner, "POST /users", cleo);
  const { page, complaints } = await visit(t, `${url}/admin/`);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await signIn(page, { username: cleo.email, password: cleo.password });

  // A member looks after bots and invitations of her own.
  await page.getByRole("heading", { name: "What you can do here" }).waitFor();
  const may = page.getByRole("region", { name: "You may", exact: true });
  await may.getByText("Create bots of every kind").waitFor();
  const mayNot = page.getByRole("region", { name: "You may not" });
  await mayNot.getByText("Make invitation links").waitFor();
  await mayNot.getByText(/^Owners and administrators decide this: \w+\.$/).waitFor();
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await assertAccessible(page, `what a member can do, ${scheme}`);
  }
  const pages = page.getByRole("navigation", { name: "Pages" });
  assert.deepEqual(await pages.getByRole("link").allTextContents(), [
    "What you can do",
    "Invitations",
    "Groups",
    "Channels",
    "Bots",
    "Webhooks",
    "Integrations",
    "Emoji",
  ]);
  await page.evaluate(() => location.assign("#/data"));
  await page.getByRole("heading", { name: "This page is not for you" }).waitFor();
  await page.keyboard.press("Control+K");
  await page.getByRole("textbox", { name: "A person, a channel" }).fill("invitation links");
  await page.getByText("Nothing has this name.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "What you can do" }).last().click();

  await page.getByRole("button", { name: "Invite people" }).click();
  const invitation = page.getByRole("dialog", { name: "Invite people" });
  assert.equal(await invitation.getByText("A link for many").count(), 0, "that needs a permission");
  await invitation.getByLabel("Email addresses").fill("bo@example.org");
  await invitation.getByRole("button", { name: "Make the invitation" }).click();
  await page.getByRole("dialog", { name: "bo@example.org" }).getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Revoke: bo@example.org" }).waitFor();
  const bot = await call(url, await personWith(url, cleo.email, cleo.password), "POST /bots", {
    full_name: "Weather",
    short_name: "weather",
    bot_type: 2,
  });
  assert.equal(bot.status, 200);
  await page.getByRole("region", { name: "Your bots" }).getByRole("link", { name: "Weather" }).waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  await assertFits(page, "what a member can do, at 360 px");
  await page.setViewportSize({ width: 1280, height: 800 });
  assert.ok(!asked.includes("/host/state"), "it does not even ask for what she may not see");

  // An administrator has all but the machine, without a new sign-in.
  assert.equal((await call(url, owner, `PATCH /users/${user_id}`, { role: 200 })).status, 200);
  await page.getByRole("heading", { name: "How people connect" }).waitFor();
  await page.getByText("Running for").waitFor();
  for (const ownersOnly of ["Disk left", "Recent changes", "How to open it"])
    assert.equal(await page.getByText(ownersOnly).count(), 0, ownersOnly);
  for (const path of ["data", "backups", "network", "audit", "logs"]) {
    await page.evaluate((hash) => location.assign(hash), `#/${path}`);
    await page.getByRole("heading", { name: "This page is not for you" }).waitFor();
  }

  assert.deepEqual(complaints, []);

  // A guest has the chat.
  assert.equal((await call(url, owner, `PATCH /users/${user_id}`, { role: 600 })).status, 200);
  await page.getByRole("heading", { name: "Hello, Cleo" }).waitFor();
  await page.getByText("guests have nothing to look after here").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to Venice" }).waitFor();
});

for (const [what, answer, said] of [
  ["a deactivated account", { code: "USER_DEACTIVATED", msg: "…" }, "deactivated"],
  ["too many attempts", { code: "RATE_LIMIT_HIT", msg: "…", "retry-after": 1234.5 }, "Try again in 21 minutes."],
  ["a page at another address", { code: "BAD_ORIGIN", msg: "…" }, "Open it again from the address bar."],
  ["anything else", { code: "NEW_RULE", msg: "Not on Sundays." }, "Not on Sundays."],
] as const) {
  test(`signing in explains an error: ${what}`, async (t) => {
    const pages = await cannedPages(t, { session: {}, answers: { "POST /host/session": answer } });
    const { page } = await visit(t, `${pages.url}/admin/`);
    await signIn(page, OWNER_SIGN_IN);
    await page.getByRole("alert").getByText(said).waitFor();
    assert.deepEqual(pages.sent.at(-1), { route: "POST /host/session", fields: OWNER_SIGN_IN });
  });
}

test("the button keeps the focus and submits once", async (t) => {
  const pages = await cannedPages(t, { session: {}, answers: { "POST /host/session": "hold" } });
  const { page } = await visit(t, `${pages.url}/admin/`);
  await page.getByLabel("Email address").fill(OWNER_SIGN_IN.username);
  await page.getByLabel("Password", { exact: true }).fill(OWNER_SIGN_IN.password);
  const button = page.getByRole("button", { name: "Sign in" });
  await button.focus();
  await page.keyboard.press("Enter");
  await page.locator("form[aria-busy=true]").waitFor();
  await page.keyboard.press("Enter");
  await button.and(page.locator(":focus[aria-disabled=true]")).waitFor();
  assert.deepEqual(
    pages.sent.map(({ route }) => route),
    ["POST /host/session"],
  );
});

test("signing out does not report an ended session", async (t) => {
  const pages = await cannedPages(t, { session: { user: OWNER }, state: busyState() });
  const { page } = await visit(t, `${pages.url}/admin/`);
  await page.route("**/host/session", (route) => route.request().method() === "GET" && route.continue()); // holds DELETE
  await page.getByRole("button", { name: "Sign out" }).click();
  pages.set({ session: {}, answers: { "GET /host/state": 401 } });
  pages.tell(() => {});
  await page.getByRole("heading", { name: "Sign in to Sundbyberg Rowing Club" }).waitFor();
  assert.equal(await page.getByText("You have been signed out.").count(), 0);
});

test("a session that ends after a failed sign-out is reported", async (t) => {
  const pages = await cannedPages(t, { session: { user: OWNER }, state: busyState() });
  const { page } = await visit(t, `${pages.url}/admin/`);
  const isSignOut = (request: Request) => request.method() === "DELETE" && request.url().endsWith("/host/session");
  await page.route("**/host/session", (route) => (isSignOut(route.request()) ? route.abort() : route.continue()));
  const signOut = page.getByRole("button", { name: "Sign out" });
  await signOut.waitFor();
  const asked = page.waitForResponse("**/host/session");
  await signOut.click();
  await (await asked).finished();
  await page.evaluate("fetch('/host/session')"); // answered later
  pages.set({ session: {}, answers: { "GET /host/state": 401 } });
  pages.tell(() => {});
  await page.getByRole("alert").getByText("You have been signed out.").waitFor();
});

test("an ended session leads to the sign-in page with a reason", async (t) => {
  const pages = await cannedPages(t, { session: { user: OWNER }, state: busyState() });
  const { page } = await visit(t, `${pages.url}/admin/`);
  await page.getByRole("heading", { name: "Sundbyberg Rowing Club", exact: true }).waitFor();
  pages.set({ session: {}, answers: { "GET /host/state": 401 } });
  pages.tell(() => {});
  await page.getByRole("heading", { name: "Sign in to Sundbyberg Rowing Club" }).waitFor();
  await page.getByRole("alert").getByText("You have been signed out.").waitFor();
});
