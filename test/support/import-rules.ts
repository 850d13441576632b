import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";

export interface Import {
  from: string;
  specifier: string;
  typeOnly: boolean;
}

interface Room {
  /** Folders or single files that this room may import, besides its own files. */
  uses: string[];
  /** Folders whose types it may also import. */
  types?: string[];
  /** The alternative to any other import. */
  instead: string;
}

/**
 * The allowed direction of imports (docs/architecture.md#the-rooms). A linter that matches import texts cannot tell
 * types from values, so this table is the rule. The check reads it, and test/imports.test.ts shows that it works. A
 * file belongs to the longest name here that starts its path.
 */
export const rooms: Record<string, Room> = {
  "server/errors.ts": {
    uses: ["server/locales/en/errors.ts"],
    instead: "errors.ts stands alone: take what it needs as arguments",
  },
  "server/storage": { uses: [], instead: "storage knows no noun: let the caller pass values or functions in" },
  "server/markdown": { uses: [], instead: "markdown is pure: let the caller look things up and pass them in" },
  "server/integrations/incoming": {
    uses: [],
    instead: "integrations are pure: a request in, a message out; the endpoint does the rest",
  },
  "server/media/file-types.ts": {
    uses: [],
    types: ["server/media/images"],
    instead: "file-types.ts names a type from bytes or a name: let the caller read the file",
  },
  "server/media/images": {
    uses: ["server/media/file-types.ts"],
    instead: "images decodes what it is given: let the caller say where a picture is and what becomes of it",
  },
  "server/notifications/decision.ts": {
    uses: [],
    instead: "the decision is pure, for the pages too: let the caller collect the facts",
  },
  "server/notifications": {
    uses: [
      "server/api/presenters",
      "server/api/access",
      "server/api/actions",
      "server/api/queries",
      "server/storage",
      "server/http/caller.ts",
      "server/markdown/plain.ts",
      "server/integrations/outgoing/owner-turns.ts",
      "server/integrations/outgoing/post.ts",
    ],
    types: ["server/app.ts", "server/events", "server/http", "server/host/credentials"],
    instead: "notifications go to devices: server.ts passes in the rest",
  },
  "server/imports": {
    uses: ["server/markdown"],
    types: ["server/media/images"],
    instead: "imports reads files of other chats: let the caller write what it finds",
  },
  "server/http": {
    uses: ["server/storage/errors.ts"],
    types: ["server/storage", "server/media/files"], // what an upload becomes on disk
    instead: "http holds no chat nouns: make it a type parameter or an option that server.ts fills",
  },
  "server/host/logging": {
    uses: [],
    types: ["server/api/queries", "server/http"],
    instead: "logging writes what it is given: let the caller say what happened",
  },
  "server/host/https": {
    uses: ["server/storage"],
    types: ["server/api/queries"],
    instead: "https finds the certificate: let server.ts pass in the setting, and http use it",
  },
  "server/host/mdns": {
    uses: [],
    instead: "mdns announces what it is given: let server.ts say what that is",
  },
  "server/host/service": {
    uses: ["server/host/supervisor/lock.ts", "server/host/supervisor/running-server.ts"],
    instead: "service installs the command that it is given: the command line and the desktop app pass it in",
  },
  "server/media/files": {
    uses: ["server/storage"],
    instead: "files keeps bytes on disk: let the caller write and look up their rows",
  },
  "server/host/backups": {
    uses: ["server/api/queries", "server/api/actions", "server/host/credentials", "server/storage"],
    types: ["server/media/files"],
    instead:
      "backups copies a data folder and puts one back: server.ts, the command line and first run pass in the rest",
  },
  "server/host/exports": {
    uses: [
      "server/api/actions",
      "server/api/access",
      "server/api/queries",
      "server/storage",
      "server/host/backups/archive.ts",
      "server/host/backups/backup-file.ts",
      "server/host/backups/errors.ts",
      "server/host/backups/pace.ts",
      "server/host/backups/run-on-thread.ts",
    ],
    types: ["server/media/files"],
    instead: "exports writes what access/ says may be taken: server.ts and the endpoints pass in the rest",
  },
  "server/host/imports": {
    uses: [
      "server/imports",
      "server/markdown",
      "server/media",
      "server/api/actions",
      "server/api/access",
      "server/api/queries",
      "server/storage",
      "server/http/turns.ts",
      "server/host/backups/run-on-thread.ts",
      // Guarded connections, for the files of Slack.
      "server/integrations/outgoing/lookups.ts",
      "server/integrations/outgoing/owner-turns.ts",
      "server/integrations/outgoing/post.ts",
    ],
    instead: "imports runs the readers of server/imports: server.ts and the endpoints pass in the rest",
  },
  "server/host/credentials": {
    uses: ["server/storage"],
    types: ["server/api/queries"],
    instead: "credentials makes and checks secrets: let the caller look up whose they are",
  },
  "server/api/queries": {
    // A search must split words like the index; the HTML of plain text is rendered at reading.
    uses: ["server/storage", "server/markdown/matches.ts", "server/markdown/plain.ts"],
    types: ["server/markdown", "server/media/files", "server/media/images", "server/notifications/decision.ts"],
    instead: "queries read what is stored: what depends on a viewer belongs in access/ or presenters/",
  },
  "server/api/access": {
    // Linkifiers are compiled when they are checked, once for all texts.
    uses: [
      "server/api/queries",
      "server/storage",
      "server/markdown/emoji.ts",
      "server/markdown/linkifiers.ts",
      "server/markdown/urls.ts",
      "server/notifications/decision.ts",
    ],
    types: ["server/markdown", "server/host/credentials", "server/media/files"],
    instead: "access only reads and decides: move the shared part to access/, queries/ or storage/",
  },
  "server/api/presenters": {
    uses: [
      "server/api/access",
      "server/api/queries",
      "server/storage",
      "server/markdown/matches.ts",
      "server/markdown/render.ts", // topic links are computed, not stored
      "server/markdown/summary.ts",
      "server/host/credentials/passwords.ts",
      "server/integrations/incoming",
      "server/locales", // a search of the audit matches the sentences of the pages
    ],
    types: ["server/imports", "server/markdown", "server/media/files", "server/notifications/decision.ts"],
    instead: "presenters shape what queries/ read and access/ allows",
  },
  "server/search": {
    uses: [
      "server/api/presenters",
      "server/api/access",
      "server/api/queries",
      "server/markdown/matches.ts",
      "server/markdown/plain.ts",
      "server/storage",
    ],
    instead: "search finds messages for a viewer: endpoints, events and server.ts call it",
  },
  "server/media": {
    uses: ["server/api/presenters", "server/api/access", "server/api/queries", "server/media/files", "server/storage"],
    instead: "media/ serves uploaded pictures: let the endpoint decide who may change them",
  },
  "server/api/actions": {
    uses: [
      "server/api/presenters",
      "server/api/access",
      "server/api/queries",
      "server/imports/target.ts",
      "server/markdown",
      "server/storage",
    ],
    types: ["server/host/credentials", "server/media/files", "server/media/images"],
    instead:
      "an action takes plain values: do HTTP, files and delivery in the endpoint or a pump, and emit with tx.emit",
  },
  "server/events": {
    uses: [
      "server/search",
      "server/api/presenters",
      "server/api/queries",
      "server/api/actions",
      "server/api/access",
      "server/storage",
    ],
    types: ["server/app.ts"],
    instead: "events reads through presenters/, queries/ and access/ and changes state through actions/",
  },
  "server/integrations/outgoing": {
    uses: ["server/api/presenters", "server/api/queries", "server/api/actions", "server/api/access", "server/storage"],
    types: ["server/app.ts", "server/events"],
    instead: "webhooks reads through queries/ and access/ and changes state through actions/",
  },
  "server/host/operator": {
    uses: [
      "server/events",
      "server/api/presenters",
      "server/api/queries",
      "server/api/access",
      "server/storage",
      "server/http",
      "server/host/supervisor/listening.ts",
    ],
    types: ["server/host/backups"],
    instead: "operator tells whoever runs the server how it is: it changes nothing",
  },
  "server/chores": {
    uses: ["server/api/queries", "server/api/actions", "server/api/access", "server/storage", "server/media/images"],
    types: ["server/app.ts", "server/events", "server/http", "server/media/files"],
    instead: "chores change state through actions/; server.ts hands them what else they need",
  },
  "server/api/endpoints": {
    uses: [
      "server/search",
      "server/http",
      "server/slices",
      "server/api/access",
      "server/api/actions",
      "server/api/presenters",
      "server/api/queries",
      "server/markdown",
      "server/host/credentials",
      "server/integrations/incoming",
      "server/media/images",
      "server/media/file-types.ts",
      "server/host/backups/errors.ts",
      "server/host/https/certificate-files.ts",
      "server/host/https/root.ts",
      "server/imports",
    ],
    types: ["server/app.ts", "server/storage", "server/events", "server/media/files", "server/host/https"],
    instead: "an endpoint obtains things through access/, calls one action and shapes the answer with presenters/",
  },
  "server/server.ts": {
    uses: ["server"],
    instead: "the server knows neither window, desktop nor tests: they import it",
  },
  server: {
    uses: ["server"],
    instead:
      "only server/server.ts and first-run/ import endpoints, and nothing in server/ imports the window, the desktop or tests",
  },
  "server/locales": {
    uses: [],
    instead: "texts that the audit and the pages share import nothing: pass in the values",
  },
  ui: {
    uses: ["server/locales", "server/notifications/decision.ts"],
    types: ["server", "main/bridge-types.ts"],
    instead: "the window talks HTTP: of server/ and of the bridge it may only `import type`",
  },
  "ui/locales": {
    uses: ["server/locales"],
    instead: "texts import only other texts, since the desktop app contains some of them: pass in the values",
  },
  main: {
    uses: [
      "server",
      "ui/locales/error-texts.ts", // its dialogs show the texts of errors that pages show
      "ui/locales/de/errors.ts",
    ],
    instead: "the shell starts the server and shows pages: it holds no page and no test",
  },
  test: { uses: ["server", "ui", "main"], instead: "tests import what they test" },
};

