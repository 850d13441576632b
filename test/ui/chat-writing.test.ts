import assert from "node:assert/strict";
import test from "node:test";
import { Refusal } from "../../ui/api/client.ts";
import { attachedPictures } from "../../ui/chat/composer/attached-pictures.ts";
import { composerAction, isComposing } from "../../ui/chat/composer/composer-keys.ts";
import { continuation, type Format, formatted } from "../../ui/chat/composer/formatting.ts";
import type { Message } from "../../ui/chat/model/feed-state.ts";
import type { SendFile } from "../../ui/chat/model/send-file.ts";
import { Uploads } from "../../ui/chat/model/uploads.ts";
import { pollText, todoText, widgetOf } from "../../ui/chat/model/widgets.ts";
import { en } from "../../ui/locales/en.ts";
import { assertAccessible, assertFits } from "../support/browser.ts";
import { startDrafts, TOPIC } from "../support/drafts.ts";
import { until } from "../support/patience.ts";
import { call } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";
import { CLEO, composer, enter, inTopic, messageWith, startVenue } from "../support/venue.ts";

function startUploads(maxBytes = 100) {
  const { drafts } = startDrafts();
  const sends: { name: string; resolve(url: string): void; reject(error: Error): void; signal: AbortSignal }[] = [];
  const send: SendFile = ({ name }, _, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
      sends.push({ name, resolve, reject, signal });
    });
  const uploads = new Uploads({ drafts, send, maxBytes: () => maxBytes });
  const text = () => drafts.store.value.get("topic 5 lunch")?.text;
  const states = () => uploads.store.value.map(({ file, state, reason }) => [file.name, state, reason ?? ""].join(" "));
  const next = async (name: string) =>
    (await until(() => sends.find((one) => one.name === name), name)) as (typeof sends)[0];
  return { drafts, uploads, text, states, next };
}

test("files land where they were dropped without splitting newer text", async () => {
  const { drafts, uploads, text, next } = startUploads();
  drafts.set(TOPIC, { text: "See  below" });
  uploads.add(TOPIC, [new File(["x"], "a.png"), new File(["x"], "b.png"), new File(["x"], "c.png")], 4);
  (await next("a.png")).resolve("/1/a.png");
  (await next("b.png")).resolve("/1/b.png");
  await next("c.png");
  assert.equal(text(), "See [a.png](/1/a.png)\n[b.png](/1/b.png)\n below");
  drafts.set(TOPIC, { text: "Hello wor" });
  (await next("c.png")).resolve("/1/c.png");
  await until(() => uploads.store.value.length === 0 || undefined, "the end");
  assert.equal(text(), "Hello wor [c.png](/1/c.png)\n");
  assert.equal(uploads.placed.value?.caret, undefined, "the caret stays in the word");
});

test("a failed file is reported, blocks no other, and can be retried", async () => {
  const { uploads, text, states, next } = startUploads(3);
  const [first, vast, second] = [new File(["x"], "first"), new File(["vast"], "vast"), new File(["x"], "second")];
  uploads.add(TOPIC, [first, vast, second, new File(["x"], "third")], 0);
  (await next("first")).reject(new Error("no answer"));
  (await next("second")).reject(new Refusal(400, { msg: "No room." }));
  const { signal } = await next("third");
  const failed = ["first failed unreachable", "vast failed tooLarge", "second failed refused"];
  assert.deepEqual(states(), [...failed, "third sending "]);
  uploads.remove(uploads.store.value[3]?.id ?? 0);
  assert.equal(signal.aborted, true);
  await until(() => states().length === 3 || undefined, "three");
  uploads.wake();
  assert.deepEqual(states().slice(1), failed.slice(1), "only what the server did not answer is tried by itself");
  const again = await until(() => states()[0]?.startsWith("first sending") || undefined, "again");
  assert.ok(again);
  assert.equal(text(), undefined);
});

test("a key of an input method sends nothing", () => {
  const key = (name: string, more = {}) => ({
    key: name,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...more,
  });
  assert.ok(isComposing({ isComposing: true, keyCode: 13 }) && isComposing({ isComposing: false, keyCode: 229 }));
  assert.equal(isComposing({ isComposing: false, keyCode: 13 }), false);
  const on = { text: "x", sendsOnEnter: true };
  const off = { text: "", sendsOnEnter: false };
  assert.equal(composerAction(key("Enter"), on), "send");
  assert.equal(composerAction(key("Enter", { shiftKey: true }), on), undefined);
  assert.equal(composerAction(key("Enter"), off), undefined);
  assert.equal(composerAction(key("Enter", { metaKey: true }), off), "send");
  assert.equal(composerAction(key("ArrowUp"), on), undefined);
  assert.equal(composerAction(key("ArrowUp"), off), "editLast");
  assert.deepEqual(composerAction(key("L", { ctrlKey: true, shiftKey: true }), on), { format: "link" });
});

