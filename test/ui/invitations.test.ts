/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import { en } from "../../ui/locales/en.ts";
import { assertAccessible, visit } from "../support/browser.ts";
import { startChat } from "../support/chat.ts";
import { join, tokenIn } from "../support/joining.ts";
import { uiText } from "../support/ui-texts.ts";

test("Overview creates, shows, uses and revokes an invitation link", async (t) => {
  const chat = await startChat(t, {
    unwatched: true,
    channels: [{ name: "general" }, { name: "regatta" }, { name: "kitchen" }],
  });
  await chat.as("desdemona").post("/default_streams", { stream_id: chat.ids["general"] });
  const { page, complaints } = await visit(t, `${chat.url}/admin/`, {
    as: { email: "desdemona@example.com", password: "secret-desdemona" },
  });
  const section = page.getByRole("region", { name: en.invitations.title });

  await section.getByRole("button", { name: en.invitations.action, exact: true }).click();
  const form = page.getByRole("dialog", { name: en.invitations.action });
  await form.getByRole("switch", { name: en.invite.defaults, checked: true }).waitFor();
  await form.getByText("general", { exact: true }).waitFor();
  assert.deepEqual(await form.getByLabel(en.invitations.role).locator("option").allTextContents(), [
    en.roles.guest,
    en.roles.member,
    en.roles.moderator,
    en.roles.administrator,
    en.roles.owner,
  ]);
  await form.getByLabel(en.invite.worksFor).selectOption(uiText("invitations.days", { count: 30 }));
  await form.getByRole("combobox", { name: en.invitations.moreChannels }).fill("reg");
  await page.getByRole("option", { name: "regatta" }).waitFor();
  assert.deepEqual(
    await page.getByRole("listbox").getByRole("option").allTextContents(),
    ["regatta"],
    "general is granted anyway",
  );
  await page.getByRole("option", { name: "regatta" }).click();
  await page.keyboard.press("Tab");
  await assertAccessible(page, "the form of an invitation");
  await form.getByRole("button", { name: en.invite.make }).click();

  const shown = page.getByRole("dialog", { name: en.invitations.linkFor.member });
  const link = (await shown.locator("code").textContent()) ?? "";
  await shown.getByText(en.invitations.linkLocal).waitFor();
  await shown.getByRole("button", { name: en.invitations.done }).click();
  await section.getByRole("button", { name: en.invitations.action, exact: true }).and(page.locator(":focus")).waitFor();
  await section.getByText(en.invitations.linkFor.member).waitFor();
  await section.getByText("in 30 days").waitFor();
  await section.getByText("by Desdemona").waitFor();
  await section.getByText(uiText("invitations.links", { count: 1 })).waitFor();
  await section.getByText(en.invitations.nobody).waitFor();
  await assertAccessible(page, "Overview with an invitation");

  const ann = await join(chat, tokenIn(link), "ann");
  assert.equal(ann.status, 200, ann.msg);
  await section.getByText(uiText("invitations.joined", { names: "Ann", count: 1 })).waitFor();
  const channels = await chat.as("desdemona").get(`/users/${ann.user_id}/subscriptions/${chat.ids["regatta"]}`);
  assert.equal(channels["is_subscribed"], true);

  // Other users' changes appear as well.
  const invited = await chat.as("iago").post("/invites", { invitee_emails: "bo@example.org", stream_ids: [] });
  await section.getByText("bo@example.org").waitFor();
  await section.getByRole("button", { name: uiText("invitations.showNamed", { name: "bo@example.org" }) }).click();
  const own = page.getByRole("dialog", { name: "bo@example.org" });
  assert.equal(await own.locator("code").textContent(), invited["invitations"][0].invite_link);
  await page.keyboard.press("Escape");

  await section
    .getByRole("button", { name: uiText("invitations.revokeNamed", { name: en.invitations.linkFor.member }) })
    .click();
  const question = page.getByRole("dialog", { name: en.invitations.revokeTitle });
  await question.getByRole("button", { name: en.invitations.keep }).click();
  await section
    .getByRole("button", { name: uiText("invitations.revokeNamed", { name: en.invitations.linkFor.member }) })
    .and(page.locator(":focus"))
    .click();
  await question.getByRole("button", { name: en.invitations.revokeAction }).click();
  await section.getByText(en.invitations.linkFor.member).waitFor({ state: "detached" });
  await section.getByRole("button", { name: en.invitations.action, exact: true }).and(page.locator(":focus")).waitFor();
  assert.equal((await join(chat, tokenIn(link), "bea")).status, 404);
  assert.deepEqual(complaints, []);
});

test("a link for one email address says that it works once", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  // For members, the page shows links with the network URL.
  const as = { email: "laertes@example.com", password: "a sword and a cup" };
  await chat.as("desdemona").post("/users", { ...as, full_name: "Laertes" });
  const { page } = await visit(t, `${chat.url}/admin/#/invitations`, { as });
  await page.getByRole("button", { name: en.invitations.action }).click();
  await page.getByLabel(en.invite.emails).fill("horatio@example.org");
  await page.getByRole("button", { name: en.invite.make }).click();
  await page.getByText(uiText("invitations.linkLeadOne", { email: "horatio@example.org" })).waitFor();
});

test("several links are copied at once or sent one by one", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const as = { email: "desdemona@example.com", password: "secret-desdemona" };
  const { page } = await visit(t, `${chat.url}/admin/#/invitations`, { as });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: en.invitations.action }).click();
  await page.getByText(en.invite.email, { exact: true }).click();
  await page.getByLabel(en.invite.emails).fill("ann@example.org, bo@example.org");
  await page.getByRole("button", { name: en.invite.make }).click();
  const shown = page.getByRole("dialog", { name: en.invite.links });
  await shown.getByText(en.invitations.linkLocal).waitFor();
  await shown.getByRole("button", { name: en.invite.copyAll }).click();
  const links = await shown.locator("code").allTextContents();
  assert.equal(
    await page.evaluate(() => navigator.clipboard.readText()),
    `ann@example.org: ${links[0]}\nbo@example.org: ${links[1]}`,
  );
  const mail = shown.getByRole("link", { name: uiText("invite.mailTo", { email: "bo@example.org" }) });
  const url = new URL((await mail.getAttribute("href")) ?? "");
  assert.deepEqual([url.protocol, decodeURIComponent(url.pathname)], ["mailto:", "bo@example.org"]);
  assert.ok(url.searchParams.get("body")?.includes(links[1] ?? ""));
});
