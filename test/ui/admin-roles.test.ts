/// <reference lib="dom" />
import assert from "node:assert/strict";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import type { Locator, Page, Request } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertNone, signInAs, visit } from "../support/browser.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { temporaryFolder } from "../support/organization.ts";
import { until } from "../support/patience.ts";
import { CLUB, CLUB_PASSWORD, furnishClub } from "../support/rowing-club.ts";
import { call, hearth, type Person, serve } from "../support/server-process.ts";
import { uiText } from "../support/ui-texts.ts";

// The server refuses nothing that the admin window offers a user: on every page, in every drawer and dialog.

async function startClub(t: TestContext) {
  const folder = join(temporaryFolder(t), "data");
  const { organization, ownerEmail, ownerName } = CLUB;
  const names = ["--organization", organization, "--owner-email", ownerEmail, "--owner-name", ownerName];
  await hearth(t, ["init", "--data", folder, ...names], { HEARTH_OWNER_PASSWORD: CLUB_PASSWORD }).ended;
  const { url } = await serve(t, folder);
  const { owner, people, emailOf } = await furnishClub(url);
  const person = (name: string) => people.get(name) as Person;
  const ask = async (who: Person, route: string, params: Record<string, unknown>) => {
    const answer = await call(url, who, route, params);
    assert.equal(answer.status, 200, `${route}: ${answer["msg"]}`);
    return answer;
  };
  for (const [index, name] of ["Erik", "Omar", "Maja"].entries())
    for (const type of [1, 2, 3])
      await ask(person(name), "POST /bots", {
        full_name: `${name}'s bot ${type}`,
        short_name: `bot-${index}-${type}`,
        bot_type: type,
        ...(type === 3 && { payload_url: JSON.stringify("https://service.example/hook") }),
      });
  await ask(person("Omar"), "POST /invites", {
    invitee_emails: "new@example.com",
    stream_ids: [],
    invite_as: 400,
  });
  await ask(owner, "POST /default_stream_groups/create", {
    group_name: "Juniors",
    description: "",
    stream_names: ["juniors"],
  });
  await ask(owner, "POST /realm/filters", { pattern: "#(?P<id>[0-9]+)", url_template: "https://example.com/{id}" });
  await ask(owner, "POST /realm/playgrounds", {
    name: "Try it",
    pygments_language: "Python",
    url_template: "https://example.com/{code}",
  });
  await ask(owner, "POST /realm/domains", { domain: "example.com", allow_subdomains: false });
  await ask(owner, `DELETE /users/${person("Peter").id}`, {});
  const logins = {
    owner: ownerEmail,
    administrator: emailOf("Maja"),
    moderator: emailOf("Omar"),
    member: emailOf("Erik"),
    guest: emailOf("Ingrid"),
  };
  return { url, logins };
}

/** Requests that wait for events. */
const WAITING = /\/events\?|\/host\/state|\/host\/logs\?.*after=/;
const isCall = (request: Request) => /\/(api\/v1|json|host)\//.test(request.url()) && !WAITING.test(request.url());

interface Watched {
  page: Page;
  /** Waits until the page has requested everything it shows, and fails on refusals. */
  settled(what: string): Promise<void>;
}

function watch(page: Page, complaints: readonly string[]): Watched {
  const asked = new Set<Request>();
  const refused: string[] = [];
  page.on("request", (request) => isCall(request) && asked.add(request));
  page.on("requestfinished", (request) => asked.delete(request));
  page.on("requestfailed", (request) => asked.delete(request));
  page.on("response", (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  return {
    page,
    async settled(what) {
      await until(
        async () => {
          if (asked.size > 0) return undefined;
          // Requests that follow from a response are sent after it is drawn.
          await page.evaluate(
            () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
          );
          const isLoading = (await page.locator(".mantine-Skeleton-root").count()) > 0;
          return asked.size === 0 && !isLoading ? true : undefined;
        },
        `${what}: ${[...asked].map((request) => request.url())}`,
      );
      assert.deepEqual(refused, [], what);
      assert.deepEqual(complaints, [], what);
      assert.deepEqual(await page.getByRole("alert").allTextContents(), [], what);
    },
  };
}

/** Their dialogs are opened in every run. Those of owners and administrators, who have more, only in the long one. */
const WITH_DIALOGS = ["moderator", "member"];
/** How many table rows, and buttons with the same prefix, are opened. The others are alike. */
const SAMPLES = IS_LONG_RUN ? 4 : 1;

/** The texts of buttons that open a dialog and change nothing. */
const OPENS =
  /…$|^(Add an? |Create an? |Invite people|How to |Choose a passphrase|Edit |Who has|Show: (?:new@|Link for)|Revoke: |Delete the |Remove the )/;

async function openersIn(place: Locator): Promise<string[]> {
  const names = await place
    .getByRole("button", { disabled: false })
    .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? one.textContent?.trim() ?? ""));
  const counts = new Map<string, number>();
  return [...new Set(names)].filter((name) => {
    if (!OPENS.test(name)) return false;
    const kind = name.split(" ", 2).join(" ");
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return (counts.get(kind) ?? 0) <= SAMPLES;
  });
}

