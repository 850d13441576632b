import type { Reference, Text } from "../../model.ts";
import { joined } from "../../texts.ts";

/** Resolves names and links in a message. If the result is undefined, they stay text. */
export interface Names {
  /** `@name`. */
  readonly mention: (name: string) => Reference | undefined;
  /** `#name`. */
  readonly channel: (name: string) => Reference | undefined;
  /** `:name:`, as Markdown. */
  readonly emoji: (name: string) => string | undefined;
  /** The message that a URL leads to. */
  readonly message: (url: string) => { readonly message: string; readonly place: string } | undefined;
}

/* Markup within a line. Emphasis marks become nodes that are paired at the end, so parsing takes linear time. */

interface Mark {
  /** `*`, `**`, `_`, `__`, `~` or `~~`. */
  readonly source: string;
  readonly opens: boolean;
  readonly closes: boolean;
  /** Whether spaces surround the mark. Hearth ignores such marks too. */
  readonly isLone: boolean;
  /** Markdown, if the mark has a partner. */
  markdown?: string;
}

interface Link {
  readonly reference: Reference;
}

type Node = string | Link | Mark;

const isMark = (node: Node | undefined): node is Mark => typeof node === "object" && "source" in node;

const MARKDOWN: Readonly<Record<string, string>> = {
  "*": "**",
  "**": "**",
  _: "*",
  __: "*",
  "~": "~~",
  "~~": "~~",
};

export function inline(line: string, names: Names): Text {
  const nodes = new Scanner(line, names).nodes();
  pair(nodes);
  return joined(written(nodes));
}

/** Hearth's Markdown has no backslash escapes, so marks become character references. */
const asText = (character: string): string => `&#${character.charCodeAt(0)};`;

/** Starts of markup. Everything between two matches is text. */
const SPECIAL = /[\\`<[!*_~@#:]|https?:\/\//g;
const URL = /https?:\/\/[^\s<>]+/y;
const EMOJI = /:([\w+-]{1,100}):/y;
const NAME = /[@#]([\p{L}\p{N}._-]{1,200})/uy;
const TIME = /<t:([^>:\n]{1,40}(?::\d\d[^>\n]{0,30}?)?)(?::[a-zA-Z])?>/y;
const ANGLE_LINK = /<(https?:\/\/[^\s<>|]{1,2000})(?:\|([^<>\n]{1,1000}))?>/y;
const LINK = /!?\[([^[\]\n]{0,1000})\]\(([^\s()<>]{1,2000}(?:\([^\s()<>]{0,1000}\)[^\s()<>]{0,1000})?)\)/y;
const FORMULA = /\\\((.{1,1000}?)\\\)|\\\[(.{1,1000}?)\\\]/y;
const SAFE_URL = /^(?:https?:\/\/|mailto:|tel:)/i;

class Scanner {
  readonly #line: string;
  readonly #names: Names;
  readonly #nodes: Node[] = [];
  /** Lengths of backtick runs that do not occur in the rest of the line. */
  readonly #unclosed = new Set<number>();
  #at = 0;

  constructor(line: string, names: Names) {
    this.#line = line;
    this.#names = names;
  }

  nodes(): Node[] {
    const special = new RegExp(SPECIAL);
    while (this.#at < this.#line.length) {
      special.lastIndex = this.#at;
      const start = special.exec(this.#line)?.index ?? this.#line.length;
      if (start > this.#at) this.#nodes.push(this.#line.slice(this.#at, start));
      this.#at = start;
      if (start < this.#line.length && !this.#markup(this.#line[start] as string)) {
        this.#nodes.push(this.#line[start] as string);
        this.#at++;
      }
    }
    return this.#nodes;
  }

  /** Adds the markup that begins here. Returns whether there is any. */
  #markup(first: string): boolean {
    if (first === "*" || first === "_" || first === "~") return this.#mark(first);
    if (first === "\\") return this.#escape() || this.#formula();
    if (first === "`") return this.#code();
    if (first === "@" || first === "#") return this.#name(first);
    if (first === ":") return this.#emoji();
    if (first === "[" || first === "!") return this.#link();
    if (first === "<") return this.#time() || this.#angleLink();
    return this.#url();
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#line) ?? undefined;
  }

  #add(length: number, node: Node): true {
    this.#nodes.push(node);
    this.#at += length;
    return true;
  }

  #mark(character: string): boolean {
    let end = this.#at + 1;
    while (this.#line[end] === character) end++;
    const [before, after] = [this.#line[this.#at - 1] ?? " ", this.#line[end] ?? " "];
    const isPair = end - this.#at <= 2;
    return this.#add(end - this.#at, {
      source: this.#line.slice(this.#at, end),
      opens: isPair && !/\s/.test(after) && !/[\p{L}\p{N}]/u.test(before),
      closes: isPair && !/\s/.test(before) && !/[\p{L}\p{N}]/u.test(after),
      isLone: /\s/.test(before) && /\s/.test(after),
    });
  }

  #escape(): boolean {
    const next = this.#line[this.#at + 1] ?? "";
    if (!/[*_~`#.]/.test(next)) return false;
    return this.#add(2, next === "_" || next === "." ? next : asText(next));
  }

  #formula(): boolean {
    const match = this.#match(FORMULA);
    const source = (match?.[1] ?? match?.[2])?.trim();
    return match !== undefined && !!source && !/[$\n]/.test(source) && this.#add(match[0].length, `$$${source}$$`);
  }

  #code(): boolean {
    let end = this.#at;
    while (this.#line[end] === "`") end++;
    const length = end - this.#at;
    const close = this.#unclosed.has(length) ? -1 : closingRun(this.#line, end, length);
    if (close >= 0) return this.#add(close + length - this.#at, this.#line.slice(this.#at, close + length));
    this.#unclosed.add(length);
    return this.#add(length, asText("`").repeat(length));
  }

  #name(sign: "@" | "#"): boolean {
    if (/[\p{L}\p{N}]/u.test(this.#line[this.#at - 1] ?? "")) return false; // an email address
    const written = this.#match(NAME)?.[1];
    if (written === undefined) return false;
    const resolve = sign === "@" ? this.#names.mention : this.#names.channel;
    // A sentence can end right after a name, and names can contain its mark.
    for (let name = written; name !== ""; name = name.slice(0, -1)) {
      const reference = resolve(name);
      if (reference) return this.#add(name.length + 1, { reference });
      if (!/[._-]$/.test(name)) break;
    }
    return this.#add(written.length + 1, sign + written);
  }

  #emoji(): boolean {
    const match = this.#match(EMOJI);
    const markdown = match && this.#names.emoji(match[1] as string);
    return match !== undefined && markdown !== undefined && this.#add(match[0].length, markdown);
  }

  #time(): boolean {
    const match = this.#match(TIME);
    const written = match?.[1] as string;
    const time = /^\d{1,12}$/.test(written) ? Number(written) * 1000 : Date.parse(written);
    if (!match || !(Math.abs(time) <= 8.64e15)) return false;
    return this.#add(match[0].length, `<time:${new Date(time).toISOString().replace(".000", "")}>`);
  }

  #angleLink(): boolean {
    const [whole, url, label] = this.#match(ANGLE_LINK) ?? [];
    return whole !== undefined && this.#add(whole.length, this.#linkTo(url as string, label ?? ""));
  }

  #link(): boolean {
    const [whole, label, url] = this.#match(LINK) ?? [];
    if (whole === undefined || !SAFE_URL.test(url as string)) return false;
    return this.#add(whole.length, this.#linkTo(url as string, label as string));
  }

  #url(): boolean {
    const whole = this.#match(URL)?.[0];
    if (whole === undefined) return false;
    const url = whole.replace(/[.,;:!?)'"*_~\]|`]+$/, "");
    return this.#add(url.length, this.#linkTo(url, ""));
  }

  #linkTo(url: string, written: string): Node {
    const label = written.trim();
    const message = this.#names.message(url);
    if (message) return { reference: label === "" ? message : { ...message, label: label.replace(/[[\]]/g, asText) } };
    if (label === "" || label === url) return url;
    return `[${label.replace(/[[\]`*~]/g, asText)}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`;
  }
}

/** The next run of exactly `length` backticks. */
function closingRun(line: string, from: number, length: number): number {
  for (const run of line.slice(from).matchAll(/`+/g)) if (run[0].length === length) return from + run.index;
  return -1;
}

