import assert from "node:assert/strict";
import test from "node:test";
import { en } from "../../ui/locales/en.ts";
import { adminWindow } from "../support/admin-window.ts";
import { assertAccessibleInBothThemes, assertNone } from "../support/browser.ts";

const BEGINNINGS = [
  ["/folders", en.folders.create],
  ["/emoji", en.emoji.add],
  ["/linkifiers", en.linkifiers.add],
  ["/playgrounds", en.playgrounds.add],
  ["/profile-fields", en.profileFields.add],
] as const;

test("an empty page has one main button", async (t) => {
  const { page } = await adminWindow(t, "/folders");
  for (const [path, name] of BEGINNINGS) {
    await page.evaluate((hash) => location.assign(hash), `#${path}`);
    const button = page.getByRole("button", { name, exact: true });
    await button.waitFor();
    assert.equal(await button.count(), 1, path);
    await assertNone(page.locator("header").getByRole("button", { name, exact: true }), path);
    await assertAccessibleInBothThemes(page, path);
  }
});
