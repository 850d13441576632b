import { diffArrays } from "diff";

/*
 * Shows the edits of a message in its newer HTML: inserted and deleted text is marked in its position. All other markup
 * comes from the newer version, so the result is as well-formed as that version.
 */

/** Public clients style these classes. */
const INSERTED = "highlight_text_inserted";
const DELETED = "highlight_text_deleted";

/** The work for all diffs of one response, in comparisons. It is bounded, since it blocks all other requests. */
export const newDiffBudget = (): DiffBudget => ({ comparisons: 500_000 });
export interface DiffBudget {
  comparisons: number;
}

/** Above this number of changes, two texts have little in common: the diff replaces one by the other. */
const MAX_CHANGES = 300;

/**
 * A token is a tag, an atomic element (emoji, mention, formula, time, picture), an entity, a word, white space, or one
 * other character.
 */
const isTag = (token: string): boolean => token.startsWith("<") && !isAtomic(token);
const isAtomic = (token: string): boolean =>
  /^<(?:img\b|time\b|span (?:class="(?:katex|emoji|user|topic|timestamp)|aria-label))/.test(token);

// An attribute's value can contain a character that looks like the end of a tag.
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

/** The end of the element whose opening tag ends at `from`. Nested elements can have the same name. */
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

/** The shortest edit script between two lists, or a full replacement if that costs too much. */
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
