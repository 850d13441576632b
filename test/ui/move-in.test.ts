import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, intercept, type VisitOptions, visit } from "../support/browser.ts";
import { startChat } from "../support/chat.ts";
import { desktopBridge } from "../support/desktop-bridge.ts";
import { fixturePath, importFile, previewOf } from "../support/imports.ts";
import { uiText } from "../support/ui-texts.ts";

// Uploads, which need a browser. test/components/move-in.test.ts has the rest of the page.

const SLACK = fixturePath("slack-zulip.zip");
const OPERATOR = { operatorToken: "operator's own" };

async function moveIn(t: TestContext, { before = "", ...options }: VisitOptions = {}) {
  const chat = await startChat(t, { unwatched: true, ...OPERATOR });
  const { page, complaints } = await visit(t, `${chat.url}/admin/#/move-in`, {
    before: `${before}; delete window.SharedWorker;`,
    extraHTTPHeaders: { authorization: `Bearer ${OPERATOR.operatorToken}` },
    ...options,
  });
  await page.getByText(en.moveIn.drop).waitFor();
  return { chat, page, complaints };
}

async function assertGood(page: Page, name: string): Promise<void> {
  await assertAccessibleInBothThemes(page, name, "light");
  for (const width of [360, 820, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `${name} at ${width}`);
  }
}

/** Drops an empty file, whose path only the desktop app knows. */
const drop = (page: Page, name: string) =>
  page.evaluate((fileName) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([], fileName));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, name);

test("uploads a file, imports it and removes it", async (t) => {
  const { page, complaints } = await moveIn(t);
  await assertGood(page, "start");
  await page.locator("input[type=file]").first().setInputFiles(SLACK);
  await page.getByRole("heading", { name: en.moveIn.contents }).waitFor();
  await assertGood(page, "preview");
  await page.getByRole("button", { name: en.moveIn.import }).click();
  await page.getByRole("button", { name: en.moveIn.start }).click();
  await page.getByText(uiText("moveIn.doneText", { name: "slack-zulip.zip" })).waitFor();
  await assertGood(page, "done");
  await page.getByRole("button", { name: uiText("moveIn.removeNamed", { name: "slack-zulip.zip" }) }).click();
  await page.getByRole("dialog").getByRole("button", { name: en.moveIn.removeConfirm }).click();
  await page.getByText(en.moveIn.empty).waitFor();
  // An import and a removal end the event queues.
  assert.deepEqual(
    complaints.filter((text) => !text.includes("400")),
    [],
  );
});

test("uploads a folder", async (t) => {
  const { page } = await moveIn(t);
  await page.locator("input[type=file]").last().setInputFiles(fixturePath("discord"));
  await page.getByRole("heading", { name: en.moveIn.contents }).waitFor();
  await page.getByText(en.moveIn.formats.discord, { exact: true }).waitFor();
});

test("cancels an upload", async (t) => {
  const { chat, page } = await moveIn(t);
  await intercept(page, "**/host/imports/current/files", () => {}); // never responds
  await page.locator("input[type=file]").first().setInputFiles(SLACK);
  await page.getByRole("heading", { name: uiText("moveIn.uploading", { name: "slack-zulip.zip" }) }).waitFor();
  await page.getByRole("button", { name: en.form.cancel }).click();
  await page.getByText(en.moveIn.drop).waitFor();
  assert.equal((await chat.as("desdemona").get("/host/imports"))["current"], null);
});

test("the desktop app reads a dropped file where it is", async (t) => {
  const folder = fixturePath("");
  const { chat, page } = await moveIn(t, {
    before: `${desktopBridge}; window.pathOfFiles = ${JSON.stringify(folder)}`,
  });
  await drop(page, "slack-zulip.zip");
  await page.getByRole("heading", { name: en.moveIn.contents }).waitFor();
  const { current } = await chat.as("desdemona").get("/host/imports");
  assert.deepEqual([current.stage, current.name, current.format], ["ready", "slack-zulip.zip", "slack"]);
});

test("a dropped file that is no export names the reason", async (t) => {
  const { page } = await moveIn(t);
  await drop(page, "installer.zip");
  await page.getByText(uiText("moveIn.failedNamed", { name: "installer.zip" })).waitFor();
  await assertGood(page, "failure");
});

test("a second import keeps the earlier ones in view", async (t) => {
  const { chat, page } = await moveIn(t);
  await importFile(chat, SLACK);
  await previewOf(chat, fixturePath("mattermost-zulip-direct.jsonl"));
  await page.reload();
  await page.getByText(en.moveIn.formats.mattermost, { exact: true }).waitFor();
  await page.getByRole("button", { name: uiText("moveIn.removeNamed", { name: "slack-zulip.zip" }) }).waitFor();
});
