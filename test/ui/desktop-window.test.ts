import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, assertNone, visit } from "../support/browser.ts";
import { type Canned, cannedPages, OWNER } from "../support/canned-pages.ts";
import { desktopBridge } from "../support/desktop-bridge.ts";
import { busyState, emptyState } from "../support/host-states.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

// The pages of the desktop app with a bridge that records its calls. test/desktop/ tests the window itself.

const atDesktop = { at_desktop: true, data_folder: "/home/ann/.local/share/hearth", user: OWNER };

async function inWindow(t: TestContext, canned: Canned) {
  const pages = await cannedPages(t, canned);
  const { page } = await visit(t, `${pages.url}/admin/`, { before: desktopBridge });
  const calls = () => page.evaluate("window.hearthCalls") as Promise<[name: string, argument: unknown][]>;
  const server = async (state: string) => {
    await page.waitForFunction("window.tellServerState"); // the page listens after its first paint
    await page.evaluate(`window.tellServerState("${state}")`);
  };
  return { pages, page, calls, server };
}

async function answer(page: Page): Promise<void> {
  await page.getByLabel(en.firstRun.organization).fill("Rowing Club");
  await page.getByLabel(en.firstRun.owner_name).fill("Ann");
  await page.getByLabel(en.firstRun.owner_email).fill("ann@example.org");
  await page.getByLabel(en.password.label, { exact: true }).fill("oar and anchor 9");
}

test("first run in the desktop app creates a local organization", async (t) => {
  const { pages, page, calls } = await inWindow(t, {
    session: { ...atDesktop, setup: true },
    answers: { "POST /host/setup": {} },
  });
  // The system dialog selects a backup.
  await page.getByRole("button", { name: en.restore.title }).click();
  await page.getByRole("button", { name: en.restore.choose }).click();
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>("[name=file]")?.value.endsWith("-00Z.tar"));
  assert.ok(await page.getByLabel(en.firstRun.startAtLogin).isChecked());
  await assertAccessibleInBothThemes(page, "a chosen backup", "light");
  await assertFits(page, "a chosen backup");
  await page.getByRole("button", { name: en.firstRun.back }).click();
  await page.getByRole("button", { name: en.welcome.create }).click();
  await answer(page);
  await assertNone(page.getByLabel(en.firstRun.code));
  await page.getByText("http://192.168.1.7:9400").waitFor();
  await page.getByRole("radio", { name: en.firstRun.local }).check();
  await page.getByText(en.firstRun.synced).waitFor();
  const top = async (text: string) => (await page.getByText(text, { exact: true }).boundingBox())?.y;
  assert.equal(await top(en.firstRun.owner_emailHint), await top(en.firstRun.owner_nameHint), "above both fields");
  await page.setViewportSize({ width: 1120, height: 720 });
  await page.evaluate(() => scrollTo(0, 0));
  const create = page.getByRole("button", { name: uiText("firstRun.create", { name: "Rowing Club" }) });
  const { y = 0, height = 0 } = (await create.boundingBox()) ?? {};
  assert.ok(y + height < 720, "in sight without scrolling");
  await page.getByLabel(en.firstRun.startAtLogin).uncheck();
  await create.click();
  await page.getByRole("status").getByText(en.firstRun.almost).waitFor();
  pages.set({ session: atDesktop, state: emptyState() });
  await page.getByRole("heading", { name: "Sundbyberg Rowing Club", exact: true }).waitFor();
  assert.deepEqual(await calls(), [
    ["chooseBackup", undefined],
    ["setNetwork", { lan: false }],
    ["setBehavior", { startAtLogin: false }],
  ]);
  const { route, fields } = pages.sent.find((one) => one.route === "POST /host/setup") ?? {};
  const { password, ...rest } = fields ?? {};
  assert.equal(route, "POST /host/setup");
  assert.equal(password, "oar and anchor 9");
  assert.deepEqual(rest, { organization: "Rowing Club", owner_name: "Ann", owner_email: "ann@example.org" });
});

test("the folder cannot change during creation", async (t) => {
  const answers = { "POST /host/setup": "hold" } as const;
  const { page, calls } = await inWindow(t, { session: { ...atDesktop, setup: true }, answers });
  await page.getByRole("button", { name: en.welcome.create }).click();
  await answer(page);
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText(en.firstRun.creating).waitFor();
  await page.getByRole("button", { name: en.firstRun.changeFolderNamed }).click();
  assert.deepEqual(await calls(), []);
});

