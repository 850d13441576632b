import { unescaped } from "../../../markdown/inlines.ts";
import type { ImportedPerson, Reference, Text } from "../../model.ts";
import { joined } from "../../texts.ts";

/** The meaning of names and links in a message, by IDs without leading zeros. Undefined: they stay text. */
export interface Names {
  /** The ID of a person. */
  readonly person: (name: string) => string | undefined;
  /** The name of the person with this ID. */
  readonly personName: (id: string) => string | undefined;
  /** The ID of a channel. */
  readonly channel: (name: string) => string | undefined;
  /** The name of the channel with this ID. */
  readonly channelName: (id: string) => string | undefined;
  /** The place of direct messages between these people and the reader. */
  readonly conversation: (people: readonly number[]) => string | undefined;
  /** The ID of an uploaded file, by the path of its link. */
  readonly file: (path: string) => string | undefined;
}

/** Finds people by name in any letter case: of people with the same name an active person, then the lowest ID. */
export function personByName(people: Iterable<ImportedPerson>): Names["person"] {
  const keyOf = (name: string): string => name.normalize("NFKC").toLowerCase();
  const lastWins = [...people].sort((a, b) => Number(a.isActive) - Number(b.isActive) || Number(b.id) - Number(a.id));
  const ids = new Map(lastWins.map(({ name, id }) => [keyOf(name), id]));
  return (name) => ids.get(keyOf(name));
}

/** The Markdown of Zulip and Hearth, with references instead of IDs and names. Code stays as it is. */
export function parseText(source: string, names: Names): Text {
  const parts: (string | Reference)[] = [];
  /** Lines that can have references. */
  let open: string[] = [];
  const fences: { marks: string; isCode: boolean }[] = [];
  const close = () => {
    if (open.length > 0) parts.push(...inline(open.join(""), names));
    open = [];
  };
  for (const line of source.split(/(?<=\n)/)) {
    const innermost = fences.at(-1);
    const isClosing = innermost !== undefined && line.trim() === innermost.marks;
    const opening = isClosing || innermost?.isCode ? undefined : openedBy(line);
    if (!isClosing && !opening && !innermost?.isCode && line.trim() !== "") {
      open.push(line);
      continue;
    }
    close();
    parts.push(line);
    if (isClosing) fences.pop();
    else if (opening) fences.push(opening);
  }
  close();
  return joined(parts);
}

function openedBy(line: string): { marks: string; isCode: boolean } | undefined {
  const [, marks, language] = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`~]*)[^`~]*$/.exec(line.trimEnd()) ?? [];
  return marks === undefined ? undefined : { marks, isCode: !/^(?:quoted?|spoiler)$/i.test(language as string) };
}

/** Possible references, and code, which has none. */
const SPECIAL =
  /`+|@_?\*\*[^*\n]{1,300}\*\*|@_?\*[^*\n]{1,600}\*(?!\*)|#\*\*[^*\n]{1,700}\*\*|!?\[([^[\]\n]{0,1000})\]\(([^\s()]{1,2000})\)|https?:\/\/[^\s<>()]+|\/user_uploads\/[^\s<>()]+/g;

/** Mentions begin words. */
const BEFORE = /[\s'"({[/<,:>|]/;

function* inline(source: string, names: Names): Generator<string | Reference> {
  let done = 0;
  const special = new RegExp(SPECIAL);
  const unclosed = new Set<number>();
  for (let match = special.exec(source); match; match = special.exec(source)) {
    const [found, label, target] = match;
    const { index } = match;
    if (found.startsWith("`")) {
      const end = unclosed.has(found.length) ? -1 : closingRun(source, index + found.length, found.length);
      if (end < 0) unclosed.add(found.length);
      else special.lastIndex = end;
      continue;
    }
    const isMention = /^[@#]/.test(found);
    if (isMention && index > 0 && !BEFORE.test(source[index - 1] as string)) continue;
    const reference = isMention ? mentionOf(found, names) : linkOf(target ?? found, label, names);
    if (!reference) continue;
    yield source.slice(done, index);
    yield reference;
    done = index + found.length;
  }
  yield source.slice(done);
}

