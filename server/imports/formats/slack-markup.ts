import {
  type Block,
  type Inline,
  labelOf,
  linkOrUrl,
  paragraph,
  refer,
  type Style,
  styled,
  text,
} from "../document.ts";
import { emojiCharacter } from "../emoji-names.ts";
import type { Reference } from "../model.ts";
import { MAX_PARSED } from "../texts.ts";
import { secondsToTime } from "../values.ts";

/* Parses Slack's mrkdwn: the texts of old messages, of apps, and of most blocks. */

/** Resolves IDs in the texts of an export. */
export interface SlackNames {
  /** Records the person if the export does not list them. */
  person(id: string, label?: string): Reference;
  channel(id: string): Reference | undefined;
  /** Whether the ID belongs to a channel or conversation. */
  isPlace(id: string): boolean;
}

/** Slack escapes only these three characters. */
export const decoded = (content: string): string =>
  content.includes("&") ? content.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&") : content;

export function parseMrkdwn(content: string, names: SlackNames): Block[] {
  if (content.trim() === "") return [];
  if (content.length > MAX_PARSED) return [paragraph(text(decoded(content)))];
  const blocks: Block[] = [];
  // Code in three backticks can start and end anywhere.
  const pieces = content.split("```");
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as string;
    const isClosed = index + 1 < pieces.length;
    if (index % 2 === 1 && isClosed && piece.trim() !== "") blocks.push({ is: "code", text: codeText(piece) });
    else if (index % 2 === 1) addLines(blocks, `\`\`\`${piece}${isClosed ? "```" : ""}`, names);
    else addLines(blocks, index === 0 ? piece : piece.replace(/^[ \t]+/, ""), names);
  }
  return blocks;
}

/** A text whose formatting cannot span lines: each line is a quote, an item of a list, or part of a paragraph. */
function addLines(blocks: Block[], content: string, names: SlackNames): void {
  const lines = content.split("\n");
  let inside: Inline[] = [];
  const endParagraph = () => {
    if (inside.length > 0) blocks.push({ is: "paragraph", inside });
    inside = [];
  };
  for (let index = 0; index < lines.length; ) {
    const run = quoteAt(lines, index, names) ?? bulletsAt(lines, index, names) ?? numbersAt(lines, index, names);
    if (run) {
      endParagraph();
      blocks.push(...run.blocks);
      index += run.count;
      continue;
    }
    if (inside.length > 0) inside.push({ is: "break" });
    inside.push(...parseInline(lines[index] as string, names));
    index++;
  }
  endParagraph();
}

interface Run {
  blocks: Block[];
  /** Lines. */
  count: number;
}

const QUOTE = /^(?:&gt;|>) ?/;
const QUOTE_OF_REST = /^(?:&gt;|>){3} ?/;

/** `>` quotes its line, `>>>` all lines after it. Quotes do not nest. */
function quoteAt(lines: readonly string[], from: number, names: SlackNames): Run | undefined {
  const first = lines[from] as string;
  const ofRest = QUOTE_OF_REST.exec(first)?.[0];
  const quoted: string[] = ofRest === undefined ? [] : [first.slice(ofRest.length), ...lines.slice(from + 1)];
  if (ofRest === undefined) {
    for (let line = lines[from]; line !== undefined && QUOTE.test(line); line = lines[from + quoted.length])
      quoted.push(line.replace(QUOTE, ""));
  }
  if (quoted.length === 0) return undefined;
  const quote: Block[] = [];
  addLines(quote, quoted.map((line) => (QUOTE.test(line) ? `\u2060${line}` : line)).join("\n"), names);
  return { blocks: [{ is: "quote", blocks: quote }], count: quoted.length };
}

const BULLET = /^([ \t]*)[•◦▪][\ufe0e\ufe0f]?[ \t]+(?=\S)/;

function bulletsAt(lines: readonly string[], from: number, names: SlackNames): Run | undefined {
  const rows: ListRow[] = [];
  for (let line = lines[from]; line !== undefined; line = lines[from + rows.length]) {
    const match = BULLET.exec(line);
    if (!match) break;
    const item = [paragraph(...parseInline(line.slice(match[0].length), names))];
    rows.push({ indent: Math.floor((match[1] as string).length / 4), item });
  }
  return rows.length === 0 ? undefined : { blocks: nestedLists(rows), count: rows.length };
}

const NUMBER = /^(\d{1,9})\.[ \t]+(?=\S)/;

