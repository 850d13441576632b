/// <reference lib="dom" />
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBothThemes, visit } from "../support/browser.ts";
import { cannedPages } from "../support/canned-pages.ts";
import { until } from "../support/patience.ts";
import { announced, call, dataFolder, emptyFolder, hearth } from "../support/server-process.ts";
import { personWith } from "../support/signing-in.ts";

/** `hearth serve` on an empty folder, and the address with the code that it printed. */
async function serveNothing(t: TestContext) {
  const folder = emptyFolder(t);
  const server = hearth(t, ["serve", "--data", folder, "--port", "0", "--rate-limit", "off"]);
  const url = await announced(server);
  const withCode = await until(() => /http:\S+#code=[A-Z0-9-]+/.exec(server.stderr)?.[0], "the code");
  return { server, url, withCode, folder };
}

async function fill(page: Page, answers: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(answers)) await page.getByLabel(label, { exact: true }).fill(value);
}

const ANSWERS = {
  "Name of the organization": "Rowing Club",
  "Your name": "Ann",
  "Your email address": "ann@example.org",
  Password: "oar and anchor 9",
};
/** What Chromium says of a server that goes away, by how far it got: a connection that is open still gets a 503. */
const NO_CONNECTION =
  /net::ERR_(?:CONNECTION_(?:REFUSED|RESET|CLOSED|ABORTED)|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE)|status of 503/;
const STRONG = /Strength: (good|strong)/;

test("a first run looks into a backup and restores it", async (t) => {
  const { withCode, folder } = await serveNothing(t);
  const { path } = await dataFolder(t);
  const file = join(path, "backup.tar");
  const made = hearth(t, ["backup", "--data", path, "--to", file], { HEARTH_BACKUP_PASSPHRASE: "a boat of our own" });
  assert.equal((await made.ended).code, 0);
  const { page, complaints } = await visit(t, withCode);
  await page.getByRole("button", { name: "Restore a backup instead" }).click();
  await page.getByRole("heading", { name: "Restore a backup" }).waitFor();
  const look = page.getByRole("button", { name: "Look inside" });
  await look.click();
  await page.getByText("Say where the backup is.").waitFor();
  await fill(page, { "The backup's file": join(path, "hearth.db") });
  await look.click();
  await page.getByText(/is not a backup of Hearth/).waitFor();
  await fill(page, { "The backup's file": file });
  await look.click();
  await page.getByText(/4 people · \d+ messages? · 0 files/).waitFor();
  await assertAccessibleInBothThemes(page, "a backup in first run", "light");
  await fill(page, { Passphrase: "a boat of others" });
  await page.getByRole("button", { name: "Restore it" }).click();
  await page.getByText(/not the one that this backup was made with/).waitFor();
  await fill(page, { Passphrase: "a boat of our own" });
  await page.getByRole("button", { name: "Restore it" }).click();
  await page.getByRole("heading", { name: /^Sign in/ }).waitFor();
  assert.ok(existsSync(join(folder, "backup.key")));
  const expected = (text: string) => /status of 400/.test(text) || NO_CONNECTION.test(text);
  assert.deepEqual(
    complaints.filter((text) => !expected(text)),
    [],
  );
});

