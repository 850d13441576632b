import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { NoOrganization } from "../errors.ts";
import type { Initialization } from "../first-run/init.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { defaultDataFolder, holdsOrganization, takeDataFolder, typedFolder } from "./data-folder.ts";
import { localUrl, urlOf } from "./listening.ts";
import { type Supervisor, startSupervisor } from "./supervisor.ts";

const USAGE = `Usage:
  hearth init --data DIR --organization NAME --owner-email E --owner-name N
      Makes an organization. The owner's password is read from HEARTH_OWNER_PASSWORD, or asked for.
  hearth serve --data DIR [--host 127.0.0.1] [--port 9400] [--rate-limit off]
      Hosts it. Prints one line with its URL when it answers; SIGTERM stops it.
      Where there is no organization yet, a page makes it: stderr has its address and a one-time code.
  hearth sign-in-link --data DIR --email E
      While the server runs: prints a link by which this person sets a new password, once, within the hour.
  hearth rotate-secret --data DIR
      Ends all API keys and invitation links, while no server runs there. Passwords stay as they are.`;

/** What the user did wrong: said in one line, without a stack. */
class UsageError extends Error {}
/** Ctrl-C or Ctrl-D where something was asked: there is nothing to say. */
class Abandoned extends Error {}

/** What a shell reports of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

const commands: Record<string, (args: string[]) => Promise<void>> = {
  init,
  serve,
  start,
  "sign-in-link": signInLink,
  "rotate-secret": rotate,
};
const [command = "", ...args] = process.argv.slice(2);
const run = commands[command];
try {
  if (["help", "--help", "-h"].includes(command) || args.includes("--help")) console.log(USAGE);
  else if (run) await run(args);
  else throw new UsageError(`${command === "" ? "Which command?" : `There is no command "${command}".`}\n${USAGE}`);
} catch (error) {
  if (!(error instanceof Abandoned)) console.error(`Hearth: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof Abandoned ? INTERRUPTED : error instanceof UsageError ? 2 : 1;
}

function options<const Names extends readonly string[]>(
  given: string[],
  names: Names,
): Partial<Record<Names[number], string>> {
  const declared = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  const { values, positionals } = (() => {
    try {
      return parseArgs({ args: given, options: declared, allowPositionals: true });
    } catch (error) {
      throw new UsageError(`${(error as Error).message}\n${USAGE}`);
    }
  })();
  const [stray] = positionals;
  if (stray !== undefined)
    throw new UsageError(`"${stray}" belongs to no option. What has blanks in it needs quotes.\n${USAGE}`);
  return values as Partial<Record<Names[number], string>>;
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === "") throw new UsageError(`--${name} is missing.\n${USAGE}`);
  return value;
}

function folderIn(found: { data?: string }): string {
  return typedFolder(required(found.data, "data"));
}

async function init(given: string[]): Promise<void> {
  const found = options(given, ["data", "organization", "owner-email", "owner-name"]);
  const folder = folderIn(found);
  const organization = required(found.organization, "organization");
  const ownerEmail = required(found["owner-email"], "owner-email");
  const ownerName = required(found["owner-name"], "owner-name");
  const password = process.env["HEARTH_OWNER_PASSWORD"] ?? (await askHidden("Password for the owner: "));
  await make({ folder, organization, ownerEmail, ownerName, password });
  console.log(`${organization} is in ${folder}.`);
}

async function make(organization: Initialization): Promise<void> {
  const lock = takeDataFolder(organization.folder);
  try {
    const { initialize } = await import("../first-run/init.ts"); // only here: it brings the whole server into this thread
    await initialize(organization);
  } finally {
    lock.release();
  }
}

/** For whoever sits at the server, the owner who forgot their own password too. */
async function signInLink(given: string[]): Promise<void> {
  const found = options(given, ["data", "email"]);
  const folder = folderIn(found);
  const email = required(found.email, "email");
  const notRunning = new Error(`No server runs in ${folder}. Start it with "hearth serve" first.`);
  if (!existsSync(`${folder}/host.json`)) throw notRunning;
  const file = readFileSync(`${folder}/host.json`, "utf8");
  if (file === "") throw notRunning; // what a power failure left of it
  const { url, token } = JSON.parse(file) as { url: string; token: string };
  const { hostname, port } = new URL(url);
  const address = localUrl({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) }) ?? url;
  const ask = async (method: string, path: string, body?: URLSearchParams) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = fetch(`${address}${path}`, { method, headers, ...(body && { body }) });
    const answer = (await response
      .then((one) => one.json())
      .catch(() => {
        throw notRunning; // host.json is of one that was killed; another program may have its port
      })) as { result: string; msg: string; user: { user_id: number }; link: string };
    if (answer.result !== "success") throw new Error(answer.msg);
    return answer;
  };
  const { user } = await ask("GET", `/api/v1/users/${encodeURIComponent(email)}`);
  const made = await ask("POST", "/host/sign-in-links", new URLSearchParams({ user_id: String(user.user_id) }));
  console.log(made.link);
}

