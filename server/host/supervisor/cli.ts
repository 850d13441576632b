import { parseArgs } from "node:util";
import { Failure, NoOrganization, problemOf, problemText } from "../../errors.ts";
import { fileProblem } from "../../storage/errors.ts";
import type { Initialization } from "../first-run/init.ts";
import { collectGarbageWhenIdle } from "./collect-garbage.ts";
import { defaultDataFolder, holdsOrganization, resolveFolder, takeDataFolder } from "./data-folder.ts";
import type { Terminal } from "./import-commands.ts";
import {
  hearthAt,
  isLoopback,
  type Listening,
  localUrl,
  portInUseByHearth,
  reachableUrls,
  urlOf,
} from "./listening.ts";
import { FolderInUse } from "./lock.ts";
import { callsTo } from "./running-server.ts";
import { type Supervisor, startSupervisor } from "./supervisor.ts";
import { askHidden, Cancelled, confirmed, printable, UsageError, writeOutputTo } from "./terminal.ts";

const USAGE = `Usage:
  hearth init --data DIR --organization NAME --owner-email E --owner-name N [--general on]
      Makes an organization. The owner's password is read from HEARTH_OWNER_PASSWORD, or asked for.
      With "--general on" it begins with a channel for everybody, as the first run in a window makes it.
  hearth serve --data DIR [--host 127.0.0.1] [--port 9400] [--rate-limit off]
               [--https off | local-authority | --certificate FILE --key FILE]
      Starts the server. Prints one line with its URL when it responds; SIGTERM stops it.
      Without an organization, a page creates it: stderr has the page's address and a one-time code.
      The HTTPS options replace the setting of the Network page for this start: Hearth's own authority, which
      devices must trust, or your certificate.
      "--log FILE" writes the output to a file, for services whose output the system discards.
  hearth service install --data DIR [--user ACCOUNT] [options of serve]
  hearth service remove | status --data DIR
      Starts "hearth serve" with this computer, before anybody signs in: by the Task Scheduler, launchd or systemd.
      With systemd, the service belongs to you. With --user, it belongs to the whole system, and needs root.
  hearth sign-in-link --data DIR --email E
      While the server runs: prints a link by which this person sets a new password, once, within the hour.
  hearth rotate-secret --data DIR
      Ends all API keys and invitation links, and the secrets of webhooks, while no server runs there. Passwords
      stay as they are.
  hearth check --data DIR
      Reads everything while no server runs there: database, log, keys, uploads and backups. Says what is damaged
      and what to do, and changes nothing.
  hearth backup --data DIR --to FILE
      Writes all that is there into one file, also while the server runs. With a passphrase in
      HEARTH_BACKUP_PASSPHRASE, or one set on the Backups page, the keys of apps and bots are in it, too.
  hearth import FILE --data DIR [--dry-run] [--yes]
                [--channels A,B] [--direct] [--consent] [--since YYYY-MM] [--topic NAME] [--role member]
      Imports an export of Slack, Mattermost, Rocket.Chat, Discord, Microsoft Teams, Zulip or Hearth: a file or a
      folder. Shows a preview first, and asks. "--dry-run" only shows the preview. Without "--channels", the import
      contains all public channels. "--direct" adds direct messages. "--consent" confirms that your organization may
      import private channels and direct messages. "--topic" is the topic of messages outside of threads. "--role" is
      the highest role that people get: member, moderator, administrator or owner.
  hearth import --list --data DIR
  hearth import --remove ID --data DIR [--yes] [--with-additions]
      Removes an import, and with "--with-additions" also messages that people have added to it since.
  hearth verify FILE
      Says what a backup holds, and compares each byte of it with what was written.
  hearth move --data DIR --to DIR
      Moves everything to another folder or disk, while no server runs there: copies it, compares the copy, and
      keeps the old folder aside. "hearth move --data DIR --back [--yes]" goes back to that.
  hearth restore FILE --data DIR [--end-all-keys] [--yes]
      Puts a backup in place of what is there, and keeps that aside. It says first what would be lost, and
      asks; --yes does not ask. No server may run there. "--secret-only" takes nothing but secret.key from the
      backup, by the passphrase in HEARTH_BACKUP_PASSPHRASE: for a folder with a damaged one.`;

const report = (line: string) => console.error(printable(line));

const SERVE_OPTIONS = ["data", "host", "port", "rate-limit", "https", "certificate", "key"] as const;

/** The exit code of shells after Ctrl-C. */
const INTERRUPTED = 130;

