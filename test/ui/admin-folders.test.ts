/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import { en } from "../../ui/locales/en.ts";
import { adminWindow, channelNamed, channelOnce, undo } from "../support/admin-window.ts";
import {
  assertAccessible,
  assertAccessibleInBothThemes,
  assertFits,
  closeNotices,
  moveDragged,
} from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { uiText } from "../support/ui-texts.ts";

test("the window orders folders and sets new members' channels and settings", async (t) => {
  const { page, complaints, owner } = await adminWindow(t, "/folders");
  const ids = new Map<string, number>();
  for (const name of ["The club", "Rowing", "Board"]) {
    const { channel_folder_id } = await owner("POST /channel_folders/create", { name, description: "" });
    ids.set(name, channel_folder_id);
  }
  for (const name of ["boats", "kitchen", "press"])
    await owner("POST /users/me/subscriptions", { subscriptions: [{ name }], folder_id: ids.get("Rowing") });
  const folderNames = async () => {
    const { channel_folders: folders } = await owner("GET /channel_folders");
    return (folders as { name: string }[]).map(({ name }) => name).join();
  };
  const foldersOnce = (names: string) =>
    until(async () => ((await folderNames()) === names ? true : undefined), `the folders ${names}`);
  const folderOf = async (name: string) => (await channelNamed(owner, name))?.["folder_id"];

  await t.test("moves a folder by keyboard and undoes it", async () => {
    const handle = page.getByRole("button", { name: uiText("folders.dragFolder", { name: "Board" }) });
    await handle.press("Space");
    await page.getByText(uiText("dragging.over", { name: "Board", over: "Board" })).waitFor({ state: "attached" });
    await moveDragged(page, "ArrowUp");
    await page.getByText(uiText("dragging.over", { name: "Board", over: "Rowing" })).waitFor({ state: "attached" });
    await handle.press("Space");
    await foldersOnce("The club,Board,Rowing");
    await undo(page, uiText("saving.savedNamed", { name: en.folders.order }));
    await foldersOnce("The club,Rowing,Board");
    await assertAccessibleInBothThemes(page, "folders");
  });

  await t.test("moves a folder by its menu", async () => {
    await page.getByRole("button", { name: uiText("folders.actions", { name: "The club" }) }).click();
    await page.getByRole("menuitem", { name: en.folders.down }).click();
    await foldersOnce("Rowing,The club,Board");
  });

  await t.test("drags a channel into a folder and moves it by keyboard and menu", async () => {
    await closeNotices(page);
    const handle = page.getByRole("button", { name: uiText("folders.dragChannel", { name: "boats" }) });
    const from = await handle.boundingBox();
    const to = await page.getByRole("list", { name: "Board" }).boundingBox();
    if (!from || !to) throw new Error("The channel or the folder is not in view.");
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(from.x + 5, from.y + 40, { steps: 4 });
    await page.mouse.move(from.x + 5, to.y + 10, { steps: 8 });
    await page.mouse.up();
    await channelOnce(owner, "boats", ({ folder_id }) => folder_id === ids.get("Board"));
    await handle.press("Space");
    await page.getByText(uiText("dragging.over", { name: "boats", over: "Board" })).waitFor({ state: "attached" });
    await moveDragged(page, "ArrowUp");
    await page.getByText(uiText("dragging.over", { name: "boats", over: "The club" })).waitFor({ state: "attached" });
    await handle.press("Space");
    await channelOnce(owner, "boats", ({ folder_id }) => folder_id === ids.get("The club"));
    await page.getByRole("button", { name: uiText("folders.moveChannel", { name: "boats" }) }).click();
    await page.getByRole("menuitem", { name: en.channels.noFolder }).click();
    await channelOnce(owner, "boats", ({ folder_id }) => folder_id === null);
  });

  await t.test("creates and renames a folder, and refuses a taken name", async () => {
    await closeNotices(page);
    await page.getByRole("button", { name: en.folders.create }).click();
    await page.getByLabel(en.channels.fields.name).fill("rowing");
    await page.keyboard.press("Enter");
    await page
      .getByRole("dialog")
      .getByText(/rowing/i)
      .last()
      .waitFor();
    await page.getByLabel(en.channels.fields.name).fill("Regattas");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Regattas" }).waitFor();
    await page.getByRole("button", { name: uiText("folders.actions", { name: "Regattas" }) }).click();
    await page.getByRole("menuitem", { name: en.folders.edit }).click();
    await page.getByLabel(en.channels.fields.description).fill("Races and transport.");
    await assertAccessible(page, "a folder's form");
    await page.getByRole("button", { name: en.channels.save, exact: true }).click();
    await page.getByRole("region", { name: "Regattas" }).getByText("Races and transport.").waitFor();
  });

  await t.test("archiving a folder explains its effect on channels and can be undone", async () => {
    await closeNotices(page);
    await page.getByRole("button", { name: uiText("folders.actions", { name: "Rowing" }) }).click();
    await page.getByRole("menuitem", { name: en.channels.tasks.archive }).click();
    await page.getByText("Its 2 channels will no longer be in a folder.").waitFor();
    await page.getByRole("button", { name: uiText("folders.archiveConfirm", { name: "Rowing" }) }).click();
    await page.getByRole("button", { name: uiText("folders.restore", { name: "Rowing" }) }).waitFor();
    assert.equal(await folderOf("kitchen"), null);
    await closeNotices(page);
    await page.getByRole("button", { name: uiText("folders.restore", { name: "Rowing" }) }).click();
    await page.getByRole("heading", { name: "Rowing" }).waitFor();
  });

  await t.test("adds and removes default channels", async () => {
    await closeNotices(page);
    await page.getByRole("link", { name: en.nav.defaults }).click();
    await page.getByText(en.newMembers.channels.none).waitFor();
    await page.getByRole("combobox", { name: en.newMembers.channels.add }).fill("kit");
    await page.getByRole("option", { name: "kitchen" }).click();
    await page.getByText(uiText("newMembers.channels.lead", { count: 1 })).waitFor();
    await page.getByRole("button", { name: uiText("newMembers.channels.remove", { name: "kitchen" }) }).click();
    await page.getByText(uiText("newMembers.channels.removed", { name: "kitchen", count: 1 })).waitFor();
    await undo(page, uiText("newMembers.channels.removed", { name: "kitchen", count: 1 }));
    await page.getByText(uiText("newMembers.channels.lead", { count: 1 })).waitFor();
  });

  await t.test("creates, changes and deletes a set of channels", async () => {
    await closeNotices(page);
    const sets = async () => (await owner("POST /register"))["realm_default_stream_groups"];
    await page.getByRole("button", { name: en.newMembers.groups.create }).click();
    await page.getByRole("textbox", { name: en.newMembers.groups.name }).fill("Rowers");
    await page.getByRole("combobox", { name: en.newMembers.groups.fieldChannels, exact: true }).fill("boa");
    await page.getByRole("option", { name: "boats" }).click();
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: en.channels.create.submit }).click();
    await page.getByRole("button", { name: uiText("newMembers.groups.edit", { name: "Rowers" }) }).click();
    await page.getByRole("textbox", { name: en.newMembers.groups.fieldDescription }).fill("For those who row.");
    await page.getByRole("combobox", { name: en.newMembers.groups.fieldChannels, exact: true }).fill("pre");
    await page.getByRole("option", { name: "press" }).click();
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: en.channels.save, exact: true }).click();
    await page.getByText("boats, press").waitFor();
    const [set] = await sets();
    assert.deepEqual([set.name, set.description, set.streams.length], ["Rowers", "For those who row.", 2]);
    await page.getByRole("button", { name: uiText("newMembers.groups.delete", { name: "Rowers" }) }).click();
    await page.getByText(uiText("newMembers.groups.deleteHint", { count: 2 })).waitFor();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: uiText("newMembers.groups.delete", { name: "Rowers" }) })
      .click();
    await until(async () => ((await sets()).length === 0 ? true : undefined), "the set's end");
  });

  await t.test("finds, changes and resets a new-member setting", async () => {
    await closeNotices(page);
    const held = async () => (await owner("POST /register"))["realm_user_settings_defaults"].enter_sends;
    await page.getByRole("searchbox", { name: en.newMembers.search }).fill("enter sends");
    await page.getByRole("switch", { name: en.userSettings.enter_sends.label }).check();
    await page
      .getByRole("button", { name: uiText("settings.resetNamed", { name: en.userSettings.enter_sends.label }) })
      .waitFor();
    await until(async () => ((await held()) === true ? true : undefined), "Enter sends");
    await page
      .getByRole("button", { name: uiText("settings.resetNamed", { name: en.userSettings.enter_sends.label }) })
      .click();
    await until(async () => ((await held()) === false ? true : undefined), "Enter does not send");
    await page.getByRole("searchbox", { name: en.newMembers.search }).fill("");
    await closeNotices(page);
    await assertAccessibleInBothThemes(page, "defaults");
    await page.setViewportSize({ width: 360, height: 740 });
    await assertFits(page, "defaults");
    await page.evaluate(() => {
      location.hash = "/folders";
    });
    await page.getByRole("heading", { name: "Regattas" }).waitFor();
    await assertFits(page, "folders");
  });

  // The browser logs the refused name.
  assert.deepEqual(
    complaints.filter((text) => !text.includes("400")),
    [],
  );
});

