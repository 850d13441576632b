import assert from "node:assert/strict";
import test from "node:test";
import { loadedKb } from "../bench/browser.ts";
import { until } from "../support/patience.ts";
import { call } from "../support/server-process.ts";
import { CLEO, composer, enter, GUEST, inTopic, messageWith, OWNER, startVenue, write } from "../support/venue.ts";

test("two people chat in two browsers", async (t) => {
  const venue = await startVenue(t);
  await venue.say(venue.cleo, "Who sails on Saturday?");
  const ann = await enter(t, venue, OWNER);
  await ann.page.getByRole("heading", { name: "Inbox" }).waitFor();
  const loaded = await loadedKb(ann.page);
  assert.ok(loaded > 100 && loaded <= 250, `the page begins with ${loaded} kB`);
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
  await cleo.page.getByRole("link", { name: /^Mentions/ }).waitFor();

  await composer(cleo.page).pressSequentially("so ");
  await ann.page.getByText("Cleo Patra is typing…").waitFor();
  await write(cleo.page, "So do I");
  await messageWith(ann.page, "So do I").waitFor();
  await ann.page.getByText("Cleo Patra is typing…").waitFor({ state: "detached" });
  assert.deepEqual([ann.complaints, cleo.complaints], [[], []]);
});

test("own messages are edited, deleted with undo, starred, quoted and reacted to", async (t) => {
  const venue = await startVenue(t);
  const id = await venue.say(venue.owner, "First wrods");
  await venue.say(venue.cleo, "Another's `code`");
  const { page } = await enter(t, venue, OWNER, inTopic(venue));
  const own = page.locator(`[data-message-id="${id}"]`);
  await own.hover();
  await own.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("The message's text").fill("First words");
  // Nothing typed is lost: not by leaving the field, and not by a reload.
  await page.keyboard.press("Escape");
  await own.getByText("Your change is not saved.").waitFor();
  await page.reload();
  await own.getByRole("button", { name: "Go on with it" }).click();
  await until(
    async () => (await page.getByLabel("The message's text").inputValue()) === "First words" || undefined,
    "what was typed",
  );
  await page.getByRole("button", { name: "Save" }).click();
  await messageWith(page, "First words").getByText("edited").waitFor();
  // Beside the time, or in the last line of what stands under a name above.
  const some = await venue.say(venue.owner, "Some");
  const addition = await venue.say(venue.owner, "And mroe");
  await messageWith(page, "And mroe").waitFor();
  const height = (text: string | RegExp) => messageWith(page, text).evaluate((one) => one.clientHeight);
  const before = await height(/And m/);
  await call(venue.url, venue.owner, `PATCH /messages/${addition}`, { content: "And more" });
  await messageWith(page, "And more").locator("p", { hasText: "And more edited" }).waitFor();
  assert.equal(await height(/And m/), before, "no line more");
  assert.equal(await height("First words"), await height("Some"), "no line more beside the time");
  for (const one of [some, addition])
    assert.equal((await call(venue.url, venue.owner, `DELETE /messages/${one}`)).status, 200);
  assert.equal(await page.getByText("Your change is not saved.").count(), 0);

  await own.hover();
  await own.getByRole("button", { name: "React" }).click();
  await page.getByLabel("Find an emoji").fill("tad");
  await page.getByTitle(":tada:").waitFor();
  await page.keyboard.press("Enter");
  await own.getByRole("button", { name: "tada: Owner", pressed: true }).click();
  await own.getByRole("button", { name: "tada: Owner" }).waitFor({ state: "detached" });

  const other = messageWith(page, "Another's");
  await other.hover();
  assert.equal(await other.getByRole("button", { name: "Edit" }).count(), 0, "nobody edits another's message");
  await other.getByRole("button", { name: "Star" }).click();
  await other.getByRole("button", { name: "Remove the star" }).waitFor();
  await other.getByRole("button", { name: "Quote" }).click();
  await until(
    async () => (await composer(page).inputValue()).includes("```quote\nAnother's `code`\n```") || undefined,
    "quote",
  );
  await composer(page).fill("");

  await own.hover();
  await own.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Deleted.").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await messageWith(page, "First words").waitFor();
  await own.hover();
  await own.getByRole("button", { name: "Delete" }).click();
  await own.waitFor({ state: "detached" });

  await page.getByRole("link", { name: "Starred" }).click();
  await messageWith(page, "Another's").hover();
  await messageWith(page, "Another's").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByText("Deleted.").waitFor();
  await page.goto(`${venue.url}/${inTopic(venue)}`);
  await page.getByText("Nothing was written here yet.").waitFor();
});

test("a direct conversation begins with a name", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, OWNER);
  await venue.say(venue.owner, "> What for?\n\n```spoiler The plan\nsecret\n```\n\nSee *you* :tada:");
  const cleo = await enter(t, venue, CLEO);
  await page.getByRole("button", { name: "New direct message" }).click();
  // Enter adds who is highlighted, and opens the conversation where nobody is typed any more.
  const field = page.getByLabel("Who?");
  await field.fill("a");
  await page.getByText("Enter adds Cleo Patra.").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.getByText("Enter adds Cleo Patra.").waitFor({ state: "detached" });
  await field.fill("gas");
  await page.getByText("Enter adds Gast.").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("checkbox", { name: "Gast", checked: true }).waitFor();
  await field.fill("cleo");
  await page.keyboard.press("Enter");
  await page.getByRole("checkbox", { name: "Cleo Patra", checked: true }).waitFor();
  await page.getByRole("checkbox", { name: "Gast" }).uncheck();
  await field.focus();
  await page.getByText("Enter opens the conversation.").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Cleo Patra" }).waitFor();
  await write(page, "Only for you");
  await messageWith(page, "Only for you").waitFor();
  await cleo.page
    .getByRole("link", { name: /^Owner.*1 unread message$/ })
    .first()
    .waitFor();
  assert.match(await cleo.page.title(), /^\(\d+\) Inbox – Venice$/);
  const inInbox = (name: RegExp) => cleo.page.locator("#conversation").getByRole("link", { name });
  await inInbox(/^Owner Only for you 1 unread/).waitFor();
  await inInbox(/^regatta Owner: The plan See you 🎉 1 unread/).waitFor();
  await cleo.page.locator("nav a[aria-current=page]", { hasText: "Inbox" }).waitFor();
  await cleo.page.setViewportSize({ width: 390, height: 800 });
  await cleo.page.locator("nav a[aria-current=page]").waitFor({ state: "detached" }); // the conversations alone
  await cleo.page.setViewportSize({ width: 1280, height: 800 });
  await cleo.page
    .getByRole("link", { name: /^Owner/ })
    .first()
    .click();
  await messageWith(cleo.page, "Only for you").waitFor();
  await cleo.page.getByRole("link", { name: "Owner", exact: true }).waitFor();
  const guest = await enter(t, venue, GUEST, `#narrow/dm/${venue.owner.id},${venue.cleo.id}`);
  await guest.page.getByText("Nothing was written here yet.").waitFor();
});
