import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { _electron, type ElectronApplication, type Page } from "playwright-core";
import type { AppSettings } from "../../main/app-settings.ts";
import { freePort } from "./free-port.ts";
import { PATIENCE_MS, until } from "./patience.ts";
import { electron } from "./programs.ts";
import { endBeforeRemoval } from "./server-process.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const HOOK = fileURLToPath(new URL("desktop-hook.cjs", import.meta.url));
// Holds the app's start until Playwright is connected. Playwright loads it only into an Electron that it finds itself.
// Without it, Playwright sometimes waits forever for a window that was just being created.
const LOADER = join(root, "node_modules", "playwright-core", "lib", "server", "electron", "loader.js");

export interface Question {
  kind: "message" | "folder";
  message: string;
  detail: string;
  buttons: string[];
  /** Chooses a button by its text, or a folder by its path; "" cancels the folder dialog. */
  answer(choice: string): Promise<void>;
}

export interface DesktopApp {
  readonly app: ElectronApplication;
  readonly child: ChildProcess;
  readonly pid: number;
  readonly userData: string;
  readonly dataFolder: string;
  readonly port: number;
  readonly output: string;
  readonly ended: Promise<number | null>;
  /** Evaluates idempotent code in the main process. The debugger sometimes loses a response, so it is asked again. */
  ask: ElectronApplication["evaluate"];
  /** The window's page, loaded. */
  page(): Promise<Page>;
  /** Waits for a dialog and returns the oldest unanswered one. */
  question(): Promise<Question>;
  opened(): Promise<string[]>;
  /** The requests to the server without a response. */
  openRequests(): Promise<string[]>;
  /** Ends the server's thread like a crash. */
  endThread(): Promise<void>;
  settings(): AppSettings;
  /** Resolves when the window learns that the server responds, in first run or in normal operation. */
  running(state?: "setup" | "running"): Promise<void>;
  quit(): Promise<number | null>;
}

/** Checks of a running app and its page, by test name. */
export type Checks = Record<string, (desktop: DesktopApp, page: Page, t: TestContext) => Promise<void>>;

export interface DesktopOptions {
  dataFolder?: string;
  settings?: Partial<AppSettings>;
  /** The literal settings file, instead of `settings`. */
  settingsText?: string;
  port?: number;
  userData?: string;
  switches?: string[];
  /** Whether the system has a tray. A session bus reports one if so. */
  tray?: boolean;
}