test("a folder with other files is rejected", async (t) => {
  const { page, calls } = await inWindow(t, { session: { ...atDesktop, setup: true } });
  await page.getByRole("button", { name: en.welcome.existing }).click();
  await page
    .getByRole("alert")
    .getByText(uiText("welcome.otherFiles", { path: "/home/ann/Documents" }))
    .waitFor();
  await page.getByRole("button", { name: en.welcome.create }).click();
  await page.getByRole("button", { name: en.firstRun.changeFolderNamed }).click();
  await page
    .getByRole("alert")
    .getByText(uiText("firstRun.folderOtherFiles", { path: "/home/ann/Documents" }))
    .waitFor();
  assert.deepEqual(
    (await calls()).map(([name]) => name),
    ["chooseDataFolder", "chooseDataFolder"],
  );
  await page.getByRole("button", { name: en.firstRun.back }).click();
  await page.getByRole("heading", { name: en.welcome.title }).waitFor();
});

test("cancelling the folder dialog keeps the focus", async (t) => {
  const { page } = await inWindow(t, { session: { ...atDesktop, setup: true } });
  await page.evaluate(
    "window.hearth.chooseDataFolder = () => new Promise((choose) => { window.chooseNone = () => choose(null); })",
  );
  const existing = page.getByRole("button", { name: en.welcome.existing });
  await existing.press("Enter");
  await page.getByText(en.welcome.choosing).waitFor();
  await page.evaluate("new Promise(requestAnimationFrame).then(() => window.chooseNone())");
  await page.getByText(en.welcome.existingHint).waitFor();
  await existing.and(page.locator(":focus")).waitFor();
});

test("closing the network asks for confirmation, opening does not", async (t) => {
  const { pages, page, calls } = await inWindow(t, { session: atDesktop, state: emptyState() });
  await assertNone(page.getByRole("button", { name: en.topBar.signOut }), "nobody has signed in");
  await page.getByRole("button", { name: en.connect.open }).first().click();
  pages.publish((state) => {
    state.network = busyState().network;
  });
  await page.getByRole("img", { name: uiText("qrCode.of", { url: "http://192.168.1.7:9400" }) }).waitFor();
  await page.getByRole("heading", { name: en.connect.title }).and(page.locator(":focus")).waitFor();
  await page.getByText(uiText("checklist.done", { done: "1", count: 5 })).waitFor();
  await page.getByRole("button", { name: en.connect.close }).click();
  const dialog = page.getByRole("dialog", { name: en.connect.closeTitle });
  await dialog.getByRole("button", { name: en.connect.close }).click();
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(await calls(), [
    ["setNetwork", { lan: true }],
    ["setNetwork", { lan: false }],
  ]);
});

test("an error on closing disappears when the dialog reopens", async (t) => {
  const { page } = await inWindow(t, { session: atDesktop, state: busyState() });
  await page.evaluate("window.hearth.setNetwork = async () => { throw new Error('Port 9400 is in use.'); }");
  const close = page.getByRole("button", { name: en.connect.close });
  const dialog = page.getByRole("dialog", { name: en.connect.closeTitle });
  await page.getByRole("button", { name: en.connect.showAll }).click();
  await close.click();
  await dialog.getByRole("button", { name: en.connect.close }).click();
  await dialog.getByRole("alert").getByText("Port 9400 is in use.").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await close.click();
  await dialog.waitFor();
  await assertNone(dialog.getByRole("alert"));
});

test("a restarting server looks different from a stopped one", async (t) => {
  const { page, server, calls } = await inWindow(t, { session: atDesktop, state: busyState() });
  await page.getByText(likeText(en.topBar.runningSince)).waitFor();
  await server("restarting");
  await page.getByText(en.banner.restarting).waitFor();
  await server("running");
  await page.getByText(likeText(en.topBar.runningSince)).waitFor();
  await assertNone(page.getByText(en.banner.restarting));
  // A server that keeps failing shows a page with the reason.
  await page.evaluate(
    "window.serverProblem = { problem: { msg: 'The disk took no more.', reason: 'unknown', params: {} }, failures: 3 }",
  );
  await server("restarting");
  await page.getByRole("heading", { name: en.problem.failing }).and(page.locator(":focus")).waitFor();
  await page.getByText(uiText("problem.failingLead", { count: 3 })).waitFor();
  await page.getByText("The disk took no more.").waitFor();
  await assertAccessibleInBothThemes(page, "a failing server", "light");
  await assertFits(page, "a failing server");
  for (const name of [en.problem.again, en.problem.folder, en.problem.quit])
    await page.getByRole("button", { name }).click();
  assert.deepEqual(
    (await calls()).map(([name]) => name),
    ["startAgain", "showDataFolder", "quit"],
  );
  // If the data is gone, the page does not claim that the data is safe, and shows no folder.
  await page.evaluate(
    "window.serverProblem = { problem: { msg: 'The folder is gone.', reason: 'unknown', params: {} }, failures: 4, isDataMissing: true }",
  );
  await page.getByText("The folder is gone.").waitFor();
  await assertNone(page.getByText(en.problem.safe));
  await assertNone(page.getByRole("button", { name: en.problem.folder }));
  await page.evaluate("window.serverProblem = undefined");
  await server("running");
  await page.getByText(likeText(en.topBar.runningSince)).waitFor();
  await server("stopped");
  await page.getByText(en.banner.stopped).waitFor();
  await page.getByText(en.topBar.stopped, { exact: true }).waitFor();
  assert.ok(await page.getByText(uiText("messages.total", { count: 48213 })).isVisible(), "what was known last stays");
});

