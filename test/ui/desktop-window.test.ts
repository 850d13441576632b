import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBothThemes, assertFits, visit } from "../support/browser.ts";
import { type Canned, cannedPages, OWNER } from "../support/canned-pages.ts";
import { desktopBridge } from "../support/desktop-bridge.ts";
import { busyState, emptyState } from "../support/host-states.ts";

// The pages as the desktop's window shows them, with a bridge that records its calls. test/desktop/ tests the window
// itself.

const atDesktop = { at_desktop: true, data_folder: "/home/ann/.local/share/hearth", user: OWNER };

async function inWindow(t: TestContext, canned: Canned) {
  const pages = await cannedPages(t, canned);
  const { page } = await visit(t, `${pages.url}/admin/`, { before: desktopBridge });
  const calls = () => page.evaluate("window.hearthCalls") as Promise<[name: string, argument: unknown][]>;
  const server = async (state: string) => {
    await page.waitForFunction("window.tellServerState"); // the page listens once it is drawn
    await page.evaluate(`window.tellServerState("${state}")`);
  };
  return { pages, page, calls, server };
}

async function answer(page: Page): Promise<void> {
  await page.getByLabel("Name of the organization").fill("Rowing Club");
  await page.getByLabel("Your name").fill("Ann");
  await page.getByLabel("Your email address").fill("ann@example.org");
  await page.getByLabel("Password", { exact: true }).fill("oar and anchor 9");
}

test("first run at the desktop creates a local organization", async (t) => {
  const { pages, page, calls } = await inWindow(t, {
    session: { ...atDesktop, setup: true },
    answers: { "POST /host/setup": {} },
  });
  // A backup is chosen in the system's dialog.
  await page.getByRole("button", { name: "Restore a backup" }).click();
  await page.getByRole("button", { name: "Choose…" }).click();
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>("[name=file]")?.value.endsWith("-00Z.tar"));
  await assertAccessibleInBothThemes(page, "a chosen backup", "light");
  await assertFits(page, "a chosen backup");
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "New organization" }).click();
  await answer(page);
  assert.equal(await page.getByLabel("One-time code").count(), 0);
  await page.getByText("http://192.168.1.7:9400").waitFor();
  await page.getByRole("radio", { name: "Only this machine" }).check();
  await page.getByText("This folder is synced with a cloud service").waitFor();
  await page.getByRole("button", { name: "Create Rowing Club" }).click();
  await page.getByRole("status").getByText("Almost there…").waitFor();
  pages.set({ session: atDesktop, state: emptyState() });
  await page.getByRole("heading", { name: "Sundbyberg Rowing Club", exact: true }).waitFor();
  assert.deepEqual(await calls(), [
    ["chooseBackup", undefined],
    ["setNetwork", { lan: false }],
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
  await page.getByRole("button", { name: "New organization" }).click();
  await answer(page);
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("Making the organization…").waitFor();
  await page.getByRole("button", { name: "Change the folder" }).click();
  assert.deepEqual(await calls(), []);
});

test("a folder with other files is rejected", async (t) => {
  const { page, calls } = await inWindow(t, { session: { ...atDesktop, setup: true } });
  await page.getByRole("button", { name: "I have one already" }).click();
  await page.getByRole("alert").getByText("/home/ann/Documents holds other files, and no organization.").waitFor();
  await page.getByRole("button", { name: "New organization" }).click();
  await page.getByRole("button", { name: "Change the folder" }).click();
  await page.getByRole("alert").getByText("/home/ann/Documents holds other files.").waitFor();
  assert.deepEqual(
    (await calls()).map(([name]) => name),
    ["chooseDataFolder", "chooseDataFolder"],
  );
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("heading", { name: "Welcome to Hearth" }).waitFor();
});

test("cancelling the folder dialog keeps the focus", async (t) => {
  const { page } = await inWindow(t, { session: { ...atDesktop, setup: true } });
  await page.evaluate(
    "window.hearth.chooseDataFolder = () => new Promise((choose) => { window.chooseNone = () => choose(null); })",
  );
  const existing = page.getByRole("button", { name: "I have one already" });
  await existing.press("Enter");
  await page.getByText("Choosing a folder…").waitFor();
  await page.evaluate("new Promise(requestAnimationFrame).then(() => window.chooseNone())");
  await page.getByText("Choose the folder in which Hearth kept it").waitFor();
  await existing.and(page.locator(":focus")).waitFor();
});

