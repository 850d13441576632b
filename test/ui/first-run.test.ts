/// <reference lib="dom" />
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertNone, intercept, visit } from "../support/browser.ts";
import { cannedPages } from "../support/canned-pages.ts";
import { until } from "../support/patience.ts";
import { announced, call, dataFolder, emptyFolder, hearth } from "../support/server-process.ts";
import { personWith } from "../support/signing-in.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

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
  [en.firstRun.organization]: "Rowing Club",
  [en.firstRun.owner_name]: "Ann",
  [en.firstRun.owner_email]: "ann@example.org",
  [en.password.label]: "oar and anchor 9",
};
/** Chromium's errors for a closing server, by progress. An open connection still gets a 503. */
const NO_CONNECTION =
  /net::ERR_(?:CONNECTION_(?:REFUSED|RESET|CLOSED|ABORTED)|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE)|status of 503/;
const STRONG = new RegExp(
  [en.password.good, en.password.strong].map((strength) => uiText("password.strength", { strength })).join("|"),
);

test("first run previews a backup and restores it", async (t) => {
  const { withCode, folder } = await serveNothing(t);
  const { path } = await dataFolder(t);
  const file = join(path, "backup.tar");
  const made = hearth(t, ["backup", "--data", path, "--to", file], { HEARTH_BACKUP_PASSPHRASE: "a boat of our own" });
  assert.equal((await made.ended).code, 0);
  const { page, complaints } = await visit(t, withCode);
  await page.getByRole("button", { name: en.restore.instead }).click();
  await page.getByRole("heading", { name: en.restore.title }).waitFor();
  const look = page.getByRole("button", { name: en.restore.look });
  await look.click();
  await page.getByText(en.restore.fileMissing).waitFor();
  await fill(page, { [en.restore.file]: join(path, "hearth.db") });
  await look.click();
  await page.getByText(/is not a Hearth backup/).waitFor();
  await fill(page, { [en.restore.file]: file });
  await look.click();
  await page
    .getByText(
      likeText(
        `${uiText("backups.people", { count: 4 })} · ${en.backups.messages_other} · ${uiText("backups.files", { count: 0 })}`,
      ),
    )
    .waitFor();
  await assertAccessibleInBothThemes(page, "a backup in first run", "light");
  await fill(page, { [en.backups.passphraseField]: "a boat of others" });
  await page.getByRole("button", { name: en.restore.submit }).click();
  await page.getByText(/^The passphrase is wrong\./).waitFor();
  await fill(page, { [en.backups.passphraseField]: "a boat of our own" });
  await page.getByRole("button", { name: en.restore.submit }).click();
  await page.getByRole("heading", { name: likeText(en.signIn.titleNamed) }).waitFor();
  assert.ok(existsSync(join(folder, "backup.key")));
  const expected = (text: string) => /status of 400/.test(text) || NO_CONNECTION.test(text);
  assert.deepEqual(
    complaints.filter((text) => !expected(text)),
    [],
  );
});

