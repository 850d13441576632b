import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { moveOf } from "../../server/host/backups/move-marks.ts";
import { isLocked } from "../../server/host/supervisor/lock.ts";
import { en } from "../../ui/locales/en.ts";
import { assertNone } from "../support/browser.ts";
import { type DesktopApp, startDesktop, temporaryFolder } from "../support/desktop.ts";
import { until } from "../support/patience.ts";
import { desktopTest } from "../support/programs.ts";
import { dataFolder } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

// The data folder moves, and a backup replaces it, in a real Electron window.

const SCREENSHOTS = process.env["HEARTH_SCREENSHOTS"];
const picture = async (page: Page, name: string) => {
  if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
};

async function createFolder(t: TestContext) {
  const { path } = await dataFolder(t);
  const parent = temporaryFolder(t, "hearth-moves-");
  const folder = join(parent, "hearth");
  cpSync(path, folder, { recursive: true });
  return { parent, folder };
}

const open = async (page: Page, hash: string, heading: string) => {
  await page.evaluate((to) => {
    (globalThis as any).location.hash = to;
  }, hash);
  await page.getByRole("heading", { level: 2, name: heading }).waitFor();
};

const say = (page: Page, text: string) =>
  page.evaluate(async (content) => {
    const body = new URLSearchParams({ type: "direct", to: "[2]", content });
    const answer: any = await (await fetch("/api/v1/messages", { method: "POST", body })).json();
    if (answer.result !== "success") throw new Error(answer.msg);
  }, text);

const said = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const query = new URLSearchParams({ anchor: "newest", num_before: "50", num_after: "0", apply_markdown: "false" });
    const { messages }: any = await (await fetch(`/api/v1/messages?${query}`)).json();
    return messages.map(({ content }: { content: string }) => content);
  });

const dataIn = (folder: string) => existsSync(join(folder, "hearth.db"));
const dialog = (page: Page) => page.getByRole("dialog");

async function choose(
  desktop: DesktopApp,
  page: Page,
  path: string,
  button: string = en.data.moving.choose,
): Promise<void> {
  await dialog(page).getByRole("button", { name: button }).click();
  const question = await desktop.question();
  assert.deepEqual([question.kind, question.message], ["folder", ""]);
  await question.answer(path);
}

desktopTest("the window moves the data to another folder and back", async (t) => {
  const { parent, folder } = await createFolder(t);
  const desktop = await startDesktop(t, { dataFolder: folder });
  await desktop.running();
  const page = await desktop.page();
  await say(page, "before");
  await open(page, "#/data", en.nav.data);
  await page.getByText(folder, { exact: true }).waitFor();
  await picture(page, "data");

  // An unusable location is explained and cannot be chosen.
  await page.getByRole("button", { name: en.data.place.move }).click();
  await choose(desktop, page, join(folder, "uploads"));
  await dialog(page).getByText(en.data.moving.problems.inside).waitFor();
  await picture(page, "move-problem");
  await assertNone(dialog(page).getByRole("button", { name: en.data.moving.submit }));
  await choose(desktop, page, "", en.data.moving.chooseAnother);
  // A folder with other files gets a subfolder.
  const disk = join(parent, "disk");
  mkdirSync(disk);
  writeFileSync(join(disk, "letter.txt"), "mine");
  await choose(desktop, page, disk, en.data.moving.chooseAnother);
  const to = join(disk, "Hearth");
  await dialog(page).getByText(to, { exact: true }).waitFor();
  await picture(page, "move-ready");
  await dialog(page).getByRole("button", { name: en.data.moving.submit }).click();
  await page.getByText(en.data.moving.done).waitFor();
  await desktop.running();
  assert.deepEqual([desktop.settings().dataFolder, dataIn(to)], [to, true]);
  assert.deepEqual(readdirSync(folder), ["move.json"]);
  const aside = readdirSync(parent).find((name) => name.startsWith("hearth-moved-")) ?? "";
  assert.ok(dataIn(join(parent, aside)), "the old folder is kept");
  assert.deepEqual(await said(page), ["before"]);
  await page.getByText(to, { exact: true }).waitFor();
  await page.getByText(en.data.old.title).waitFor();
  await page.getByText(en.data.old.unchanged).waitFor();

  await say(page, "since");
  await open(page, "#/backups", en.nav.backups);
  await open(page, "#/data", en.nav.data);
  await page.getByText("Added since then: 1 message.").waitFor();
  await picture(page, "moved");
  await page.getByRole("button", { name: en.data.old.back }).click();
  await picture(page, "go-back");
  await dialog(page).getByRole("button", { name: en.data.old.backConfirm }).click();
  await page.getByText(en.data.old.wentBack).waitFor();
  await desktop.running();
  assert.equal(desktop.settings().dataFolder, folder);
  assert.deepEqual(await said(page), ["before"]);
  assert.ok(dataIn(folder) && !dataIn(to));

  // The old folder is deleted only on request.
  const left = readdirSync(disk).find((name) => name.startsWith("Hearth-moved-")) ?? "";
  assert.ok(dataIn(join(disk, left)));
  await page.getByRole("button", { name: en.data.old.remove }).click();
  await dialog(page).getByRole("button", { name: en.data.old.removeConfirm }).click();
  await page.getByText(en.data.old.removed).waitFor();
  assert.ok(!existsSync(join(disk, left)));
  assert.equal(await desktop.quit(), 0);
});

