import { badRequest, type Problem, problem, refusedParameter } from "../../errors.ts";
import { Call, type IncomingRequest, type Integration, type IntegrationMessage, type Reading } from "./integration.ts";
import { cut, oneLine } from "./markdown.ts";

const MAX_TOPIC = 60;
const MAX_CONTENT = 10_000;
/** A request may report thousands of alerts, and all its messages are rendered and sent in one transaction. */
const MAX_MESSAGES = 50;
const MAX_ALL_CONTENTS = 60_000;
const CUT_NOTE = "\n\n*(This message was too long, and has been cut.)*";

/** The outcome of a request, with the name of the event for the log. */
export type Outcome =
  | { readonly is: "messages"; readonly event: string | null; readonly messages: readonly IntegrationMessage[] }
  /** Intentionally sends nothing. */
  | { readonly is: "ignored"; readonly event: string | null; readonly why: Problem }
  | { readonly is: "unsupported"; readonly event: string; readonly why: Problem };

/** Reads a request, applies the filters, and truncates topics and contents to their limits. */
export function readIncoming(integration: Integration, request: IncomingRequest): Outcome {
  const call = new Call(integration, request);
  const isWanted = eventFilter(call);
  const reading: Reading = integration.read(call);
  if ("unsupported" in reading) {
    const event = cut(oneLine(reading.unsupported), 100);
    const why = problem("event_not_supported", { event, integration: integration.displayName });
    return { is: "unsupported", event, why };
  }
  if ("ignored" in reading) return { is: "ignored", event: null, why: ignored(reading.ignored) };
  const all = "topic" in reading ? [reading] : reading;
  const event = all[0]?.event ?? null;
  const wanted = all.filter((message) => isWanted(message.event));
  if (all.length === 0) return { is: "ignored", event, why: ignored("There is nothing to report.") };
  if (wanted.length === 0)
    return { is: "ignored", event, why: ignored("The filters in the webhook URL exclude this event.") };
  return { is: "messages", event, messages: bounded(wanted).map((message) => fitToSend(message, call.topic)) };
}

const ignored = (cause: string) => problem("event_ignored", { cause });

/** The first messages, with a note if there are more. */
function bounded(messages: readonly IntegrationMessage[]): readonly IntegrationMessage[] {
  let room = MAX_ALL_CONTENTS;
  const fitting = messages.slice(0, MAX_MESSAGES).filter(({ content }, index) => {
    room -= Math.min(content.length, MAX_CONTENT);
    return room >= 0 || index === 0;
  });
  if (fitting.length === messages.length) return messages;
  const last = fitting.at(-1)!;
  const note = `*And ${messages.length - fitting.length} more, which are not shown.*`;
  const noted = { ...last, content: `${cutContent(last.content, 9000)}\n\n${note}` };
  return [...fitting.slice(0, -1), noted];
}

function fitToSend(message: IntegrationMessage, topic: string | undefined): IntegrationMessage {
  const written = message.content
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all but tabs and line breaks
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (character) => (character === "\r" ? "" : " "));
  const content = cutContent(written.trimEnd().replace(/^\n+/, ""), MAX_CONTENT);
  if (content.trim() === "") throw badRequest("message_empty");
  return { ...message, topic: topicOf(topic ?? message.topic), content };
}

/** Truncates with three dots, as the public server does, so that topics of imported conversations continue. */
export const topicOf = (text: string): string => cut(oneLine(text.toWellFormed()), MAX_TOPIC, "...").trim();

/** Truncates at the end of a line if possible, and closes open fences, so that the note is visible. */
function cutContent(content: string, length: number): string {
  if (cut(content, length) === content) return content;
  const room = cut(content, length - CUT_NOTE.length - 100, "");
  const lineEnd = room.lastIndexOf("\n");
  const kept = lineEnd > room.length - 1000 ? room.slice(0, lineEnd) : room;
  let open = "";
  for (const line of kept.split("\n")) {
    const [marks = "", rest = ""] = /^ {0,3}(`{3,40}|~{3,40})(.*)$/.exec(line)?.slice(1) ?? [];
    if (open === "") open = marks;
    else if (marks === open && rest.trim() === "") open = "";
  }
  return `${kept}${open === "" ? "" : `\n${open}`}${CUT_NOTE}`;
}

/** Tests events against `only_events` and `exclude_events`. */
function eventFilter(call: Call): (event: string | undefined) => boolean {
  const only = patterns(call, "only_events");
  const excluded = patterns(call, "exclude_events") ?? [];
  return (event) => {
    if (event === undefined) return true;
    const isWanted = only === undefined || only.some((pattern) => matchesName(pattern, event));
    return isWanted && !excluded.some((pattern) => matchesName(pattern, event));
  };
}

function patterns(call: Call, name: string): string[] | undefined {
  const given = call.parameter(name);
  if (given === undefined) return undefined;
  let list: unknown;
  try {
    list = JSON.parse(given);
  } catch {}
  if (!Array.isArray(list) || !list.every((item) => typeof item === "string")) {
    throw refusedParameter(name, "event_names_malformed");
  }
  return list;
}

type Part = "*" | ((character: string) => boolean);

/**
 * Whether a shell pattern (`*`, `?`, `[abc]`, `[!a-z]`) matches a whole name. Only the last star is tried again, which
 * bounds the time.
 */
export function matchesName(pattern: string, name: string): boolean {
  const parts = partsOf(pattern);
  let [part, at] = [0, 0];
  let star: { part: number; at: number } | undefined;
  while (at < name.length) {
    const here = parts[part];
    if (here === "*") {
      star = { part, at };
      part++;
    } else if (here?.(name[at]!)) {
      part++;
      at++;
    } else if (star) {
      star.at++;
      part = star.part + 1;
      at = star.at;
    } else {
      return false;
    }
  }
  return parts.slice(part).every((rest) => rest === "*");
}

function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!;
    // A bracket directly after the opening bracket is a member of the set.
    const end = character === "[" ? pattern.indexOf("]", at + (pattern[at + 1] === "!" ? 3 : 2)) : -1;
    if (end > 0) {
      parts.push(oneOf(pattern.slice(at + 1, end)));
      at = end;
    } else if (character === "*") parts.push("*");
    else if (character === "?") parts.push(() => true);
    else parts.push((other) => other === character);
  }
  return parts;
}

function oneOf(set: string): (character: string) => boolean {
  const isNegated = set.startsWith("!");
  const members = isNegated ? set.slice(1) : set;
  return (character) => {
    let isMember = false;
    for (let at = 0; at < members.length; at++) {
      const isRange = members[at + 1] === "-" && at + 2 < members.length;
      const last = isRange ? members[at + 2]! : members[at]!;
      isMember ||= members[at]! <= character && character <= last;
      if (isRange) at += 2;
    }
    return isMember !== isNegated;
  };
}
