/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import type { Route } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { adminWindow } from "../support/admin-window.ts";
import { intercept } from "../support/browser.ts";
import { openFromPalette } from "../support/palette.ts";
import { until } from "../support/patience.ts";
import { uiText } from "../support/ui-texts.ts";

// The navigation around the pages of the admin window, by keyboard.

test("the keyboard reaches every page from anywhere", async (t) => {
  const { page, owner } = await adminWindow(t, "/people", { viewport: { width: 1280, height: 640 } });
  const row = (name: string) => page.getByRole("row", { name, exact: true });
  const search = page.getByRole("searchbox", { name: uiText("table.searchIn", { title: en.nav.people }) });
  const hasFocus = (what: typeof search) => what.and(page.locator(":focus")).waitFor();
  await row("Hamlet").waitFor();
  /** Waits until the current page's entry is visible in the sidebar. */
  const isInView = (name: string) =>
    until(async () => {
      const entry = page
        .getByRole("navigation", { name: en.shell.pages })
        .locator("[aria-current=page]", { hasText: name });
      return (await entry.count()) === 1 && (await entry.evaluate(isSeen)) ? true : undefined;
    }, `the entry of ${name} to be in view`);

  await t.test("Escape clears the search, then returns to the rows", async () => {
    await page.keyboard.press("/");
    await hasFocus(search);
    await page.keyboard.type("ham");
    await row("Othello").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await row("Othello").waitFor();
    await hasFocus(search);
    await page.keyboard.press("Escape");
    await hasFocus(page.getByRole("row").nth(1));
  });

  await t.test("the palette opens from a field, and the sidebar shows its page", async () => {
    await page.keyboard.press("/");
    await hasFocus(search);
    await openFromPalette(page, "logs", en.nav.logs);
    await isInView(en.nav.logs);
    await openFromPalette(page, "overview", en.nav.overview);
    await isInView(en.nav.overview);
  });

  await t.test("/ focuses the search of settings and drawers", async () => {
    await openFromPalette(page, "permissions", en.nav.permissions);
    const settings = page.getByRole("searchbox", { name: en.organizationPermissions.search });
    await settings.waitFor();
    await page.keyboard.press("/");
    await hasFocus(settings);
    const hamlet = ((await owner("GET /users"))["members"] as { user_id: number; full_name: string }[]).find(
      ({ full_name }) => full_name === "Hamlet",
    )?.user_id as number;
    await owner("POST /users/me/subscriptions", { subscriptions: [{ name: "stage" }], principals: [hamlet] });
    await openFromPalette(page, "stage", "stage");
    const drawer = page.getByRole("dialog", { name: "stage" });
    await drawer.getByRole("tab", { name: en.channels.tabs.topics }).click();
    await drawer.getByRole("searchbox").waitFor();
    await page.keyboard.press("/");
    await hasFocus(drawer.getByRole("searchbox"));
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });

  await t.test("a row's and the window's shortcuts work from its checkbox", async () => {
    await openFromPalette(page, "people", en.nav.people);
    await row("Hamlet").getByRole("checkbox").click();
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: en.keys.title });
    await help.waitFor();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await hasFocus(row("Hamlet").getByRole("checkbox"));
    await page.keyboard.press("j");
    await hasFocus(row("Othello"));
    await row("Hamlet").getByRole("checkbox").focus();
    await page.keyboard.press("x");
    await page.locator("tr[aria-selected=true]").waitFor({ state: "detached" });
  });

  await t.test("Ctrl Z undoes a notification's change and keeps the drawer's focus", async () => {
    await openFromPalette(page, "hamlet", "Hamlet");
    const drawer = page.getByRole("dialog", { name: "Hamlet" });
    await drawer.getByRole("tab", { name: en.people.tabs.channels }).click();
    const channel = drawer.getByRole("link", { name: "stage" });
    await drawer.getByRole("button", { name: /stage/ }).focus();
    await page.keyboard.press("Enter");
    await channel.waitFor({ state: "detached" });
    await page.getByText(en.saving.undo, { exact: true }).waitFor();
    await page.keyboard.press("Control+Z");
    await channel.waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });

  await t.test("the palette's field keeps its position", async () => {
    await page.keyboard.press("Control+K");
    const field = page.getByPlaceholder(en.shell.paletteHint);
    await field.waitFor();
    const topOnceFound = async (query: string, found: number) => {
      await field.fill(query);
      await page.waitForFunction((count) => document.querySelectorAll("[role=option]").length === count, found);
      return field.evaluate((element) => element.getBoundingClientRect().top);
    };
    const top = await topOnceFound("", 12);
    assert.equal(await topOnceFound("linkif", 2), top);
  });

  await t.test(
    "Back, the palette, a typed address and a reload ask before what was typed into a form is lost",
    async () => {
      await openFromPalette(page, "groups", en.nav.groups);
      await page.getByRole("button", { name: en.groups.create }).click();
      const dialog = page.getByRole("dialog");
      const name = dialog.getByLabel(en.groups.name, { exact: true });
      await name.fill("crew");
      const question = dialog.getByText(en.dialog.discardTitle);
      await page.goBack();
      await question.waitFor();
      await dialog.getByRole("button", { name: en.dialog.goOn }).click();
      await hasFocus(name);
      await openFromPalette(page, "people", en.nav.people);
      await question.waitFor();
      await dialog.getByRole("button", { name: en.dialog.goOn }).click();
      const type = (address: string) =>
        page.evaluate((hash) => {
          location.hash = hash;
        }, address);
      await type("/people?q=ham");
      await question.waitFor();
      await page.waitForURL(/#\/groups/);
      await dialog.getByRole("button", { name: en.dialog.goOn }).click();
      await hasFocus(name);
      const [browserAsks] = await Promise.all([
        page.waitForEvent("dialog"),
        page.evaluate(() => void setTimeout(() => location.reload())),
      ]);
      assert.equal(browserAsks.type(), "beforeunload");
      await browserAsks.dismiss();
      assert.equal(await name.inputValue(), "crew");
      assert.match(page.url(), /#\/groups/);

      await page.goBack();
      await dialog.getByRole("button", { name: en.dialog.discard }).click();
      await dialog.waitFor({ state: "detached" });
      await row("Hamlet").waitFor();

      await openFromPalette(page, "groups", en.nav.groups);
      await page.getByRole("button", { name: en.groups.create }).click();
      await name.fill("crew");
      await type("/people?q=ham");
      await dialog.getByRole("button", { name: en.dialog.discard }).click();
      await row("Hamlet").waitFor();
      await page.waitForURL(/#\/people\?q=ham/);
      await page.goBack();
      await page.waitForURL(/#\/groups/);
      await type("/people");
      await row("Hamlet").waitFor();
    },
  );

  await t.test("a failing page leaves the others working", async () => {
    await intercept(page, "**/host/audit/acts**", (route) => route.fulfill({ json: { result: "success", msg: "" } }));
    await openFromPalette(page, "audit", en.nav.audit);
    await page.getByRole("heading", { name: en.app.failed }).waitFor();
    await page.getByRole("button", { name: en.app.reload }).waitFor();
    await page.getByRole("navigation", { name: en.shell.pages }).getByRole("link", { name: en.nav.people }).click();
    await row("Hamlet").waitFor();
  });
});

test("keys typed while the palette loads reach it", async (t) => {
  const { page } = await adminWindow(t, "/people");
  await page.getByRole("row", { name: "Hamlet", exact: true }).waitFor();
  const part = Promise.withResolvers<Route>();
  await intercept(page, "**/assets/CommandPalette-*.js", part.resolve);
  await page.keyboard.press("Control+K");
  await page.keyboard.type("groups");
  await page.keyboard.press("Enter");
  await (await part.promise).continue();
  await page.getByRole("heading", { name: en.nav.groups, exact: true }).waitFor();
});

function isSeen(link: Element): boolean {
  const { top, bottom } = link.getBoundingClientRect();
  const around = link.closest("nav")?.getBoundingClientRect();
  return around !== undefined && top >= around.top && bottom <= around.bottom;
}
