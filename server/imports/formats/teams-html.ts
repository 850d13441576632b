import { Parser } from "htmlparser2";
import { type Block, type Inline, paragraph, type Style, styled, text } from "../document.ts";

/*
 * Converts the HTML of Teams messages to blocks: the editor's formatting, and Teams' own elements for mentions, emoji
 * and attachments. Other elements are ignored, and their text stays.
 */

/** The parts of a message that its HTML refers to. */
export interface TeamsParts {
  /** The mention of `<at id="0">`. */
  readonly mention: (id: string, label: string) => Inline;
  /** The blocks of `<attachment id="…">`. */
  readonly attachment: (id: string) => readonly Block[];
  /** Saves a picture, and returns the inline elements that replace it. */
  readonly picture: (url: string, label: string, itemId: string | undefined) => readonly Inline[];
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
}
type Node = string | Element;

/** Deeper elements become siblings of the deepest element. */
const MAX_DEPTH = 60;
const MAX_SKIPPED = 500;
const CHUNK = 4096;
const IGNORED = new Set(["style", "script", "head", "title", "template", "noscript"]);

function parsed(html: string): Node[] {
  const top: Element = { name: "", attributes: {}, children: [] };
  const open = [top];
  let skipped = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element: Element = { name, attributes, children: [] };
        if (skipped === 0) open.at(-1)?.children.push(element);
        if (skipped > 0 || open.length > MAX_DEPTH) skipped++;
        else open.push(element);
      },
      ontext(data) {
        // The text of elements that are too deep belongs to the deepest.
        open.at(-1)?.children.push(data);
      },
      onclosetag() {
        if (skipped > 0) skipped--;
        else if (open.length > 1) open.pop();
      },
    },
    { decodeEntities: true },
  );
  for (let at = 0; at < html.length; at += CHUNK) {
    if (skipped > MAX_SKIPPED) {
      // The parser takes quadratic time for such a depth.
      top.children.push(html.slice(at).replace(/<[^>]*>/g, " "));
      break;
    }
    parser.write(html.slice(at, at + CHUNK));
  }
  parser.end();
  return top.children;
}

export const teamsBlocks = (html: string, parts: TeamsParts): Block[] => blocksOf(parsed(html), parts);

const attribute = ({ attributes }: Element, name: string): string | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;

const STYLES: ReadonlyMap<string, Style> = new Map([
  ["b", "bold"],
  ["strong", "bold"],
  ["u", "bold"], // Hearth has no underlines
  ["i", "italic"],
  ["em", "italic"],
  ["s", "strike"],
  ["strike", "strike"],
  ["del", "strike"],
]);

const BLOCKS = new Set(
  "p div h1 h2 h3 h4 h5 h6 ul ol li blockquote pre codeblock table hr attachment section article body html".split(" "),
);

/** Collects blocks, and joins inline elements between them to paragraphs. */
class Collector {
  readonly blocks: Block[] = [];
  #inside: Inline[] = [];

  add(...inside: readonly Inline[]): void {
    this.#inside.push(...inside);
  }

