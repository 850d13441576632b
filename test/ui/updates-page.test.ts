import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import type { LastUpdate, UpdateState } from "../../main/bridge-types.ts";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, assertNone, visit } from "../support/browser.ts";
import { cannedPages, OWNER } from "../support/canned-pages.ts";
import { desktopBridge } from "../support/desktop-bridge.ts";
import { busyState } from "../support/host-states.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

// The updates page with a bridge that records its calls. test/desktop/update-window.test.ts tests the real app.

const session = { at_desktop: true, data_folder: "/home/ann/.local/share/hearth", user: OWNER };
const KEY = `${"abcdefg0123456789+/ABCDEFGHIJKLMNOPQRSTUVWXYZ".slice(0, 43)}=`;

const found: NonNullable<UpdateState["found"]> = {
  version: "0.2.0",
  notes: `<img src=x onerror=alert(1)>\n\n- Search finds files.\n${"- Another thing that is new, in many words.\n".repeat(30)}${"x".repeat(300)}`,
  madeAt: Date.parse("2026-11-20T10:00:00Z"),
  size: 131_072_000,
};

const last: LastUpdate = {
  from: "0.1.0",
  to: "0.2.0",
  at: Date.parse("2026-11-20T10:00:00Z"),
  backup: "/home/ann/.local/share/hearth/backups/hearth-2026-11-20T10-00-00Z.tar",
  kept: "/home/ann/.config/Hearth Desktop/updates/kept/Hearth-0.1.0.AppImage",
  keptUntil: Date.parse("2026-11-27T10:00:00Z"),
  outcome: "answered",
  reason: null,
};

async function updatesPage(t: TestContext, state: Partial<UpdateState> = {}) {
  const pages = await cannedPages(t, { session, state: busyState() });
  const before = `${desktopBridge}; Object.assign(window.updates, ${JSON.stringify(state)})`;
  const { page } = await visit(t, `${pages.url}/admin/#/updates`, { before });
  await page.getByRole("heading", { name: en.updates.this }).waitFor();
  const names = async () => ((await page.evaluate("window.hearthCalls")) as [string][]).map(([name]) => name);
  const next = (then: Partial<UpdateState>) => page.evaluate(`window.nextUpdate = ${JSON.stringify(then)}`);
  return { page, names, next };
}

async function assertLooks(page: Page, what: string): Promise<void> {
  await assertAccessibleInBothThemes(page, what, "light");
  await assertFits(page, what);
}