const forEveryRoom = ["server/errors.ts", "server/version.ts"];
const forbiddenFolders = ["utils", "lib", "common", "services", "helpers"];

/** One sentence for every import in the wrong direction. */
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

/** The folders that contain SQL. Other code calls their named queries. */
const sqlRooms = ["server/api/queries", "server/api/actions", "server/search", "server/storage"];

/** One sentence for every file with SQL outside these folders. Tests may contain SQL. */
export function misplacedSql(root: string): string[] {
  return sourceFiles(root)
    .map((file) => sqlComplaint(file, readFileSync(join(root, file), "utf8")))
    .filter((sentence) => sentence !== undefined);
}

/** A text that starts like a statement. A route starts with `DELETE /`. */
const SQL =
  /["'`]\s*(?:SELECT\s|INSERT\s+(?:OR\s+\w+\s+)?INTO\s|REPLACE\s+INTO\s|UPDATE\s+(?:OR\s+\w+\s+)?\w+\s+SET\s|DELETE\s+FROM\s|WITH\s+(?:RECURSIVE\s+)?\w+\s*(?:\([^)]*\)\s*)?AS\s|PRAGMA\s)/;

export function sqlComplaint(file: string, text: string): string | undefined {
  if ([...sqlRooms, "test"].some((room) => isIn(file, room)) || !SQL.test(text)) return undefined;
  return `${file} holds SQL: a read belongs in queries/, a write in actions/`;
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

/** Files that import each other in a cycle, types included, each cycle as a sorted list of files. */
export function importCycles(root: string): string[][] {
  const uses = new Map(
    sourceFiles(root).map((file) => [
      file,
      importsOf(file, readFileSync(join(root, file), "utf8")).map(({ specifier }) => targetOf(file, specifier)),
    ]),
  );
  return cyclesIn(uses);
}

/** Strongly connected components of more than one node (Tarjan's algorithm). */
export function cyclesIn(uses: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string) => {
    index.set(node, index.size);
    low.set(node, index.get(node)!);
    stack.push(node);
    for (const next of uses.get(node) ?? []) {
      if (!uses.has(next)) continue;
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!));
    }
    if (low.get(node) !== index.get(node)) return;
    const cycle = stack.splice(stack.indexOf(node));
    if (cycle.length > 1) cycles.push(cycle.sort());
  };
  for (const node of uses.keys()) if (!index.has(node)) visit(node);
  return cycles;
}

