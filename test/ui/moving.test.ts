import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, assertNone, intercept, visit } from "../support/browser.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { desktopBridge } from "../support/desktop-bridge.ts";
import { until } from "../support/patience.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

// The dialogs for the data folder and for a restore, with a bridge that records its calls. test/desktop/move.test.ts
// moves and restores with the real shell.

const SCREENSHOTS = process.env["HEARTH_SCREENSHOTS"];
const WIDTHS = [320, 768, 1280, 2560];

async function inWindow(t: TestContext, hash: string): Promise<{ page: Page; chat: Chat; calls(): Promise<string[]> }> {
  const operatorToken = "operator's own";
  const chat = await startChat(t, { unwatched: true, operatorToken });
  const { page } = await visit(t, `${chat.url}/admin/#/${hash}`, {
    before: `${desktopBridge}; delete window.SharedWorker;`,
    extraHTTPHeaders: { authorization: `Bearer ${operatorToken}` },
  });
  const calls = async () => ((await page.evaluate("window.hearthCalls")) as [string][]).map(([name]) => name);
  return { page, chat, calls };
}

async function assertGood(page: Page, name: string): Promise<void> {
  await assertAccessibleInBothThemes(page, name, "light");
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await assertFits(page, `${name} at ${width}`);
    if (!SCREENSHOTS) continue;
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-${colorScheme}.png`) });
    }
    await page.emulateMedia({ colorScheme: "light" });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

const set = (page: Page, name: string, value: unknown) =>
  page.evaluate(
    ([key, given]) => {
      (globalThis as any)[key as string] = given;
    },
    [name, value],
  );

test("chooses a location, explains refusals and shows progress", async (t) => {
  const { page, chat, calls } = await inWindow(t, "data");
  await page.getByText(chat.folder, { exact: true }).waitFor();
  await page.getByRole("button", { name: en.data.showFolder }).click();
  await page.getByRole("button", { name: en.data.place.move }).click();
  const dialog = page.getByRole("dialog", { name: en.data.moving.title });
  const place = { path: "/media/ann/Disk/Hearth", bytes: 734_003_200, freeBytes: 900_000, problem: "too small" };
  await set(page, "moveTarget", { ...place, warning: null });
  await dialog.getByRole("button", { name: en.data.moving.choose }).click();
  await dialog.getByText(en.data.moving.problems["too small"]).waitFor();
  await assertNone(dialog.getByRole("button", { name: en.data.moving.submit }));
  await assertGood(page, "move-refused");
  for (const problem of ["same", "inside", "file", "missing", "not empty", "mount", "not writable", "no locks"]) {
    await set(page, "moveTarget", { ...place, problem, warning: null });
    await dialog.getByRole("button", { name: en.data.moving.chooseAnother }).click();
    await until(async () => {
      const said = await dialog.getByRole("alert").innerText();
      return (
        (said.length > 10 && !said.includes("data.moving") && !said.includes(en.data.moving.problems["too small"])) ||
        undefined
      );
    }, problem);
  }
  await set(page, "moveTarget", { ...place, freeBytes: 48e9, problem: null, warning: "synced" });
  await dialog.getByRole("button", { name: en.data.moving.chooseAnother }).click();
  await dialog.getByText(en.data.moving.warnings.synced).waitFor();
  await assertGood(page, "move-warned");

  await dialog.getByRole("button", { name: en.data.moving.submit }).click();
  await set(page, "folderWork", { kind: "move", phase: "copying", done: 220_000_000, total: 734_003_200 });
  await dialog.getByText("Copying… 220 MB / 734 MB").waitFor();
  assert.equal(
    await dialog.getByRole("progressbar").getAttribute("aria-valuenow"),
    String((100 * 220_000_000) / 734_003_200),
  );
  await page.keyboard.press("Escape");
  await dialog.getByText(en.data.moving.phases.copying).first().waitFor();
  await assertGood(page, "move-copying");
  await set(page, "folderWork", { kind: "move", phase: "verifying", done: 734_000_000, total: 734_003_200 });
  await dialog.getByText(`${en.data.moving.phases.verifying} 734 MB / 734 MB`).waitFor();
  await dialog.getByRole("button", { name: en.data.moving.cancel }).click();
  await dialog.getByText(en.data.moving.cancelled).waitFor();
  assert.deepEqual((await calls()).slice(-2), ["moveDataFolder", "cancelMove"]);

  // Each attempt asks for a location again, and shows failures.
  await assertNone(dialog.getByRole("button", { name: en.data.moving.submit }));
  await dialog.getByRole("button", { name: en.data.moving.choose }).click();
  await dialog.getByRole("button", { name: en.data.moving.submit }).click();
  await page.waitForFunction("window.endMove");
  await page.evaluate(`window.endMove.reject(new Error("there is no room left on its disk."))`);
  await dialog.getByText(uiText("data.moving.failed", { why: "there is no room left on its disk." })).waitFor();

  // Every page shows why the server is stopped, and the progress.
  await page.keyboard.press("Escape");
  await set(page, "folderWork", { kind: "restore", phase: "writing", done: 1_000_000_000, total: 4_000_000_000 });
  await page.evaluate(`window.tellServerState("restarting")`);
  await page.getByText(en.banner.restore).waitFor();
  await page.getByText("Writing the data… 1 GB / 4 GB").waitFor();
  assert.equal(
    await page.getByRole("progressbar", { name: en.data.moving.phases.writing }).getAttribute("aria-valuenow"),
    "25",
  );
  await assertGood(page, "restoring-banner");
  await set(page, "folderWork", { kind: "move", phase: "verifying", done: 1_000_000_000, total: 4_000_000_000 });
  await page.getByText(en.banner.move).waitFor();
  await page.evaluate(`window.tellServerState("running")`);
  await page.getByText(en.banner.move).waitFor({ state: "detached" });
  await set(page, "folderWork", null);
  await page.evaluate(`window.tellServerState("restarting")`);
  await page.getByText(en.banner.restarting).waitFor();
});

test("keeps the previous folder until it is deleted on request", async (t) => {
  const { page, chat, calls } = await inWindow(t, "overview");
  const old = { folder: "/home/ann/.local/share/hearth-moved-2026-11-23-08-18-26", moved_at: Date.now() - 7_200_000 };
  let since = { messages: 0, people: 0, is_unchanged: true };
  await intercept(page, "**/host/old-folder", (route) =>
    route.fulfill({ json: { result: "success", msg: "", old: { ...old, ...since } } }),
  );
  const look = async () => {
    await page.goto(`${chat.url}/admin/#/overview`);
    await page.goto(`${chat.url}/admin/#/data`);
  };
  await look();
  await page.getByText(en.data.old.unchanged).waitFor();
  since = { messages: 0, people: 0, is_unchanged: false };
  await look();
  await page.getByText(en.data.old.littleLost).waitFor();
  since = { messages: 3, people: 1, is_unchanged: false };
  await look();
  await page.getByText(likeText(uiText("data.old.lost", { came: "3 messages{{}}1 person" }))).waitFor();
  await assertGood(page, "data-old-folder");
  await page.getByRole("button", { name: en.data.old.back }).click();
  const back = page.getByRole("dialog", { name: en.data.old.backTitle });
  await back.getByText(likeText(uiText("data.old.lost", { came: "3 messages{{}}1 person" }))).waitFor();
  await assertGood(page, "go-back");
  await back.getByRole("button", { name: en.confirm.cancel }).click();
  assert.ok(!(await calls()).includes("goBackToOldFolder"));
  await page.getByRole("button", { name: en.data.old.remove }).click();
  const removal = page.getByRole("dialog", { name: en.data.old.removeTitle });
  await removal.getByText(old.folder).waitFor();
  await removal.getByRole("button", { name: en.data.old.removeConfirm }).click();
  await page.getByText(en.data.old.removed).waitFor();
  assert.ok((await calls()).includes("removeOldFolder"));
});