test("the page leads from no source to an installation", async (t) => {
  const { page, names, next } = await updatesPage(t);
  await page.getByText(en.updates.standing.off).waitFor();
  await assertNone(page.getByRole("button", { name: en.updates.check }));
  await assertLooks(page, "no address");

  await page.getByRole("button", { name: en.updates.set, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: en.updates.source });
  await dialog.getByLabel(en.updates.address).fill("https://example.org/hearth/");
  await dialog.getByLabel(en.updates.key).fill("wrong");
  await page.evaluate(`window.refuseSource = { problem: { code: "key", detail: null } }`);
  await dialog.getByRole("button", { name: en.updates.save }).click();
  await dialog.getByRole("alert").getByText(en.updates.problems.key).waitFor();
  await assertLooks(page, "the source");
  await page.evaluate(`window.refuseSource = undefined`);
  await dialog.getByLabel(en.updates.key).fill(KEY);
  await dialog.getByRole("button", { name: en.updates.save }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("https://example.org/hearth/").waitFor();

  await next({ step: "found", found, checkedAt: Date.now() });
  await page.getByRole("button", { name: en.updates.check }).click();
  await page.getByRole("heading", { name: uiText("updates.found", { version: "0.2.0" }) }).waitFor();
  await page.getByText("<img src=x onerror=alert(1)>").waitFor();
  await assertLooks(page, "a newer version");
  // Overview shows it too.
  await page.goto(page.url().replace(/#.*/, "#/"));
  await page.getByText(uiText("problems.update", { version: "0.2.0" })).waitFor();
  await assertLooks(page, "a newer version on Overview");
  await page.getByRole("link", { name: en.updates.notes }).click();
  await page.getByRole("heading", { name: uiText("updates.found", { version: "0.2.0" }) }).waitFor();
  await next({ step: "downloading", done: 42_000_000 });
  await page.getByRole("button", { name: en.updates.download }).click();
  await page.getByRole("progressbar", { name: en.updates.downloading }).waitFor();
  await assertLooks(page, "downloading");
  await next({ step: "found", done: 0 });
  await page.getByRole("button", { name: en.updates.cancel }).click();
  await next({ step: "ready", done: found.size });
  await page.getByRole("button", { name: en.updates.download }).click();
  await page.getByText(en.updates.ready).waitFor();
  await next({ step: "backing up" });
  await page.getByRole("button", { name: uiText("updates.install", { version: "0.2.0" }) }).click();
  await page.getByRole("status").getByText(en.updates.steps["backing up"]).waitFor();
  await assertLooks(page, "installing");
  assert.deepEqual(await names(), [
    ...["setUpdateSource", "setUpdateSource", "checkForUpdate", "downloadUpdate", "cancelUpdate", "downloadUpdate"],
    "installUpdate",
  ]);
});

test("every problem has a text", async (t) => {
  const { page } = await updatesPage(t, { source: { address: "https://example.org/", key: KEY } });
  const codes = (await import("../../ui/locales/en/updates.ts")).updateTexts.updates.problems;
  for (const [code, words] of Object.entries(codes)) {
    const detail = "<detail & more>";
    await page.evaluate(`window.nextUpdate = ${JSON.stringify({ problem: { code, detail } })}`);
    await page.getByRole("button", { name: en.updates.check }).click();
    await page.getByRole("alert").getByText(words.replace("{{detail}}", detail)).waitFor();
  }
  await assertLooks(page, "a problem");
});

test("shows how to revert while the previous version is kept", async (t) => {
  const { page, names, next } = await updatesPage(t, { last, version: "0.2.0" });
  for (const text of [last.kept as string, last.backup as string])
    await page.getByText(text, { exact: true }).waitFor();
  await assertLooks(page, "the way back");
  await next({ last: { ...last, kept: null } });
  await page.getByRole("button", { name: uiText("updates.removeKept", { version: "0.1.0" }) }).click();
  await page.getByText(last.kept as string, { exact: true }).waitFor({ state: "detached" });
  await next({ last: { ...last, outcome: "failed", reason: "mv: no permission" } });
  assert.deepEqual(await names(), ["removeKeptVersion"]);
});

test("shows how to revert from a version without a response", async (t) => {
  const { page } = await updatesPage(t, {
    last: { ...last, outcome: "installing", keptUntil: null },
    version: "0.2.0",
  });
  await page.evaluate(
    "window.serverProblem = { problem: { msg: 'The database could not be upgraded.', reason: 'unknown', params: {} }, failures: 3 }",
  );
  await page.evaluate(`window.tellServerState("restarting")`);
  await page.getByRole("heading", { name: en.problem.failing }).waitFor();
  await page.getByText(last.backup as string, { exact: true }).waitFor();
  await assertLooks(page, "a new version that fails");
});

test("an unpackaged copy says that it cannot update", async (t) => {
  const { page } = await updatesPage(t, { installation: null });
  await page.getByText(en.updates.standing.notInstalled).first().waitFor();
  for (const name of [en.updates.check, en.updates.choose]) await assertNone(page.getByRole("button", { name }));
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/./).last().fill("public key");
  await page.getByText(en.updates.key).last().waitFor();
});

test("verifies a dropped installer and ignores other files", async (t) => {
  const { page, names } = await updatesPage(t, { step: "found", found });
  await page.evaluate(`location.hash = "#/"`);
  await page.getByText(likeText(en.topBar.runningSince)).waitFor();
  const drop = (name: string) =>
    page.evaluate((given) => {
      const transfer = new (globalThis as any).DataTransfer();
      transfer.items.add(new File(["x"], given));
      for (const type of ["dragover", "drop"])
        (globalThis as any).document.body.dispatchEvent(
          new (globalThis as any).DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }),
        );
    }, name);
  await drop("holiday.jpg");
  assert.deepEqual(await names(), []);
  await drop("Hearth-0.2.0.AppImage");
  await page.getByRole("heading", { name: uiText("updates.found", { version: "0.2.0" }) }).waitFor();
  assert.deepEqual(await names(), ["checkInstallerFile"]);
});
