import { setTimeout as pause } from "node:timers/promises";
import { Failure, type Problem } from "../../errors.ts";
import { inBytes, people, plural } from "./backup-commands.ts";
import { type CallServer, callsTo, respondingUrl } from "./running-server.ts";
import { startSupervisor } from "./supervisor.ts";
import { Cancelled, confirmed, printable, UsageError } from "./terminal.ts";

/* The command "hearth import". cli.ts imports this file lazily. */

const LOOK_EVERY_MS = 300;

const SOURCES: Record<string, string> = {
  slack: "Slack",
  mattermost: "Mattermost",
  rocketchat: "Rocket.Chat",
  discord: "Discord",
  teams: "Microsoft Teams",
  zulip: "Zulip",
  hearth: "Hearth",
};

const CONSENT =
  "Private channels and direct messages become readable for their members here. Import them only if your organization may, and its people know.";

interface Counts {
  people: number;
  channels: number;
  conversations: number;
  emoji: number;
  messages: number;
  reactions: number;
  files: number;
  bytes: number;
  elsewhere: number;
  missing: number;
}

interface Choices {
  channels: string[];
  direct_messages: boolean;
  consent: boolean;
  since: string | null;
  unthreaded: "month" | { topic: string };
  max_role: string;
}

interface Preview {
  format: string;
  people: { total: number; bots: number; with_email: number; matches: { name: string }[] };
  channels: { id: string; name: string; is_private: boolean; messages: number }[];
  direct: { conversations: number; messages: number };
  messages_by_month: Record<string, number>;
  left_out: Record<string, number>;
  choices: Choices;
}

interface Listed {
  id: number;
  format: string;
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

interface Terminal {
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
    return await work(callsTo(folder));
  } finally {
    await server.stop();
  }
}

const CURRENT = "/host/imports/current";

/** Returns whether something was imported. Rejects with Cancelled after Ctrl-C. */
export async function importExport(folder: string, options: ImportOptions, terminal: Terminal): Promise<boolean> {
  return onServer(folder, terminal.report, async (call) => {
    const interrupted = new AbortController();
    const interrupt = () => interrupted.abort();
    process.on("SIGINT", interrupt);
    try {
      return await runImport(call, options, { ...terminal, signal: interrupted.signal });
    } catch (error) {
      await call("DELETE", CURRENT).catch(() => {}); // the server may have stopped
      if (!interrupted.signal.aborted) throw error;
      terminal.report("The import was cancelled. It has left nothing behind.");
      throw new Cancelled();
    } finally {
      process.off("SIGINT", interrupt);
    }
  });
}

async function runImport(
  call: CallServer,
  options: ImportOptions,
  { print, report, signal }: Terminal & { signal: AbortSignal },
): Promise<boolean> {
  await call("POST", CURRENT, new URLSearchParams({ path: options.path }));
  await finished(call, "reading", { report, signal });
  const preview = await call<Preview>("GET", `${CURRENT}/preview`);
  const choices = chosen(preview, options);
  const body = () => new URLSearchParams({ choices: JSON.stringify(choices) });
  const { counts } = await call<{ counts: Counts }>("POST", `${CURRENT}/counts`, body());
  for (const line of previewText(preview, counts)) print(printable(line));
  if (options.dryRun || !(await agrees(preview, choices, options, print))) {
    await call("DELETE", CURRENT);
    print("Nothing was changed.");
    return options.dryRun;
  }
  const { id } = await call<{ id: number }>("POST", `${CURRENT}/start`, body());
  await finished(call, "writing", { report, signal });
  const { imports } = await call<State>("GET", "/host/imports");
  const done = imports.find((one) => one.id === id) as Listed;
  print(`Import ${id} is complete: ${countsText(done.counts)}.`);
  print("People claim their accounts through invitations: see People in the admin window.");
  return true;
}

