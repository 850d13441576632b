import assert from "node:assert/strict";
import test from "node:test";
import { en } from "../../ui/locales/en.ts";
import { loadedKb } from "../bench/browser.ts";
import { assertNone } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { call } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";
import { CLEO, composer, enter, GUEST, inTopic, messageWith, OWNER, startVenue, write } from "../support/venue.ts";

test("two people chat in two browsers", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "Who sails on Saturday?");
  const ann = await enter(t, venue, OWNER);
  await ann.page.getByRole("heading", { name: en.views.inbox }).waitFor();
  const loaded = await loadedKb(ann.page);
  assert.ok(loaded > 100 && loaded <= 264, `the page begins with ${loaded} kB`);
  const cleo = await enter(t, venue, CLEO, inTopic(venue));
  await ann.page
    .getByRole("link", { name: /^harbour/ })
    .first()
    .click();
  await messageWith(ann.page, "Who sails on Saturday?").waitFor();
  await ann.page
    .getByRole("link", { name: /^regatta/ })
    .first()
    .click();
  await write(ann.page, "I **do**, with @**Cleo Patra**");
  await messageWith(cleo.page, "I do, with @Cleo Patra").waitFor();
  assert.equal(await messageWith(cleo.page, "I do").locator("strong").textContent(), "do");
  await cleo.page.getByRole("link", { name: en.views.mentions }).waitFor();

  await composer(cleo.page).pressSequentially("so ");
  await ann.page.getByText(uiText("chat.typing", { names: "Cleo Patra", count: 1 })).waitFor();
  await write(cleo.page, "So do I");
  await messageWith(ann.page, "So do I").waitFor();
  await ann.page.getByText(uiText("chat.typing", { names: "Cleo Patra", count: 1 })).waitFor({ state: "detached" });
  assert.deepEqual([ann.complaints, cleo.complaints], [[], []]);
});

test("edits, deletes with undo, stars, quotes and reacts to your own messages", async (t) => {
  const venue = await startVenue(t);
  const id = await venue.say(venue.owner, "First wrods");
  await venue.say(venue.cleo, "Another's `code`");
  const { page } = await enter(t, venue, OWNER, inTopic(venue));
  const own = page.locator(`[data-message-id="${id}"]`);
  await own.hover();
  await own.getByRole("button", { name: en.chat.tools.edit }).click();
  await page.getByLabel(en.chat.editText).fill("First words");
  // Leaving the field or reloading loses no text.
  await page.keyboard.press("Escape");
  await own.getByText(en.chat.unsavedEdit).waitFor();
  await page.reload();
  await own.getByRole("button", { name: en.chat.editOn }).click();
  await until(
    async () => (await page.getByLabel(en.chat.editText).inputValue()) === "First words" || undefined,
    "what was typed",
  );
  await page.getByRole("button", { name: en.chat.save }).click();
  await messageWith(page, "First words").getByText(en.chat.edited).waitFor();
  // It is next to the time, or in the last line of a message without a header.
  const some = await venue.say(venue.owner, "Some");
  const addition = await venue.say(venue.owner, "And mroe");
  await messageWith(page, "And mroe").waitFor();
  const height = (text: string | RegExp) => messageWith(page, text).evaluate((one) => one.clientHeight);
  const before = await height(/And m/);
  await call(venue.url, venue.owner, `PATCH /messages/${addition}`, { content: "And more" });
  await messageWith(page, "And more")
    .locator("p", { hasText: `And more ${en.chat.edited}` })
    .waitFor();
  assert.equal(await height(/And m/), before, "no line more");
  assert.equal(await height("First words"), await height("Some"), "no line more beside the time");
  for (const one of [some, addition])
    assert.equal((await call(venue.url, venue.owner, `DELETE /messages/${one}`)).status, 200);
  await assertNone(page.getByText(en.chat.unsavedEdit));

  await own.hover();
  await own.getByRole("button", { name: en.chat.tools.react }).click();
  await page.getByLabel(en.chat.emoji.search).fill("tad");
  await page.getByTitle(":tada:").waitFor();
  await page.keyboard.press("Enter");
  await own.getByRole("button", { name: "tada: Owner", pressed: true }).click();
  await own.getByRole("button", { name: "tada: Owner" }).waitFor({ state: "detached" });

  const other = messageWith(page, "Another's");
  await other.hover();
  await assertNone(other.getByRole("button", { name: en.chat.tools.edit }), "nobody edits another's message");
  await other.getByRole("button", { name: en.chat.tools.star }).click();
  await other.getByRole("button", { name: en.chat.tools.unstar }).waitFor();
  await other.getByRole("button", { name: en.chat.tools.quote }).click();
  await until(
    async () => (await composer(page).inputValue()).includes("```quote\nAnother's `code`\n```") || undefined,
    "quote",
  );
  await composer(page).fill("");

  await own.hover();
  await own.getByRole("button", { name: en.chat.tools.delete }).click();
  await page.getByText(en.chat.deleted).waitFor();
  await page.getByRole("button", { name: en.chat.undo }).click();
  await messageWith(page, "First words").waitFor();
  await own.hover();
  await own.getByRole("button", { name: en.chat.tools.delete }).click();
  await own.waitFor({ state: "detached" });

  await page.getByRole("link", { name: en.views.starred }).click();
  await messageWith(page, "Another's").hover();
  await messageWith(page, "Another's").getByRole("button", { name: en.messageMenu.more }).click();
  await page.getByRole("menuitem", { name: en.chat.tools.delete }).click();
  await page.getByText(en.chat.deleted).waitFor();
  await page.goto(`${venue.url}/${inTopic(venue)}`);
  await page.getByText(en.views.empty.topic).waitFor();
});

