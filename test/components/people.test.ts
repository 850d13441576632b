import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { type Chat, type ChatOptions, startChat } from "../support/chat.ts";
import { holds } from "../support/patience.ts";
import { showAdmin } from "../support/rendered.ts";
import { importSmall } from "../support/small-import.ts";
import { likeText, uiText } from "../support/ui-texts.ts";
import { undo } from "../support/undo.ts";

const row = (page: Page, name: string) => page.getByRole("row", { name, exact: true });
const notice = (page: Page, text: string | RegExp) => page.getByRole("alert").getByText(text).first().waitFor();
const dialog = (page: Page) => page.getByRole("dialog").last();
const userOf = async (chat: Chat, name: string) => (await chat.as("desdemona").get(`/users/${chat.ids[name]}`))["user"];
const isSubscribed = async (chat: Chat, name: string, channel: string) =>
  (await chat.as("desdemona").get(`/users/${chat.ids[name]}/subscriptions/${chat.ids[channel]}`))["is_subscribed"];

/** Hamlet is in the group "players" and, like Desdemona, in the channel "castle". */
async function people(
  t: TestContext,
  path = "/people",
  options: Parameters<typeof showAdmin>[2] = {},
  users: ChatOptions["users"] = {},
) {
  const chat = await startChat(t, {
    unwatched: true,
    users,
    channels: [{ name: "castle", subscribers: ["desdemona", "hamlet"] }],
  });
  const members = [chat.ids["hamlet"]];
  const group = { name: "players", description: "", members };
  const { group_id } = await chat.as("desdemona").post("/user_groups/create", group);
  chat.ids["players"] = group_id;
  const page = await showAdmin(chat, path.replace("HAMLET", String(chat.ids["hamlet"])), options);
  const select = async (...names: string[]) => {
    for (const name of names) await page.getByLabel(uiText("table.select", { name }), { exact: true }).check();
  };
  return { chat, page, select };
}

test("searches people by parts of names and addresses", async (t) => {
  const { page } = await people(t);
  await row(page, "Cordelia").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("ham exam");
  await row(page, "Cordelia").waitFor({ state: "detached" });
  await row(page, "Hamlet").waitFor();
  assert.match(page.url(), /q=ham\+exam/);
});

test("filters people by group", async (t) => {
  const { page } = await people(t);
  await page.getByRole("button", { name: en.people.group, exact: true }).click();
  await page.getByRole("checkbox", { name: "players" }).check();
  await row(page, "Othello").waitFor({ state: "detached" });
  await row(page, "Hamlet").waitFor();
});

test("sorts people by the URL", async (t) => {
  const { page } = await people(t, "/people?sort=-name");
  await row(page, "Polonius").waitFor();
  assert.equal(await page.getByRole("row").nth(1).getAttribute("aria-label"), "Polonius");
});

/** Signs Othello in once. */
async function signIn(chat: Chat) {
  const { link } = await chat.as("desdemona").post("/host/sign-in-links", { user_id: chat.ids["othello"] });
  const token = link.split("#")[1];
  await chat.anonymous("POST", "/host/password-resets", { token, new_password: "a handkerchief" });
  const form = { username: "othello@example.com", password: "a handkerchief" };
  return async () => assert.equal((await chat.anonymous("POST", "/host/session", form)).status, 200);
}

test("counts the browsers of signed-in people live", async (t) => {
  const { chat, page } = await people(t, "/people?sort=signIns");
  await row(page, "Othello").getByText(en.people.inNoBrowser, { exact: true }).waitFor();
  await row(page, "Othello").getByText(en.people.neverSeen).waitFor();
  const again = await signIn(chat);
  for (const count of [1, 2]) {
    await again();
    await row(page, "Othello").getByText(uiText("people.browsers", { count })).waitFor();
  }
  assert.equal(await page.getByRole("row").nth(1).getAttribute("aria-label"), "Othello", "the newest is first");
  await row(page, "Othello").getByText(en.people.neverSeen).waitFor({ state: "detached" });
});

test("filters people who are signed in with several browsers, until a session ends", async (t) => {
  const { chat, page } = await people(t);
  const again = await signIn(chat);
  await again();
  await again();
  await page.getByRole("button", { name: en.people.signIns }).first().click();
  await page.getByRole("checkbox", { name: en.people.inSeveralBrowsers }).check();
  await row(page, "Cordelia").waitFor({ state: "detached" });
  await row(page, "Othello").waitFor();
  const { sessions } = await chat.as("desdemona").get(`/host/users/${chat.ids["othello"]}`);
  await chat.as("desdemona").delete(`/host/sessions/${sessions[0].id}`);
  await row(page, "Othello").waitFor({ state: "detached" });
});

