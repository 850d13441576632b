import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { openBrowser } from "./bench/browser.ts";
import { CLUB, CLUB_PASSWORD, type Club, furnishClub } from "./support/rowing-club.ts";
import { CHEAP_PASSWORDS, CLI } from "./support/server-process.ts";

// Updates README's pictures from the organization of test/support/rowing-club.ts. Build the pages with `npm test` or
// `npm start` first, and run this with the pinned Node. Look at the pictures before you commit them.

const FOLDER = fileURLToPath(new URL("../ui/pictures/", import.meta.url));
const PORT = 9488;
const url = `http://127.0.0.1:${PORT}`;

interface Picture {
  name: string;
  path(club: Club): Promise<string> | string;
  isReady(page: Page): Promise<void>;
}

const PICTURES: readonly Picture[] = [
  {
    name: "chat",
    path: async ({ owner }) => {
      const { authorization } = owner;
      const answer = await fetch(`${url}/api/v1/get_stream_id?stream=training`, { headers: { authorization } });
      const { stream_id } = (await answer.json()) as { stream_id: number };
      return `/#narrow/channel/${stream_id}-training/topic/Saturday.20morning`;
    },
    isReady: (page) => page.getByText("you have the key").waitFor(),
  },
];

const data = join(mkdtempSync(join(tmpdir(), "hearth-pictures-")), "data");
const hearth = (...args: string[]) =>
  spawn(process.execPath, ["--import", CHEAP_PASSWORDS, CLI, ...args, "--data", data], {
    env: { ...process.env, HEARTH_OWNER_PASSWORD: CLUB_PASSWORD },
    stdio: ["ignore", "pipe", "inherit"],
  });
const { organization, ownerEmail, ownerName } = CLUB;
const made = hearth("init", "--organization", organization, "--owner-email", ownerEmail, "--owner-name", ownerName);
await once(made, "close");
const server = hearth("serve", "--host", "0.0.0.0", "--port", String(PORT), "--rate-limit", "off");
await once(server.stdout, "data");
const browser = await openBrowser();
try {
  const club = await furnishClub(url);
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", colorScheme });
    const page = await context.newPage();
    await page.goto(`${url}/admin/`);
    await page.getByLabel("Email address").fill(ownerEmail);
    await page.getByLabel("Password", { exact: true }).fill(CLUB_PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("Online now").waitFor();
    for (const { name, path, isReady } of PICTURES) {
      await page.goto(url.concat(await path(club)));
      await isReady(page);
      await page.waitForTimeout(1500); // waits for the chart and transitions
      await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`) });
    }
    await context.close();
  }
} finally {
  await browser.close();
  server.kill();
  await once(server, "close");
  rmSync(join(data, ".."), { recursive: true, force: true });
}
