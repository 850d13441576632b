import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, assertNone, intercept, visit } from "../support/browser.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { joined, linkFor, linkOf } from "../support/joining.ts";
import { importSmall } from "../support/small-import.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

const WIDTHS = [360, 800, 1440, 2560];
const WRONG = "a".repeat(43);
const PASSWORD = "blue horse battery";
const ANN = { [en.join.full_name]: "Ann", [en.join.email]: "ann@example.org", [en.password.label]: PASSWORD };

const pageOf = (chat: Chat, token: string) => `${chat.url}/join/${token}/`;

async function fill(page: Page, answers: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(answers)) await page.getByLabel(label, { exact: true }).fill(value);
}

const submit = (page: Page) => page.getByRole("button", { name: likeText(en.join.submit) }).click();

const inChat = (page: Page) => page.getByRole("button", { name: uiText("chat.account", { name: "Ann" }) }).waitFor();

async function wrongWith(page: Page, field: string): Promise<string> {
  const ids = await page.locator(`[name=${field}][aria-invalid=true]`).getAttribute("aria-describedby");
  const texts = (ids ?? "").split(/\s+/).map((id) => page.locator(`[id="${id}"]`).textContent());
  return (await Promise.all(texts)).join(" ");
}

test("a stranger joins by link and keyboard alone", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general" }] });
  const token = await linkOf(chat, "desdemona", { stream_ids: [chat.ids.general] });
  const { page, complaints } = await visit(t, "about:blank");
  const requests: { url: string; referer: string | undefined }[] = [];
  page.on("request", (request) => requests.push({ url: request.url(), referer: request.headers()["referer"] }));
  await page.goto(pageOf(chat, token));
  await page.getByRole("heading", { name: uiText("join.title", { organization: "Venice" }) }).waitFor();
  await page.getByText(uiText("join.invitedBy", { name: "Desdemona" })).waitFor();
  assert.equal(
    await page.title(),
    uiText("app.overviewTitle", { organization: uiText("join.title", { organization: "Venice" }) }),
  );
  assert.equal(
    await page.getByRole("link", { name: en.join.signIn }).getAttribute("href"),
    "/",
    "for who has an account",
  );
  await page.locator("[name=full_name]:focus").waitFor();
  for (const text of Object.values(ANN)) {
    const ring = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
    assert.equal(ring, "solid");
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await page.getByRole("button", { name: en.password.show }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");

  await page
    .getByRole("textbox", { name: uiText("chat.compose.placeholder", { title: "general" }) })
    .and(page.locator(":focus"))
    .waitFor();
  assert.equal(new URL(page.url()).hash, `#narrow/channel/${chat.ids.general}-general`);
  await page.keyboard.type("Hello, everybody");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("article").filter({ hasText: "Hello, everybody" }).waitFor();

  assert.deepEqual(complaints, []);
  assert.deepEqual(
    requests.filter(
      ({ url, referer }) => referer?.includes(token) || (url.includes(token) && url !== pageOf(chat, token)),
    ),
    [],
    "the token is in no address but the page's own, and in no Referer",
  );
});

test("errors appear at their fields and keep the input", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const { page } = await visit(t, pageOf(chat, await linkOf(chat, "desdemona")));
  await submit(page);
  await page.locator("[name=full_name]:focus").waitFor();
  assert.match(await wrongWith(page, "full_name"), likeText(en.errors.missing.ownName));
  assert.match(await wrongWith(page, "email"), likeText(en.errors.missing.owner_email));
  assert.match(await wrongWith(page, "password"), likeText(en.errors.missing.password));
  await fill(page, { ...ANN, [en.join.email]: "IAGO@example.com" });
  await submit(page);
  await page.locator("[name=email]:focus").waitFor();
  assert.match(await wrongWith(page, "email"), /already in use/);
  await fill(page, { [en.join.email]: "ann@example.org", [en.password.label]: "password" });
  await page
    .getByText(uiText("password.strength", { strength: en.password.veryWeak }))
    .first()
    .waitFor();
  await submit(page);
  await page.locator("[name=password]:focus").waitFor();
  assert.match(await wrongWith(page, "password"), /too easy to guess/);
  await fill(page, { [en.password.label]: PASSWORD, [en.join.full_name]: "A*nn" });
  await submit(page);
  await page.locator("[name=full_name]:focus").waitFor();
  assert.match(await wrongWith(page, "full_name"), /can't contain/);
  assert.equal(await page.getByLabel(en.join.email).inputValue(), "ann@example.org");
});

test("an invitation by email fixes the email address and shows the role", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const token = await linkFor(chat, "iago", "ann@example.org", { invite_as: 600 });
  const { page } = await visit(t, pageOf(chat, token));
  await page.getByText(en.join.asGuest).waitFor();
  const email = page.getByLabel(en.join.email);
  assert.deepEqual([await email.inputValue(), await email.isEditable()], ["ann@example.org", false]);
  await fill(page, { [en.join.full_name]: "Ann", [en.password.label]: PASSWORD });
  await submit(page);
  await inChat(page);
  await page.goto(pageOf(chat, token));
  await page.getByRole("heading", { name: en.join.invalidLink.title }).waitFor();
});

