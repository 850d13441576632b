import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { problem, problemText } from "../../server/errors.ts";
import { en } from "../../ui/locales/en.ts";
import { startDesktop, temporaryFolder } from "../support/desktop.ts";
import { useFolder } from "../support/folder-in-use.ts";
import { until } from "../support/patience.ts";
import { desktopTest } from "../support/programs.ts";
import { call, dataFolder } from "../support/server-process.ts";
import { personWith } from "../support/signing-in.ts";
import { uiText } from "../support/ui-texts.ts";

// The first start of the app, with real pages, window and server.

const fill = async (page: Page, answers: Record<string, string>) => {
  for (const [label, value] of Object.entries(answers)) await page.getByLabel(label, { exact: true }).fill(value);
};

desktopTest("first run in the window leads to Overview with live messages", async (t) => {
  const desktop = await startDesktop(t);
  const page = await desktop.page();
  const refused: string[] = [];
  page.on("console", (message) => message.type() === "error" && refused.push(message.text()));
  page.on("pageerror", (error) => refused.push(error.message));
  const began = performance.now();
  await page.getByRole("button", { name: en.welcome.create }).click();
  await fill(page, {
    [en.firstRun.organization]: "Rowing Club",
    [en.firstRun.owner_name]: "Ann",
    [en.firstRun.owner_email]: "ann@example.org",
    [en.password.label]: "oar and anchor 9",
  });
  assert.ok(await page.getByRole("radio", { name: en.firstRun.lan }).isChecked());
  await page
    .getByText(
      new RegExp(
        [en.password.good, en.password.strong].map((strength) => uiText("password.strength", { strength })).join("|"),
      ),
    )
    .first()
    .waitFor();
  assert.ok(await page.getByLabel(en.firstRun.startAtLogin).isChecked());
  await page.getByRole("button", { name: uiText("firstRun.create", { name: "Rowing Club" }) }).click();
  await page.getByRole("heading", { name: "Rowing Club", exact: true }).waitFor();
  const seconds = (performance.now() - began) / 1000;
  t.diagnostic(`first run took ${seconds.toFixed(1)} s`);
  const { startAtLogin } = await page.evaluate(() => (globalThis as any).hearth.settings());
  assert.equal(startAtLogin, true);
  // It is open to the network, as chosen.
  await page.getByText(uiText("checklist.done", { done: "2", count: 5 })).waitFor();
  const { url } = JSON.parse(readFileSync(join(desktop.dataFolder, "host.json"), "utf8")) as { url: string };
  assert.deepEqual([url, desktop.settings().lan], [`http://0.0.0.0:${desktop.port}`, true]);

  await page.getByRole("button", { name: en.checklist.personAction }).click();
  await fill(page, {
    [en.addPerson.full_name]: "Bo",
    [en.addPerson.email]: "bo@example.org",
    [en.addPerson.password]: "a boat of his own",
  });
  await page.getByRole("button", { name: uiText("addPerson.submit", { name: "Bo" }) }).click();
  await page.getByText(uiText("audit.userCreated", { actor: "Ann", name: "Bo" })).waitFor();
  const here = `http://127.0.0.1:${desktop.port}`;
  const bo = await personWith(here, "bo@example.org", "a boat of his own");
  await call(here, bo, "POST /users/me/subscriptions", { subscriptions: [{ name: "regatta" }] });
  await page.getByText(uiText("checklist.done", { done: "3", count: 5 })).waitFor();
  const after: number[] = [];
  for (const count of [1, 2, 3, 4, 5]) {
    const sent = await call(here, bo, "POST /messages", {
      type: "channel",
      to: "regatta",
      topic: "boats",
      content: "x",
    });
    assert.equal(sent.status, 200);
    const answered = performance.now();
    await page.getByText(uiText("messages.total", { count })).waitFor();
    after.push(Math.round(performance.now() - answered));
  }
  t.diagnostic(`shown ${after} ms after each send was answered`);
  // While the server restarts, the window itself responds with 503.
  assert.deepEqual(
    refused.filter((text) => !/503|ERR_FAILED|ERR_UNEXPECTED/.test(text)),
    [],
  );
  assert.equal(await desktop.quit(), 0);
});

desktopTest("first run continues after a folder fails to open", async (t) => {
  const { path: inUse } = await dataFolder(t);
  const url = await useFolder(t, inUse);
  const desktop = await startDesktop(t);
  const page = await desktop.page();
  await desktop.running("setup");
  await page.getByRole("button", { name: en.welcome.existing }).click();
  await (await desktop.question()).answer(inUse);
  const why = problemText(problem("folder_in_use", { folder: inUse, url }));
  await page
    .getByRole("alert")
    .getByText(uiText("welcome.failed", { reason: why }), { exact: true })
    .waitFor();
  await desktop.running("setup");

  await page.getByRole("button", { name: en.restore.title }).click();
  await page.getByRole("button", { name: en.restore.choose }).click();
  await (await desktop.question()).answer(join(inUse, "hearth.db"));
  await page.waitForFunction(
    (path) => (globalThis as any).document.querySelector("[name=file]").value === path,
    [inUse, "hearth.db"].join("/"),
  );
  await page.getByRole("button", { name: en.restore.look }).click();
  await page.getByText(/is not a Hearth backup/).waitFor();
  await page.getByRole("button", { name: en.firstRun.back }).click();

  // The system error becomes a sentence.
  await page.getByRole("button", { name: en.welcome.create }).click();
  const notOurs = join(temporaryFolder(t, "hearth-other-"), "folder");
  await page.getByRole("button", { name: en.firstRun.changeFolderNamed }).click();
  await (await desktop.question()).answer("/sys/hearth");
  await page.getByRole("alert").getByText("permission to read and write in the data folder /sys/hearth").waitFor();
  await desktop.running("setup");
  assert.equal(desktop.settings().dataFolder, desktop.dataFolder);
  await page.getByRole("button", { name: en.firstRun.changeFolderNamed }).click();
  await (await desktop.question()).answer(notOurs);
  await until(() => desktop.settings().dataFolder === notOurs || undefined, "the folder is taken");
  await page.getByRole("alert").waitFor({ state: "detached" });
  assert.equal(await desktop.quit(), 0);
});
