/// <reference lib="dom" />
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Result, RunOptions } from "axe-core";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
  type Route,
} from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { IS_LONG_RUN } from "./long-run.ts";
import { temporaryFolder } from "./organization.ts";
import { PATIENCE_MS, until } from "./patience.ts";
import { chromium as chromiumPath } from "./programs.ts";
import { endBeforeRemoval } from "./server-process.ts";

// One Chromium for all test files of a process, and a new profile for each page.

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Playwright's message when a page cannot register a service worker. */
const WORKER_BLOCKED = "Service Worker registration blocked by Playwright";

/** The axe rules whose result depends on colors. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** Pages of the browser's address bar. They load in each profile and cost as much as a page of ours. */
const ADDRESS_BAR_FEATURES = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"];
/** Features that Playwright disables. Chromium uses only the last list, so ours repeats them. */
const PLAYWRIGHT_FEATURES = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

let browser: Promise<Browser> | undefined;
// A process of several files ends in shared-process.ts, because "after" would run after the first file.
if (process.send === undefined) after(async () => (await browser)?.close());

export function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: chromiumPath(),
    timeout: PATIENCE_MS,
    args: [
      "--disable-gpu",
      "--disable-background-networking",
      // Otherwise each page starts in one renderer and moves to another.
      "--renderer-process-limit=1",
      `--disable-features=${[...ADDRESS_BAR_FEATURES, ...PLAYWRIGHT_FEATURES].join(",")}`,
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
  });
  return browser;
}

/**
 * A browser of this test alone, for a server at `hearthbox.local`. `root`: a root certificate in its user's store, in
 * PEM format. Skips the test if nothing can create that store.
 */
export async function browserWith(t: TestContext, root?: string): Promise<Browser | undefined> {
  const home = temporaryFolder(t);
  if (root !== undefined && !trustIn(home, root)) return void t.skip("no certutil (Debian: libnss3-tools)");
  const own = await chromium.launch({
    executablePath: chromiumPath(),
    timeout: PATIENCE_MS,
    env: { ...process.env, HOME: home },
    args: [
      "--disable-gpu",
      "--host-resolver-rules=MAP hearthbox.local 127.0.0.1",
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
  });
  endBeforeRemoval(t, () => own.close());
  return own;
}

function trustIn(home: string, root: string): boolean {
  const [store, file] = [join(home, ".pki", "nssdb"), join(home, "root.crt")];
  mkdirSync(store, { recursive: true });
  writeFileSync(file, root);
  return [
    ["-N", "--empty-password"],
    ["-A", "-n", "Hearth", "-t", "C,,", "-i", file],
  ].every((args) => spawnSync("certutil", [...args, "-d", `sql:${store}`]).status === 0);
}

export interface Visit {
  readonly page: Page;
  /** Errors, failed resources and Content-Security-Policy violations. */
  readonly complaints: string[];
}

export interface Login {
  email: string;
  password: string;
}

export interface VisitOptions extends BrowserContextOptions {
  /** Signs in without the form before the page opens. Anonymous by default. */
  as?: Login;
  /** Runs in the page before its own scripts. */
  before?: string;
  /** Instead of the browser that all tests share. */
  browser?: Browser;
}

export async function visit(
  t: TestContext,
  url: string,
  { as, before, browser, ...options }: VisitOptions = {},
): Promise<Visit> {
  const context = await (browser ?? (await theBrowser())).newContext({
    locale: "en-GB",
    reducedMotion: "reduce",
    viewport: { width: 1280, height: 800 },
    // It would fetch all page files again in each new profile.
    serviceWorkers: "block",
    ...options,
  });
  if (before) await context.addInitScript(before);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.text() === WORKER_BLOCKED) return;
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  const requests = watchRequests(page);
  requestsOf.set(page, requests);
  let ended: Promise<void> | undefined;
  const end = () => (ended ??= close());
  const close = async () => {
    const { error } = t as TestContext & { error?: unknown }; // Node's own types lack it
    if (error) console.error(await whatItShows(page, complaints, requests));
    await context.close();
  };
  endBeforeRemoval(t, end);
  t.after(end); // for a test without a folder
  if (as) await signInAs(page, url, as);
  await page.goto(url);
  return { page, complaints };
}

