import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, assertNone, intercept } from "../support/browser.ts";
import { openPhone, polledTexts } from "../support/ntfy-client.ts";
import { likeText, uiText } from "../support/ui-texts.ts";
import { enter, GUEST, OWNER, startVenue, type Venue } from "../support/venue.ts";

const texts = en.ownSettings.phone;
const SETTINGS = "#settings/notifications";
/** An address in the network. */
const NETWORK = "http://192.168.1.20:9400";

/** Shows the page as if it was opened at the address in the network. */
const atNetwork = (page: Page, { url }: Venue) =>
  intercept(page, /\/users\/me\/ntfy$/, async (route) => {
    if (route.request().method() === "DELETE") return route.continue();
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(new URL(url).host, new URL(NETWORK).host);
    await route.fulfill({ response, body });
  });

const button = (page: Page, name: string) =>
  page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: texts.title, exact: true }) })
    .getByRole("button", { name, exact: true });

async function openSettings(t: Parameters<typeof enter>[0], venue: Venue, who = OWNER): Promise<Page> {
  const { page } = await enter(t, venue, who, "#inbox");
  await atNetwork(page, venue);
  await page.evaluate((hash) => window.location.assign(hash), SETTINGS);
  await page.getByRole("heading", { name: texts.title }).waitFor();
  return page;
}

test("the settings connect a phone and send it a test", async (t) => {
  const venue = await startVenue(t);
  const page = await openSettings(t, venue);
  await button(page, texts.setUp).click();
  await page.getByText(texts.notConnected).waitFor();
  const link = await page.getByRole("img", { name: likeText(en.qrCode.of) }).getAttribute("aria-label");
  const [, topic = ""] =
    /ntfy:\/\/192\.168\.1\.20:9400\/(hearth-[\w-]+)\?display=\S+&secure=false/.exec(link ?? "") ?? [];
  await page.getByText(topic, { exact: true }).waitFor();
  await page.getByText(NETWORK, { exact: true }).waitFor();
  await assertAccessibleInBothThemes(page, "a phone in the settings");
  const phone = await openPhone(t, `${venue.url}/${topic}/json`);
  await page.getByText(uiText("ownSettings.phone.connected", { count: 1 })).waitFor();
  await button(page, en.ownSettings.test.send).click();
  assert.equal((await phone.next())?.title, en.chatNotifications.test);
  await page.getByText(texts.tested).waitFor();
});

test("a replaced topic reaches other tabs, and turning off ends it", async (t) => {
  const venue = await startVenue(t);
  const page = await openSettings(t, venue, GUEST);
  const other = await openSettings(t, venue, GUEST);
  await button(page, texts.setUp).click();
  const first = await topicIn(other);
  await button(page, texts.replace).click();
  await page.getByText(texts.replaceHint).waitFor();
  await button(page, texts.replaceSure).click();
  await other.getByText(first, { exact: true }).waitFor({ state: "detached" });
  const second = await topicIn(other);
  assert.deepEqual(await polledTexts(`${venue.url}/${second}`), []);
  await assert.rejects(openPhone(t, `${venue.url}/${first}/json`), /403/);
  await button(page, texts.off).click();
  await button(page, texts.offSure).click();
  await button(other, texts.setUp).waitFor();
  await assert.rejects(openPhone(t, `${venue.url}/${second}/json`), /403/);
});

const topicIn = async (page: Page): Promise<string> =>
  (await page.locator("code", { hasText: /^hearth-\d+-\w{32}$/ }).textContent()) ?? "";

test("a page at a local address explains where to set up a phone", async (t) => {
  const venue = await startVenue(t);
  const { page } = await enter(t, venue, OWNER, SETTINGS);
  await page.getByText(texts.local).waitFor();
  await page.getByRole("link", { name: en.ownSettings.devices.toNetwork }).first().waitFor();
  await assertNone(button(page, texts.setUp));
});

test("the phone's settings fit a phone, with a link instead of a code", async (t) => {
  const venue = await startVenue(t);
  const page = await openSettings(t, venue);
  await page.setViewportSize({ width: 390, height: 844 });
  await button(page, texts.setUp).click();
  const link = page.getByRole("link", { name: texts.open });
  await link.waitFor();
  assert.match((await link.getAttribute("href")) ?? "", /^ntfy:\/\//);
  assert.equal(await page.getByRole("img", { name: likeText(en.qrCode.of) }).isVisible(), false);
  await assertFits(page, "a phone in the settings");
});
