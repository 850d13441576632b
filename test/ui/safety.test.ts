import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { OPERATOR_SETTING_SECTIONS } from "../../server/api/queries/operator-settings.ts";
import { de } from "../../ui/locales/de/all.ts";
import { en } from "../../ui/locales/en.ts";
import {
  assertAccessibleInBothThemes,
  assertFits,
  assertNone,
  closeNotices,
  type Visit,
  visit,
} from "../support/browser.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";
import { likeText, uiText } from "../support/ui-texts.ts";
import { upload } from "../support/uploads.ts";

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
  await visited.page.getByRole("navigation", { name: en.shell.pages }).waitFor();
  return { chat, ...visited };
}

/** A backup page without events polls every 30 seconds. */
const SOONER_THAN_ASKED_MS = 20_000;

const open = async (page: Page, name: string) => {
  await page.getByRole("navigation", { name: en.shell.pages }).getByRole("link", { name, exact: true }).click();
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

/** Settings with a call of their own. */
const CALLS: Readonly<Record<string, string>> = {
  ORGANIZATION_DEACTIVATED: "POST /realm/deactivate",
  SMTP: "PUT /host/mail",
  PUBLIC_URL: "PUT /host/mail",
};

test("some page sets each server setting that the Network page's table omits", () => {
  const pages = fileURLToPath(new URL("../../ui/admin/pages", import.meta.url));
  const sources = readdirSync(pages, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".tsx"))
    .map((path) => readFileSync(join(pages, path), "utf8"));
  for (const name of Object.keys(OPERATOR_SETTING_SECTIONS.elsewhere)) {
    const call = new RegExp(CALLS[name] ?? `(?:onChange|change|call)\\([^)]*\\b${name}\\b`);
    assert.ok(
      sources.some((text) => call.test(text)),
      name,
    );
  }
});

