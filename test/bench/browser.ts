/// <reference lib="dom" />
import { type Browser, chromium, type Page } from "playwright-core";
import { chromium as chromiumPath, findPrograms } from "../support/programs.ts";
import type { Child } from "./processes.ts";

/** The first person of makeOrganization. */
const OWNER = { email: "person1@example.com", password: "not asked for" };

export async function openBrowser(): Promise<Browser> {
  Object.assign(process.env, await findPrograms(["test/ui/"]));
  return chromium.launch({
    executablePath: chromiumPath(),
    args: ["--disable-gpu", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  });
}

export async function signedIn(browser: Browser, { url }: Child, path: string, heading: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(`${url}${path}`);
  await page.getByLabel("Email address").fill(OWNER.email);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: heading, exact: true }).waitFor();
  return page;
}

export async function loadedKb(page: Page): Promise<number> {
  const sizes = await page.evaluate(() =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .map((entry) => entry as PerformanceResourceTiming)
      .filter(
        ({ name }) =>
          !new URL(name).pathname.startsWith("/api/") && /\/$|\/assets\/.*\.(?:js|css)/.test(name.split("#")[0] ?? ""),
      )
      .map(({ encodedBodySize }) => encodedBodySize),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

/** Frames per second while the wheel turns, and the highest count of `selector` at any time. */
export async function scrolled(page: Page, selector: string, by: number): Promise<{ fps: number; most: number }> {
  const frames = page.evaluate(
    async ({ ms, selector }) => {
      const start = performance.now();
      let [drawn, most] = [0, 0];
      while (performance.now() - start < ms) {
        await new Promise(requestAnimationFrame);
        drawn += 1;
        most = Math.max(most, document.querySelectorAll(selector).length);
      }
      return { fps: (1000 * drawn) / (performance.now() - start), most };
    },
    { ms: SCROLLED_MS, selector },
  );
  const ended = { now: false };
  const wheel = (async () => {
    while (!ended.now) await page.mouse.wheel(0, by);
  })();
  const found = await frames;
  ended.now = true;
  await wheel;
  return found;
}

const SCROLLED_MS = 6_000;
