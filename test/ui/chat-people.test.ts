import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { generatedPicture } from "../../server/api/presenters/pictures.ts";
import { de } from "../../ui/locales/de/all.ts";
import { en } from "../../ui/locales/en.ts";
import { assertAccessible, assertAccessibleInBothThemes, assertFits, assertNone, visit } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { type Answer, call, dataFolder, OWNER_LOGIN, type Person, serveHere } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

const PASSWORD = "secret-owner";

/** The owner's browser in a channel with three others. One of them has a full profile. */
async function start(t: TestContext, options: Parameters<typeof visit>[2] = {}) {
  const { path, people } = await dataFolder(t);
  const { url } = await serveHere(t, path);
  const [owner, hamlet, othello] = people as [Person, Person, Person];
  const ask = async (who: Person, route: string, params: object = {}): Promise<Answer> => {
    const answer = await call(url, who, route, params as Record<string, unknown>);
    assert.equal(answer.status, 200, answer["msg"]);
    return answer;
  };
  const subscriptions = [{ name: "harbour", description: "Boats" }];
  await ask(owner, "POST /users/me/subscriptions", { subscriptions, principals: people.map(({ id }) => id) });
  await ask(owner, "POST /user_groups/create", { name: "crew", description: "", members: [hamlet.id, othello.id] });
  await ask(owner, "POST /realm/profile_fields", { field_type: "1", name: "Cabin" });
  const [{ id: cabin }] = (await ask(owner, "GET /realm/profile_fields"))["custom_fields"];
  await ask(hamlet, "PATCH /users/me/profile_data", { data: [{ id: cabin, value: "North" }] });
  await ask(hamlet, "POST /users/me/status", { status_text: "Thinking it over", emoji_name: "thinking" });
  const say = (content: string, who = hamlet, topic = "regatta") =>
    ask(who, "POST /messages", { type: "channel", to: "harbour", topic, content });
  await say("Ahoy @**Othello** and @*crew*");
  const visited = await visit(t, `${url}/#narrow/channel/1-harbour/topic/regatta`, { as: OWNER_LOGIN, ...options });
  const { page } = visited;
  await page.getByRole("article").filter({ hasText: "Ahoy" }).waitFor();
  const settings = () => ask(owner, "POST /register", { fetch_event_types: ["user_settings"], event_types: [] });
  const setting = async (name: string) => (await settings())["user_settings"][name];
  return { ...visited, url, owner, hamlet, othello, ask, say, setting };
}

const dialog = (page: Page) => page.getByRole("dialog");

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

/** Checks both themes and ends in the light one. */
async function assertFine(page: Page, what: string): Promise<void> {
  await assertAccessibleInBothThemes(page, what, "light");
  await assertFits(page, what);
}

