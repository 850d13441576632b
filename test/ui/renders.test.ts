import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { visit } from "../support/browser.ts";
import { COUNT_RENDERS, type Renders, rendersOf } from "../support/renders.ts";
import { type Answer, call, dataFolder, OWNER_LOGIN, type Person, serveHere } from "../support/server-process.ts";

/** Without it a tab polls the server itself, which a test can observe. */
const OWN_CONNECTION = "delete globalThis.SharedWorker;";
/** Renders that a page may do next to an event: the periodic server state on the network page. */
const BESIDE = 30;
/** A setting: the row and its field with all parts. */
const ROW = { least: 1, most: 120 };
/** A new audit entry: its row and the list around it. */
const ENTRY = { least: 1, most: 60 };
/** An unread message: the sidebar's counts, and the page's title and icon. */
const MARKS = { least: 1, most: 45 };

/** Waits until the page has processed the result of `act`, which is when it polls again. */
async function takenIn(page: Page, path: string, act: () => Promise<unknown>): Promise<void> {
  const next = page.waitForRequest((request) => new URL(request.url()).pathname === path);
  await act();
  await next;
}

/** Tries several times. A new page is still loading, and a page that handles an earlier event has not seen this one. */
async function assertRenders(
  page: Page,
  what: string,
  act: () => Promise<unknown>,
  { least = 0, most = BESIDE }: { least?: number; most?: number } = {},
): Promise<void> {
  let last: Renders | undefined;
  for (let attempt = 0; attempt < 10; attempt += 1) {
    last = await rendersOf(page, act);
    if (last.count >= least && last.count <= most) return;
  }
  assert.fail(`${what} renders ${last?.count} components: ${last?.names}`);
}

async function asked(url: string, person: Person, route: string, params: Record<string, unknown>): Promise<Answer> {
  const answer = await call(url, person, route, params);
  assert.equal(answer.status, 200, `${route}: ${answer.msg}`);
  return answer;
}

test("an event in the admin window renders only its change", async (t) => {
  const { path, people } = await dataFolder(t);
  const owner = people[0] as Person;
  const { url } = await serveHere(t, path);
  const ask = (route: string, params: Record<string, unknown>) => asked(url, owner, route, params);
  await ask("POST /users/me/subscriptions", { subscriptions: [{ name: "general" }] });
  const { page } = await visit(t, `${url}/admin/`, { as: OWNER_LOGIN, before: OWN_CONNECTION + COUNT_RENDERS });
  let changes = 0;
  const change = (route: string, params: Record<string, unknown>) => {
    changes += 1;
    return takenIn(page, "/api/v1/events", () => ask(route, params));
  };
  const describe = () => change("PATCH /realm", { description: `Change ${changes}` });
  let enterSends = false;
  const changeDefault = () => {
    enterSends = !enterSends;
    return change("PATCH /realm/user_settings_defaults", { enter_sends: enterSends });
  };
  const say = () =>
    takenIn(page, "/host/state", () =>
      ask("POST /messages", { type: "stream", to: "general", topic: "x", content: "y" }),
    );
  const rename = () => change(`PATCH /users/${people[1]?.id}`, { full_name: `Renamed ${changes}` });
  const links = page.getByRole("navigation", { name: en.shell.pages }).getByRole("link");
  await links.first().waitFor();
  for (const name of await links.allInnerTexts()) {
    await links.filter({ hasText: name }).first().click();
    await page.locator("[aria-current=page]", { hasText: name }).waitFor();
    if (name === en.nav.overview) continue; // it shows the server's state, which changes automatically
    await assertRenders(page, `${name}: the description`, describe, name === en.nav.organization ? ROW : {});
    if (name === en.nav.defaults) await assertRenders(page, "a default", changeDefault, ROW);
    if (name === en.nav.people) await assertRenders(page, "the server's state", say);
    if (name === en.nav.permissions) await assertRenders(page, "somebody's name", rename);
  }

  await links.filter({ hasText: en.nav.audit }).first().click();
  const acts = page.getByRole("list", { name: en.auditPage.list }).locator("> li");
  const listed = async (what: string, act: () => Promise<unknown>) => {
    await act();
    await acts.first().filter({ hasText: what }).waitFor();
  };
  for (let at = 0; at < 20; at += 1) await describe();
  await acts.nth(19).waitFor();
  await assertRenders(page, "an entry of the audit", () => listed(`Change ${changes}`, describe), ENTRY);
  const addGroup = () => change("POST /user_groups/create", { name: `g${changes}`, description: "", members: [] });
  await assertRenders(page, "an entry that gives something a page", () => listed(`g${changes}`, addGroup), ENTRY);
});

test("an event in the chat renders only its change", async (t) => {
  const { path, people } = await dataFolder(t);
  const [owner, cordelia, hamlet] = people as [Person, Person, Person];
  const { url } = await serveHere(t, path);
  const subscriptions = ["general", "plans", ...Array.from({ length: 20 }, (_, at) => `channel ${at}`)];
  const principals = people.map(({ id }) => id);
  await asked(url, owner, "POST /users/me/subscriptions", {
    subscriptions: subscriptions.map((name) => ({ name })),
    principals,
  });
  const send = (to: string, content: string) =>
    asked(url, cordelia, "POST /messages", { type: "stream", to, topic: "boats", content });
  for (let at = 0; at < 20; at += 1) {
    const { id } = await send("general", `Message ${at}`);
    await asked(url, owner, `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  }
  const { page } = await visit(t, `${url}/#narrow/channel/general/topic/boats`, {
    as: OWNER_LOGIN,
    before: OWN_CONNECTION + COUNT_RENDERS,
  });
  await page.getByRole("list", { name: en.chat.reactions }).nth(19).waitFor();

  let changes = 0;
  const when = (what: string, event: () => Promise<unknown>, renders = {}) => {
    const taken = () => {
      changes += 1;
      return takenIn(page, "/api/v1/events", event);
    };
    return assertRenders(page, what, taken, renders);
  };
  await when("the organization's description", () =>
    asked(url, owner, "PATCH /realm", { description: `Change ${changes}` }),
  );
  await when("the status of somebody who is not shown", () =>
    asked(url, hamlet, "POST /users/me/status", { status_text: `Away ${changes}` }),
  );
  await when("a message in another channel", () => send("plans", `Plan ${changes}`), MARKS);

  const folder = { name: "Folder", description: "" };
  const { channel_folder_id: folder_id } = await asked(url, owner, "POST /channel_folders/create", folder);
  for (let at = 0; at < 20; at += 1) {
    const { stream_id } = await asked(url, owner, "GET /get_stream_id", { stream: `channel ${at}` });
    await asked(url, owner, `PATCH /streams/${stream_id}`, { folder_id });
  }
  await when("a message in a folder", () => send("channel 3", `Plan ${changes}`), MARKS);
  await page.getByRole("button", { name: "Folder" }).click();
  await page.getByRole("button", { name: "Folder", expanded: false }).waitFor();
  await when("a message in a folded folder", () => send("channel 3", `Plan ${changes}`), MARKS);
});
