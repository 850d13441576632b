import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { en } from "../../ui/locales/en.ts";
import { type Checks, startDesktop } from "../support/desktop.ts";
import { until } from "../support/patience.ts";
import { desktopTest } from "../support/programs.ts";
import { dataFolder } from "../support/server-process.ts";
import { likeText } from "../support/ui-texts.ts";
import { bridge } from "./bridge-checks.ts";
import { isolation } from "./isolation-checks.ts";
import { requests } from "./request-checks.ts";

// The window's contents and restrictions: Electron's security checklist, item by item, in one app.

desktopTest("the window shows only Hearth's own page", async (t) => {
  const { path } = await dataFolder(t);
  // A missing camera fails without a permission check, so there is a fake one.
  const desktop = await startDesktop(t, { dataFolder: path, switches: ["--use-fake-device-for-media-stream"] });
  const page = await desktop.page();
  await desktop.running();
  for (const [name, check] of Object.entries({ ...shown, ...isolation, ...saved, ...bridge, ...requests }))
    await t.test(name, () => check(desktop, page, t));
  await t.test("the window never leaves its page", () => {
    assert.deepEqual([page.url().split("#")[0], desktop.app.windows().length], ["app://hearth/", 1]);
  });
});

const shown: Checks = {
  "one window opens at app://hearth/ with title and menu": async ({ ask }, page) => {
    assert.equal(page.url().split("#")[0], "app://hearth/");
    const shown = () => ask(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() || undefined);
    await until(shown, "the window is shown");
    const about = await ask(({ app: itself, BrowserWindow, Menu }) => ({
      windows: BrowserWindow.getAllWindows().length,
      title: BrowserWindow.getAllWindows()[0]!.getTitle(),
      roles: Menu.getApplicationMenu()!.items.flatMap(({ submenu }) =>
        submenu!.items.map(({ role, id }) => role ?? id),
      ),
      name: itself.getName(),
    }));
    assert.deepEqual([about.windows, about.name], [1, "Hearth"]);
    assert.match(about.title, /Hearth/);
    const roles = about.roles.map((role) => String(role).toLowerCase());
    for (const role of ["copy", "paste", "cut", "undo", "selectall", "reload", "zoomin", "resetzoom", "datafolder"]) {
      assert.ok(roles.includes(role), `${role} in ${roles}`);
    }
    for (const role of ["togglefullscreen", "minimize", "quit", "about"]) assert.ok(roles.includes(role), role);
  },

  "the window has the page's background before the first paint": async ({ ask }, page) => {
    for (const scheme of ["dark", "light"] as const) {
      await ask(({ nativeTheme }, source) => {
        nativeTheme.themeSource = source;
      }, scheme);
      await page.emulateMedia({ colorScheme: scheme }); // Playwright overrides the page's scheme
      const painted = async () => {
        const behind = await ask(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getBackgroundColor());
        const color = await page.evaluate(() => {
          const { document, getComputedStyle } = globalThis as any;
          return getComputedStyle(document.body).backgroundColor;
        });
        const numbers = String(color).match(/\d+/g) ?? [];
        const seen = numbers.slice(0, 3).map((number) => Number(number).toString(16).padStart(2, "0"));
        return (seen[0]! < "80" === (scheme === "dark") && `#${seen.join("")}` === behind.toLowerCase()) || undefined;
      };
      await until(painted, `page and window are of the same ${scheme} colour`);
    }
  },
};

const saved: Checks = {
  "an export is made and saved in the window, as the server has it": async (desktop, page) => {
    const to = join(mkdtempSync(join(tmpdir(), "hearth-saved-")), "saved.tar");
    await desktop.ask(({ session }, path) => {
      session.defaultSession.on("will-download", (_event, item) => item.setSavePath(path)); // otherwise it would ask
    }, to);
    await page.evaluate(() => {
      (globalThis as any).location.hash = "#/data";
    });
    await page.getByRole("button", { name: en.exports.submit, exact: true }).click();
    await page.getByRole("button", { name: likeText(en.exports.downloadNamed) }).click();
    const made = await until(() => readdirSync(join(desktop.dataFolder, "exports"))[0], "the export's file");
    const { size } = statSync(join(desktop.dataFolder, "exports", made));
    await until(() => (existsSync(to) && statSync(to).size === size) || undefined, "the saved file");
    assert.deepEqual(readFileSync(to), readFileSync(join(desktop.dataFolder, "exports", made)));
    rmSync(dirname(to), { recursive: true });
    await page.evaluate(() => {
      (globalThis as any).location.hash = "#/";
    });
    await page.getByText(likeText(en.topBar.runningSince)).waitFor();
  },

  "downloads are blocked, but for tables and reports of the page": async ({ ask }, page) => {
    await ask(({ session }) => {
      const seen: Record<string, boolean> = {};
      Object.assign(globalThis, { downloads: seen });
      session.defaultSession.on("will-download", (event, item) => {
        seen[item.getFilename()] = event.defaultPrevented;
        event.preventDefault(); // otherwise it would ask for a location
      });
    });
    for (const name of ["free.exe", "hearth-audit.csv", "hearth-help.json", "hearth-export-1.tar", "page.html"]) {
      await page.evaluate((download) => {
        const { document } = globalThis as any;
        const href = (URL as any).createObjectURL(new Blob(["MZ"]));
        Object.assign(document.createElement("a"), { href, download }).click();
      }, name);
      const seen = async () => (await ask(() => (globalThis as any).downloads as Record<string, boolean>))[name];
      assert.equal(await until(seen, `${name} is saved or refused`), /exe|html/.test(name), name);
    }
  },
};
