import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { showAdmin } from "../support/rendered.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

const row = (page: Page, name: string) => page.getByRole("row", { name, exact: true });
const dialog = (page: Page) => page.getByRole("dialog").last();
const people = (count: number) => uiText("permissions.people", { count });

async function makeGroup(chat: Chat, name: string, members: string[], subgroups: number[] = []): Promise<number> {
  const ids = members.map((member) => chat.ids[member]);
  const params = { name, description: "", members: ids, subgroups };
  return (await chat.as("desdemona").post("/user_groups/create", params))["group_id"];
}

/** Hamlet is in the group "players", which is in "theatre". */
async function groups(t: TestContext, path = "/groups") {
  const chat = await startChat(t, { unwatched: true });
  const players = await makeGroup(chat, "players", ["hamlet"]);
  const theatre = await makeGroup(chat, "theatre", [], [players]);
  const page = await showAdmin(chat, path.replace("PLAYERS", String(players)));
  return { chat, page, players, theatre };
}

const groupOf = async (chat: Chat, id: number) =>
  (await chat.as("desdemona").get("/user_groups"))["user_groups"].find((group: { id: number }) => group.id === id);

test("counts the people and bots of a group of a role", async (t) => {
  const { page } = await groups(t);
  const counts = likeText(`${en.permissions.people_other} and ${en.permissions.bots_one}`);
  await row(page, en.permissions.roles.members).getByText(counts).waitFor();
});

test("creates a group with a subgroup and explains its members, after a taken name", async (t) => {
  const { page } = await groups(t);
  await page.getByRole("button", { name: en.groups.create }).click();
  const submit = dialog(page).getByRole("button", { name: en.groups.create });
  await dialog(page).getByLabel(en.groups.name).fill("Players");
  await submit.click();
  await dialog(page).getByText("Group name already in use: Players").waitFor();
  await dialog(page).getByLabel(en.groups.name).fill("company");
  await dialog(page).getByRole("combobox", { name: en.groups.subgroups }).click();
  await page.getByRole("option", { name: "theatre" }).click();
  await submit.click();
  await row(page, "company").getByText(people(1)).waitFor();
  await dialog(page)
    .getByText(uiText("permissions.through", { way: "theatre → players" }))
    .waitFor();
});

test("adds and removes a member of a group", async (t) => {
  const { page } = await groups(t, "/groups?open=PLAYERS");
  await dialog(page).getByRole("combobox", { name: en.groups.addMembers }).click();
  await page.getByRole("option", { name: "Cordelia" }).click();
  await dialog(page).getByRole("button", { name: en.people.addHere, exact: true }).first().click();
  await row(page, "players").getByText(people(2)).waitFor();
  await dialog(page)
    .getByRole("button", { name: uiText("people.removeFromGroup", { name: "Cordelia", group: "players" }) })
    .click();
  await row(page, "players").getByText(people(1)).waitFor();
});

test("offers neither groups that contain the group, nor groups with unknown members", async (t) => {
  const { chat, page } = await groups(t, "/groups?open=PLAYERS");
  await makeGroup(chat, "extras", []);
  await dialog(page).getByRole("combobox", { name: en.groups.addSubgroups }).click();
  await page.getByRole("option", { name: "extras" }).waitFor();
  const offered = await page.getByRole("option").allTextContents();
  for (const name of ["theatre", "players", en.systemGroups.internet, en.systemGroups.nobody])
    assert.ok(!offered.includes(name), name);
  assert.ok(offered.includes(en.permissions.roles.moderators), offered.join());
});

test("a refused subgroup stays chosen", async (t) => {
  const { chat, page, players } = await groups(t, "/groups?open=PLAYERS");
  const extras = await makeGroup(chat, "extras", []);
  await dialog(page).getByRole("combobox", { name: en.groups.addSubgroups }).click();
  await page.getByRole("option", { name: "extras" }).click();
  await chat.as("desdemona").post(`/user_groups/${extras}/members`, { add_subgroups: [players] });
  await dialog(page).getByRole("button", { name: en.groups.addSubgroups }).click();
  await dialog(page).getByText("The group extras contains this group. A group can't contain itself.").waitFor();
  await dialog(page).locator(".mantine-Pill-root").getByText("extras", { exact: true }).waitFor();
});