test("first run takes the printed code and leads to Overview", async (t) => {
  const { url, withCode } = await serveNothing(t);
  const { page, complaints } = await visit(t, withCode);
  assert.match(await page.getByLabel("One-time code").inputValue(), /^[A-Z0-9-]{6,}$/);
  assert.equal(new URL(page.url()).hash, "", "the code is out of the address");
  await page.reload();
  assert.match(await page.getByLabel("One-time code").inputValue(), /^[A-Z0-9-]{6,}$/, "and is there after a reload");
  await fill(page, ANSWERS);
  await page.getByText(STRONG).first().waitFor();
  await page.getByRole("button", { name: "Create Rowing Club" }).click();

  await page.getByRole("heading", { name: "Rowing Club", exact: true }).waitFor();
  await page.getByText("1 of 5 done").waitFor();
  await page.locator("main:focus").waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.length), 0, "the code is forgotten");
  await page.getByText("Nobody is online.").waitFor();

  await page.getByRole("button", { name: "Add a person" }).click();
  await fill(page, { Name: "Bo", "Email address": "bo@example.org", "First password": "a boat of his own" });
  await page.getByRole("button", { name: "Add Bo" }).click();
  await page.getByText("2 of 5 done").waitFor();
  await page.getByText("Ann added Bo").waitFor();
  await page.getByRole("button", { name: "Another person" }).and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: "Another channel" }).click();
  await fill(page, { Name: "regatta" });
  await page.getByRole("button", { name: "Create it" }).click();
  await page.getByText("Ann made the channel regatta").waitFor();

  const bo = await personWith(url, "bo@example.org", "a boat of his own");
  await call(url, bo, "POST /users/me/subscriptions", { subscriptions: [{ name: "regatta" }] });
  const { queue_id } = await call(url, bo, "POST /register", {});
  await call(url, bo, "GET /events", { queue_id, last_event_id: -1, dont_block: true });
  await page.getByText("1 person").waitFor();
  for (const count of [1, 2, 3]) {
    const sent = await call(url, bo, "POST /messages", {
      type: "channel",
      to: "regatta",
      topic: "boats",
      content: "x",
    });
    assert.equal(sent.status, 200);
    const answered = performance.now();
    await page.getByText(`${count} in all`).waitFor();
    t.diagnostic(`shown ${(performance.now() - answered).toFixed()} ms after the send was answered`);
    await page.getByText(new RegExp(`^${count}\\s*in the last hour$`)).waitFor();
  }
  // They welcome everybody, welcome Bo, and announce the new channel.
  await page.getByText("and 3 notices by Hearth itself").waitFor();
  await page.getByText("4 of 5 done").waitFor();
  // No server answers for a moment after first run, so the page asks again.
  assert.deepEqual(
    complaints.filter((text) => !NO_CONNECTION.test(text)),
    [],
  );
});

/** Counts presses of a mouse. */
const COUNT_CLICKS = `addEventListener("pointerdown", (event) => event.isTrusted && window.countClick(), true)`;

test("two people chat ten clicks after a fresh start, at most", async (t) => {
  const { withCode } = await serveNothing(t);
  let clicks = 0;
  const open = async (url: string) => {
    const { page } = await visit(t, "about:blank", { before: COUNT_CLICKS });
    await page.context().exposeFunction("countClick", () => {
      clicks += 1;
    });
    await page.goto(url);
    return page;
  };
  const began = performance.now();
  const ann = await open(withCode);
  await fill(ann, ANSWERS);
  await ann.getByRole("button", { name: "Create Rowing Club" }).click();
  await ann.getByRole("button", { name: "Invite people" }).click();
  await ann.getByRole("button", { name: "Make the invitation" }).click();
  const invitation = ann.getByRole("dialog", { name: "Link for members" });
  const link = await invitation.getByText("/join/").innerText();
  await invitation.getByRole("button", { name: /^Copy/ }).click();
  await invitation.getByRole("button", { name: "Done" }).click();

  const bo = await open(link);
  await fill(bo, { "Your name": "Bo", "Your email address": "bo@example.org", Password: "a boat of his own" });
  await bo.getByRole("button", { name: /^Join/ }).click();
  await bo.getByRole("textbox", { name: "Message general" }).and(bo.locator(":focus")).waitFor();
  await bo.keyboard.type("Hello, Ann");
  await bo.keyboard.press("Enter");

  await ann.getByRole("link", { name: "Open the chat" }).click();
  await ann.getByRole("main").getByRole("link", { name: "General chat" }).click();
  await ann.getByRole("article").filter({ hasText: "Hello, Ann" }).waitFor();
  await ann
    .getByRole("textbox", { name: /^Message/ })
    .and(ann.locator(":focus"))
    .waitFor();
  await ann.keyboard.type("Hello, Bo");
  await ann.keyboard.press("Enter");
  await bo.getByRole("article").filter({ hasText: "Hello, Bo" }).waitFor();
  t.diagnostic(`two people chat after ${clicks} clicks and ${((performance.now() - began) / 1000).toFixed(1)} s`);
  assert.ok(clicks >= 5 && clicks <= 10, `${clicks} clicks`);
});