/** The imports, re-exports, dynamic imports and requires in a file's text. `import { type A }` counts as a value. */
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

/** The problem of an import and an alternative, or undefined if it is allowed. */
export function complaint({ from, specifier, typeOnly }: Import): string | undefined {
  const room = roomOf(from);
  if (room === undefined) return `${from}: lies in no room of test/support/import-rules.ts`;
  if (/^electron(\/|$)/.test(specifier)) {
    // The hook runs inside the app that the desktop tests start.
    return room === "main" || from === "test/support/desktop-hook.cjs"
      ? undefined
      : `${from} imports electron: only main/ may; ask for it through main/bridge.ts`;
  }
  // An import reads each export, and the WebSocket exports make Node load its whole HTTP client: 12 MB in each thread.
  if (specifier === "node:http" && !typeOnly && (isIn(from, "server") || isIn(from, "main")))
    return `${from} imports node:http: take it from process.getBuiltinModule("node:http")`;
  if (!specifier.startsWith(".")) return undefined;
  const to = targetOf(from, specifier);
  if (isIn(from, "server") && isIn(to, "ui"))
    return `${from} imports ${specifier}: server/ imports nothing from ui/; shared texts belong in server/locales/`;
  if (to === "package.json") return undefined; // whose version it is
  const { uses, types = [], instead } = rooms[room]!;
  const allowed = [room, ...(room === "ui" ? [] : forEveryRoom), ...uses, ...(typeOnly ? types : [])];
  const isEndpoint = isIn(to, "server/api/endpoints");
  const makesServer = from === "server/server.ts" || from === "server/host/first-run/setup.ts";
  const mayEndpoint = room === "server/api/endpoints" || room === "test" || makesServer || typeOnly;
  if (allowed.some((name) => isIn(to, name)) && (!isEndpoint || mayEndpoint)) return undefined;
  return `${from} imports ${specifier}${typeOnly ? " (types)" : ""}: ${instead}`;
}

const targetOf = (from: string, specifier: string): string =>
  normalize(join(dirname(from), specifier)).replaceAll(sep, "/");

function roomOf(path: string): string | undefined {
  const names = Object.keys(rooms).filter((name) => isIn(path, name));
  return names.sort((a, b) => b.length - a.length)[0];
}

function isIn(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}/`);
}
