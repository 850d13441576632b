import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { isLocked } from "../../server/host/supervisor/lock.ts";
import { en } from "../../ui/locales/en.ts";
import { type DesktopApp, startDesktop } from "../support/desktop.ts";
import { until } from "../support/patience.ts";
import { desktopTest } from "../support/programs.ts";
import { dataFolder } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";
import { INSTALLER, RELEASE_FILE, updateFeed } from "../support/update-feed.ts";

// Updates in the real app, as an AppImage that was never mounted. A script replaces the program.

const isLinux = process.platform === "linux";

interface InstalledHere {
  program: string;
  content: Buffer;
  /** Whether the new version was started. */
  started(): boolean;
}

/** Makes the apps of this test believe that they are an AppImage. The new version records its start. */
function installed(t: TestContext): InstalledHere {
  const folder = mkdtempSync(join(tmpdir(), "hearth-installed-"));
  const program = join(folder, "Hearth.AppImage");
  writeFileSync(program, "the old program", { mode: 0o755 });
  process.env["APPIMAGE"] = program;
  t.after(() => {
    delete process.env["APPIMAGE"];
    delete process.env["HEARTH_TEST_VERSION"];
    rmSync(folder, { recursive: true, force: true });
  });
  const marker = join(folder, "started");
  return { program, content: Buffer.from(`#!/bin/sh\ntouch "${marker}"\n`), started: () => existsSync(marker) };
}

async function updatesPage(desktop: DesktopApp): Promise<Page> {
  const page = await desktop.page();
  await page.evaluate(() => {
    (globalThis as any).location.hash = "#/updates";
  });
  await page.getByRole("heading", { name: en.updates.title, exact: true }).waitFor();
  return page;
}

async function enterSource(page: Page, { address, key }: { address: string; key: string }): Promise<void> {
  await page.getByRole("button", { name: en.updates.set, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: en.updates.source });
  await dialog.getByLabel(en.updates.address).fill(address);
  await dialog.getByLabel(en.updates.key).fill(key);
  await dialog.getByRole("button", { name: en.updates.save }).click();
}

const recordOf = (desktop: DesktopApp) =>
  JSON.parse(readFileSync(join(desktop.userData, "updates", "update.json"), "utf8"));