test("an invalid or revoked link explains what to do", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const token = await linkOf(chat, "desdemona");
  const { page } = await visit(t, pageOf(chat, WRONG));
  await page.getByRole("heading", { name: en.join.invalidLink.title }).and(page.locator(":focus")).waitFor();
  await page.getByText(en.join.invalidLink.ask).waitFor();
  await assertNone(page.getByRole("textbox"));
  await page.goto(pageOf(chat, token));
  await fill(page, ANN);
  const [{ id }] = (await chat.as("desdemona").get("/invites")).invites;
  await chat.as("desdemona").delete(`/invites/multiuse/${id}`);
  await submit(page);
  await page.getByRole("heading", { name: en.join.invalidLink.title }).waitFor();
});

test("without a link, the page asks for a required invitation", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const { page } = await visit(t, `${chat.url}/join`);
  await page.getByRole("heading", { name: en.join.closed.title }).waitFor();
  await chat.as("desdemona").patch("/realm", { invite_required: false });
  await page.reload();
  await page.getByText(en.join.open).waitFor();
  await fill(page, ANN);
  await submit(page);
  await inChat(page);
});

test("rate limits and lost connections are explained", async (t) => {
  const chat = await startChat(t, { rateLimit: "on", unwatched: true });
  const token = await linkOf(chat, "desdemona");
  const { page } = await visit(t, pageOf(chat, token));
  await fill(page, ANN);
  await intercept(page, "**/host/join", (route) => route.abort());
  await submit(page);
  await page.getByRole("alert").getByText(en.errors.offlineForm).waitFor();
  assert.equal(await page.getByLabel(en.join.full_name).inputValue(), "Ann");
  await intercept(page, "**/host/join/open", (route) => route.abort());
  await page.reload();
  await page.getByRole("alert").getByText(en.errors.offline).waitFor(); // nothing was typed
  await page.unroute("**/host/join/open");
  for (let at = 0; at < 30; at += 1) await fetch(pageOf(chat, `${at}`.padStart(43, "b")));
  await page.reload();
  await page.getByRole("alert").getByText(likeText(en.errors.throttled)).waitFor();
  await page.getByRole("button", { name: en.app.tryAgain }).waitFor();
});

const scenes: Record<string, (page: Page, chat: Chat, token: string) => Promise<void>> = {
  empty: (page) => page.getByRole("heading", { name: uiText("join.title", { organization: "Venice" }) }).waitFor(),
  async wrong(page) {
    await submit(page);
    await fill(page, { [en.password.label]: "weak pass" });
    await page.getByText("Strength:").first().waitFor();
  },
  async void(page, chat) {
    await page.goto(pageOf(chat, WRONG));
    await page.getByRole("heading", { name: en.join.invalidLink.title }).waitFor();
  },
};

test("every state of the page is accessible in both themes and fits", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const token = await linkOf(chat, "desdemona");
  const { page, complaints } = await visit(t, pageOf(chat, token), { colorScheme: "light" });
  const linksHaveColour = async (what: string) =>
    assert.deepEqual(await page.evaluate(linksOfOtherColours), [], `links have the theme's colour: ${what}`);
  for (const [name, show] of Object.entries(scenes)) {
    await show(page, chat, token);
    await linksHaveColour(`${name}, light`);
    await assertAccessibleInBothThemes(page, name);
    await linksHaveColour(`${name}, dark`);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await assertFits(page, `${name} at ${width} px`);
    }
    await page.emulateMedia({ colorScheme: "light" });
    await page.locator("html[data-mantine-color-scheme=light]").waitFor();
  }
  assert.deepEqual(
    complaints.filter((text) => !/status of 4\d\d/.test(text)),
    [],
  );
});

/** Links in another color than the theme's. */
function linksOfOtherColours(): string[] {
  const sample = document.body.appendChild(document.createElement("span"));
  sample.style.color = "var(--mantine-color-anchor)";
  const { color } = getComputedStyle(sample);
  sample.remove();
  const links = [...document.querySelectorAll("a:not([class])")];
  return links.filter((one) => getComputedStyle(one).color !== color).map((one) => one.textContent ?? "");
}

test("a reusable link shows the form again after use", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const token = await linkOf(chat, "desdemona");
  await joined(chat, token, "ann");
  const { page } = await visit(t, pageOf(chat, token));
  await page.getByRole("heading", { name: uiText("join.title", { organization: "Venice" }) }).waitFor();
});

test("an imported person takes over the account", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const { stubId } = importSmall(chat);
  const { invitations } = await chat.as("desdemona").post("/host/claim-invitations", { user_ids: [stubId] });
  const { page } = await visit(t, invitations[0].invite_link);
  await page.getByRole("heading", { name: en.join.claimTitle }).waitFor();
  assert.equal(await page.getByLabel(en.join.full_name).inputValue(), "Yorick");
  assert.equal(await page.getByLabel(en.join.email).inputValue(), "yorick@example.com");
  await fill(page, { [en.join.full_name]: "Ann", [en.password.label]: PASSWORD });
  await page.getByRole("button", { name: en.join.claimSubmit }).click();
  await inChat(page);
  assert.equal((await chat.as("desdemona").get(`/users/${stubId}`))["user"].full_name, "Ann");
});