const commands: Record<string, (args: string[]) => Promise<void>> = {
  init,
  serve,
  service,
  start,
  "sign-in-link": signInLink,
  "rotate-secret": rotate,
  check,
  backup,
  import: importCommand,
  verify,
  move,
  restore,
};
const [command = "", ...args] = process.argv.slice(2);
const runCommand = commands[command];
try {
  if (["help", "--help", "-h"].includes(command) || args.includes("--help")) console.log(USAGE);
  else if (runCommand) await runCommand(args);
  else throw new UsageError(`${command === "" ? "Which command?" : `There is no command "${command}".`}\n${USAGE}`);
} catch (error) {
  if (error instanceof UsageError) console.error(`Hearth: ${error.message}`);
  else if (!(error instanceof Cancelled))
    console.error(`Hearth: ${errorText(error).split("\n").map(printable).join("\n")}`);
  process.exitCode = error instanceof Cancelled ? INTERRUPTED : error instanceof UsageError ? 2 : 1;
}

/** Hearth's errors are written for people. System errors are not. */
function errorText(error: unknown): string {
  return problemText(fileProblem(error) ?? problemOf(error));
}

function options<const Names extends readonly string[]>(
  args: string[],
  names: Names,
): Partial<Record<Names[number], string>> {
  const declared = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  const { values, positionals } = (() => {
    try {
      return parseArgs({ args, options: declared, allowPositionals: true });
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

function isOn(value: string, name: string): boolean {
  if (value !== "on" && value !== "off") throw new UsageError(`--${name} is on or off.`);
  return value === "on";
}

function dataFolderOf({ data }: { data?: string }): string {
  return resolveFolder(required(data, "data"));
}

async function init(args: string[]): Promise<void> {
  const values = options(args, ["data", "organization", "owner-email", "owner-name", "general"]);
  const folder = dataFolderOf(values);
  const organization = required(values.organization, "organization");
  const ownerEmail = required(values["owner-email"], "owner-email");
  const ownerName = required(values["owner-name"], "owner-name");
  const general = isOn(values.general ?? "off", "general");
  const password = process.env["HEARTH_OWNER_PASSWORD"] ?? (await askHidden("Password for the owner: "));
  await makeOrganization({ folder, organization, ownerEmail, ownerName, password, general });
  console.log(printable(`${organization} is in ${folder}.`));
}

async function makeOrganization(organization: Initialization): Promise<void> {
  const lock = await takeDataFolder(organization.folder, { report });
  try {
    // Not at the top: it loads the whole server into this thread.
    const { initialize } = await import("../first-run/init.ts");
    await initialize(organization);
  } finally {
    lock.release();
  }
}

/** For the operator, and for an owner who forgot the password. */
async function signInLink(args: string[]): Promise<void> {
  const values = options(args, ["data", "email"]);
  const folder = dataFolderOf(values);
  const email = required(values.email, "email");
  const call = callsTo(folder);
  const { user } = await call<{ user: { user_id: number } }>("GET", `/api/v1/users/${encodeURIComponent(email)}`);
  const body = new URLSearchParams({ user_id: String(user.user_id) });
  const made = await call<{ link: string }>("POST", "/host/sign-in-links", body);
  console.log(made.link);
}

async function rotate(args: string[]): Promise<void> {
  const folder = dataFolderOf(options(args, ["data"]));
  const { rotateSecret } = await import("../credentials/secret-key.ts");
  if (!holdsOrganization(folder)) throw new NoOrganization(folder);
  const lock = await takeDataFolder(folder, { report });
  try {
    rotateSecret(folder);
  } finally {
    lock.release();
  }
  console.log(
    `All API keys and invitation links of ${folder} are void from the next start on: apps and bots need new ones. ` +
      "Secrets of webhooks are void too: set them again on each bot's page. Passwords still count, and so do sessions " +
      "of the server's own pages.",
  );
}

async function check(args: string[]): Promise<void> {
  const folder = dataFolderOf(options(args, ["data"]));
  const { runCheck } = await import("./check-folder.ts");
  if (!(await runCheck(folder, console.log, report))) process.exitCode = 1;
}

/** Uses the running server if there is one, because the server holds the lock. */
async function backup(args: string[]): Promise<void> {
  const values = options(args, ["data", "to"]);
  const folder = dataFolderOf(values);
  const file = resolveFolder(required(values.to, "to"));
  const passphrase = process.env["HEARTH_BACKUP_PASSPHRASE"] || undefined;
  if (!holdsOrganization(folder)) throw new NoOrganization(folder);
  const { backUpFolder, backUpRunning } = await import("./backup-commands.ts");
  const lock = await takeDataFolder(folder, { report }).catch((error: unknown) => {
    if (error instanceof FolderInUse && error.url !== undefined) return undefined;
    throw error;
  });
  try {
    const lines = await (lock ? backUpFolder : backUpRunning)(folder, { file, passphrase });
    for (const line of lines) console.log(line);
  } finally {
    lock?.release();
  }
}

async function verify(args: string[]): Promise<void> {
  const [file, ...others] = args;
  if (file === undefined || others.length > 0) throw new UsageError(`Which file? Name one backup.\n${USAGE}`);
  const { verifyFile } = await import("./backup-commands.ts");
  for (const line of verifyFile(resolveFolder(file))) console.log(line);
}

async function importCommand(args: string[]): Promise<void> {
  const terminal = { print: (line: string) => console.log(line), report };
  const isOption = (name: string) => args.some((one) => one === name || one.startsWith(`${name}=`));
  if (isOption("--list")) {
    const folder = organizationFolderOf(options(split(args, ["--list"])[1], ["data"]));
    const { listImports } = await import("./import-commands.ts");
    return listImports(folder, terminal);
  }
  const isDone = await (isOption("--remove") ? removeImport : importFile)(args, terminal);
  if (!isDone) process.exitCode = 1;
}

async function removeImport(args: string[], terminal: Terminal): Promise<boolean> {
  const [given, rest] = split(args, ["--yes", "--with-additions"]);
  const { remove = "", ...values } = options(rest, ["data", "remove"]);
  const folder = organizationFolderOf(values);
  if (!/^\d{1,15}$/.test(remove))
    throw new UsageError(`--remove ${remove}: write the number that "hearth import --list" shows.`);
  const { removeImport: remover } = await import("./import-commands.ts");
  const how = { yes: given.includes("--yes"), withAdditions: given.includes("--with-additions") };
  return remover(folder, { id: Number(remove), ...how }, terminal);
}

async function importFile(args: string[], terminal: Terminal): Promise<boolean> {
  const [given, rest] = split(args, ["--dry-run", "--yes", "--direct", "--consent"]);
  const [file = "--", ...named] = rest;
  if (file.startsWith("--")) throw new UsageError(`Which file? "hearth import FILE --data DIR".\n${USAGE}`);
  const { channels, since, topic, role, ...values } = options(named, ["data", "channels", "since", "topic", "role"]);
  const folder = organizationFolderOf(values);
  if (since !== undefined && !/^\d{4}-(0[1-9]|1[0-2])$/.test(since))
    throw new UsageError(`--since ${since}: write a month, such as 2024-03.`);
  const roles = ["member", "moderator", "administrator", "owner"];
  if (role !== undefined && !roles.includes(role))
    throw new UsageError(`--role ${role}: it is one of ${roles.join(", ")}.`);
  const { importExport } = await import("./import-commands.ts");
  const choices = { channels: channels?.split(",").map((name) => name.trim()), since, topic, role };
  const flags = { direct: given.includes("--direct"), consent: given.includes("--consent") };
  const how = { path: resolveFolder(file), dryRun: given.includes("--dry-run"), yes: given.includes("--yes") };
  return importExport(folder, { ...choices, ...flags, ...how }, terminal);
}

function organizationFolderOf(values: { data?: string }): string {
  const folder = dataFolderOf(values);
  if (!holdsOrganization(folder)) throw new NoOrganization(folder);
  return folder;
}

/** Options without a value, and the other arguments. */
function split(args: readonly string[], flags: readonly string[]): [given: string[], rest: string[]] {
  return [args.filter((one) => flags.includes(one)), args.filter((one) => !flags.includes(one))];
}

async function restore(args: string[]): Promise<void> {
  const [given, rest] = split(args, ["--end-all-keys", "--secret-only", "--yes"]);
  const isFile = rest[0] !== undefined && !rest[0].startsWith("--");
  if (!isFile) throw new UsageError(`Which file? "hearth restore FILE --data DIR".\n${USAGE}`);
  const [file = "", ...named] = rest;
  const folder = dataFolderOf(options(named, ["data"]));
  const { previewText, restoredText, secretText } = await import("./backup-commands.ts");
  const { previewRestore, restoreBackup, restoreSecret } = await import("../backups/restore.ts");
  const { restoreProblem } = await import("../backups/errors.ts");
  const how = {
    path: resolveFolder(file),
    folder,
    endAllKeys: given.includes("--end-all-keys"),
    passphrase: process.env["HEARTH_BACKUP_PASSPHRASE"] || undefined,
  };
  const lock = await takeDataFolder(folder, { report });
  try {
    if (given.includes("--secret-only")) {
      for (const line of secretText(await restoreSecret(how), how)) console.log(line);
      return;
    }
    for (const line of previewText(await previewRestore(how), how)) console.log(line);
    if (!given.includes("--yes") && !(await confirmed("Restore it? Type yes: "))) {
      console.log("Nothing was changed.");
      process.exitCode = 1;
      return;
    }
    const restored = await restoreBackup(how).catch((error: unknown) => {
      throw new Failure(restoreProblem(error, folder), { cause: error });
    });
    for (const line of restoredText(restored)) console.log(line);
  } finally {
    lock.release();
  }
}

async function move(args: string[]): Promise<void> {
  const [given, rest] = split(args, ["--back", "--yes"]);
  const values = options(rest, ["data", "to"]);
  const folder = dataFolderOf(values);
  const isBack = given.includes("--back");
  if (isBack && values.to !== undefined) throw new UsageError(`--back knows where to go: leave out --to.\n${USAGE}`);
  const to = isBack ? "" : resolveFolder(required(values.to, "to"));
  const { backText, moveBack, moveData } = await import("./move-commands.ts");
  if (!holdsOrganization(folder)) throw new NoOrganization(folder);
  const lock = await takeDataFolder(folder, { report });
  try {
    if (!isBack) {
      for (const line of await moveData(folder, to, moveProgress())) console.log(line);
      return;
    }
    for (const line of await backText(folder)) console.log(line);
    if (!given.includes("--yes") && !(await confirmed("Go back to it? Type yes: "))) {
      console.log("Nothing was changed.");
      process.exitCode = 1;
      return;
    }
    for (const line of await moveBack(folder)) console.log(line);
  } finally {
    lock.release();
  }
}

/** Reports each tenth on stderr. */
function moveProgress(): (phase: string, done: number, total: number) => void {
  let said = "";
  return (phase, done, total) => {
    const line = `${phase === "copying" ? "Copying" : "Comparing"}: ${Math.floor((10 * done) / Math.max(total, 1)) * 10} %`;
    if (line !== said) report(line);
    said = line;
  };
}

async function serve(args: string[]): Promise<void> {
  const { log, ...values } = options(args, [...SERVE_OPTIONS, "log"]);
  if (log !== undefined) writeOutputTo(resolveFolder(log));
  const { dataFolder, https, ...listening } = servedAs(values);
  // Only for this start. The pages show that the environment sets it.
  if (https) process.env["HTTPS"] = JSON.stringify(https);
  await run(dataFolder, listening);
}

function servedAs(values: Partial<Record<(typeof SERVE_OPTIONS)[number], string>>) {
  const https = httpsOf(values);
  const rateLimit = isOn(values["rate-limit"] ?? "on", "rate-limit") ? ("on" as const) : ("off" as const);
  const { host = "127.0.0.1", port: digits = "9400" } = values;
  const port = /^\d{1,5}$/.test(digits) ? Number(digits) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError(`--port ${digits}: a port is a number from 0 to 65535.`);
  if (host === "" || !URL.canParse(urlOf({ host, port })))
    throw new UsageError(`--host ${host}: it is an address of this machine, 0.0.0.0 for all of them, or its name.`);
  return { dataFolder: dataFolderOf(values), host, port, rateLimit, https };
}

async function service([task = "", ...args]: string[]): Promise<void> {
  if (!["install", "remove", "status"].includes(task))
    throw new UsageError(`Name a task: install, remove or status.\n${USAGE}`);
  const { installLines, removeLines, statusLines } = await import("./service-commands.ts");
  if (task !== "install") {
    const folder = dataFolderOf(options(args, ["data"]));
    const { lines, code } = await (task === "remove" ? removeLines : statusLines)(folder);
    for (const line of lines) console.log(printable(line));
    process.exitCode = code;
    return;
  }
  const { user, ...values } = options(args, [...SERVE_OPTIONS, "user"]);
  const { dataFolder, host, port, rateLimit, https } = servedAs(values);
  if (port === 0) throw new UsageError("--port 0: a service needs the same port at each start.");
  const files = ["certificate", "key"].flatMap((name) => {
    const path = values[name as "certificate" | "key"];
    return path === undefined ? [] : [`--${name}`, resolveFolder(path)];
  });
  const given = [
    ...["--host", host, "--port", String(port)],
    ...(rateLimit === "off" ? ["--rate-limit", "off"] : []),
    ...(https && files.length === 0 ? ["--https", values.https as string] : files),
  ];
  for (const line of await installLines({ dataFolder, account: user, options: given })) console.log(printable(line));
}

function httpsOf({
  https,
  certificate,
  key,
}: {
  https?: string;
  certificate?: string;
  key?: string;
}): object | undefined {
  if (certificate !== undefined || key !== undefined) {
    if (https !== undefined) throw new UsageError("--https goes without --certificate and --key: they turn it on.");
    const [certificateFile, keyFile] = [required(certificate, "certificate"), required(key, "key")];
    return { use: "files", certificate: resolveFolder(certificateFile), key: resolveFolder(keyFile) };
  }
  if (https === undefined) return undefined;
  if (https !== "off" && https !== "local-authority") throw new UsageError("--https is off or local-authority.");
  return { use: https.replace("-", " ") };
}

/** `npm start` without the desktop app. Serves the default folder, with first run in a browser. */
async function start(args: string[]): Promise<void> {
  const folder = defaultDataFolder();
  const other = (port: number) => `npm run --silent hearth -- serve --data "${folder}" --port ${port}`;
  if (args.length > 0)
    throw new UsageError(`Without the desktop app, start takes no options. To choose yourself: ${other(9400)}`);
  const started = await run(folder, { host: "127.0.0.1", port: 9400, rateLimit: "on" }).catch((error) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Error(`${error.message} For example: ${other(9401)}`);
  });
  if (started && started.setupCode === undefined) console.error(`Admin page: ${started.url}/admin/`);
}

/** Serves the folder until a signal. Returns undefined if the signal came before the start. */
async function run(
  dataFolder: string,
  listening: { host: string; port: number; rateLimit: "on" | "off" },
): Promise<Supervisor | undefined> {
  const ended = new AbortController();
  const stop = async () => {
    if (ended.signal.aborted) return; // a signal to the process group arrives twice
    ended.abort();
    await running.then((supervisor) => supervisor.stop()).catch(() => {}); // the caller reports a failed start
    process.exit(process.exitCode); // Electron ignores `exitCode`
  };
  // Registered early, so that a signal also cancels the start.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void stop());
  // First run works only on this machine. Without a loopback address, the folder must already have an organization.
  const local = localUrl(listening);
  const running = startSupervisor({
    dataFolder,
    ...listening,
    ...(local !== undefined && { setup: "code" }),
    report,
    onGivenUp: () => {
      process.exitCode = 1;
      void stop();
    },
    signal: ended.signal,
  });
  const started = await running.catch(async (error: NodeJS.ErrnoException) => {
    if (ended.signal.aborted) return undefined;
    const hearth = error.code === "EADDRINUSE" ? await hearthAt(listening) : undefined;
    if (hearth === undefined) throw error;
    throw Object.assign(new Failure(portInUseByHearth(listening, hearth), { cause: error }), { code: error.code });
  });
  if (!started) return undefined;
  const { url, setupCode } = started;
  const own = { ...listening, port: Number(new URL(url).port) };
  // Some browsers cannot open 0.0.0.0.
  console.log(`Hearth answers at ${localUrl(own) ?? url}`);
  if (!isLoopback(listening.host)) {
    await reportNetwork(dataFolder, own, setupCode === undefined);
  }
  if (setupCode !== undefined) {
    console.error(
      `There is no organization in ${dataFolder} yet. Make it at ${localUrl(own)}/admin/#code=${setupCode} (or with "hearth init").`,
    );
  }
  collectGarbageWhenIdle();
  return started;
}

type Addresses = ReturnType<typeof reachableUrls>;

interface Network {
  listening: { addresses: Addresses };
  https: { use: string; problem: string | null; root: { path: string; fingerprint: string } | null };
}

/** Asks the server, which knows whether other machines use HTTPS. First run has no HTTPS. */
async function reportNetwork(dataFolder: string, own: Listening, isRunning: boolean): Promise<void> {
  const network = isRunning && (await callsTo(dataFolder)<Network>("GET", "/host/network").catch(() => undefined));
  if (!network) return reportAddresses(reachableUrls(own));
  const { listening, https } = network;
  reportAddresses(listening.addresses);
  if (https.problem !== null) report(`HTTPS does not work, so nobody else can connect: ${https.problem}`);
  const [address] = listening.addresses;
  if (!https.root || !address) return;
  report(`Devices trust it once they have installed ${address.url.replace(/^https:/, "http:")}${https.root.path}`);
  report(`(SHA-256 ${https.root.fingerprint}).`);
}

/** On stderr, because stdout has exactly 1 line. */
function reportAddresses(addresses: Addresses): void {
  if (addresses.length === 0) report("This computer is on no network at the moment: nobody else can connect.");
  for (const { url, interface: name } of addresses) report(`Others on your network open ${url} (${name}).`);
}
