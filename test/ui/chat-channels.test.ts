/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import type { Locator, Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, assertNone } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { call } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";
import { CLEO, enter, GUEST, OWNER, startVenue } from "../support/venue.ts";

test("finds, creates, joins, changes and leaves channels", async (t) => {
  const venue = await startVenue(t);
  const { url, owner } = venue;
  const dialog = (page: Page) => page.getByRole("dialog");
  const press = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click();
  const crew = async () =>
    (await call(url, owner, "GET /streams", { include_all: true }))["streams"].find(
      ({ name }: { name: string }) => name === "crew" || name === "ship's crew",
    );
  const { page, complaints } = await enter(t, venue, CLEO);
  await page.getByRole("button", { name: en.chat.browseChannels }).click();
  await dialog(page).getByLabel(en.chat.browse.filter).fill("Harbour");
  await press(page, en.newChannel.title);
  await dialog(page).getByLabel(en.newChannel.name, { exact: true }).fill("HARBOUR");
  await press(page, en.newChannel.make);
  await dialog(page).getByText(en.newChannel.taken).waitFor();
  // Every way out asks before discarding text.
  await page.keyboard.press("Escape");
  await press(page, en.dialog.goOn);
  assert.equal(await dialog(page).getByLabel(en.newChannel.name, { exact: true }).inputValue(), "HARBOUR");
  await press(page, en.chat.cancel);
  await assertAccessibleInBothThemes(page, "a question before what was typed is dropped");
  await press(page, en.dialog.discard);
  await dialog(page).waitFor({ state: "detached" });

  await page.getByRole("button", { name: en.chat.browseChannels }).click();
  await dialog(page).getByLabel(en.chat.browse.filter).fill("crew");
  await press(page, uiText("chat.browse.create", { name: "crew" }));
  await dialog(page).getByLabel(en.newChannel.description).fill("Who sails");
  await dialog(page).getByLabel(en.channelKinds.names.protected).check();
  await assertNone(dialog(page).getByLabel(en.channelKinds.names.web), "public access is off");
  const people = dialog(page).getByRole("combobox", { name: en.newChannel.people });
  // Enter never submits the form while a name is typed.
  await people.fill("matches no one");
  await people.press("Enter");
  await people.fill("gas");
  await people.press("Enter");
  await dialog(page)
    .getByRole("button", { name: uiText("picker.remove", { name: "Gast" }) })
    .waitFor();
  await assertAccessibleInBothThemes(page, "a new channel");
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `a new channel at ${width}`);
  }
  await press(page, en.newChannel.make);
  await page.getByRole("heading", { name: "crew" }).waitFor();
  const { stream_id, invite_only, history_public_to_subscribers } = await crew();
  assert.deepEqual([invite_only, history_public_to_subscribers], [true, false]);

  // A subscribed guest is offered nothing that the server would refuse.
  const guest = await enter(t, venue, GUEST, `#narrow/channel/${stream_id}`);
  await guest.page.getByRole("heading", { name: "crew" }).waitFor();
  await guest.page.getByRole("button", { name: en.channelDialog.open }).click();
  await press(guest.page, en.channelDialog.sections.about);
  await dialog(guest.page).getByText(en.channelKinds.names.protected).waitFor();
  await assertNone(dialog(guest.page).getByRole("textbox"));
  await press(guest.page, en.channelDialog.sections.people);
  await dialog(guest.page).getByRole("button", { name: "Cleo Patra" }).waitFor();
  await assertNone(
    dialog(guest.page).getByRole("button", {
      name: new RegExp(
        [en.channelDialog.addPeople, en.channelDialog.remove].map((text) => likeText(text).source).join("|"),
      ),
    }),
  );

  await guest.page.keyboard.press("Escape");
  await guest.page.getByRole("button", { name: en.chat.browseChannels }).click();
  await dialog(guest.page).getByLabel(en.chat.browse.find, { exact: true }).waitFor();
  await guest.page.keyboard.press("Escape");
  await guest.page.getByRole("button", { name: en.channelDialog.open }).click();
  await press(guest.page, en.channelDialog.sections.people);

  // Mentioning a user without access warns before sending.
  await page
    .getByRole("textbox", { name: uiText("chat.compose.placeholder", { title: "crew" }) })
    .fill("@**Owner** look");
  await page.getByText(uiText("writing.mentions.unreached", { names: "Owner", count: 1 })).waitFor();
  await page.getByRole("button", { name: en.writing.mentions.add_one }).waitFor();
  const many = ["Owner", "Hamlet", "Cordelia", "Othello"].map((name) => `@**${name}**`).join(" ");
  await page.getByRole("textbox", { name: uiText("chat.compose.placeholder", { title: "crew" }) }).fill(many);
  await page
    .getByText(
      uiText("writing.mentions.unreached", {
        names: `Owner, Hamlet, and ${uiText("writing.mentions.others", { count: 2 })}`,
        count: 2,
      }),
    )
    .waitFor();
  await assertAccessibleInBothThemes(page, "mentions that do not arrive");
  await page.setViewportSize({ width: 390, height: 800 });
  await assertFits(page, "mentions that do not arrive");
  await page.setViewportSize({ width: 1280, height: 800 });
  // The added user is notified, and the focus returns to the composer.
  await page
    .getByRole("textbox", { name: uiText("chat.compose.placeholder", { title: "crew" }) })
    .fill("@**Othello** look");
  await page.getByText(uiText("writing.mentions.unreached", { names: "Othello", count: 1 })).waitFor();
  await page.getByRole("button", { name: en.writing.mentions.add_one }).click();
  await page
    .getByText(uiText("writing.mentions.unreached", { names: "Othello", count: 1 }))
    .waitFor({ state: "detached" });
  assert.equal(
    await page
      .getByRole("textbox", { name: uiText("chat.compose.placeholder", { title: "crew" }) })
      .evaluate((one) => one === document.activeElement),
    true,
  );
  await page.getByRole("textbox", { name: uiText("chat.compose.placeholder", { title: "crew" }) }).fill("");
  await page.getByRole("button", { name: en.channelDialog.open }).click();
  await press(page, en.channelDialog.sections.people);
  await press(page, en.channelDialog.addPeople);
  await dialog(page).getByRole("combobox", { name: en.channelDialog.addPeople }).fill("own");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("button", { name: "Owner", exact: true }).waitFor();
  await dialog(guest.page).getByRole("button", { name: "Owner", exact: true }).waitFor();
  await assertAccessibleInBothThemes(page, "the people of a channel");
  await press(page, uiText("channelDialog.remove", { name: "Gast" }));
  await dialog(page).getByRole("button", { name: "Gast", exact: true }).waitFor({ state: "detached" });
  await dialog(guest.page).waitFor({ state: "detached" });
  await press(page, en.channelDialog.sections.about);
  await dialog(page).getByLabel(en.newChannel.name).fill("ship's crew");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "ship's crew" }).first().waitFor();
  await dialog(page).getByRole("combobox", { name: en.newChannel.kind }).click();
  await page.getByRole("option", { name: en.channelKinds.names.private, exact: true }).click();
  await press(page, en.channelDialog.widen);
  await until(async () => (await crew())["history_public_to_subscribers"] || undefined, "the history");
  await assertAccessibleInBothThemes(page, "a channel that one administers");
  await assertFits(page, "a channel that one administers");
  await press(page, en.channelDialog.archive);
  await press(page, uiText("channelDialog.archiveSure", { name: "ship's crew" }));
  await dialog(page).waitFor({ state: "detached" });
  await page.getByRole("link", { name: /^ship's crew/ }).waitFor({ state: "detached" });

  // Users see settings they cannot change, and the server refuses them anyway.
  await page.getByRole("button", { name: en.chat.browseChannels }).click();
  await press(page, uiText("subscriptionSettings.leaveSure", { name: "harbour" }));
  await press(page, uiText("chat.browse.joinNamed", { name: "harbour" }));
  await dialog(page)
    .getByRole("button", { name: uiText("subscriptionSettings.leaveSure", { name: "harbour" }) })
    .waitFor();
  await press(page, "harbour Boats and weather");
  await page.getByRole("button", { name: en.channelDialog.open }).click();
  await press(page, en.channelDialog.sections.about);
  await dialog(page)
    .getByText(uiText("channelDialog.madeBy", { name: "Owner" }))
    .waitFor();
  await assertNone(dialog(page).getByRole("button", { name: en.channelDialog.archive }));
  const renamed = await call(url, venue.cleo, `PATCH /streams/${venue.channelId}`, { new_name: "mine" });
  assert.equal(renamed.status, 400);
  assert.deepEqual(complaints, []);
});