/** Like `page.route`, which misses requests that the page sends while Chromium turns interception on. */
export async function intercept(
  page: Page,
  pattern: string | RegExp,
  handler: (route: Route) => unknown,
): Promise<void> {
  await page.route(pattern, handler);
  if (page.url() === "about:blank") return; // it sends no requests yet
  const probe = /\/\?intercepted$/;
  let isOn = false;
  await page.route(probe, async (route) => {
    isOn = true;
    await route.fulfill({ status: 204 });
  });
  await until(async () => {
    await page.evaluate(() => fetch("/?intercepted", { method: "HEAD" }));
    return isOn || undefined;
  }, "interception");
  await page.unroute(probe);
}

export async function signInAs(page: Page, url: string, { email, password }: Login): Promise<void> {
  const form = { username: email, password };
  const answer = await page.request.post(new URL("/host/session", url).href, { form });
  assert.equal(answer.status(), 200, await answer.text());
}

/** The outcome of a request without a response. */
const PENDING = "pending, sent";

const requestsOf = new WeakMap<Page, Map<Request, string>>();

/** The page's latest requests and their outcomes, for the report of a failed test. */
function watchRequests(page: Page): Map<Request, string> {
  const requests = new Map<Request, string>();
  const note = (outcome: string) => (request: Request) => {
    requests.set(request, `${outcome} at ${new Date().toISOString().slice(14, -1)}`);
    const [oldest] = requests.keys();
    if (oldest && requests.size > 60) requests.delete(oldest);
  };
  page.on("request", note(PENDING));
  page.on("requestfinished", note("finished"));
  page.on("requestfailed", note("failed"));
  return requests;
}

async function whatItShows(page: Page, complaints: string[], requests: Map<Request, string>): Promise<string> {
  const text = page.evaluate(() => `${document.visibilityState}, ${document.readyState}\n${document.body.innerText}`);
  const late = new Promise<string>((resolve) => setTimeout(resolve, 10_000, "the page answers nothing").unref());
  const shown = await Promise.race([text.catch(String), late]);
  const asked = [...requests].map(([request, outcome]) => {
    const failure = request.failure()?.errorText;
    return `${outcome}: ${request.method()} ${request.url()}${failure ? ` (${failure})` : ""}`;
  });
  return [`${page.url()}: ${shown.slice(0, 2000)}`, "Complaints:", ...complaints, "Requests:", ...asked].join("\n");
}

/** Requests that wait for something to happen. */
const LONG_POLL = /\/events\b|\/host\/state|[?&]after=/;
/** Tests hold some responses back, so a pending request is waited for only this long. */
const SETTLE_MS = 2000;

/**
 * Fails if there is such an element. A slow page would pass a check that looks immediately, so this waits until the
 * page has its responses and has rendered them.
 */
export async function assertNone(target: Locator, why = `${target}`): Promise<void> {
  const page = target.page();
  const requests = requestsOf.get(page) ?? new Map<Request, string>();
  const isPending = () =>
    [...requests].some(([request, outcome]) => outcome.startsWith(PENDING) && !LONG_POLL.test(request.url()));
  const end = performance.now() + SETTLE_MS;
  await until(async () => (isPending() && performance.now() < end ? undefined : true), "a page that has its responses");
  // Timers of the page may be fake, so this lets it render by the clock of this process.
  for (let turn = 0; turn < 3; turn += 1) {
    await sleep(20);
    await page.evaluate("0");
  }
  assert.equal(await target.count(), 0, why);
}

/** Fails with the violations that axe finds, and their elements. */
export function assertAccessible(page: Page, what: string): Promise<void> {
  return assertNoViolations(page, what, {});
}

/**
 * Fails with violations in the light theme and ends in `last`. The themes differ only in colors, and text has less
 * contrast in the light one. test/ui/contrast.test.ts checks both, and `npm run test:long` has axe look at both.
 */