test("first run accepts the printed code and leads to Overview", async (t) => {
  const { url, withCode } = await serveNothing(t);
  const { page, complaints } = await visit(t, withCode);
  assert.match(await page.getByLabel(en.firstRun.code).inputValue(), /^[A-Z0-9-]{6,}$/);
  assert.equal(new URL(page.url()).hash, "", "the code is out of the address");
  await page.reload();
  assert.match(await page.getByLabel(en.firstRun.code).inputValue(), /^[A-Z0-9-]{6,}$/, "and is there after a reload");
  await fill(page, ANSWERS);
  await page.getByText(STRONG).first().waitFor();
  await page.getByRole("button", { name: uiText("firstRun.create", { name: "Rowing Club" }) }).click();

  await page.getByRole("heading", { name: "Rowing Club", exact: true }).waitFor();
  await page.getByText(uiText("checklist.done", { done: "1", count: 5 })).waitFor();
  await page.locator("main:focus").waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.length), 0, "the code is forgotten");
  await page.getByText(en.online.empty).waitFor();

  await page.getByRole("button", { name: en.checklist.personAction }).click();
  await fill(page, {
    [en.addPerson.full_name]: "Bo",
    [en.addPerson.email]: "bo@example.org",
    [en.addPerson.password]: "a boat of his own",
  });
  await page.getByRole("button", { name: uiText("addPerson.submit", { name: "Bo" }) }).click();
  await page.getByText(uiText("checklist.done", { done: "2", count: 5 })).waitFor();
  await page.getByText(uiText("audit.userCreated", { actor: "Ann", name: "Bo" })).waitFor();
  await page.getByRole("button", { name: en.checklist.personAgain }).and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: en.checklist.channelAgain }).click();
  await fill(page, { [en.channels.fields.name]: "regatta" });
  await page.getByRole("button", { name: en.channels.create.submit }).click();
  await page.getByText(uiText("audit.channelCreated", { actor: "Ann", name: "regatta" })).waitFor();

  const bo = await personWith(url, "bo@example.org", "a boat of his own");
  await call(url, bo, "POST /users/me/subscriptions", { subscriptions: [{ name: "regatta" }] });
  const { queue_id } = await call(url, bo, "POST /register", {});
  await call(url, bo, "GET /events", { queue_id, last_event_id: -1, dont_block: true });
  await page.getByText(uiText("online.count", { count: 1 })).waitFor();
  for (const count of [1, 2, 3]) {
    const sent = await call(url, bo, "POST /messages", {
      type: "channel",
      to: "regatta",
      topic: "boats",
      content: "x",
    });
    assert.equal(sent.status, 200);
    const answered = performance.now();
    await page.getByText(uiText("messages.total", { count })).waitFor();
    t.diagnostic(`shown ${(performance.now() - answered).toFixed()} ms after the send was answered`);
    await page.getByText(new RegExp(`^${count}\\s*in the last hour$`)).waitFor();
  }
  // System messages welcome everyone, welcome Bo, and announce the new channel.
  await page.getByText(uiText("messages.notices", { count: 3 })).waitFor();
  await page.getByText(uiText("checklist.done", { done: "4", count: 5 })).waitFor();
  // After first run the server is briefly unavailable, so the page retries.
  assert.deepEqual(
    complaints.filter((text) => !NO_CONNECTION.test(text)),
    [],
  );
});

const COUNT_CLICKS = `addEventListener("pointerdown", (event) => event.isTrusted && window.countClick(), true)`;