/** Numbers are a list only if they are consecutive. */
function numbersAt(lines: readonly string[], from: number, names: SlackNames): Run | undefined {
  const items: Block[][] = [];
  const start = Number(NUMBER.exec(lines[from] as string)?.[1]);
  for (let line = lines[from]; line !== undefined; line = lines[from + items.length]) {
    const match = NUMBER.exec(line);
    if (!match || match[1] !== String(start + items.length)) break;
    items.push([paragraph(...parseInline(line.slice(match[0].length), names))]);
  }
  return items.length < 2 ? undefined : { blocks: [{ is: "list", items, start }], count: items.length };
}

export interface ListRow {
  indent: number;
  item: Block[];
  /** The number of the item, in a numbered list. */
  number?: number | undefined;
}

interface OpenList {
  readonly items: Block[][];
  readonly start: number | undefined;
}

const continues = ({ items, start }: OpenList, { number }: ListRow): boolean =>
  start === undefined ? number === undefined : number === start + items.length;

/** Nests rows into lists. A row that skips a level belongs to the next level. */
export function nestedLists(rows: readonly ListRow[]): Block[] {
  const outermost: Block[] = [];
  const open: OpenList[] = [];
  for (const row of rows) {
    while (open.length > Math.max(row.indent, 0) + 1) open.pop();
    const isDeeper = row.indent >= open.length;
    let innermost = open.at(-1);
    if (!innermost || isDeeper || !continues(innermost, row)) {
      if (innermost && !isDeeper) open.pop();
      innermost = { items: [], start: row.number };
      (open.at(-1)?.items.at(-1) ?? outermost).push({ is: "list", ...innermost });
      open.push(innermost);
    }
    innermost.items.push([...row.item]);
  }
  return outermost;
}

