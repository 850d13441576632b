import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { OPERATOR_SETTING_NAMES } from "../../server/api/queries/operator-settings.ts";
import { assertAccessibleInBothThemes, assertFits, closeNotices, type Visit, visit } from "../support/browser.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";
import { upload } from "../support/uploads.ts";

/** An organization in which something has been done, and its owner's window. */
async function start(t: TestContext): Promise<Visit & { chat: Chat }> {
  const chat = await startChat(t, {
    unwatched: true,
    channels: [
      { name: "general", subscribers: ["hamlet", "iago"] },
      { name: "stage", subscribers: ["hamlet"] },
    ],
  });
  const owner = chat.as("desdemona");
  const url = await upload(chat, "hamlet", "x".repeat(250_000));
  for (const [to, content] of [
    ["general", "Good morning, all."],
    ["stage", `The [plan](${url})`],
    ["stage", "Lights at eight."],
  ])
    await chat.as("hamlet").post("/messages", { type: "channel", to: chat.ids[to as string], topic: "plans", content });
  await owner.patch("/realm", { name: "Cyprus", description: "An island" });
  await owner.patch(`/users/${chat.ids["hamlet"]}`, { role: 300 });
  await owner.post("/users/me/subscriptions", {
    subscriptions: [{ name: "crew" }],
    principals: [chat.ids["othello"], chat.ids["cordelia"]],
  });
  const visited = await visit(t, `${chat.url}/admin/`, {
    acceptDownloads: true,
    as: { email: "desdemona@example.com", password: "secret-desdemona" },
  });
  await visited.page.getByRole("navigation", { name: "Pages" }).waitFor();
  return { chat, ...visited };
}

/** A page of backups that hears nothing asks every 30 seconds. */
const SOONER_THAN_ASKED_MS = 20_000;

const open = async (page: Page, name: string) => {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 2, name }).waitFor();
};

async function assertGood(page: Page, name: string): Promise<void> {
  await assertAccessibleInBothThemes(page, name, "light");
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 800 });
  await assertFits(page, name);
  if (size) await page.setViewportSize(size);
}

async function saved(page: Page, button: string): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

test("the window sets every setting of the server", () => {
  const pages = fileURLToPath(new URL("../../ui/admin/pages", import.meta.url));
  const sources = readdirSync(pages, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".tsx"))
    .map((path) => readFileSync(join(pages, path), "utf8"));
  for (const name of OPERATOR_SETTING_NAMES) {
    if (name === "ORGANIZATION_DEACTIVATED") continue; // POST /realm/deactivate, on the page of the organization
    const call = new RegExp(`(?:onChange|change|call)\\([^)]*\\b${name}\\b`);
    assert.ok(
      sources.some((text) => call.test(text)),
      name,
    );
  }
});