desktopTest("a move can be cancelled, survives a kill, and is undone if no server starts", async (t) => {
  const { parent, folder } = await createFolder(t);
  mkdirSync(join(folder, "backups"));
  writeFileSync(join(folder, "backups", "large"), Buffer.alloc(600 << 20));
  const desktop = await startDesktop(t, { dataFolder: folder });
  await desktop.running();
  const page = await desktop.page();
  await say(page, "before");
  const target = join(parent, "new");
  mkdirSync(target);

  // Cancels during the copy.
  await open(page, "#/data", en.nav.data);
  await page.getByRole("button", { name: en.data.place.move }).click();
  await choose(desktop, page, target);
  await dialog(page).getByRole("button", { name: en.data.moving.submit }).click();
  await dialog(page).getByRole("progressbar").waitFor();
  await dialog(page)
    .getByText(new RegExp(`(${en.data.moving.phases.copying}|${en.data.moving.phases.verifying}) .* / `))
    .waitFor();
  await picture(page, "moving");
  await dialog(page).getByRole("button", { name: en.data.moving.cancel }).click();
  await dialog(page).getByText(en.data.moving.cancelled).waitFor();
  await desktop.running();
  await picture(page, "move-cancelled");
  assert.deepEqual([desktop.settings().dataFolder, readdirSync(target)], [folder, []]);
  assert.deepEqual(readdirSync(parent).sort(), ["hearth", "new"]);
  assert.deepEqual(await said(page), ["before"]);

  // Killed during the copy, the next start continues in the old folder and cleans up.
  await choose(desktop, page, target);
  await dialog(page).getByRole("button", { name: en.data.moving.submit }).click();
  await until(async () => (moveOf(folder)?.step === "copying" ? true : undefined), "it copies");
  desktop.child.kill("SIGKILL");
  await desktop.ended;
  const again = await startDesktop(t, { dataFolder: folder, userData: desktop.userData, port: desktop.port });
  await again.running();
  const next = await again.page();
  assert.deepEqual(await said(next), ["before"]);
  assert.deepEqual(readdirSync(parent).sort(), ["hearth", "new"]);
  assert.equal(moveOf(folder), undefined);

  // If the server does not start in the new folder, the old folder is valid again.
  rmSync(join(folder, "backups", "large"));
  await again.ask((_electron, place) => {
    const fs = process.getBuiltinModule("node:fs");
    const { renameSync } = fs;
    // Removes what the new server needs as soon as the settings name the new folder.
    fs.renameSync = (from, to) => {
      renameSync(from, to);
      if (!String(to).endsWith("settings.json")) return;
      if (JSON.parse(fs.readFileSync(to, "utf8")).dataFolder === place) fs.rmSync(`${place}/secret.key`);
    };
    process.getBuiltinModule("node:module").syncBuiltinESMExports();
  }, target);
  await open(next, "#/data", en.nav.data);
  await next.getByRole("button", { name: en.data.place.move }).click();
  await choose(again, next, target);
  await dialog(next).getByRole("button", { name: en.data.moving.submit }).click();
  await dialog(next)
    .getByText(likeText(uiText("data.moving.failed", { why: "{{}}secret.key" })))
    .waitFor();
  await again.running();
  await picture(next, "move-failed");
  assert.equal(again.settings().dataFolder, folder);
  assert.ok(!existsSync(target), "what was copied is gone");
  assert.deepEqual(await said(next), ["before"]);
  assert.equal(await again.quit(), 0);
});

