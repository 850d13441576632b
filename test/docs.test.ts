import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as declared from "../server/api/endpoints/declared.ts";
import { type Chat, startChat } from "./support/chat.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

function textFiles(): string[] {
  const found = ["docs", "main", "server", "test", "ui"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (path) => `${folder}/${path.replaceAll("\\", "/")}`,
    ),
  );
  return ["README.md", ...found].filter(
    (path) => /\.(?:md|tsx?|mts|[cm]?js|css|html)$/.test(path) && !path.includes("node_modules/"),
  );
}

/** Matches fenced code blocks. */
const FENCES = /^```[\s\S]*?^```$/gm;
const withoutCode = (markdown: string) => markdown.replace(FENCES, "").replace(/`[^`\n]*`/g, "");

/** The anchors that GitHub creates for a page's headings. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  const outsideFences = markdown.replace(FENCES, "");
  for (const [, heading = ""] of outsideFences.matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = text.replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let copy = 1; anchors.has(anchor); copy++) anchor = `${slug}-${copy}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Why `path#anchor` does not resolve, or undefined if it does. */
function missing(path: string, anchor: string | undefined): string | undefined {
  if (!existsSync(join(root, path))) return `there is no ${path}`;
  if (!anchor || !path.endsWith(".md") || anchorsOf(read(path)).has(anchor)) return undefined;
  return `${path} has no heading #${anchor}`;
}

const CITE = /\bdocs\/([\w/-]+\.md)(?:#([\w-]+))?/g;

test("every cited page and section of docs/ exists", () => {
  const wrong: string[] = [];
  let cites = 0;
  for (const file of textFiles()) {
    for (const [cite, page, anchor] of read(file).matchAll(CITE)) {
      cites += 1;
      const why = missing(`docs/${page}`, anchor);
      if (why) wrong.push(`${file} cites ${cite}: ${why}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(cites > 0);
});

test("links between pages resolve", () => {
  const wrong: string[] = [];
  for (const file of textFiles().filter((path) => path.endsWith(".md"))) {
    const text = withoutCode(read(file));
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)].map(
      ([, link, attribute]) => link ?? attribute ?? "",
    );
    for (const target of targets.filter((one) => !/^[a-z][a-z+.-]*:/i.test(one))) {
      const [path = "", anchor] = target.split("#");
      const why = missing(path === "" ? file : normalize(join(dirname(file), path)).replaceAll("\\", "/"), anchor);
      if (why) wrong.push(`${file} links to ${target}: ${why}`);
    }
  }
  assert.deepEqual(wrong, []);
});

const PATH = /(?<![\w./@-])(?:server|main|ui|test|docs)\/[\w./-]*/g;

test("every path in the documentation exists", () => {
  const wrong: string[] = [];
  let paths = 0;
  for (const file of ["README.md", ...textFiles().filter((path) => /^docs\/.*\.md$/.test(path))]) {
    for (const [path] of read(file).matchAll(PATH)) {
      paths += 1;
      if (!existsSync(join(root, path.replace(/\.$/, "")))) wrong.push(`${file} names ${path}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(paths > 0);
});

test("the container uses existing CLI options", () => {
  const commandLine = read("server/host/supervisor/cli.ts");
  const container = read("docs/Containerfile");
  const command = /^CMD \[(.*)\]$/m.exec(container)?.[1]?.replace(/[",]/g, "") ?? "";
  assert.match(command, /^serve --data \/\S+ --host 0\.0\.0\.0 --port 9400$/);
  for (const option of ["--host", "--port"]) assert.ok(commandLine.includes(`[${option} `), option);
  assert.match(container, /^VOLUME \/data$/m);
  assert.match(container, /^HEALTHCHECK /m);
});

test("both maps name every folder of server/", () => {
  const folders = readdirSync(join(root, "server"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.map(({ name }) => `server/${name}/`).sort();
  assert.ok(names.length > 0);
  for (const page of ["README.md", "docs/architecture.md"]) {
    const rows = [...read(page).matchAll(/^\| `(server\/[\w-]+\/)` \|/gm)].map(([, name]) => name);
    assert.deepEqual(rows.sort(), names, page);
  }
});

/** The tables below a heading of docs/protocol.md as rows of cells, without header rows. */
function tablesUnder(heading: string): string[][][] {
  const page = `${read("docs/protocol.md")}\n## `;
  const start = new RegExp(`^#{2,3} ${heading}$`, "m").exec(page);
  assert.ok(start, `docs/protocol.md has no heading ${heading}`);
  const section = page.slice(start.index + start[0].length).split(/^#{2,3} /m)[0] as string;
  const tables = [...section.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) => table.trimEnd().split("\n").slice(2));
  return tables.map((rows) =>
    rows.map((row) => row.slice(1, -1).split("|")).map((cells) => cells.map((cell) => cell.trim())),
  );
}

async function registered(t: TestContext): Promise<{ chat: Chat; state: Record<string, any> }> {
  const chat = await startChat(t, { unwatched: true });
  return { chat, state: (await chat.register("desdemona")).state };
}

test("limits match docs/", async (t) => {
  const { state } = await registered(t);
  const told = (tablesUnder("Limits")[0] ?? []).filter(([, , fields]) => fields !== "");
  assert.ok(told.length > 0);
  for (const [what, limit = "", fields = ""] of told) {
    const names = [...fields.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
    const figures = (limit.match(/\d+/g) ?? []).map(Number);
    assert.deepEqual(
      figures,
      names.map((name) => state[name]),
      String(what),
    );
  }
});

test("the table of errors lists every code", () => {
  const listed = new Set((tablesUnder("Errors")[0] ?? []).flatMap(([codes = ""]) => codes.match(/[A-Z_]{3,}/g) ?? []));
  const thrown = textFiles()
    .filter((file) => file.startsWith("server/"))
    .flatMap((file) => [...read(file).matchAll(/\b(?:ApiError|unauthorized)\(\s*"([A-Z_]+)"/g)])
    .map(([, name]) => name as string);
  assert.deepEqual(
    [...new Set(thrown)].filter((name) => !listed.has(name)),
    [],
  );
});

/** Documents outside the repository, which a clone lacks. */
const ABSENT =
  /\b(?:contract|spec)\/|\b(?:decisions|DESIGN|STYLE|interface)\.md\b|\bcontract(?:,|:|'s| `| [\w-]+\.json)/i;

test("no file cites files outside the repository", () => {
  const wrong = textFiles().flatMap((file) =>
    read(file)
      .split("\n")
      .flatMap((line, at) => (ABSENT.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
  assert.deepEqual(wrong, []);
});

test("docs/prices.md names declared calls only", () => {
  const [, tables = ""] = /<!-- prices -->([\s\S]*)<!-- \/prices -->/.exec(read("docs/prices.md")) ?? [];
  const named = [...tables.matchAll(/`([A-Z]+ \/[^`]*)`/g)].map(([, call]) => call as string);
  const routes = Object.values(declared).map(({ route }) => route as string);
  const known = new Set([...routes, "GET /openapi.json", "GET /generated/…"]);
  assert.deepEqual(
    named.filter((call) => !known.has(call)),
    [],
  );
  assert.ok(named.length > 0);
});
