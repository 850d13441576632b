import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { visit } from "../support/browser.ts";
import { COUNT_RENDERS, type Renders, rendersOf } from "../support/renders.ts";
import { type Answer, call, dataFolder, OWNER_LOGIN, type Person, serveHere } from "../support/server-process.ts";

/** Without it, a tab asks the server by itself, which a test can see. */
const OWN_CONNECTION = "delete globalThis.SharedWorker;";
/** Of a setting: the row, its field, and what they are made of. */
const ONE_ROW = 60;
/** Of an unread message: what counts it in the sidebar, and the page's title and icon. */
const MARKS = 45;

/** Until the page has taken in what came of `act`: only then it asks again. */
async function takenIn(page: Page, path: string, act: () => Promise<unknown>): Promise<void> {
  const next = page.waitForRequest((request) => new URL(request.url()).pathname === path);
  await act();
  await next;
}

/** The fewest of several times: a page that has just been opened is still loading. */
async function fewest(page: Page, act: () => Promise<unknown>, enough: number): Promise<Renders> {
  let best = await rendersOf(page, act);
  for (let more = 0; more < 5 && best.count > enough; more += 1) {
    const next = await rendersOf(page, act);
    if (next.count < best.count) best = next;
  }
  return best;
}

async function asked(url: string, person: Person, route: string, params: Record<string, unknown>): Promise<Answer> {
  const answer = await call(url, person, route, params);
  assert.equal(answer.status, 200, `${route}: ${answer.msg}`);
  return answer;
}

test("in the admin window, an event renders nothing but what it changes", async (t) => {
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
  const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
  await links.first().waitFor();
  for (const name of await links.allInnerTexts()) {
    await links.filter({ hasText: name }).first().click();
    await page.locator("[aria-current=page]", { hasText: name }).waitFor();
    if (name === "Overview") continue; // it shows the server's state, which changes by itself
    const most = name === "Organization" ? ONE_ROW : 0;
    const { count, names } = await fewest(page, describe, most);
    assert.ok(count <= most, `${name}: the description's change renders ${count} components: ${names}`);
    if (name === "Organization") assert.ok(count > 0, "the description is shown there");
    if (name === "Defaults") {
      const changed = await fewest(page, changeDefault, 2 * ONE_ROW);
      assert.ok(changed.count <= 2 * ONE_ROW, `a default's change renders ${changed.count}: ${changed.names}`);
      assert.ok(changed.count > 0, "the default is shown there");
    }
    if (name === "People") {
      const state = await fewest(page, say, 5);
      assert.ok(state.count <= 5, `the server's state renders ${state.count}: ${state.names}`);
    }
  }
});

test("in the chat, an event renders nothing but what it changes", async (t) => {
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
  await page.getByRole("list", { name: "Reactions" }).nth(19).waitFor();

  let changes = 0;
  const events: Record<string, { event: () => Promise<unknown>; most: number }> = {
    "the organization's description": {
      event: () => asked(url, owner, "PATCH /realm", { description: `Change ${changes}` }),
      most: 0,
    },
    "the status of somebody who is not shown": {
      event: () => asked(url, hamlet, "POST /users/me/status", { status_text: `Away ${changes}` }),
      most: 0,
    },
    "a message in another channel": { event: () => send("plans", `Plan ${changes}`), most: MARKS },
  };
  for (const [name, { event, most }] of Object.entries(events)) {
    const { count, names } = await fewest(
      page,
      () => {
        changes += 1;
        return takenIn(page, "/api/v1/events", event);
      },
      most,
    );
    assert.ok(count <= most, `${name} renders ${count} components: ${names}`);
  }
});