test("the system's dialog chooses the folder of backups", async (t) => {
  const { page, chat } = await inWindow(t, "backups");
  const backups = () => chat.as("desdemona").get("/host/backups");
  const { folder: initial } = await backups();
  const chosen = join(chat.folder, "backups of the club");
  mkdirSync(chosen);
  await page.evaluate(`window.hearth.chooseBackupFolder = async () => ${JSON.stringify(chosen)}`);
  await page.getByRole("button", { name: en.backups.chooseFolder }).click();
  await page.getByText(uiText("saving.savedNamed", { name: en.backups.folder })).waitFor();
  assert.equal((await backups())["folder"], chosen);
  await page.getByRole("button", { name: en.saving.undo }).click();
  await until(async () => ((await backups())["folder"] === initial ? true : undefined), "the folder to be undone");
  assert.equal((await backups())["is_default_folder"], true);
});

test("a restore explains its effects before asking for the name", async (t) => {
  const { page, chat } = await inWindow(t, "backups");
  await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids["othello"]], content: "before" });
  await page.getByRole("button", { name: en.backups.now }).click();
  await page.getByRole("list", { name: en.backups.list }).locator(":scope > li").waitFor();
  await until(
    async () => ((await chat.as("desdemona").get("/host/backups"))["work"] === null ? true : undefined),
    "the backup is made",
  );
  for (const content of ["one", "two"])
    await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids["othello"]], content });
  await assertGood(page, "backups-at-the-desk");
  await page.getByRole("button", { name: likeText(en.backups.restoring.openNamed) }).click();
  const dialog = page.getByRole("dialog", { name: en.backups.restoring.title });
  await dialog.getByText(likeText(uiText("backups.restoring.lost", { came: "2 messages{{}}" }))).waitFor();
  await dialog.getByText(en.backups.restoring.network).waitFor();
  await dialog.getByText(en.backups.restoring.keysStay).waitFor();
  await assertGood(page, "restore");
  const submit = dialog.getByRole("button", { name: en.backups.restoring.confirm });
  assert.equal(await submit.isDisabled(), true);
  await dialog.getByLabel(likeText(en.confirm.type)).fill("another");
  assert.equal(await submit.isDisabled(), true);
  const { realm_name: name } = await chat.as("hamlet").post("/register", {});
  await dialog.getByLabel(likeText(en.confirm.type)).fill(String(name));
  await submit.click();
  // This server has no supervisor to stop it.
  await dialog.getByText('This server cannot restart itself. Stop it and run "hearth restore".').waitFor();
});