test("starts a direct conversation by name", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, OWNER);
  await venue.say(venue.owner, "> What for?\n\n```spoiler The plan\nsecret\n```\n\nSee *you* :tada:");
  const cleo = await enter(t, venue, CLEO);
  await page.getByRole("button", { name: en.chat.newDirectMessage }).click();
  // Enter adds the highlighted user, and with an empty field opens the conversation.
  const field = page.getByRole("combobox", { name: en.chat.newDirect.filter });
  const active = (name: string) => page.locator("[role=option][aria-selected=true]", { hasText: name });
  await field.fill("a");
  await active("Cleo Patra").waitFor();
  await page.keyboard.press("ArrowDown");
  await active("Cleo Patra").waitFor({ state: "detached" });
  const chosen = (name: string) => page.getByRole("button", { name: uiText("picker.remove", { name }) });
  await field.fill("gas");
  await active("Gast").waitFor();
  await page.keyboard.press("Enter");
  await chosen("Gast").waitFor();
  await field.fill("cleo");
  await page.keyboard.press("Enter");
  await chosen("Cleo Patra").waitFor();
  await chosen("Gast").click();
  await field.press("Enter");
  await page.getByRole("heading", { name: "Cleo Patra" }).waitFor();
  await write(page, "Only for you");
  await messageWith(page, "Only for you").waitFor();
  await cleo.page
    .getByRole("link", { name: likeText(`Owner{{}}${uiText("chat.unread", { count: 1 })}`) })
    .first()
    .waitFor();
  assert.match(
    await cleo.page.title(),
    likeText(`) ${uiText("chat.title", { place: en.views.inbox, organization: "Venice" })}`),
  );
  const inInbox = (name: RegExp) => cleo.page.locator("#conversation").getByRole("link", { name });
  await inInbox(likeText(`Owner Only for you ${uiText("chat.unread", { count: 1 })}`)).waitFor();
  await inInbox(likeText(`regatta Owner: The plan See you 🎉 ${uiText("chat.unread", { count: 1 })}`)).waitFor();
  await cleo.page.locator("nav a[aria-current=page]", { hasText: en.views.inbox }).waitFor();
  await cleo.page.setViewportSize({ width: 390, height: 800 });
  await cleo.page.locator("nav a[aria-current=page]").waitFor({ state: "detached" }); // only the conversations
  await cleo.page.setViewportSize({ width: 1280, height: 800 });
  await cleo.page
    .getByRole("link", { name: /^Owner/ })
    .first()
    .click();
  await messageWith(cleo.page, "Only for you").waitFor();
  await cleo.page.getByRole("link", { name: "Owner", exact: true }).waitFor();
  const guest = await enter(t, venue, GUEST, `#narrow/dm/${venue.owner.id},${venue.cleo.id}`);
  await guest.page.getByText(en.views.empty.direct).waitFor();
});
