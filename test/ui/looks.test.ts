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
  /** Dialogs of the same page, each closed by Escape before the next. */
  dialogs?: Record<string, NonNullable<Scene["act"]>>;
}

const owner = { session: { user: OWNER } };
const atDesktop = { at_desktop: true, data_folder: "/home/ann/.local/share/hearth", user: OWNER };
const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
};

const scenes: Record<string, Scene> = {
  "Overview, empty": {
    ...owner,
    state: emptyState(),
    shows: "Next steps",
    dialogs: {
      "how to open it": press("How to open it"),
      "adding a person": async (page) => {
        await press("Add a person")(page);
        await page.getByLabel("First password").fill("hello12");
        await page.getByText("Strength: weak").first().waitFor();
        await press("Add person")(page);
        await page.getByText("Enter the person's name.").waitFor();
      },
      "creating a channel": press("Create a channel"),
    },
  },
  "Overview, busy": {
    ...owner,
    state: busyState(),
    shows: "575",
    dialogs: { "making an invitation link": press("Invite people") },
  },
  "Overview, crowded": {
    ...owner,
    state: crowdedState(),
    shows: "1,048,576",
    act: async (page) => {
      await press("QR code and more")(page);
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
  "Overview at the desktop": {
    session: atDesktop,
    state: busyState(),
    shows: "QR code and more",
    act: press("QR code and more"),
    desktop: true,
    dialogs: {
      "closing to the network": async (page) => {
        await press("Close it to your network")(page);
        await page.getByText("People on other phones").waitFor();
      },
    },
  },
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

for (const [name, { shows, act, desktop, complains, dialogs = {}, ...canned }] of Object.entries(scenes)) {
  test(`${name}: accessible in both themes, fits, no console errors`, async (t) => {
    const pages = await cannedPages(t, canned);
    const { page, complaints } = await visit(t, `${pages.url}/admin/`, {
      colorScheme: "light",
      ...(desktop && { before: desktopBridge }),
    });
    await page.getByText(shows).first().waitFor();
    await act?.(page, pages);
    await assertLooks(page, name);
    for (const [title, open] of Object.entries(dialogs)) {
      await open(page, pages);
      await page.getByRole("dialog").waitFor();
      await assertLooks(page, title);
      await page.keyboard.press("Escape");
      const discard = page.getByRole("button", { name: "Discard" });
      const closed = page.getByRole("dialog").waitFor({ state: "detached" });
      await Promise.race([closed, discard.waitFor().then(() => discard.click())]);
      await closed;
    }
    const unexpected = complaints.filter((complaint) => !complains?.test(complaint));
    assert.deepEqual(unexpected, []);
  });
}

async function assertLooks(page: Page, what: string): Promise<void> {
  await assertAccessibleInBothThemes(page, what);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await assertFits(page, `${what} at ${width} px`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
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
