import assert from "node:assert/strict";
import test from "node:test";
import { en } from "../../ui/locales/en.ts";
import { assertAccessible, assertFits, assertNone, intercept, visit } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { call } from "../support/server-process.ts";
import { uiText } from "../support/ui-texts.ts";
import { CLEO, composer, enter, inTopic, messageWith, signIn, startVenue } from "../support/venue.ts";

test("without an organization the chat leads to first run", async (t) => {
  const venue = await startVenue(t);
  const { page } = await visit(t, "about:blank");
  const session = { setup: true, code_needed: false, data_folder: "", at_desktop: false, user: null };
  await intercept(page, "**/host/session", (route) =>
    route.fulfill({ json: { result: "success", msg: "", ...session } }),
  );
  await page.goto(venue.url);
  await page.waitForURL(`${venue.url}/admin/`);
});

test("a session ended elsewhere leads to the sign-in page", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, CLEO);
  await page.context().clearCookies();
  await page.reload();
  await page.getByRole("heading", { name: uiText("signIn.titleNamed", { organization: "Venice" }) }).waitFor();
  await signIn(page, CLEO);
  await page.getByRole("button", { name: uiText("chat.account", { name: "Cleo Patra" }) }).click();
  await assertNone(page.getByRole("link", { name: en.chat.manage }), "members manage nothing");
  await page.getByRole("button", { name: en.chat.signOut }).click();
  await page.getByRole("heading", { name: uiText("signIn.titleNamed", { organization: "Venice" }) }).waitFor();

  // Without an account, a web-public channel opens with a sign-in button.
  await venue.say(venue.cleo, "The race is at **ten**");
  const open = new URLSearchParams({ WEB_PUBLIC_STREAMS_ENABLED: "true" });
  await fetch(`${venue.url}/host/settings`, {
    method: "PATCH",
    headers: { authorization: venue.owner.authorization },
    body: open,
  });
  for (const [route, params] of [
    ["PATCH /realm", { enable_spectator_access: true }],
    [`PATCH /streams/${venue.channelId}`, { is_web_public: true }],
  ] as const)
    assert.equal((await call(venue.url, venue.owner, route, params)).status, 200, route);
  await page.goto(`${venue.url}/#inbox`);
  await page.reload();
  await page
    .getByRole("link", { name: /^harbour/ })
    .last()
    .click();
  await messageWith(page, "The race is at ten").hover();
  await assertNone(page.getByRole("toolbar"), "nothing is done with messages");
  await assertNone(page.getByRole("textbox"), "nothing is written");
  await assertAccessible(page, "a channel without an account");
  await page.setViewportSize({ width: 320, height: 700 });
  await assertFits(page, "a channel without an account");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press("/");
  const search = page.getByRole("combobox", { name: en.search.title });
  await search.fill("is:");
  await page.getByRole("option", { name: /is:resolved/ }).waitFor();
  assert.equal(await page.getByRole("option").count(), 2, "the other marks are people's own");
  await search.fill("ten");
  await search.press("Enter");
  await page.getByRole("heading", { name: "ten" }).waitFor();
  await messageWith(page, "The race is at ten").waitFor();

  // The page retries a failing or silent server.
  const { page: visitor } = await visit(t, "about:blank");
  await visitor.clock.install();
  for (const isHeld of [false, true]) {
    let asked = 0;
    await intercept(visitor, "**/server_settings", (route) => {
      asked += 1;
      if (asked > 1) return route.continue();
      return isHeld ? undefined : route.fulfill({ status: 503, json: { result: "error", msg: "Starting" } });
    });
    await visitor.goto(`${venue.url}/#inbox`);
    await until(() => asked > 0 || undefined, "the first question");
    if (isHeld) {
      assert.equal(await visitor.getByLabel(en.signIn.email).count(), 0, "nothing is decided yet");
      await visitor.clock.fastForward(10_000);
    }
    await visitor
      .getByRole("link", { name: /^harbour/ })
      .first()
      .waitFor();
    assert.equal(asked, 2);
    await visitor.unroute("**/server_settings");
    await visitor.goto("about:blank");
  }

  // The day separators follow midnight.
  await visitor.goto(`${venue.url}/${inTopic(venue)}`);
  await visitor.getByText("Today", { exact: true }).waitFor();
  await visitor.clock.fastForward("24:00:00");
  await visitor.getByText("Yesterday", { exact: true }).waitFor();

  // A key also opens help.
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: en.help.titles.keys }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.goto(`${venue.url}/#narrow/channel/99`);
  await page.getByText(en.spectator.hidden).waitFor();
  await page.goto(`${venue.url}/#narrow/smell/sweet`);
  await page.getByRole("button", { name: en.unclearAddress.search }).waitFor();
  await assertNone(page.getByRole("button", { name: en.unclearAddress.toInbox }), "there is none without an account");
  await page.goto(`${venue.url}/${inTopic(venue)}`);
  const toSignIn = page
    .getByRole("region", { name: en.chat.conversation })
    .getByRole("button", { name: en.spectator.signIn });
  await toSignIn.click();
  await page.getByRole("button", { name: en.spectator.back }).click();
  await toSignIn.click();
  await signIn(page, CLEO);
  await composer(page).waitFor();
  await messageWith(page, "The race is at ten").waitFor();
});