/** Waits for the end of a stage, and reports each tenth of it. */
async function finished(
  call: CallServer,
  stage: "reading" | "writing",
  { report, signal }: { report: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  for (let said = ""; ; await pause(LOOK_EVERY_MS)) {
    signal.throwIfAborted();
    const { current } = await call<State>("GET", "/host/imports");
    if (current?.problem) throw new Failure(current.problem);
    if (current?.stage !== stage) return;
    const line = progressText(stage, current);
    if (line !== said) report(line);
    said = line;
  }
}

function progressText(stage: "reading" | "writing", { done, total }: { done: number; total: number }): string {
  if (stage === "writing") return `Writing: ${Math.floor((10 * done) / Math.max(total, 1)) * 10} %`;
  return `Reading: ${plural(Math.floor(done / 100_000) * 100_000, "message")}`;
}

function chosen({ channels, choices }: Preview, options: ImportOptions): Choices {
  const ids = options.channels?.flatMap((name) => {
    const found = channels.filter((channel) => channel.name.toLowerCase() === name.toLowerCase());
    if (found.length > 0) return found.map(({ id }) => id);
    throw new UsageError(`The export has no channel "${name}". It has: ${listed(channels.map(({ name }) => name))}.`);
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
  print: (line: string) => void,
): Promise<boolean> {
  const isPrivate = channels.some((channel) => channel.is_private && choices.channels.includes(channel.id));
  if ((isPrivate || choices.direct_messages) && !choices.consent) {
    print(CONSENT);
    if (yes) throw new UsageError("Confirm this with --consent.");
    choices.consent = await confirmed("Import them? Type yes: ");
    if (!choices.consent) return false;
  }
  return yes || confirmed("Import it? Type yes: ");
}

function previewText({ format, people: all, channels, direct, ...rest }: Preview, counts: Counts): string[] {
  const years = new Map<string, number>();
  for (const [month, messages] of Object.entries(rest.messages_by_month))
    years.set(month.slice(0, 4), (years.get(month.slice(0, 4)) ?? 0) + messages);
  const leftOut = Object.entries(rest.left_out).map(([kind, count]) => `${count.toLocaleString("en")} ${kind}`);
  const ordered = channels.toSorted((a, b) => b.messages - a.messages);
  return [
    `An export of ${SOURCES[format] ?? format}:`,
    `  ${people(all.total - all.bots)} (${all.matches.length} with an account here), ${plural(all.bots, "bot")}`,
    `  ${plural(channels.length, "channel")}, ${plural(direct.conversations, "direct conversation")} with ${plural(direct.messages, "message")}`,
    ...ordered.slice(0, MOST_LISTED).map(channelText),
    ...(ordered.length > MOST_LISTED ? [`    and ${ordered.length - MOST_LISTED} more`] : []),
    ...[...years].map(([year, messages]) => `  ${year}: ${plural(messages, "message")}`),
    ...(leftOut.length > 0 ? [`  Left out: ${leftOut.join(", ")}`] : []),
    `These choices import ${countsText(counts)}.`,
  ];
}

const channelText = ({ name, is_private, messages }: Preview["channels"][number]): string =>
  `    ${name}${is_private ? " (private)" : ""}: ${plural(messages, "message")}`;

function countsText(counts: Counts): string {
  const absent = [
    ...(counts.elsewhere > 0 ? [`${plural(counts.elsewhere, "file")} are only at the source`] : []),
    ...(counts.missing > 0 ? [`${plural(counts.missing, "file")} are missing`] : []),
  ];
  return [
    people(counts.people),
    plural(counts.channels, "channel"),
    plural(counts.conversations, "direct conversation"),
    plural(counts.messages, "message"),
    plural(counts.reactions, "reaction"),
    plural(counts.emoji, "custom emoji", "custom emoji"),
    `${plural(counts.files, "file")} (${inBytes(counts.bytes)})`,
    ...absent,
  ].join(", ");
}

export async function listImports(folder: string, { print, report }: Terminal): Promise<void> {
  const { imports } = await onServer(folder, report, (call) => call<State>("GET", "/host/imports"));
  if (imports.length === 0) print("There are no imports.");
  for (const { id, format, name, started_at, counts } of imports)
    print(
      printable(
        `${id}: ${SOURCES[format] ?? format}, ${name}, ${new Date(started_at).toISOString().slice(0, 10)}: ${countsText(counts)}`,
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
    print(printable(`This removes ${countsText(found.counts)}, imported from ${found.name}.`));
    const added = found.added_messages + found.added_reactions;
    if (added > 0) {
      const { added_messages: messages, added_reactions: reactions } = found;
      print(`People have added ${plural(messages, "message")} and ${plural(reactions, "reaction")} since, which go too.`);
      if (yes && !withAdditions) throw new UsageError("Confirm this with --with-additions.");
    }
    if (!yes && !(await confirmed("Remove it? Type yes: "))) {
      print("Nothing was changed.");
      return false;
    }
    await call("DELETE", `/host/imports/${id}`, new URLSearchParams({ with_additions: String(added > 0) }));
    for (;;) {
      const { current } = await call<State>("GET", "/host/imports");
      if (current?.problem) throw new Failure(current.problem);
      if (current?.stage !== "removing") break;
      await pause(LOOK_EVERY_MS);
    }
    print("The import is removed.");
    return true;
  });
}