async function profile(t: TestContext) {
  const shown = await people(t, "/people?open=HAMLET");
  const drawer = shown.page.getByRole("dialog");
  const name = drawer.getByRole("textbox", { name: en.people.name });
  const email = drawer.getByRole("textbox", { name: en.people.email });
  await drawer.locator(":focus").waitFor(); // the focus moves into it, which would end an edit
  return { ...shown, drawer, name, email };
}

for (const [choice, result] of [
  [en.saving.keepMine, "Half a name"],
  [en.saving.takeTheirs, "Hamlet II"],
] as const)
  test(`a name that changes while it is edited: ${choice}`, async (t) => {
    const { chat, page, drawer, name, email } = await profile(t);
    await name.fill("Half a name");
    await chat.as("desdemona").patch(`/users/${chat.ids["hamlet"]}`, { full_name: "Hamlet II" });
    await page.getByRole("heading", { name: "Hamlet II" }).waitFor();
    assert.equal(await name.inputValue(), "Half a name", "what somebody else sets takes no text away");
    const changed = drawer.getByText(uiText("saving.changedMeanwhile", { value: "Hamlet II" }));
    await changed.waitFor();
    await email.focus();
    assert.equal((await userOf(chat, "hamlet")).full_name, "Hamlet II", "only the button saves over another's change");
    await drawer.getByRole("button", { name: choice }).click();
    await changed.waitFor({ state: "detached" });
    await holds(async () => (await userOf(chat, "hamlet")).full_name === result);
  });

test("Escape takes back a text, and Enter saves it", async (t) => {
  const { page, name } = await profile(t);
  await name.fill("Ham");
  await page.keyboard.press("Escape");
  assert.equal(await name.inputValue(), "Hamlet", "and the drawer stays open");
  await name.fill("Hamlet of Denmark");
  await page.keyboard.press("Enter");
  await row(page, "Hamlet of Denmark").waitFor();
  await notice(page, uiText("saving.savedNamed", { name: en.people.name }));
});

test("a custom profile field saves", async (t) => {
  const { chat, page, drawer } = await profile(t);
  const { id } = await chat.as("desdemona").post("/realm/profile_fields", { field_type: 1, name: "Phone number" });
  await drawer.getByRole("textbox", { name: "Phone number" }).fill("0700");
  await page.keyboard.press("Enter");
  const params = { include_custom_profile_fields: true };
  await holds(async () => {
    const { user } = await chat.as("desdemona").get(`/users/${chat.ids["hamlet"]}`, params);
    return user.profile_data[id]?.value === "0700";
  });
});

test("a refused email address reverts in the same moment as its error shows", async (t) => {
  const { page, drawer, email } = await profile(t);
  await email.fill("othello@example.com");
  const besideTheRefusal: string[] = [];
  await email.evaluate((input: HTMLInputElement) => {
    const note = () => input.getAttribute("aria-invalid") === "true" && besideTheRefusal.push(input.value);
    new MutationObserver(note).observe(input, { attributes: true });
  });
  await page.keyboard.press("Enter");
  await drawer.getByText("Email address already in use: othello@example.com").waitFor();
  await holds(() => besideTheRefusal.length > 0);
  assert.equal(besideTheRefusal[0], "hamlet@example.com");
  assert.equal(await email.inputValue(), "hamlet@example.com");
});

test("the role of owner is last and asks first", async (t) => {
  const { chat, page, drawer } = await profile(t);
  const role = drawer.getByRole("combobox", { name: en.people.role });
  await role.click();
  await page.getByRole("option", { name: en.roles.moderator }).click();
  await row(page, "Hamlet").getByText(en.roles.moderator).waitFor();
  await role.click();
  await page.getByRole("option").last().getByText(en.roles.owner).click();
  const question = page.getByRole("dialog", { name: uiText("people.makeOwner", { name: "Hamlet" }) });
  await question.getByRole("button", { name: en.confirm.cancel }).click();
  assert.equal((await userOf(chat, "hamlet")).role, 300);
});

test("closing the drawer saves its text, or reports the refusal", async (t) => {
  const { page, drawer, email } = await profile(t);
  await email.fill("othello@example.com");
  await page.getByRole("button", { name: en.details.close }).click();
  await drawer.waitFor({ state: "detached" });
  const reason = "Email address already in use: othello{{}}";
  await page.getByText(likeText(uiText("saving.failedNamed", { name: en.people.email, reason }))).waitFor();
});

