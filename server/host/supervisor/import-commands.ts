import { setTimeout as pause } from "node:timers/promises";
import { MAX_TOPIC_LENGTH } from "../../api/queries/topics.ts";
import { Failure, type Problem } from "../../errors.ts";
import type { Counts } from "../../imports/choices.ts";
import { FORMAT_NAMES, type Format } from "../../imports/model.ts";
import { inBytes, people, plural } from "./backup-commands.ts";
import { type CallServer, callsTo, respondingUrl } from "./running-server.ts";
import { startSupervisor } from "./supervisor.ts";
import { Cancelled, confirmed, printable, UsageError } from "./terminal.ts";

/* The command "hearth import". cli.ts imports this file lazily. */

const LOOK_EVERY_MS = 300;

const CONSENT =
  "Private channels and direct messages become readable for their members here. Import them only if your organization may, and its people know.";

interface Choices {
  channels: string[];
  direct_messages: boolean;
  consent: boolean;
  since: string | null;
  unthreaded: "month" | { topic: string };
  max_role: string;
}

interface Preview {
  format: Format;
  people: { total: number; bots: number; with_email: number; matches: { name: string }[] };
  channels: { id: string; name: string; is_private: boolean; messages: number }[];
  direct: { conversations: number; messages: number };
  messages_by_month: Record<string, number>;
  left_out: Record<string, number>;
  choices: Choices;
}

interface Listed {
  id: number;
  format: Format;
  name: string;
  started_at: number;
  state: string;
  counts: Counts;
  added_messages: number;
  added_reactions: number;
}

interface State {
  current: { stage: string; done: number; total: number; problem: Problem | null } | null;
  imports: Listed[];
}

export interface ImportOptions {
  /** Absolute path of a file or folder. */
  path: string;
  /** Names; undefined: all public channels. */
  channels: readonly string[] | undefined;
  direct: boolean;
  consent: boolean;
  since: string | undefined;
  topic: string | undefined;
  role: string | undefined;
  dryRun: boolean;
  yes: boolean;
}

export interface Terminal {
  /** Prints the result. */
  print(line: string): void;
  /** Prints progress. */
  report(line: string): void;
}

/** Calls the running server, or starts a server for this machine only for as long as `work` takes. */
async function onServer<T>(folder: string, report: (line: string) => void, work: (call: CallServer) => Promise<T>) {
  if (await respondingUrl(folder)) return work(callsTo(folder));
  const server = await startSupervisor({ dataFolder: folder, host: "127.0.0.1", port: 0, rateLimit: "on", report });
  try {
    const call = callsTo(folder);
    await finished(call, "removing", { report }); // an import that the last server did not finish
    return await work(call);
  } finally {
    await server.stop();
  }
}

const CURRENT = "/host/imports/current";
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Returns whether something was imported. Rejects with Cancelled after Ctrl-C. */
export async function importExport(folder: string, options: ImportOptions, terminal: Terminal): Promise<boolean> {
  const length = options.topic?.trim().length;
  if (length !== undefined && (length === 0 || length > MAX_TOPIC_LENGTH))
    throw new UsageError(`--topic has ${length} characters. A topic has 1 to ${MAX_TOPIC_LENGTH}.`);
  return onServer(folder, terminal.report, async (call) => {
    const interrupted = new AbortController();
    const interrupt = () => interrupted.abort();
    for (const signal of SIGNALS) process.on(signal, interrupt);
    try {
      return await runImport(call, options, { ...terminal, signal: interrupted.signal });
    } finally {
      for (const signal of SIGNALS) process.off(signal, interrupt);
    }
  });
}