test("keeps the open channel visible among hundreds and finds the last", async (t) => {
  const venue = await startVenue(t);
  const names = Array.from({ length: 120 }, (_, index) => ({ name: `pier ${index + 1}` }));
  const made = await call(venue.url, venue.owner, "POST /users/me/subscriptions", {
    subscriptions: JSON.stringify(names),
  });
  assert.equal(made.status, 200);
  const { stream_id: id } = await call(venue.url, venue.owner, "GET /get_stream_id", { stream: "pier 110" });
  const { page, complaints } = await enter(t, venue, OWNER, `#narrow/channel/${id}-pier-110`);
  const line = page.locator("nav a[aria-current=page]");
  await line.filter({ hasText: "pier 110" }).waitFor();
  const isInSight = (link: Locator) =>
    link.evaluate((element) => {
      const { left, top, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + 20, top + height / 2));
    });
  await until(async () => (await isInSight(line)) || undefined, "the open channel in sight");
  /** How much of the list is visible beyond the line, on the shorter side. */
  const margin = () =>
    line.evaluate((element) => {
      let box = element.parentElement;
      while (box && getComputedStyle(box).overflowY !== "auto") box = box.parentElement;
      const [at, edges] = [element.getBoundingClientRect(), (box as HTMLElement).getBoundingClientRect()];
      return Math.min(at.top - edges.top, edges.bottom - at.bottom);
    });
  assert.ok((await margin()) >= 32, `one more line shows beyond the open channel: ${await margin()} px`);
  const first = page.getByRole("link", { name: /^pier 1(?!\d)/ });
  assert.equal(await isInSight(first), false);
  const last = page.getByRole("link", { name: /^pier 120/ });
  await last.waitFor();

  assert.equal(await page.evaluate(`window.find("pier 7", false, true, true)`), true, "by the browser's own search");
  await first.focus();
  assert.equal(await isInSight(first), true, "what has the focus is in sight");
  await venue.say(venue.cleo, "Who rows?");
  await page
    .getByRole("link", { name: /^harbour/ })
    .getByText("1", { exact: true })
    .waitFor();
  await last.click();
  await line.filter({ hasText: "pier 120" }).waitFor();

  // A folded folder still shows the open channel, counts unread messages, and stays folded.
  const asked = async (route: string, params: Record<string, unknown>) => {
    const answer = await call(venue.url, venue.owner, route, params);
    assert.equal(answer.status, 200, answer["msg"]);
    return answer;
  };
  const { channel_folder_id } = await asked("POST /channel_folders/create", { name: "Old piers", description: "" });
  for (const name of ["pier 1", "pier 2"]) {
    const { stream_id } = await call(venue.url, venue.owner, "GET /get_stream_id", { stream: name });
    await asked(`PATCH /streams/${stream_id}`, { folder_id: channel_folder_id });
  }
  const message = { type: "channel", to: "pier 2", topic: "x", content: "@**Owner** look" };
  assert.equal((await call(venue.url, venue.cleo, "POST /messages", message)).status, 200);
  const folder = page.getByRole("button", { name: /^Old piers/ });
  assert.equal(await folder.getAttribute("aria-expanded"), "true");
  const second = page.getByRole("link", { name: /^pier 2(?!\d)/ });
  await folder.focus();
  await page.keyboard.press("Enter");
  await second.waitFor({ state: "detached" });
  await assertNone(first);
  await page
    .getByRole("button", {
      name: likeText(`Old piers{{}}${en.chat.mentioned}{{}}${uiText("chat.unread", { count: 1 })}`),
      expanded: false,
    })
    .waitFor();
  await assertAccessibleInBothThemes(page, "a folded folder");
  await page.getByRole("link", { name: /^harbour/ }).click();
  await line.filter({ hasText: "harbour" }).waitFor();
  await page.locator("#feed").focus();
  await page.keyboard.press("A");
  await line.filter({ hasText: "pier 120" }).waitFor();
  await page.goto(`${venue.url}/#narrow/channel/${id}-pier-110`);
  await asked(`PATCH /streams/${id}`, { folder_id: channel_folder_id });
  await until(async () => (await folder.evaluate(isAbove, "pier 110")) || undefined, "the open channel in its folder");
  await page.reload();
  await line.filter({ hasText: "pier 110" }).waitFor();
  assert.equal(await folder.getAttribute("aria-expanded"), "false");
  await assertNone(first);
  await folder.click();
  await first.waitFor();
  assert.deepEqual(complaints, []);
});

