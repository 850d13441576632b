import { diffArrays } from "diff";

/*
 * The changes of a message's HTML, shown in the newer version: inserted text is marked, and so is deleted text, where
 * it stood. All other markup is the newer version's, so the result is nested as well as that.
 */

/** The classes that public clients colour. */
const INSERTED = "highlight_text_inserted";
const DELETED = "highlight_text_deleted";

/** The work that all diffs of one response may take together, in comparisons: no other request runs meanwhile. */
export const newDiffBudget = (): DiffBudget => ({ comparisons: 500_000 });
export interface DiffBudget {
  comparisons: number;
}

/** With more changes two texts have little in common, and the diff shows one replaced by the other. */
const MAX_CHANGES = 300;

/**
 * A token is a tag, an atomic element (an emoji, a mention, a formula, a time, a picture), an entity, a word, white
 * space, or one other character.
 */
const isTag = (token: string): boolean => token.startsWith("<") && !isAtomic(token);
const isAtomic = (token: string): boolean =>
  /^<(?:img\b|time\b|span (?:class="(?:katex|emoji|user|topic|timestamp)|aria-label))/.test(token);

// An attribute's value may hold what looks like a tag's end.
const TAG = /<\/?([a-z][a-z0-9-]*)(?:"[^"]*"|'[^']*'|[^'">])*>/giy;
const TEXT = /&[a-z0-9#]+;|[\p{L}\p{N}\p{M}_]+|\s+|[^<]/giuy;

function tokensOf(html: string): string[] {
  const tokens: string[] = [];
  let at = 0;
  while (at < html.length) {
    TAG.lastIndex = at;
    const tag = TAG.exec(html);
    if (tag) {
      const end = isAtomic(tag[0]) ? endOfElement(html, tag[1] as string, TAG.lastIndex, tag[0]) : TAG.lastIndex;
      tokens.push(html.slice(at, end));
      at = end;
      continue;
    }
    TEXT.lastIndex = at;
    const text = TEXT.exec(html)?.[0] ?? (html[at] as string);
    tokens.push(text);
    at += text.length;
  }
  return tokens;
}

/** The end of the element whose first tag ends at `from`; elements inside it may have the same name. */
function endOfElement(html: string, name: string, from: number, tag: string): number {
  if (name === "img" || tag.endsWith("/>")) return from;
  const tags = new RegExp(`<(/?)${name}\\b(?:"[^"]*"|'[^']*'|[^'">])*>`, "gi");
  tags.lastIndex = from;
  let open = 1;
  for (let found = tags.exec(html); found; found = tags.exec(html)) {
    open += found[1] === "/" ? -1 : 1;
    if (open === 0) return tags.lastIndex;
  }
  return html.length;
}

type Step = readonly [change: "same" | "inserted" | "deleted", tokens: readonly string[]];

/** The shortest edit script from one list to the other, or a replacement of all if that costs too much. */
function steps(before: string[], after: string[], budget: DiffBudget): Step[] {
  const maxEditLength = Math.min(MAX_CHANGES, Math.floor(Math.sqrt(Math.max(0, budget.comparisons))));
  const changes = diffArrays(before, after, { maxEditLength });
  if (!changes) {
    budget.comparisons -= maxEditLength ** 2;
    return [
      ["deleted", before],
      ["inserted", after],
    ];
  }
  const edits = changes.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0);
  budget.comparisons -= edits ** 2;
  return changes.map(({ added, removed, value }) => [added ? "inserted" : removed ? "deleted" : "same", value]);
}

/** Elements that cannot hold text directly. */
const NO_TEXT = new Set(["table", "thead", "tbody", "tr", "ul", "ol"]);

/** The newer HTML with deleted and inserted text marked. */
export function htmlDiff(before: string, after: string, budget: DiffBudget = newDiffBudget()): string {
  const open: string[] = [];
  let html = "";
  let marked = "";
  let markedAs = "";
  let deleted = "";
  const flush = () => {
    if (marked.trim() === "") html += marked;
    else html += `<span class="${markedAs}">${marked}</span>`;
    marked = "";
  };
  const mark = (token: string, as: string) => {
    if (as !== markedAs) flush();
    markedAs = as;
    marked += token;
  };
  const flushDeleted = () => {
    if (deleted === "" || NO_TEXT.has(open.at(-1) ?? "")) return;
    if (deleted.trim() !== "") mark(deleted, DELETED);
    deleted = "";
  };
  const changed = steps(tokensOf(before), tokensOf(after), budget);
  for (const [change, token] of changed.flatMap(([kind, tokens]) => tokens.map((one) => [kind, one] as const))) {
    if (change === "deleted") {
      if (!isTag(token)) deleted += token;
      continue;
    }
    flushDeleted();
    if (change === "inserted" && !isTag(token) && !NO_TEXT.has(open.at(-1) ?? "")) {
      mark(token, INSERTED);
      continue;
    }
    flush();
    html += token;
    if (!isTag(token)) continue;
    const name = /^<\/?([a-z][a-z0-9-]*)/i.exec(token)?.[1] as string;
    if (token.startsWith("</")) open.pop();
    else if (!/^(?:br|hr|img|input)$/.test(name)) open.push(name);
  }
  flushDeleted();
  flush();
  return html;
}
