import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { change, channelOf, makeChannel } from "../support/channels.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { openFromPalette } from "../support/palette.ts";
import { holds } from "../support/patience.ts";
import { showAdmin } from "../support/rendered.ts";
import { likeText, uiText } from "../support/ui-texts.ts";
import { undo } from "../support/undo.ts";

const dialog = (page: Page) => page.getByRole("dialog").last();

/** The drawer of the channel "boathouse", with Desdemona and Hamlet. */
async function boathouse(t: TestContext, tab = "settings") {
  const chat = await startChat(t, {
    unwatched: true,
    archivedChannels: true,
    channels: [{ name: "boathouse", subscribers: ["desdemona", "hamlet"] }],
  });
  const page = await showAdmin(chat, `/channels?open=${chat.ids["boathouse"]}&tab=${tab}`);
  return { chat, page };
}

/** The list of two channels. */
async function channelList(t: TestContext, options: Parameters<typeof showAdmin>[2] = {}) {
  const chat = await startChat(t, { unwatched: true, channels: [{ name: "boathouse" }] });
  await makeChannel(chat, "board", { invite_only: true });
  const page = await showAdmin(chat, "/channels", options);
  const selectBoth = async () => {
    for (const name of ["boathouse", "board"])
      await page.getByRole("checkbox", { name: uiText("table.select", { name }) }).check();
  };
  return { chat, page, selectBoth };
}

const both = (chat: Chat, check: (channel: Record<string, any>) => boolean) =>
  holds(async () => {
    const channels = [await channelOf(chat, "boathouse"), await channelOf(chat, "board")];
    return channels.every(check);
  });

async function createForm(t: TestContext) {
  const chat = await startChat(t, { unwatched: true });
  const page = await showAdmin(chat, "/channels");
  await page.getByText(en.channels.empty).waitFor();
  await openFromPalette(page, "create a chan", en.channels.create.title);
  await page.getByLabel(en.channels.fields.name).fill("boathouse");
  const choose = async (kind: string) => {
    await page.getByRole("combobox", { name: en.channels.fields.kind }).click();
    await page.getByRole("option", { name: kind, exact: true }).click();
  };
  return { chat, page, choose };
}

test("the kind of a new channel suggests its members, until they are chosen", async (t) => {
  const { page, choose } = await createForm(t);
  const members = page.getByRole("radio", { checked: true });
  await choose(en.channels.kinds.private);
  await members.and(page.getByLabel(en.channels.create.members.chosen)).waitFor();
  await choose(en.channels.kinds.public);
  await members.and(page.getByLabel(likeText(en.channels.create.members.everyone))).waitFor();
  await page.getByRole("radio", { name: en.channels.create.members.me }).check();
  await choose(en.channels.kinds.private);
  await members.and(page.getByLabel(en.channels.create.members.me)).waitFor();
});

test("Enter chooses a person for a new channel, and does not create it", async (t) => {
  const { chat, page } = await createForm(t);
  await page.getByRole("radio", { name: en.channels.create.members.chosen }).check();
  const people = page.getByRole("combobox", { name: en.channels.create.people });
  await people.fill("matches no one");
  await people.press("Enter");
  await people.fill("Ham");
  await people.press("Enter");
  await page.getByRole("button", { name: uiText("picker.remove", { name: "Hamlet" }) }).waitFor();
  await page.getByRole("button", { name: en.channels.create.submit }).click();
  await dialog(page).getByRole("heading", { name: "boathouse" }).waitFor();
  const { stream_id } = (await chat.as("desdemona").get("/get_stream_id", { stream: "boathouse" })) as any;
  chat.ids["boathouse"] = stream_id;
  assert.equal((await channelOf(chat, "boathouse"))["subscriber_count"], 2);
});

