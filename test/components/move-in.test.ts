import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { Failure, problem } from "../../server/errors.ts";
import { en } from "../../ui/locales/en.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { fixturePath, importFile, previewOf, sendFile, stageAfter } from "../support/imports.ts";
import { holds } from "../support/patience.ts";
import { showAdmin } from "../support/rendered.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

const SLACK = fixturePath("slack-zulip.zip");
const PRIVATE = fixturePath("mattermost-zulip-direct.jsonl");
const NAME = "slack-zulip.zip";

const start = (t: TestContext) =>
  startChat(t, { unwatched: true, channels: [{ name: "general", subscribers: ["hamlet"] }] });
const importsOf = async (chat: Chat) => (await chat.as("desdemona").get("/host/imports"))["imports"];

test("shows the contents of an export", async (t) => {
  const chat = await start(t);
  await previewOf(chat, SLACK);
  const page = await showAdmin(chat, "/move-in");
  await page.getByText(uiText("moveIn.bots", { count: 1 })).waitFor();
  await page.getByText(uiText("moveIn.taken", { name: "general (Slack)" })).waitFor();
  await page.getByText(uiText("moveIn.leftOutKinds.link previews", { count: 2 })).waitFor();
  await page.getByText("2018", { exact: true }).waitFor();
  await page.getByText(likeText(uiText("moveIn.inWords.messages", { count: 82 }))).waitFor();
});

test("fetches files from Slack, and shows those that Slack refuses", async (t) => {
  const failure = { url: "https://files.slack.com/plan.pdf", reason: problem("slack_file_not_found") };
  const results = [() => Promise.reject(new Failure(problem("slack_token_malformed")))];
  const fetchFiles = async () => (await results.pop()?.()) ?? { fetched: 1, failed: 1, bytes: 9, failures: [failure] };
  const chat = await startChat(t, { unwatched: true, testing: { fetchFiles } });
  await previewOf(chat, SLACK);
  const page = await showAdmin(chat, "/move-in");
  await page.getByLabel(en.moveIn.slackToken).fill("wrong");
  await page.getByRole("button", { name: en.moveIn.fetch }).click();
  await page.getByText(likeText("This is not a Slack token.")).waitFor();
  await page.getByRole("button", { name: en.moveIn.fetch }).click();
  await page.getByText(uiText("moveIn.fetched", { count: 1 })).waitFor();
  await page.getByText(uiText("moveIn.notFetched", { count: 1 })).click();
  await page.getByText(likeText("Slack no longer has this file.")).waitFor();
});

test("imports the chosen channels", async (t) => {
  const chat = await start(t);
  await previewOf(chat, SLACK);
  const page = await showAdmin(chat, "/move-in");
  await page.getByLabel(uiText("table.select", { name: "general" })).click();
  await page.getByText(`${uiText("moveIn.inWords.messages", { count: 9 })} · 1 channel`).waitFor();
  await page.getByRole("button", { name: en.moveIn.import }).click();
  await page.getByRole("button", { name: en.moveIn.start }).click();
  await page.getByText(uiText("moveIn.doneText", { name: NAME })).waitFor();
  await page.getByRole("link", { name: en.moveIn.invite }).waitFor();
  const [written] = await importsOf(chat);
  assert.deepEqual([written.counts.messages, written.counts.channels, written.state], [9, 1, "done"]);
});

test("imports direct messages only with consent", async (t) => {
  const chat = await start(t);
  await previewOf(chat, PRIVATE);
  const page = await showAdmin(chat, "/move-in");
  await page.getByLabel(en.moveIn.direct).click();
  await page.getByRole("button", { name: en.moveIn.import }).click();
  await page.getByRole("button", { name: en.moveIn.start }).click();
  await page.getByText(en.moveIn.consentMissing).waitFor();
  await page.getByLabel(en.moveIn.consent).click();
  await page.getByRole("button", { name: en.moveIn.start }).click();
  await page.getByText(en.moveIn.doneText.replace("{{name}}", "mattermost-zulip-direct.jsonl")).waitFor();
  assert.ok((await importsOf(chat))[0].counts.conversations > 0);
});

test("removes an import, and asks about things that people have added", async (t) => {
  const chat = await start(t);
  await importFile(chat, SLACK);
  await chat.as("hamlet").post("/users/me/subscriptions", { subscriptions: [{ name: "random" }] });
  const sent = await chat.as("hamlet").post("/messages", { type: "stream", to: "random", topic: "x", content: "new" });
  assert.equal(sent.result, "success", sent.msg);
  const page = await showAdmin(chat, "/move-in");
  await page.getByRole("button", { name: uiText("moveIn.removeNamed", { name: NAME }) }).click();
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: en.moveIn.removeConfirm });
  await dialog.getByText(uiText("moveIn.additions", { messages: "1 message", reactions: "0 reactions" })).waitFor();
  assert.ok(await confirm.isDisabled());
  await dialog.getByLabel(en.moveIn.additionsConfirm).click();
  await confirm.click();
  await page.getByText(en.moveIn.empty).waitFor();
  assert.deepEqual(await importsOf(chat), []);
});

test("explains a failure and starts again", async (t) => {
  const chat = await start(t);
  const owner = chat.as("desdemona");
  await owner.post("/host/imports/current", { name: "notes.txt" });
  await sendFile(chat, "desdemona", "notes.txt", Buffer.from("no export"));
  await owner.post("/host/imports/current/read");
  await stageAfter(chat, "reading");
  const page = await showAdmin(chat, "/move-in");
  await page.getByText(uiText("moveIn.failedNamed", { name: "notes.txt" })).waitFor();
  await page.getByRole("button", { name: en.moveIn.startAgain }).click();
  await page.getByText(en.moveIn.drop).waitFor();
  await holds(async () => (await owner.get("/host/imports"))["current"] === null);
});

test("discards an interrupted upload", async (t) => {
  const chat = await start(t);
  await chat.as("desdemona").post("/host/imports/current", { name: NAME });
  const page = await showAdmin(chat, "/move-in");
  await page.getByText(en.moveIn.receiving).waitFor();
  await page.getByRole("button", { name: en.moveIn.discard }).click();
  await page.getByText(en.moveIn.drop).waitFor();
});

for (const name of ["iago", "hamlet"])
  test(`${name}, who is not an owner, has no such page`, async (t) => {
    const page = await showAdmin(await start(t), "/move-in", { as: name });
    await page.getByText(en.shell.notForYou).waitFor();
    assert.equal(await page.getByRole("link", { name: en.nav.moveIn }).count(), 0);
  });