/** Whether the channel is the first line below a folder's name. */
const isAbove = (folder: Element, channel: string): boolean =>
  folder.closest("div")?.querySelector("li a")?.textContent?.startsWith(channel) ?? false;

test("a user without channels sees what to do", async (t) => {
  const venue = await startVenue(t);
  const { members } = await call(venue.url, venue.owner, "GET /users");
  const direct = en.chat.newDirectMessage;
  for (const [who, told, ways] of [
    [GUEST, en.chat.noChannelsAsGuest, [direct]],
    [CLEO, en.chat.noChannels, [en.chat.browseChannels, en.newChannel.title, direct]],
  ] as const) {
    const { user_id } = members.find(({ email }: { email: string }) => email === who.email);
    const left = { subscriptions: ["harbour"], principals: [user_id] };
    assert.equal((await call(venue.url, venue.owner, "DELETE /users/me/subscriptions", left)).status, 200);
    const { page } = await enter(t, venue, who, "", { viewport: { width: 390, height: 800 } });
    await page.getByText(told, { exact: true }).waitFor();
    const named = page.getByRole("navigation").getByRole("button").filter({ hasText: /\w/ });
    const labels = (await named.allTextContents()).filter(
      (text) => text !== en.views.more && !text.startsWith(en.search.title),
    );
    assert.deepEqual(labels, ways);
    await assertAccessibleInBothThemes(page, "no channel on a phone");
    await assertFits(page, "no channel on a phone");
    await page.getByRole("button", { name: ways[0] }).last().click();
    await page
      .getByRole("dialog", { name: ways[0] === direct ? en.chat.newDirect.title : en.chat.browse.title })
      .waitFor();
  }
});