async function runImport(
  call: CallServer,
  options: ImportOptions,
  { print, report, signal }: Terminal & { signal: AbortSignal },
): Promise<boolean> {
  await call("POST", CURRENT, new URLSearchParams({ path: options.path }));
  let id: number | undefined;
  try {
    await finished(call, "reading", { report, signal });
    const preview = await call<Preview>("GET", `${CURRENT}/preview`);
    const choices = chosen(preview, options);
    const body = () => new URLSearchParams({ choices: JSON.stringify(choices) });
    const { counts } = await call<{ counts: Counts }>("POST", `${CURRENT}/counts`, body());
    for (const line of previewText(preview, counts)) print(printable(line));
    if (options.dryRun || !(await agrees(preview, choices, options, { print, signal }))) {
      await call("DELETE", CURRENT);
      print("Nothing was changed.");
      return options.dryRun;
    }
    ({ id } = await call<{ id: number }>("POST", `${CURRENT}/start`, body()));
    await finished(call, "writing", { report, signal });
  } catch (error) {
    if (signal.aborted) report("Cancelling …");
    await call("DELETE", CURRENT).catch(() => {}); // the server may have stopped
    if (!signal.aborted) throw error;
  }
  const { imports } = await call<State>("GET", "/host/imports");
  const done = imports.find((one) => one.id === id);
  if (!done) {
    report("The import was cancelled. Nothing of it remains.");
    throw new Cancelled();
  }
  print(`Import ${done.id} is complete: ${countsText(done.counts)}.`);
  print("People claim their accounts through invitations: see People in the admin window.");
  return true;
}

type Stage = "reading" | "writing" | "removing";

/** Waits for the end of a stage, and reports each tenth of it. */
async function finished(
  call: CallServer,
  stage: Stage,
  { report, signal }: { report: (line: string) => void; signal?: AbortSignal },
): Promise<void> {
  for (let said = ""; ; await pause(LOOK_EVERY_MS)) {
    signal?.throwIfAborted();
    const { current } = await call<State>("GET", "/host/imports");
    if (current?.problem) throw new Failure(current.problem);
    if (current?.stage !== stage) return;
    const line = progressText(stage, current);
    if (line !== said) report(line);
    said = line;
  }
}

function progressText(stage: Stage, { done, total }: { done: number; total: number }): string {
  if (stage === "removing") return "Removing an import …";
  if (stage === "writing") return `Writing: ${Math.floor((10 * done) / Math.max(total, 1)) * 10} %`;
  const messages = Math.floor(done / 100_000) * 100_000;
  return messages === 0 ? "Reading the export …" : `Reading: ${plural(messages, "message")}`;
}

function chosen({ channels, choices }: Preview, options: ImportOptions): Choices {
  const ids = options.channels?.flatMap((name) => {
    const found = channels.filter((channel) => channel.name.toLowerCase() === name.toLowerCase());
    if (found.length > 0) return found.map(({ id }) => id);
    const names = channels.map(({ name }) => name).toSorted((a, b) => likeness(b, name) - likeness(a, name));
    throw new UsageError(printable(`The export has no channel "${name}". It has: ${listed(names)}.`));
  });
  return {
    channels: ids ?? choices.channels,
    direct_messages: options.direct,
    consent: options.consent,
    since: options.since ?? null,
    unthreaded: options.topic === undefined ? "month" : { topic: options.topic },
    max_role: options.role ?? choices.max_role,
  };
}

/** The number of pairs of letters that two names share. */
function likeness(one: string, other: string): number {
  const [a = "", b = ""] = [one.toLowerCase(), other.toLowerCase()];
  return [...a].filter((letter, n) => n > 0 && b.includes(`${a[n - 1]}${letter}`)).length;
}

