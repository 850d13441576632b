/** Elements that make a pasted text more than plain text. */
const FORMATS = "a[href], b, strong, i, em, s, del, code, pre, blockquote, li, h1, h2, h3, h4, h5, h6, table";
const HIDDEN = "script, style, template, title, head > meta";
const BLOCKS =
  /^(?:ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|DIV|DL|FIGURE|FOOTER|FORM|H[1-6]|HEADER|HR|LI|MAIN|NAV|OL|P|PRE|SECTION|TABLE|UL)$/;

/** Ends the lines of code, which keep their blank lines and spaces. Not a character of any text. */
const KEPT = "\uFDD0";

/** Converts pasted HTML to Markdown; undefined if it has no formats, such as code from an editor with colours only. */
export function markdownOfHtml(html: string): string | undefined {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const hidden of body.querySelectorAll(HIDDEN)) hidden.remove();
  if (!body.querySelector(FORMATS)) return undefined;
  const text = blocksIn(body)
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .replaceAll(KEPT, "");
  return text.trim() || undefined;
}

/** The children of an element, with empty lines around its blocks. */
function blocksIn(element: Element): string {
  let result = "";
  for (const child of element.childNodes) {
    if (child instanceof Element && BLOCKS.test(child.tagName)) result = `${result.trimEnd()}\n\n${block(child)}\n\n`;
    else result += inline(child);
  }
  return result.replace(/^\n+/, "");
}

