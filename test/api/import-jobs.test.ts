import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { startChat } from "../support/chat.ts";
import { fixturePath, importFile, previewOf } from "../support/imports.ts";

const SLACK = fixturePath("slack-zulip.zip");
const start = (t: TestContext) => startChat(t, { unwatched: true, channels: [{ name: "general", subscribers: [] }] });

test("a preview describes the export", async (t) => {
  const preview = await previewOf(await start(t), SLACK);
  const { format, people, channels, direct, messages_by_month, left_out } = preview;
  assert.equal(format, "slack");
  assert.deepEqual(people, { total: 5, bots: 1, with_email: 0, matches: [] });
  const shown = channels.map((channel: any) => [channel.name, channel.messages, channel.is_name_taken]);
  assert.deepEqual(shown, [
    ["general", 73, true],
    ["random", 9, false],
  ]);
  assert.deepEqual(direct, { conversations: 0, messages: 0 });
  assert.deepEqual(messages_by_month, { "2017-06": 25, "2018-01": 57 });
  assert.deepEqual(left_out, { notices: 9, "link previews": 2 });
});

test("an import writes the counts of its preview", async (t) => {
  const chat = await start(t);
  const { choices } = await previewOf(chat, SLACK);
  const params = { choices: JSON.stringify(choices) };
  const { counts } = await chat.as("desdemona").post("/host/imports/current/counts", params);
  assert.deepEqual(counts.messages, 82);
  const done = await importFile(chat, SLACK);
  assert.deepEqual([done["state"], done["counts"]], ["done", counts]);
});
