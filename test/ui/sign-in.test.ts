import assert from "node:assert/strict";
import test from "node:test";
import type { Page, Request } from "playwright-core";
import { settingTables } from "../../server/api/presenters/setting-tables.ts";
import { en } from "../../ui/locales/en.ts";
import { settingsIn } from "../../ui/parts/settings/setting-tables.ts";
import { assertAccessibleInBothThemes, assertFits, assertNone, intercept, visit } from "../support/browser.ts";
import { cannedPages, OWNER } from "../support/canned-pages.ts";
import { busyState } from "../support/host-states.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { call, dataFolder, type Person, serveHere } from "../support/server-process.ts";
import { personWith } from "../support/signing-in.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

const OWNER_SIGN_IN = { username: "owner@example.com", password: "secret-owner" };

const labels = en.organization as unknown as Record<string, { label: string }>;
const questions: Readonly<Record<string, { label: string }>> = en.organizationPermissions.who;

const WIDTHS = [1280, 640];
/** Widths for roles whose pages other tests have covered with more data. */
const MORE_ON_THEM = IS_LONG_RUN ? WIDTHS : [640];

interface Walk {
  page: Page;
  /** The requests that the server refused. */
  refused: readonly string[];
}

/** Opens each offered page, and these: none shows an error, and all fit with text at 200 %. */
async function walk({ page, refused }: Walk, more: readonly string[], widths = WIDTHS): Promise<void> {
  const links = page.getByRole("navigation", { name: en.shell.pages }).getByRole("link");
  const offered = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).hash));
  const session = await page.context().newCDPSession(page);
  const textSize = (standard: number) => session.send("Page.setFontSizes", { fontSizes: { standard } });
  await textSize(32);
  for (const hash of [...offered, ...more]) {
    await page.evaluate((to) => location.assign(to), hash);
    const shown = hash.includes("open=") ? page.getByRole("dialog") : page.locator("#content");
    await shown.getByRole("heading").first().waitFor();
    await shown.locator("[aria-hidden] .mantine-Skeleton-root").first().waitFor({ state: "detached" });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await assertFits(page, `${hash} at ${width} px, with text of twice the size`);
    }
    assert.deepEqual(await page.getByRole("alert").allTextContents(), [], hash);
    assert.deepEqual(refused, [], hash);
  }
  await textSize(16);
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** An administrator sees the owners' settings and cannot change them. */
async function assertOwnersOnly(page: Page, ownerId: number): Promise<void> {
  await page.evaluate(() => location.assign("#/organization"));
  for (const { name } of settingsIn(settingTables().organization).filter(({ owners_only }) => owners_only))
    await page
      .getByLabel(labels[name]?.label as string)
      .and(page.locator(":disabled"))
      .first()
      .waitFor();
  await page.evaluate(() => location.assign("#/permissions?open=can_manage_billing_group"));
  for (const { name } of settingsIn(settingTables().permissions).filter(({ owners_only }) => owners_only))
    await page
      .getByRole("combobox", { name: questions[name]?.label as string })
      .and(page.locator(":disabled"))
      .waitFor();
  await page.evaluate((id) => location.assign(`#/people?open=${id}`), ownerId);
  const dialog = page.getByRole("dialog", { name: "Owner" });
  await dialog.getByLabel(en.people.role).and(page.locator("input:disabled")).waitFor();
  assert.deepEqual(await dialog.getByRole("tab").allTextContents(), [en.people.tabs.profile, en.people.tabs.groups]);
  await assertNone(dialog.getByRole("button", { name: likeText(en.people.deactivate) }));
}