test("removes a person from a group, and undoes it", async (t) => {
  const { page } = await people(t, "/people?open=HAMLET&tab=groups");
  const drawer = page.getByRole("dialog");
  await drawer
    .getByRole("button", { name: uiText("people.removeFromGroup", { name: "Hamlet", group: "players" }) })
    .click();
  await drawer.getByText(likeText(en.people.noGroups)).waitFor();
  await undo(page, uiText("people.removedFromGroup", { name: "Hamlet", group: "players" }));
  await drawer.getByText("players").waitFor();
});

test("unsubscribes and subscribes a person", async (t) => {
  const { chat, page } = await people(t, "/people?open=HAMLET&tab=channels");
  const drawer = page.getByRole("dialog");
  const unsubscribe = drawer.getByRole("button", {
    name: uiText("people.unsubscribeFrom", { name: "Hamlet", channel: "castle" }),
  });
  await unsubscribe.click();
  await unsubscribe.waitFor({ state: "detached" });
  await drawer.getByRole("combobox", { name: en.people.subscribeTo }).click();
  await page.getByRole("option", { name: "castle" }).click();
  await drawer.getByRole("button", { name: en.people.addHere, exact: true }).click();
  await unsubscribe.waitFor();
  await notice(page, uiText("people.nowIn", { name: "Hamlet", list: "castle" }));
  assert.equal(await isSubscribed(chat, "hamlet", "castle"), true);
});

