import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";

export interface Import {
  from: string;
  specifier: string;
  typeOnly: boolean;
}

interface Room {
  /** Rooms (or single files) that this one may import; its own files always. */
  uses: string[];
  /** Rooms of which it may import types, beside those it uses. */
  types?: string[];
  /** What to do instead of any other import. */
  instead: string;
}

/**
 * Which way imports run (DESIGN.md, "The house"). A linter that matches the text of an import cannot tell types from
 * values, so this table is the rule: the check reads it, and test/imports.test.ts shows that it bites.
 * A file belongs to the longest name here that its path starts with.
 */
export const rooms: Record<string, Room> = {
  "server/errors.ts": { uses: [], instead: "errors.ts stands alone: take what it needs as arguments" },
  "server/storage": { uses: [], instead: "storage knows no noun: let the caller pass values or functions in" },
  "server/markdown": { uses: [], instead: "markdown is pure: let the caller look things up and pass them in" },
  "server/http": {
    uses: [],
    types: ["server/storage"],
    instead: "http holds no chat nouns: make it a type parameter or an option that server.ts fills",
  },
  "server/access": {
    uses: ["server/queries", "server/storage"],
    types: ["server/markdown"],
    instead: "access only reads: move the shared part to access/, queries/ or storage/",
  },
  "server/queries": {
    // A search reads words as the index was filled with them.
    uses: ["server/access", "server/storage", "server/markdown/matches.ts"],
    types: ["server/markdown"],
    instead: "queries only read: move the shared part to queries/, access/ or storage/",
  },
  "server/actions": {
    uses: ["server/access", "server/queries", "server/markdown", "server/storage"],
    instead:
      "an action takes plain values: do HTTP, files and delivery in the endpoint or a pump, and emit with tx.emit",
  },
  "server/events": {
    uses: ["server/queries", "server/actions", "server/access", "server/storage"],
    types: ["server/app.ts"],
    instead: "events reads through queries/ and access/ and changes state through actions/",
  },
  "server/webhooks": {
    uses: ["server/queries", "server/actions", "server/access", "server/storage"],
    types: ["server/app.ts", "server/events"],
    instead: "webhooks reads through queries/ and access/ and changes state through actions/",
  },
  "server/chores.ts": {
    uses: ["server/queries", "server/actions", "server/access", "server/storage"],
    types: ["server/app.ts", "server/events", "server/http"],
    instead: "chores change state through actions/; server.ts hands them what else they need",
  },
  "server/endpoints": {
    uses: ["server/http", "server/access", "server/actions", "server/queries", "server/markdown"],
    types: ["server/app.ts", "server/storage", "server/events"],
    instead: "an endpoint obtains things through access/, calls one action and shapes the answer with queries/",
  },
  "server/server.ts": {
    uses: ["server"],
    instead: "the server knows neither window, desktop nor tests: they import it",
  },
  server: {
    uses: ["server"],
    instead:
      "only server/server.ts and setup.ts import endpoints, and nothing in server/ imports the window, the desktop or tests",
  },
  ui: {
    uses: [],
    types: ["server", "main/bridge-types.ts"],
    instead: "the window talks HTTP: of server/ and of the bridge it may only `import type`",
  },
  main: { uses: ["server"], instead: "the shell starts the server and shows pages: it holds no page and no test" },
  test: { uses: ["server", "ui", "main"], instead: "tests import what they test" },
};

const forEveryRoom = ["server/errors.ts", "server/version.ts"];
const forbiddenFolders = ["utils", "lib", "common", "services", "helpers"];

/** Every import of the tree that runs the wrong way, one sentence each. */
export function wrongImports(root: string): string[] {
  return sourceFiles(root).flatMap((file) => {
    const folder = file.split("/").find((part) => forbiddenFolders.includes(part));
    const misnamed = folder
      ? [`${file}: no folder is called ${folder}: put it beside its caller, or name its duty`]
      : [];
    const imports = importsOf(file, readFileSync(join(root, file), "utf8"));
    return [...misnamed, ...imports.map(complaint).filter((sentence) => sentence !== undefined)];
  });
}

/** The files that the rules cover, as paths from the root with "/". */
export function sourceFiles(root: string): string[] {
  const tops = ["main", "server", "ui", "test"].filter((top) => existsSync(join(root, top)));
  return tops.flatMap((top) => {
    const files = readdirSync(join(root, top), { recursive: true, withFileTypes: true });
    return files
      .filter((entry) => entry.isFile() && /\.(ts|tsx|mts|js|mjs|cjs)$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
      .filter((path) => !path.includes("node_modules/"));
  });
}

/** The imports, re-exports, dynamic imports and requires of one file's text. `import { type A }` counts as a value. */
export function importsOf(from: string, text: string): Import[] {
  const found: Import[] = [];
  const statements = /^[ \t]*(?:import|export)\s+(type\s+(?!from\b))?(?:[\w$*{}\s,]+?\bfrom\s*)?["']([^"'\n]+)["']/gm;
  for (const [, type, specifier] of text.matchAll(statements)) {
    found.push({ from, specifier: specifier!, typeOnly: type !== undefined });
  }
  const code = text.replace(/^[ \t]*(?:\/\/|\/?\*).*$/gm, "");
  for (const [, type, specifier] of code.matchAll(/\b(typeof\s+)?(?:import|require)\s*\(\s*["'`]([^"'`\n]+)["'`]/g)) {
    found.push({ from, specifier: specifier!, typeOnly: type !== undefined });
  }
  return found;
}

/** What is wrong with an import and what to do instead; undefined when it is allowed. */
export function complaint({ from, specifier, typeOnly }: Import): string | undefined {
  const room = roomOf(from);
  if (room === undefined) return `${from}: lies in no room of test/support/import-rules.ts`;
  if (/^electron(\/|$)/.test(specifier)) {
    // The hook runs inside the app that the desktop tests start.
    return room === "main" || from === "test/support/desktop-hook.cjs"
      ? undefined
      : `${from} imports electron: only main/ may; ask for it through main/bridge.ts`;
  }
  if (!specifier.startsWith(".")) return undefined;
  const to = normalize(join(dirname(from), specifier)).replaceAll(sep, "/");
  if (to === "package.json") return undefined; // whose version it is
  const { uses, types = [], instead } = rooms[room]!;
  const allowed = [room, ...(room === "ui" ? [] : forEveryRoom), ...uses, ...(typeOnly ? types : [])];
  const isEndpoint = isIn(to, "server/endpoints");
  const makesServer = from === "server/server.ts" || from === "server/setup.ts";
  const mayEndpoint = room === "server/endpoints" || room === "test" || makesServer || typeOnly;
  if (allowed.some((name) => isIn(to, name)) && (!isEndpoint || mayEndpoint)) return undefined;
  return `${from} imports ${specifier}${typeOnly ? " (types)" : ""}: ${instead}`;
}

function roomOf(path: string): string | undefined {
  const names = Object.keys(rooms).filter((name) => isIn(path, name));
  return names.sort((a, b) => b.length - a.length)[0];
}

function isIn(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}/`);
}
