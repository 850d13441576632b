import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { adminPageTexts } from "../../ui/locales/en-admin-pages.ts";

// The files that the pages load before they show.

const root = fileURLToPath(new URL("../..", import.meta.url));
const built = join(root, ".build", "ui");
const assets = join(built, "assets");
const MAX_BYTES = 250_000;

const read = (name: string) => readFileSync(join(assets, name), "utf8");
const foundIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found as string);

test("the window's first page loads at most 250 kB", () => {
  const page = readFileSync(join(built, "admin", "index.html"), "utf8");
  const begun = foundIn(page, /assets\/([\w.-]+\.(?:js|css))"/g);
  const entry = read(begun.find((name) => name.startsWith("admin-") && name.endsWith(".js")) as string);
  // Vite lists a later chunk's dependencies, including styles, by number.
  const [list] = foundIn(entry, /m\.f=(\[[^\]]*\])/g);
  const needed = (JSON.parse(list as string) as string[]).map((path) => path.replace(/^.*\//, ""));
  const [numbers] = foundIn(
    entry,
    /import\(["'`]\.\/OverviewPage-[\w-]+\.js["'`]\).{0,100}?__vite__mapDeps\((\[[\d,]*\])\)/g,
  );
  assert.ok(numbers, "how Overview is loaded");
  const overview = (JSON.parse(numbers) as number[]).map((number) => needed[number] as string);
  const worker = readdirSync(assets).filter((name) => /^live-worker-[\w-]+\.js$/.test(name));
  assert.equal(worker.length, 1);

  const files = new Set([...begun, ...overview, ...worker]);
  for (const name of files) // it grows during the loop
    if (name.endsWith(".js"))
      for (const next of foundIn(read(name), /(?:from|import)\s*["'`]\.\/([\w-]+\.js)["'`]/g)) files.add(next);
  const sizes = [...files].map((name) => ({ name, bytes: statSync(join(assets, `${name}.gz`)).size }));
  assert.ok(
    sizes.some(({ name }) => /^OverviewPage-[\w-]+\.css$/.test(name)),
    "the styles of Overview are counted",
  );
  const bytes = sizes.reduce((sum, one) => sum + one.bytes, page.length);
  const largest = sizes.sort((a, b) => b.bytes - a.bytes).map((one) => `${one.name}: ${one.bytes}`);
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes: ${largest.join(", ")}`);
});

/** The trust page shares no chunks of its own (vite.config.ts). */
const MAX_FILES = { chat: 20, admin: 20, "join/link": 20, reset: 20, unsubscribe: 20, "not-found": 20, trust: 30 };

for (const [page, most] of Object.entries(MAX_FILES))
  test(`${page} starts with at most ${most} scripts and styles`, () => {
    const html = readFileSync(join(built, page, "index.html"), "utf8");
    const begun = foundIn(html, /assets\/([\w-]+\.(?:js|css))"/g);
    assert.ok(begun.length > 2 && begun.length <= most, begun.join(", "));
  });

/** A module's static imports. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, "utf8");
  for (const next of foundIn(text, /^(?:import|export)\s+(?!type\b)(?:[\w$*{}\s,]+?\bfrom\s*)?"(\.[^"\n]+\.tsx?)"/gm))
    withImports(join(dirname(file), next), found);
  return found;
}

test("the texts of Overview load at the start", () => {
  const later = Object.keys(adminPageTexts);
  const begun = ["main.tsx", "pages/overview/OverviewPage.tsx"].map((path) => join(root, "ui", "admin", path));
  const modules = begun.reduce((found, file) => withImports(file, found), new Set<string>());
  assert.ok(modules.size > 60);
  const missing = [...modules]
    .filter((file) => !file.includes("/locales/"))
    .flatMap((file) => {
      const keys = foundIn(readFileSync(file, "utf8"), /["`]([a-z]\w*(?:\.\w+)*\.)(?:\$\{|\w+["`])/gi);
      return keys
        .filter((key) => later.includes(key.split(".")[0] as string))
        .map((key) => [relative(root, file), key]);
    });
  assert.deepEqual(missing, []);
});

test("the service worker caches only files that exist", () => {
  const paths = foundIn(readFileSync(join(built, "sw.js"), "utf8"), /\/(assets\/[\w.-]+)/g);
  assert.ok(paths.length > 20, `${paths.length} files`);
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(built, path))),
    [],
  );
});
