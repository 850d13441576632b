/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import { en } from "../../ui/locales/en.ts";
import { adminWindow, channelOnce } from "../support/admin-window.ts";
import { closeNotices, intercept, moveDragged } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { uiText } from "../support/ui-texts.ts";
import { undo } from "../support/undo.ts";

test("drags folders and channels by mouse and keyboard", async (t) => {
  const { page, complaints, owner } = await adminWindow(t, "/folders");
  const ids = new Map<string, number>();
  for (const name of ["Rowing", "The club", "Board"]) {
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

  await t.test("moves a folder by keyboard and undoes it", async () => {
    const handle = page.getByRole("button", { name: uiText("folders.dragFolder", { name: "Board" }) });
    await handle.press("Space");
    await page.getByText(uiText("dragging.over", { name: "Board", over: "Board" })).waitFor({ state: "attached" });
    await moveDragged(page, "ArrowUp");
    await page.getByText(uiText("dragging.over", { name: "Board", over: "The club" })).waitFor({ state: "attached" });
    await handle.press("Space");
    await foldersOnce("Rowing,Board,The club");
    await undo(page, uiText("saving.savedNamed", { name: en.folders.order }));
    await foldersOnce("Rowing,The club,Board");
  });

  await t.test("drags a channel into a folder by mouse, and out of it by keyboard", async () => {
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
  });

  assert.deepEqual(complaints, []);
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
  await intercept(page, /\/api\/v1\/events/, async (route) => {
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