test("a failed start does not look like a stopped server", async (t) => {
  const { page, pages, server } = await inWindow(t, { session: {}, answers: { "GET /host/session": 503 } });
  await server("failed");
  await page.getByRole("heading", { name: en.app.notStarted }).waitFor();
  assert.equal(await page.getByText(en.app.stoppedHint).count(), 0, "nothing was sent yet");
  pages.set({ session: atDesktop, state: busyState(), answers: {} });
  await server("running");
  await page.getByText(likeText(en.topBar.runningSince)).waitFor();
});

test("a button shows the data folder", async (t) => {
  const { page, calls } = await inWindow(t, { session: atDesktop, state: busyState() });
  await page.getByRole("button", { name: uiText("health.explainNamed", { label: en.health.disk }) }).click();
  await page.getByRole("button", { name: en.data.showFolder }).click();
  assert.deepEqual(
    (await calls()).map(([name]) => name),
    ["showDataFolder"],
  );

  // The page that only the window has.
  await page.getByRole("link", { name: en.nav.computer }).click();
  await page.getByRole("heading", { level: 2, name: en.computer.title }).waitFor();
  await assertAccessibleInBothThemes(page, "this computer", "light");
  await page.getByRole("switch", { name: en.computer.startAtLogin }).click({ force: true });
  await page.getByRole("switch", { name: en.computer.startAtLogin, checked: true }).waitFor();
  await page.getByRole("switch", { name: en.computer.closeToTray }).click({ force: true });
  await page.getByRole("switch", { name: en.computer.closeToTray, checked: false }).waitFor();
  await page.getByRole("combobox", { name: en.computer.keepAwake }).click();
  await page.getByRole("option", { name: en.computer.awake.always }).click();
  await page.getByText("Saved: Keep this computer awake").waitFor();
  assert.deepEqual((await calls()).slice(1), [
    ["setBehavior", { startAtLogin: true }],
    ["setBehavior", { closeToTray: false }],
    ["setBehavior", { keepAwake: "always" }],
  ]);
  await page.getByRole("combobox", { name: en.computer.chatIn }).click();
  await page.getByRole("option", { name: en.computer.chatPlaces.browser }).click();
  await page.getByText(en.computer.keepChatBrowser).waitFor();
  assert.ok(await page.getByRole("switch", { name: en.computer.keepChat }).isDisabled());
  await page.getByRole("combobox", { name: en.computer.chatIn }).click();
  await page.getByRole("option", { name: en.computer.chatPlaces.window }).click();
  await page.getByRole("switch", { name: en.computer.keepChat, checked: true }).press("Space");
  await page.getByRole("switch", { name: en.computer.keepChat, checked: false }).waitFor();
  assert.deepEqual((await calls()).slice(4), [
    ["setBehavior", { chatIn: "browser" }],
    ["setBehavior", { chatIn: "window" }],
    ["setBehavior", { keepChat: false }],
  ]);
  // By keyboard, because the notification may cover it.
  await page.getByRole("switch", { name: en.computer.startBeforeSignIn }).press("Space");
  await page.getByText("journalctl --user --unit hearth").waitFor();
  await assertAccessibleInBothThemes(page, "a service", "light");
  await page.getByText(en.computer.serviceRunning, { exact: true }).waitFor();
  assert.deepEqual((await calls()).at(-1), ["setService", { on: true }]);
  await page.setViewportSize({ width: 360, height: 800 });
  await assertFits(page, "this computer");
});
