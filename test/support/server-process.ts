import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

/** The built command line, as `npm run hearth` runs it. It starts in about half the time of the sources. */
export const CLI = fileURLToPath(new URL("../../.build/app/cli.js", import.meta.url));

export const CHEAP_PASSWORDS = new URL("cheap-passwords.ts", import.meta.url).href;

export const OWNER_LOGIN = { email: "owner@example.com", password: "secret-owner" };

export interface Person {
  readonly id: number;
  /** The header that authenticates this user. */
  readonly authorization: string;
}

export interface DataFolder {
  readonly path: string;
  readonly people: readonly Person[];
}

let template: Promise<DataFolder> | undefined;

/** The folder that tests copy. Created once for all processes of npm test, or for a file that runs alone. */
async function madeTemplate(): Promise<DataFolder> {
  const templates = process.env["HEARTH_TEMPLATES"] ?? mkdtempSync(join(tmpdir(), "hearth-templates-"));
  if (process.env["HEARTH_TEMPLATES"] === undefined)
    process.on("exit", () => rmSync(templates, { recursive: true, force: true }));
  const made = join(templates, "venice");
  if (!existsSync(made)) {
    // Loads the server here, because most of these processes do not need it.
    const { makeVenice } = await import("./venice.ts");
    const folder = mkdtempSync(join(templates, "unfinished-"));
    const people = await makeVenice(join(folder, "data"));
    writeFileSync(join(folder, "people.json"), JSON.stringify(people));
    try {
      renameSync(folder, made);
    } catch (error) {
      if (!existsSync(made)) throw error; // otherwise another process was faster
      rmSync(folder, { recursive: true });
    }
  }
  return { path: join(made, "data"), people: JSON.parse(readFileSync(join(made, "people.json"), "utf8")) };
}

/** A data folder with an organization, its owner and three members. It is deleted when the test ends. */
export async function dataFolder(t: TestContext): Promise<DataFolder> {
  template ??= madeTemplate();
  const { path: made, people } = await template;
  const path = emptyFolder(t);
  cpSync(made, path, { recursive: true });
  return { path, people };
}

/** Deleted when the test ends, after the processes that write to it. */
export function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "hearth-process-"));
  t.after(async () => {
    await endProcesses(t);
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      // There, a file disappears when its last handle is closed, and an ended thread may keep one until its process ends.
      if (process.platform !== "win32") throw error;
    }
  });
  return folder;
}

export interface Process {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves with the exit code when it has exited and printed everything. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** The processes that a test has started. */
const processes = new WeakMap<TestContext, ChildProcess[]>();

/** Other writers of a test's folder. */
const writers = new WeakMap<TestContext, (() => Promise<unknown>)[]>();

/** Ends a server or a store before the test's folder is deleted. `t.after` would be too late. */
export function endBeforeRemoval(t: TestContext, end: () => Promise<unknown>): void {
  writers.set(t, [...(writers.get(t) ?? []), end]);
}

/** Ends everything that the test started. A running server would write to its folder during the deletion. */
export async function endProcesses(t: TestContext): Promise<void> {
  for (const end of (writers.get(t) ?? []).reverse()) await end(); // browsers before the servers that they use
  for (const child of processes.get(t) ?? []) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) continue;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }
}

/** Runs a program and kills it at the end of the test if necessary. */
export function run(t: TestContext, program: string, args: string[], env: Record<string, string> = {}): Process {
  const { HEARTH_OWNER_PASSWORD: _, NODE_TEST_CONTEXT: __, ...inherited } = process.env;
  const child = spawn(program, args, { env: { ...inherited, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
    });
  }
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  const all = processes.get(t) ?? [];
  if (all.length === 0) t.after(() => endProcesses(t));
  processes.set(t, [...all, child]);
  return {
    child,
    pid: child.pid as number,
    ended,
    get stdout() {
      return said.stdout;
    },
    get stderr() {
      return said.stderr;
    },
  };
}

/** Servers and commands may run in another Node than the tests (test/arm64/). */
const SERVER_NODE = process.env["HEARTH_SERVER_NODE"] ?? process.execPath;

export const hearth = (t: TestContext, args: string[], env?: Record<string, string>): Process =>
  run(t, SERVER_NODE, ["--import", CHEAP_PASSWORDS, CLI, ...args], env);

/** How a server ends after SIGTERM. Windows has no signals, and ends it immediately. */
export const STOPPED =
  process.platform === "win32" ? { code: null, signal: "SIGTERM" as const } : { code: 0, signal: null };

export interface Served {
  readonly url: string;
}
export interface Serving extends Process, Served {}

/** Runs `hearth serve`. Resolves when it has printed its URL. */
export async function serve(t: TestContext, folder: string, port = 0): Promise<Serving> {
  const args = ["serve", "--data", folder, "--port", String(port), "--rate-limit", "off"];
  const server = hearth(t, args);
  return Object.assign(Object.create(server) as Process, { url: await announced(server) });
}

/**
 * A server of the sources in this process, which takes a fifth of the work of a separate one. It has no supervisor, so
 * tests that kill, restart or restore need `serve`.
 */
export async function serveHere(t: TestContext, dataFolder: string): Promise<Served> {
  const { startServer } = await import("../../server/server.ts");
  const testing = { passwordCost: 1024 };
  const server = await startServer({ dataFolder, port: 0, rateLimit: "off", testing });
  endBeforeRemoval(t, () => server.close());
  return server;
}

/** The URL in the first line that a server prints. */
export async function announced(server: Process): Promise<string> {
  for (;;) {
    const match = /^Hearth answers at (\S+)\n/.exec(server.stdout);
    if (match) return match[1] as string;
    const more = once(server.child.stdout as NodeJS.ReadableStream, "data").then(() => undefined);
    const end = await Promise.race([more, server.ended]);
    if (end) throw new Error(`The server ended with ${end.code ?? end.signal} before it answered: ${server.stderr}`);
  }
}

export type Answer = Record<string, any> & { status: number };

export async function call(
  url: string,
  person: Person,
  route: string,
  params: Record<string, unknown> = {},
): Promise<Answer> {
  const [method, path] = route.split(" ") as [string, string];
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    fields.set(name, typeof value === "string" ? value : JSON.stringify(value));
  const { authorization } = person;
  const response =
    method === "GET"
      ? await fetch(`${url}/api/v1${path}?${fields}`, { headers: { authorization } })
      : await fetch(`${url}/api/v1${path}`, { method, headers: { authorization }, body: fields });
  return { ...((await response.json()) as object), status: response.status };
}

export const say = (url: string, person: Person, content: string): Promise<Answer> =>
  call(url, person, "POST /messages", { type: "direct", to: [person.id], content });

/** The newest messages that this user can read, as Markdown. */
export async function said(url: string, person: Person): Promise<string[]> {
  const { messages } = await call(url, person, "GET /messages", {
    anchor: "newest",
    num_before: 50,
    num_after: 0,
    apply_markdown: false,
  });
  return messages.map(({ content }: { content: string }) => content);
}