test("a dropped channel stays in place until its event arrives", async (t) => {
  // A tab without a worker polls for events itself.
  const { page, owner } = await adminWindow(t, "/folders", { before: "delete globalThis.SharedWorker" });
  const { channel_folder_id: board } = await owner("POST /channel_folders/create", { name: "Board", description: "" });
  await owner("POST /users/me/subscriptions", { subscriptions: [{ name: "boats" }] });
  const inBoard = page.getByRole("list", { name: "Board" }).getByText("boats");
  const inNone = page.getByRole("list", { name: en.channels.noFolder }).getByText("boats");
  await inNone.waitFor();

  // Every event response waits until `arrive`.
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\/api\/v1\/events/, async (route) => {
    const answer = await route.fetch().catch(() => undefined); // ended with the page
    await held;
    if (answer) await route.fulfill({ response: answer }).catch(() => {});
  });
  // The held request delivers this event.
  await owner("POST /users/me/subscriptions", { subscriptions: [{ name: "kitchen" }] });
  await page.getByRole("list", { name: en.channels.noFolder }).getByText("kitchen").waitFor();
  await page.getByRole("button", { name: uiText("folders.moveChannel", { name: "boats" }) }).click();
  await page.getByRole("menuitem", { name: "Board" }).click();
  await channelOnce(owner, "boats", ({ folder_id }) => folder_id === board);
  await page.getByText(uiText("folders.moved", { name: "boats", folder: "Board" }), { exact: true }).waitFor(); // the response has arrived
  assert.deepEqual([await inBoard.count(), await inNone.count()], [1, 0]);
  await undo(page, uiText("folders.moved", { name: "boats", folder: "Board" }));
  await channelOnce(owner, "boats", ({ folder_id }) => folder_id === null);
  arrive();
  await inNone.waitFor();
  await inBoard.waitFor({ state: "detached" });
});
