import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { visit } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { call, dataFolder, type Person, serveHere } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

const TABS = 8;

test("eight tabs of one browser are live and sign in and out together", async (t) => {
  const { path, people } = await dataFolder(t);
  const { url } = await serveHere(t, path);
  const [owner, hamlet] = people as [Person, Person];
  const hostState = async () => {
    const headers = { authorization: owner.authorization };
    return (await (await fetch(`${url}/host/state`, { headers })).json()) as {
      online: { people: { full_name: string }[] };
      queues: { total: number; waiting: number; pages: { total: number; waiting: number } };
    };
  };
  const subscriptions = JSON.stringify([{ name: "harbour" }]);
  const principals = JSON.stringify([owner.id, hamlet.id]);
  await call(url, owner, "POST /users/me/subscriptions", { subscriptions, principals });

  const signIn = async (page: Page) => {
    await page.getByLabel(en.signIn.email).fill("owner@example.com");
    await page.getByLabel(en.password.label, { exact: true }).fill("secret-owner");
    await page.keyboard.press("Enter");
  };

  const { page: first, complaints } = await visit(t, `${url}/admin/`);
  await signIn(first);
  await first.getByText(likeText(en.topBar.runningSince)).waitFor();
  const online = async () => (await hostState()).online.people.map(({ full_name }) => full_name);
  assert.deepEqual(await online(), [], "who looks after the server is not there to chat");

  const chats: Page[] = [];
  for (let n = 0; n < TABS; n += 1) {
    const page = await first.context().newPage();
    await page.goto(`${url}/#inbox`);
    await page.getByRole("link", { name: "harbour", exact: true }).first().waitFor();
    chats.push(page);
  }
  await call(url, hamlet, "POST /messages", { type: "channel", to: "harbour", topic: "regatta", content: "Ahoy" });
  for (const page of chats)
    await page.getByRole("link", { name: `harbour ${uiText("chat.unread", { count: 1 })}` }).waitFor();
  assert.deepEqual(await online(), ["Owner"]);
  await until(async () => {
    const { total, waiting, pages } = (await hostState()).queues;
    return (total === 1 && waiting === 1 && pages.total === 1 && pages.waiting === 1) || undefined;
  }, "one queue for the chats, and one for the admin window");

  // A message sent in one tab has its "sent" mark there and appears in the others.
  const [writer, reader] = chats as [Page, Page];
  for (const page of [writer, reader]) {
    await page
      .getByRole("link", { name: /^harbour/ })
      .first()
      .click();
    await page.getByRole("article").filter({ hasText: "Ahoy" }).waitFor();
  }
  await writer
    .getByRole("link", { name: /^regatta/ })
    .first()
    .click();
  await writer
    .getByRole("textbox", { name: uiText("chat.compose.placeholder", { title: "regatta" }) })
    .fill("Ahoy yourself");
  await writer.getByRole("button", { name: en.chat.compose.send, exact: true }).click();
  for (const page of [writer, reader]) {
    await page.locator("[data-message-id]").filter({ hasText: "Ahoy yourself" }).waitFor();
    await page.getByText(en.chat.outgoing.sending).waitFor({ state: "detached" });
    assert.equal(await page.getByText("Ahoy yourself").count(), 1);
  }

  await writer.getByRole("button", { name: uiText("chat.account", { name: "Owner" }) }).click();
  await writer.getByRole("button", { name: en.chat.signOut }).click();
  for (const page of [...chats, first])
    await page.getByRole("heading", { name: uiText("signIn.titleNamed", { organization: "Venice" }) }).waitFor();
  await until(async () => {
    const { waiting, pages } = (await hostState()).queues;
    return waiting + pages.waiting === 0 || undefined;
  }, "no poll left");
  await signIn(writer);
  await first.getByText(likeText(en.topBar.runningSince)).waitFor();
  for (const page of chats) await page.getByRole("navigation", { name: en.chat.conversations }).waitFor();
  assert.deepEqual(complaints, []);
});