export async function assertAccessibleInBothThemes(
  page: Page,
  what: string,
  last: "light" | "dark" = "dark",
): Promise<void> {
  const inTheme = async (colorScheme: "light" | "dark") => {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  };
  if (IS_LONG_RUN) {
    await inTheme("dark");
    await assertNoViolations(page, `${what}, dark`, { runOnly: COLOR_RULES });
  }
  await inTheme("light");
  await assertNoViolations(page, `${what}, light`, {});
  if (last === "dark") await inTheme(last);
}

/** axe reads colors, which change during transitions. */
async function assertNoViolations(page: Page, what: string, options: RunOptions): Promise<void> {
  await page.waitForFunction(nothingFades);
  // Evaluated as an expression, because the page's policy forbids the usual script element.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  // Preloads nothing, because only rules that are off by default read other files.
  const given = JSON.stringify({ resultTypes: ["violations"], preload: false, ...options });
  const violations = (await page.evaluate(
    `axe.run(document, ${given}).then(({ violations }) => violations)`,
  )) as Result[];
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${help} (${target.join(" ")}; ${any.map(({ message }) => message).join()})`),
  );
  assert.deepEqual(found, [], what);
}

/** Whether all animations have ended, except endless ones such as a spinner's. */
function nothingFades(): boolean {
  const isUnderWay = ({ playState, effect }: Animation) =>
    playState === "running" && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
  return !document.getAnimations().some(isUnderWay);
}

/** A notification covers other elements for seconds, so clicks wait until it is gone. */
export async function closeNotices(page: Page): Promise<void> {
  await page.waitForFunction((label) => {
    const buttons = document.querySelectorAll<HTMLElement>(`[aria-label="${label}"]`);
    for (const button of buttons) button.click();
    return buttons.length === 0;
  }, en.saving.dismiss);
}

/** Moves a dragged item by keyboard. dnd-kit listens to further keys from a timer on. */
export async function moveDragged(page: Page, key: "ArrowUp" | "ArrowDown"): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 20))); // runs after that timer, because timers run in order
  await page.keyboard.press(key);
}

/** Fails if the page scrolls sideways or outside its content area, and names elements that are too wide. */
export async function assertFits(page: Page, what: string): Promise<void> {
  const wide = await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const beyond = [...document.querySelectorAll("body *")].filter(
      (element) => element.getBoundingClientRect().right > width + 1,
    );
    return [`${document.documentElement.scrollWidth} px`, ...beyond.map((element) => element.outerHTML.slice(0, 120))];
  });
  assert.deepEqual(wide, [], what);
  const scrolled = await page.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    return document.getElementById("content") === null ? 0 : scrollHeight - clientHeight;
  });
  assert.ok(scrolled <= 0, `${what}: the document is ${scrolled} px higher than the window, beside what scrolls in it`);
}

/** Presses Tab and checks that nothing clips the outline of what has the focus. Returns how many things had it. */
export async function assertFocusVisible(page: Page, what: string, presses: number): Promise<number> {
  const seen = new Set<string>();
  for (let n = 0; n < presses; n += 1) {
    await page.keyboard.press("Tab");
    const { name, cut } = await page.evaluate(focusCut);
    assert.equal(cut, "", `${what}: ${name}`);
    seen.add(name);
  }
  return seen.size;
}

/** The sides on which an ancestor clips the outline of the focused element. */
function focusCut(): { name: string; cut: string } {
  const focused = document.activeElement as HTMLElement;
  const name = focused.getAttribute("aria-label") ?? focused.innerText.slice(0, 60);
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(focused);
  const room = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
  if (outlineStyle === "none" || room <= 0) return { name, cut: "" };
  const box = focused.getBoundingClientRect();
  const cut: string[] = [];
  for (let above = focused.parentElement; above; above = above.parentElement) {
    const { overflowX, overflowY, contentVisibility } = getComputedStyle(above);
    const edge = above.getBoundingClientRect();
    const isClipping = (overflow: string) => overflow !== "visible" || contentVisibility === "auto";
    if (isClipping(overflowX) && (box.left - room < edge.left || box.right + room > edge.right)) cut.push("beside");
    if (isClipping(overflowY) && (box.top - room < edge.top || box.bottom + room > edge.bottom)) cut.push("above");
    if (cut.length > 0) return { name: `${name} in ${above.tagName} ${above.className}`, cut: cut.join() };
  }
  return { name, cut: "" };
}