test("whoever runs the server sees what was done, what is stored and what happens", async (t) => {
  const { page, chat, complaints } = await start(t);

  await open(page, "Audit");
  const acts = page.getByRole("list", { name: "Changes" }).locator(":scope > li");
  await acts.first().waitFor();
  const channel = acts.filter({ hasText: "made the channel crew" });
  assert.equal(await channel.count(), 1);
  const role = acts.filter({ hasText: "changed the role of Hamlet" });
  assert.match((await role.innerText()).replaceAll("\n", " "), /Member\s*→?\s*.*Moderator/);
  const more = channel.getByRole("button", { name: "1 more change" });
  await more.focus();
  await page.keyboard.press("Enter");
  await channel.getByText("Othello, Cordelia").waitFor();
  assert.equal(await more.getAttribute("aria-expanded"), "true");
  await assertGood(page, "Audit");
  // Somebody else's change appears by itself.
  await chat.as("iago").patch(`/users/${chat.ids["othello"]}`, { role: 300 });
  await acts.filter({ hasText: "changed the role of Othello" }).waitFor();
  await page.getByLabel("Search words, names and values").fill("island");
  await until(async () => (await acts.count()) === 1 || undefined, "the one change with that word");
  assert.match(await acts.innerText(), /An island/);
  assert.match(page.url(), /#\/audit\?q=island$/);
  const csv = await saved(page, "Save as CSV");
  assert.match(csv.name, /^hearth-audit-.*\.csv$/);
  assert.equal(csv.text.trim().split("\r\n").length, 3); // the head, and both settings of the one act
  await page.goto(page.url().replace(/#.*/, "#/audit?kind=bots&since=2001-01-01&until=2001-01-02"));
  await page.getByText("Nothing fits what you look for.").waitFor();
  await page.getByRole("button", { name: "Show all" }).first().click();
  await channel.waitFor();

  await open(page, "Data");
  const row = page.getByRole("row", { name: "stage" });
  await row.waitFor();
  assert.match((await row.innerText()).replaceAll("\n", " "), /2 .*1 · 250 kB/);
  assert.ok(await page.getByText(chat.folder, { exact: true }).isVisible());
  // It moves at the server's computer, and so does a backup come back: owners elsewhere are told so.
  await page.getByText("It was given when the server was started").waitFor();
  await page.getByText(`hearth -- move --data "${chat.folder}" --to DIR`).waitFor();
  assert.equal(await page.getByRole("button", { name: "Move…" }).count(), 0);
  await assertGood(page, "Data");
  const retention = async () => (await chat.as("desdemona").post("/register", {}))["realm_message_retention_days"];
  await page.getByLabel("How long messages are kept", { exact: true }).first().click();
  await page.getByRole("option", { name: "For 90 days" }).click();
  const question = page.getByRole("dialog", { name: "Keep messages for a shorter time?" });
  await question.getByText("Messages older than 90 days will be deleted").waitFor();
  await question.getByText("No message is that old now.").waitFor();
  assert.equal(await retention(), -1, "nothing is saved before it is confirmed");
  await question.getByRole("button", { name: "Keep 90 days" }).click();
  await until(async () => (await retention()) === 90 || undefined, "the time of the organization");
  await row.click();
  const details = page.getByRole("dialog", { name: "stage" });
  await details.getByText("1, 250 kB").waitFor();
  await details.getByLabel("Messages are kept", { exact: true }).first().click();
  await page.getByRole("option", { name: "For ever", exact: true }).click();
  const stage = async () => (await chat.as("desdemona").get(`/streams/${chat.ids["stage"]}`))["stream"];
  await until(async () => (await stage()).message_retention_days === -1 || undefined, "the time of the channel");
  await page.keyboard.press("Escape");
  await details.waitFor({ state: "detached" });

  const section = page.getByRole("region", { name: "Export" });
  await section.getByText("0 of 6 people have agreed.").waitFor();
  await chat.as("hamlet").patch("/settings", { allow_private_data_export: true });
  await section.getByText("1 of 6 people have agreed.").waitFor();
  await section.getByRole("radio", { name: "Also what people agreed to" }).check();
  await section.getByRole("button", { name: "Export", exact: true }).click();
  const exports = section.getByRole("list", { name: "Exports" }).locator(":scope > li");
  await exports
    .getByText(/^Also what people agreed to · 6 people · \d+ channels · \d+ messages · 1 file · .* · by Desdemona$/)
    .waitFor();
  const [archive] = await Promise.all([
    page.waitForEvent("download"),
    exports.getByRole("link", { name: /^Download the export of/ }).click(),
  ]);
  assert.match(archive.suggestedFilename(), /^hearth-export-1-.*\.tar$/);
  assert.match(readFileSync(await archive.path()).toString("ascii", 0, 60), /^hearth-export-1-[\d-]+\/README\.md\0/);
  await chat.as("iago").post("/export/realm", { export_type: 1 });
  await exports.getByText(/^What is not private · .* · by Iago$/).waitFor();
  assert.equal(await exports.count(), 2);
  await assertGood(page, "Data with exports");
  await exports
    .first()
    .getByRole("button", { name: /^Delete the export of/ })
    .click();
  const deletion = page.getByRole("dialog", { name: "Delete this export?" });
  await deletion.getByText(/^The file hearth-export-2-.* is deleted for good/).waitFor();
  await deletion.getByRole("button", { name: "Delete this export" }).click();
  await until(async () => (await exports.count()) === 1 || undefined, "the other export");

  await open(page, "Backups");
  await page.getByText("There is no backup yet").waitFor();
  await page.getByText("Nothing is there yet").waitFor();
  await page.getByRole("button", { name: "Back up now" }).click();
  const backup = page.getByRole("list", { name: "Backups in the folder" }).locator(":scope > li");
  await backup.getByText(/\d+ messages · 1 file/).waitFor();
  await backup.getByRole("button", { name: /^Check the backup of/ }).click();
  await backup.getByText("Every byte is as it was written").waitFor();
  await page.getByText("Only whoever sits at the server's computer can do that").waitFor();
  await page.getByText(/^npm run --silent hearth -- restore ".*\.\w+" --data "/).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Restore/ }).count(), 0);
  await assertGood(page, "Backups");
  await page.getByRole("button", { name: "Choose a passphrase" }).click();
  const asked = page.getByRole("dialog", { name: "Passphrase of backups" });
  await asked.getByLabel("Passphrase", { exact: true }).fill("a horse for my kingdom");
  await asked.getByLabel("The same again").fill("a kingdom for my horse");
  await asked.getByRole("button", { name: "Set the passphrase" }).click();
  await asked.getByText("That is not the same.").waitFor();
  await asked.getByLabel("The same again").fill("a horse for my kingdom");
  await asked.getByRole("button", { name: "Set the passphrase" }).click();
  await page.getByText("A passphrase is set: backups hold the keys").waitFor();
  await page.getByLabel("Folder", { exact: true }).fill("/nowhere/at/all");
  await page.keyboard.press("Enter");
  await page.getByText("It has to exist.").waitFor();
  await page.getByRole("button", { name: "Back up now" }).click();
  await page
    .getByRole("alert")
    .getByText(/could not be written to .*it is not there/)
    .waitFor();
  const failure = await until(
    async () => (await chat.as("desdemona").get("/host/state"))["host"].backups.failure ?? undefined,
    "the state to say so", // it is measured every two seconds
  );
  assert.match(failure.reason, /it is not there/);
  await page.getByLabel("Folder", { exact: true }).fill("");
  await page.keyboard.press("Enter");
  await backup.getByRole("button", { name: /^Delete the backup of/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete this backup" }).click();
  await page.getByText("Nothing is there yet").waitFor();

  await open(page, "Network");
  await page.getByText("Only this computer", { exact: true }).waitFor();
  await page.getByText("Open it to your network first.").waitFor();
  const names = page.getByRole("combobox", { name: "Further names" });
  await names.fill("chat.example.com");
  await names.press("Enter");
  await page.getByText("Saved: Further names").waitFor();
  const settings = async () => (await chat.as("desdemona").get("/host/settings"))["settings"];
  assert.deepEqual((await settings()).ALLOWED_HOSTS, ["chat.example.com"]);
  await names.fill("no name!");
  await names.press("Enter");
  await page.getByText("no name! is neither a name nor an address.").waitFor();
  assert.deepEqual((await settings()).ALLOWED_HOSTS, ["chat.example.com"]);
  const most = page.getByLabel("Requests of one person: at most");
  await most.fill("321");
  await most.press("Enter");
  await page.getByText("Saved: Requests of one person").waitFor();
  assert.deepEqual((await settings()).RATE_LIMITS.api_by_user, [[60, 321]]);
  await page.getByRole("button", { name: "Undo" }).last().click();
  await until(async () => (await settings()).RATE_LIMITS.api_by_user[0][1] === 200 || undefined, "the limit as it was");
  await until(async () => (await most.inputValue()) === "200" || undefined, "the field as it was");
  await closeNotices(page);
  await page.getByRole("button", { name: "Another rule: Requests of one person" }).click();
  const hourly = page.getByLabel("Requests of one person, rule 2: in so many seconds");
  assert.equal(await hourly.inputValue(), "600");
  await page.getByText("Saved: Requests of one person").waitFor();
  await closeNotices(page);
  await hourly.fill("3600");
  await hourly.press("Enter");
  await until(async () => (await settings()).RATE_LIMITS.api_by_user[1]?.[0] === 3600 || undefined, "a second rule");
  assert.deepEqual((await settings()).RATE_LIMITS.api_by_user, [
    [60, 200],
    [3600, 2000],
  ]);
  await page.getByText("Saved: Requests of one person").waitFor();
  await closeNotices(page);
  await page.getByRole("button", { name: "Remove: Requests of one person, rule 1" }).click();
  await until(
    async () => (await settings()).RATE_LIMITS.api_by_user.length === 1 || undefined,
    "the second rule alone",
  );
  await page.getByRole("button", { name: "Undo" }).click();
  await until(async () => (await settings()).RATE_LIMITS.api_by_user.length === 2 || undefined, "both rules again");
  assert.equal(await page.getByLabel("HTTP", { exact: true }).isChecked(), true);
  await page.getByLabel("HTTPS, with a certificate of your own").check();
  const noCertificate = join(chat.folder, "host.json");
  writeFileSync(noCertificate, "{}");
  await page.getByLabel("Certificate file").fill(noCertificate);
  const use = page.getByRole("button", { name: "Use it" });
  assert.equal(await use.isDisabled(), true, "a key is missing");
  await page.getByLabel("Key file").fill("/nowhere/chat.key");
  await use.click();
  const confirming = page.getByRole("dialog");
  await confirming.getByRole("button", { name: "Use it" }).click();
  // In the page's own words, which have the quotes of its language.
  await confirming
    .getByText(`${noCertificate} holds no certificate in PEM form (“-----BEGIN CERTIFICATE-----”).`)
    .waitFor();
  await confirming.getByRole("button", { name: "Cancel" }).click();
  assert.deepEqual((await settings()).HTTPS, { use: "off" });
  await page.getByLabel("HTTPS, by an authority of Hearth's own").check();
  await use.click();
  await confirming.getByRole("button", { name: "Use it" }).click();
  const { https } = await until(async () => {
    const network = await chat.as("desdemona").get("/host/network");
    return network["https"].root ? network : undefined;
  }, "an authority");
  await page.getByRole("region", { name: "Trust it on a device" }).getByText(https.root.fingerprint).waitFor();
  await assertGood(page, "Network");

  // What is changed in another window shows here.
  const other = await page.context().newPage();
  await other.goto(`${chat.url}/admin/#/network`);
  await other.getByRole("combobox", { name: "Further names" }).fill("talk.example.com");
  await other.keyboard.press("Enter");
  await page.getByText("talk.example.com").waitFor();
  await other.getByRole("combobox", { name: "Inside addresses that webhooks may reach" }).fill("10.1.0.0/16");
  await other.keyboard.press("Enter");
  await page.getByText("10.1.0.0/16").waitFor();
  const size = page.getByLabel("Largest file that may be uploaded");
  await other.getByLabel("Largest file that may be uploaded").fill("7");
  await other.keyboard.press("Enter");
  await until(async () => (await size.inputValue()) === "7" || undefined, "the size that was set there");
  const quota = page.getByLabel("All uploads together, at most");
  await other.getByLabel("All uploads together, at most").fill("300");
  await other.keyboard.press("Enter");
  await until(async () => (await quota.inputValue()) === "300" || undefined, "the limit that was set there");
  await other.getByLabel("All uploads together, at most").fill("");
  await other.keyboard.press("Enter");
  await until(async () => (await settings()).UPLOAD_QUOTA_MIB === null || undefined, "no limit");
  await until(async () => (await quota.inputValue()) === "" || undefined, "no limit here either");
  await other.getByLabel("Days that an invitation works").fill("3");
  await other.keyboard.press("Enter");
  await until(async () => (await settings()).INVITATION_LINK_VALIDITY_MINUTES === 4_320 || undefined, "three days");

  // A page begins at its top, wherever the one before was.
  const scrolled = () => page.evaluate(() => Number(document.getElementById("content")?.scrollTop));
  await page.evaluate(() => document.getElementById("content")?.scrollTo(0, 400));
  await until(async () => (await scrolled()) === 400 || undefined, "it is scrolled");
  await open(page, "Organization");
  await until(async () => (await scrolled()) === 0 || undefined, "the top");
  await open(page, "Backups");
  await page.getByText("Nothing is there yet").waitFor();
  await other.goto(`${chat.url}/admin/#/backups`);
  await other.getByRole("button", { name: "Back up now" }).click();
  await backup.getByText(/\d+ messages · 1 file/).waitFor({ timeout: SOONER_THAN_ASKED_MS });
  await other.keyboard.press("Control+K");
  await other.getByPlaceholder("A person, a channel").fill("inside addresses");
  await other
    .getByRole("option", { selected: true })
    .filter({ hasText: "Inside addresses that webhooks may reach" })
    .waitFor();
  await other.keyboard.press("Enter");
  await other.getByRole("heading", { level: 2, name: "Network" }).waitFor();
  await other.close();

  await open(page, "Logs");
  const lines = page.getByRole("list", { name: "Lines of the log" }).locator(":scope > li");
  await lines.filter({ hasText: "The server has started" }).waitFor();
  const { log } = chat.server.app;
  log.warn("The roof leaks", { room: 7 });
  await lines.filter({ hasText: "The roof leaks" }).getByText("Details").click();
  await lines.getByText("room").waitFor();
  await assertGood(page, "Logs");
  await page.getByRole("button", { name: "Pause" }).click();
  log.warn("It leaks more");
  await log.files.flush();
  await page.getByText("Paused.").waitFor();
  assert.equal(await lines.filter({ hasText: "It leaks more" }).count(), 0);
  await page.getByRole("button", { name: "Follow" }).click();
  await lines.filter({ hasText: "It leaks more" }).waitFor();
  await page.getByLabel("Search the log").fill("roof");
  await until(async () => (await lines.count()) === 1 || undefined, "the one line with that word");
  const bundle = await saved(page, "Save for help");
  assert.equal(JSON.parse(bundle.text).hearth.version, chat.server.app.version);
  await page.getByLabel("Search the log").fill("");
  for (let number = 0; number < 250; number += 1) log.info(`Line ${number}`);
  await lines.filter({ hasText: "Line 249" }).waitFor();
  await page.reload();
  await lines.filter({ hasText: "Line 249" }).waitFor();
  assert.equal(await lines.count(), 100);
  await page.getByRole("button", { name: "Show older lines" }).click();
  await until(async () => (await lines.count()) === 200 || undefined, "another page of lines");
  await lines.filter({ hasText: "Line 50" }).waitFor();
  await page.getByRole("combobox", { name: "Hearth writes down" }).click();
  await page.getByRole("option", { name: "Everything" }).click();
  await page.getByText("Saved: Hearth writes down").waitFor();
  assert.equal((await settings()).LOG_LEVEL, "debug");
  assert.deepEqual(
    complaints.filter((one) => !one.includes("400 (Bad Request)")),
    [],
  );
});

test("in German, fields group large numbers as the rest does, and choices fit a phone", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const { page } = await visit(t, `${chat.url}/admin/#/network`, {
    locale: "de-DE",
    viewport: { width: 390, height: 844 },
    as: { email: "desdemona@example.com", password: "secret-desdemona" },
  });
  const cut = () =>
    page
      .locator("main input:not([type=checkbox], [type=radio], [type=search])")
      .evaluateAll((all) =>
        (all as HTMLInputElement[]).filter((one) => one.scrollWidth > one.clientWidth).map(({ value }) => value),
      );
  const limits = page.getByRole("textbox", { name: /: höchstens$/ });
  const large = async () => {
    const values = await limits.evaluateAll((all) => (all as HTMLInputElement[]).map(({ value }) => value));
    return values.findIndex((value) => value.replaceAll(/\D/g, "").length > 6);
  };
  await limits.first().waitFor();
  const field = limits.nth(await large());
  assert.match(await field.inputValue(), /^\d{1,3}(\.\d{3})+$/);
  assert.deepEqual(await cut(), [], "the network");
  await field.fill("12345678");
  await field.press("Enter");
  await page.getByText("Gespeichert").first().waitFor();
  assert.equal(await field.inputValue(), "12.345.678");
  for (const place of ["organization", "defaults"]) {
    await page.goto(`${chat.url}/admin/#/${place}`);
    await page.locator("main input").nth(3).waitFor();
    assert.deepEqual(await cut(), [], place);
  }
});