/** The position after the next run of exactly `length` backticks. */
function closingRun(source: string, from: number, length: number): number {
  const runs = /`+/g;
  runs.lastIndex = from;
  for (let run = runs.exec(source); run; run = runs.exec(source))
    if (run[0].length === length) return run.index + length;
  return -1;
}

const EVERYONE = new Set(["all", "everyone", "channel", "stream"]);

function mentionOf(found: string, names: Names): Reference | undefined {
  const [, sign, underscore, stars, written] = /^([@#])(_?)(\*\*?)(.*?)\*+$/.exec(found) as unknown as string[];
  const silent = underscore === "_" ? { silent: true as const } : {};
  if (sign === "#") return channelLink(written as string, names);
  if (stars === "*") return { group: unescaped(written as string), ...silent };
  if (EVERYONE.has(written as string)) return { everyone: true, ...silent };
  const person = personOf(written as string, names);
  return person === undefined ? undefined : { person, ...silent };
}

/** `Name`, `Name|id` or `|id`. After a change of the name, the ID counts. */
function personOf(written: string, names: Names): string | undefined {
  const [, name = "", digits] = /^(.*)\|(\d{1,15})$/.exec(written) ?? [];
  if (digits === undefined) return names.person(written);
  const id = withoutZeros(digits);
  const current = names.personName(id);
  if (current !== undefined && (name === "" || name === current)) return id;
  return names.person(written) ?? (current === undefined ? names.person(name) : id);
}

const withoutZeros = (digits: string): string => String(Number(digits));

/** `channel`, `channel>topic` or `channel>topic@id`. */
function channelLink(written: string, names: Names): Reference | undefined {
  const end = written.indexOf(">");
  const name = end < 0 ? written : written.slice(0, end);
  const channel = names.channel(name) ?? names.channel(unescaped(name));
  if (channel === undefined) return undefined;
  if (end < 0) return { channel };
  const [, topic, message] = /^(.*?)(?:@(\d{1,15}))?$/.exec(written.slice(end + 1)) as unknown as string[];
  if (message !== undefined) return { message: withoutZeros(message), place: channel };
  return { channel, topic: unescaped(topic as string) };
}

function linkOf(target: string, label: string | undefined, names: Names): Reference | undefined {
  const named = label ? { label } : {};
  const [, upload] = /^(?:https?:\/\/[^/]+)?\/user_uploads\/(?:(?:thumbnail|download)\/)?([^?#]+)/.exec(target) ?? [];
  if (upload !== undefined) {
    const file = names.file(upload) ?? names.file(decoded(upload));
    return file === undefined ? undefined : { file, ...named };
  }
  const place = narrowOf(target, names);
  return place && "message" in place ? { ...place, ...named } : place;
}

const CHANNEL_URL =
  /^(https?:\/\/[^#]*|\/?)#narrow\/(?:stream|channel)\/(\d{1,15})(?:-([^/]*))?(?:\/(?:topic|subject)\/([^/]*)(?:\/(?:near|with)\/(\d{1,15}))?)?\/?$/;
const DIRECT_URL =
  /^(?:https?:\/\/[^#]*|\/?)#narrow\/(?:dm|pm-with)\/(\d{1,15}(?:,\d{1,15})*)(?:-[^/]*)?\/near\/(\d{1,15})\/?$/;

/**
 * The target of a link into the chat. The archive has no URL of its server, so a URL with a host must name the channel
 * as well.
 */
function narrowOf(target: string, names: Names): Reference | undefined {
  const [direct, people, directMessage] = DIRECT_URL.exec(target) ?? [];
  if (direct !== undefined) {
    const place = names.conversation((people as string).split(",").map(Number));
    return place === undefined ? undefined : { message: withoutZeros(directMessage as string), place };
  }
  const [, host, channelDigits, slug, topic, message] = CHANNEL_URL.exec(target) ?? [];
  if (channelDigits === undefined) return undefined;
  const channel = withoutZeros(channelDigits);
  const name = names.channelName(channel);
  if (name === undefined) return undefined;
  const isSame = fromHash(slug ?? "") === name.replaceAll(" ", "-");
  if (host !== "" && host !== "/" && !isSame) return undefined;
  if (message !== undefined) return { message: withoutZeros(message), place: channel };
  return topic === undefined ? { channel } : { channel, topic: fromHash(topic) };
}

/** Zulip writes dots instead of percent signs. */
const fromHash = (text: string): string => decoded(text.replaceAll(".", "%"));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
