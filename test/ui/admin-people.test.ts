/// <reference lib="dom" />
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessible, intercept, type VisitOptions, visit } from "../support/browser.ts";
import { openFromPalette } from "../support/palette.ts";
import { until } from "../support/patience.ts";
import { call, dataFolder, OWNER_LOGIN, type Person, serveHere } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

// The parts of the pages of people and invitations that need a browser. test/components/people.test.ts has the others.

async function people(t: TestContext, hash: string, options: VisitOptions = {}) {
  const { path, people } = await dataFolder(t);
  const { url } = await serveHere(t, path);
  const [owner, hamlet] = people as [Person, Person];
  const ask = (route: string, params?: Record<string, unknown>) => call(url, owner, route, params);
  const { page } = await visit(t, `${url}/admin/#${hash}`, { as: OWNER_LOGIN, ...options });
  await page.locator("#content").getByRole("heading").first().waitFor();
  /** Without the dialogs of the page before. */
  const go = async (to: string) => {
    for (const path of ["/none", to])
      await page.evaluate((hash) => {
        location.hash = hash;
      }, path);
  };
  return { page, ask, hamlet, go };
}

const row = (page: Page, name: string) => page.getByRole("row", { name, exact: true });

test("the pages of people and invitations", async (t) => {
  const { page, ask, hamlet, go } = await people(t, "/people");

  await t.test("saves the shown people as CSV", async () => {
    await go("/people?q=ham");
    await ask("POST /user_groups/create", { name: "players", description: "", members: [hamlet.id] });
    await row(page, "Hamlet").getByText("players").waitFor({ state: "attached" });
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: en.people.download }).click(),
    ]);
    const [header, ...lines] = readFileSync(await file.path(), "utf8")
      .trim()
      .split("\r\n");
    const columns = [en.people.lastSeen, en.people.signIns, en.people.newestSignIn, en.people.groups].join(",");
    assert.ok(header?.endsWith(`,${columns}`));
    assert.equal(lines.length, 1);
    const line = `,Hamlet,hamlet@example.com,${en.roles.member},${en.people.active},{{}},0,,players`;
    assert.match(lines[0] as string, likeText(line));
  });

  await t.test("leaving a person's drawer by Back saves its text, or reports the refusal", async () => {
    await go("/people");
    const { id } = await ask("POST /realm/profile_fields", { field_type: 1, name: "Phone number" });
    await row(page, "Hamlet").focus();
    await page.keyboard.press("Enter");
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("textbox", { name: en.people.email }).fill("othello@example.com");
    await page.goBack();
    await drawer.waitFor({ state: "detached" });
    const reason = "Email address already in use: othello{{}}";
    await page.getByText(likeText(uiText("saving.failedNamed", { name: en.people.email, reason }))).waitFor();
    await page.goForward();
    await drawer.getByRole("textbox", { name: "Phone number" }).fill("0711");
    await page.goBack();
    await until(async () => {
      const { user } = await ask(`GET /users/${hamlet.id}`, { include_custom_profile_fields: true });
      return user.profile_data[id]?.value === "0711" || undefined;
    }, "the number");
  });

  for (const width of [390, 1280])
    await t.test(`rows stay where they are when some are selected, at ${width} px`, async () => {
      await go("/people");
      await page.setViewportSize({ width, height: 800 });
      const top = async () => (await row(page, "Cordelia").boundingBox())?.y;
      await row(page, "Cordelia").waitFor();
      const before = await top();
      for (const name of ["Othello", "Cordelia"])
        await page.getByLabel(uiText("table.select", { name }), { exact: true }).check();
      const toolbar = page.getByRole("toolbar", { name: uiText("table.selected", { count: 2 }) });
      assert.equal(await top(), before);
      const dialog = page.getByRole("dialog");
      if (width === 390) {
        await toolbar.getByRole("button", { name: en.table.actions }).click();
        await dialog.getByRole("button", { name: en.people.tasks.deactivate }).waitFor();
        await assertAccessible(page, "actions on several people on a phone");
      } else {
        await toolbar.getByRole("button", { name: en.people.tasks.addToGroups }).click();
        await dialog.getByRole("combobox", { name: en.people.groups }).and(page.locator(":focus")).waitFor();
      }
    });

  await t.test("a long name takes two lines", async () => {
    await go("/people");
    const full_name = `Lord ${"of many counties ".repeat(5)}`.trim();
    await ask("POST /users", { email: "lord@example.com", full_name, password: "exit by a bear" });
    await row(page, full_name).waitFor();
    assert.ok(((await row(page, full_name).boundingBox())?.height ?? 99) < 70);
  });

  await t.test("the palette adds and opens people, and the last tab of a person fits on a phone", async () => {
    await go("/people");
    await openFromPalette(page, "add a", en.people.add);
    await page.getByRole("dialog", { name: en.addPerson.title }).waitFor();
    await page.keyboard.press("Escape");
    await openFromPalette(page, "othello@", "Othello");
    await page.getByRole("dialog").getByRole("heading", { name: "Othello" }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    const { x, width } = (await page.getByRole("tab", { name: en.people.tabs.history }).boundingBox()) ?? {
      x: 0,
      width: 999,
    };
    assert.ok(x + width < 360, "the last tab is within the window");
  });

  await t.test("prints an invitation link without the rest of the page", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await go("/invitations");
    await openFromPalette(page, "invite", en.invitations.action);
    await page.getByRole("dialog").getByRole("button", { name: en.invite.make }).click();
    await page.getByRole("dialog").locator("code").waitFor();
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.getByText(uiText("invite.sheetTitle", { organization: "Venice" })).isVisible(), true);
    assert.equal(await page.getByRole("button", { name: en.invitations.done }).isVisible(), false);
  });
});

test("requests no avatars of rows scrolled past", async (t) => {
  const { page: crowded } = await people(t, "/people", { before: "delete globalThis.SharedWorker;" });
  await intercept(crowded, "**/api/v1/register", async (route) => {
    const answer = await (await route.fetch()).json();
    const [one] = answer.realm_users;
    for (let at = 0; at < 500; at += 1)
      answer.realm_users.push({ ...one, user_id: 9000 + at, full_name: `P ${at}`, avatar_url: `/picture-of/${at}` });
    await route.fulfill({ json: answer });
  });
  const asked = new Set<string>();
  await intercept(crowded, "**/picture-of/*", (route) => {
    asked.add(route.request().url());
    return route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  });
  await crowded.reload();
  await row(crowded, "P 0").waitFor();
  await crowded.locator("#content").evaluate(async (content) => {
    while (content.scrollTop + content.clientHeight < content.scrollHeight - 1) {
      content.scrollTop += 1500;
      await new Promise(requestAnimationFrame);
    }
  });
  const last = row(crowded, "P 499").locator("img");
  await until(async () => (await last.getAttribute("src")) ?? undefined, "who stays in sight has a picture");
  assert.ok(asked.size < 300, `${asked.size} of 500 pictures are asked for`);
});