test("computes polls and to-do lists from submessages", () => {
  let id = 0;
  const sub = (sender_id: number, content: object) =>
    ({
      id: ++id,
      sender_id,
      message_id: 1,
      msg_type: "widget",
      content: JSON.stringify(content),
    }) as Message["submessages"][number];
  const poll = { widget_type: "poll", extra_data: { question: "Day?", options: ["Sat", "Sun"] } };
  const vote = (sender: number, key: string, vote: 1 | -1) => sub(sender, { type: "vote", key, vote });
  const submessages = [
    sub(3, poll),
    vote(3, "canned,0", 1),
    vote(4, "canned,0", 1),
    vote(4, "canned,0", 1),
    vote(3, "canned,0", -1),
    sub(4, { type: "new_option", idx: 1, option: "Mon" }),
    sub(5, { type: "new_option", idx: 1, option: "Mon" }),
    vote(5, "4,1", 1),
    sub(3, { type: "question", question: "Which day?" }),
    sub(3, { type: "unheard of" }),
    { ...sub(3, {}), content: "no JSON" },
  ];
  assert.deepEqual(widgetOf({ submessages }), {
    kind: "poll",
    question: "Which day?",
    options: [
      { key: "canned,0", text: "Sat", voters: [4] },
      { key: "canned,1", text: "Sun", voters: [] },
      { key: "4,1", text: "Mon", voters: [5] },
    ],
  });
  const todo = {
    widget_type: "todo",
    extra_data: { task_list_title: "Sail", tasks: [{ task: "ropes", desc: "two" }] },
  };
  const actions = [
    sub(3, todo),
    sub(4, { type: "new_task", key: 2, task: "lamps", desc: "", completed: false }),
    sub(3, { type: "strike", key: "0,canned" }),
    sub(3, { type: "strike", key: "2,4" }),
    sub(4, { type: "strike", key: "2,4" }),
  ];
  assert.deepEqual(widgetOf({ submessages: actions }), {
    kind: "todo",
    title: "Sail",
    tasks: [
      { key: "0,canned", text: "ropes", description: "two", isDone: true },
      { key: "2,4", text: "lamps", description: "", isDone: false },
    ],
  });
  assert.equal(widgetOf({ submessages: [sub(3, { widget_type: "zform" })] }), undefined);
  assert.equal(pollText(" Which\nday? ", ["Sat", " Sun "]), "/poll Which day?\nSat\nSun");
  assert.equal(todoText("", ["ropes"]), "/todo \nropes");
});

test("formatting wraps the selection and can be undone", () => {
  /** `|` marks both ends of the selection. */
  const apply = (format: Format, shown: string) => {
    const [before = "", inner = "", after = ""] = shown.split("|");
    const text = before + inner + after;
    const { from, to, insert, start, end } = formatted(format, {
      text,
      start: before.length,
      end: before.length + inner.length,
    });
    const next = text.slice(0, from) + insert + text.slice(to);
    return `${next.slice(0, start)}|${next.slice(start, end)}|${next.slice(end)}`;
  };
  assert.equal(apply("bold", "a |b| c"), "a **|b|** c");
  assert.equal(apply("bold", "a **|b|** c"), "a |b| c");
  assert.equal(apply("italic", "**|b|**"), "***|b|***");
  assert.equal(apply("italic", "*|b|*"), "|b|");
  assert.equal(apply("code", "||"), "`||`");
  assert.equal(apply("code", "x|a\nb|"), "x\n```||\na\nb\n```\n");
  assert.equal(apply("quote", "one\nt|wo\nth|ree"), "one\n|> two\n> th|ree");
  assert.equal(apply("list", "* o||ne"), "o||ne");
  assert.equal(apply("link", "see |here|"), "see [here](|https://|)");
  assert.equal(apply("link", "|https://x.y|"), "[||](https://x.y)");
  assert.equal(apply("spoiler", "|end|"), "```spoiler ||\nend\n```\n");
});