test("a permission of a group saves immediately", async (t) => {
  const { chat, page, players } = await groups(t, "/groups?open=PLAYERS&tab=settings");
  await dialog(page).getByRole("combobox", { name: en.groups.can_mention_group, exact: true }).click();
  await page.getByRole("option", { name: en.permissions.roles.moderators }).click();
  await page.keyboard.press("Tab"); // closes the list
  await page
    .getByRole("alert")
    .getByText(uiText("saving.savedNamed", { name: en.groups.can_mention_group }))
    .waitFor();
  const { id } = (await chat.as("desdemona").get("/user_groups"))["user_groups"].find(
    ({ name }: { name: string }) => name === "role:moderators",
  );
  assert.equal((await groupOf(chat, players)).can_mention_group, id);
});

test("a group that is used is not deactivated, and its uses are links", async (t) => {
  const { page } = await groups(t, "/groups?open=PLAYERS&tab=settings");
  const deactivate = uiText("groups.deactivate", { name: "players" });
  await dialog(page).getByRole("button", { name: deactivate }).click();
  await dialog(page).getByRole("button", { name: deactivate }).click();
  await dialog(page).getByText(en.groups.inUse).waitFor();
  await page.getByRole("link", { name: uiText("groups.usedAsSubgroup", { name: "theatre" }) }).click();
  await page.getByRole("dialog", { name: "theatre" }).waitFor();
});

test("deactivates and reactivates a group", async (t) => {
  const { page, theatre } = await groups(t);
  await page.goto(`#/groups?open=${theatre}&tab=settings`);
  const deactivate = uiText("groups.deactivate", { name: "theatre" });
  await dialog(page).getByRole("button", { name: deactivate }).click();
  await dialog(page).getByRole("button", { name: deactivate }).click();
  await row(page, "theatre").getByText(en.people.deactivated).waitFor();
  await dialog(page)
    .getByRole("button", { name: uiText("groups.reactivate", { name: "theatre" }) })
    .click();
  await row(page, "theatre").getByText(en.people.deactivated).waitFor({ state: "detached" });
});

async function inviting(t: TestContext) {
  const chat = await startChat(t, { unwatched: true });
  await makeGroup(chat, "players", ["hamlet"]);
  const page = await showAdmin(chat, "/invitations");
  await page.getByRole("button", { name: en.invitations.action }).first().click();
  await dialog(page).getByLabel(en.invitations.role).and(page.locator(":focus")).waitFor();
  return { chat, page };
}

test("invites guests by a link, and counts who joins with it", async (t) => {
  const { chat, page } = await inviting(t);
  await dialog(page).getByLabel(en.invitations.role).selectOption(en.roles.guest);
  await dialog(page).getByRole("combobox", { name: en.invite.groups }).click();
  await page.getByRole("option", { name: "players" }).click();
  await dialog(page).getByRole("button", { name: en.invite.make }).click();
  const link = await dialog(page).locator("code").innerText();
  assert.match(link, /\/join\/[^/]+\/$/);
  await dialog(page).getByRole("button", { name: en.invitations.done }).click();
  await row(page, en.invitations.linkFor.guest).getByText(en.invitations.nobody).waitFor();
  const token = new URL(link).pathname.split("/")[2];
  const yorick = { token, email: "yorick@example.com", full_name: "Yorick", password: "infinite jest" };
  const joined = await chat.anonymous("POST", "/host/join", yorick, { origin: chat.url });
  assert.equal(joined.status, 200, joined.msg);
  await row(page, en.invitations.linkFor.guest)
    .getByText(uiText("invite.came", { count: 1 }))
    .waitFor();
});

test("invites people by email address, and names those with an account", async (t) => {
  const { page } = await inviting(t);
  await dialog(page).getByText(en.invite.email).click();
  await dialog(page).getByRole("button", { name: en.invite.make }).click();
  await dialog(page).getByText(en.invite.missingEmails).waitFor();
  await dialog(page).getByLabel(en.invite.emails).fill("osric@example.com, othello@example.com");
  await dialog(page).getByRole("button", { name: en.invite.make }).click();
  await page.getByText("othello@example.com: This person already has an account.").waitFor();
  await row(page, "osric@example.com").waitFor();
});

test("revokes an invitation", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  await chat.as("desdemona").post("/invites", { invitee_emails: "osric@example.com", stream_ids: [] });
  const page = await showAdmin(chat, "/invitations");
  await page.getByRole("button", { name: uiText("invitations.revokeNamed", { name: "osric@example.com" }) }).click();
  await dialog(page).getByRole("button", { name: en.invitations.revokeAction }).click();
  await row(page, "osric@example.com").waitFor({ state: "detached" });
});
