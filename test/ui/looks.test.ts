import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, intercept, visit } from "../support/browser.ts";
import { type Canned, type CannedPages, cannedPages, OWNER } from "../support/canned-pages.ts";
import { desktopBridge } from "../support/desktop-bridge.ts";
import { busyState, crowdedState, emptyState } from "../support/host-states.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

// Every page in every state and both themes: axe finds nothing, nothing is too wide, and the browser logs no error.

interface Scene extends Canned {
  /** A text that is visible when the page is ready. */
  shows: string;
  act?(page: Page, pages: CannedPages): Promise<void>;
  /** Whether the page has the bridge of the desktop app. */
  desktop?: boolean;
  /** Expected browser errors. */
  complains?: RegExp;
  /** Dialogs of the same page. Escape closes each before the next. */
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
    shows: en.checklist.title,
    dialogs: {
      "how to open it": press(en.connect.howToOpen),
      "adding a person": async (page) => {
        await press(en.checklist.personAction)(page);
        await page.getByLabel(en.addPerson.password).fill("hello12");
        await page
          .getByText(uiText("password.strength", { strength: en.password.weak }))
          .first()
          .waitFor();
        await press(en.addPerson.submitUnnamed)(page);
        await page.getByText(en.errors.missing.full_name).waitFor();
      },
      "creating a channel": press(en.checklist.channelAction),
    },
  },
  "Overview, busy": {
    ...owner,
    state: busyState(),
    shows: "575",
    dialogs: { "making an invitation link": press(en.invitations.action) },
  },
  "Overview, crowded": {
    ...owner,
    state: crowdedState(),
    shows: "1,048,576",
    act: async (page) => {
      await press(en.connect.showAll)(page);
      await page.getByRole("button", { name: uiText("online.some", { count: 50 }) }).click();
      await page.getByRole("button", { name: uiText("connect.more", { count: 9 }) }).click();
      for (const ask of await page.getByRole("button", { name: likeText(en.health.explainNamed) }).all())
        await ask.click();
    },
  },
  "Overview, server away": {
    ...owner,
    state: busyState(),
    shows: "575",
    complains: /Failed to load resource/,
    act: async (page, pages) => {
      pages.set({ answers: { "GET /host/state": 500 } });
      await page.getByText(likeText(en.banner.unreachable)).waitFor();
    },
  },
  "Overview in the desktop app": {
    session: atDesktop,
    state: busyState(),
    shows: en.connect.showAll,
    act: press(en.connect.showAll),
    desktop: true,
    dialogs: {
      "closing to the network": async (page) => {
        await press(en.connect.close)(page);
        await page.getByText(en.connect.closeLead).waitFor();
      },
    },
  },
  "connecting an app": {
    ...owner,
    state: { ...emptyState(), network: crowdedState().network },
    shows: en.checklist.title,
    act: async (page) => {
      await press(en.checklist.appAction)(page);
      await page
        .getByRole("dialog")
        .getByRole("img", { name: likeText(en.qrCode.of) })
        .locator("path")
        .waitFor();
    },
  },
  "first run": {
    session: { setup: true, code_needed: true, data_folder: "/x" },
    shows: en.firstRun.code,
    act: async (page) => {
      await page.getByLabel(en.password.label, { exact: true }).fill("password");
      await page
        .getByText(uiText("password.strength", { strength: en.password.veryWeak }))
        .first()
        .waitFor();
      await press(/^Create/)(page);
      await page.getByText(en.errors.missing.username).waitFor();
    },
  },
  "first run elsewhere": { session: { setup: true, code_needed: true }, shows: en.localSetup.terminal },
  "welcome in the desktop app": { session: { ...atDesktop, setup: true }, desktop: true, shows: en.welcome.existing },
  "first run in the desktop app": {
    session: { ...atDesktop, setup: true },
    desktop: true,
    shows: en.welcome.title,
    act: async (page) => {
      await press(en.welcome.create)(page);
      await page.getByText(en.firstRun.who).waitFor();
      await page.getByLabel(en.firstRun.organization).fill("Föreningen för Fjärdingsmännens Årsfest");
    },
  },
  "signing in": {
    session: {},
    answers: { "POST /host/session": { code: "AUTHENTICATION_FAILED", msg: "…" } },
    shows: en.signIn.lead,
    complains: /status of 400/,
    act: async (page) => {
      await page.getByLabel(en.signIn.email).fill("a@example.org");
      await page.getByLabel(en.password.label, { exact: true }).fill("x");
      await press(en.signIn.submit)(page);
      await page.getByRole("alert").waitFor();
    },
  },
  "a guest": {
    session: { user: { ...OWNER, role: 600 } },
    shows: en.noAccess.lead,
  },
  "no answer": {
    session: {},
    answers: { "GET /host/session": 500 },
    shows: en.app.unreachable,
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
      const discard = page.getByRole("button", { name: en.dialog.discard });
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
  await page.getByRole("radio", { name: en.scheme.dark }).check();
  assert.equal(await schemeOf(), "dark");
  // Only what runs before the page's modules. That page reloads on its own, so a single question may lose its answer.
  const early = await page.context().newPage();
  await intercept(early, "**/assets/admin-*.js", (route) => route.abort());
  await early.goto(page.url(), { waitUntil: "commit" });
  await early.waitForFunction(() => {
    const { dataset } = document.documentElement;
    const { colorScheme } = getComputedStyle(document.documentElement);
    return dataset["mantineColorScheme"] === "dark" && colorScheme === "dark";
  });
  await early.close();
  await page.getByRole("radio", { name: en.scheme.auto }).check();
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