async function signIn(page: Page, { username, password }: { username: string; password: string }): Promise<void> {
  await page.getByLabel(en.signIn.email).fill(username);
  await page.getByLabel(en.password.label, { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

test("an owner signs in, reloads and signs out", async (t) => {
  const { url } = await serveHere(t, (await dataFolder(t)).path);
  const { page, complaints } = await visit(t, `${url}/admin/`);
  await page.getByRole("heading", { name: uiText("signIn.titleNamed", { organization: "Venice" }) }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/admin/");
  await signIn(page, OWNER_SIGN_IN);
  await page.getByRole("heading", { name: "Venice", exact: true }).waitFor();
  await page.waitForFunction(
    (title) => document.title === title,
    uiText("app.overviewTitle", { organization: "Venice" }),
  );
  await page.reload();
  await page.getByRole("heading", { name: "Venice", exact: true }).waitFor();
  assert.deepEqual(complaints, []);

  await page.getByRole("button", { name: en.topBar.signOut }).click();
  await page.getByRole("heading", { name: uiText("signIn.titleNamed", { organization: "Venice" }) }).waitFor();
  await assertNone(page.getByText(en.signIn.ended), "that was wanted");
  await page.reload();
  await page.getByRole("heading", { name: uiText("signIn.titleNamed", { organization: "Venice" }) }).waitFor();
});

test("a wrong password shows an error and keeps the input", async (t) => {
  const { url } = await serveHere(t, (await dataFolder(t)).path);
  const { page } = await visit(t, `${url}/admin/`);
  await signIn(page, { ...OWNER_SIGN_IN, password: "guess" });
  await page.getByRole("alert").getByText(en.errors.wrongPassword).waitFor();
  assert.equal(await page.getByLabel(en.signIn.email).inputValue(), OWNER_SIGN_IN.username);

  await page.getByText(en.signIn.forgot).click();
  await page.getByText(en.signIn.forgotAsk).waitFor();
  await page.getByText("hearth -- sign-in-link --data DIR --email EMAIL").waitFor();

  await page.getByLabel(en.signIn.email).fill("");
  await page.keyboard.press("Enter");
  await page.getByText(en.errors.missing.username).waitFor();
  await page.locator("[name=username]:focus").waitFor();
  await assertNone(page.getByRole("alert"));
});

test("each role gets its pages, also after a role change", async (t) => {
  const { path, people } = await dataFolder(t);
  const { url } = await serveHere(t, path);
  const owner = people[0] as Person;
  const cleo = { email: "cleo@example.com", full_name: "Cleo", password: "by the nile" };
  const { user_id } = await call(url, owner, "POST /users", cleo);
  await call(url, owner, "POST /users/me/subscriptions", {
    subscriptions: [{ name: "the quay" }],
    principals: [user_id],
  });
  const { stream_id: id } = await call(url, owner, "GET /get_stream_id", { stream: "the quay" });
  await call(url, owner, "POST /messages", { type: "channel", to: id, topic: "tides", content: "High at noon" });
  const { group_id } = await call(url, owner, "POST /user_groups/create", {
    name: "crew",
    description: "",
    members: [user_id],
  });
  const { page, complaints } = await visit(t, `${url}/admin/`);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const refused: string[] = [];
  page.on("response", (answer) => answer.status() >= 400 && refused.push(`${answer.status()} ${answer.url()}`));
  await signIn(page, { username: cleo.email, password: cleo.password });

  // A member manages her own bots and invitations.
  await page.getByRole("heading", { name: en.own.title }).waitFor();
  const may = page.getByRole("region", { name: en.own.may, exact: true });
  await may.getByText(en.organizationPermissions.who.can_create_bots_group.own).waitFor();
  const mayNot = page.getByRole("region", { name: en.own.mayNot });
  await mayNot.getByText(en.organizationPermissions.who.create_multiuse_invite_group.own).waitFor();
  await mayNot.getByText(likeText(en.own.ask)).waitFor();
  await assertAccessibleInBothThemes(page, "what a member can do");
  const pages = page.getByRole("navigation", { name: en.shell.pages });
  assert.deepEqual(await pages.getByRole("link").allTextContents(), [
    en.nav.own,
    en.nav.invitations,
    en.nav.groups,
    en.nav.channels,
    en.nav.bots,
    en.nav.webhooks,
    en.nav.integrations,
    en.nav.emoji,
  ]);
  await pages.getByRole("link", { name: en.nav.webhooks }).click();
  await page.getByText(en.webhooks.emptySent).waitFor();
  const replayFailed = page.getByRole("button", { name: en.webhooks.replay.failed });
  await assertNone(replayFailed, "no bot of hers delivers anything");
  await page.evaluate(() => location.assign("#/webhooks?replay=failed"));
  await page.getByRole("button", { name: en.webhooks.help.button }).waitFor();
  await assertNone(page.getByRole("dialog"));

  // The page matches her permissions, before and after they change.
  await pages.getByRole("link", { name: en.nav.invitations }).click();
  await page.getByText(en.invite.emptyOwn).waitFor();
  await page.getByText(en.invitations.emptyByEmail).waitFor();
  await page.evaluate((hash) => location.assign(hash), `#/channels?open=${id}`);
  await page.getByText(en.channels.readOnly).waitFor();
  await page.evaluate((hash) => location.assign(hash), `#/channels?open=${id}&tab=permissions`);
  await page
    .getByRole("combobox", { name: en.channels.permissions.can_send_message_group.label, exact: true })
    .waitFor();
  await page.getByText(en.channels.readOnly).waitFor();
  await assertNone(page.getByPlaceholder(en.permissions.add));
  await page.evaluate((hash) => location.assign(hash), `#/groups?open=${group_id}&tab=settings`);
  await page.getByText(en.groups.readOnly).waitFor();
  await page.evaluate(() => location.assign("#/emoji"));
  const addEmoji = page.getByRole("button", { name: en.emoji.add });
  await addEmoji.waitFor();
  const [administrators, everybody] = await Promise.all(
    ["role:administrators", "role:members"].map(async (name) => {
      const { user_groups } = await call(url, owner, "GET /user_groups");
      return user_groups.find((group: { name: string }) => group.name === name).id as number;
    }),
  );
  const permit = (change: Record<string, number | undefined>) =>
    call(
      url,
      owner,
      "PATCH /realm",
      Object.fromEntries(Object.entries(change).map(([name, group]) => [name, JSON.stringify({ new: group })])),
    );
  const names = ["can_add_custom_emoji_group", "can_create_bots_group", "can_invite_users_group"];
  const all = (group: number | undefined) => Object.fromEntries(names.map((name) => [name, group]));
  assert.equal((await permit(all(administrators))).status, 200);
  await addEmoji.waitFor({ state: "detached" });
  await page.getByText(en.emoji.mayNotAdd).waitFor();
  await page.evaluate(() => location.assign("#/invitations"));
  await page.getByText(en.invite.mayNot).waitFor();
  await assertNone(page.getByRole("button", { name: en.invitations.action }));
  await page.evaluate(() => location.assign("#/webhooks"));
  await page.getByText(en.webhooks.emptySentNoBots).waitFor();
  await assertNone(page.getByRole("link", { name: en.webhooks.toBots }));
  assert.equal((await permit(all(everybody))).status, 200);
  await page.getByText(en.webhooks.emptySentHint).waitFor();
  await page.evaluate(() => location.assign("#/data"));
  await page.getByRole("heading", { name: en.shell.notForYou }).waitFor();
  await page.keyboard.press("Control+K");
  await page.getByPlaceholder(en.shell.paletteHint).fill("invitation links");
  await page.getByText(en.shell.paletteEmpty).waitFor();
  await page.keyboard.press("Escape");
  await page.getByPlaceholder(en.shell.paletteHint).waitFor({ state: "detached" });
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: en.keys.title });
  await keys.getByText(en.keys.next).waitFor();
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "detached" });
  await page.keyboard.press("?");
  await keys.getByRole("button", { name: en.dialog.close }).click();
  await keys.waitFor({ state: "detached" });
  await page.getByRole("link", { name: en.nav.own }).last().click();

  await page.getByRole("button", { name: en.invitations.action }).click();
  const invitation = page.getByRole("dialog", { name: en.invitations.action });
  await assertNone(invitation.getByText(en.invite.link), "that needs a permission");
  await invitation.getByLabel(en.invite.emails).fill("bo@example.org");
  await invitation.getByRole("button", { name: en.invite.make }).click();
  await page.getByRole("dialog", { name: "bo@example.org" }).getByRole("button", { name: en.invitations.done }).click();
  await page.getByRole("button", { name: uiText("invitations.revokeNamed", { name: "bo@example.org" }) }).waitFor();
  const bot = await call(url, await personWith(url, cleo.email, cleo.password), "POST /bots", {
    full_name: "Weather",
    short_name: "weather",
    bot_type: 2,
  });
  assert.equal(bot.status, 200);
  await page.getByRole("region", { name: en.own.bots }).getByRole("link", { name: "Weather" }).waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  await assertFits(page, "what a member can do, at 360 px");
  await page.setViewportSize({ width: 1280, height: 800 });
  const channelPages = ["settings", "permissions", "topics", "subscribers"].map(
    (tab) => `#/channels?open=${id}&tab=${tab}`,
  );
  await walk({ page, refused }, channelPages);
  assert.ok(!asked.includes("/host/state"), "it does not even ask for what she may not see");
  await page.evaluate(() => location.assign("#/own"));
  await page.getByRole("heading", { name: en.own.title }).waitFor();

  // A moderator sees the same pages with more data.
  assert.equal((await call(url, owner, `PATCH /users/${user_id}`, { role: 300 })).status, 200);
  await page.getByText(uiText("own.role", { role: en.roles.moderator })).waitFor();
  await walk({ page, refused }, channelPages, MORE_ON_THEM);
  await page.evaluate(() => location.assign("#/own"));

  // An administrator sees everything but the machine, without signing in again.
  assert.equal((await call(url, owner, `PATCH /users/${user_id}`, { role: 200 })).status, 200);
  await page.getByRole("heading", { name: en.connect.title }).waitFor();
  await page.getByText(en.health.started).waitFor();
  await assertNone(page.getByRole("dialog"), "the palette and the keys stay closed");
  for (const ownersOnly of [en.health.disk, en.audit.title, en.connect.howToOpen])
    await assertNone(page.getByText(ownersOnly), ownersOnly);
  for (const path of ["backups", "network", "audit", "logs"]) {
    await page.evaluate((hash) => location.assign(hash), `#/${path}`);
    await page.getByRole("heading", { name: en.shell.notForYou }).waitFor();
  }
  // The data page shows only their own exports.
  await page.evaluate(() => location.assign("#/data"));
  await page.getByRole("button", { name: en.exports.submit, exact: true }).waitFor();
  for (const ownersOnly of [en.data.room, en.data.place.title, en.data.retention])
    await assertNone(page.getByText(ownersOnly), ownersOnly);

  const personPages = ["", "&tab=groups", "&tab=channels", "&tab=signIn"].map(
    (tab) => `#/people?open=${user_id}${tab}`,
  );
  await walk({ page, refused }, [...channelPages, ...personPages, `#/groups?open=${group_id}&tab=settings`]);
  await assertOwnersOnly(page, owner.id);
  assert.deepEqual(complaints, []);

  // A guest only has the chat.
  assert.equal((await call(url, owner, `PATCH /users/${user_id}`, { role: 600 })).status, 200);
  await page.getByRole("heading", { name: uiText("noAccess.title", { name: "Cleo" }) }).waitFor();
  await page.getByText(en.noAccess.lead).waitFor();
  await page.getByRole("link", { name: en.noAccess.chat }).click();
  await page.getByRole("navigation", { name: en.chat.conversations }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: en.noAccess.signOut }).click();
  await page.getByRole("heading", { name: uiText("signIn.titleNamed", { organization: "Venice" }) }).waitFor();
});

