export interface SnippetPart {
  readonly text: string;
  readonly isHit: boolean;
}

/** Characters before the first hit, and in total. */
const BEFORE = 40;
const MOST = 240;

/** The text around the first hit in `match_content`, where the server highlights hits. */
export function snippetOf(html: string, parse: (html: string) => ParentNode): SnippetPart[] {
  const body = parse(html).querySelector("body");
  const parts: SnippetPart[] = [];
  const walk = (node: Node, isHit: boolean) => {
    if (node.nodeType === Node.TEXT_NODE) parts.push({ text: node.nodeValue ?? "", isHit });
    for (const child of node.childNodes)
      walk(child, isHit || (child instanceof Element && child.classList.contains("highlight")));
  };
  if (body) walk(body, false);
  return shortened(parts);
}

/** The parts around the first hit, with normalized white space. */
export function shortened(parts: readonly SnippetPart[]): SnippetPart[] {
  const found = parts
    .map(({ text, isHit }) => ({ text: text.replace(/\s+/g, " "), isHit }))
    .filter(({ text }) => text !== "");
  const first = found.findIndex(({ isHit }) => isHit);
  const before = found.slice(0, Math.max(0, first));
  const lead = before.map(({ text }) => text).join("");
  const shown =
    lead.length > BEFORE
      ? [{ text: `…${lead.slice(lead.indexOf(" ", lead.length - BEFORE) + 1)}`, isHit: false }, ...found.slice(first)]
      : found;
  const result: SnippetPart[] = [];
  let room = MOST;
  for (const { text, isHit } of shown) {
    if (room <= 0) break;
    result.push({ text: text.length > room ? `${text.slice(0, room)}…` : text, isHit });
    room -= text.length;
  }
  return result;
}