const MOST_LISTED = 20;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_LISTED;
  return `${names.slice(0, MOST_LISTED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Asks for consent and for the import. Sets `consent`. */
async function agrees(
  { channels }: Preview,
  choices: Choices,
  { yes }: ImportOptions,
  { print, signal }: { print: (line: string) => void; signal: AbortSignal },
): Promise<boolean> {
  const isPrivate = channels.some((channel) => channel.is_private && choices.channels.includes(channel.id));
  if ((isPrivate || choices.direct_messages) && !choices.consent) {
    print(CONSENT);
    if (yes) throw new UsageError("Confirm this with --consent.");
    choices.consent = await confirmed("Import them? Type yes: ", signal);
    if (!choices.consent) return false;
  }
  return yes || confirmed("Import it? Type yes: ", signal);
}

function previewText({ format, people: all, channels, direct, ...rest }: Preview, counts: Counts): string[] {
  const years = new Map<string, number>();
  for (const [month, messages] of Object.entries(rest.messages_by_month))
    years.set(month.slice(0, 4), (years.get(month.slice(0, 4)) ?? 0) + messages);
  const leftOut = Object.entries(rest.left_out).map(([kind, count]) => `${kind} (${count.toLocaleString("en")})`);
  const ordered = channels.toSorted((a, b) => b.messages - a.messages);
  return [
    `An export of ${FORMAT_NAMES[format]}:`,
    `  ${people(all.total - all.bots)} (${all.matches.length} with an account here), ${plural(all.bots, "bot")}`,
    `  ${plural(channels.length, "channel")}, ${plural(direct.conversations, "direct conversation")} with ${plural(direct.messages, "message")}`,
    ...ordered.slice(0, MOST_LISTED).map(channelText),
    ...(ordered.length > MOST_LISTED ? [`    and ${ordered.length - MOST_LISTED} more`] : []),
    ...[...years].map(([year, messages]) => `  ${year}: ${plural(messages, "message")}`),
    ...(leftOut.length > 0 ? [`  Left out: ${leftOut.join(", ")}`] : []),
    `This imports ${countsText(counts)}.`,
  ];
}

const channelText = ({ name, is_private, messages }: Preview["channels"][number]): string =>
  `    ${name}${is_private ? " (private)" : ""}: ${plural(messages, "message")}`;

function countsText(counts: Counts): string {
  const parts: [count: number, text: string][] = [
    [counts.people, people(counts.people)],
    [counts.channels, plural(counts.channels, "channel")],
    [counts.conversations, plural(counts.conversations, "direct conversation")],
    [counts.messages, plural(counts.messages, "message")],
    [counts.reactions, plural(counts.reactions, "reaction")],
    [counts.emoji, plural(counts.emoji, "custom emoji", "custom emoji")],
    [counts.files, `${plural(counts.files, "file")} (${inBytes(counts.bytes)})`],
    [counts.elsewhere, `${plural(counts.elsewhere, "file")} only at the source`],
    [counts.missing, plural(counts.missing, "missing file")],
  ];
  const written = parts.filter(([count]) => count > 0).map(([, text]) => text);
  return written.join(", ") || "nothing";
}

export async function listImports(folder: string, { print, report }: Terminal): Promise<void> {
  const { imports } = await onServer(folder, report, (call) => call<State>("GET", "/host/imports"));
  if (imports.length === 0) print("There are no imports.");
  for (const { id, format, name, started_at, counts } of imports)
    print(
      printable(
        `${id}: ${FORMAT_NAMES[format]}, ${name}, ${new Date(started_at).toISOString().slice(0, 10)}: ${countsText(counts)}`,
      ),
    );
}

/** Returns whether the import was removed. */
export async function removeImport(
  folder: string,
  { id, yes, withAdditions }: { id: number; yes: boolean; withAdditions: boolean },
  { print, report }: Terminal,
): Promise<boolean> {
  return onServer(folder, report, async (call) => {
    const { imports } = await call<State>("GET", "/host/imports");
    const found = imports.find((one) => one.id === id);
    if (!found) throw new UsageError(`There is no import ${id}. "hearth import --list" shows the imports.`);
    print(
      printable(
        `This removes ${countsText({ ...found.counts, elsewhere: 0, missing: 0 })}, imported from ${found.name}.`,
      ),
    );
    const added = found.added_messages + found.added_reactions;
    if (added > 0) {
      const { added_messages: messages, added_reactions: reactions } = found;
      print(
        `People have added ${plural(messages, "message")} and ${plural(reactions, "reaction")} since, which go too.`,
      );
      if (yes && !withAdditions) throw new UsageError("Confirm this with --with-additions.");
    }
    if (!yes && !(await confirmed("Remove it? Type yes: "))) {
      print("Nothing was changed.");
      return false;
    }
    await call("DELETE", `/host/imports/${id}`, new URLSearchParams({ with_additions: String(added > 0) }));
    await finished(call, "removing", { report });
    print("The import is removed.");
    return true;
  });
}