/** Marks of styles. */
const STYLES: Readonly<Record<string, Style>> = { "*": "bold", _: "italic", "~": "strike" };
const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);
const EMOJI = /:([\p{L}\p{N}_+'-]{1,100}(?:::skin-tone-[2-6](?:-[2-6])?)?):/uy;
/** Everything that can start syntax inside a line. */
const SYNTAX = /[*_~`<:]/g;

/** Formatting inside a line. `within`: the styles around it. */
function parseInline(line: string, names: SlackNames, within: readonly Style[] = []): Inline[] {
  const inlines: Inline[] = [];
  let start = 0;
  let position = 0;
  /** Marks without a partner in the rest of the line, so that each search runs once. */
  const unpaired = new Set<string>();
  const take = (length: number, ...found: readonly Inline[]) => {
    if (position > start) inlines.push(text(decoded(line.slice(start, position))));
    inlines.push(...found);
    position += length;
    start = position;
  };
  while (position < line.length) {
    SYNTAX.lastIndex = position;
    const index = SYNTAX.exec(line)?.index;
    if (index === undefined) break;
    position = index;
    const mark = line[position] as string;
    const parsed = unpaired.has(mark) ? undefined : parseAt(line, position, mark, { names, within, unpaired });
    if (parsed) take(parsed.length, ...parsed.inlines);
    else position++;
  }
  position = line.length;
  take(0);
  return inlines;
}

interface InlineContext {
  names: SlackNames;
  within: readonly Style[];
  unpaired: Set<string>;
}

interface Parsed {
  length: number;
  inlines: readonly Inline[];
}

function parseAt(line: string, position: number, mark: string, context: InlineContext): Parsed | undefined {
  if (mark === "<") return angleAt(line, position, context);
  if (mark === ":") return emojiAt(line, position);
  if (mark === "`") return codeAt(line, position, context);
  return styledAt(line, position, mark, context);
}

function emojiAt(line: string, position: number): Parsed | undefined {
  EMOJI.lastIndex = position;
  const [whole, name] = EMOJI.exec(line) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  const character = emojiCharacter(name);
  // Other names can be custom emoji, for which Hearth has the same syntax.
  return character === undefined ? undefined : { length: whole.length, inlines: [text(character)] };
}

function codeAt(line: string, position: number, { unpaired }: InlineContext): Parsed | undefined {
  const end = line.indexOf("`", position + 1);
  if (end < 0) unpaired.add("`");
  const code = line.slice(position + 1, end);
  if (end < 0 || code.trim() === "") return undefined;
  return { length: end + 1 - position, inlines: [{ is: "code", text: codeText(code) }] };
}

/** Marks have a meaning only at word boundaries, and the same mark does not nest. */
function styledAt(line: string, position: number, mark: string, context: InlineContext): Parsed | undefined {
  const style = STYLES[mark] as Style;
  const isOpening = !isWordCharacter(line[position - 1]) || Object.hasOwn(STYLES, line[position - 1] as string);
  const after = line[position + 1];
  const isNested = context.within.includes(style);
  if (isNested || !isOpening || after === undefined || /\s/.test(after) || after === mark) return undefined;
  if (line[position - 1] === mark) return undefined;
  const end = closingMark(line, position + 2, mark);
  if (end === undefined) {
    context.unpaired.add(mark);
    return undefined;
  }
  const inside = parseInline(line.slice(position + 1, end), context.names, [...context.within, style]);
  return { length: end + 1 - position, inlines: [styled(style, inside)] };
}

function closingMark(line: string, from: number, mark: string): number | undefined {
  for (let end = line.indexOf(mark, from); end >= 0; end = line.indexOf(mark, end + 1)) {
    const [before, after] = [line[end - 1] as string, line[end + 1]];
    const isBorder = !isWordCharacter(after) || (after !== undefined && Object.hasOwn(STYLES, after));
    if (isBorder && after !== mark && before !== mark && !/\s/.test(before)) return end;
  }
  return undefined;
}

function angleAt(line: string, position: number, context: InlineContext): Parsed | undefined {
  const end = line.indexOf(">", position);
  if (end < 0) context.unpaired.add("<");
  const content = line.slice(position + 1, end);
  if (end < 0 || content === "" || content.includes("<")) return undefined;
  const inlines = parseAngle(content, context.names);
  return inlines && { length: end + 1 - position, inlines };
}

/** `<@U1|label>`, `<#C1|label>`, `<!here>`, `<https://example.org|label>`. Undefined if it is only text. */
function parseAngle(content: string, names: SlackNames): readonly Inline[] | undefined {
  const bar = content.indexOf("|");
  const target = bar < 0 ? content : content.slice(0, bar);
  const label = bar < 0 ? undefined : decoded(content.slice(bar + 1));
  if (/^@[\w.-]+$/.test(target)) return [refer(names.person(target.slice(1), label))];
  if (/^#[\w.-]+$/.test(target)) return [channelInline(target.slice(1), label, names)];
  if (target.startsWith("!")) return [commandInline(target.slice(1), label)];
  const url = decoded(target);
  return /^[a-z][a-z0-9+.-]*:[^\s]+$/i.test(url) ? linkInlines(url, label, names) : undefined;
}

export function channelInline(id: string, label: string | undefined, names: SlackNames): Inline {
  const reference = names.channel(id);
  return reference ? refer(reference) : text(`#${label?.replace(/^#/, "") || id}`);
}

function commandInline(command: string, label: string | undefined): Inline {
  const [name = "", argument = ""] = command.split("^");
  if (["here", "channel", "everyone", "group"].includes(name)) return refer({ everyone: true });
  if (name === "subteam") return refer({ group: label?.replace(/^@/, "") || argument });
  const at = name === "date" ? secondsToTime(argument) : undefined;
  return at === undefined ? text(label || `@${name}`) : { is: "time", at };
}

const MESSAGE_LINK = /^https:\/\/[\w.-]+\.slack\.com\/archives\/(\w+)(?:\/p(\d{10})(\d{6})(?:\?\S*)?)?\/?$/;

/** A link. Links to channels and messages of the export become references. */
export function linkInlines(url: string, label: string | undefined, names: SlackNames): readonly Inline[] {
  const [, place, seconds, fraction] = MESSAGE_LINK.exec(url) ?? [];
  const hasLabel = label !== undefined && label.trim() !== "" && label !== url;
  if (place !== undefined && names.isPlace(place)) {
    if (seconds !== undefined) {
      const reference = { message: `${seconds}.${fraction}`, place };
      return [refer(hasLabel ? { ...reference, label: labelOf(withEmoji(label)) } : reference)];
    }
    const reference = hasLabel ? undefined : names.channel(place);
    if (reference) return [refer(reference)];
  }
  if (url === `mailto:${label}` || url === `tel:${label}`) return [text(label as string)];
  if (/^(?:mailto|tel):/i.test(url) && !hasLabel) return [text(url.replace(/^\w+:/, ""))];
  return linkOrUrl(url, hasLabel ? [text(withEmoji(label))] : []);
}

/** Replaces emoji names in a text without other syntax. */
export function withEmoji(content: string): string {
  if (!content.includes(":")) return content;
  return content.replace(new RegExp(EMOJI, "gu"), (whole, name: string) => emojiCharacter(name) ?? whole);
}

/** Slack puts links and mentions into code, but shows only their text. */
function codeText(code: string): string {
  const shown = code.replace(
    /<([^<>|\n]{1,3000})(?:\|([^<>\n]{0,3000}))?>/g,
    (whole, target: string, label?: string) => {
      if (label) return label;
      if (/^[@#!]/.test(target)) return target.replace("!", "@");
      return /^[a-z][a-z0-9+.-]*:\S/i.test(target) ? target.replace(/^mailto:/, "") : whole;
    },
  );
  return decoded(shown);
}
