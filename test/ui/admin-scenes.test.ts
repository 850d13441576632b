import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, assertFocusVisible, visit } from "../support/browser.ts";
import { call, dataFolder, OWNER_LOGIN, type Person, serveHere } from "../support/server-process.ts";
import { uiText } from "../support/ui-texts.ts";

// Each page of the admin window in each state that looks different. All scenes are accessible, and fit on a phone.

interface Scene {
  /** The URL's hash; `{name}` is replaced by an id. */
  at: string;
  /** The steps from the page to the state, and an element that shows it. */
  state?: (page: Page) => Promise<void>;
}

const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).last().click();
const dialog = (page: Page) => page.getByRole("dialog").last();
const tabPanel = (page: Page) => dialog(page).getByRole("tabpanel").waitFor();
const opens = (name: string) => async (page: Page) => {
  await click(page, name);
  await dialog(page).getByRole("heading").first().waitFor();
};
const selected = (names: string[], task: string) => async (page: Page) => {
  for (const name of names) await page.getByLabel(uiText("table.select", { name }), { exact: true }).check();
  await page.getByRole("toolbar").getByRole("button", { name: task, exact: true }).click();
  await dialog(page).getByRole("heading").first().waitFor();
};
const SEVERAL = ["Owner", "Othello", "Cordelia"];

const SCENES: Scene[] = [
  { at: "/people" },
  { at: "/people", state: opens(en.people.add) },
  { at: "/people", state: selected(SEVERAL, en.people.tasks.role) },
  { at: "/people", state: selected(SEVERAL, en.people.tasks.deactivate) },
  { at: "/people?open={hamlet}", state: tabPanel },
  { at: "/people?open={hamlet}&tab=groups", state: tabPanel },
  { at: "/people?open={hamlet}&tab=channels", state: tabPanel },
  { at: "/people?open={hamlet}&tab=signIn", state: tabPanel },
  { at: "/people?open={hamlet}&tab=signIn", state: opens(uiText("people.deactivate", { name: "Hamlet" })) },
  { at: "/people?open={hamlet}&tab=history", state: tabPanel },
  { at: "/invitations" },
  { at: "/invitations", state: opens(en.invitations.action) },
  {
    at: "/invitations",
    state: async (page) => {
      await click(page, en.invitations.action);
      await dialog(page).getByRole("button", { name: en.invite.make }).click();
      await dialog(page).locator("code").waitFor();
    },
  },
  { at: "/groups" },
  { at: "/groups", state: opens(en.groups.create) },
  { at: "/groups?open={players}", state: tabPanel },
  { at: "/groups?open={players}&tab=settings", state: tabPanel },
  {
    at: "/groups?open={players}&tab=settings",
    state: async (page) => {
      const deactivate = uiText("groups.deactivate", { name: "players" });
      await click(page, deactivate);
      await dialog(page).getByRole("button", { name: deactivate }).click();
      await dialog(page).getByText(en.groups.inUse).waitFor();
    },
  },
  { at: "/channels" },
  { at: "/channels", state: opens(en.channels.create.title) },
  { at: "/channels", state: selected(["boathouse", "board"], en.channels.tasks.folder) },
  { at: "/channels", state: selected(["boathouse", "board"], en.channels.tasks.permission) },
  { at: "/channels?open={boathouse}", state: tabPanel },
  {
    at: "/channels?open={boathouse}",
    state: async (page) => {
      await click(page, en.channels.readers.who);
      await page.getByText("Othello: yes").waitFor();
    },
  },
  { at: "/channels?open={boathouse}", state: opens(uiText("channels.archive.open", { name: "boathouse" })) },
  { at: "/channels?open={boathouse}&tab=permissions", state: tabPanel },
  {
    at: "/channels?open={boathouse}&tab=topics",
    state: async (page) => {
      await tabPanel(page);
      assert.ok((await assertFocusVisible(page, "a channel's topics", 12)) > 6);
    },
  },
  {
    at: "/channels?open={boathouse}&tab=topics",
    state: async (page) => {
      await click(page, uiText("channels.topics.actions", { name: "roof" }));
      await page.getByRole("menuitem", { name: en.channels.topics.move }).click();
      await page.getByRole("textbox", { name: en.channels.topics.name }).waitFor();
    },
  },
  { at: "/channels?open={boathouse}&tab=subscribers", state: tabPanel },
  { at: "/channels?open={boathouse}&tab=subscribers", state: opens(en.channels.subscribers.add) },
  { at: "/folders" },
  { at: "/folders", state: opens(en.folders.create) },
  { at: "/defaults" },
];

test("every scene of the admin window is accessible and fits on a phone", async (t) => {
  const { path, people } = await dataFolder(t);
  const { url } = await serveHere(t, path);
  const [owner, hamlet] = people as [Person, Person];
  const ask = async (route: string, params?: Record<string, unknown>) => {
    const answer = await call(url, owner, route, params);
    assert.equal(answer["result"], "success", `${route}: ${answer["msg"]}`);
    return answer;
  };
  for (const name of ["boathouse", "board"]) await ask("POST /users/me/subscriptions", { subscriptions: [{ name }] });
  await ask("POST /messages", { type: "stream", to: "boathouse", topic: "roof", content: "x" });
  await ask("POST /channel_folders/create", { name: "Ashore", description: "" });
  const group = async (params: object) =>
    (await ask("POST /user_groups/create", { description: "", ...params }))["group_id"];
  const players = await group({ name: "players", members: [hamlet.id] });
  await group({ name: "theatre", members: [], subgroups: [players] });
  await ask(`PATCH /users/${hamlet.id}`, { role: 300 });
  const { stream_id: boathouse } = await ask("GET /get_stream_id", { stream: "boathouse" });
  const ids: Record<string, number> = { hamlet: hamlet.id, players, boathouse };

  const { page, complaints } = await visit(t, `${url}/admin/`, { as: OWNER_LOGIN });
  for (const { at, state } of SCENES)
    await t.test(`${at} ${state && state !== tabPanel ? "in another state" : ""}`, async () => {
      const go = (hash: string) => page.goto(`${url}/admin/#${hash}`);
      await go("/none"); // closes the dialogs of the last scene
      await page.getByRole("heading", { name: en.shell.noSuchPage }).waitFor();
      await go(at.replace(/\{(\w+)\}/, (_, name) => String(ids[name])));
      await page.locator("#content").getByRole("heading", { level: 2 }).first().waitFor();
      await state?.(page);
      await assertAccessibleInBothThemes(page, at, "light");
      await page.setViewportSize({ width: 360, height: 740 });
      await assertFits(page, at);
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  assert.deepEqual(
    complaints.filter((text) => !text.includes("400")),
    [],
  );
});