test("closing the network asks for confirmation, opening does not", async (t) => {
  const { pages, page, calls } = await inWindow(t, { session: atDesktop, state: emptyState() });
  assert.equal(await page.getByRole("button", { name: "Sign out" }).count(), 0, "nobody has signed in");
  await page.getByRole("button", { name: "Open it to your network" }).first().click();
  pages.publish((state) => {
    state.network = busyState().network;
  });
  await page.getByRole("img", { name: "QR code for http://192.168.1.7:9400" }).waitFor();
  await page.getByRole("heading", { name: "How people connect" }).and(page.locator(":focus")).waitFor();
  await page.getByText("1 of 5 done").waitFor();
  await page.getByRole("button", { name: "Close it to your network" }).click();
  const dialog = page.getByRole("dialog", { name: "Close Hearth to your network?" });
  await dialog.getByRole("button", { name: "Close it to your network" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(await calls(), [
    ["setNetwork", { lan: true }],
    ["setNetwork", { lan: false }],
  ]);
});

test("an error on closing disappears when the dialog reopens", async (t) => {
  const { page } = await inWindow(t, { session: atDesktop, state: busyState() });
  await page.evaluate("window.hearth.setNetwork = async () => { throw new Error('Port 9400 is in use.'); }");
  const close = page.getByRole("button", { name: "Close it to your network" });
  const dialog = page.getByRole("dialog", { name: "Close Hearth to your network?" });
  await page.getByRole("button", { name: "QR code and more" }).click();
  await close.click();
  await dialog.getByRole("button", { name: "Close it to your network" }).click();
  await dialog.getByRole("alert").getByText("Port 9400 is in use.").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await close.click();
  await dialog.waitFor();
  assert.equal(await dialog.getByRole("alert").count(), 0);
});

test("a restarting server looks different from a stopped one", async (t) => {
  const { page, server, calls } = await inWindow(t, { session: atDesktop, state: busyState() });
  await page.getByText("Running since").waitFor();
  await server("restarting");
  await page.getByText("Hearth is restarting.").waitFor();
  await server("running");
  await page.getByText("Running since").waitFor();
  assert.equal(await page.getByText("Hearth is restarting.").count(), 0);
  // A server that keeps failing gets a page that says why.
  await page.evaluate("window.serverProblem = { reason: 'The disk took no more.', failures: 3 }");
  await server("restarting");
  await page.getByRole("heading", { name: "Hearth keeps failing" }).and(page.locator(":focus")).waitFor();
  await page.getByText("It has failed 3 times in a row").waitFor();
  await page.getByText("The disk took no more.").waitFor();
  await assertAccessibleInBothThemes(page, "a failing server", "light");
  await assertFits(page, "a failing server");
  for (const name of ["Try again now", "Show the data folder", "Quit Hearth"])
    await page.getByRole("button", { name }).click();
  assert.deepEqual(
    (await calls()).map(([name]) => name),
    ["startAgain", "showDataFolder", "quit"],
  );
  // Of data that is gone nothing is said to be safe, and there is no folder to show.
  await page.evaluate("window.serverProblem = { reason: 'The folder is gone.', failures: 4, isDataMissing: true }");
  await page.getByText("The folder is gone.").waitFor();
  assert.equal(await page.getByText("safe on disk").count(), 0);
  assert.equal(await page.getByRole("button", { name: "Show the data folder" }).count(), 0);
  await page.evaluate("window.serverProblem = undefined");
  await server("running");
  await page.getByText("Running since").waitFor();
  await server("stopped");
  await page.getByText("Hearth has stopped and will not start again by itself.").waitFor();
  await page.getByText("Stopped", { exact: true }).waitFor();
  assert.ok(await page.getByText("48,213 in all").isVisible(), "what was known last stays");
});

test("a server that could not start is not called a stopped one", async (t) => {
  const { page, pages, server } = await inWindow(t, { session: {}, answers: { "GET /host/session": 503 } });
  await server("failed");
  await page.getByRole("heading", { name: "Hearth could not start yet." }).waitFor();
  assert.equal(await page.getByText("What was sent is safe").count(), 0, "nothing was sent yet");
  pages.set({ session: atDesktop, state: busyState(), answers: {} });
  await server("running");
  await page.getByText("Running since").waitFor();
});

test("a button shows the data folder", async (t) => {
  const { page, calls } = await inWindow(t, { session: atDesktop, state: busyState() });
  await page.getByRole("button", { name: "Disk left: what is normal?" }).click();
  await page.getByRole("button", { name: "Show the folder" }).click();
  assert.deepEqual(
    (await calls()).map(([name]) => name),
    ["showDataFolder"],
  );

  // The page that only the window has.
  await page.getByRole("link", { name: "This computer" }).click();
  await page.getByRole("heading", { level: 2, name: "This computer" }).waitFor();
  await assertAccessibleInBothThemes(page, "this computer", "light");
  await page.getByRole("switch", { name: "Start when I sign in to this computer" }).click({ force: true });
  await page.getByRole("switch", { name: "Start when I sign in", checked: true }).waitFor();
  await page.getByRole("switch", { name: "Keep hosting when the window is closed" }).click({ force: true });
  await page.getByRole("switch", { name: "Keep hosting", checked: false }).waitFor();
  await page.getByRole("combobox", { name: "Keep this computer awake" }).click();
  await page.getByRole("option", { name: "Always, also on battery" }).click();
  await page.getByText("Saved: Keep this computer awake").waitFor();
  assert.deepEqual((await calls()).slice(1), [
    ["setBehavior", { startAtLogin: true }],
    ["setBehavior", { closeToTray: false }],
    ["setBehavior", { keepAwake: "always" }],
  ]);
  await page.setViewportSize({ width: 360, height: 800 });
  await assertFits(page, "this computer");
});
