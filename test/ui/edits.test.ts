import assert from "node:assert/strict";
import test from "node:test";
import { Edits } from "../../ui/chat/model/edits.ts";
import { en } from "../../ui/locales/en.ts";
import { assertNone } from "../support/browser.ts";
import { BrowserMemory } from "../support/browser-memory.ts";
import { until } from "../support/patience.ts";
import { CLEO, enter, inTopic, messageWith, startVenue } from "../support/venue.ts";

const SELF = 7;
const MESSAGE = 12;
const KEY = `hearth-edit-${SELF}-${MESSAGE}`;

function startEdits(storage = new BrowserMemory()) {
  const edits = new Edits({ storage, userId: SELF });
  return { edits, storage, text: () => edits.store.value.get(MESSAGE)?.text };
}

test("tabs share the text of an edit and the newer one wins", () => {
  const { storage, ...one } = startEdits();
  const two = startEdits(storage);
  const stored = () => storage.getItem(KEY);
  one.edits.set(MESSAGE, "half");
  two.edits.followTab(KEY, stored(), null);
  two.edits.followTab("hearth-edit-8-12", stored(), null);
  assert.deepEqual([...two.edits.store.value.keys()], [MESSAGE]);
  assert.equal(two.text(), "half");
  const older = stored();
  two.edits.set(MESSAGE, "half a thought");
  two.edits.followTab(KEY, older, null);
  assert.equal(two.text(), "half a thought", "what the other tab stored before comes late");
  assert.equal(startEdits(storage).text(), "half a thought", "after a reload");
  one.edits.followTab(KEY, stored(), older);
  assert.equal(one.text(), "half a thought");

  // While one tab saves, the other continues: before and after the first receives the event.
  const saving = stored();
  two.edits.set(MESSAGE, "half a thought more");
  one.edits.saved(MESSAGE, "half a thought");
  assert.equal(stored(), null);
  two.edits.followTab(KEY, null, saving);
  assert.equal(startEdits(storage).text(), "half a thought more");
  one.edits.followTab(KEY, stored(), null);
  one.edits.saved(MESSAGE, "half a thought");
  assert.equal(one.text(), "half a thought more");

  const last = stored();
  one.edits.saved(MESSAGE, "half a thought more");
  two.edits.followTab(KEY, null, last);
  assert.deepEqual([one.text(), two.text(), storage.length], [undefined, undefined, 0]);
});

test("adopts a text stored by an older page", () => {
  const storage = new BrowserMemory();
  storage.setItem(KEY, "plain words");
  assert.equal(startEdits(storage).text(), "plain words");
  storage.setItem(KEY, '{"quoted": 1}');
  assert.equal(startEdits(storage).text(), '{"quoted": 1}');
});

test("two tabs edit a message with one text", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "Who rows?");
  const { page, complaints } = await enter(t, venue, CLEO, inTopic(venue));
  const other = await page.context().newPage();
  await other.goto(page.url());
  const field = (tab: typeof page) => tab.getByLabel(en.chat.editText);
  const shows = (tab: typeof page, text: string) =>
    until(async () => (await field(tab).inputValue()) === text || undefined, text);
  for (const tab of [page, other]) {
    await messageWith(tab, "Who rows?").focus();
    await tab.keyboard.press("e");
    await shows(tab, "Who rows?");
  }
  await field(page).fill("Who rows today?");
  await shows(other, "Who rows today?");
  await field(other).fill("Who rows tomorrow?");
  await shows(page, "Who rows tomorrow?");

  // Cancelling in one tab resets the other to the server's text.
  await page.getByRole("button", { name: en.chat.cancel }).click();
  await shows(other, "Who rows?");
  await field(other).fill("Who rows tonight?");
  await page.getByRole("button", { name: en.chat.editOn }).click();
  await shows(page, "Who rows tonight?");
  await page.getByRole("button", { name: en.chat.save, exact: true }).click();
  await messageWith(page, "Who rows tonight?").waitFor();
  await shows(other, "Who rows tonight?");
  await field(other).press("Escape");
  await field(other).waitFor({ state: "detached" });
  await assertNone(other.getByText(en.chat.unsavedEdit));
  assert.deepEqual(complaints, []);
});