const REFUSALS = [
  ["a deactivated account", { code: "USER_DEACTIVATED", msg: "…" }, "deactivated"],
  ["too many attempts", { code: "RATE_LIMIT_HIT", msg: "…", "retry-after": 1234.5 }, "Try again in 21 minutes."],
  ["a page at another address", { code: "BAD_ORIGIN", msg: "…" }, "Open it again from the address bar."],
  ["anything else", { code: "NEW_RULE", msg: "Not on Sundays." }, "Not on Sundays."],
] as const;

test("signing in explains each error", async (t) => {
  const pages = await cannedPages(t, { session: {} });
  const { page } = await visit(t, `${pages.url}/admin/`);
  for (const [what, answer, said] of REFUSALS) {
    pages.set({ answers: { "POST /host/session": answer } });
    await signIn(page, OWNER_SIGN_IN);
    await page.getByRole("alert").getByText(said).waitFor();
    assert.deepEqual(pages.sent.at(-1), { route: "POST /host/session", fields: OWNER_SIGN_IN }, what);
  }
  assert.equal(pages.sent.length, REFUSALS.length);
});

test("the button keeps the focus and submits once", async (t) => {
  const pages = await cannedPages(t, { session: {}, answers: { "POST /host/session": "hold" } });
  const { page } = await visit(t, `${pages.url}/admin/`);
  await page.getByLabel(en.signIn.email).fill(OWNER_SIGN_IN.username);
  await page.getByLabel(en.password.label, { exact: true }).fill(OWNER_SIGN_IN.password);
  const button = page.getByRole("button", { name: en.signIn.submit });
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
  await intercept(page, "**/host/session", (route) => route.request().method() === "GET" && route.continue()); // holds DELETE
  await page.getByRole("button", { name: en.topBar.signOut }).click();
  pages.set({ session: {}, answers: { "GET /host/state": 401 } });
  pages.publish(() => {});
  await page
    .getByRole("heading", { name: uiText("signIn.titleNamed", { organization: "Sundbyberg Rowing Club" }) })
    .waitFor();
  await assertNone(page.getByText(en.signIn.ended));
});

