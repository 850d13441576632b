import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { intercept, type Login, signInAs, visit } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { dataFolder, OWNER_LOGIN, serveHere } from "../support/server-process.ts";

// A browser drops its downloads when its machine joins or leaves a network.

interface Losing {
  page: Page;
  losses(): number;
}

/** The admin window of a server that loses the matching files this many times each. */
async function losing(t: TestContext, lost: RegExp, times = 1, as?: Login): Promise<Losing> {
  const { path } = await dataFolder(t);
  const { url } = await serveHere(t, path);
  const { page } = await visit(t, "about:blank");
  const counts = new Map<string, number>();
  await intercept(page, lost, (route) => {
    const name = route.request().url();
    const count = counts.get(name) ?? 0;
    if (count >= times) return route.continue();
    counts.set(name, count + 1);
    return route.abort("connectionreset");
  });
  if (as) await signInAs(page, url, as);
  await page.goto(`${url}/admin/`);
  return { page, losses: () => [...counts.values()].reduce((sum, count) => sum + count, 0) };
}

const isStyled = (page: Page) =>
  page.evaluate(() => {
    const button = document.querySelector("button[type=submit]");
    return button !== null && getComputedStyle(button).borderRadius !== "0px" && innerWidth > 1000;
  });

for (const [what, lost, times] of [
  ["a module of its entry, twice", /\/assets\/shared-admin-chat-join-notFound-reset-[\w-]+\.js/, 2],
  ["all of its modules", /\/assets\/(?!first-)[\w-]+\.js/, 1],
  ["its styles, twice", /\/assets\/[\w-]+\.css/, 2],
  ["the part that is shown first", /\/assets\/shared-chat-join-reset-signIn-and-[\w-]+\.js/, 3],
  ["the script before the modules", /\/assets\/first-[\w-]+\.js/, 1],
] as const)
  test(`a page recovers after losing ${what}`, async (t) => {
    const { page, losses } = await losing(t, lost, times);
    await page.getByLabel(en.signIn.email).waitFor();
    await until(async () => (await isStyled(page)) || undefined, "its styles");
    assert.ok(losses() >= times);
    await until(async () => ((await page.getByText(en.app.reload).count()) === 0 ? true : undefined), "nothing else");
  });

test("a page that lost its first part shows", async (t) => {
  const { page, losses } = await losing(t, /\/assets\/shared-overview-and-admin-[\w-]+\.js/, 3, OWNER_LOGIN);
  await page.getByText(en.checklist.title).waitFor();
  assert.equal(losses(), 3);
});

test("a page without scripts says so and does not reload forever", async (t) => {
  const { page, losses } = await losing(t, /\/assets\/[\w-]+\.js/, 1000);
  await page.getByRole("link", { name: en.app.reload }).waitFor();
  const before = losses();
  await page.getByRole("link", { name: en.app.reload }).click();
  await until(() => losses() > before || undefined, "another attempt");
});

test("a page with a missing module reloads at most four times", async (t) => {
  const { page } = await losing(t, /\/assets\/admin-[\w-]+\.js/, 1000);
  let loads = 0;
  page.on("framenavigated", () => {
    loads += 1;
  });
  await page.getByRole("link", { name: en.app.reload }).waitFor();
  assert.ok(loads >= 1 && loads <= 4, `loaded ${loads} times`);
});