test("a line break continues a list or quote, an empty item ends it", () => {
  const broken = (shown: string) => {
    const [before = "", after = ""] = shown.split("|");
    const text = before + after;
    const { from, to, insert, start } =
      continuation({ text, start: before.length, end: before.length }) ?? assert.fail(shown);
    const next = text.slice(0, from) + insert + text.slice(to);
    return `${next.slice(0, start)}|${next.slice(start)}`;
  };
  assert.equal(broken("- oars|"), "- oars\n- |");
  assert.equal(broken("x\n  * oars|\ny"), "x\n  * oars\n  * |\ny");
  assert.equal(broken("9. oars|"), "9. oars\n10. |");
  assert.equal(broken("1) oa|rs"), "1) oa\n2) |rs");
  assert.equal(broken("> she said|"), "> she said\n> |");
  assert.equal(broken("> - oars|"), "> - oars\n> - |");
  assert.equal(broken("```quote\n- oars|"), "```quote\n- oars\n- |");
  assert.equal(broken("- oars\n- |"), "- oars\n\n|");
  assert.equal(broken("- |"), "|");
  assert.equal(broken("> she said\n> |\nno"), "> she said\n\n|\nno");
  assert.equal(broken("> - oars\n> - |"), "> - oars\n>\n> |");
  for (const text of ["plain", "-no", "1.5 m", "**bold**", "a > b", "```\n- oars", "```quote\n```js\n- oars", ""])
    assert.equal(continuation({ text, start: text.length, end: text.length }), undefined, text);
  assert.equal(continuation({ text: "- oars", start: 0, end: 6 }), undefined, "what is selected is replaced");
  assert.equal(continuation({ text: "- oars", start: 0, end: 0 }), undefined, "before the marker");
});