  /** Ends the line, if there is a line. */
  endLine(): void {
    if (this.#inside.length > 0 && this.#inside.at(-1)?.is !== "break") this.#inside.push({ is: "break" });
  }

  finish(...blocks: readonly Block[]): void {
    if (this.#inside.length > 0) this.blocks.push(paragraph(...tidied(this.#inside)));
    this.#inside = [];
    this.blocks.push(...blocks);
  }
}

function blocksOf(nodes: readonly Node[], parts: TeamsParts): Block[] {
  const collector = new Collector();
  for (const node of nodes) addNode(node, parts, collector, []);
  collector.finish();
  return collector.blocks;
}

/** Adds a node. `around` has the inline elements around it, which can contain blocks. */
function addNode(node: Node, parts: TeamsParts, collector: Collector, around: readonly Element[]): void {
  if (typeof node === "string" || !holdsBlock(node)) {
    collector.add(...wrapped(inlineOf(node, parts), around));
    return;
  }
  const block = blockOf(node, parts);
  if (block) {
    collector.finish(...block);
    return;
  }
  const isLine = node.name === "div";
  const isInline = !BLOCKS.has(node.name);
  if (isLine) collector.endLine();
  else if (!isInline) collector.finish();
  const inner = isInline ? [...around, node] : around;
  for (const child of node.children) addNode(child, parts, collector, inner);
  if (isLine) collector.endLine();
  else if (!isInline) collector.finish();
}

const holdsBlock = (node: Node): boolean =>
  typeof node !== "string" && (BLOCKS.has(node.name) || node.children.some(holdsBlock));

const wrapped = (inside: readonly Inline[], around: readonly Element[]): readonly Inline[] =>
  around.reduceRight((inner, element) => formatted(element, inner), inside);

function formatted(element: Element, inside: readonly Inline[]): readonly Inline[] {
  const style = STYLES.get(element.name);
  if (style) return [styled(style, inside)];
  const url = element.name === "a" ? attribute(element, "href") : undefined;
  return url === undefined ? inside : [{ is: "link", url, inside }];
}

function blockOf(element: Element, parts: TeamsParts): readonly Block[] | undefined {
  switch (element.name) {
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      return [{ is: "heading", level: Number(element.name[1]), inside: tidied(inlinesOf(element.children, parts)) }];
    case "blockquote":
      return [{ is: "quote", blocks: blocksOf(element.children, parts) }];
    case "ul":
    case "ol":
      return [listOf(element, parts)];
    case "pre":
    case "codeblock":
      return [{ is: "code", text: codeText(element), language: languageOf(element) }];
    case "table":
      return [{ is: "table", rows: rowsOf(element).map((row) => cellsOf(row, parts)) }];
    case "hr":
      return [{ is: "rule" }];
    case "attachment":
      return parts.attachment(attribute(element, "id") ?? "");
    default:
      return undefined;
  }
}

function listOf(list: Element, parts: TeamsParts): Block {
  const items = list.children
    .filter((node) => typeof node !== "string" || node.trim() !== "")
    .map((node) => blocksOf(typeof node !== "string" && node.name === "li" ? node.children : [node], parts));
  const start = Number(attribute(list, "start") ?? 1);
  return { is: "list", start: list.name === "ol" ? (Number.isSafeInteger(start) ? start : 1) : undefined, items };
}

const elementsIn = (element: Element): Element[] => element.children.filter((node) => typeof node !== "string");

const rowsOf = (table: Element): Element[] =>
  elementsIn(table).flatMap((child) => {
    if (child.name === "tr") return [child];
    return /^(?:tbody|thead|tfoot)$/.test(child.name) ? rowsOf(child) : [];
  });

const cellsOf = (row: Element, parts: TeamsParts): (readonly Inline[])[] =>
  elementsIn(row)
    .filter(({ name }) => name === "td" || name === "th")
    .map((cell) => tidied(inlinesOf(cell.children, parts)));

/** The text of code with its line ends. */
function codeText({ children }: Element): string {
  return children
    .map((node) => {
      if (typeof node === "string") return node.replaceAll("\u00a0", " ");
      if (node.name === "br") return "\n";
      const isLine = node.name === "div" || node.name === "p";
      return isLine ? `${codeText(node).replace(/\n$/, "")}\n` : codeText(node);
    })
    .join("");
}

function languageOf(element: Element): string | undefined {
  const code = elementsIn(element).find(({ name }) => name === "code");
  const classes = [element, code].map((each) => (each ? attribute(each, "class") : undefined)).join(" ");
  return /(?:^|\s)language-([\w+.#-]+)/.exec(classes)?.[1];
}

const tidied = (inside: readonly Inline[]): readonly Inline[] =>
  withJoinedMentions(withSingleSpaces(inside, { endsWithSpace: true }));

/** HTML shows spaces in a row, and at the start of a line, as a single space or none. */
function withSingleSpaces(inside: readonly Inline[], state: { endsWithSpace: boolean }): Inline[] {
  return inside.map((part) => {
    if ("inside" in part) return { ...part, inside: withSingleSpaces(part.inside, state) };
    if (part.is !== "text") {
      state.endsWithSpace = part.is === "break";
      return part;
    }
    const content = state.endsWithSpace ? part.text.trimStart() : part.text;
    if (content !== "") state.endsWithSpace = content.endsWith(" ");
    return text(content);
  });
}

/** Teams writes each word of a name as a separate mention of the person. */
function withJoinedMentions(inside: readonly Inline[]): readonly Inline[] {
  const joined: Inline[] = [];
  for (const part of inside) {
    const person = personIn(part);
    const isSpaced = isSpace(joined.at(-1));
    if (person !== undefined && person === personIn(joined.at(isSpaced ? -2 : -1))) {
      if (isSpaced) joined.pop();
    } else joined.push(part);
  }
  return joined;
}

const personIn = (part: Inline | undefined): string | undefined =>
  part?.is === "reference" && "person" in part.reference ? part.reference.person : undefined;

const isSpace = (part: Inline | undefined): boolean => part?.is === "text" && part.text.trim() === "";

/** Separates blocks that become a single line, such as paragraphs in a cell. */
const inlinesOf = (nodes: readonly Node[], parts: TeamsParts): Inline[] =>
  nodes.flatMap((node) => {
    const inside = inlineOf(node, parts);
    return typeof node !== "string" && BLOCKS.has(node.name) ? [text(" "), ...inside, text(" ")] : inside;
  });

const spaced = (content: string): string => content.replace(/[\s\u00a0]+/g, " ");

const textOf = (node: Node): string => (typeof node === "string" ? node : node.children.map(textOf).join(""));

function inlineOf(node: Node, parts: TeamsParts): readonly Inline[] {
  if (typeof node === "string") return node === "" ? [] : [text(spaced(node))];
  if (IGNORED.has(node.name)) return [];
  const itemType = attribute(node, "itemtype") ?? "";
  switch (node.name) {
    case "br":
      return [{ is: "break" }];
    case "hr":
      return [];
    case "code":
      return [{ is: "code", text: codeText(node).trim() }];
    case "at":
      return [parts.mention(attribute(node, "id") ?? "", spaced(textOf(node)).trim())];
    case "emoji":
    case "customemoji":
      return [text(attribute(node, "alt") ?? textOf(node))];
    case "img":
      return pictureOf(node, parts);
    case "attachment":
      return parts.attachment(attribute(node, "id") ?? "").flatMap((block) => ("inside" in block ? block.inside : []));
    default:
      // Older messages have mentions as spans.
      if (node.name === "span" && itemType.endsWith("/Mention"))
        return [parts.mention(attribute(node, "itemid") ?? "", spaced(textOf(node)).trim())];
      return formatted(node, inlinesOf(node.children, parts));
  }
}

function pictureOf(element: Element, parts: TeamsParts): readonly Inline[] {
  const label = attribute(element, "alt") ?? "";
  if (/Emoji$/.test(attribute(element, "itemtype") ?? "")) return [text(label)];
  const url = attribute(element, "src") ?? "";
  return /^https?:/i.test(url) ? parts.picture(url, label, attribute(element, "itemid")) : [text(label)];
}
