import assert from "node:assert/strict";
import test from "node:test";
import type { Page, Request } from "playwright-core";
import { visit } from "../support/browser.ts";
import { cannedPages, OWNER } from "../support/canned-pages.ts";
import { busyState } from "../support/host-states.ts";
import { call, dataFolder, type Person, serve } from "../support/server-process.ts";

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

test("a member has no access, an administrator all but the machine", async (t) => {
  const { path, people } = await dataFolder(t);
  const { url } = await serve(t, path);
  const cleo = { email: "cleo@example.com", full_name: "Cleo", password: "by the nile" };
  assert.equal((await call(url, people[0] as Person, "POST /users", cleo)).status, 200);
  const { page } = await visit(t, `${url}/admin/`);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await signIn(page, { username: cleo.email, password: cleo.password });
  await page.getByRole("heading", { name: "Hello, Cleo" }).waitFor();
  await page.getByText("for the owners and administrators").waitFor();
  assert.ok(!asked.includes("/host/state"), "it does not even ask for what she may not see");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to Venice" }).waitFor();

  const { user } = await call(url, people[0] as Person, `GET /users/${cleo.email}`);
  const promoted = await call(url, people[0] as Person, `PATCH /users/${user.user_id}`, { role: 200 });
  assert.equal(promoted.status, 200);
  await signIn(page, { username: cleo.email, password: cleo.password });
  await page.getByRole("heading", { name: "How people connect" }).waitFor();
  await page.getByText("Running for").waitFor();
  for (const ownersOnly of ["Disk left", "Recent changes", "How to open it"])
    assert.equal(await page.getByText(ownersOnly).count(), 0, ownersOnly);
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
