import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBothThemes, assertFits, visit } from "../support/browser.ts";
import { type Canned, type CannedPages, cannedPages, OWNER } from "../support/canned-pages.ts";
import { desktopBridge } from "../support/desktop-bridge.ts";
import { busyState, crowdedState, emptyState } from "../support/host-states.ts";

// Every page in every state and both themes: axe finds nothing, nothing is too wide, and the browser logs no error.

interface Scene extends Canned {
  /** A text that shows once the page is ready to be checked. */
  shows: string;
  act?(page: Page, pages: CannedPages): Promise<void>;
  /** Whether the page has the desktop's bridge. */
  desktop?: boolean;
  /** The browser errors that are expected. */
  complains?: RegExp;
}

const owner = { session: { user: OWNER } };
const atDesktop = { at_desktop: true, data_folder: "/home/ann/.local/share/hearth", user: OWNER };
const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
};

const scenes: Record<string, Scene> = {
  "Overview, empty": { ...owner, state: emptyState(), shows: "Next steps" },
  "Overview, busy": { ...owner, state: busyState(), shows: "575" },
  "Overview, crowded": {
    ...owner,
    state: crowdedState(),
    shows: "1,048,576",
    act: async (page) => {
      await page.getByRole("button", { name: "Show 50" }).click();
      await page.getByRole("button", { name: "9 more addresses" }).click();
      for (const ask of await page.getByRole("button", { name: /what is normal/ }).all()) await ask.click();
    },
  },
  "Overview, server away": {
    ...owner,
    state: busyState(),
    shows: "575",
    complains: /Failed to load resource/,
    act: async (page, pages) => {
      pages.set({ answers: { "GET /host/state": 500 } });
      await page.getByText("Hearth hasn't answered since").waitFor();
    },
  },
  "Overview, how to open it": { ...owner, state: emptyState(), shows: "Next steps", act: press("How to open it") },
  "Overview at the desktop": {
    session: atDesktop,
    state: busyState(),
    shows: "Close it to your network",
    desktop: true,
  },
  "making an invitation link": { ...owner, state: busyState(), shows: "575", act: press("Invite people") },
  "closing to the network": {
    session: atDesktop,
    state: busyState(),
    desktop: true,
    shows: "575",
    act: async (page) => {
      await press("Close it to your network")(page);
      await page.getByText("People on other phones").waitFor();
    },
  },
  "adding a person": {
    ...owner,
    state: emptyState(),
    shows: "Next steps",
    act: async (page) => {
      await press("Add a person")(page);
      await page.getByLabel("First password").fill("hello12");
      await page.getByText("Strength: weak").first().waitFor();
      await press("Add person")(page);
      await page.getByText("Enter the person's name.").waitFor();
    },
  },
  "creating a channel": { ...owner, state: emptyState(), shows: "Next steps", act: press("Create a channel") },
  "connecting an app": {
    ...owner,
    state: { ...emptyState(), network: crowdedState().network },
    shows: "Next steps",
    act: async (page) => {
      await press("How to connect")(page);
      await page
        .getByRole("dialog")
        .getByRole("img", { name: /QR code/ })
        .locator("path")
        .waitFor();
    },
  },
  "first run": {
    session: { setup: true, code_needed: true, data_folder: "/x" },
    shows: "One-time code",
    act: async (page) => {
      await page.getByLabel("Password", { exact: true }).fill("password");
      await page.getByText("Strength: very weak").first().waitFor();
      await press(/^Create/)(page);
      await page.getByText("Enter your email address.").waitFor();
    },
  },
  "first run elsewhere": { session: { setup: true, code_needed: true }, shows: "In its terminal" },
  "welcome at the desktop": { session: { ...atDesktop, setup: true }, desktop: true, shows: "I have one already" },
  "first run at the desktop": {
    session: { ...atDesktop, setup: true },
    desktop: true,
    shows: "Welcome to Hearth",
    act: async (page) => {
      await press("New organization")(page);
      await page.getByText("Who can connect?").waitFor();
      await page.getByLabel("Name of the organization").fill("Föreningen för Fjärdingsmännens Årsfest");
    },
  },
  "signing in": {
    session: {},
    answers: { "POST /host/session": { code: "AUTHENTICATION_FAILED", msg: "…" } },
    shows: "This is where owners",
    complains: /status of 400/,
    act: async (page) => {
      await page.getByLabel("Email address").fill("a@example.org");
      await page.getByLabel("Password", { exact: true }).fill("x");
      await press("Sign in")(page);
      await page.getByRole("alert").waitFor();
    },
  },
  "a guest": {
    session: { user: { ...OWNER, role: 600 } },
    shows: "guests have nothing to look after here",
  },
  "no answer": {
    session: {},
    answers: { "GET /host/session": 500 },
    shows: "Hearth isn't answering",
    complains: /status of 500/,
  },
};

const WIDTHS = [360, 768, 1280, 2560];

for (const [name, { shows, act, desktop, complains, ...canned }] of Object.entries(scenes)) {
  test(`${name}: accessible in both themes, fits, no console errors`, async (t) => {
    const pages = await cannedPages(t, canned);
    const { page, complaints } = await visit(t, `${pages.url}/admin/`, {
      colorScheme: "light",
      ...(desktop && { before: desktopBridge }),
    });
    await page.getByText(shows).first().waitFor();
    await act?.(page, pages);
    await assertAccessibleInBothThemes(page, name);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await assertFits(page, `${name} at ${width} px`);
    }
    const unexpected = complaints.filter((complaint) => !complains?.test(complaint));
    assert.deepEqual(unexpected, []);
  });
}

test("the chosen colour scheme applies from the first paint", async (t) => {
  const pages = await cannedPages(t, { ...owner, state: busyState() });
  const { page } = await visit(t, `${pages.url}/admin/`, { colorScheme: "light" });
  const schemeOf = () => page.evaluate(() => document.documentElement.dataset["mantineColorScheme"]);
  await page.getByRole("radio", { name: "Dark" }).check();
  assert.equal(await schemeOf(), "dark");
  await page.route("**/assets/admin-*.js", (route) => route.abort()); // only what runs before the page's modules
  await page.reload();
  assert.equal(await schemeOf(), "dark");
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
  await page.unroute("**/assets/admin-*.js");
  await page.reload();
  await page.getByRole("radio", { name: "As the system" }).check();
  assert.equal(await schemeOf(), "light");
});

test("a right-to-left page fits", async (t) => {
  const pages = await cannedPages(t, { ...owner, state: crowdedState() });
  const { page } = await visit(t, `${pages.url}/admin/`, { viewport: { width: 360, height: 800 } });
  await page.getByText("1,048,576").waitFor();
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  const beyond = await page.evaluate(
    () =>
      [...document.querySelectorAll("main *")].filter((element) => element.getBoundingClientRect().left < -1).length,
  );
  assert.equal(beyond, 0);
});