/** Opens and closes every dialog of a page or drawer. */
async function openAll({ page, settled }: Watched, place: Locator, where: string): Promise<void> {
  const dialogs = page.getByRole("dialog");
  const before = await dialogs.count();
  for (const name of await openersIn(place)) {
    await place.getByRole("button", { name, exact: true }).first().click();
    await until(async () => (await dialogs.count()) > before || undefined, `${where}: "${name}" opens a dialog`);
    await settled(`${where}: ${name}`);
    await close(page, before);
  }
}

/** Closes only the top dialog. */
async function close(page: Page, left: number): Promise<void> {
  const dialogs = page.getByRole("dialog");
  await page.keyboard.press("Escape");
  await until(async () => (await dialogs.count()) <= left || undefined, "a dialog that closes");
  assert.equal(await dialogs.count(), left, "dialogs after Escape");
}

/** The limits of webhook URLs are set on a page that the bot's owner cannot open. */
async function assertNoWayToNetwork(page: Page): Promise<void> {
  await page.evaluate(() => location.assign("#/bots?kind=outgoing"));
  await page.getByRole("row", { name: "Erik's bot 3" }).click();
  const drawer = page.getByRole("dialog", { name: "Erik's bot 3" });
  await drawer.getByRole("tab", { name: en.bots.tab.deliveries }).click();
  await drawer.getByText(en.bots.outgoing.urlHint).waitFor();
  await assertNone(drawer.locator("a[href*='/network']"));
}

test("offers no user an action that the server refuses", async (t) => {
  const { url, logins } = await startClub(t);
  for (const [role, email] of Object.entries(logins)) {
    await t.test(role, async (t) => {
      const { page, complaints } = await visit(t, "about:blank");
      const watched = watch(page, complaints);
      const { settled } = watched;
      await signInAs(page, url, { email, password: CLUB_PASSWORD });
      await page.goto(`${url}/admin/`);
      if (role === "guest") {
        await page.getByRole("heading", { name: uiText("noAccess.title", { name: "Ingrid Dahl" }) }).waitFor();
        return settled("the page for guests");
      }
      const links = page.getByRole("navigation", { name: en.shell.pages }).getByRole("link");
      await links.first().waitFor();
      const content = page.locator("#content");
      for (const hash of await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).hash))) {
        const where = `${role}, ${hash}`;
        const open = async () => {
          // The previous page stays until the next has loaded.
          const isOpen = await content.evaluate((element, to) => {
            if ((location.hash || "#/") === to) return true;
            for (const heading of element.querySelectorAll("h1, h2")) heading.setAttribute("data-left", "");
            location.assign(to);
            return false;
          }, hash);
          await content
            .locator(isOpen ? "h1, h2" : ":is(h1, h2):not([data-left])")
            .first()
            .waitFor();
          await settled(where);
        };
        await open();
        if (!IS_LONG_RUN && !WITH_DIALOGS.includes(role)) continue;
        await openAll(watched, content, where);
        const rows = content.locator("tbody tr");
        for (let row = 0; row < Math.min(SAMPLES, await rows.count()); row += 1) {
          await rows.nth(row).focus();
          await page.keyboard.press("Enter");
          const dialog = page.getByRole("dialog");
          await dialog.waitFor();
          await settled(`${where}, row ${row}`);
          for (const tab of await dialog.getByRole("tab").allTextContents()) {
            await dialog.getByRole("tab", { name: tab, exact: true }).click();
            await settled(`${where}, row ${row}: ${tab}`);
            await openAll(watched, dialog, `${where}, row ${row}, ${tab}`);
          }
          await close(page, 0);
        }
      }
      if (role === "member") await assertNoWayToNetwork(page);
    });
  }
});