function block(element: Element): string {
  const words = () => blocksIn(element).trim();
  switch (element.tagName) {
    case "PRE":
      return fenced(codeIn(element).replace(/\n$/, ""), languageOf(element));
    case "BLOCKQUOTE":
      return prefixed(words(), "> ", "> ");
    case "UL":
    case "OL":
      return list(element);
    case "LI":
      return prefixed(words(), "* ", "  ");
    case "TABLE":
      // A cell has only one line, so code is shown without the table.
      return element.querySelector("pre") ? cellsOf(element) : table(element);
    case "HR":
      return "---";
    case "H1":
    case "H2":
    case "H3":
    case "H4":
    case "H5":
    case "H6":
      return `${"#".repeat(Number(element.tagName[1]))} ${oneLine(words())}`;
    default:
      return words();
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

const prefixed = (text: string, first: string, others: string): string =>
  text
    .split("\n")
    .map((line, at) => (at === 0 ? first : others) + line)
    .join("\n");

/** The text of code as it is displayed. Editors write lines as elements or with <br>. */
function codeIn(element: Element): string {
  let code = "";
  for (const child of element.childNodes) {
    if (!(child instanceof Element)) code += child.textContent ?? "";
    else if (child.tagName === "BR") code += "\n";
    else if (!BLOCKS.test(child.tagName)) code += codeIn(child);
    else code += `${code === "" || code.endsWith("\n") ? "" : "\n"}${codeIn(child).replace(/\n$/, "")}\n`;
  }
  return code.replaceAll("\u00a0", " ");
}

/** Backticks that the code does not contain. */
function marksAround(code: string, min: number): string {
  const runs = (code.match(/`+/g) ?? []).map(({ length }) => length);
  let length = min;
  while (runs.some((run) => (min === 1 ? run === length : run >= length))) length += 1;
  return "`".repeat(length);
}

function fenced(code: string, language = ""): string {
  const fence = marksAround(code, 3);
  const lines = code.split("\n").map((line) => line + KEPT);
  return [fence + language, ...lines, fence].join("\n");
}

/** Fences with these names do not contain code. */
const NOT_CODE = /^(?:quoted?|spoiler|math)$/i;

function languageOf(element: Element): string {
  const classes = `${element.className} ${element.querySelector("code")?.className ?? ""}`;
  const [, name = ""] = /(?:^|\s)lang(?:uage)?-([\w+#.-]+)/.exec(classes) ?? [];
  return NOT_CODE.test(name) ? "" : name;
}

function inlineCode(element: HTMLElement): string {
  const code = codeIn(element);
  const isPreformatted = /^(?:pre|break-spaces)/.test(element.style.whiteSpace) || element.querySelector("br") !== null;
  if (isPreformatted && code.trim().includes("\n")) return `\n\n${fenced(code.replace(/^\n|\n$/g, ""))}\n\n`;
  const [, before = "", words = "", after = ""] = /^(\s*)(.*?)(\s*)$/.exec(code.replace(/\s*\n\s*/g, " ")) ?? [];
  if (words === "") return code;
  const marks = marksAround(words, 1);
  const [start, end] = [words.startsWith("`") ? " " : "", words.endsWith("`") ? " " : ""];
  return before + marks + start + words + end + marks + after;
}

const MAX_NUMBER = 999_999_999;

function list(element: Element): string {
  let number = numberIn(element, "start") ?? 1;
  return [...element.children]
    .map((item) => {
      // Some editors put inner lists next to the items.
      if (item.tagName === "UL" || item.tagName === "OL") return prefixed(list(item), "  ", "  ");
      number = numberIn(item, "value") ?? number;
      const marker = element.tagName === "OL" ? `${number++}. ` : "* ";
      return prefixed(
        blocksIn(item)
          .trim()
          .replace(/\n{2,}/g, "\n"),
        marker,
        " ".repeat(Math.min(marker.length, 4)),
      );
    })
    .join("\n");
}

function numberIn(element: Element, attribute: string): number | undefined {
  const number = Number.parseInt(element.getAttribute(attribute) ?? "", 10);
  return number >= 0 && number <= MAX_NUMBER ? number : undefined;
}

const cellsOf = (table: Element): string =>
  [...table.querySelectorAll("tr")]
    .flatMap((row) => [...row.children].map((cell) => blocksIn(cell).trim()))
    .filter((cell) => cell !== "")
    .join("\n\n");

function table(element: Element): string {
  const rows = [...element.querySelectorAll("tr")].map((row) =>
    [...row.children].map((cell) => oneLine(blocksIn(cell)).replaceAll("|", "\\|")),
  );
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return "";
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? "").join(" | ")} |`;
  const [head = [], ...others] = rows;
  return [line(head), line(Array<string>(width).fill("---")), ...others.map(line)].join("\n");
}

function inline(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return (node.textContent ?? "").replace(/[ \t\r\n\u00a0]+/g, " ");
  if (!(node instanceof HTMLElement)) return "";
  const words = () => [...node.childNodes].map(inlineOrBlock).join("");
  switch (node.tagName) {
    case "BR":
      return "\n";
    case "IMG":
      return node.getAttribute("alt") ?? "";
    case "CODE":
      return inlineCode(node);
    case "A":
      return link(node, words());
    case "S":
    case "DEL":
      return around(words(), "~~");
    // Google Docs wraps documents in a <b> that is not bold.
    case "B":
    case "STRONG":
      return /^(?:normal|400)$/.test(node.style.fontWeight) ? words() : around(words(), "**");
    case "I":
    case "EM":
      return node.style.fontStyle === "normal" ? words() : around(words(), "*");
    default:
      return words();
  }
}

const inlineOrBlock = (node: Node): string =>
  node instanceof Element && BLOCKS.test(node.tagName) ? `\n\n${block(node)}\n\n` : inline(node);

/** White space goes outside the markers. A format over several blocks is not converted. */
function around(text: string, marker: string): string {
  const [, before = "", words = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  return words === "" || words.includes("\n") ? text : before + marker + words + marker + after;
}

function link(element: HTMLElement, words: string): string {
  const address = element.getAttribute("href") ?? "";
  const text = oneLine(words);
  if (!/^(?:https?:|mailto:)/i.test(address) || text.includes("\n")) return words;
  if (text === "" || text === address) return address;
  return `[${isBalanced(text) ? text : text.replace(/[[\]]/g, "")}](${address.replace(/[ ()]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)})`;
}

/** Whether all brackets outside of code are in pairs, so that they can be in the text of a link. */
function isBalanced(text: string): boolean {
  let open = 0;
  for (const bracket of text.replace(/(`+).*?\1/g, "").match(/[[\]]/g) ?? []) {
    open += bracket === "[" ? 1 : -1;
    if (open < 0) return false;
  }
  return open === 0;
}
