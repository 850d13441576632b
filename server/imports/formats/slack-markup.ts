import { type Block, type Inline, MAX_PARSED, type Style } from "../blocks.ts";
import { emojiCharacter } from "../emoji-names.ts";
import type { Reference } from "../model.ts";

/* Parses Slack's mrkdwn: the texts of old messages, of apps, and of most blocks. */

/** The things that the texts of an export can refer to. */
export interface SlackNames {
  /** Records people that the list of people lacks. */
  person(id: string, label?: string): Reference;
  channel(id: string): Reference | undefined;
  /** Whether it is a channel or a conversation. */
  isPlace(id: string): boolean;
}

/** Only these three characters are escaped. */
export const decoded = (text: string): string =>
  text.includes("&") ? text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&") : text;

export function parseMrkdwn(text: string, names: SlackNames): Block[] {
  if (text.trim() === "") return [];
  if (text.length > MAX_PARSED) return [{ paragraph: [{ text: decoded(text) }] }];
  const blocks: Block[] = [];
  // Code in three backticks can start and end anywhere.
  const pieces = text.split("```");
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as string;
    const isClosed = index + 1 < pieces.length;
    if (index % 2 === 1 && isClosed && piece.trim() !== "") blocks.push({ code: codeText(piece.replace(/^\n/, "")) });
    else if (index % 2 === 1) addLines(blocks, `\`\`\`${piece}${isClosed ? "```" : ""}`, names);
    else addLines(blocks, index === 0 ? piece : piece.replace(/^[ \t]+/, ""), names);
  }
  return blocks;
}

/** A text whose formatting cannot span lines: each line is a quote, an item of a list, or part of a paragraph. */
function addLines(blocks: Block[], text: string, names: SlackNames): void {
  const lines = text.split("\n");
  let paragraph: Inline[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ paragraph });
    paragraph = [];
  };
  for (let index = 0; index < lines.length; ) {
    const run = quoteAt(lines, index, names) ?? bulletsAt(lines, index, names) ?? numbersAt(lines, index, names);
    if (run) {
      endParagraph();
      blocks.push(...run.blocks);
      index += run.count;
      continue;
    }
    if (index > 0 && paragraph.length > 0) paragraph.push({ text: "\n" });
    paragraph.push(...parseInline(lines[index] as string, names));
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
  return { blocks: [{ quote }], count: quoted.length };
}

const BULLET = /^([ \t]*)[•◦▪][\ufe0e\ufe0f]?[ \t]+(?=\S)/;

function bulletsAt(lines: readonly string[], from: number, names: SlackNames): Run | undefined {
  const rows: ListRow[] = [];
  for (let line = lines[from]; line !== undefined; line = lines[from + rows.length]) {
    const match = BULLET.exec(line);
    if (!match) break;
    const paragraph = parseInline(line.slice(match[0].length), names);
    rows.push({ indent: Math.floor((match[1] as string).length / 4), item: [{ paragraph }] });
  }
  return rows.length === 0 ? undefined : { blocks: nestedLists(rows), count: rows.length };
}

const NUMBER = /^(\d{1,9})\.[ \t]+(?=\S)/;

/** Numbers stay as they are unless they count on. */
function numbersAt(lines: readonly string[], from: number, names: SlackNames): Run | undefined {
  const list: Block[][] = [];
  const start = Number(NUMBER.exec(lines[from] as string)?.[1]);
  for (let line = lines[from]; line !== undefined; line = lines[from + list.length]) {
    const match = NUMBER.exec(line);
    if (!match || match[1] !== String(start + list.length)) break;
    list.push([{ paragraph: parseInline(line.slice(match[0].length), names) }]);
  }
  return list.length < 2 ? undefined : { blocks: [{ list, start }], count: list.length };
}

export interface ListRow {
  indent: number;
  item: Block[];
  /** The number of the item, in a numbered list. */
  number?: number | undefined;
}

interface OpenList {
  list: Block[][];
  start?: number | undefined;
}

const continues = ({ list, start }: OpenList, { number }: ListRow): boolean =>
  start === undefined ? number === undefined : number === start + list.length;

