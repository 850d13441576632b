/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import { adminWindow } from "../support/admin-window.ts";
import { openFromPalette } from "../support/palette.ts";

// What stands around the pages of the admin window, by keys.

test("one finds one's way by keys, from wherever one types", async (t) => {
  const { page } = await adminWindow(t, "/people", { viewport: { width: 1280, height: 640 } });
  const row = (name: string) => page.getByRole("row", { name, exact: true });
  const search = page.getByRole("searchbox", { name: "Search People" });
  const hasFocus = (what: typeof search) => what.and(page.locator(":focus")).waitFor();
  await row("Hamlet").waitFor();

  await t.test("Escape empties the search, and then goes back to the rows", async () => {
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

  await t.test("the palette opens from a field, and the sidebar shows the page that it leads to", async () => {
    await page.keyboard.press("/");
    await hasFocus(search);
    await openFromPalette(page, "logs", "Logs");
    const entry = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Logs" });
    await page.getByRole("heading", { name: "Logs" }).waitFor();
    const isInView = await entry.evaluate((link) => {
      const { top, bottom } = link.getBoundingClientRect();
      const around = link.closest("nav")?.getBoundingClientRect();
      return around !== undefined && top >= around.top && bottom <= around.bottom;
    });
    assert.ok(isInView, "the entry of the open page can be seen");
  });

  await t.test("the palette's field stays where it is, whatever is found", async () => {
    await page.keyboard.press("Control+K");
    const field = page.getByPlaceholder("A person, a channel");
    await field.waitFor();
    const topOnceFound = async (query: string, found: number) => {
      await field.fill(query);
      await page.waitForFunction((count) => document.querySelectorAll("[data-action]").length === count, found);
      return field.evaluate((element) => element.getBoundingClientRect().top);
    };
    const top = await topOnceFound("", 12);
    assert.equal(await topOnceFound("linkif", 1), top);
  });

  await t.test("a page that fails says so in its place, and the others go on", async () => {
    await page.route("**/host/audit/acts**", (route) => route.fulfill({ json: { result: "success", msg: "" } }));
    await openFromPalette(page, "audit", "Audit");
    await page.getByRole("heading", { name: "This page ran into an error." }).waitFor();
    await page.getByRole("button", { name: "Load it again" }).waitFor();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "People" }).click();
    await row("Hamlet").waitFor();
  });
});