test("first run works by keyboard alone", async (t) => {
  const { withCode } = await serveNothing(t);
  const { page } = await visit(t, withCode);
  await page.locator("[name=organization]:focus").waitFor(); // the code is filled in already
  const reached: string[] = [];
  for (const text of Object.values(ANSWERS)) {
    const { name, ring } = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement;
      return { name: element.name, ring: getComputedStyle(element).outlineStyle };
    });
    reached.push(name);
    assert.equal(ring, "solid", `${name} shows that it has the focus`);
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  assert.deepEqual(reached, ["organization", "owner_name", "owner_email", "password"]);
  await page.getByRole("button", { name: "Show the password" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Space");
  assert.equal(await page.getByLabel("Password", { exact: true }).getAttribute("type"), "text");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Rowing Club", exact: true }).waitFor();
});

test("errors appear at their fields, the first has the focus", async (t) => {
  const { withCode } = await serveNothing(t);
  const { page } = await visit(t, withCode.replace(/#.*/, ""));
  const submit = page.getByRole("button", { name: /^Create/ });
  const describes = async (field: string) => {
    const ids = await page.locator(`[name=${field}][aria-invalid=true]`).getAttribute("aria-describedby");
    const texts = (ids ?? "").split(/\s+/).map((id) => page.locator(`[id="${id}"]`).textContent());
    return (await Promise.all(texts)).join(" ");
  };
  await submit.click();
  await page.locator("[name=code]:focus").waitFor();
  assert.match(await describes("code"), /Enter the code/);
  assert.match(await describes("password"), /Choose a password/);

  await fill(page, { ...ANSWERS, "One-time code": "WRONG-CODE" });
  await submit.click();
  await page.getByText("That is not the code.").waitFor();
  await page.locator("[name=code]:focus").waitFor();

  const code = new URL(withCode).hash.slice("#code=".length);
  await fill(page, { "One-time code": code, Password: "short" });
  await page.getByText("Too short yet: 1 more character is needed.").first().waitFor();
  await submit.click();
  await page.locator("[name=password]:focus").waitFor();
  assert.match(await describes("password"), /at least 6 characters/);

  await fill(page, { Password: "password" });
  await page.getByText("Strength: very weak").first().waitFor();
  await fill(page, { "Your email address": "nonsense" });
  await submit.click();
  await page.locator("[name=owner_email]:focus").waitFor();
  assert.match(await describes("owner_email"), /email address/);

  // A weak password gets a warning; only one of the most common passwords is rejected.
  await fill(page, { "Your email address": "ann@example.org" });
  await submit.click();
  await page.locator("[name=password]:focus").waitFor();
  assert.match(await describes("password"), /guessed first/);
  await fill(page, { Password: "tea and oars" });
  await submit.click();
  await page.getByRole("heading", { name: "Rowing Club", exact: true }).waitFor();
});

test("from another machine, first run explains where to go", async (t) => {
  const pages = await cannedPages(t, { session: { setup: true, code_needed: true } });
  const { page } = await visit(t, `${pages.url}/admin/`);
  await page.getByRole("heading", { name: "Set Hearth up on its own computer" }).waitFor();
  await page.getByText(`ssh -L ${new URL(pages.url).port}:127.0.0.1`).waitFor();
  assert.equal(await page.getByRole("textbox").count(), 0);
});

test("a failed request shows an error and keeps the input", async (t) => {
  const { withCode } = await serveNothing(t);
  const { page } = await visit(t, withCode, { viewport: { width: 360, height: 640 } });
  await fill(page, ANSWERS);
  await page.route("**/host/setup", (route) => route.abort());
  await page.getByLabel("Name of the organization").press("Enter");
  const note = page.getByRole("alert").getByText("What you typed is still here");
  await note.waitFor();
  assert.equal(await note.evaluate(isInView), true);
  await page.unroute("**/host/setup");
  await page.getByRole("button", { name: "Create Rowing Club" }).dblclick();
  await page.getByRole("heading", { name: "Rowing Club", exact: true }).waitFor();
});

/** Whether the element is fully visible without scrolling. */
function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}