test("two people chat at most ten clicks after a fresh start", async (t) => {
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
  await ann.getByRole("button", { name: uiText("firstRun.create", { name: "Rowing Club" }) }).click();
  await ann.getByRole("button", { name: en.invitations.action }).click();
  await ann.getByRole("button", { name: en.invite.make }).click();
  const invitation = ann.getByRole("dialog", { name: en.invitations.linkFor.member });
  const link = await invitation.getByText("/join/").innerText();
  await invitation.getByRole("button", { name: likeText(en.copy.copyNamed) }).click();
  await invitation.getByRole("button", { name: en.invitations.done }).click();

  const bo = await open(link);
  await fill(bo, {
    [en.join.full_name]: "Bo",
    [en.join.email]: "bo@example.org",
    [en.password.label]: "a boat of his own",
  });
  await bo.getByRole("button", { name: likeText(en.join.submit) }).click();
  await bo
    .getByRole("textbox", { name: likeText(uiText("chat.compose.placeholder", { title: "{{}}welcome{{}}" })) })
    .and(bo.locator(":focus"))
    .waitFor();
  await bo.keyboard.type("Hello, Ann");
  await bo.keyboard.press("Enter");

  await ann.getByRole("link", { name: en.shell.openChat }).click();
  await ann
    .getByRole("main")
    .getByRole("link", { name: /welcome/ })
    .first()
    .click();
  await ann.getByRole("article").filter({ hasText: "Hello, Ann" }).waitFor();
  await ann
    .getByRole("textbox", { name: likeText(en.chat.compose.placeholder) })
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
  await page.locator("[name=organization]:focus").waitFor(); // the code is already filled in
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
  await page.getByRole("button", { name: en.password.show }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Space");
  assert.equal(await page.getByLabel(en.password.label, { exact: true }).getAttribute("type"), "text");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Rowing Club", exact: true }).waitFor();
});

test("errors appear at their fields and focus the first", async (t) => {
  const { withCode } = await serveNothing(t);
  const { page } = await visit(t, withCode.replace(/#.*/, ""));
  const submit = page.getByRole("button", { name: likeText(en.firstRun.create) });
  const describes = async (field: string) => {
    const ids = await page.locator(`[name=${field}][aria-invalid=true]`).getAttribute("aria-describedby");
    const texts = (ids ?? "").split(/\s+/).map((id) => page.locator(`[id="${id}"]`).textContent());
    return (await Promise.all(texts)).join(" ");
  };
  await submit.click();
  await page.locator("[name=code]:focus").waitFor();
  assert.match(await describes("code"), likeText(en.errors.missing.code));
  assert.match(await describes("password"), likeText(en.errors.missing.password));

  await fill(page, { ...ANSWERS, [en.firstRun.code]: "WRONG-CODE" });
  await submit.click();
  await page.getByText(en.errors.setupCode).waitFor();
  await page.locator("[name=code]:focus").waitFor();

  const code = new URL(withCode).hash.slice("#code=".length);
  await fill(page, { [en.firstRun.code]: code, [en.password.label]: "short" });
  await page
    .getByText(uiText("password.tooShort", { count: 1 }))
    .first()
    .waitFor();
  await submit.click();
  await page.locator("[name=password]:focus").waitFor();
  assert.match(await describes("password"), /at least 6 characters/);

  await fill(page, { [en.password.label]: "password" });
  await page
    .getByText(uiText("password.strength", { strength: en.password.veryWeak }))
    .first()
    .waitFor();
  await fill(page, { [en.firstRun.owner_email]: "nonsense" });
  await submit.click();
  await page.locator("[name=owner_email]:focus").waitFor();
  assert.match(await describes("owner_email"), /email address/);

  // A weak password gets a warning. Only one of the most common passwords is refused.
  await fill(page, { [en.firstRun.owner_email]: "ann@example.org" });
  await submit.click();
  await page.locator("[name=password]:focus").waitFor();
  assert.match(await describes("password"), /too easy to guess/);
  await fill(page, { [en.password.label]: "tea and oars" });
  await submit.click();
  await page.getByRole("heading", { name: "Rowing Club", exact: true }).waitFor();
});

test("first run on another machine explains where to go", async (t) => {
  const pages = await cannedPages(t, { session: { setup: true, code_needed: true } });
  const { page } = await visit(t, `${pages.url}/admin/`);
  await page.getByRole("heading", { name: en.localSetup.title }).waitFor();
  await page.getByText(`ssh -L ${new URL(pages.url).port}:127.0.0.1`).waitFor();
  await assertNone(page.getByRole("textbox"));
});

test("a failed request shows an error and keeps the input", async (t) => {
  const { withCode } = await serveNothing(t);
  const { page } = await visit(t, withCode, { viewport: { width: 360, height: 640 } });
  await fill(page, ANSWERS);
  await intercept(page, "**/host/setup", (route) => route.abort());
  await page.getByLabel(en.firstRun.organization).press("Enter");
  const note = page.getByRole("alert").getByText(en.errors.offlineForm);
  await note.waitFor();
  assert.equal(await note.evaluate(isInView), true);
  await page.unroute("**/host/setup");
  await page.getByRole("button", { name: uiText("firstRun.create", { name: "Rowing Club" }) }).dblclick();
  await page.getByRole("heading", { name: "Rowing Club", exact: true }).waitFor();
});

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}
