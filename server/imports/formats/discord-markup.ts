import { type Block, type Inline, paragraph, refer, type Style, styled, text } from "../document.ts";
import type { Reference } from "../model.ts";

/*
 * Parses Discord's Markdown. Exports have mentions as names (`@Alice`) or in the form of the API (`<@1>`). The work is
 * linear in the length of a text: each search for a missing mark runs once, and formatting nests a few levels.
 */

/** Resolves names and IDs in a text. If the result is undefined, they stay text. */
export interface DiscordNames {
  /** The person of `<@id>`. */
  readonly person: (id: string) => Reference | undefined;
  /** The channel or thread of `<#id>`. */
  readonly channel: (id: string) => readonly Inline[] | undefined;
  /** The group of `<@&id>`. */
  readonly role: (id: string) => Reference | undefined;
  /** The person that `@…` at the start of the text mentions, and the length of the mention. */
  readonly mentioned: (rest: string) => { readonly reference: Reference; readonly length: number } | undefined;
  /** The channel of `#name`. */
  readonly channelNamed: (name: string) => Reference | undefined;
  /** The imported name of a custom emoji. `id` is undefined if the text has only the name. */
  readonly emoji: (name: string, id: string | undefined) => string;
}

/** Descriptions of channels have no references. */
export const NO_NAMES: DiscordNames = {
  person: () => undefined,
  channel: () => undefined,
  role: () => undefined,
  mentioned: () => undefined,
  channelNamed: () => undefined,
  emoji: (name) => name,
};

export function discordBlocks(content: string, names: DiscordNames): Block[] {
  const given = content.replace(/\r\n?/g, "\n");
  const hidden = /^\s*\|\|(?!\|)([\s\S]*)\|\|\s*$/.exec(given)?.[1];
  // Code and lists in a spoiler divide the text between its marks.
  if (hidden !== undefined && !hidden.includes("||") && hidden.trim() !== "")
    return [{ is: "spoiler", blocks: withFences(hidden, names) }];
  return withFences(given, names);
}