/** The rows as lists in lists. Rows that skip a level belong to the next one. */
export function nestedLists(rows: readonly ListRow[]): Block[] {
  const outermost: Block[] = [];
  const open: OpenList[] = [];
  for (const row of rows) {
    while (open.length > Math.max(row.indent, 0) + 1) open.pop();
    const isDeeper = row.indent >= open.length;
    let innermost = open.at(-1);
    if (!innermost || isDeeper || !continues(innermost, row)) {
      if (innermost && !isDeeper) open.pop();
      innermost = { list: [], start: row.number };
      (open.at(-1)?.list.at(-1) ?? outermost).push(innermost);
      open.push(innermost);
    }
    innermost.list.push([...row.item]);
  }
  return outermost;
}

/** Marks of styles. */
const STYLES: Readonly<Record<string, keyof Style>> = { "*": "bold", _: "italic", "~": "strike" };
const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);
const EMOJI = /:([\p{L}\p{N}_+'-]{1,100}(?:::skin-tone-[2-6](?:-[2-6])?)?):/uy;
/** Everything that can start syntax inside a line. */
const SYNTAX = /[*_~`<:]/g;

/** Formatting inside a line. */
export function parseInline(line: string, names: SlackNames, style: Style = {}): Inline[] {
  const inlines: Inline[] = [];
  let start = 0;
  let position = 0;
  /** Marks without a partner in the rest of the line, so that each search runs once. */
  const unpaired = new Set<string>();
  const take = (length: number, ...found: readonly Inline[]) => {
    if (position > start) inlines.push({ text: decoded(line.slice(start, position)), style });
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
    const parsed = unpaired.has(mark) ? undefined : parseAt(line, position, mark, { names, style, unpaired });
    if (parsed) take(parsed.length, ...parsed.inlines);
    else position++;
  }
  position = line.length;
  take(0);
  return inlines;
}

interface InlineContext {
  names: SlackNames;
  style: Style;
  unpaired: Set<string>;
}

interface Parsed {
  length: number;
  inlines: Inline[];
}

function parseAt(line: string, position: number, mark: string, context: InlineContext): Parsed | undefined {
  if (mark === "<") return angleAt(line, position, context);
  if (mark === ":") return emojiAt(line, position, context.style);
  if (mark === "`") return codeAt(line, position, context);
  return styledAt(line, position, mark, context);
}

function emojiAt(line: string, position: number, style: Style): Parsed | undefined {
  EMOJI.lastIndex = position;
  const [whole, name] = EMOJI.exec(line) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  const character = emojiCharacter(name);
  // Others can be custom emoji: Hearth's syntax is the same.
  return character === undefined ? undefined : { length: whole.length, inlines: [{ text: character, style }] };
}

function codeAt(line: string, position: number, { style, unpaired }: InlineContext): Parsed | undefined {
  const end = line.indexOf("`", position + 1);
  if (end < 0) unpaired.add("`");
  const code = line.slice(position + 1, end);
  if (end < 0 || code.trim() === "") return undefined;
  return { length: end + 1 - position, inlines: [{ text: codeText(code), style: { ...style, code: true } }] };
}

/** Marks count at the borders of words only, and do not nest in themselves. */
function styledAt(line: string, position: number, mark: string, context: InlineContext): Parsed | undefined {
  const name = STYLES[mark] as keyof Style;
  const isOpening = !isWordCharacter(line[position - 1]) || Object.hasOwn(STYLES, line[position - 1] as string);
  const after = line[position + 1];
  if (context.style[name] || !isOpening || after === undefined || /\s/.test(after) || after === mark) return undefined;
  if (line[position - 1] === mark) return undefined;
  const end = closingMark(line, position + 2, mark);
  if (end === undefined) {
    context.unpaired.add(mark);
    return undefined;
  }
  const inner = parseInline(line.slice(position + 1, end), context.names, { ...context.style, [name]: true });
  return { length: end + 1 - position, inlines: inner };
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
  const inlines = parseAngle(content, context);
  return inlines && { length: end + 1 - position, inlines };
}

/** `<@U1|label>`, `<#C1|label>`, `<!here>`, `<https://example.org|label>`. Undefined if it is only text. */
function parseAngle(content: string, { names, style }: InlineContext): Inline[] | undefined {
  const bar = content.indexOf("|");
  const target = bar < 0 ? content : content.slice(0, bar);
  const label = bar < 0 ? undefined : decoded(content.slice(bar + 1));
  if (/^@[\w.-]+$/.test(target)) return [{ reference: names.person(target.slice(1), label) }];
  if (/^#[\w.-]+$/.test(target)) return [channelInline(target.slice(1), label, names)];
  if (target.startsWith("!")) return [commandInline(target.slice(1), label, style)];
  const url = decoded(target);
  return /^[a-z][a-z0-9+.-]*:[^\s]+$/i.test(url) ? [linkInline(url, label, names, style)] : undefined;
}

export function channelInline(id: string, label: string | undefined, names: SlackNames): Inline {
  const reference = names.channel(id);
  return reference ? { reference } : { text: `#${label?.replace(/^#/, "") || id}` };
}

function commandInline(command: string, label: string | undefined, style: Style): Inline {
  const [name = "", argument = ""] = command.split("^");
  if (["here", "channel", "everyone", "group"].includes(name)) return { reference: { everyone: true } };
  if (name === "subteam") return { reference: { group: label?.replace(/^@/, "") || argument } };
  const time = name === "date" ? secondsToTime(argument) : undefined;
  if (time !== undefined) return { time };
  return { text: label || `@${name}`, style };
}

/** Milliseconds of a time in seconds, as a number or text. Undefined if it is no time between 1970 and 9999. */
export function secondsToTime(seconds: unknown): number | undefined {
  if (typeof seconds !== "number" && (typeof seconds !== "string" || seconds.trim() === "")) return undefined;
  const time = Math.floor(Number(seconds) * 1000 + 0.0005);
  return time >= 0 && time < 253_402_300_800_000 ? time : undefined;
}

const MESSAGE_LINK = /^https:\/\/[\w.-]+\.slack\.com\/archives\/(\w+)(?:\/p(\d{10})(\d{6})(?:\?\S*)?)?\/?$/;

/** A link. Links to places and messages of the export lead to the imported ones. */
export function linkInline(url: string, label: string | undefined, names: SlackNames, style?: Style): Inline {
  const [, place, seconds, fraction] = MESSAGE_LINK.exec(url) ?? [];
  const hasLabel = label !== undefined && label.trim() !== "" && label !== url;
  if (place !== undefined && names.isPlace(place)) {
    if (seconds !== undefined) {
      const reference = { message: `${seconds}.${fraction}`, place };
      return { reference: hasLabel ? { ...reference, label: labelMarkdown(label) } : reference };
    }
    const reference = hasLabel ? undefined : names.channel(place);
    if (reference) return { reference };
  }
  if (url === `mailto:${label}` || url === `tel:${label}`) return { text: label as string, style };
  if (/^(?:mailto|tel):/i.test(url) && !hasLabel) return { text: url.replace(/^\w+:/, ""), style };
  return { url, label: hasLabel ? [{ text: withEmoji(label), style }] : undefined };
}

const labelMarkdown = (label: string): string =>
  withEmoji(label).replace(/[*~`$<[\]&@#]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** A text whose only syntax is emoji. */
export function withEmoji(text: string): string {
  if (!text.includes(":")) return text;
  return text.replace(new RegExp(EMOJI, "gu"), (whole, name: string) => emojiCharacter(name) ?? whole);
}

/** Code has links and mentions in angle brackets too, but shows only their text. */
function codeText(code: string): string {
  const text = code.replace(
    /<([^<>|\n]{1,3000})(?:\|([^<>\n]{0,3000}))?>/g,
    (whole, target: string, label?: string) => {
      if (label) return label;
      if (/^[@#!]/.test(target)) return target.replace("!", "@");
      return /^[a-z][a-z0-9+.-]*:\S/i.test(target) ? target.replace(/^mailto:/, "") : whole;
    },
  );
  return decoded(text);
}
