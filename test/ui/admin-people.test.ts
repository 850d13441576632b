import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import {
  assertAccessibleInBothThemes,
  assertFits,
  closeNotices,
  type VisitOptions,
  visit,
} from "../support/browser.ts";
import { openFromPalette } from "../support/palette.ts";
import { until } from "../support/patience.ts";
import { type Answer, call, dataFolder, OWNER_LOGIN, type Person, serveHere } from "../support/server-process.ts";

// The pages of "Who is in?" against one real server; each test goes on with what the others left.

type Call = (route: string, params?: Record<string, unknown>) => Promise<Answer>;

async function admin(t: TestContext, url: string, hash: string, options: VisitOptions = {}) {
  const visited = await visit(t, `${url}/admin/#${hash}`, { as: OWNER_LOGIN, ...options });
  await visited.page.locator("#content").getByRole("heading").first().waitFor();
  return visited;
}

const row = (page: Page, name: string) => page.getByRole("row", { name, exact: true });
const notice = (page: Page, text: string) => page.getByRole("alert").getByText(text).first().waitFor();
const goTo = (page: Page, hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

test("Who is in?", async (t) => {
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

  await t.test("people are searched, filtered and sorted", async () => {
    await row(page, "Cordelia").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("ham exam");
    await row(page, "Cordelia").waitFor({ state: "detached" });
    assert.match(page.url(), /q=ham\+exam/);
    await page.getByLabel("Search People").fill("");
    await page.getByRole("button", { name: "Group" }).click();
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
      page.getByRole("button", { name: "Save as CSV" }).click(),
    ]);
    const lines = readFileSync(await file.path(), "utf8")
      .trim()
      .split("\r\n");
    assert.equal(lines.length, 5);
    assert.match(lines[3] as string, /^\d+,Hamlet,hamlet@example\.com,Member,Active,.*,0,,players$/);
  });

  await t.test("who is signed in, and since when, is counted live", async () => {
    await page.setViewportSize({ width: 1600, height: 900 });
    await goTo(page, "/people?sort=signIns");
    await row(page, "Owner").getByText("2 browsers").waitFor();
    await row(page, "Othello").getByText("none", { exact: true }).waitFor();
    await row(page, "Othello").getByText("not yet").waitFor();
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
    await row(page, "Othello").getByText("1 browser").waitFor();
    assert.equal(await page.getByRole("row").nth(1).getAttribute("aria-label"), "Othello", "the newest is first");
    await row(page, "Othello").getByText("not yet").waitFor({ state: "detached" });
    await signIn();
    await row(page, "Othello").getByText("2 browsers").waitFor();
    await page.getByRole("button", { name: "Sign-ins" }).first().click();
    await page.getByRole("checkbox", { name: "Several browsers" }).check();
    await row(page, "Cordelia").waitFor({ state: "detached" });
    assert.equal(await page.getByRole("row").count(), 3);
    await page.keyboard.press("Escape");
    await assertAccessibleInBothThemes(page, "sign-ins");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as CSV" }).click(),
    ]);
    const [header, first] = readFileSync(await file.path(), "utf8").split("\r\n");
    assert.match(header as string, /,Last seen,Sign-ins,Newest sign-in,Groups$/);
    assert.match(first as string, /^\d+,Othello,.*,2,20[\d-]+T[\d:.]+Z,$/);
    const { sessions } = await host("GET", `users/${othello.id}`);
    assert.equal((await host("DELETE", `sessions/${sessions[0].id}`)).status, 200);
    await row(page, "Othello").waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1280, height: 800 });
    await goTo(page, "/people");
  });

  await t.test("a person is changed, and another window sees it", async () => {
    await goTo(page, "/people");
    await row(page, "Hamlet").focus();
    await page.keyboard.press("Enter");
    const drawer = page.getByRole("dialog");
    const name = drawer.getByRole("textbox", { name: "Name" });
    await name.fill("Half a na");
    await ask(`PATCH /users/${hamlet.id}`, { full_name: "Hamlet II" });
    await row(other, "Hamlet II").waitFor();
    await page.getByRole("heading", { name: "Hamlet II" }).waitFor();
    assert.equal(await name.inputValue(), "Half a na", "what somebody else sets takes no text away");
    const changed = drawer.getByText("Somebody changed this to “Hamlet II” while you were typing.");
    await changed.waitFor();
    await drawer.getByRole("textbox", { name: "Email address" }).focus();
    await drawer.getByRole("button", { name: "Save mine" }).click();
    await row(other, "Half a na").waitFor();
    await changed.waitFor({ state: "detached" });
    await name.fill("Half a name");
    await ask(`PATCH /users/${hamlet.id}`, { full_name: "Hamlet II" });
    await changed.waitFor();
    await drawer.getByRole("textbox", { name: "Email address" }).focus();
    await drawer.getByRole("button", { name: "Take theirs" }).click();
    await changed.waitFor({ state: "detached" });
    assert.equal((await userOf(hamlet)).full_name, "Hamlet II", "only the button saves over another's change");
    await name.fill("Ham");
    await page.keyboard.press("Escape");
    assert.equal(await name.inputValue(), "Hamlet II", "Escape takes back the text, and leaves the drawer open");
    await name.fill("Hamlet of Denmark");
    await page.keyboard.press("Enter");
    await row(other, "Hamlet of Denmark").waitFor();
    await notice(page, "Saved: Name");
    await drawer.getByRole("textbox", { name: "Phone number" }).fill("0700");
    await page.keyboard.press("Enter");
    await until(async () => (await userOf(hamlet)).profile_data[fieldId]?.value === "0700" || undefined, "the number");
    const address = drawer.getByRole("textbox", { name: "Email address" });
    await address.fill("othello@example.com");
    // Looked at in the very turn in which the refusal appears; the observer is there before anything is sent.
    const besideTheRefusal = await address.evaluateHandle((input: HTMLInputElement) => {
      const seen: string[] = [];
      const refused = () => input.getAttribute("aria-invalid") === "true" && seen.push(input.value);
      new MutationObserver(refused).observe(input, { attributes: true });
      return seen;
    });
    await page.keyboard.press("Enter");
    await drawer.getByText("Somebody has an account with othello@example.com already.").waitFor();
    assert.equal((await besideTheRefusal.jsonValue())[0], "hamlet@example.com");
    assert.equal(await address.inputValue(), "hamlet@example.com");
    await drawer.getByRole("combobox", { name: "Role" }).click();
    await page.getByRole("option", { name: "Moderator" }).click();
    await row(other, "Hamlet of Denmark").getByText("Moderator").waitFor();
    await assertAccessibleInBothThemes(page, "a person's profile");
    await address.fill("othello@example.com");
    await page.goBack();
    await drawer.waitFor({ state: "detached" });
    await page.getByText("Email address was not saved: Somebody has an account with othello").waitFor();
    await page.goForward();
    await drawer.getByRole("textbox", { name: "Phone number" }).fill("0711");
    await page.goBack();
    await until(async () => (await userOf(hamlet)).profile_data[fieldId]?.value === "0711" || undefined, "the number");
    await page.goForward();
  });

  await t.test("groups and channels of a person", async () => {
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("tab", { name: "Groups" }).click();
    await drawer.getByText("through players").waitFor();
    await drawer.getByRole("button", { name: "Remove Hamlet of Denmark from players" }).click();
    await drawer.getByText("is in no group").waitFor();
    await notice(page, "Hamlet of Denmark is no longer in players.");
    await page.getByRole("button", { name: "Undo" }).last().click();
    await drawer.getByText("through players").waitFor();
    await drawer.getByRole("tab", { name: "Channels" }).click();
    await drawer.getByRole("button", { name: "Unsubscribe Hamlet of Denmark from castle" }).click();
    await drawer.getByText("castle").waitFor({ state: "detached" });
    await drawer.getByRole("combobox", { name: "Subscribe to channels" }).click();
    await page.getByRole("option", { name: "castle" }).click();
    await page.keyboard.press("Escape");
    await drawer.getByRole("button", { name: "Add", exact: true }).click();
    await drawer.getByRole("button", { name: "Unsubscribe Hamlet of Denmark from castle" }).waitFor();
    await notice(page, "Hamlet of Denmark is now in castle.");
    await assertAccessibleInBothThemes(page, "a person's channels");
  });

  await t.test("a sign-in link, the end of all sessions, and the history of a person", async () => {
    const drawer = page.getByRole("dialog").first();
    await drawer.getByRole("tab", { name: "Sign-in" }).click();
    await drawer.getByRole("button", { name: "Make a sign-in link" }).click();
    const link = await drawer.locator("code").innerText();
    assert.match(link, /\/reset\/#[\w-]{43}$/);
    await drawer.getByRole("img", { name: `QR code for ${link}` }).waitFor();
    const post = (path: string, body: Record<string, string>) =>
      fetch(`${server.url}${path}`, { method: "POST", body: new URLSearchParams(body) });
    await post("/host/password-resets", { token: link.split("#")[1] as string, new_password: "a crown of weeds" });
    await post("/host/session", { username: "hamlet@example.com", password: "a crown of weeds" });
    await drawer.getByRole("button", { name: "Sign out A browser" }).click();
    await notice(page, "is signed out in that browser");
    await drawer.getByText("In no browser.").waitFor();
    await drawer.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("dialog").last().getByRole("button", { name: "Sign out everywhere" }).click();
    await notice(page, "is signed out everywhere");
    assert.equal((await call(server.url, hamlet, "GET /users/me"))["code"], "INVALID_API_KEY");
    await assertAccessibleInBothThemes(page, "a person's sign-in");
    const asked = page.waitForRequest(/\/host\/audit\/acts\?(?:.*&)?user_id=\d+/);
    await drawer.getByRole("tab", { name: "History" }).click();
    await asked;
    const role = drawer.getByRole("listitem").filter({ hasText: "Owner changed the role of Hamlet of Denmark" });
    await role.locator("del", { hasText: "Member" }).waitFor();
    await role.locator("ins", { hasText: "Moderator" }).waitFor();
    assert.equal(await role.getByRole("link", { name: "Hamlet of Denmark" }).count(), 0, "that is here");
    await drawer
      .getByRole("listitem")
      .filter({ hasText: "players" })
      .getByRole("link", { name: "players" })
      .first()
      .waitFor();
    await assertAccessibleInBothThemes(page, "a person's history");
  });

  await t.test("deactivating says what ends, in numbers", async () => {
    const drawer = page.getByRole("dialog").first();
    await drawer.getByRole("tab", { name: "Sign-in" }).click();
    await drawer.getByRole("button", { name: "Deactivate Hamlet of Denmark" }).click();
    const question = page.getByRole("dialog").last();
    await question.getByText("They leave 1 group").waitFor();
    await assertAccessibleInBothThemes(page, "a deactivation");
    await question.getByRole("button", { name: "Deactivate Hamlet of Denmark" }).click();
    await row(other, "Hamlet of Denmark").getByText("Deactivated").waitFor();
    await drawer.getByText("is in 2 channels as before").waitFor();
    await drawer.getByRole("button", { name: "Bring Hamlet of Denmark back" }).click();
    await row(other, "Hamlet of Denmark").getByText("Deactivated").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Close the details" }).click();
  });

  await t.test("several at once, with what was refused and why", async () => {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const top = async () => (await row(page, "Cordelia").boundingBox())?.y;
      const before = await top();
      for (const name of ["Owner", "Othello", "Cordelia"])
        await page.getByLabel(`Select ${name}`, { exact: true }).check();
      const toolbar = page.getByRole("toolbar", { name: "3 selected" });
      assert.equal(await top(), before, `rows stay where they are at ${width} px`);
      if (width === 1280) break;
      await toolbar.getByRole("button", { name: "Actions" }).click();
      await page.getByRole("dialog", { name: "Actions" }).getByRole("button", { name: "Deactivate" }).waitFor();
      await assertAccessibleInBothThemes(page, "actions on several people on a phone");
      await page.keyboard.press("Escape");
      await toolbar.getByRole("button", { name: "Select none" }).click();
    }
    const dialog = page.getByRole("dialog");
    await page.getByRole("toolbar").getByRole("button", { name: "Add to groups" }).click();
    await dialog.getByRole("combobox", { name: "Groups" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("toolbar").getByRole("button", { name: "Subscribe", exact: true }).click();
    await dialog.getByRole("combobox", { name: "Channels" }).click();
    await page.getByRole("option", { name: "castle" }).click();
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Subscribe" }).click();
    await notice(page, "Done for all 3.");
    const castle = (await ask("GET /get_stream_id", { stream: "castle" }))["stream_id"];
    const areInCastle = async () =>
      Promise.all(
        [owner, othello, cordelia].map(
          async ({ id }) => (await ask(`GET /users/${id}/subscriptions/${castle}`))["is_subscribed"],
        ),
      );
    assert.deepEqual(await areInCastle(), [true, true, true]);
    await page.keyboard.press("Control+Z");
    await notice(page, "Undone");
    await closeNotices(page);
    assert.deepEqual(await areInCastle(), [true, false, false], "who was in it before stays");
    const bot = await botOf(othello.id, "Ensign");
    const rolesNow = async () =>
      Promise.all([owner, othello, { id: bot } as Person, cordelia].map(async (one) => (await userOf(one)).role));
    await page.route(`**/users/${cordelia.id}`, (route) =>
      route.fulfill({ status: 400, json: { result: "error", msg: "Cordelia stays.", code: "BAD_REQUEST" } }),
    );
    for (const name of ["Owner", "Othello", "Cordelia"])
      await page.getByLabel(`Select ${name}`, { exact: true }).check();
    await page.getByRole("toolbar").getByRole("button", { name: "Change the role" }).click();
    await dialog.getByRole("combobox", { name: "Role" }).click();
    await page.getByRole("option", { name: "Guest" }).click();
    await dialog.getByText("For Cordelia and Othello.").waitFor();
    await dialog.getByText("You: your own account is not changed along with others").waitFor();
    await dialog.getByText("1 bot of theirs has a higher role").waitFor();
    await assertAccessibleInBothThemes(page, "a change of several people");
    await dialog.getByRole("button", { name: "Change the role" }).click();
    await dialog.getByText("1 of 2 done.").waitFor();
    await dialog.getByText("Cordelia stays.").waitFor();
    await assertAccessibleInBothThemes(page, "what was refused");
    assert.deepEqual(await rolesNow(), [100, 600, 600, 400]);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.unroute(`**/users/${cordelia.id}`);
    await page.getByRole("alert").filter({ hasText: "1 of 2 done." }).getByRole("button", { name: "Undo" }).click();
    await notice(page, "Undone");
    assert.deepEqual(await rolesNow(), [100, 400, 400, 400], "everybody's former role, and that of their bot");
  });

  await t.test("who is deactivated along with others, who is left out, and what ends", async () => {
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
    await row(page, "Lord 7").getByText("Deactivated").waitFor();
    assert.ok(((await row(page, longName).boundingBox())?.height ?? 99) < 70, "a long name takes two lines");
    await page.getByLabel("Select all").check();
    await goTo(page, "/people?q=owner");
    await page.getByLabel("Select Owner", { exact: true }).check();
    await page.getByRole("toolbar").getByRole("button", { name: "Deactivate" }).click();
    const dialog = page.getByRole("dialog", { name: "Deactivate 6 people" });
    await dialog.getByText("You: your own account").waitFor();
    await dialog.getByText("Deactivated already: Lord 7").waitFor();
    await dialog.getByText("Their 1 bot stops.").waitFor();
    await assertAccessibleInBothThemes(page, "a deactivation of several people");
    const confirm = dialog.getByRole("button", { name: "Deactivate" });
    assert.equal(await confirm.isDisabled(), true);
    await dialog.getByLabel("To confirm, type 6").fill("6");
    await confirm.click();
    await notice(page, "Done for all 6.");
    assert.equal((await userOf(owner)).is_active, true);
    assert.equal((await userOf({ id: lords[5] } as Person)).is_active, false);
    await goTo(page, "/people");
  });

  await t.test("a person is added from the palette", async () => {
    await openFromPalette(page, "add a", "Add a person");
    const dialog = page.getByRole("dialog", { name: "Add a person" });
    await dialog.getByLabel("Name").fill("Ophelia");
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Go on" }).and(page.locator(":focus")).waitFor();
    assert.equal(await dialog.getByRole("button", { name: "Cancel" }).count(), 0, "the question is instead of buttons");
    await page.keyboard.press("Escape");
    await dialog.getByLabel("Name").and(page.locator(":focus")).waitFor();
    await dialog.getByLabel("Email address").fill("ophelia@example.com");
    await dialog.getByLabel("First password").fill("rosemary for remembrance");
    await dialog.getByLabel("They join as").selectOption("Moderator");
    await dialog.getByRole("combobox", { name: "Channels that they are in from the start" }).click();
    await page.getByRole("option", { name: "castle" }).click();
    await page.keyboard.press("Escape");
    await dialog.getByRole("combobox", { name: "Groups that they are in from the start" }).click();
    await page.getByRole("option", { name: "players" }).click();
    await page.keyboard.press("Escape");
    await assertAccessibleInBothThemes(page, "a new person");
    await dialog.getByRole("button", { name: "Add Ophelia" }).click();
    await row(other, "Ophelia").getByText("Moderator").waitFor();
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
    const { x, width } = (await page.getByRole("tab", { name: "History" }).boundingBox()) ?? { x: 0, width: 0 };
    assert.ok(x + width < 360, "the last tab is within the window");
    await page.getByRole("button", { name: "Close the details" }).click();
    await assertFits(page, "people at 360 px");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await t.test("people are invited by link and by address", async () => {
    await openFromPalette(page, "invite", "Invite people");
    const dialog = page.getByRole("dialog");
    await assertAccessibleInBothThemes(page, "a new invitation");
    const role = dialog.getByLabel("They join as");
    assert.ok(await role.evaluate((one) => one === document.activeElement), "it begins with its first field");
    await role.selectOption("Guest");
    await dialog.getByRole("combobox", { name: "Groups that they are in from the start" }).click();
    await page.getByRole("option", { name: "players" }).click();
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Make the invitation" }).click();
    const link = await dialog.locator("code").innerText();
    assert.match(link, /\/join\/[^/]+\/$/);
    await assertAccessibleInBothThemes(page, "an invitation link");
    // Everything else is hidden on paper.
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.getByText("Join Venice").isVisible(), true);
    assert.equal(await page.getByRole("button", { name: "Done" }).isVisible(), false);
    await page.emulateMedia({ media: "screen" });
    await dialog.getByRole("button", { name: "Done" }).click();
    await row(page, "Link for guests").getByText("Nobody has come by it yet").waitFor();

    const token = new URL(link).pathname.split("/")[2] as string;
    const joined = await fetch(`${server.url}/host/join`, {
      method: "POST",
      headers: { origin: server.url },
      body: new URLSearchParams({ token, email: "yorick@example.com", full_name: "Yorick", password: "infinite jest" }),
    });
    assert.equal(joined.status, 200, await joined.text());
    await row(page, "Link for guests").getByText("1 person").waitFor();

    await page.getByRole("button", { name: "Invite people" }).click();
    await dialog.getByText("By email address").click();
    await dialog.getByRole("button", { name: "Make the invitation" }).click();
    await dialog.getByText("Enter at least one address.").waitFor();
    await dialog.getByLabel("Email addresses").fill("osric@example.com, othello@example.com");
    await dialog.getByRole("button", { name: "Make the invitation" }).click();
    await page.getByText("othello@example.com: Somebody has an account with this address already.").waitFor();
    await row(page, "osric@example.com").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
    await assertAccessibleInBothThemes(page, "invitations");

    await goTo(other, "/invitations");
    await row(other, "osric@example.com").waitFor();
    await page.getByRole("button", { name: "Revoke: osric@example.com" }).click();
    await dialog.getByRole("button", { name: "Revoke it" }).click();
    await row(other, "osric@example.com").waitFor({ state: "detached" });
    await page.setViewportSize({ width: 360, height: 740 });
    await assertFits(page, "invitations at 360 px");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await t.test("groups are made and changed, and say who is in them and why", async () => {
    await goTo(page, "/groups");
    await goTo(other, "/groups");
    await ask("POST /bots", { full_name: "Prompter", short_name: "prompter", bot_type: 1 });
    await row(other, "Everyone but guests")
      .getByText(/^\d people and \d bots$/)
      .waitFor();
    await page.getByRole("button", { name: "Create a group" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Players");
    await dialog.getByRole("button", { name: "Create a group" }).click();
    await dialog.getByText('There is a group "Players" already.').waitFor();
    await dialog.getByLabel("Name").fill("company");
    await dialog.getByRole("combobox", { name: "Groups in it" }).click();
    await page.getByRole("option", { name: "theatre" }).click();
    await page.keyboard.press("Escape");
    await assertAccessibleInBothThemes(page, "a new group");
    await dialog.getByRole("button", { name: "Create a group" }).click();
    await row(other, "company").getByText("1 person").waitFor();
    await dialog.getByText("through theatre → players").waitFor(); // Yorick, by his invitation
    await dialog.getByRole("combobox", { name: "Add people" }).click();
    await page.getByRole("option", { name: "Cordelia" }).click();
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Add", exact: true }).first().click();
    await row(other, "company").getByText("2 people").waitFor();
    await dialog.getByRole("button", { name: "Remove Cordelia from company" }).click();
    await row(other, "company").getByText("1 person").waitFor();
    await assertAccessibleInBothThemes(page, "the members of a group");

    const company = (await ask("GET /user_groups"))["user_groups"].find(({ name }: any) => name === "company").id;
    await goTo(page, `/groups?open=${players}`);
    const { group_id: extras } = await ask("POST /user_groups/create", {
      name: "extras",
      description: "",
      members: [],
    });
    await dialog.getByRole("combobox", { name: "Add groups" }).click();
    await page.getByRole("option", { name: "extras" }).waitFor();
    const offered = await page.getByRole("option").allTextContents();
    // Neither what holds it already, nor what holds nobody known.
    for (const name of ["theatre", "company", "players", "Everyone on the internet", "Nobody"])
      assert.ok(!offered.includes(name), name);
    assert.ok(offered.includes("Moderators and above"), offered.join());
    await page.getByRole("option", { name: "extras" }).click();
    await page.keyboard.press("Escape");
    await ask(`POST /user_groups/${extras}/members`, { add_subgroups: [players] });
    await dialog.getByRole("button", { name: "Add groups" }).click();
    await dialog.getByText("The group extras holds this group already: a group cannot hold itself.").waitFor();
    await dialog.locator(".mantine-Pill-root").getByText("extras", { exact: true }).waitFor();
    await ask(`POST /user_groups/${extras}/members`, { delete_subgroups: [players] });

    await dialog.getByRole("tab", { name: "Settings" }).click();
    await dialog.getByLabel("Who may mention it", { exact: true }).and(dialog.locator("input")).click();
    await page.getByRole("option", { name: "Moderators and above" }).click();
    await page.keyboard.press("Tab"); // closes the list
    await notice(page, "Saved: Who may mention it");
    const all: any[] = (await ask("GET /user_groups"))["user_groups"];
    const moderators = all.find(({ name }) => name === "role:moderators").id;
    assert.equal(all.find(({ id }) => id === players).can_mention_group, moderators);
    await assertAccessibleInBothThemes(page, "the settings of a group");
    await dialog.getByRole("button", { name: "Deactivate players" }).click();
    await page.getByRole("dialog").last().getByRole("button", { name: "Deactivate players" }).click();
    await dialog.getByText("This group is still used.").waitFor();
    await assertAccessibleInBothThemes(page, "where a group is used");
    await dialog.getByRole("link", { name: "It is part of the group theatre" }).click();
    await page.getByRole("dialog", { name: "theatre" }).waitFor();
    await goTo(page, `/groups?open=${company}&tab=settings`);
    await dialog.getByRole("button", { name: "Deactivate company" }).click();
    await page.getByRole("dialog").last().getByRole("button", { name: "Deactivate company" }).click();
    await row(other, "company").getByText("Deactivated").waitFor();
    await dialog.getByRole("button", { name: "Bring company back" }).click();
    await row(other, "company").getByText("Deactivated").waitFor({ state: "detached" });
    await page.setViewportSize({ width: 360, height: 740 });
    await assertFits(page, "a group at 360 px");
    await page.getByRole("button", { name: "Close the details" }).click();
    await assertFits(page, "groups at 360 px");
    await page.setViewportSize({ width: 1280, height: 800 });
    await assertAccessibleInBothThemes(page, "groups");
  });

  await t.test("no picture is asked for that only flies past", async () => {
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

  await t.test("what is about the computer is in the desktop app", async () => {
    await goTo(page, "/updates");
    await page.getByRole("heading", { name: "This page is in the desktop app" }).waitFor();
  });

  // Refusals are answered with 400, which the browser reports.
  assert.deepEqual(
    complaints.filter((text) => !text.includes("status of 400")),
    [],
  );
});