/** Starts the desktop app with separate folders and port, and ends it with the test. */
export async function startDesktop(t: TestContext, options: DesktopOptions = {}): Promise<DesktopApp> {
  const userData = options.userData ?? temporaryFolder(t, "hearth-desktop-");
  const dataFolder = options.dataFolder ?? join(temporaryFolder(t, "hearth-data-"), "hearth");
  if (options.dataFolder === undefined) mkdirSync(dataFolder);
  const port = options.port ?? (await freePort());
  const settingsFile = join(userData, "settings.json");
  if (options.userData === undefined) {
    const values = { dataFolder, port, ...options.settings };
    writeFileSync(settingsFile, options.settingsText ?? JSON.stringify(values));
  }
  const app = await _electron.launch({
    executablePath: electron as string,
    args: ["-r", LOADER, "-r", HOOK, ...switches(userData), ...(options.switches ?? []), root],
    env: { ...environment(userData), PATH: `${sessionBus(userData, options.tray ?? false)}:${process.env["PATH"]}` },
    timeout: PATIENCE_MS,
  });
  app.context().setDefaultTimeout(PATIENCE_MS);
  const child = app.process();
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const kill = () => {
    child.kill("SIGKILL");
    return ended;
  };
  endBeforeRemoval(t, kill);
  t.after(kill);
  const loaded = async () => {
    const page = await app.firstWindow({ timeout: PATIENCE_MS });
    await page.waitForLoadState();
    return page;
  };
  const ask = ((...question: Parameters<typeof app.evaluate>) =>
    answered(() => app.evaluate(...question))) as typeof app.evaluate;
  return {
    app,
    ask,
    child,
    pid: child.pid as number,
    userData,
    dataFolder,
    port,
    ended,
    get output() {
      return output;
    },
    page: loaded,
    question: () => until(() => answered(() => oldestQuestion(app)), "a dialog"),
    opened: () => ask(() => (globalThis as any).hearthTest.opened),
    openRequests: () =>
      ask(() =>
        (globalThis as any).hearthTest.requests.filter((one: any) => one.open).map((one: any) => one.path as string),
      ),
    endThread: async () => {
      const last = await ask(() => (globalThis as any).hearthTest.workers.length - 1);
      await ask((_electron, index) => void (globalThis as any).hearthTest.workers[index].terminate(), last);
    },
    settings: () => JSON.parse(readFileSync(settingsFile, "utf8")) as AppSettings,
    running: async (wanted = "running") => {
      const page = await loaded();
      await page.evaluate(
        (state) =>
          new Promise<void>((resolve) =>
            (globalThis as any).hearth.onServerState((now: string) => now === state && resolve()),
          ),
        wanted,
      );
    },
    quit: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

/** Starts an app that exits, without Playwright. */
export async function startToEnd(
  t: TestContext,
  userData: string,
): Promise<{ code: number | null; output: string; seconds: number }> {
  const began = performance.now();
  const child = spawn(electron as string, [...switches(userData), root], {
    env: environment(userData),
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output, seconds: (performance.now() - began) / 1000 };
}

const switches = (userData: string) => [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  `--user-data-dir=${userData}`,
];

/** A folder with a fake `gdbus` that reports a session with or without a tray. */
function sessionBus(userData: string, hasTray: boolean): string {
  const folder = join(userData, "bus");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "gdbus"), `#!/bin/sh\necho "(${hasTray},)"\n`, { mode: 0o755 });
  return folder;
}

/** The default data folder also belongs to the test, so that the developer's data is never touched. */
function environment(userData: string): Record<string, string> {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  return {
    ...env,
    XDG_DATA_HOME: dataHome(userData),
    XDG_CONFIG_HOME: join(userData, "config-home"),
    LOCALAPPDATA: dataHome(userData),
  } as Record<string, string>;
}

const dataHome = (userData: string) => join(userData, "data-home");
/** Where an app without `dataFolder` in its settings stores its data (not on macOS). */
export const defaultFolderOf = ({ userData }: { userData: string }): string =>
  join(dataHome(userData), process.platform === "win32" ? "Hearth" : "hearth");

export function temporaryFolder(t: TestContext, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  t.after(remove);
  process.on("exit", remove); // Chromium's other processes still write after the app has exited
  return folder;
}

/** The debugger holds a promise weakly. On a busy machine it may be garbage-collected before it is read. */
async function answered<T>(question: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await question();
    } catch (error) {
      if (!(error as Error).message.includes("promise was garbage collected")) throw error;
    }
  }
}

async function oldestQuestion(app: ElectronApplication): Promise<Question | undefined> {
  const found = await app.evaluate(() => {
    const [question] = (globalThis as any).hearthTest.questions;
    if (!question) return undefined;
    const { message = "", detail = "", buttons = [] } = question.options;
    return { kind: question.kind, message, detail, buttons } as Omit<Question, "answer">;
  });
  if (!found) return undefined;
  return {
    ...found,
    answer: async (choice) => {
      const response = found.buttons.indexOf(choice);
      if (found.kind === "message" && response < 0) throw new Error(`${choice} is none of ${found.buttons}`);
      await app.evaluate(
        (_electron, given) => {
          const { kind, answer } = (globalThis as any).hearthTest.questions.shift();
          if (kind === "message") answer({ response: given.response });
          else answer({ canceled: given.choice === "", filePaths: given.choice === "" ? [] : [given.choice] });
        },
        { response, choice },
      );
    },
  };
}
