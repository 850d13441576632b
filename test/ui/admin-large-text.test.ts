/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { adminWindow } from "../support/admin-window.ts";

/** Texts beyond the page's edge or cut off, and names broken into columns of letters. */
const hardToRead = (page: Page) =>
  page.evaluate(() => {
    const content = document.getElementById("content") as HTMLElement;
    const end = content.getBoundingClientRect().left + content.clientWidth;
    const letter = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent?.trim() ?? "";
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const { right, width, height } = range.getBoundingClientRect();
      const isForReaders = (texts.currentNode.parentElement?.clientWidth ?? 0) === 1;
      if (text === "" || isForReaders) continue;
      if (right > end + 1) found.push(`beyond the side: ${text}`);
      else if (text.length > 5 && width < 2 * letter && height > 4 * letter) found.push(`a column: ${text}`);
    }
    return found;
  });

test("text at 200 % is readable on a phone", async (t) => {
  const { page, owner } = await adminWindow(t, "/emoji", { viewport: { width: 390, height: 844 } });
  await owner("POST /realm/profile_fields", { name: "Favourite instrument", field_type: 1, hint: "" });
  await owner("POST /user_groups/create", { name: "stagehands", description: "", members: [] });
  await owner("POST /channel_folders/create", { name: "Behind the curtain", description: "" });
  await owner("POST /users/me/subscriptions", { subscriptions: [{ name: "announcements" }] });
  await owner("POST /bots", { full_name: "Doorbell", short_name: "doorbell", bot_type: 1 });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "32px";
  });
  const shown = { people: "Hamlet", groups: "stagehands", channels: "announcements", bots: "Doorbell" };
  const others = { folders: "Behind the curtain", "profile-fields": "Favourite instrument", integrations: "GitHub" };
  const settings = {
    permissions: en.organizationPermissions.who.can_create_groups.label,
    organization: en.organization.default_language.label,
    invitations: "Invite",
  };
  // Overview, the first page, also contains some of these texts.
  await page.getByRole("button", { name: en.emoji.add }).waitFor();
  for (const [path, text] of Object.entries({ ...shown, ...others, ...settings })) {
    await page.evaluate((hash) => location.assign(hash), `#/${path}`);
    await page.locator("#content").getByText(text).first().waitFor();
    assert.deepEqual(await hardToRead(page), [], path);
  }
});