/** Fences can be anywhere in a line. */
function withFences(content: string, names: DiscordNames): Block[] {
  const blocks: Block[] = [];
  let position = 0;
  for (;;) {
    const start = content.indexOf("```", position);
    const end = start < 0 ? -1 : content.indexOf("```", start + 3);
    if (end < 0) break;
    const inside = content.slice(start + 3, end);
    const [, language, code] = /^([\w+.#-]{1,30})\n([\s\S]*)$/.exec(inside) ?? [];
    blocks.push(...lineBlocks(content.slice(position, start), names, true));
    const isEmpty = (code ?? inside).trim() === "";
    if (isEmpty) blocks.push(paragraph(text(content.slice(start, end + 3))));
    else blocks.push({ is: "code", text: code ?? inside, language: language });
    position = end + 3;
  }
  return [...blocks, ...lineBlocks(content.slice(position), names, true)];
}

const LIST_ITEM = /^( *)(?:[-*]|(\d{1,9})\.) +(\S.*)$/;
const HEADING = /^(#{1,3}) +(\S.*)$/;

/** Blocks of whole lines, and the text between them. Quotes do not nest. */
function lineBlocks(content: string, names: DiscordNames, mayQuote: boolean): Block[] {
  const blocks: Block[] = [];
  const lines = content.split("\n");
  let free: string[] = [];
  const finish = (): void => {
    if (free.some((line) => line.trim() !== "")) blocks.push(paragraph(...inlines(free.join("\n"), names)));
    free = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    if (mayQuote && line.startsWith(">>> ")) {
      finish();
      const rest = [line.slice(4), ...lines.slice(at + 1)].join("\n");
      blocks.push({ is: "quote", blocks: lineBlocks(rest, names, false) });
      return blocks;
    }
    if (mayQuote && isQuoted(line)) {
      finish();
      const quoted: string[] = [];
      for (; at < lines.length && isQuoted(lines[at] as string); at++) quoted.push((lines[at] as string).slice(2));
      at--;
      blocks.push({ is: "quote", blocks: lineBlocks(quoted.join("\n"), names, false) });
      continue;
    }
    const [, marks, title] = HEADING.exec(line) ?? [];
    if (marks !== undefined && title !== undefined) {
      finish();
      blocks.push({ is: "heading", level: marks.length, inside: inlines(title, names) });
    } else if (LIST_ITEM.test(line)) {
      finish();
      let end = at + 1;
      while (end < lines.length && LIST_ITEM.test(lines[end] as string)) end++;
      blocks.push(...lists(lines.slice(at, end), names));
      at = end - 1;
    } else free.push(line.replace(/^-# (?=\S)/, ""));
  }
  finish();
  return blocks;
}

const isQuoted = (line: string): boolean => line.startsWith("> ") || line === ">";

interface OpenList {
  readonly indent: number;
  readonly start: number | undefined;
  readonly items: Block[][];
}

/** An item that is indented by two more spaces belongs to the item above it. */
function lists(lines: readonly string[], names: DiscordNames): Block[] {
  const blocks: Block[] = [];
  const open: OpenList[] = [];
  for (const line of lines) {
    const [, spaces = "", number, content = ""] = LIST_ITEM.exec(line) ?? [];
    while (open.length > 0 && spaces.length < (open.at(-1) as OpenList).indent) open.pop();
    const parent = open.at(-1);
    const start = number === undefined ? undefined : Number(number);
    const isDeeper = parent !== undefined && spaces.length >= parent.indent + 2 && open.length < 6;
    if (parent && !isDeeper && (parent.start === undefined) !== (start === undefined)) open.pop();
    if (open.length === 0 || isDeeper || parent !== open.at(-1)) {
      const list: OpenList = { indent: spaces.length, start, items: [] };
      const container = open.at(-1)?.items.at(-1) ?? blocks;
      container.push({ is: "list", start, items: list.items });
      open.push(list);
    }
    open.at(-1)?.items.push([paragraph(...inlines(content, names))]);
  }
  return blocks;
}

const inlines = (content: string, names: DiscordNames): Inline[] => new InlineParser(content, names).parsed();

const MAX_DEPTH = 8;

interface Mark {
  readonly mark: string;
  /** Undefined: a spoiler. */
  readonly style: Style | undefined;
}

/** Longer marks come first. Hearth has no underlines. */
const MARKS: readonly Mark[] = [
  { mark: "**", style: "bold" },
  { mark: "__", style: "bold" },
  { mark: "~~", style: "strike" },
  { mark: "||", style: undefined },
  { mark: "*", style: "italic" },
  { mark: "_", style: "italic" },
];
const [PLAIN, WORD] = [/[^\\*_~|`[<@#:h]+/y, /[\p{L}\p{N}_]/u];
const URL_IN_TEXT = /https?:\/\/[^\s<]+/y;
const IN_BRACKETS = /<([^<>\n]{1,2100})>/y;
const MASKED_LINK =
  /\[([^[\]\n]{1,1000})\]\(<?(https?:\/\/[^\s()<>]{1,2000}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500}){0,4})>?(?: +"[^"\n]{0,500}")?\)/y;
const CHANNEL_NAME = /#([\p{L}\p{N}_-]{1,100})/uy;
const EMOJI_NAME = /:(\w{2,32}):/y;

class InlineParser {
  readonly content: string;
  readonly names: DiscordNames;
  /** Marks that have no end after a position: later searches fail too. */
  readonly #missing = new Map<string, number>();
  readonly #found = new Map<string, { from: number; at: number }>();

  constructor(content: string, names: DiscordNames) {
    this.content = content;
    this.names = names;
  }

  parsed(): Inline[] {
    return this.#between(0, this.content.length, 0);
  }

  #match(pattern: RegExp, at: number, end: number): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    const match = pattern.exec(this.content);
    return match && at + match[0].length <= end ? match : undefined;
  }

  #between(from: number, to: number, depth: number): Inline[] {
    const found: Inline[] = [];
    let pending = "";
    let at = from;
    while (at < to) {
      const [plain] = this.#match(PLAIN, at, this.content.length) ?? [];
      if (plain !== undefined) {
        const end = Math.min(at + plain.length, to);
        pending += this.content.slice(at, end);
        at = end;
        continue;
      }
      const part = this.#partAt(at, to, depth);
      if (typeof part.inside === "string") pending += part.inside;
      else {
        if (pending !== "") found.push(text(pending));
        pending = "";
        found.push(...part.inside);
      }
      at = part.end;
    }
    if (pending !== "") found.push(text(pending));
    return found;
  }

  /** Parses the element that starts at a syntax character. The result is a string for ordinary text. */
  #partAt(at: number, to: number, depth: number): { inside: readonly Inline[] | string; end: number } {
    const { content, names } = this;
    const character = content[at] as string;
    switch (character) {
      case "\\": {
        const next = content[at + 1];
        if (at + 1 < to && next !== undefined && /[^\p{L}\p{N}\s\ud800-\udfff]/u.test(next))
          return { inside: next, end: at + 2 };
        break;
      }
      case "`": {
        const code = this.#code(at, to);
        if (code) return code;
        break;
      }
      case "h": {
        const url = /\p{L}/u.test(content[at - 1] ?? "") ? undefined : this.#url(at, to);
        if (url !== undefined) return { inside: url, end: at + url.length };
        break;
      }
      case "<": {
        const match = this.#match(IN_BRACKETS, at, to);
        const inside = match && this.#bracketed(match[1] as string);
        if (match && inside !== undefined) return { inside, end: at + match[0].length };
        break;
      }
      case "[": {
        const match = this.#match(MASKED_LINK, at, to);
        if (!match) break;
        const [all, label = "", url = ""] = match;
        const labelAt = at + 1;
        const inside = this.#between(labelAt, labelAt + label.length, depth + MAX_DEPTH / 2);
        return { inside: [{ is: "link", url, inside }], end: at + all.length };
      }
      case "@": {
        if (names === NO_NAMES) break;
        const everyone = /^@(?:everyone|here)\b/.exec(content.slice(at, Math.min(at + 10, to)))?.[0];
        if (everyone !== undefined) return { inside: [refer({ everyone: true })], end: at + everyone.length };
        const mention = names.mentioned(content.slice(at + 1, Math.min(at + 120, to)));
        if (mention) return { inside: [refer(mention.reference)], end: at + 1 + mention.length };
        break;
      }
      case "#": {
        const match = WORD.test(content[at - 1] ?? "") ? undefined : this.#match(CHANNEL_NAME, at, to);
        const channel = match && names.channelNamed(match[1] as string);
        if (match && channel) return { inside: [refer(channel)], end: at + match[0].length };
        break;
      }
      case ":": {
        const match = this.#match(EMOJI_NAME, at, to);
        if (match) return { inside: `:${names.emoji(match[1] as string, undefined)}:`, end: at + match[0].length };
        break;
      }
      default:
        for (const mark of MARKS) {
          const marked = content.startsWith(mark.mark, at) ? this.#marked(mark, at, to, depth) : undefined;
          if (marked) return marked;
        }
    }
    // Skips the whole run of marks if it has no meaning.
    const row = /^(?:\*+|_+|~+|\|+|`+)/.exec(content.slice(at, Math.min(at + 100, to)))?.[0];
    const length = row !== undefined && row.length > 3 ? row.length : 1;
    return { inside: content.slice(at, at + length), end: at + length };
  }

  #code(at: number, to: number): { inside: Inline[]; end: number } | undefined {
    const marks = this.content.startsWith("``", at) ? "``" : "`";
    const from = at + marks.length;
    const end = this.#find(marks, from, to, (found) => found > from);
    if (end === undefined) return undefined;
    const code = this.content.slice(from, end);
    return { inside: [{ is: "code", text: marks === "``" ? code.trim() : code }], end: end + marks.length };
  }

  #url(at: number, to: number): string | undefined {
    const match = this.#match(URL_IN_TEXT, at, this.content.length);
    if (!match) return undefined;
    let url = this.content.slice(at, Math.min(at + match[0].length, to)).replace(/[.,:;"'\]*_~|]+$/, "");
    if (url.endsWith(")") && !url.includes("(")) url = url.replace(/\)+$/, "");
    return /^https?:\/\/[^\s/]/.test(url) ? url : undefined;
  }

  #bracketed(inside: string): readonly Inline[] | string | undefined {
    const { names } = this;
    const [, kind = "", id = ""] = /^(@!?|@&|#)(\d{1,20}|[\w-]{1,40})$/.exec(inside) ?? [];
    if (kind === "#") return names.channel(id) ?? "#unknown-channel";
    if (kind === "@&") {
      const role = names.role(id);
      return role ? [refer(role)] : "@unknown-role";
    }
    if (kind !== "") {
      const person = names.person(id);
      return person ? [refer(person)] : "@unknown-user";
    }
    const [, emoji, emojiId] = /^a?:(\w{1,40}):(\d{1,20})$/.exec(inside) ?? [];
    if (emoji !== undefined) return `:${names.emoji(emoji, emojiId)}:`;
    const [, seconds] = /^t:(-?\d{1,13})(?::[tTdDfFR])?$/.exec(inside) ?? [];
    if (seconds !== undefined) return [{ is: "time", at: Number(seconds) * 1000 }];
    const [, command] = /^\/([^:]{1,100}):\d{1,20}$/.exec(inside) ?? [];
    if (command !== undefined) return [{ is: "code", text: `/${command}` }];
    return /^(?:https?:\/\/\S+|mailto:\S+)$/i.test(inside) ? inside : undefined;
  }

  #marked({ mark, style }: Mark, at: number, to: number, depth: number): { inside: Inline[]; end: number } | undefined {
    const { content } = this;
    const from = at + mark.length;
    if (depth >= MAX_DEPTH || from >= to) return undefined;
    const isUnderscore = mark === "_";
    if (mark.length === 1 && /\s/.test(content[from] as string)) return undefined;
    if (isUnderscore && WORD.test(content[at - 1] ?? "")) return undefined;
    const end = this.#find(mark, from, to, (found) => {
      const after = found + mark.length < to ? content[found + mark.length] : undefined;
      if (content[found - 1] === "\\" || content.slice(from, found).trim() === "") return false;
      if (after === mark[0] && mark !== "~~" && mark !== "||") return false;
      if (mark === "*") return content[found - 1] !== "*" && !/\s/.test(content[found - 1] as string);
      return !isUnderscore || (content[found - 1] !== "_" && !WORD.test(after ?? ""));
    });
    if (end === undefined) return undefined;
    const inside = this.#between(from, end, depth + 1);
    return { inside: [style ? styled(style, inside) : { is: "spoiler", inside }], end: end + mark.length };
  }

  #find(mark: string, from: number, to: number, isEnd: (found: number) => boolean): number | undefined {
    const key = `${mark} ${to}`;
    if (from >= (this.#missing.get(key) ?? Number.POSITIVE_INFINITY)) return undefined;
    for (let tries = 0, at = this.#next(mark, from); tries < 100; tries++) {
      if (at < 0 || at + mark.length > to) break;
      if (isEnd(at)) return at;
      at = this.#next(mark, at + 1);
    }
    this.#missing.set(key, from);
    return undefined;
  }

  /** `indexOf` with a cache: repeated searches often have the same result. */
  #next(mark: string, from: number): number {
    const last = this.#found.get(mark);
    if (last && from >= last.from && (last.at < 0 || from <= last.at)) return last.at;
    const at = this.content.indexOf(mark, from);
    this.#found.set(mark, { from, at });
    return at;
  }
}
