import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBothThemes, assertFits, type Visit, visit } from "../support/browser.ts";
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
  const visited = await visit(t, `${chat.url}/admin/`, { acceptDownloads: true });
  await visited.page.getByLabel("Email address").fill("desdemona@example.com");
  await visited.page.getByLabel("Password", { exact: true }).fill("secret-desdemona");
  await visited.page.keyboard.press("Enter");
  await visited.page.getByRole("navigation", { name: "Pages" }).waitFor();
  return { chat, ...visited };
}

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
  await page.getByLabel("Search names and values").fill("island");
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
  assert.ok(await page.getByText(chat.folder).isVisible());
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

  await open(page, "Backups");
  await page.getByText("There is no backup yet").waitFor();
  await page.getByText("Nothing is there yet").waitFor();
  await page.getByRole("button", { name: "Back up now" }).click();
  const backup = page.getByRole("list", { name: "Backups in the folder" }).locator(":scope > li");
  await backup.getByText(/\d+ messages · 1 file/).waitFor();
  await backup.getByRole("button", { name: /^Check the backup of/ }).click();
  await backup.getByText("Every byte is as it was written").waitFor();
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
    .getByText(/could not be written to .*the folder is not there/)
    .waitFor();
  const failure = await until(
    async () => (await chat.as("desdemona").get("/host/state"))["host"].backups.failure ?? undefined,
    "the state to say so", // it is measured every two seconds
  );
  assert.match(failure.reason, /the folder is not there/);
  await page.getByLabel("Folder", { exact: true }).fill("");
  await page.keyboard.press("Enter");
  await backup.getByRole("button", { name: /^Delete the backup of/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete this backup" }).click();
  await page.getByText("Nothing is there yet").waitFor();

  await open(page, "Network");
  await page.getByText("Only this computer").waitFor();
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
  await page.getByRole("button", { name: "Another rule: Requests of one person" }).click();
  const hourly = page.getByLabel("Requests of one person, rule 2: in so many seconds");
  assert.equal(await hourly.inputValue(), "600");
  await hourly.fill("3600");
  await hourly.press("Enter");
  await until(async () => (await settings()).RATE_LIMITS.api_by_user[1]?.[0] === 3600 || undefined, "a second rule");
  assert.deepEqual((await settings()).RATE_LIMITS.api_by_user, [
    [60, 200],
    [3600, 2000],
  ]);
  await page.getByRole("button", { name: "Remove: Requests of one person, rule 1" }).click();
  await until(
    async () => (await settings()).RATE_LIMITS.api_by_user.length === 1 || undefined,
    "the second rule alone",
  );
  await page.getByRole("button", { name: "Undo" }).last().click();
  await assertGood(page, "Network");

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