desktopTest("quitting during the copy changes nothing", async (t) => {
  const { parent, folder } = await createFolder(t);
  mkdirSync(join(folder, "backups"));
  writeFileSync(join(folder, "backups", "large"), Buffer.alloc(600 << 20));
  const desktop = await startDesktop(t, { dataFolder: folder });
  await desktop.running();
  const page = await desktop.page();
  const target = join(parent, "new");
  mkdirSync(target);
  await open(page, "#/data", en.nav.data);
  await page.getByRole("button", { name: en.data.place.move }).click();
  await choose(desktop, page, target);
  await dialog(page).getByRole("button", { name: en.data.moving.submit }).click();
  await until(async () => (moveOf(folder)?.step === "copying" ? true : undefined), "it copies");
  assert.equal(await desktop.quit(), 0);
  assert.deepEqual([desktop.settings().dataFolder, readdirSync(target)], [folder, []]);
  assert.deepEqual(readdirSync(parent).sort(), ["hearth", "new"]);
  assert.ok(dataIn(folder) && moveOf(folder) === undefined && !isLocked(folder));
});

desktopTest("a kill after the switch continues in the new folder", async (t) => {
  const { parent, folder } = await createFolder(t);
  const to = join(parent, "new");
  const { moveFolder } = await import("../../server/host/backups/move.ts");
  await moveFolder({ from: folder, to });
  const desktop = await startDesktop(t, { dataFolder: folder });
  await desktop.running();
  assert.equal(desktop.settings().dataFolder, to);
  assert.ok(dataIn(to) && !dataIn(folder));
  assert.ok(readdirSync(parent).some((name) => name.startsWith(`${basename(folder)}-moved-`)));
  assert.equal(dirname(to), parent);
  assert.equal(await desktop.quit(), 0);
});

desktopTest("the window restores a backup and continues", async (t) => {
  const { parent, folder } = await createFolder(t);
  const desktop = await startDesktop(t, { dataFolder: folder });
  await desktop.running();
  const page = await desktop.page();
  await say(page, "before");
  await open(page, "#/backups", en.nav.backups);
  await page.getByRole("button", { name: en.backups.now }).click();
  await page.getByRole("list", { name: en.backups.list }).getByRole("listitem").waitFor();
  await say(page, "after");
  await page.evaluate(() => fetch("/api/v1/users/me/api_key/regenerate", { method: "POST" }));
  await page.getByRole("button", { name: likeText(en.backups.restoring.openNamed) }).click();
  await dialog(page).getByText("This would be lost: 1 message,").waitFor();
  await dialog(page)
    .getByText(uiText("backups.restoring.rotated", { count: 1 }))
    .waitFor();
  await picture(page, "restore");
  const submit = dialog(page).getByRole("button", { name: en.backups.restoring.confirm });
  assert.equal(await submit.isDisabled(), true, "until the name is typed");
  await dialog(page)
    .getByLabel(uiText("confirm.type", { name: "Venice" }))
    .fill("Venice");
  await submit.click();
  await page.getByText(likeText(uiText("backups.restoring.done", { name: "hearth-{{}}.tar", time: "{{}}" }))).waitFor();
  await desktop.running();
  await picture(page, "restored");
  assert.deepEqual(await said(page), ["before"]);
  const aside = readdirSync(parent).find((name) => name.startsWith("hearth-before-restore-")) ?? "";
  assert.ok(dataIn(join(parent, aside)));
  await page.getByText(uiText("backups.restoring.asideIn", { aside: join(parent, aside) })).waitFor();
  assert.equal(readFileSync(join(folder, "host.json"), "utf8").includes(String(desktop.port)), true);
  assert.equal(await desktop.quit(), 0);
});
