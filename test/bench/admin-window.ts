/// <reference lib="dom" />
import type { Page } from "playwright-core";
import type { User } from "../../server/api/queries/users.ts";
import { openStore } from "../../server/storage/store.ts";
import { loadedKb, openBrowser, scrolled, signedIn } from "./browser.ts";
import type { Figure } from "./figures.ts";
import { addChannel, makeOrganization } from "./organization.ts";
import { type Child, removeFolder, startHearth } from "./processes.ts";
import type { Section } from "./section.ts";
import { median } from "./start.ts";

const LARGE = { people: 5_000, channels: 2_000 };
const QUICK = { people: 200, channels: 60 };
const ROUNDS = 5;
const TARGETS = { firstLoadKb: 250, firstPageMs: 300, searchMs: 100, fps: 58 };

export const adminWindow: Section = async ({ quick, tell }) => {
  const { people, channels } = quick ? QUICK : LARGE;
  const folder = await filled(people, channels);
  const server = await startHearth(folder);
  const browser = await openBrowser();
  try {
    const page = await signedIn(browser, server, "/admin/", "How people connect");
    tell(await firstLoad(page, server));
    await page.addInitScript(NOTE_TIMES);
    for (const [name, path, count, named] of [
      ["People", "/people", people, (index: number) => `Person ${index}`],
      ["Channels", "/channels", channels, (index: number) => `channel ${index}`],
    ] as const)
      for (const figure of await table(page, server, { name, path, count, named })) tell(figure);
  } finally {
    await browser.close();
    await server.stop();
    removeFolder(folder);
  }
};

/** One change may take 4 MB of the log, so channels are created in parts. */
const CHANNELS_AT_ONCE = 25;

async function filled(people: number, channels: number): Promise<string> {
  let members: readonly User[] = [];
  const { folder } = await makeOrganization(people, (_tx, users) => {
    members = users.slice(0, 10);
  });
  const store = await openStore({ folder });
  for (let first = 0; first < channels; first += CHANNELS_AT_ONCE)
    store.transact({ actor: null, action: "bench" }, (tx) => {
      for (let index = first; index < Math.min(channels, first + CHANNELS_AT_ONCE); index += 1)
        addChannel(tx, `channel ${index}`, members);
    });
  await store.close();
  return folder;
}

async function firstLoad(page: Page, { url }: Child): Promise<Figure> {
  await page.goto("about:blank");
  await page.goto(`${url}/admin/`);
  await page.getByRole("heading", { name: "How people connect" }).waitFor();
  return { name: "first load of Overview", value: await loadedKb(page), unit: "kB", atMost: TARGETS.firstLoadKb };
}

interface Table {
  name: string;
  path: string;
  count: number;
  named(index: number): string;
}

async function table(page: Page, { url }: Child, { name, path, count, named }: Table): Promise<Figure[]> {
  const opened: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.goto("about:blank");
    await page.goto(`${url}/admin/#${path}`);
    opened.push(await sinceShell(page));
  }
  const searched: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const text = named((round * 31) % count);
    searched.push(await untilFound(page, text));
  }
  await page.getByRole("searchbox").first().fill("");
  await page.mouse.move(900, 600);
  const { fps, most } = await scrolled(page, "[data-index]", 600);
  const of = `${name}, ${count.toLocaleString("en")} rows`;
  return [
    { name: `${of}: from the shell to the first rows`, value: median(opened), unit: "ms", atMost: TARGETS.firstPageMs },
    { name: `${of}: search`, value: median(searched), unit: "ms", atMost: TARGETS.searchMs },
    { name: `${of}: frames while scrolling`, value: fps, unit: "/s", atLeast: TARGETS.fps, more: { rows: most } },
  ];
}

const MAX_WAIT_MS = 60_000;

/** Runs in the page before its own scripts. It records when the navigation and the first rows are painted. */
const NOTE_TIMES = `
  globalThis.shownAt = {};
  const look = () => {
    for (const [name, selector] of [["shell", "nav"], ["rows", "[data-index]"]])
      if (document.querySelector(selector)) globalThis.shownAt[name] ??= performance.now();
    if (globalThis.shownAt.rows === undefined) requestAnimationFrame(look);
  };
  look();
`;

/** Milliseconds from painting the navigation to the first rows. */
async function sinceShell(page: Page): Promise<number> {
  await page.locator("[data-index]").first().waitFor();
  const { shell, rows } = (await page.evaluate("globalThis.shownAt")) as { shell: number; rows: number };
  return rows - shell;
}

/** Milliseconds from typing a name until only matching rows are painted. */
const untilFound = async (page: Page, text: string): Promise<number> => {
  const field = page.getByRole("searchbox").first();
  await field.fill("");
  await field.evaluate((element, wanted) => {
    const input = element as HTMLInputElement;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, wanted);
    Object.assign(globalThis, { typedAt: performance.now() });
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, text);
  return page.evaluate(
    async ({ wanted, longest }) => {
      const { typedAt } = globalThis as unknown as { typedAt: number };
      const words = wanted.split(" ");
      const rows = () => [...document.querySelectorAll("[data-index]")];
      const isFound = () =>
        rows().length > 0 && rows().every((row) => words.every((word) => row.textContent?.includes(word)));
      while (!isFound()) {
        if (performance.now() > typedAt + longest) throw new Error(`Only rows with ${wanted}: they are not there.`);
        await new Promise(requestAnimationFrame);
      }
      return performance.now() - typedAt;
    },
    { wanted: text, longest: MAX_WAIT_MS },
  );
};