test("people have cards, statuses and a panel next to the conversation", async (t) => {
  const { page, complaints, url, owner, hamlet, othello, ask, say } = await start(t);
  await page.getByRole("button", { name: "Hamlet", exact: true }).click();
  await dialog(page).getByText("Thinking it over").waitFor();
  await dialog(page).getByText("North").waitFor();
  await assertFine(page, "a card");
  assert.match(await dialog(page).locator("a[href^='mailto:']").innerHTML(), /^[^@]+<wbr>@[\w.]+$/);
  await dialog(page).getByRole("button", { name: "crew" }).click();
  await dialog(page)
    .getByText(uiText("chatPeople.members", { count: 2 }))
    .waitFor();
  await dialog(page).getByRole("button", { name: "Othello" }).click();
  await dialog(page).getByRole("button", { name: en.chatPeople.mention }).click();
  const composer = page.getByRole("textbox", { name: likeText(en.chat.compose.placeholder) });
  await until(async () => (await composer.inputValue()) === "@**Othello** " || undefined, "the mention");
  await composer.fill("");

  // Mentions also open by keyboard.
  await page.locator(".user-group-mention").focus();
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("heading", { name: "@crew" }).waitFor();
  // This works before the panel has the focus. The page's own Escape would leave the conversation.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  await composer.waitFor();

  await page.getByRole("button", { name: en.chatPeople.panel.show }).click();
  const panel = page.getByRole("complementary", { name: en.chatPeople.panel.label });
  await panel.getByRole("button", { name: /Cordelia/ }).waitFor();
  await ask(othello, "POST /users/me/presence", { status: "active", new_user_input: true });
  await panel.getByText(uiText("chatPeople.panel.here", { count: 2 })).waitFor();
  await panel.getByLabel(en.chatPeople.panel.find).fill("cord");
  await panel.getByRole("button", { name: /Othello/ }).waitFor({ state: "detached" });
  await assertFine(page, "the third column");
  // In the language with the longest words, the parts fit one line with the close button.
  const speak = async (language: string) => {
    await page.evaluate((chosen) => localStorage.setItem("hearth-language", chosen), language);
    await page.reload();
  };
  const size = page.viewportSize() as { width: number; height: number };
  await speak("de");
  const german = page.getByRole("complementary", { name: de.chatPeople.panel.label });
  for (const width of [1120, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const places = await Promise.all(
      [de.chatPeople.panel.people, de.chatPeople.panel.files, de.chatPeople.panel.search, de.chatPeople.panel.hide].map(
        (name) =>
          german.getByRole("button", { name, exact: true }).evaluate((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            return { left, right, middle: Math.round((top + bottom) / 2), isCut: one.scrollWidth > one.clientWidth };
          }),
      ),
    );
    assert.equal(new Set(places.map(({ middle }) => middle)).size, 1, `one line at ${width}`);
    for (const [at, { left, isCut }] of places.entries())
      assert.ok(!isCut && left >= (places[at - 1]?.right ?? 0), `beside each other and whole at ${width}`);
  }
  await page.setViewportSize(size);
  await speak("en");
  await panel.getByRole("button", { name: en.chatPeople.panel.files, exact: true }).click();
  await panel.getByText(en.chatPeople.panel.noFiles).waitFor();
  const form = new FormData();
  form.append("file", new Blob(["to the harbour"]), "route.txt");
  const { authorization } = othello;
  const uploaded = await fetch(`${url}/api/v1/user_uploads`, {
    method: "POST",
    headers: { authorization },
    body: form,
  });
  await say(`[route.txt](${((await uploaded.json()) as { url: string }).url})`, othello);
  await panel.getByRole("link", { name: "route.txt" }).waitFor();

  // A hit opens in its conversation, and the others stay next to it.
  for (const name of ["keel", "mast", "rudder"]) await say(`The ${name} of the <b>boat</b>`, hamlet, `about ${name}`);
  await panel.getByRole("button", { name: en.chatPeople.panel.search, exact: true }).click();
  // The field is ready immediately.
  await page.keyboard.type("boat sender:hamlet");
  await panel.getByRole("link", { name: /about keel/ }).waitFor();
  assert.deepEqual(await panel.locator("mark").allTextContents(), ["boat", "boat", "boat"]);
  await panel.getByText("The mast of the <b>boat</b>").click();
  await page.getByRole("heading", { name: "about mast" }).waitFor();
  await page.getByRole("article").filter({ hasText: "The mast" }).waitFor();
  assert.equal(await panel.getByRole("link").count(), 3);
  await assertFine(page, "a search in the third column");
  await panel.getByLabel(en.search.onlyHere).check();
  await panel.getByRole("link", { name: /about keel/ }).waitFor({ state: "detached" });
  assert.equal(await panel.getByRole("link").count(), 1);
  await panel.getByLabel(en.search.onlyHere).uncheck();
  await panel.getByRole("link", { name: /about keel/ }).waitFor();

  // The list follows sent, edited, moved and deleted messages.
  const hits = () => panel.getByRole("link").locator("[dir=auto]").allTextContents();
  const toHave = (expected: string[], what: string) =>
    until(async () => isDeepStrictEqual(await hits(), expected) || undefined, what);
  const [keel, mast, rudder] = ["keel", "mast", "rudder"].map((name) => `The ${name} of the <b>boat</b>`);
  await toHave([rudder, mast, keel] as string[], "three hits, the newest first");
  const { id: oars } = await say("The oars of the boat", hamlet, "about oars");
  await say("The oars of the ship", hamlet, "about oars");
  await say("The oars of my boat", othello, "about oars");
  await toHave(["The oars of the boat", rudder, mast, keel] as string[], "the new hit, and no other");
  const change = (params: object, who = hamlet) => ask(who, `PATCH /messages/${oars}`, params);
  await change({ content: "The oars of the barge" });
  await toHave([rudder, mast, keel] as string[], "the edited message to be gone");
  await change({ content: "The oars of a boat" });
  await toHave(["The oars of a boat", rudder, mast, keel] as string[], "the edited message to be back");
  assert.equal(await panel.locator("mark").first().textContent(), "boat");
  await change({ topic: "about rowing" }, owner);
  await panel.getByRole("link", { name: /about rowing/ }).waitFor();
  await toHave(["The oars of a boat", rudder, mast, keel] as string[], "the moved message to stay");
  await assertFine(page, "a search in the third column that follows");
  await panel.getByLabel(en.search.onlyHere).check();
  await toHave([mast] as string[], "the open topic's");
  await change({ topic: "about mast" }, owner);
  await toHave(["The oars of a boat", mast] as string[], "what was moved into it");
  await change({ topic: "about rowing" }, owner);
  await toHave([mast] as string[], "what was moved away to be gone");
  await panel.getByLabel(en.search.onlyHere).uncheck();
  await panel.getByRole("link", { name: /about rowing/ }).waitFor();
  await ask(owner, `DELETE /messages/${oars}`);
  await toHave([rudder, mast, keel] as string[], "the deleted message to be gone");
  await panel.getByLabel(en.search.title).fill("nothing of the kind");
  await panel.getByText(en.views.empty.search).waitFor();
  await panel.getByLabel(en.search.title).fill("sender:nobody");
  const unclear = panel.getByText(uiText("search.unclear.nobody", { term: "sender:nobody" }));
  await unclear.waitFor();
  await panel.getByLabel(en.search.title).fill("");
  await unclear.waitFor({ state: "detached" });
  assert.deepEqual(complaints, [], "the server is not asked what it would refuse");
  await page.goBack();
  for (const width of [390, 900]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `the third column at ${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await panel.getByRole("button", { name: en.chatPeople.panel.hide }).click();

  await page.getByRole("button", { name: uiText("chat.account", { name: "Owner" }) }).click();
  await page.getByRole("link", { name: en.chat.invite }).waitFor();
  await page.getByRole("button", { name: en.chatPeople.status.set }).click();
  await dialog(page).getByRole("button", { name: en.chatPeople.status.ideas.vacation }).click();
  await assertFine(page, "a status");
  await dialog(page).getByRole("button", { name: en.chatPeople.status.save }).click();
  await dialog(page).waitFor({ state: "detached" });
  const status = async () =>
    (await ask(hamlet, "POST /register", { fetch_event_types: ["user_status"], event_types: [] }))["user_status"][
      owner.id
    ];
  const { status_text, emoji_name } = await status();
  assert.deepEqual([status_text, emoji_name], [en.chatPeople.status.ideas.vacation, "palm_tree"]);
  await page.getByRole("button", { name: uiText("chat.account", { name: "Owner" }) }).click();
  await page.getByRole("button", { name: en.chatPeople.status.ideas.vacation }).click();
  await dialog(page).getByRole("button", { name: en.chatPeople.status.clear }).click();
  await dialog(page).waitFor({ state: "detached" });
  assert.equal(await status(), undefined);

  await page.getByRole("button", { name: "Hamlet", exact: true }).click();
  await dialog(page).getByRole("button", { name: en.chatPeople.mute }).click();
  await dialog(page).getByText(en.chatPeople.mutedHint).waitFor();
  await page.keyboard.press("Escape");
  await page.getByText(en.chatPeople.mutedMessage).waitFor();
  await assertNone(page.getByText("Ahoy"));
  await page.getByRole("button", { name: en.chatPeople.showMuted }).click();
  await page.getByRole("button", { name: "Hamlet", exact: true }).click();
  await dialog(page).getByRole("button", { name: en.chatPeople.message }).click();
  await page.getByRole("heading", { name: "Hamlet" }).waitFor();
  assert.deepEqual(complaints, []);

  // Chromium's reasons against installing the page. Test profiles are incognito ones.
  const devtools = await page.context().newCDPSession(page);
  const { errors } = await devtools.send("Page.getAppManifest");
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  const obstacles = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito");
  assert.deepEqual([errors, obstacles], [[], []]);
});

test("changed settings apply immediately", async (t) => {
  const { page, complaints, url, owner, ask, setting } = await start(t);
  await page.getByRole("button", { name: uiText("chat.account", { name: "Owner" }) }).click();
  await page.getByRole("link", { name: en.ownSettingsNames.title }).click();
  await page.getByLabel(en.ownSettings.profile.fullName).fill("Doge");
  await page.getByLabel(en.ownSettings.profile.fullName).press("Enter");
  await page.getByRole("button", { name: uiText("chat.account", { name: "Doge" }) }).waitFor();
  await page.getByLabel("Cabin").fill("South");
  await page.getByLabel("Cabin").blur();
  const cabin = async () => (await ask(owner, "GET /users/me"))["profile_data"];
  await until(async () => JSON.stringify(await cabin()).includes("South") || undefined, "the field");
  const picture = { name: "me.png", mimeType: "image/png", buffer: generatedPicture("me", "medium") };
  await page.locator("input[type=file]").setInputFiles(picture);
  await dialog(page).getByRole("img", { name: en.ownSettings.profile.cropHint }).press("ArrowLeft");
  await assertFine(page, "cutting a picture");
  await dialog(page).getByRole("button", { name: en.ownSettings.profile.use }).click();
  await page.getByRole("button", { name: en.ownSettings.profile.removePicture, exact: true }).click();
  await page
    .getByRole("button", { name: en.ownSettings.profile.removePicture, exact: true })
    .waitFor({ state: "detached" });
  await assertFine(page, "the profile");

  await page.getByRole("link", { name: en.ownSettingsNames.sections.preferences }).click();
  await choose(page, en.userSettings.color_scheme.label, en.userSettings.color_scheme.choices["2"]);
  await page.locator("html[data-mantine-color-scheme=dark]").waitFor();
  assert.equal(await setting("color_scheme"), 2);
  await assertAccessible(page, "the preferences, dark");
  await choose(page, en.userSettings.color_scheme.label, en.userSettings.color_scheme.choices["1"]);
  await page.locator("html[data-mantine-color-scheme=light]").waitFor();
  await choose(page, en.userSettings.web_font_size_px.label, en.userSettings.web_font_size_px.choices["20"]);
  await page.waitForFunction(() => document.documentElement.style.fontSize === "125%");
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `the preferences in larger text at ${width}`);
  }
  const { label, choices } = en.userSettings.web_mark_read_on_scroll_policy;
  await choose(page, label, choices["3"]);
  const marks = async () => (await setting("web_mark_read_on_scroll_policy")) === 3 || undefined;
  await until(marks, "what counts as read to be saved");
  assert.equal(await setting("web_font_size_px"), 20);

  await choose(page, en.ownSettings.language, "Deutsch");
  await page.getByRole("heading", { name: de.ownSettingsNames.title }).waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  await assertFits(page, "the preferences in German");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await page.getByRole("heading", { name: de.ownSettingsNames.title }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
  assert.equal(await setting("default_language"), "de");
  await choose(page, de.ownSettings.language, "English");

  await page.getByRole("link", { name: en.ownSettingsNames.sections.account }).click();
  await page.getByRole("heading", { name: en.ownSettings.groups.privacy }).waitFor();
  await assertFine(page, "the account");
  await page.getByLabel(en.userSettings.presence_enabled.label).setChecked(false, { force: true });
  await until(async () => (await setting("presence_enabled")) === false || undefined, "the switch");
  const passwordForm = page.locator("form").filter({ has: page.getByLabel(en.ownSettings.account.newPassword) });
  await passwordForm.getByLabel(en.ownSettings.account.oldPassword).fill("wrong");
  await passwordForm.getByLabel(en.ownSettings.account.newPassword).fill("a new long secret");
  await page.getByRole("button", { name: en.ownSettings.account.changePassword }).click();
  await passwordForm
    .getByText(/wrong|not right|incorrect/i)
    .first()
    .waitFor();

  await page.getByRole("link", { name: en.ownSettingsNames.sections.access }).click();
  await page.getByRole("heading", { name: en.ownSettings.access.key }).waitFor();
  await page.getByLabel(en.ownSettings.account.oldPassword).fill(PASSWORD);
  await page.getByRole("button", { name: en.ownSettings.access.show }).click();
  const key = page.locator("code", { hasText: /^\w{32}$/ });
  await key.waitFor();
  const before = await key.textContent();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: en.ownSettings.access.zuliprc }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "zuliprc");
  await assertFine(page, "the key");
  const elsewhere = new URLSearchParams({ username: "owner@example.com", password: PASSWORD });
  const signedIn = await fetch(`${url}/host/session`, { method: "POST", body: elsewhere });
  const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] as string;
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.getByText(en.sessions.current).waitFor();
  await page.getByRole("button", { name: uiText("sessions.endNamed", { name: en.sessions.unknown }) }).click();
  await page.getByText(en.sessions.ended).waitFor();
  await page
    .getByRole("button", { name: uiText("sessions.endNamed", { name: en.sessions.unknown }) })
    .waitFor({ state: "detached" });
  assert.equal((await fetch(`${url}/api/v1/users/me`, { headers: { cookie } })).status, 401);
  await page.getByRole("button", { name: en.ownSettings.access.end }).click();
  await page.getByRole("button", { name: en.ownSettings.access.confirm }).click();
  await page.getByText(en.ownSettings.access.ended).waitFor();
  assert.notEqual(await key.textContent(), before);
  assert.equal((await call(url, owner, "GET /users/me")).status, 401, "the old key is void");
  await page.reload();
  await page.getByRole("button", { name: uiText("chat.account", { name: "Doge" }) }).waitFor();
  const unexpected = complaints.filter((complaint) => !/status of 40[01]/.test(complaint));
  assert.deepEqual(unexpected, []);
});

/** Records each notification that the page shows, instead of showing it. */
const NOTING = `
  window.noted = [];
  window.Notification = class {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, { body }) { window.noted.push(title + ": " + body); }
    close() {}
  };
`;

test("one tab notifies by channel and topic settings", async (t) => {
  const { page, complaints, url, ask, say, hamlet, owner } = await start(t, { before: NOTING });
  const noted = (tab: Page) => tab.evaluate(() => (window as unknown as { noted: string[] }).noted);
  const other = await page.context().newPage();
  await other.goto(`${url}/#inbox`);
  await other.getByRole("heading", { name: en.views.inbox }).waitFor();
  const all = async () => [...(await noted(page)), ...(await noted(other))];
  const becomes = (wanted: string[]) =>
    until(async () => JSON.stringify((await all()).sort()) === JSON.stringify(wanted) || undefined, `${wanted}`);
  const direct = (content: string) => ask(hamlet, "POST /messages", { type: "direct", to: [owner.id], content });
  await direct("Are you **there**?");
  await becomes(["Hamlet: Are you there?"]);

  await page.bringToFront();
  await page.getByRole("button", { name: en.channelDialog.open }).click();
  await assertFine(page, "the channel's settings");
  const label = en.subscriptionSettings.notices.desktop_notifications;
  await choose(page, label, en.subscriptionSettings.on);
  await page.getByText(uiText("saving.savedNamed", { name: label })).waitFor();
  await say("To all who sail", hamlet, "weather");
  await becomes([
    `${uiText("chatNotifications.inTopic", { name: "Hamlet", channel: "harbour", topic: "weather" })}: To all who sail`,
    "Hamlet: Are you there?",
  ]);
  await dialog(page).getByLabel(en.subscriptionSettings.switches.is_muted).setChecked(true, { force: true });
  await page.locator("[data-muted=true]").filter({ hasText: "harbour" }).first().waitFor();
  await say("Nobody hears this", hamlet, "weather");
  await direct("But this :tada:\n\n```spoiler The end\nall drown\n```");
  await becomes([
    `${uiText("chatNotifications.inTopic", { name: "Hamlet", channel: "harbour", topic: "weather" })}: To all who sail`,
    "Hamlet: Are you there?",
    "Hamlet: But this 🎉 The end", // without the spoiler's contents
  ]);
  await page.keyboard.press("Escape");

  await page.goto(`${url}/#settings/notifications`);
  await page.getByText(en.ownSettings.desktop.granted).waitFor();
  await assertFine(page, "the settings of notifications");
  await page.getByRole("button", { name: en.ownSettings.test.send }).first().click();
  await until(async () => (await noted(page)).some((text) => text.startsWith(en.chatNotifications.test)), "the test");
  await page.getByLabel(en.ownSettings.alertWords.word).fill("regatta");
  await page.getByRole("button", { name: en.ownSettings.alertWords.add }).click();
  await page.getByRole("button", { name: uiText("ownSettings.alertWords.remove", { word: "regatta" }) }).click();
  await page
    .getByRole("button", { name: uiText("ownSettings.alertWords.remove", { word: "regatta" }) })
    .waitFor({ state: "detached" });
  await choose(
    page,
    en.userSettings.desktop_icon_count_display.label,
    en.userSettings.desktop_icon_count_display.choices["4"],
  );
  await page.waitForFunction(() => !document.title.startsWith("("));
  await choose(
    page,
    en.userSettings.desktop_icon_count_display.label,
    en.userSettings.desktop_icon_count_display.choices["3"],
  );
  await page.waitForFunction(() => document.title.startsWith("(2)"));
  await page.waitForFunction(() => document.querySelector("link[rel=icon]")?.getAttribute("href")?.startsWith("data:"));
  await page.getByRole("button", { name: en.ownSettings.quiet.hour }).click();
  await page.getByText(likeText(en.ownSettings.quiet.until)).waitFor();
  await direct("In silence");
  await page.waitForFunction(() => document.title.startsWith("(3)"));
  assert.equal((await all()).length, 4);
  assert.deepEqual(complaints, []);
});