test("a session that ends after a failed sign-out is reported", async (t) => {
  const pages = await cannedPages(t, { session: { user: OWNER }, state: busyState() });
  const { page } = await visit(t, `${pages.url}/admin/`);
  const isSignOut = (request: Request) => request.method() === "DELETE" && request.url().endsWith("/host/session");
  await intercept(page, "**/host/session", (route) => (isSignOut(route.request()) ? route.abort() : route.continue()));
  const signOut = page.getByRole("button", { name: en.topBar.signOut });
  await signOut.waitFor();
  const asked = page.waitForResponse("**/host/session");
  await signOut.click();
  await (await asked).finished();
  await page.evaluate("fetch('/host/session')"); // gets a response later
  pages.set({ session: {}, answers: { "GET /host/state": 401 } });
  pages.publish(() => {});
  await page.getByRole("alert").getByText(en.signIn.ended).waitFor();
});

test("an ended session leads to the sign-in page with a reason", async (t) => {
  const pages = await cannedPages(t, { session: { user: OWNER }, state: busyState() });
  const { page } = await visit(t, `${pages.url}/admin/`);
  await page.getByRole("heading", { name: "Sundbyberg Rowing Club", exact: true }).waitFor();
  pages.set({ session: {}, answers: { "GET /host/state": 401 } });
  pages.publish(() => {});
  await page
    .getByRole("heading", { name: uiText("signIn.titleNamed", { organization: "Sundbyberg Rowing Club" }) })
    .waitFor();
  await page.getByRole("alert").getByText(en.signIn.ended).waitFor();
});