test("creates a password reset link for a person", async (t) => {
  const { page } = await people(t, "/people?open=HAMLET&tab=signIn");
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("button", { name: en.people.makeLink }).click();
  assert.match(await drawer.locator("code").innerText(), /\/reset\/#[\w-]{43}$/);
  await drawer.getByText(en.invitations.linkLocal).waitFor(); // no code, since only this computer could open it
});

test("ends a session, and all sessions with the API key", async (t) => {
  const { chat, page } = await people(t);
  const othello = chat.as("othello");
  await (await signIn(chat))();
  await page.goto(`#/people?open=${chat.ids["othello"]}&tab=signIn`);
  const drawer = page.getByRole("dialog").first();
  await drawer.getByRole("button", { name: uiText("sessions.endNamed", { name: en.sessions.unknown }) }).click();
  await notice(page, likeText(en.people.sessionEnded));
  await drawer.getByText(en.people.noSessions).waitFor();
  await drawer.getByRole("button", { name: en.people.endSessions }).click();
  await dialog(page).getByRole("button", { name: en.people.endSessions }).click();
  await notice(page, likeText(en.people.sessionsEnded));
  assert.equal((await othello.get("/users/me"))["code"], "INVALID_API_KEY");
});

test("a person's history shows values before and after, and links to other things", async (t) => {
  const { chat, page } = await people(t);
  await chat.as("desdemona").patch(`/users/${chat.ids["hamlet"]}`, { role: 300 });
  await page.goto(`#/people?open=${chat.ids["hamlet"]}&tab=history`);
  const entries = page.getByRole("dialog").getByRole("listitem");
  const role = entries.filter({ hasText: uiText("audit.roleChanged", { actor: "Desdemona", name: "Hamlet" }) });
  await role.locator("del", { hasText: en.roles.member }).waitFor();
  await role.locator("ins", { hasText: en.roles.moderator }).waitFor();
  assert.equal(await role.getByRole("link", { name: "Hamlet" }).count(), 0, "that is here");
  await entries.filter({ hasText: "players" }).getByRole("link", { name: "players" }).first().waitFor();
});

test("a deactivation shows its effects in numbers, and can be taken back", async (t) => {
  const { page } = await people(t, "/people?open=HAMLET&tab=signIn");
  await page.getByRole("button", { name: uiText("people.deactivate", { name: "Hamlet" }) }).click();
  await dialog(page)
    .getByText(uiText("people.ends.groups", { count: 1 }))
    .waitFor();
  await dialog(page)
    .getByRole("button", { name: uiText("people.deactivate", { name: "Hamlet" }) })
    .click();
  await row(page, "Hamlet").getByText(en.people.deactivated).waitFor();
  await page.getByRole("button", { name: uiText("people.reactivate", { name: "Hamlet" }) }).click();
  await row(page, "Hamlet").getByText(en.people.deactivated).waitFor({ state: "detached" });
});

test("subscribes several people, and undoes it only for new subscribers", async (t) => {
  const { chat, page, select } = await people(t);
  await select("Desdemona", "Othello", "Cordelia");
  await page.getByRole("toolbar").getByRole("button", { name: en.people.tasks.subscribe, exact: true }).click();
  await dialog(page).getByRole("combobox", { name: en.people.channels }).click();
  await page.getByRole("option", { name: "castle" }).click();
  await dialog(page).getByRole("button", { name: en.people.tasks.subscribe }).click();
  await notice(page, uiText("several.done", { count: 3 }));
  const inCastle = () =>
    Promise.all(["desdemona", "othello", "cordelia"].map((name) => isSubscribed(chat, name, "castle")));
  assert.deepEqual(await inCastle(), [true, true, true]);
  await page.keyboard.press("Control+Z");
  await notice(page, en.saving.undone);
  assert.deepEqual(await inCastle(), [true, false, false]);
});

test("changes several roles, reports refusals, and restores roles of people and their bots", async (t) => {
  const { chat, page, select } = await people(t, "/people", {
    between: async (url, init, send) =>
      init?.method === "PATCH" && url.endsWith(`/users/${chat.ids["cordelia"]}`)
        ? Response.json({ result: "error", msg: "Cordelia stays.", code: "BAD_REQUEST" }, { status: 400 })
        : send(url, init),
  });
  await chat.as("desdemona").patch(`/bots/${chat.ids["bot"]}`, { bot_owner_id: chat.ids["othello"] });
  const roles = () =>
    Promise.all(["desdemona", "othello", "bot", "cordelia"].map(async (name) => (await userOf(chat, name)).role));
  await select("Desdemona", "Othello", "Cordelia");
  await page.getByRole("toolbar").getByRole("button", { name: en.people.tasks.role }).click();
  await dialog(page).getByRole("combobox", { name: en.people.role }).click();
  await page.getByRole("option", { name: en.roles.guest }).click();
  await dialog(page)
    .getByText(uiText("people.taskFor", { count: 2, names: "Cordelia and Othello" }))
    .waitFor();
  await dialog(page).getByText(en.people.leftOut.self).waitFor();
  await dialog(page)
    .getByText(uiText("people.roleEnds.bots", { count: 1 }))
    .waitFor();
  await dialog(page).getByRole("button", { name: en.people.tasks.role }).click();
  await dialog(page).getByText("Cordelia stays.").waitFor();
  assert.deepEqual(await roles(), [100, 600, 600, 400]);
  await dialog(page).getByRole("button", { name: en.several.close }).last().click();
  const result = page.getByRole("alert").filter({ hasText: uiText("several.result", { done: 1, count: 2 }) });
  await result.getByRole("button", { name: en.saving.undo }).click();
  await notice(page, en.saving.undone);
  await holds(async () => (await roles()).join() === "100,400,400,400");
});

test("a bulk deactivation shows who is included, excluded and affected, and asks for the number", async (t) => {
  const { chat, page, select } = await people(t, "/people", {}, { osric: {}, yorick: {} });
  await chat.as("desdemona").delete(`/users/${chat.ids["cordelia"]}`);
  await row(page, "Cordelia").getByText(en.people.deactivated).waitFor();
  await select("Desdemona", "Othello", "Hamlet", "Cordelia", "Iago", "Polonius", "Osric", "Yorick");
  const { deactivate } = en.people.tasks;
  await page.getByRole("toolbar").getByRole("button", { name: deactivate }).click();
  const question = page.getByRole("dialog", { name: uiText("people.taskTitles.deactivate", { count: 6 }) });
  await question.getByText(en.people.leftOut.self).waitFor();
  await question.getByText(uiText("people.leftOut.deactivated", { names: "Cordelia", count: 1 })).waitFor();
  await question.getByText(uiText("people.ends.bots", { count: 1 })).waitFor();
  const confirm = question.getByRole("button", { name: deactivate });
  assert.equal(await confirm.isDisabled(), true);
  await question.getByLabel(uiText("confirm.type", { name: "6" })).fill("6");
  await confirm.click();
  await notice(page, uiText("several.done", { count: 6 }));
  assert.equal((await userOf(chat, "othello")).is_active, false);
  assert.equal((await userOf(chat, "desdemona")).is_active, true);
});

test("asks before it discards a new person", async (t) => {
  const { page } = await people(t);
  await page.getByRole("button", { name: en.people.add }).click();
  await dialog(page).getByLabel(en.addPerson.full_name).fill("Ophelia");
  await page.keyboard.press("Escape");
  await dialog(page).getByRole("button", { name: en.dialog.goOn }).and(page.locator(":focus")).waitFor();
  assert.equal(await dialog(page).getByRole("button", { name: en.addPerson.cancel }).count(), 0);
  await page.keyboard.press("Escape");
  await dialog(page).getByLabel(en.addPerson.full_name).and(page.locator(":focus")).waitFor();
});

test("adds a person with a role, channels and groups", async (t) => {
  const { chat, page } = await people(t);
  await page.getByRole("button", { name: en.people.add }).click();
  await dialog(page).getByLabel(en.addPerson.full_name).fill("Ophelia");
  await dialog(page).getByLabel(en.addPerson.email).fill("ophelia@example.com");
  await dialog(page).getByLabel(en.addPerson.password).fill("rosemary for remembrance");
  await dialog(page).getByLabel(en.invitations.role).selectOption(en.roles.moderator);
  for (const [field, option] of [
    [en.invitations.channels, "castle"],
    [en.invite.groups, "players"],
  ] as const) {
    await dialog(page).getByRole("combobox", { name: field }).click();
    await page.getByRole("option", { name: option }).click();
  }
  await dialog(page)
    .getByRole("button", { name: uiText("addPerson.submit", { name: "Ophelia" }) })
    .click();
  await row(page, "Ophelia").getByText(en.roles.moderator).waitFor();
  const { members } = await chat.as("desdemona").get("/users");
  chat.ids["ophelia"] = members.find((one: any) => one.full_name === "Ophelia").user_id;
  await holds(() => isSubscribed(chat, "ophelia", "castle"));
  const inGroup = async () =>
    (await chat.as("desdemona").get(`/user_groups/${chat.ids["players"]}/members`))["members"];
  await holds(async () => (await inGroup()).includes(chat.ids["ophelia"]));
});

test("the page of the computer's settings is only in the desktop app", async (t) => {
  const { page } = await people(t, "/updates");
  await page.getByRole("heading", { name: en.shell.atDesktopOnly }).waitFor();
});

test("invites an imported person with a link that claims the account", async (t) => {
  const { chat, page } = await people(t);
  const { stubId } = importSmall(chat);
  await row(page, "Yorick").getByText(en.importedPeople.badge).waitFor();
  await row(page, "Yorick").click();
  await page.getByText(en.importedPeople.hint).waitFor();
  await page.getByRole("button", { name: en.importedPeople.invite }).click();
  await dialog(page)
    .getByRole("button", { name: uiText("importedPeople.create_one", { count: 1 }) })
    .click();
  await dialog(page)
    .getByText(uiText("invitations.linkLeadClaim", { name: "Yorick" }))
    .waitFor();
  const { invitations } = await chat.as("desdemona").get("/host/invitations");
  assert.equal(invitations[0].claims.user_id, stubId);
});

test("invites the imported people of a selection", async (t) => {
  const { chat, page, select } = await people(t);
  importSmall(chat);
  await row(page, "Yorick").waitFor();
  await select("Yorick", "Othello");
  await page.getByRole("button", { name: en.importedPeople.inviteSeveral }).click();
  await dialog(page)
    .getByText(uiText("importedPeople.skipped_one", { count: 1 }))
    .waitFor();
  await dialog(page).getByLabel(en.invitations.role).selectOption("300");
  await dialog(page)
    .getByRole("button", { name: uiText("importedPeople.create_one", { count: 1 }) })
    .click();
  await dialog(page).getByRole("button", { name: en.invite.print }).waitFor();
  assert.equal((await chat.as("desdemona").get("/invites")).invites[0].invited_as, 300);
});

test("merges an imported person into an account", async (t) => {
  const { chat, page } = await people(t);
  const { stubId } = importSmall(chat);
  await row(page, "Yorick").click();
  await page.getByRole("button", { name: en.importedPeople.merge }).click();
  await dialog(page)
    .getByText(uiText("importedPeople.moves.messages_other", { count: 3 }))
    .waitFor();
  await dialog(page).getByRole("button", { name: en.importedPeople.mergeSubmit, exact: true }).click();
  await dialog(page).getByText(en.importedPeople.mergeMissing).waitFor();
  await dialog(page).getByRole("combobox", { name: en.importedPeople.mergeInto }).click();
  await page.getByRole("option", { name: "Othello (othello@example.com)" }).click();
  await dialog(page).getByRole("button", { name: en.importedPeople.mergeSubmit, exact: true }).click();
  await notice(page, uiText("importedPeople.merged", { name: "Yorick", into: "Othello" }));
  await row(page, "Yorick").waitFor({ state: "detached" });
  assert.equal((await chat.as("iago").get(`/users/${stubId}`)).reason, "user_not_found");
});
