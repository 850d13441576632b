/** Elements that make a pasted text more than plain text. */
const FORMATS = "a[href], b, strong, i, em, s, del, code, pre, blockquote, li, h1, h2, h3, h4, h5, h6, table";
const HIDDEN = "script, style, template, title, head > meta";
const BLOCKS =
  /^(?:ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|DIV|DL|FIGURE|FOOTER|FORM|H[1-6]|HEADER|HR|LI|MAIN|NAV|OL|P|PRE|SECTION|TABLE|UL)$/;

/** Converts pasted HTML to Markdown; undefined if it has no formats, such as code from an editor with colours only. */
export function markdownOfHtml(html: string): string | undefined {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const hidden of body.querySelectorAll(HIDDEN)) hidden.remove();
  if (!body.querySelector(FORMATS)) return undefined;
  const text = blocksIn(body)
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n");
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
      return `\`\`\`\n${(element.textContent ?? "").replace(/\n$/, "")}\n\`\`\``;
    case "BLOCKQUOTE":
      return prefixed(words(), "> ", "> ");
    case "UL":
    case "OL":
      return list(element);
    case "LI":
      return prefixed(words(), "* ", "  ");
    case "TABLE":
      return table(element);
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

function list(element: Element): string {
  const isOrdered = element.tagName === "OL";
  return [...element.children]
    .map((item, at) => {
      const marker = isOrdered ? `${at + 1}. ` : "* ";
      return prefixed(
        blocksIn(item)
          .trim()
          .replace(/\n{2,}/g, "\n"),
        marker,
        " ".repeat(marker.length),
      );
    })
    .join("\n");
}

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
      return around(node.textContent ?? "", "`");
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
  return `[${text.replace(/[[\]]/g, "")}](${address.replace(/[ ()]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)})`;
}