async function rotate(given: string[]): Promise<void> {
  const folder = folderIn(options(given, ["data"]));
  const { rotateSecret } = await import("../credentials/secret-key.ts");
  if (!holdsOrganization(folder)) throw new NoOrganization(folder);
  const lock = takeDataFolder(folder);
  try {
    rotateSecret(folder);
  } finally {
    lock.release();
  }
  console.log(
    `All API keys and invitation links of ${folder} are void from the next start on: apps and bots need new ones. Passwords still count, and so do sessions of the server's own pages.`,
  );
}

async function serve(given: string[]): Promise<void> {
  const found = options(given, ["data", "host", "port", "rate-limit"]);
  const rateLimit = found["rate-limit"] ?? "on";
  if (rateLimit !== "on" && rateLimit !== "off") throw new UsageError("--rate-limit is on or off.");
  const { host: name = "127.0.0.1", port: digits = "9400" } = found;
  const port = /^\d{1,5}$/.test(digits) ? Number(digits) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError(`--port ${digits}: a port is a number from 0 to 65535.`);
  if (name === "" || !URL.canParse(urlOf({ host: name, port })))
    throw new UsageError(`--host ${name}: it is an address of this machine, 0.0.0.0 for all of them, or its name.`);
  await host(folderIn(found), { host: name, port, rateLimit });
}

/** `npm start` without the desktop app: this user's own organization, made in a browser on the first run. */
async function start(given: string[]): Promise<void> {
  const folder = defaultDataFolder();
  const other = (port: number) => `npm run --silent hearth -- serve --data "${folder}" --port ${port}`;
  if (given.length > 0)
    throw new UsageError(`Without the desktop app, start takes no options. To choose yourself: ${other(9400)}`);
  const started = await host(folder, { host: "127.0.0.1", port: 9400, rateLimit: "on" }).catch((error) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Error(`${error.message} For example: ${other(9401)}`);
  });
  if (started && started.setupCode === undefined) console.error(`Admin page: ${started.url}/admin/`);
}

/** Hosts the folder, and says where in one line. The host, unless a signal has ended it before. */
async function host(
  dataFolder: string,
  where: { host: string; port: number; rateLimit: "on" | "off" },
): Promise<Supervisor | undefined> {
  const ended = new AbortController();
  const stop = async () => {
    if (ended.signal.aborted) return; // a signal to the whole group arrives twice
    ended.abort();
    await running.then((host) => host.stop()).catch(() => {}); // refused: said by whoever waits for it
    process.exit();
  };
  // Before anything is begun that a stop has to end.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void stop());
  // First run is done from this machine: where it cannot connect to itself, the folder is refused as it is.
  const local = localUrl(where);
  const running = startSupervisor({
    dataFolder,
    ...where,
    ...(local !== undefined && { setup: "code" }),
    report: (line) => console.error(line),
    onGivenUp: () => {
      process.exitCode = 1;
      void stop();
    },
    signal: ended.signal,
  });
  const started = await running.catch((error: unknown) => {
    if (ended.signal.aborted) return undefined;
    throw error;
  });
  if (!started) return undefined;
  const { url, setupCode } = started;
  console.log(`Hearth answers at ${url}`);
  if (setupCode !== undefined) {
    const admin = localUrl({ ...where, port: Number(new URL(url).port) });
    console.error(
      `There is no organization in ${dataFolder} yet. Make it at ${admin}/admin/#code=${setupCode} (or with "hearth init").`,
    );
  }
  setTimeout(collectGarbage, 300).unref();
  return started;
}

/** Asks on stderr, so that stdout has the outcome alone. What is typed is not shown. */
async function askHidden(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError("There is no terminal to ask on: set HEARTH_OWNER_PASSWORD.");
  // readline echoes what is typed to its output: here that is nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question); // only now: before, the terminal itself echoes
  try {
    return await terminal.question("");
  } catch (error) {
    throw (error as Error).name === "AbortError" ? new Abandoned() : error;
  } finally {
    process.stderr.write("\n");
    terminal.close();
  }
}