test("formats, previews, saves as snippet and turns a text into a poll", async (t) => {
  const venue = await startVenue(t);
  const { page, complaints } = await enter(t, venue, CLEO, inTopic(venue));
  const menu = async (item: string) => {
    await page.getByRole("button", { name: en.writing.more }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await composer(page).press("Alt+p");
  await page.getByText(en.writing.nothingToPreview).waitFor();
  await page.keyboard.press("Alt+p");
  await composer(page).fill("so warm");
  await composer(page).selectText();
  await page.keyboard.press("Control+b");
  assert.equal(await composer(page).inputValue(), "**so warm**");
  await menu(en.writing.showFormats);
  await page.getByRole("button", { name: en.writing.formats.italic }).click();
  assert.equal(await composer(page).inputValue(), "***so warm***");
  await page.keyboard.press("Control+z");
  assert.equal(await composer(page).inputValue(), "**so warm**", "and it can be undone");
  await composer(page).fill("");
  await composer(page).pressSequentially("- oars");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("ropes");
  await page.keyboard.press("Enter");
  assert.equal(await composer(page).inputValue(), "- oars\n- ropes\n- ");
  await page.keyboard.press("Enter");
  assert.equal(await composer(page).inputValue(), "- oars\n- ropes\n\n");
  await page.keyboard.press("Control+z");
  assert.equal(await composer(page).inputValue(), "- oars\n- ropes\n- ", "this can be undone, too");
  await composer(page).fill("**so warm**");
  await composer(page).press("Alt+p");
  await page
    .getByRole("region", { name: en.writing.preview })
    .locator("strong")
    .filter({ hasText: "so warm" })
    .waitFor();
  await assertAccessible(page, "the preview");
  await assertFits(page, "the preview");
  await page.keyboard.press("Alt+p");
  await page.locator("#composer:focus").waitFor();
  await page.keyboard.press("Alt+p");
  await page.getByRole("region", { name: en.writing.preview }).waitFor();
  await page.getByRole("button", { name: en.writing.writeOn }).click();

  await menu(en.writing.snippets.title);
  await page.getByLabel(en.writing.snippets.name).fill("Weather");
  await page.getByRole("button", { name: en.writing.snippets.save }).click();
  await page.getByRole("button", { name: uiText("writing.snippets.deleteNamed", { name: "Weather" }) }).waitFor();
  await page.getByRole("button", { name: /^Weather/ }).click();
  await until(
    async () => (await composer(page).inputValue()) === "**so warm**\n**so warm**" || undefined,
    "the snippet",
  );

  await composer(page).fill("");
  await composer(page).pressSequentially("/po");
  await page.getByRole("option", { name: likeText(`/poll{{}}${en.writing.commands.poll}`) }).waitFor();
  // Dictation and the emoji panel insert text without keys.
  await composer(page).fill("");
  await composer(page).pressSequentially("@");
  await page.keyboard.insertText(CLEO.full_name.slice(0, 3));
  await page.getByRole("option", { selected: true }).filter({ hasText: CLEO.full_name }).waitFor();
  await composer(page).press("Enter");
  assert.equal(await composer(page).inputValue(), `@**${CLEO.full_name}** `);
  await composer(page).fill("/ping");
  await composer(page).press("Control+Enter");
  await page.getByText(en.writing.commandDone).waitFor();
  await menu(en.writing.poll.new);
  await page.getByLabel(en.writing.poll.heading).fill("Which day?");
  await page.getByLabel(en.writing.poll.items, { exact: true }).fill("Saturday\nSunday");
  await page.getByRole("dialog").getByRole("button", { name: en.chat.compose.send, exact: true }).click();
  await page.getByRole("button", { name: `Saturday ${uiText("writing.poll.votes", { count: 0 })}` }).waitFor();
  await composer(page).fill("/me waves");
  await composer(page).press("Control+Enter");
  await messageWith(page, "waves").locator("[data-action], p").first().waitFor();
  assert.deepEqual(complaints, []);
});

test("lists and changes drafts, scheduled messages and reminders", async (t) => {
  const venue = await startVenue(t);
  const { url, cleo } = venue;
  const id = await venue.say(venue.owner, "Remember this");
  const tomorrow = String(Math.floor(Date.now() / 1000) + 86_400);
  await call(url, cleo, "POST /reminders", { message_id: id, scheduled_delivery_timestamp: tomorrow });
  const { page, complaints } = await enter(t, venue, CLEO, inTopic(venue));
  await messageWith(page, "Remember this").waitFor();

  await composer(page).fill("not yet");
  const drafts = async () =>
    (await call(url, cleo, "GET /drafts")).drafts.map((one: { content: string }) => one.content);
  await until(async () => ((await drafts()).includes("not yet") ? true : undefined), "a draft on the server");
  const other = { type: "private", to: [venue.owner.id], topic: "", content: "from the phone" };
  await call(url, cleo, "POST /drafts", { drafts: JSON.stringify([other]) });
  const more = page.getByRole("button", { name: en.views.more, exact: true }).first();
  await more.click();
  await page.getByRole("link", { name: en.views.drafts }).click();
  await page.getByText("harbour › regatta").waitFor();
  await more.click(); // folded again, except for the open view
  await page.getByRole("link", { name: en.views.reminders }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: en.views.drafts }).waitFor();
  await more.click();
  await assertAccessible(page, "drafts");
  await page
    .getByRole("listitem")
    .filter({ hasText: "from the phone" })
    .getByRole("button", { name: en.writing.open })
    .click();
  await until(async () => (await composer(page).inputValue()) === "from the phone" || undefined, "the phone's draft");

  await page.getByRole("button", { name: en.writing.sendLater }).click();
  await page.getByRole("button", { name: en.writing.later.tomorrow }).click();
  await page.getByText(likeText(en.writing.scheduled)).waitFor();
  assert.equal(await composer(page).inputValue(), "");
  await until(async () => ((await drafts()).join() === "not yet" ? true : undefined), "only the other draft");
  await page.getByRole("link", { name: en.views.scheduled }).click();
  const item = page.getByRole("listitem").filter({ hasText: "from the phone" });
  await item.getByRole("button", { name: en.writing.changeTime }).click();
  await page.getByRole("button", { name: en.writing.later.inAnHour }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await assertFits(page, "scheduled messages");
  await item.getByRole("button", { name: en.writing.edit }).click();
  await until(async () => (await composer(page).inputValue()) === "from the phone" || undefined, "the text again");
  assert.equal((await call(url, cleo, "GET /scheduled_messages")).scheduled_messages.length, 0);
  await page.getByRole("button", { name: en.writing.sendLater }).click();
  await page.getByRole("button", { name: en.writing.later.inAnHour }).click();
  await page.getByRole("link", { name: en.views.scheduled }).click();
  await item.getByRole("button", { name: en.writing.sendNow }).click();
  await messageWith(page, "from the phone").waitFor();

  await page.getByRole("link", { name: en.views.reminders }).click();
  await page.getByRole("button", { name: en.writing.open }).click();
  await messageWith(page, "Remember this").waitFor();
  await page.getByRole("link", { name: en.views.reminders }).click();
  await page.getByRole("button", { name: en.writing.delete }).click();
  await page.getByText(en.writing.noReminders).waitFor();
  assert.deepEqual(complaints, []);
});

test("the composer recognizes its pictures", () => {
  const [gull, boat] = ["/user_uploads/1/ab/cd/gull.PNG", "/user_uploads/1/ef/gh/boat.webp"];
  const text = `Look: [Gull](${gull})\nand [Boat](${boat}) [Gull again](${gull}) [Plan](/user_uploads/1/a/b/plan.pdf)`;
  const found = attachedPictures(text);
  assert.deepEqual(
    found.map(({ name, address }) => [name, address]),
    [
      ["Gull", gull],
      ["Boat", boat],
    ],
  );
  assert.equal(text.slice(found[0]?.start, found[0]?.end), `[Gull](${gull})\n`);
  assert.deepEqual(attachedPictures("[Gull](https://example.com/user_uploads/1/a/b/gull.png)"), []);
});
