/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { adminWindow, channelNamed, channelOnce, undo } from "../support/admin-window.ts";
import {
  assertAccessible,
  assertAccessibleInBothThemes,
  assertFits,
  assertFocusVisible,
  closeNotices,
} from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

const drawer = (page: Page) => page.getByRole("dialog").first();
const dialog = (page: Page) => page.getByRole("dialog").last();
const openTab = (page: Page, name: string) => page.getByRole("tab", { name }).click();

test("the window creates, changes, fills, empties and archives a channel", async (t) => {
  const { page, complaints, owner, hamlet, othello } = await adminWindow(t, "/channels");

  await t.test("an empty organization explains how to start", async () => {
    await page.getByText(en.channels.empty).waitFor();
    await assertAccessible(page, "no channels");
  });

  await t.test("creates a channel for chosen people from the palette", async () => {
    await page.keyboard.press("Control+K");
    await page.getByPlaceholder(en.shell.paletteHint).fill("create a chan");
    await page.keyboard.press("Enter");
    await page.getByLabel(en.channels.fields.name).fill("boathouse");
    const members = page.getByRole("radio", { checked: true });
    const choose = async (kind: string) => {
      await page.getByRole("combobox", { name: en.channels.fields.kind }).click();
      await page.getByRole("option", { name: kind, exact: true }).click();
    };
    await choose(en.channels.kinds.private);
    await members.and(page.getByLabel(en.channels.create.members.chosen)).waitFor();
    await choose(en.channels.kinds.public);
    await members.and(page.getByLabel(likeText(en.channels.create.members.everyone))).waitFor();
    await page.getByRole("radio", { name: en.channels.create.members.me }).check();
    await choose(en.channels.kinds.private);
    await members.and(page.getByLabel(en.channels.create.members.me)).waitFor();
    await choose(en.channels.kinds.public);
    await page.getByRole("radio", { name: en.channels.create.members.chosen }).check();
    // Enter chooses a person, and never submits the form while a name is typed.
    const people = page.getByRole("combobox", { name: en.channels.create.people });
    await people.fill("matches no one");
    await people.press("Enter");
    await people.fill("Ham");
    await people.press("Enter");
    await page.getByRole("button", { name: uiText("picker.remove", { name: "Hamlet" }) }).waitFor();
    await page.getByRole("listbox").waitFor({ state: "detached" }); // it would cover the button
    await assertAccessible(page, "creating a channel");
    await page.getByRole("button", { name: en.channels.create.submit }).click();
    await drawer(page).getByRole("heading", { name: "boathouse" }).waitFor();
    assert.equal((await channelNamed(owner, "boathouse"))?.["subscriber_count"], 2);
    await page.keyboard.press("Escape");
  });

  await t.test("shows the error for a taken name at its field", async () => {
    await page.getByRole("button", { name: en.channels.create.title }).click();
    await page.getByLabel(en.channels.fields.name).fill("BOATHOUSE");
    await page.keyboard.press("Enter");
    await page.getByText(en.channels.create.taken).waitFor();
    await page.getByRole("button", { name: en.form.cancel }).click();
    await page.getByRole("button", { name: en.dialog.discard }).click();
  });

  await t.test("finds and filters channels created by others", async () => {
    await owner("POST /users/me/subscriptions", {
      subscriptions: [{ name: "board", description: "**Minutes.**" }],
      invite_only: true,
    });
    await page.getByRole("row", { name: "board" }).getByText("Minutes.", { exact: true }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("minutes");
    await page.getByText("1 of 2").waitFor();
    await page.getByRole("searchbox", { name: uiText("table.searchIn", { title: en.nav.channels }) }).fill("");
    await page.getByRole("button", { name: en.channels.columns.kind }).first().click();
    await page.getByRole("checkbox", { name: en.channels.kinds.public }).check();
    await page.getByText("1 of 2").waitFor();
    assert.match(page.url(), /kind=public/);
    await page.keyboard.press("Escape");
    await page.getByRole("row", { name: "boathouse" }).press("Enter");
  });

  await t.test("settings save immediately and revert when the server refuses", async () => {
    const name = page.getByRole("textbox", { name: en.channels.fields.name });
    await name.fill("board");
    await name.press("Enter");
    await page.getByText("A channel named board already exists.").waitFor();
    await until(async () => ((await name.inputValue()) === "boathouse" ? true : undefined), "the name that holds");
    const description = page.getByRole("textbox", { name: en.channels.fields.description });
    await description.fill("Keys and repairs.");
    await description.press("Enter");
    await channelOnce(owner, "boathouse", ({ description: text }) => text === "Keys and repairs.");
    await undo(page, uiText("saving.savedNamed", { name: en.channels.fields.description }));
    await channelOnce(owner, "boathouse", ({ description: text }) => text === "");
    await page.getByRole("switch", { name: en.channels.fields.default }).check();
    await until(
      async () => ((await owner("POST /register"))["realm_default_streams"].length === 1 ? true : undefined),
      "a default channel",
    );
  });

  await t.test("asks before shortening the retention time", async () => {
    await closeNotices(page);
    await page.getByRole("combobox", { name: en.channels.columns.retention }).click();
    await page.getByRole("option", { name: en.channels.retention.choose }).click();
    await page.getByRole("textbox", { name: en.channels.retention.days }).fill("30");
    await page.getByText("Messages older than 30 days will be deleted").waitFor();
    await page.getByText(en.expiring.none).waitFor();
    await page.getByRole("button", { name: en.channels.save, exact: true }).click();
    await channelOnce(owner, "boathouse", ({ message_retention_days: days }) => days === 30);
  });

  await t.test("explains who could read the channel and why", async () => {
    await page.getByRole("button", { name: en.channels.readers.who }).click();
    await page.getByText("Othello: yes").waitFor();
    await page.getByText(en.channels.readers.public).first().waitFor();
    await assertAccessible(page, "who could read it");
    await page.keyboard.press("Escape");
  });

  await t.test("asks before letting more people read", async () => {
    await closeNotices(page);
    await page.getByRole("combobox", { name: en.channels.fields.kind }).click();
    await page.getByRole("option", { name: en.channels.kinds.private, exact: true }).click();
    await page.getByText("A default channel cannot be made private.").waitFor();
    await page.getByRole("switch", { name: en.channels.fields.default }).uncheck();
    await until(
      async () => ((await owner("POST /register"))["realm_default_streams"].length === 0 ? true : undefined),
      "no default channel",
    );
    await page.getByRole("combobox", { name: en.channels.fields.kind }).click();
    await page.getByRole("option", { name: en.channels.kinds.private, exact: true }).click();
    await channelOnce(owner, "boathouse", ({ invite_only }) => invite_only === true);
    await page
      .getByText(uiText("channels.readers.count", { who: uiText("permissions.people", { count: 2 }), count: 2 }))
      .waitFor();
    await page.getByRole("combobox", { name: en.channels.fields.kind }).click();
    await page.getByRole("option", { name: en.channels.kinds.public }).click();
    await page.getByText(likeText(en.channels.widen.public_other)).waitFor();
    await page.getByRole("button", { name: en.channels.widen.confirm.public }).click();
    await channelOnce(owner, "boathouse", ({ invite_only }) => invite_only === false);
    await assertAccessibleInBothThemes(page, "a channel's settings");
  });

  await t.test("grants a permission by keyboard and lists its people", async () => {
    await openTab(page, en.channels.tabs.permissions);
    const post = page.getByRole("combobox", {
      name: en.channels.permissions.can_send_message_group.label,
      exact: true,
    });
    await post.fill("administrators");
    await post.press("ArrowDown");
    await post.press("Enter");
    await page
      .getByText(uiText("permissions.inEffect", { who: "Owner" }))
      .first()
      .waitFor();
    await post.fill("othello");
    await post.press("ArrowDown");
    await post.press("Enter");
    await page.getByText(uiText("permissions.inEffect", { who: "Owner and Othello" })).waitFor();
    const { can_send_message_group: value } = (await channelOnce(
      owner,
      "boathouse",
      ({ can_send_message_group: held }) => typeof held === "object",
    )) as { can_send_message_group: { direct_members: number[] } };
    assert.deepEqual(value.direct_members.length, 1);
    await page
      .getByRole("button", { name: `${en.permissions.who} ${en.channels.permissions.can_send_message_group.label}` })
      .click();
    await page.getByLabel(en.permissions.ask).fill("ham");
    await page.getByText("Hamlet: no").waitFor();
    await page.keyboard.press("Escape");
    await assertAccessibleInBothThemes(page, "a channel's permissions");
    const everyone = (await owner("GET /user_groups", {}))["user_groups"].find(
      ({ name }: { name: string }) => name === "role:everyone",
    );
    const { stream_id } = (await channelNamed(owner, "boathouse")) as { stream_id: number };
    await owner(`PATCH /streams/${stream_id}`, { can_send_message_group: { new: everyone.id } });
    await page.getByText(uiText("permissions.inEffect", { who: "Owner and Othello" })).waitFor({ state: "detached" });
  });

  await t.test("adds people by group, removes several and undoes it", async () => {
    await openTab(page, en.channels.tabs.subscribers);
    await page.getByRole("button", { name: en.channels.subscribers.add }).click();
    await page.getByRole("combobox", { name: en.channels.create.people }).fill("oth");
    await page.getByRole("option", { name: "Othello" }).click();
    await page.keyboard.press("Escape");
    await assertAccessible(page, "adding people");
    await page.getByRole("button", { name: en.channels.subscribers.addSubmit, exact: true }).click();
    await page.getByRole("checkbox", { name: "Othello" }).check();
    await page.getByRole("checkbox", { name: "Hamlet" }).check();
    await page.getByRole("button", { name: uiText("channels.subscribers.remove", { count: 2 }) }).click();
    await dialog(page)
      .getByRole("button", { name: uiText("channels.subscribers.remove", { count: 2 }) })
      .click();
    await page.getByText(uiText("channels.subscribers.count", { count: 1 }), { exact: true }).waitFor();
    await undo(page, uiText("channels.subscribers.removed", { count: 2 }));
    await page.getByText(uiText("channels.subscribers.count", { count: 3 }), { exact: true }).waitFor();
    await assertAccessibleInBothThemes(page, "a channel's subscribers");
    const { subscriber_count } = (await channelNamed(owner, "boathouse")) as { subscriber_count: number };
    assert.equal(subscriber_count, 3);
  });

  await t.test(
    "a channel leads to its subscribers and the chat, and a person to their channels and a message",
    async () => {
      const { stream_id } = (await channelNamed(owner, "boathouse")) as { stream_id: number };
      const inChat = drawer(page).getByRole("link", { name: en.channels.openInChat });
      assert.equal(await inChat.getAttribute("href"), `/#narrow/channel/${stream_id}`);
      await drawer(page)
        .getByRole("link", { name: uiText("channels.subscribers.open", { name: "Othello" }) })
        .click();
      await drawer(page).getByRole("heading", { name: "Othello" }).waitFor();
      const message = drawer(page).getByRole("link", { name: en.people.message });
      assert.match((await message.getAttribute("href")) ?? "", /^\/#narrow\/dm\/\d+-dm$/);
      await openTab(page, en.people.tabs.channels);
      await drawer(page).getByRole("link", { name: "boathouse" }).click();
      await drawer(page).getByRole("heading", { name: "boathouse" }).waitFor();
    },
  );

  await t.test("renames, resolves and deletes a topic", async () => {
    for (const content of ["one", "two"])
      await hamlet("POST /messages", { type: "stream", to: "boathouse", topic: "roof", content });
    await openTab(page, en.channels.tabs.topics);
    await page.getByRole("button", { name: uiText("channels.topics.actions", { name: "roof" }) }).waitFor();
    // A new message appears.
    await othello("POST /messages", { type: "stream", to: "boathouse", topic: "keys", content: "three" });
    await page.getByRole("button", { name: uiText("channels.topics.actions", { name: "keys" }) }).waitFor();
    await page.getByRole("button", { name: uiText("channels.topics.actions", { name: "roof" }) }).click();
    await page.getByRole("menuitem", { name: en.channels.topics.move }).click();
    await page.getByRole("textbox", { name: en.channels.topics.name }).fill("leaking roof");
    await assertAccessible(page, "moving a topic");
    const save = page.getByRole("button", { name: en.channels.save, exact: true });
    await save.click();
    const moved = page.getByRole("alert").filter({ hasText: en.channels.topics.moved });
    await moved.getByRole("button", { name: en.saving.undo }).click();
    await page.getByRole("button", { name: uiText("channels.topics.actions", { name: "roof" }), exact: true }).click();
    await page.getByRole("menuitem", { name: en.channels.topics.move }).click();
    await page.getByRole("textbox", { name: en.channels.topics.name }).fill("leaking roof");
    await save.click();
    await page.getByRole("button", { name: uiText("channels.topics.actions", { name: "leaking roof" }) }).click();
    await page.getByRole("menuitem", { name: en.channels.topics.resolve }).click();
    await page.getByRole("button", { name: uiText("channels.topics.actions", { name: "✔ leaking roof" }) }).waitFor();
    await assertAccessible(page, "a channel's topics");
    assert.ok((await assertFocusVisible(page, "a channel's topics", 12)) > 6);
    const resolved = page
      .getByRole("alert")
      .filter({ hasText: uiText("channels.topics.resolved", { name: "leaking roof" }) });
    await resolved.getByRole("button", { name: en.saving.undo }).click();
    await page
      .getByRole("button", { name: uiText("channels.topics.actions", { name: "leaking roof" }), exact: true })
      .waitFor();
    await page.getByRole("button", { name: uiText("channels.topics.actions", { name: "keys" }) }).click();
    await page.getByRole("menuitem", { name: en.channels.topics.delete }).click();
    await page.getByText(uiText("channels.topics.deleteCount", { count: 1 })).waitFor();
    // A large topic takes several calls. Here the first call ends without having deleted anything.
    const seen = Promise.withResolvers<void>();
    let calls = 0;
    await page.route("**/delete_topic", async (route) => {
      calls += 1;
      if (calls === 1) return route.fulfill({ json: { result: "success", msg: "", complete: false } });
      await seen.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: en.channels.topics.deleteConfirm }).click();
    await page.getByText(uiText("channels.topics.left", { count: 1 })).waitFor();
    assert.equal(
      await page.getByRole("progressbar", { name: en.channels.topics.deleting }).getAttribute("aria-valuenow"),
      "0",
    );
    seen.resolve();
    await page
      .getByRole("button", { name: uiText("channels.topics.actions", { name: "keys" }) })
      .waitFor({ state: "detached" });
    assert.equal(calls, 2);
    const { stream_id } = (await channelNamed(owner, "boathouse")) as { stream_id: number };
    const { topics } = await owner(`GET /users/me/${stream_id}/topics`);
    assert.ok(!(topics as { name: string }[]).some(({ name }) => name === "keys"));
  });

  await t.test("archiving lists its effects, requires the name and can be undone", async () => {
    await closeNotices(page);
    await openTab(page, en.channels.tabs.settings);
    await page.getByRole("button", { name: uiText("channels.archive.open", { name: "boathouse" }) }).click();
    await page.getByText(uiText("channels.archive.subscribers", { count: 3 })).waitFor();
    const confirm = page.getByRole("button", {
      name: uiText("channels.archive.confirm", { name: "boathouse" }),
      exact: true,
    });
    assert.equal(await confirm.isDisabled(), true);
    await page.getByLabel(uiText("confirm.type", { name: "boathouse" })).fill("boathouse");
    await assertAccessible(page, "archiving");
    await confirm.click();
    await channelOnce(owner, "boathouse", ({ is_archived }) => is_archived === true);
    await closeNotices(page);
    await page.getByRole("button", { name: en.channels.archive.restore }).click();
    await channelOnce(owner, "boathouse", ({ is_archived }) => is_archived === false);
  });

  await t.test("changes several channels at once and lists refusals", async () => {
    await closeNotices(page);
    await page.evaluate(() => {
      location.hash = "/channels"; // without the drawer and the filter
    });
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await owner("POST /channel_folders/create", { name: "Ashore", description: "" });
    for (const name of ["boathouse", "board"])
      await page.getByRole("checkbox", { name: uiText("table.select", { name }) }).check();
    await page.getByRole("button", { name: en.channels.tasks.folder }).click();
    await dialog(page).getByRole("combobox", { name: en.channels.fields.folder }).click();
    await page.getByRole("option", { name: "Ashore" }).click();
    await assertAccessible(page, "putting several channels into a folder");
    await dialog(page).getByRole("button", { name: en.channels.tasks.folder }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" }); // and its selection
    for (const name of ["boathouse", "board"])
      await channelOnce(owner, name, ({ folder_id }) => typeof folder_id === "number");
    await page.keyboard.press("Control+Z");
    for (const name of ["boathouse", "board"]) await channelOnce(owner, name, ({ folder_id }) => folder_id === null);
    for (const name of ["boathouse", "board"])
      await page.getByRole("checkbox", { name: uiText("table.select", { name }) }).check();
    const whoPosts = async (name: string) => (await channelNamed(owner, name))?.["can_send_message_group"];
    const before = { boathouse: await whoPosts("boathouse"), board: await whoPosts("board") };
    await page.getByRole("button", { name: en.channels.tasks.permission }).click();
    await dialog(page)
      .getByRole("combobox", { name: en.channels.permissions.can_send_message_group.label })
      .fill("Moderators");
    await page.getByRole("option", { name: en.permissions.roles.moderators }).click();
    await page.keyboard.press("Tab"); // closes the list
    await page.getByRole("option").first().waitFor({ state: "detached" });
    await assertAccessibleInBothThemes(page, "a permission of several channels");
    await dialog(page).getByRole("button", { name: en.channels.tasks.permission }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const moderators = (await owner("GET /user_groups"))["user_groups"] as { id: number; name: string }[];
    const id = moderators.find(({ name }) => name === "role:moderators")?.id;
    for (const name of ["boathouse", "board"])
      await channelOnce(owner, name, ({ can_send_message_group: group }) => group === id);
    await page.keyboard.press("Control+Z");
    for (const name of ["boathouse", "board"] as const)
      await channelOnce(owner, name, ({ can_send_message_group: group }) => isDeepStrictEqual(group, before[name]));
    for (const name of ["boathouse", "board"])
      await page.getByRole("checkbox", { name: uiText("table.select", { name }) }).check();
    await page.getByRole("button", { name: en.channels.tasks.archive, exact: true }).click();
    await dialog(page).getByText(likeText(en.channels.tasks.archiveHint_other)).waitFor();
    // Another user changes one of them first.
    const { stream_id } = (await channelNamed(owner, "board")) as { stream_id: number };
    await page.route("**/streams/*", async (route) => {
      if (route.request().method() === "DELETE" && route.request().url().endsWith(`/${stream_id}`))
        return route.fulfill({ status: 400, json: { result: "error", code: "BAD_REQUEST", msg: "Not this one." } });
      return route.continue();
    });
    await dialog(page).getByRole("button", { name: en.channels.tasks.archive, exact: true }).click();
    await dialog(page).getByText("Not this one.").waitFor();
    await dialog(page).getByRole("button", { name: en.several.close }).last().click();
    await channelOnce(owner, "boathouse", ({ is_archived }) => is_archived === true);
    await page.keyboard.press("Control+Z");
    const boathouse = await channelOnce(owner, "boathouse", ({ is_archived }) => is_archived === false);
    assert.equal((await channelNamed(owner, "board"))?.["is_archived"], false, "what was not archived stays as it is");
    await owner(`DELETE /streams/${boathouse["stream_id"]}`);
    await page.getByRole("switch").first().click();
    await page.getByRole("checkbox", { name: uiText("table.select", { name: "boathouse" }) }).check();
    await page.getByRole("button", { name: en.channels.tasks.restore }).click();
    await dialog(page).getByRole("button", { name: en.channels.tasks.restore }).click();
    await channelOnce(owner, "boathouse", ({ is_archived }) => is_archived === false);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+Z");
    await channelOnce(owner, "boathouse", ({ is_archived }) => is_archived === true);
    await owner(`PATCH /streams/${boathouse["stream_id"]}`, { is_archived: false });
    await page.getByRole("row", { name: "boathouse" }).press("Enter");
  });

  await t.test("fits on a phone", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const tab of [
      en.channels.tabs.settings,
      en.channels.tabs.permissions,
      en.channels.tabs.topics,
      en.channels.tabs.subscribers,
    ]) {
      await openTab(page, tab);
      await assertFits(page, tab);
    }
    await page.keyboard.press("Escape");
    await page.getByRole("row", { name: "boathouse" }).waitFor();
    await assertFits(page, "the channels");
  });

  // The browser logs the refused rename.
  assert.deepEqual(
    complaints.filter((text) => !text.includes("400")),
    [],
  );
});