test("the operator sees the audit, storage and logs", async (t) => {
  const { page, chat, complaints } = await start(t);

  await open(page, en.nav.audit);
  const acts = page.getByRole("list", { name: en.auditPage.list }).locator(":scope > li");
  await acts.first().waitFor();
  const channel = acts.filter({ hasText: likeText(uiText("audit.channelCreated", { actor: "{{}}", name: "crew" })) });
  assert.equal(await channel.count(), 1);
  const role = acts.filter({ hasText: likeText(uiText("audit.roleChanged", { actor: "{{}}", name: "Hamlet" })) });
  assert.match((await role.innerText()).replaceAll("\n", " "), likeText(`${en.roles.member}{{}}${en.roles.moderator}`));
  const more = channel.getByRole("button", { name: uiText("auditPage.more", { count: 1 }) });
  await more.focus();
  await page.keyboard.press("Enter");
  await channel.getByText("Othello, Cordelia").waitFor();
  assert.equal(await more.getAttribute("aria-expanded"), "true");
  await assertGood(page, "Audit");
  // Another user's change appears automatically.
  await chat.as("iago").patch(`/users/${chat.ids["othello"]}`, { role: 300 });
  await acts.filter({ hasText: likeText(uiText("audit.roleChanged", { actor: "{{}}", name: "Othello" })) }).waitFor();
  await page.getByLabel(en.auditPage.search).fill("island");
  await until(async () => (await acts.count()) === 1 || undefined, "the one change with that word");
  assert.match(await acts.innerText(), /An island/);
  assert.match(page.url(), /#\/audit\?q=island$/);
  const csv = await saved(page, en.auditPage.csv);
  assert.match(csv.name, /^hearth-audit-.*\.csv$/);
  assert.equal(csv.text.trim().split("\r\n").length, 3); // the header, and both settings of the entry
  await page.goto(page.url().replace(/#.*/, "#/audit?kind=bots&since=2001-01-01&until=2001-01-02"));
  await page.getByText(en.auditPage.none).waitFor();
  await page.getByRole("button", { name: en.auditPage.clear }).first().click();
  await channel.waitFor();

  await open(page, en.nav.data);
  const row = page.getByRole("row", { name: "stage" });
  await row.waitFor();
  assert.match((await row.innerText()).replaceAll("\n", " "), /2 .*1 · 250 kB/);
  assert.ok(await page.getByText(chat.folder, { exact: true }).isVisible());
  // Moving and restoring need the server's computer, and owners elsewhere see that.
  await page.getByText(en.data.place.leadElsewhere).waitFor();
  await page.getByText(`hearth -- move --data "${chat.folder}" --to DIR`).waitFor();
  await assertNone(page.getByRole("button", { name: en.data.place.move }));
  await assertGood(page, "Data");
  const retention = async () => (await chat.as("desdemona").post("/register", {}))["realm_message_retention_days"];
  await page.getByRole("combobox", { name: en.organization.message_retention_days.label, exact: true }).click();
  await page.getByRole("option", { name: uiText("settings.forDays", { count: 90 }) }).click();
  const question = page.getByRole("dialog", { name: en.settings.shorten });
  await question.getByText("Messages older than 90 days will be deleted").waitFor();
  await question.getByText(en.expiring.none).waitFor();
  assert.equal(await retention(), -1, "nothing is saved before it is confirmed");
  await question.getByRole("button", { name: uiText("channels.retention.confirm", { count: 90 }) }).click();
  await until(async () => (await retention()) === 90 || undefined, "the time of the organization");
  await row.click();
  const details = page.getByRole("dialog", { name: "stage" });
  await details.getByText("1, 250 kB").waitFor();
  await details.getByLabel(en.channels.columns.retention, { exact: true }).first().click();
  await page.getByRole("option", { name: en.settings.never, exact: true }).click();
  const stage = async () => (await chat.as("desdemona").get(`/streams/${chat.ids["stage"]}`))["stream"];
  await until(async () => (await stage()).message_retention_days === -1 || undefined, "the time of the channel");
  await page.keyboard.press("Escape");
  await details.waitFor({ state: "detached" });

  const section = page.getByRole("region", { name: en.exports.title });
  await section.getByText(uiText("exports.agreed", { consenting: "0", count: 6 })).waitFor();
  await chat.as("hamlet").patch("/settings", { allow_private_data_export: true });
  await section.getByText(uiText("exports.agreed", { consenting: "1", count: 6 })).waitFor();
  await section.getByRole("radio", { name: en.exports.types["2"] }).check();
  await section.getByRole("button", { name: en.exports.submit, exact: true }).click();
  const exports = section.getByRole("list", { name: en.exports.list }).locator(":scope > li");
  await exports
    .getByText(
      likeText(
        [
          en.exports.types["2"],
          uiText("exports.people", { count: 6 }),
          en.exports.channels_other,
          en.exports.messages_other,
          uiText("exports.files", { count: 1 }),
          "{{}}",
          uiText("exports.by", { name: "Desdemona" }),
        ].join(" · "),
      ),
    )
    .waitFor();
  const [archive] = await Promise.all([
    page.waitForEvent("download"),
    exports.getByRole("link", { name: likeText(en.exports.downloadNamed) }).click(),
  ]);
  assert.match(archive.suggestedFilename(), /^hearth-export-1-.*\.tar$/);
  assert.match(readFileSync(await archive.path()).toString("ascii", 0, 60), /^hearth-export-1-[\d-]+\/README\.md\0/);
  await chat.as("iago").post("/export/realm", { export_type: 1 });
  await exports
    .getByText(likeText([en.exports.types["1"], "{{}}", uiText("exports.by", { name: "Iago" })].join(" · ")))
    .waitFor();
  assert.equal(await exports.count(), 2);
  await assertGood(page, "Data with exports");
  await exports
    .first()
    .getByRole("button", { name: likeText(en.exports.deleteNamed) })
    .click();
  const deletion = page.getByRole("dialog", { name: en.exports.deleteTitle });
  await deletion
    .getByText(likeText(uiText("exports.deleteText", { name: "hearth-export-2-{{}}", size: "{{}}" })))
    .waitFor();
  await deletion.getByRole("button", { name: en.exports.delete }).click();
  await until(async () => (await exports.count()) === 1 || undefined, "the other export");

  await open(page, en.nav.backups);
  await page.getByText(en.backups.none).waitFor();
  await page.getByText(en.backups.empty).waitFor();
  await page.getByRole("button", { name: en.backups.now }).click();
  const backup = page.getByRole("list", { name: en.backups.list }).locator(":scope > li");
  await backup.getByText(likeText(`${en.backups.messages_other} · ${uiText("backups.files", { count: 1 })}`)).waitFor();
  await backup.getByRole("button", { name: likeText(en.backups.checkNamed) }).click();
  await backup.getByText(en.backups.checked).waitFor();
  await page.getByText(en.backups.restoreLead).waitFor();
  await page.getByText(/^npm run --silent hearth -- restore ".*\.\w+" --data "/).waitFor();
  await assertNone(page.getByRole("button", { name: likeText(en.backups.restoring.openNamed) }));
  await page.getByText(likeText(en.backups.noDownload)).waitFor();
  await assertGood(page, "Backups");
  await page.getByRole("button", { name: en.backups.passphraseChoose }).click();
  const asked = page.getByRole("dialog", { name: en.backups.passphraseTitle });
  await asked.getByLabel(en.backups.passphraseField, { exact: true }).fill("a horse for my kingdom");
  await asked.getByLabel(en.backups.passphraseAgain).fill("a kingdom for my horse");
  await asked.getByRole("button", { name: en.backups.passphraseSave }).click();
  await asked.getByText(en.backups.passphraseDiffers).waitFor();
  await asked.getByLabel(en.backups.passphraseAgain).fill("a horse for my kingdom");
  await asked.getByRole("button", { name: en.backups.passphraseSave }).click();
  await page.getByText(en.backups.passphraseSet).waitFor();
  await page.getByLabel(en.backups.folder, { exact: true }).fill("/nowhere/at/all");
  await page.keyboard.press("Enter");
  await page.getByText(en.backups.folderHelp).waitFor();
  await page.getByRole("button", { name: en.backups.now }).click();
  await page
    .getByRole("alert")
    .getByText(/could not be written to .*exist/)
    .waitFor();
  const failure = await until(
    async () => (await chat.as("desdemona").get("/host/state"))["host"].backups.failure ?? undefined,
    "the state to say so", // it is measured every two seconds
  );
  assert.equal(failure.problem.reason, "backup_write_failed");
  await page.getByLabel(en.backups.folder, { exact: true }).fill("");
  await page.keyboard.press("Enter");
  await backup.getByRole("button", { name: likeText(en.backups.deleteNamed) }).click();
  await page.getByRole("dialog").getByRole("button", { name: en.backups.delete }).click();
  await page.getByText(en.backups.empty).waitFor();

  await open(page, en.nav.network);
  await page.getByText(en.network.closed, { exact: true }).waitFor();
  await page.getByText("Open it to your network first.").waitFor();
  const names = page.getByRole("combobox", { name: en.operatorSettings.ALLOWED_HOSTS.label });
  await names.fill("chat.example.com");
  await names.press("Enter");
  await page.getByText(uiText("saving.savedNamed", { name: en.operatorSettings.ALLOWED_HOSTS.label })).waitFor();
  const settings = async () => (await chat.as("desdemona").get("/host/settings"))["settings"];
  assert.deepEqual((await settings()).ALLOWED_HOSTS, ["chat.example.com"]);
  await names.fill("no name!");
  await names.press("Enter");
  await page.getByText(uiText("network.invalidName", { name: "no name!" })).waitFor();
  assert.deepEqual((await settings()).ALLOWED_HOSTS, ["chat.example.com"]);
  const most = page.getByLabel("Requests per person: maximum");
  await most.fill("321");
  await most.press("Enter");
  await page.getByText(uiText("saving.savedNamed", { name: en.network.limit.api_by_user })).waitFor();
  assert.deepEqual((await settings()).RATE_LIMITS.api_by_user, [[60, 321]]);
  await page.getByRole("button", { name: en.saving.undo }).last().click();
  await until(async () => (await settings()).RATE_LIMITS.api_by_user[0][1] === 200 || undefined, "the limit as it was");
  await until(async () => (await most.inputValue()) === "200" || undefined, "the field as it was");
  await closeNotices(page);
  await page.getByRole("button", { name: uiText("network.addRuleTo", { name: en.network.limit.api_by_user }) }).click();
  const hourly = page.getByLabel(uiText("network.limitSeconds", { name: "Requests per person, rule 2" }));
  assert.equal(await hourly.inputValue(), "600");
  await page.getByText(uiText("saving.savedNamed", { name: en.network.limit.api_by_user })).waitFor();
  await closeNotices(page);
  await hourly.fill("3600");
  await hourly.press("Enter");
  await until(async () => (await settings()).RATE_LIMITS.api_by_user[1]?.[0] === 3600 || undefined, "a second rule");
  assert.deepEqual((await settings()).RATE_LIMITS.api_by_user, [
    [60, 200],
    [3600, 2000],
  ]);
  await page.getByText(uiText("saving.savedNamed", { name: en.network.limit.api_by_user })).waitFor();
  await closeNotices(page);
  await page.getByRole("button", { name: "Remove: Requests per person, rule 1" }).click();
  await until(
    async () => (await settings()).RATE_LIMITS.api_by_user.length === 1 || undefined,
    "the second rule alone",
  );
  await page.getByRole("button", { name: en.saving.undo }).click();
  await until(async () => (await settings()).RATE_LIMITS.api_by_user.length === 2 || undefined, "both rules again");
  assert.equal(await page.getByLabel(en.network.httpsOff, { exact: true }).isChecked(), true);
  await page.getByLabel(en.network.httpsFiles).check();
  const noCertificate = join(chat.folder, "host.json");
  writeFileSync(noCertificate, "{}");
  await page.getByLabel(en.network.httpsCertificate).fill(noCertificate);
  const use = page.getByRole("button", { name: en.network.httpsSave });
  assert.equal(await use.isDisabled(), true, "a key is missing");
  await page.getByLabel(en.network.httpsKey).fill("/nowhere/chat.key");
  await use.click();
  const confirming = page.getByRole("dialog");
  await confirming.getByRole("button", { name: en.network.httpsConfirm.on.action }).click();
  // In the page's own text, with the quotation marks of its language.
  await confirming.getByText(uiText("network.httpsRefused.no certificate", { file: noCertificate })).waitFor();
  await confirming.getByRole("button", { name: en.confirm.cancel }).click();
  assert.deepEqual((await settings()).HTTPS, { use: "off" });
  await page.getByLabel(en.network.httpsAuthority).check();
  await use.click();
  await confirming.getByRole("button", { name: en.network.httpsConfirm.on.action }).click();
  const { https } = await until(async () => {
    const network = await chat.as("desdemona").get("/host/network");
    return network["https"].root ? network : undefined;
  }, "an authority");
  await page.getByRole("region", { name: en.network.httpsRoot }).getByText(https.root.fingerprint).waitFor();
  await assertGood(page, "Network");

  // A change in another window appears here.
  const other = await page.context().newPage();
  await other.goto(`${chat.url}/admin/#/network`);
  await other.getByRole("combobox", { name: en.operatorSettings.ALLOWED_HOSTS.label }).fill("talk.example.com");
  await other.keyboard.press("Enter");
  await page.getByText("talk.example.com").waitFor();
  await other.getByRole("combobox", { name: en.operatorSettings.WEBHOOK_ALLOWED_HOSTS.label }).fill("10.1.0.0/16");
  await other.keyboard.press("Enter");
  await page.getByText("10.1.0.0/16").waitFor();
  const size = page.getByLabel(en.operatorSettings.MAX_FILE_UPLOAD_SIZE_MIB.label);
  await other.getByLabel(en.operatorSettings.MAX_FILE_UPLOAD_SIZE_MIB.label).fill("7");
  await other.keyboard.press("Enter");
  await until(async () => (await size.inputValue()) === "7" || undefined, "the size that was set there");
  const quota = page.getByLabel(en.operatorSettings.UPLOAD_QUOTA_MIB.label);
  await other.getByLabel(en.operatorSettings.UPLOAD_QUOTA_MIB.label).fill("300");
  await other.keyboard.press("Enter");
  await until(async () => (await quota.inputValue()) === "300" || undefined, "the limit that was set there");
  await other.getByLabel(en.operatorSettings.UPLOAD_QUOTA_MIB.label).fill("");
  await other.keyboard.press("Enter");
  await until(async () => (await settings()).UPLOAD_QUOTA_MIB === null || undefined, "no limit");
  await until(async () => (await quota.inputValue()) === "" || undefined, "no limit here either");
  await other.getByLabel(en.operatorSettings.INVITATION_LINK_VALIDITY_MINUTES.label).fill("3");
  await other.keyboard.press("Enter");
  await until(async () => (await settings()).INVITATION_LINK_VALIDITY_MINUTES === 4_320 || undefined, "three days");

  // A page starts at its top, wherever the previous one was.
  const scrolled = () => page.evaluate(() => Number(document.getElementById("content")?.scrollTop));
  await page.evaluate(() => document.getElementById("content")?.scrollTo(0, 400));
  await until(async () => (await scrolled()) === 400 || undefined, "it is scrolled");
  await open(page, en.nav.organization);
  await until(async () => (await scrolled()) === 0 || undefined, "the top");
  await open(page, en.nav.backups);
  await page.getByText(en.backups.empty).waitFor();
  await other.goto(`${chat.url}/admin/#/backups`);
  await other.getByRole("button", { name: en.backups.now }).click();
  await backup
    .getByText(likeText(`${en.backups.messages_other} · ${uiText("backups.files", { count: 1 })}`))
    .waitFor({ timeout: SOONER_THAN_ASKED_MS });
  await other.keyboard.press("Control+K");
  await other.getByPlaceholder(en.shell.paletteHint).fill("internal addresses");
  await other
    .getByRole("option", { selected: true })
    .filter({ hasText: en.operatorSettings.WEBHOOK_ALLOWED_HOSTS.label })
    .waitFor();
  await other.keyboard.press("Enter");
  await other.getByRole("heading", { level: 2, name: en.nav.network }).waitFor();
  await other.close();

  await open(page, en.nav.logs);
  const lines = page.getByRole("list", { name: en.logs.lines }).locator(":scope > li");
  await lines.filter({ hasText: "The server has started" }).waitFor();
  const { log } = chat.server.app;
  log.warn("The roof leaks", { room: 7 });
  await lines.filter({ hasText: "The roof leaks" }).getByText(en.logs.details).click();
  await lines.getByText("room").waitFor();
  await assertGood(page, "Logs");
  await page.getByRole("button", { name: en.logs.pause }).click();
  log.warn("It leaks more");
  await log.files.flush();
  await page.getByText("Paused.").waitFor();
  await assertNone(lines.filter({ hasText: "It leaks more" }));
  await page.getByRole("button", { name: en.logs.follow }).click();
  await lines.filter({ hasText: "It leaks more" }).waitFor();
  await page.getByLabel(en.logs.search).fill("roof");
  await until(async () => (await lines.count()) === 1 || undefined, "the one line with that word");
  const bundle = await saved(page, en.logs.bundle);
  assert.equal(JSON.parse(bundle.text).hearth.version, chat.server.app.version);
  await page.getByLabel(en.logs.search).fill("");
  for (let number = 0; number < 250; number += 1) log.info(`Line ${number}`);
  await lines.filter({ hasText: "Line 249" }).waitFor();
  await page.reload();
  await lines.filter({ hasText: "Line 249" }).waitFor();
  assert.equal(await lines.count(), 100);
  await page.getByRole("button", { name: en.logs.older }).click();
  await until(async () => (await lines.count()) === 200 || undefined, "another page of lines");
  await lines.filter({ hasText: "Line 50" }).waitFor();
  await page.getByRole("combobox", { name: en.logs.writes }).click();
  await page.getByRole("option", { name: en.logs.levels.debug }).click();
  await page.getByText(uiText("saving.savedNamed", { name: en.logs.writes })).waitFor();
  assert.equal((await settings()).LOG_LEVEL, "debug");
  assert.deepEqual(
    complaints.filter((one) => !one.includes("400 (Bad Request)")),
    [],
  );
});

test("in German, fields group large numbers and choices fit a phone", async (t) => {
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
  const limits = page.getByRole("textbox", { name: likeText(de.network.limitCount) });
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
  await page.getByText(de.ownSettingsNames.saved).first().waitFor();
  assert.equal(await field.inputValue(), "12.345.678");
  for (const [place, setting] of [
    ["organization", de.organization.default_language.label],
    ["defaults", de.userSettings.realm_name_in_email_notifications_policy.label],
  ] as const) {
    await page.goto(`${chat.url}/admin/#/${place}`);
    await page.getByText(de.settings.showOthers).click();
    await page.getByRole("combobox", { name: setting }).waitFor();
    assert.deepEqual(await cut(), [], place);
  }
});
