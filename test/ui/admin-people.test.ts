import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import {
  assertAccessibleInBothThemes,
  assertFits,
  assertNone,
  closeNotices,
  type VisitOptions,
  visit,
} from "../support/browser.ts";
import { openFromPalette } from "../support/palette.ts";
import { until } from "../support/patience.ts";
import { type Answer, call, dataFolder, OWNER_LOGIN, type Person, serveHere } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

// The pages of people, groups and invitations against one real server. Each test continues with the data of earlier
// ones.

type Call = (route: string, params?: Record<string, unknown>) => Promise<Answer>;

async function admin(t: TestContext, url: string, hash: string, options: VisitOptions = {}) {
  const visited = await visit(t, `${url}/admin/#${hash}`, { as: OWNER_LOGIN, ...options });
  await visited.page.locator("#content").getByRole("heading").first().waitFor();
  return visited;
}

const row = (page: Page, name: string) => page.getByRole("row", { name, exact: true });
const notice = (page: Page, text: string | RegExp) => page.getByRole("alert").getByText(text).first().waitFor();
const goTo = (page: Page, hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

test("people, groups and invitations work in the window", async (t) => {
  const { path, people } = await dataFolder(t);
  const server = await serveHere(t, path);
  const [owner, hamlet, othello, cordelia] = people as [Person, Person, Person, Person];
  const ask: Call = async (route, params) => {
    const answer = await call(server.url, owner, route, params);
    assert.equal(answer["result"], "success", `${route}: ${answer["msg"]}`);
    return answer;
  };
  const userOf = async ({ id }: Person) =>
    (await ask(`GET /users/${id}`, { include_custom_profile_fields: true }))["user"];
  for (const name of ["general", "castle"])
    await ask("POST /users/me/subscriptions", {
      subscriptions: [{ name }],
      principals: [owner.id, hamlet.id],
    });
  const group = async (name: string, members: Person[], subgroups: number[] = []) =>
    (await ask("POST /user_groups/create", { name, description: "", members: members.map(({ id }) => id), subgroups }))[
      "group_id"
    ] as number;
  const botOf = async (bot_owner_id: number, full_name: string) => {
    const { user_id } = await ask("POST /bots", { full_name, short_name: full_name.toLowerCase(), bot_type: 1 });
    await ask(`PATCH /bots/${user_id}`, { bot_owner_id });
    return user_id as number;
  };
  const players = await group("players", [hamlet]);
  await group("theatre", [], [players]);
  const { id: fieldId } = await ask("POST /realm/profile_fields", { field_type: 1, name: "Phone number" });

  const { page, complaints } = await admin(t, server.url, "/people");
  const { page: other } = await admin(t, server.url, "/people");

  await t.test("searches, filters and sorts people", async () => {
    await row(page, "Cordelia").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("ham exam");
    await row(page, "Cordelia").waitFor({ state: "detached" });
    assert.match(page.url(), /q=ham\+exam/);
    await page.getByLabel(uiText("table.searchIn", { title: en.nav.people })).fill("");
    await page.getByRole("button", { name: en.people.group }).click();
    await page.getByRole("checkbox", { name: "players" }).check();
    await row(page, "Othello").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await goTo(page, "/people?sort=-name");
    await until(
      async () => (await page.getByRole("row").nth(1).getAttribute("aria-label")) === "Owner" || undefined,
      "the last name is first",
    );
    await assertAccessibleInBothThemes(page, "people");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: en.people.download }).click(),
    ]);
    const lines = readFileSync(await file.path(), "utf8")
      .trim()
      .split("\r\n");
    assert.equal(lines.length, 5);
    assert.match(
      lines[3] as string,
      likeText(`,Hamlet,hamlet@example.com,${en.roles.member},${en.people.active},{{}},0,,players`),
    );
  });

  await t.test("counts signed-in people and shows sign-in times live", async () => {
    await page.setViewportSize({ width: 1600, height: 900 });
    await goTo(page, "/people?sort=signIns");
    await row(page, "Owner")
      .getByText(uiText("people.browsers", { count: 2 }))
      .waitFor();
    await row(page, "Othello").getByText(en.people.inNoBrowser, { exact: true }).waitFor();
    await row(page, "Othello").getByText(en.people.neverSeen).waitFor();
    const host = async (method: string, path: string, params?: Record<string, string>) => {
      const { authorization } = owner;
      const body = params && new URLSearchParams(params);
      const response = await fetch(`${server.url}/host/${path}`, {
        method,
        headers: { authorization },
        ...(body && { body }),
      });
      return { status: response.status, ...((await response.json()) as any) };
    };
    const { link } = await host("POST", "sign-in-links", { user_id: String(othello.id) });
    const token = link.split("#")[1];
    await host("POST", "password-resets", { token, new_password: "a handkerchief" });
    const signIn = () => host("POST", "session", { username: "othello@example.com", password: "a handkerchief" });
    assert.equal((await signIn()).status, 200);
    await row(page, "Othello")
      .getByText(uiText("people.browsers", { count: 1 }))
      .waitFor();
    assert.equal(await page.getByRole("row").nth(1).getAttribute("aria-label"), "Othello", "the newest is first");
    await row(page, "Othello").getByText(en.people.neverSeen).waitFor({ state: "detached" });
    await signIn();
    await row(page, "Othello")
      .getByText(uiText("people.browsers", { count: 2 }))
      .waitFor();
    await page.getByRole("button", { name: en.people.signIns }).first().click();
    await page.getByRole("checkbox", { name: en.people.inSeveralBrowsers }).check();
    await row(page, "Cordelia").waitFor({ state: "detached" });
    assert.equal(await page.getByRole("row").count(), 3);
    await page.keyboard.press("Escape");
    await assertAccessibleInBothThemes(page, "sign-ins");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: en.people.download }).click(),
    ]);
    const [header, first] = readFileSync(await file.path(), "utf8").split("\r\n");
    const columns = [en.people.lastSeen, en.people.signIns, en.people.newestSignIn, en.people.groups].join(",");
    assert.ok((header as string).endsWith(`,${columns}`));
    assert.match(first as string, /^\d+,Othello,.*,2,20[\d-]+T[\d:.]+Z,$/);
    const { sessions } = await host("GET", `users/${othello.id}`);
    assert.equal((await host("DELETE", `sessions/${sessions[0].id}`)).status, 200);
    await row(page, "Othello").waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1280, height: 800 });
    await goTo(page, "/people");
  });

  await t.test("a changed person shows in another window", async () => {
    await goTo(page, "/people");
    await row(page, "Hamlet").focus();
    await page.keyboard.press("Enter");
    const drawer = page.getByRole("dialog");
    const name = drawer.getByRole("textbox", { name: en.people.name });
    await name.fill("Half a na");
    await ask(`PATCH /users/${hamlet.id}`, { full_name: "Hamlet II" });
    await row(other, "Hamlet II").waitFor();
    await page.getByRole("heading", { name: "Hamlet II" }).waitFor();
    assert.equal(await name.inputValue(), "Half a na", "what somebody else sets takes no text away");
    const changed = drawer.getByText(uiText("saving.changedMeanwhile", { value: "Hamlet II" }));
    await changed.waitFor();
    await drawer.getByRole("textbox", { name: en.people.email }).focus();
    await drawer.getByRole("button", { name: en.saving.keepMine }).click();
    await row(other, "Half a na").waitFor();
    await changed.waitFor({ state: "detached" });
    await name.fill("Half a name");
    await ask(`PATCH /users/${hamlet.id}`, { full_name: "Hamlet II" });
    await changed.waitFor();
    await drawer.getByRole("textbox", { name: en.people.email }).focus();
    await drawer.getByRole("button", { name: en.saving.takeTheirs }).click();
    await changed.waitFor({ state: "detached" });
    assert.equal((await userOf(hamlet)).full_name, "Hamlet II", "only the button saves over another's change");
    await name.fill("Ham");
    await page.keyboard.press("Escape");
    assert.equal(await name.inputValue(), "Hamlet II", "Escape takes back the text, and leaves the drawer open");
    await name.fill("Hamlet of Denmark");
    await page.keyboard.press("Enter");
    await row(other, "Hamlet of Denmark").waitFor();
    await notice(page, uiText("saving.savedNamed", { name: en.people.name }));
    await drawer.getByRole("textbox", { name: "Phone number" }).fill("0700");
    await page.keyboard.press("Enter");
    await until(async () => (await userOf(hamlet)).profile_data[fieldId]?.value === "0700" || undefined, "the number");
    const address = drawer.getByRole("textbox", { name: en.people.email });
    await address.fill("othello@example.com");
    // Checked in the turn in which the refusal appears. The observer exists before anything is sent.
    const besideTheRefusal = await address.evaluateHandle((input: HTMLInputElement) => {
      const seen: string[] = [];
      const refused = () => input.getAttribute("aria-invalid") === "true" && seen.push(input.value);
      new MutationObserver(refused).observe(input, { attributes: true });
      return seen;
    });
    await page.keyboard.press("Enter");
    await drawer.getByText("Email address already in use: othello@example.com").waitFor();
    assert.equal((await besideTheRefusal.jsonValue())[0], "hamlet@example.com");
    assert.equal(await address.inputValue(), "hamlet@example.com");
    await drawer.getByRole("combobox", { name: en.people.role }).click();
    await page.getByRole("option", { name: en.roles.moderator }).click();
    await row(other, "Hamlet of Denmark").getByText(en.roles.moderator).waitFor();
    // The most powerful role is last, and asks.
    await drawer.getByRole("combobox", { name: en.people.role }).click();
    await page.getByRole("option").last().getByText(en.roles.owner).click();
    const question = page.getByRole("dialog", { name: uiText("people.makeOwner", { name: "Hamlet of Denmark" }) });
    await question.getByRole("button", { name: en.confirm.cancel }).click();
    assert.equal((await userOf(hamlet)).role, 300);
    await assertAccessibleInBothThemes(page, "a person's profile");
    await address.fill("othello@example.com");
    await page.goBack();
    await drawer.waitFor({ state: "detached" });
    await page
      .getByText(
        likeText(
          uiText("saving.failedNamed", { name: en.people.email, reason: "Email address already in use: othello{{}}" }),
        ),
      )
      .waitFor();
    await page.goForward();
    await drawer.getByRole("textbox", { name: "Phone number" }).fill("0711");
    await page.goBack();
    await until(async () => (await userOf(hamlet)).profile_data[fieldId]?.value === "0711" || undefined, "the number");
    await page.goForward();
  });

  await t.test("shows a person's groups and channels", async () => {
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("tab", { name: en.people.tabs.groups }).click();
    await drawer.getByText(uiText("permissions.through", { way: "players" })).waitFor();
    await drawer
      .getByRole("button", { name: uiText("people.removeFromGroup", { name: "Hamlet of Denmark", group: "players" }) })
      .click();
    await drawer.getByText(likeText(en.people.noGroups)).waitFor();
    await notice(page, uiText("people.removedFromGroup", { name: "Hamlet of Denmark", group: "players" }));
    await page.getByRole("button", { name: en.saving.undo }).last().click();
    await drawer.getByText(uiText("permissions.through", { way: "players" })).waitFor();
    await drawer.getByRole("tab", { name: en.people.tabs.channels }).click();
    await drawer
      .getByRole("button", { name: uiText("people.unsubscribeFrom", { name: "Hamlet of Denmark", channel: "castle" }) })
      .click();
    await drawer.getByText("castle").waitFor({ state: "detached" });
    await drawer.getByRole("combobox", { name: en.people.subscribeTo }).click();
    await page.getByRole("option", { name: "castle" }).click();
    await page.keyboard.press("Escape");
    await drawer.getByRole("button", { name: en.people.addHere, exact: true }).click();
    await drawer
      .getByRole("button", { name: uiText("people.unsubscribeFrom", { name: "Hamlet of Denmark", channel: "castle" }) })
      .waitFor();
    await notice(page, uiText("people.nowIn", { name: "Hamlet of Denmark", list: "castle" }));
    await assertAccessibleInBothThemes(page, "a person's channels");
  });

  await t.test("creates a reset link, ends all sessions and shows a person's history", async () => {
    const drawer = page.getByRole("dialog").first();
    await drawer.getByRole("tab", { name: en.people.tabs.signIn }).click();
    await drawer.getByRole("button", { name: en.people.makeLink }).click();
    const link = await drawer.locator("code").innerText();
    assert.match(link, /\/reset\/#[\w-]{43}$/);
    await drawer.getByText(en.invitations.linkLocal).waitFor(); // no code, since only this computer could open it
    const post = (path: string, body: Record<string, string>) =>
      fetch(`${server.url}${path}`, { method: "POST", body: new URLSearchParams(body) });
    await post("/host/password-resets", { token: link.split("#")[1] as string, new_password: "a crown of weeds" });
    await post("/host/session", { username: "hamlet@example.com", password: "a crown of weeds" });
    await drawer.getByRole("button", { name: uiText("sessions.endNamed", { name: en.sessions.unknown }) }).click();
    await notice(page, likeText(en.people.sessionEnded));
    await drawer.getByText(en.people.noSessions).waitFor();
    await drawer.getByRole("button", { name: en.people.endSessions }).click();
    await page.getByRole("dialog").last().getByRole("button", { name: en.people.endSessions }).click();
    await notice(page, likeText(en.people.sessionsEnded));
    assert.equal((await call(server.url, hamlet, "GET /users/me"))["code"], "INVALID_API_KEY");
    await assertAccessibleInBothThemes(page, "a person's sign-in");
    const asked = page.waitForRequest(/\/host\/audit\/acts\?(?:.*&)?user_id=\d+/);
    await drawer.getByRole("tab", { name: en.people.tabs.history }).click();
    await asked;
    const role = drawer
      .getByRole("listitem")
      .filter({ hasText: uiText("audit.roleChanged", { actor: "Owner", name: "Hamlet of Denmark" }) });
    await role.locator("del", { hasText: en.roles.member }).waitFor();
    await role.locator("ins", { hasText: en.roles.moderator }).waitFor();
    await assertNone(role.getByRole("link", { name: "Hamlet of Denmark" }), "that is here");
    await drawer
      .getByRole("listitem")
      .filter({ hasText: "players" })
      .getByRole("link", { name: "players" })
      .first()
      .waitFor();
    await assertAccessibleInBothThemes(page, "a person's history");
  });

  await t.test("deactivating shows its effects in numbers", async () => {
    const drawer = page.getByRole("dialog").first();
    await drawer.getByRole("tab", { name: en.people.tabs.signIn }).click();
    await drawer.getByRole("button", { name: uiText("people.deactivate", { name: "Hamlet of Denmark" }) }).click();
    const question = page.getByRole("dialog").last();
    await question.getByText(uiText("people.ends.groups", { count: 1 })).waitFor();
    await assertAccessibleInBothThemes(page, "a deactivation");
    await question.getByRole("button", { name: uiText("people.deactivate", { name: "Hamlet of Denmark" }) }).click();
    await row(other, "Hamlet of Denmark").getByText(en.people.deactivated).waitFor();
    await drawer.getByText(uiText("people.reactivateHint", { name: "Hamlet of Denmark", count: 2 })).waitFor();
    await drawer.getByRole("button", { name: uiText("people.reactivate", { name: "Hamlet of Denmark" }) }).click();
    await row(other, "Hamlet of Denmark").getByText(en.people.deactivated).waitFor({ state: "detached" });
    await page.getByRole("button", { name: en.details.close }).click();
  });

  await t.test("changes several people and explains refusals", async () => {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const top = async () => (await row(page, "Cordelia").boundingBox())?.y;
      const before = await top();
      for (const name of ["Owner", "Othello", "Cordelia"])
        await page.getByLabel(uiText("table.select", { name }), { exact: true }).check();
      const toolbar = page.getByRole("toolbar", { name: uiText("table.selected", { count: 3 }) });
      assert.equal(await top(), before, `rows stay where they are at ${width} px`);
      if (width === 1280) break;
      await toolbar.getByRole("button", { name: en.table.actions }).click();
      await page
        .getByRole("dialog", { name: en.table.actions })
        .getByRole("button", { name: en.people.tasks.deactivate })
        .waitFor();
      await assertAccessibleInBothThemes(page, "actions on several people on a phone");
      await page.keyboard.press("Escape");
      await toolbar.getByRole("button", { name: en.table.deselect }).click();
    }
    const dialog = page.getByRole("dialog");
    await page.getByRole("toolbar").getByRole("button", { name: en.people.tasks.addToGroups }).click();
    await dialog.getByRole("combobox", { name: en.people.groups }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("toolbar").getByRole("button", { name: en.people.tasks.subscribe, exact: true }).click();
    await dialog.getByRole("combobox", { name: en.people.channels }).click();
    await page.getByRole("option", { name: "castle" }).click();
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: en.people.tasks.subscribe }).click();
    await notice(page, uiText("several.done", { count: 3 }));
    const castle = (await ask("GET /get_stream_id", { stream: "castle" }))["stream_id"];
    const areInCastle = async () =>
      Promise.all(
        [owner, othello, cordelia].map(
          async ({ id }) => (await ask(`GET /users/${id}/subscriptions/${castle}`))["is_subscribed"],
        ),
      );
    assert.deepEqual(await areInCastle(), [true, true, true]);
    await page.keyboard.press("Control+Z");
    await notice(page, en.saving.undone);
    await closeNotices(page);
    assert.deepEqual(await areInCastle(), [true, false, false], "who was in it before stays");
    const bot = await botOf(othello.id, "Ensign");
    const rolesNow = async () =>
      Promise.all([owner, othello, { id: bot } as Person, cordelia].map(async (one) => (await userOf(one)).role));
    await page.route(`**/users/${cordelia.id}`, (route) =>
      route.fulfill({ status: 400, json: { result: "error", msg: "Cordelia stays.", code: "BAD_REQUEST" } }),
    );
    for (const name of ["Owner", "Othello", "Cordelia"])
      await page.getByLabel(uiText("table.select", { name }), { exact: true }).check();
    await page.getByRole("toolbar").getByRole("button", { name: en.people.tasks.role }).click();
    await dialog.getByRole("combobox", { name: en.people.role }).click();
    await page.getByRole("option", { name: en.roles.guest }).click();
    await dialog.getByText(uiText("people.taskFor", { count: 2, names: "Cordelia and Othello" })).waitFor();
    await dialog.getByText(en.people.leftOut.self).waitFor();
    await dialog.getByText(uiText("people.roleEnds.bots", { count: 1 })).waitFor();
    await assertAccessibleInBothThemes(page, "a change of several people");
    await dialog.getByRole("button", { name: en.people.tasks.role }).click();
    await dialog.getByText(uiText("several.result", { done: 1, count: 2 })).waitFor();
    await dialog.getByText("Cordelia stays.").waitFor();
    await assertAccessibleInBothThemes(page, "what was refused");
    assert.deepEqual(await rolesNow(), [100, 600, 600, 400]);
    await dialog.getByRole("button", { name: en.several.close }).last().click();
    await page.unroute(`**/users/${cordelia.id}`);
    await page
      .getByRole("alert")
      .filter({ hasText: uiText("several.result", { done: 1, count: 2 }) })
      .getByRole("button", { name: en.saving.undo })
      .click();
    await notice(page, en.saving.undone);
    assert.deepEqual(await rolesNow(), [100, 400, 400, 400], "everybody's former role, and that of their bot");
  });

  await t.test("a bulk deactivation shows who is included, excluded and affected", async () => {
    const longName = `Lord 6 ${"of many counties ".repeat(5)}`.trim();
    const lords = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map(async (number) => {
        const full_name = number === 6 ? longName : `Lord ${number}`;
        const person = { email: `lord${number}@example.com`, full_name, password: "exit by a bear" };
        return (await ask("POST /users", person))["user_id"] as number;
      }),
    );
    await ask(`DELETE /users/${lords[6]}`);
    await botOf(lords[0] as number, "Herald");
    await goTo(page, "/people?q=lord");
    await row(page, "Lord 7").getByText(en.people.deactivated).waitFor();
    assert.ok(((await row(page, longName).boundingBox())?.height ?? 99) < 70, "a long name takes two lines");
    await page.getByLabel(en.table.selectAll).check();
    await goTo(page, "/people?q=owner");
    await page.getByLabel(uiText("table.select", { name: "Owner" }), { exact: true }).check();
    await page.getByRole("toolbar").getByRole("button", { name: en.people.tasks.deactivate }).click();
    const dialog = page.getByRole("dialog", { name: uiText("people.taskTitles.deactivate", { count: 6 }) });
    await dialog.getByText(en.people.leftOut.self).waitFor();
    await dialog.getByText(uiText("people.leftOut.deactivated", { names: "Lord 7", count: 1 })).waitFor();
    await dialog.getByText(uiText("people.ends.bots", { count: 1 })).waitFor();
    await assertAccessibleInBothThemes(page, "a deactivation of several people");
    const confirm = dialog.getByRole("button", { name: en.people.tasks.deactivate });
    assert.equal(await confirm.isDisabled(), true);
    await dialog.getByLabel(uiText("confirm.type", { name: "6" })).fill("6");
    await confirm.click();
    await notice(page, uiText("several.done", { count: 6 }));
    assert.equal((await userOf(owner)).is_active, true);
    assert.equal((await userOf({ id: lords[5] } as Person)).is_active, false);
    await goTo(page, "/people");
  });

  await t.test("adds a person from the palette", async () => {
    await openFromPalette(page, "add a", en.people.add);
    const dialog = page.getByRole("dialog", { name: en.addPerson.title });
    await dialog.getByLabel(en.addPerson.full_name).fill("Ophelia");
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: en.dialog.goOn }).and(page.locator(":focus")).waitFor();
    await assertNone(dialog.getByRole("button", { name: en.addPerson.cancel }), "the question is instead of buttons");
    await page.keyboard.press("Escape");
    await dialog.getByLabel(en.addPerson.full_name).and(page.locator(":focus")).waitFor();
    await dialog.getByLabel(en.addPerson.email).fill("ophelia@example.com");
    await dialog.getByLabel(en.addPerson.password).fill("rosemary for remembrance");
    await dialog.getByLabel(en.invitations.role).selectOption(en.roles.moderator);
    await dialog.getByRole("combobox", { name: en.invitations.channels }).click();
    await page.getByRole("option", { name: "castle" }).click();
    await page.keyboard.press("Escape");
    await dialog.getByRole("combobox", { name: en.invite.groups }).click();
    await page.getByRole("option", { name: "players" }).click();
    await page.keyboard.press("Escape");
    await assertAccessibleInBothThemes(page, "a new person");
    await dialog.getByRole("button", { name: uiText("addPerson.submit", { name: "Ophelia" }) }).click();
    await row(other, "Ophelia").getByText(en.roles.moderator).waitFor();
    const added = (await ask("GET /users"))["members"].find((one: any) => one.full_name === "Ophelia").user_id;
    const castle = (await ask("GET /get_stream_id", { stream: "castle" }))["stream_id"];
    assert.equal((await ask(`GET /users/${added}/subscriptions/${castle}`))["is_subscribed"], true);
    assert.ok((await ask(`GET /user_groups/${players}/members`))["members"].includes(added));
    await ask(`POST /user_groups/${players}/members`, { delete: [added] });
    await row(page, "Ophelia").waitFor();
    await openFromPalette(page, "ophelia@", "Ophelia");
    await page.getByRole("dialog").getByRole("heading", { name: "Ophelia" }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await assertFits(page, "a person at 360 px");
    const { x, width } = (await page.getByRole("tab", { name: en.people.tabs.history }).boundingBox()) ?? {
      x: 0,
      width: 0,
    };
    assert.ok(x + width < 360, "the last tab is within the window");
    await page.getByRole("button", { name: en.details.close }).click();
    await assertFits(page, "people at 360 px");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await t.test("invites people by link and by email address", async () => {
    await openFromPalette(page, "invite", en.invite.action);
    const dialog = page.getByRole("dialog");
    await assertAccessibleInBothThemes(page, "a new invitation");
    const role = dialog.getByLabel(en.invitations.role);
    assert.ok(await role.evaluate((one) => one === document.activeElement), "it begins with its first field");
    await role.selectOption(en.roles.guest);
    await dialog.getByRole("combobox", { name: en.invite.groups }).click();
    await page.getByRole("option", { name: "players" }).click();
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: en.invite.make }).click();
    const link = await dialog.locator("code").innerText();
    assert.match(link, /\/join\/[^/]+\/$/);
    await assertAccessibleInBothThemes(page, "an invitation link");
    // Everything else is hidden in print.
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.getByText(uiText("invite.sheetTitle", { organization: "Venice" })).isVisible(), true);
    assert.equal(await page.getByRole("button", { name: en.invitations.done }).isVisible(), false);
    await page.emulateMedia({ media: "screen" });
    await dialog.getByRole("button", { name: en.invitations.done }).click();
    await row(page, en.invitations.linkFor.guest).getByText(en.invitations.nobody).waitFor();

    const token = new URL(link).pathname.split("/")[2] as string;
    const joined = await fetch(`${server.url}/host/join`, {
      method: "POST",
      headers: { origin: server.url },
      body: new URLSearchParams({ token, email: "yorick@example.com", full_name: "Yorick", password: "infinite jest" }),
    });
    assert.equal(joined.status, 200, await joined.text());
    await row(page, en.invitations.linkFor.guest)
      .getByText(uiText("invite.came", { count: 1 }))
      .waitFor();

    await page.getByRole("button", { name: en.invite.action }).click();
    await dialog.getByText(en.invite.email).click();
    await dialog.getByRole("button", { name: en.invite.make }).click();
    await dialog.getByText(en.invite.missingEmails).waitFor();
    await dialog.getByLabel(en.invite.emails).fill("osric@example.com, othello@example.com");
    await dialog.getByRole("button", { name: en.invite.make }).click();
    await page.getByText("othello@example.com: This person already has an account.").waitFor();
    await row(page, "osric@example.com").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: en.invitations.done }).click();
    await assertAccessibleInBothThemes(page, "invitations");

    await goTo(other, "/invitations");
    await row(other, "osric@example.com").waitFor();
    await page.getByRole("button", { name: uiText("invitations.revokeNamed", { name: "osric@example.com" }) }).click();
    await dialog.getByRole("button", { name: en.invitations.revokeAction }).click();
    await row(other, "osric@example.com").waitFor({ state: "detached" });
    await page.setViewportSize({ width: 360, height: 740 });
    await assertFits(page, "invitations at 360 px");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await t.test("creates and changes groups and explains their members", async () => {
    await goTo(page, "/groups");
    await goTo(other, "/groups");
    await ask("POST /bots", { full_name: "Prompter", short_name: "prompter", bot_type: 1 });
    await row(other, en.permissions.roles.members)
      .getByText(likeText(`${en.permissions.people_other} and ${en.permissions.bots_other}`))
      .waitFor();
    await page.getByRole("button", { name: en.groups.create }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(en.groups.name).fill("Players");
    await dialog.getByRole("button", { name: en.groups.create }).click();
    await dialog.getByText("Group name already in use: Players").waitFor();
    await dialog.getByLabel(en.groups.name).fill("company");
    await dialog.getByRole("combobox", { name: en.groups.subgroups }).click();
    await page.getByRole("option", { name: "theatre" }).click();
    await page.keyboard.press("Escape");
    await assertAccessibleInBothThemes(page, "a new group");
    await dialog.getByRole("button", { name: en.groups.create }).click();
    await row(other, "company")
      .getByText(uiText("permissions.people", { count: 2 }))
      .waitFor();
    // Hamlet, who was reactivated, and Yorick, who was invited.
    await dialog
      .getByText(uiText("permissions.through", { way: "theatre → players" }))
      .nth(1)
      .waitFor();
    await dialog.getByRole("combobox", { name: en.groups.addMembers }).click();
    await page.getByRole("option", { name: "Cordelia" }).click();
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: en.people.addHere, exact: true }).first().click();
    await row(other, "company")
      .getByText(uiText("permissions.people", { count: 3 }))
      .waitFor();
    await dialog
      .getByRole("button", { name: uiText("people.removeFromGroup", { name: "Cordelia", group: "company" }) })
      .click();
    await row(other, "company")
      .getByText(uiText("permissions.people", { count: 2 }))
      .waitFor();
    await assertAccessibleInBothThemes(page, "the members of a group");

    const company = (await ask("GET /user_groups"))["user_groups"].find(({ name }: any) => name === "company").id;
    await goTo(page, `/groups?open=${players}`);
    const { group_id: extras } = await ask("POST /user_groups/create", {
      name: "extras",
      description: "",
      members: [],
    });
    await dialog.getByRole("combobox", { name: en.groups.addSubgroups }).click();
    await page.getByRole("option", { name: "extras" }).waitFor();
    const offered = await page.getByRole("option").allTextContents();
    // Neither groups that contain it, nor groups with unknown members.
    for (const name of ["theatre", "company", "players", en.systemGroups.internet, en.systemGroups.nobody])
      assert.ok(!offered.includes(name), name);
    assert.ok(offered.includes(en.permissions.roles.moderators), offered.join());
    await page.getByRole("option", { name: "extras" }).click();
    await page.keyboard.press("Escape");
    await ask(`POST /user_groups/${extras}/members`, { add_subgroups: [players] });
    await dialog.getByRole("button", { name: en.groups.addSubgroups }).click();
    await dialog.getByText("The group extras contains this group. A group can't contain itself.").waitFor();
    await dialog.locator(".mantine-Pill-root").getByText("extras", { exact: true }).waitFor();
    await ask(`POST /user_groups/${extras}/members`, { delete_subgroups: [players] });

    await dialog.getByRole("tab", { name: en.groups.settings }).click();
    await dialog.getByLabel(en.groups.can_mention_group, { exact: true }).and(dialog.locator("input")).click();
    await page.getByRole("option", { name: en.permissions.roles.moderators }).click();
    await page.keyboard.press("Tab"); // closes the list
    await notice(page, uiText("saving.savedNamed", { name: en.groups.can_mention_group }));
    const all: any[] = (await ask("GET /user_groups"))["user_groups"];
    const moderators = all.find(({ name }) => name === "role:moderators").id;
    assert.equal(all.find(({ id }) => id === players).can_mention_group, moderators);
    await assertAccessibleInBothThemes(page, "the settings of a group");
    await dialog.getByRole("button", { name: uiText("groups.deactivate", { name: "players" }) }).click();
    await page
      .getByRole("dialog")
      .last()
      .getByRole("button", { name: uiText("groups.deactivate", { name: "players" }) })
      .click();
    await dialog.getByText(en.groups.inUse).waitFor();
    await assertAccessibleInBothThemes(page, "where a group is used");
    await dialog.getByRole("link", { name: uiText("groups.usedAsSubgroup", { name: "theatre" }) }).click();
    await page.getByRole("dialog", { name: "theatre" }).waitFor();
    await goTo(page, `/groups?open=${company}&tab=settings`);
    await dialog.getByRole("button", { name: uiText("groups.deactivate", { name: "company" }) }).click();
    await page
      .getByRole("dialog")
      .last()
      .getByRole("button", { name: uiText("groups.deactivate", { name: "company" }) })
      .click();
    await row(other, "company").getByText(en.people.deactivated).waitFor();
    await dialog.getByRole("button", { name: uiText("groups.reactivate", { name: "company" }) }).click();
    await row(other, "company").getByText(en.people.deactivated).waitFor({ state: "detached" });
    await page.setViewportSize({ width: 360, height: 740 });
    await assertFits(page, "a group at 360 px");
    await page.getByRole("button", { name: en.details.close }).click();
    await assertFits(page, "groups at 360 px");
    await page.setViewportSize({ width: 1280, height: 800 });
    await assertAccessibleInBothThemes(page, "groups");
  });

  await t.test("requests no avatars of rows scrolled past", async () => {
    const { page: crowded } = await admin(t, server.url, "/people", { before: "delete globalThis.SharedWorker;" });
    await crowded.route("**/api/v1/register", async (route) => {
      const answer = await (await route.fetch()).json();
      const [one] = answer.realm_users;
      for (let at = 0; at < 500; at += 1)
        answer.realm_users.push({ ...one, user_id: 9000 + at, full_name: `P ${at}`, avatar_url: `/picture-of/${at}` });
      await route.fulfill({ json: answer });
    });
    const asked = new Set<string>();
    await crowded.route("**/picture-of/*", (route) => {
      asked.add(route.request().url());
      return route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
    });
    await crowded.reload();
    await row(crowded, "P 0").waitFor();
    await crowded.locator("#content").evaluate(async (content) => {
      while (content.scrollTop + content.clientHeight < content.scrollHeight - 1) {
        content.scrollTop += 1500;
        await new Promise(requestAnimationFrame);
      }
    });
    const last = row(crowded, "P 499").locator("img");
    await until(async () => (await last.getAttribute("src")) ?? undefined, "who stays in sight has a picture");
    assert.ok(asked.size < 300, `${asked.size} of 500 pictures are asked for`);
    await crowded.close();
  });

  await t.test("shows computer settings only in the desktop app", async () => {
    await goTo(page, "/updates");
    await page.getByRole("heading", { name: en.shell.atDesktopOnly }).waitFor();
  });

  // Refusals return 400, which the browser logs.
  assert.deepEqual(
    complaints.filter((text) => !text.includes("status of 400")),
    [],
  );
});