if (isLinux)
  desktopTest("the window updates from a feed to the new version's first response", async (t) => {
    const { program, content, started } = installed(t);
    const feed = await updateFeed(t, { content, notes: "<b>Faster</b>" });
    const { path } = await dataFolder(t);
    const desktop = await startDesktop(t, { dataFolder: path });
    await desktop.running();
    const page = await updatesPage(desktop);
    await page.getByText(en.updates.standing.off).waitFor();
    assert.equal(existsSync(join(desktop.userData, "updates")), false);

    await enterSource(page, { address: "gopher://old.example", key: feed.key });
    await page.getByRole("alert").getByText(en.updates.problems.address).waitFor();
    await page.getByRole("dialog").getByLabel(en.updates.address).fill(feed.address);
    await page.getByRole("dialog").getByRole("button", { name: en.updates.save }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.deepEqual(desktop.settings().updates, { address: feed.address, key: feed.key });
    assert.deepEqual(feed.asked, []);

    await page.getByRole("button", { name: en.updates.check }).click();
    await page.getByRole("heading", { name: uiText("updates.found", { version: "9.1.0" }) }).waitFor();
    await page.getByText("<b>Faster</b>").waitFor();
    await page.getByRole("button", { name: en.updates.download }).click();
    await page.getByText(en.updates.ready).waitFor();
    assert.equal(readFileSync(program, "utf8"), "the old program");
    await page.getByRole("button", { name: uiText("updates.install", { version: "9.1.0" }) }).click();
    assert.equal(await desktop.ended, 0, desktop.output);

    assert.deepEqual(readFileSync(program), content);
    await until(() => started() || undefined, "the new version is started");
    const record = recordOf(desktop);
    assert.deepEqual([record.to, record.outcome], ["9.1.0", "installing"]);
    assert.equal(readFileSync(record.kept, "utf8"), "the old program");
    assert.match(record.backup, /backups\/hearth-.*\.tar$/);
    assert.ok(existsSync(record.backup));
    assert.equal(isLocked(path), false);

    process.env["HEARTH_TEST_VERSION"] = "9.1.0";
    const next = await startDesktop(t, { dataFolder: path, userData: desktop.userData, port: desktop.port });
    await next.running();
    await until(() => recordOf(next).outcome === "answered" || undefined, "the new version answered");
    const nextPage = await updatesPage(next);
    await nextPage.getByText(likeText(en.updates.outcomes.answered)).waitFor();
    await nextPage.getByText(record.kept, { exact: true }).waitFor();
    await nextPage.getByText(record.backup, { exact: true }).waitFor();
    await nextPage.getByRole("button", { name: likeText(en.updates.removeKept) }).click();
    await nextPage.getByText(record.kept, { exact: true }).waitFor({ state: "detached" });
    assert.equal(existsSync(record.kept), false);
    assert.equal(await next.quit(), 0);
  });

if (isLinux)
  desktopTest("an update asks before disconnecting people, and a failed one reverts", async (t) => {
    const { program, content } = installed(t);
    const feed = await updateFeed(t, { content });
    const { path } = await dataFolder(t);
    const settings = { updates: { address: feed.address, key: feed.key } };
    const desktop = await startDesktop(t, { dataFolder: path, settings });
    await desktop.running();
    const page = await updatesPage(desktop);
    await page.evaluate(async () => {
      const body = new URLSearchParams({ event_types: '["message"]' });
      const registered: any = await (await fetch("/api/v1/register", { method: "POST", body })).json();
      void fetch(`/api/v1/events?queue_id=${registered.queue_id}&last_event_id=-1&held=1`);
    });
    await page.getByRole("button", { name: en.updates.check }).click();
    await page.getByRole("button", { name: en.updates.download }).click();
    const install = page.getByRole("button", { name: uiText("updates.install", { version: "9.1.0" }) });
    await install.click();
    const question = await desktop.question();
    assert.deepEqual([question.message, question.buttons], ["1 person is online now.", ["Update Now", "Not Now"]]);
    await question.answer("Not Now");
    await page.getByText(en.updates.ready).waitFor();
    assert.equal(existsSync(join(desktop.userData, "updates", "kept")), false);

    // The AppImage is in a read-only folder, so it cannot be replaced.
    await desktop.ask(() => {
      const { app } = process.getBuiltinModule("node:module").createRequire("/")("electron") as any;
      (globalThis as any).relaunched = 0;
      app.relaunch = () =>
        void process.getBuiltinModule("node:fs").writeFileSync(`${process.env["APPIMAGE"]}.again`, "");
    });
    rmSync(program);
    mkdirSync(program); // deleting a file does not delete a folder
    await install.click();
    await (await desktop.question()).answer("Update Now");
    assert.equal(await desktop.ended, 0, desktop.output);
    const record = recordOf(desktop);
    assert.equal(record.outcome, "failed");
    assert.ok(existsSync(`${program}.again`), "it starts again");
    const next = await startDesktop(t, { dataFolder: path, userData: desktop.userData, port: desktop.port });
    await next.running();
    await (await updatesPage(next)).getByText(likeText(en.updates.outcomes.failed)).waitFor();
    assert.equal(await next.quit(), 0);
  });

if (isLinux)
  desktopTest("verifies a dropped installer with the files next to it", async (t) => {
    const { content } = installed(t);
    const feed = await updateFeed(t, { content });
    const folder = mkdtempSync(join(tmpdir(), "hearth-dropped-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const installer = join(folder, INSTALLER);
    writeFileSync(installer, content);
    const desktop = await startDesktop(t, {
      dataFolder: (await dataFolder(t)).path,
      settings: { updates: { address: null, key: feed.key } },
    });
    await desktop.running();
    const page = await desktop.page();
    await page.getByText(likeText(en.topBar.runningSince)).waitFor();
    const session = await page.context().newCDPSession(page);
    const drop = async () => {
      const data = { items: [], files: [installer], dragOperationsMask: 1 };
      for (const type of ["dragEnter", "dragOver", "drop"] as const)
        await session.send("Input.dispatchDragEvent", { type, x: 400, y: 400, data });
    };
    await drop();
    await page.getByRole("alert").getByText(`${RELEASE_FILE} is missing.`).waitFor();
    for (const name of [RELEASE_FILE, `${RELEASE_FILE}.sig`])
      writeFileSync(join(folder, name), feed.files.get(name) as Buffer);
    await drop();
    await page.getByRole("heading", { name: uiText("updates.found", { version: "9.1.0" }) }).waitFor();
    await page.getByRole("button", { name: en.updates.download }).click();
    await page.getByText(en.updates.ready).waitFor();
    assert.deepEqual(feed.asked, []);
    assert.deepEqual(readdirSync(folder).sort(), [INSTALLER, RELEASE_FILE, `${RELEASE_FILE}.sig`].sort());
    assert.equal(await desktop.quit(), 0);
  });
