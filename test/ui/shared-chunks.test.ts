import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNoCycle, sharedChunks } from "../../ui/build/shared-chunks.ts";

/** Larger than several requests cost. */
const LONG = "x".repeat(50_000);

/** A module by path: its imports, its lazy imports, and its code if relevant. */
type Modules = Record<string, { imports?: string[]; later?: string[]; code?: string }>;

function chunksOf(modules: Modules, entries: Record<string, string>, firsts: Record<string, string> = {}) {
  const nameOf = sharedChunks(entries, firsts);
  const getModuleInfo = (id: string) => {
    const { imports = [], later = [], code = LONG } = modules[id] ?? {};
    return { importedIds: imports, dynamicallyImportedIds: later, code };
  };
  return Object.fromEntries(Object.keys(modules).map((id) => [id, nameOf(id, { getModuleInfo })]));
}

const pages = { chat: "/chat", admin: "/admin" };

test("modules share a chunk if the same pages start with them", () => {
  const modules = {
    "/chat": { imports: ["/react", "/theme", "/feed"] },
    "/admin": { imports: ["/react", "/theme"] },
    "/react": {},
    "/theme": {},
    "/feed": {},
  };
  const shared = "shared-admin-chat";
  assert.deepEqual(chunksOf(modules, pages), {
    "/chat": null,
    "/admin": null,
    "/react": shared,
    "/theme": shared,
    "/feed": null,
  });
});

test("modules loaded later stay out of a page's start", () => {
  const modules = {
    "/chat": { imports: ["/box"], later: ["/palette", "/help"] },
    "/admin": { later: ["/palette", "/people", "/groups"] },
    "/palette": { imports: ["/list", "/box"] },
    "/help": { imports: ["/list", "/keys"] },
    "/people": { imports: ["/table"] },
    "/groups": { imports: ["/table"] },
    "/box": {},
    "/list": {},
    "/keys": {},
    "/table": {},
  };
  const chunks = chunksOf(modules, pages);
  assert.equal(chunks["/box"], "shared-chat-and-admin");
  assert.equal(chunks["/list"], "parts-admin-chat");
  assert.equal(chunks["/table"], "parts-admin");
  assert.equal(chunks["/keys"], null, "only one part uses it");
  assert.equal(chunks["/people"], null, "it is a part of its own");
});

test("a separately loaded first view counts as a page", () => {
  const modules = {
    "/chat": {},
    "/admin": { imports: ["/box"], later: ["/overview", "/people", "/groups"] },
    "/overview": { imports: ["/box", "/card"] },
    "/people": { imports: ["/card", "/table"] },
    "/groups": { imports: ["/table"] },
    "/box": {},
    "/card": {},
    "/table": {},
  };
  const chunks = chunksOf(modules, pages, { overview: "/overview" });
  assert.deepEqual(
    ["/box", "/card", "/table"].map((id) => chunks[id]),
    ["shared-admin-overview", "shared-overview-and-admin", "parts-admin"],
  );
});

test("named imports of a package index count alone", () => {
  const index = "/node_modules/mantine/esm/index.mjs";
  const modules = {
    "/chat": { imports: [index], code: 'import { Box as B } from "mantine";\nB();' },
    "/admin": { imports: [index], code: 'import { Box, Table } from "mantine";' },
    [index]: {
      imports: ["/node_modules/mantine/esm/box.mjs", "/node_modules/mantine/esm/table.mjs"],
      code: '/* All of it. */\nimport { Box } from "./box.mjs";\nexport { default as Table } from "./table.mjs";\nexport { Box };',
    },
    "/node_modules/mantine/esm/box.mjs": {},
    "/node_modules/mantine/esm/table.mjs": {},
  };
  const chunks = chunksOf(modules, pages);
  assert.equal(chunks["/node_modules/mantine/esm/box.mjs"], "shared-admin-chat");
  assert.equal(chunks["/node_modules/mantine/esm/table.mjs"], null);
});

test("importing a whole index counts all of it", () => {
  const index = "/node_modules/icons/index.js";
  const modules = {
    "/chat": { imports: [index], code: 'import * as icons from "icons";' },
    "/admin": { imports: [index], code: 'import { Plus } from "icons";' },
    [index]: { imports: ["/node_modules/icons/plus.js"], code: 'export { Plus } from "./plus.js";' },
    "/node_modules/icons/plus.js": {},
  };
  assert.equal(chunksOf(modules, pages)["/node_modules/icons/plus.js"], "shared-admin-chat");
});

test("a small chunk joins one that the same and more pages load", () => {
  const modules = {
    "/chat": { imports: ["/react", "/box"] },
    "/admin": { imports: ["/react", "/box"] },
    "/join": { imports: ["/react"] },
    "/react": {},
    "/box": { code: "small" },
  };
  const names = () => Object.values(chunksOf(modules, { ...pages, join: "/join" })).filter((name) => name !== null);
  assert.deepEqual(names(), ["shared-admin-chat-join", "shared-admin-chat-join"]);
  modules["/box"].code = LONG;
  assert.deepEqual(names(), ["shared-admin-chat-join", "shared-admin-chat"], "join would load it for nothing");
});

test("start modules do not join chunks loaded later by others", () => {
  const modules = {
    "/chat": { imports: ["/feed"], later: ["/poll"] },
    "/admin": { later: ["/people", "/groups"] },
    "/poll": { imports: ["/feed"] },
    "/people": { imports: ["/table"] },
    "/groups": { imports: ["/table"] },
    "/feed": { code: "small" },
    "/table": { code: "small" },
  };
  const chunks = chunksOf(modules, pages);
  assert.notEqual(chunks["/feed"], chunks["/table"]);
});

test("chunks with another between them stay separate", () => {
  const modules = {
    "/chat": { imports: ["/feed", "/dates"], later: ["/help"] },
    "/admin": { imports: ["/dates", "/icon"] },
    "/join": { imports: ["/react", "/icon"] },
    "/help": { imports: ["/feed"] },
    "/feed": { imports: ["/react"], code: "small" },
    "/dates": { code: LONG.slice(0, 10_000) },
    "/react": { imports: ["/icon"] },
    "/icon": { code: "small" },
  };
  const chunks = chunksOf(modules, { ...pages, join: "/join" });
  assert.equal(chunks["/feed"], chunks["/dates"]);
  assert.notEqual(chunks["/dates"], chunks["/icon"], "react would be imported by their chunk, and import it");
});

test("circular chunks fail the build", () => {
  const chunks = [
    { fileName: "page.js", imports: ["a.js"] },
    { fileName: "a.js", imports: ["b.js", "react.js"] },
    { fileName: "b.js", imports: ["react.js"] },
    { fileName: "react.js", imports: [] },
  ];
  assertNoCycle(chunks);
  const circular = [...chunks.slice(0, 2), { fileName: "b.js", imports: ["a.js"] }, ...chunks.slice(3)];
  assert.throws(() => assertNoCycle(circular), /: a\.js, b\.js$/);
});
