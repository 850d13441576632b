import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { en } from "../../ui/locales/en.ts";
import { makeChannel } from "../support/channels.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { holds } from "../support/patience.ts";
import { showAdmin } from "../support/rendered.ts";
import { uiText } from "../support/ui-texts.ts";
import { undo } from "../support/undo.ts";

async function foldersPage(t: TestContext) {
  const chat = await startChat(t, { unwatched: true });
  const owner = chat.as("desdemona");
  const ids: Record<string, number> = {};
  for (const name of ["The club", "Rowing", "Board"])
    ids[name] = (await owner.post("/channel_folders/create", { name, description: "" }))["channel_folder_id"];
  for (const name of ["boats", "kitchen"]) await makeChannel(chat, name, { folder_id: ids["Rowing"] });
  const page = await showAdmin(chat, "/folders");
  const choose = async (folder: string, action: string) => {
    await page.getByRole("button", { name: uiText("folders.actions", { name: folder }) }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  return { page, chat, ids, choose };
}

const foldersOf = async (chat: Chat) =>
  (await chat.as("desdemona").get("/channel_folders"))["channel_folders"].map(({ name }: { name: string }) => name);
const folderOf = async (chat: Chat, name: string) => {
  const { streams } = await chat.as("desdemona").get("/streams");
  return streams.find((channel: { name: string }) => channel.name === name).folder_id;
};

test("moves a folder by its menu", async (t) => {
  const { chat, choose } = await foldersPage(t);
  await choose("The club", en.folders.down);
  await holds(async () => (await foldersOf(chat)).join() === "Rowing,The club,Board");
});

test("moves a channel out of its folder by its menu", async (t) => {
  const { page, chat } = await foldersPage(t);
  await page.getByRole("button", { name: uiText("folders.moveChannel", { name: "boats" }) }).click();
  await page.getByRole("menuitem", { name: en.channels.noFolder }).click();
  await holds(async () => (await folderOf(chat, "boats")) === null);
});

test("creates a folder, and refuses a taken name", async (t) => {
  const { page } = await foldersPage(t);
  await page.getByRole("button", { name: en.folders.create }).click();
  await page.getByLabel(en.channels.fields.name).fill("rowing");
  await page.keyboard.press("Enter");
  await page
    .getByRole("dialog")
    .getByText(/rowing/i)
    .waitFor();
  await page.getByLabel(en.channels.fields.name).fill("Regattas");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Regattas" }).waitFor();
});

test("changes the description of a folder", async (t) => {
  const { page, choose } = await foldersPage(t);
  await choose("Board", en.folders.edit);
  await page.getByLabel(en.channels.fields.description).fill("Races and transport.");
  await page.getByRole("button", { name: en.channels.save, exact: true }).click();
  await page.getByRole("region", { name: "Board" }).getByText("Races and transport.").waitFor();
});

test("archives a folder after explaining the effect on its channels", async (t) => {
  const { page, chat, choose } = await foldersPage(t);
  await choose("Rowing", en.channels.tasks.archive);
  await page.getByText("Its 2 channels will no longer be in a folder.").waitFor();
  await page.getByRole("button", { name: uiText("folders.archiveConfirm", { name: "Rowing" }) }).click();
  await page.getByRole("button", { name: uiText("folders.restore", { name: "Rowing" }) }).waitFor();
  assert.equal(await folderOf(chat, "kitchen"), null);
  await page.getByRole("button", { name: uiText("folders.restore", { name: "Rowing" }) }).click();
  await page.getByRole("heading", { name: "Rowing" }).waitFor();
});

async function defaultsPage(t: TestContext) {
  const chat = await startChat(t, { unwatched: true });
  for (const name of ["boats", "kitchen"]) await makeChannel(chat, name);
  return { chat, page: await showAdmin(chat, "/defaults") };
}

const setsOf = async (chat: Chat) => (await chat.as("desdemona").post("/register"))["realm_default_stream_groups"];

test("adds and removes default channels, and undoes it", async (t) => {
  const { page } = await defaultsPage(t);
  await page.getByText(en.newMembers.channels.none).waitFor();
  await page.getByRole("combobox", { name: en.newMembers.channels.add }).fill("kit");
  await page.getByRole("option", { name: "kitchen" }).click();
  await page.getByText(uiText("newMembers.channels.lead", { count: 1 })).waitFor();
  await page.getByRole("button", { name: uiText("newMembers.channels.remove", { name: "kitchen" }) }).click();
  const removed = uiText("newMembers.channels.removed", { name: "kitchen", count: 1 });
  await page.getByText(removed).waitFor();
  await undo(page, removed);
  await page.getByText(uiText("newMembers.channels.lead", { count: 1 })).waitFor();
});

test("creates, changes and deletes a set of channels", async (t) => {
  const { page, chat } = await defaultsPage(t);
  const channels = page.getByRole("combobox", { name: en.newMembers.groups.fieldChannels, exact: true });
  await page.getByRole("button", { name: en.newMembers.groups.create }).click();
  await page.getByRole("textbox", { name: en.newMembers.groups.name }).fill("Rowers");
  await channels.fill("boa");
  await page.getByRole("option", { name: "boats" }).click();
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: en.channels.create.submit }).click();
  await page.getByRole("button", { name: uiText("newMembers.groups.edit", { name: "Rowers" }) }).click();
  await page.getByRole("textbox", { name: en.newMembers.groups.fieldDescription }).fill("For those who row.");
  await channels.fill("kit");
  await page.getByRole("option", { name: "kitchen" }).click();
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: en.channels.save, exact: true }).click();
  await page.getByText("boats, kitchen").waitFor();
  const [set] = await setsOf(chat);
  assert.deepEqual([set.name, set.description, set.streams.length], ["Rowers", "For those who row.", 2]);
  const remove = uiText("newMembers.groups.delete", { name: "Rowers" });
  await page.getByRole("button", { name: remove }).click();
  await page.getByText(uiText("newMembers.groups.deleteHint", { count: 2 })).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: remove }).click();
  await holds(async () => (await setsOf(chat)).length === 0);
});

test("finds, changes and resets a new-member setting", async (t) => {
  const { page, chat } = await defaultsPage(t);
  const sends = async () => (await chat.as("desdemona").post("/register"))["realm_user_settings_defaults"].enter_sends;
  const { label } = en.userSettings.enter_sends;
  await page.getByRole("searchbox", { name: en.newMembers.search }).fill("enter sends");
  await page.getByRole("switch", { name: label }).check();
  await holds(sends);
  await page.getByRole("button", { name: uiText("settings.resetNamed", { name: label }) }).click();
  await holds(async () => !(await sends()));
});