test("a taken name of a channel is an error at its field", async (t) => {
  const { page } = await channelList(t);
  await page.getByRole("button", { name: en.channels.create.title }).click();
  await page.getByLabel(en.channels.fields.name).fill("BOATHOUSE");
  await page.keyboard.press("Enter");
  await page.getByText(en.channels.create.taken).waitFor();
  await page.getByRole("button", { name: en.form.cancel }).click();
  await page.getByRole("button", { name: en.dialog.discard }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("finds and filters channels created by others", async (t) => {
  const { chat, page } = await channelList(t);
  await change(chat, "desdemona", "board", { description: "**Minutes.**" });
  await page.getByRole("row", { name: "board" }).getByText("Minutes.", { exact: true }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("minutes");
  await page.getByText("1 of 2").waitFor();
  await page.getByRole("searchbox", { name: uiText("table.searchIn", { title: en.nav.channels }) }).fill("");
  await page.getByText("1 of 2").waitFor({ state: "detached" });
  await page.getByRole("button", { name: en.channels.columns.kind }).first().click();
  await page.getByRole("checkbox", { name: en.channels.kinds.public }).check();
  await page.getByText("1 of 2").waitFor();
  assert.match(page.url(), /kind=public/);
});

test("a refused name of a channel reverts", async (t) => {
  const { chat, page } = await boathouse(t);
  await makeChannel(chat, "board");
  const name = page.getByRole("textbox", { name: en.channels.fields.name });
  await name.fill("board");
  await name.press("Enter");
  await page.getByText("A channel named board already exists.").waitFor();
  await holds(async () => (await name.inputValue()) === "boathouse");
});

test("a changed description saves immediately and can be undone", async (t) => {
  const { chat, page } = await boathouse(t);
  const description = page.getByRole("textbox", { name: en.channels.fields.description });
  await description.fill("Keys and repairs.");
  await description.press("Enter");
  await holds(async () => (await channelOf(chat, "boathouse"))["description"] === "Keys and repairs.");
  await undo(page, uiText("saving.savedNamed", { name: en.channels.fields.description }));
  await holds(async () => (await channelOf(chat, "boathouse"))["description"] === "");
});

test("asks before it shortens the retention time", async (t) => {
  const { chat, page } = await boathouse(t);
  await page.getByRole("combobox", { name: en.channels.columns.retention }).click();
  await page.getByRole("option", { name: en.channels.retention.choose }).click();
  await page.getByRole("textbox", { name: en.channels.retention.days }).fill("30");
  await page.getByText("Messages older than 30 days will be deleted").waitFor();
  await page.getByText(en.expiring.none).waitFor();
  await page.getByRole("button", { name: en.channels.save, exact: true }).click();
  await holds(async () => (await channelOf(chat, "boathouse"))["message_retention_days"] === 30);
});

test("explains who could read the channel and why", async (t) => {
  const { page } = await boathouse(t);
  await page.getByRole("button", { name: en.channels.readers.who }).click();
  await page.getByText("Othello: yes").waitFor();
  await page.getByText(en.channels.readers.public).first().waitFor();
});

test("a default channel cannot become private", async (t) => {
  const { page } = await boathouse(t);
  await page.getByRole("switch", { name: en.channels.fields.default }).check();
  await page.getByText(uiText("saving.savedNamed", { name: en.channels.fields.default })).waitFor();
  await page.getByRole("combobox", { name: en.channels.fields.kind }).click();
  await page.getByRole("option", { name: en.channels.kinds.private, exact: true }).click();
  await page.getByText("A default channel cannot be made private.").waitFor();
});

test("asks before it lets more people read", async (t) => {
  const { chat, page } = await boathouse(t);
  const kind = page.getByRole("combobox", { name: en.channels.fields.kind });
  await kind.click();
  await page.getByRole("option", { name: en.channels.kinds.private, exact: true }).click();
  await holds(async () => (await channelOf(chat, "boathouse"))["invite_only"]);
  const people = uiText("permissions.people", { count: 2 });
  await page.getByText(uiText("channels.readers.count", { who: people, count: 2 })).waitFor();
  await kind.click();
  await page.getByRole("option", { name: en.channels.kinds.public }).click();
  await page.getByText(likeText(en.channels.widen.public_other)).waitFor();
  await page.getByRole("button", { name: en.channels.widen.confirm.public }).click();
  await holds(async () => !(await channelOf(chat, "boathouse"))["invite_only"]);
});

test("grants a permission by keyboard and explains its effect", async (t) => {
  const { chat, page } = await boathouse(t, "permissions");
  const { label } = en.channels.permissions.can_send_message_group;
  const post = page.getByRole("combobox", { name: label, exact: true });
  for (const [typed, effect] of [
    ["administrators", "Desdemona and Iago"],
    ["othello", "Desdemona, Iago, and Othello"],
  ] as const) {
    await post.fill(typed);
    await post.press("ArrowDown");
    await post.press("Enter");
    await page
      .getByText(uiText("permissions.inEffect", { who: effect }))
      .first()
      .waitFor();
  }
  await page.getByRole("button", { name: `${en.permissions.who} ${label}` }).click();
  await page.getByLabel(en.permissions.ask).fill("ham");
  await page.getByText("Hamlet: no").waitFor();
  await holds(async () => (await channelOf(chat, "boathouse"))["can_send_message_group"].direct_members?.length === 1);
});

test("adds a person, removes several and undoes it", async (t) => {
  const { chat, page } = await boathouse(t, "subscribers");
  const counted = async (count: number) =>
    page.getByText(uiText("channels.subscribers.count", { count }), { exact: true }).waitFor();
  await page.getByRole("button", { name: en.channels.subscribers.add }).click();
  await page.getByRole("combobox", { name: en.channels.create.people }).fill("oth");
  await page.getByRole("option", { name: "Othello" }).click();
  await page.getByRole("button", { name: en.channels.subscribers.addSubmit, exact: true }).click();
  for (const name of ["Othello", "Hamlet"]) await page.getByRole("checkbox", { name }).check();
  const remove = uiText("channels.subscribers.remove", { count: 2 });
  await page.getByRole("button", { name: remove }).click();
  await dialog(page).getByRole("button", { name: remove }).click();
  await counted(1);
  await undo(page, uiText("channels.subscribers.removed", { count: 2 }));
  await counted(3);
  assert.equal((await channelOf(chat, "boathouse"))["subscriber_count"], 3);
});

test("a channel leads to its people and the chat, and a person to their channels", async (t) => {
  const { chat, page } = await boathouse(t, "subscribers");
  const inChat = dialog(page).getByRole("link", { name: en.channels.openInChat });
  assert.equal(await inChat.getAttribute("href"), `/#narrow/channel/${chat.ids["boathouse"]}`);
  await dialog(page)
    .getByRole("link", { name: uiText("channels.subscribers.open", { name: "Hamlet" }) })
    .click();
  await dialog(page).getByRole("heading", { name: "Hamlet" }).waitFor();
  const message = dialog(page).getByRole("link", { name: en.people.message });
  assert.match((await message.getAttribute("href")) ?? "", /^\/#narrow\/dm\/\d+-dm$/);
  await page.getByRole("tab", { name: en.people.tabs.channels }).click();
  await dialog(page).getByRole("link", { name: "boathouse" }).click();
  await dialog(page).getByRole("heading", { name: "boathouse" }).waitFor();
});

async function topics(t: TestContext, options: Parameters<typeof showAdmin>[2] = {}) {
  const chat = await startChat(t, { unwatched: true, channels: [{ name: "boathouse", subscribers: ["hamlet"] }] });
  const say = (topic: string) =>
    chat.as("hamlet").post("/messages", { type: "stream", to: "boathouse", topic, content: "x" });
  await say("roof");
  const page = await showAdmin(chat, `/channels?open=${chat.ids["boathouse"]}&tab=topics`, options);
  const actions = (name: string) =>
    page.getByRole("button", { name: uiText("channels.topics.actions", { name }), exact: true });
  const choose = async (name: string, action: string) => {
    await actions(name).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  return { chat, page, say, actions, choose };
}

test("shows new topics, renames a topic, and undoes it", async (t) => {
  const { page, say, actions, choose } = await topics(t);
  await actions("roof").waitFor();
  await say("keys");
  await actions("keys").waitFor();
  await choose("roof", en.channels.topics.move);
  await page.getByRole("textbox", { name: en.channels.topics.name }).fill("leaking roof");
  await page.getByRole("button", { name: en.channels.save, exact: true }).click();
  await actions("leaking roof").waitFor();
  const moved = page.getByRole("alert").filter({ hasText: en.channels.topics.moved });
  await moved.getByRole("button", { name: en.saving.undo }).click();
  await actions("roof").waitFor();
});

test("resolves a topic, and undoes it", async (t) => {
  const { page, actions, choose } = await topics(t);
  await choose("roof", en.channels.topics.resolve);
  await actions("✔ roof").waitFor();
  await page.getByRole("alert").getByRole("button", { name: en.saving.undo }).click();
  await actions("roof").waitFor();
});

test("deletes a large topic in several calls", async (t) => {
  const [seen, calls] = [Promise.withResolvers<void>(), [] as string[]];
  const { page, actions, choose } = await topics(t, {
    async between(url, init, send) {
      if (!url.endsWith("/delete_topic")) return send(url, init);
      calls.push(url);
      if (calls.length === 1) return Response.json({ result: "success", msg: "", complete: false });
      await seen.promise;
      return send(url, init);
    },
  });
  await choose("roof", en.channels.topics.delete);
  await page.getByText(uiText("channels.topics.deleteCount", { count: 1 })).waitFor();
  await page.getByRole("button", { name: en.channels.topics.deleteConfirm }).click();
  await page.getByText(uiText("channels.topics.left", { count: 1 })).waitFor();
  const progress = page.getByRole("progressbar", { name: en.channels.topics.deleting });
  assert.equal(await progress.getAttribute("aria-valuenow"), "0");
  seen.resolve();
  await actions("roof").waitFor({ state: "detached" });
  assert.equal(calls.length, 2);
});

test("archiving a channel lists its effects, requires the name and can be undone", async (t) => {
  const { chat, page } = await boathouse(t);
  const isArchived = async () => (await channelOf(chat, "boathouse"))["is_archived"];
  await page.getByRole("button", { name: uiText("channels.archive.open", { name: "boathouse" }) }).click();
  await page.getByText(uiText("channels.archive.subscribers", { count: 2 })).waitFor();
  const name = uiText("channels.archive.confirm", { name: "boathouse" });
  const confirm = page.getByRole("button", { name, exact: true });
  assert.equal(await confirm.isDisabled(), true);
  await page.getByLabel(uiText("confirm.type", { name: "boathouse" })).fill("boathouse");
  await confirm.click();
  await holds(isArchived);
  await page.getByRole("button", { name: en.channels.archive.restore }).click();
  await holds(async () => !(await isArchived()));
});

test("puts several channels into a folder, and undoes it by keyboard", async (t) => {
  const { chat, page, selectBoth } = await channelList(t);
  await chat.as("desdemona").post("/channel_folders/create", { name: "Ashore", description: "" });
  await selectBoth();
  await page.getByRole("button", { name: en.channels.tasks.folder }).click();
  await dialog(page).getByRole("combobox", { name: en.channels.fields.folder }).click();
  await page.getByRole("option", { name: "Ashore" }).click();
  await dialog(page).getByRole("button", { name: en.channels.tasks.folder }).click();
  await both(chat, ({ folder_id }) => typeof folder_id === "number");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+Z");
  await both(chat, ({ folder_id }) => folder_id === null);
});

test("changes a permission of several channels, and undoes it", async (t) => {
  const { chat, page, selectBoth } = await channelList(t);
  const { can_send_message_group: before } = await channelOf(chat, "boathouse");
  await selectBoth();
  await page.getByRole("button", { name: en.channels.tasks.permission }).click();
  const { label } = en.channels.permissions.can_send_message_group;
  await dialog(page).getByRole("combobox", { name: label }).fill("Moderators");
  await page.getByRole("option", { name: en.permissions.roles.moderators }).click();
  await page.keyboard.press("Tab"); // closes the list
  await dialog(page).getByRole("button", { name: en.channels.tasks.permission }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await both(chat, ({ can_send_message_group: group }) => group !== before);
  await page.keyboard.press("Control+Z");
  await both(chat, ({ can_send_message_group: group }) => group === before);
});

test("lists the refusals of archiving several channels, and restores the others", async (t) => {
  const { chat, page, selectBoth } = await channelList(t, {
    async between(url, init, send) {
      if (init?.method !== "DELETE" || !url.endsWith(`/streams/${chat.ids["board"]}`)) return send(url, init);
      return Response.json({ result: "error", code: "BAD_REQUEST", msg: "Not this one." }, { status: 400 });
    },
  });
  await selectBoth();
  await page.getByRole("button", { name: en.channels.tasks.archive, exact: true }).click();
  await dialog(page).getByText(likeText(en.channels.tasks.archiveHint_other)).waitFor();
  await dialog(page).getByRole("button", { name: en.channels.tasks.archive, exact: true }).click();
  await dialog(page).getByText("Not this one.").waitFor();
  await dialog(page).getByRole("button", { name: en.several.close }).last().click();
  await holds(async () => (await channelOf(chat, "boathouse"))["is_archived"]);
  await page.keyboard.press("Control+Z");
  await both(chat, ({ is_archived }) => !is_archived);
});

test("restores several archived channels, and undoes it", async (t) => {
  const { chat, page } = await channelList(t);
  const isArchived = async () => (await channelOf(chat, "boathouse"))["is_archived"];
  await chat.as("desdemona").delete(`/streams/${chat.ids["boathouse"]}`);
  await page.getByRole("switch").first().click();
  await page.getByRole("checkbox", { name: uiText("table.select", { name: "boathouse" }) }).check();
  await page.getByRole("button", { name: en.channels.tasks.restore }).click();
  await dialog(page).getByRole("button", { name: en.channels.tasks.restore }).click();
  await holds(async () => !(await isArchived()));
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+Z");
  await holds(isArchived);
});