/** Pairs each closing mark with the last opening mark of its kind. Open marks between them become text. */
function pair(nodes: readonly Node[]): void {
  const open = new Map<string, number[]>(Object.keys(MARKDOWN).map((source) => [source, []]));
  nodes.forEach((node, at) => {
    if (!isMark(node)) return;
    const openings = open.get(node.source);
    const opening = node.closes ? openings?.at(-1) : undefined;
    if (opening !== undefined && opening < at - 1) {
      for (const list of open.values()) while ((list.at(-1) ?? -1) >= opening) list.pop();
      const markdown = MARKDOWN[node.source] as string;
      // Hearth recognizes no mention right after a mark.
      const isUsable = !isReference(nodes[opening + 1]);
      node.markdown = isUsable ? markdown : "";
      (nodes[opening] as Mark).markdown = node.markdown;
    } else if (node.opens) openings?.push(at);
  });
}

const isReference = (node: Node | undefined): node is Link => typeof node === "object" && "reference" in node;

/** Mentions begin after these, at the start of the line, or after whitespace. */
const BEFORE_MENTION = /[\s'"({[/<,:]$/;

function* written(nodes: readonly Node[]): Generator<string | Reference> {
  const stars = nodes.filter((node) => isMark(node) && (node.markdown ?? node.source).includes("*")).length;
  let before = "";
  for (const node of nodes) {
    if (isReference(node)) {
      if (before !== "" && !BEFORE_MENTION.test(before)) yield " ";
      yield node.reference;
      before = "]";
      continue;
    }
    const text = typeof node === "string" ? node : markText(node, stars);
    // `@` and `#` before emphasis would be a mention or a link to a channel.
    const sign = /[@#]_?$/.exec(before)?.[0];
    const isEmphasis = isMark(node) && text.startsWith("*") && sign !== undefined;
    yield isEmphasis ? `\u200b${text}` : text;
    if (text !== "") before = text;
  }
}

/** Escapes an unpaired mark, which Hearth could pair. */
function markText({ source, markdown, isLone }: Mark, stars: number): string {
  if (markdown !== undefined) return markdown;
  const isHarmless = source.startsWith("_") || source === "~" || (source.startsWith("*") && (stars === 1 || isLone));
  return isHarmless ? source : [...source].map(asText).join("");
}
