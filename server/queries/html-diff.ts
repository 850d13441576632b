/*
 * The changes of a message's HTML, shown in the newer version: inserted text is marked, and so is deleted text, where
 * it stood. All other markup is the newer version's, so the result is nested as well as that.
 */

/** The classes that public clients colour. */
const INSERTED = "highlight_text_inserted";
const DELETED = "highlight_text_deleted";

/** How many comparisons all diffs of one answer may take together: no other request runs meanwhile. */
export const newDiffBudget = (): DiffBudget => ({ steps: 3_000_000 });
export interface DiffBudget {
  steps: number;
}

/** With more changes two texts have little in common, and are shown as one replaced by the other. */
const MAX_CHANGES = 1000;

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

type Step = readonly [change: "same" | "inserted" | "deleted", token: string];

/** The shortest edit script from one list to the other (Myers), or a replacement of all if that costs too much. */
function steps(before: readonly string[], after: readonly string[], budget: DiffBudget): Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  const same = (tokens: readonly string[]): Step[] => tokens.map((token) => ["same", token]);
  const [deleted, inserted] = [before.slice(start, oldEnd), after.slice(start, newEnd)];
  const middle = shortest(deleted, inserted, budget) ?? [
    ...deleted.map((token): Step => ["deleted", token]),
    ...inserted.map((token): Step => ["inserted", token]),
  ];
  return [...same(after.slice(0, start)), ...middle, ...same(after.slice(newEnd))];
}

function shortest(before: readonly string[], after: readonly string[], budget: DiffBudget): Step[] | undefined {
  const max = Math.min(before.length + after.length, MAX_CHANGES);
  const offset = max + 1;
  // By diagonal (x - y): how far into the older list `changes` changes reach.
  const reach = new Int32Array(2 * offset + 1);
  const trace: Int32Array[] = [];
  for (let changes = 0; changes <= max; changes += 1) {
    trace.push(reach.slice(offset - changes - 1, offset + changes + 2));
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const left = reach[offset + diagonal - 1] as number;
      const right = reach[offset + diagonal + 1] as number;
      const down = diagonal === -changes || (diagonal !== changes && left < right);
      let x = down ? right : left + 1;
      const from = x;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      budget.steps -= 1 + x - from;
      reach[offset + diagonal] = x;
      if (x >= before.length && x - diagonal >= after.length) return stepsBack(before, after, trace);
    }
    if (budget.steps < 0) return undefined;
  }
  return undefined;
}

function stepsBack(before: readonly string[], after: readonly string[], trace: readonly Int32Array[]): Step[] {
  const back: Step[] = [];
  let [x, y] = [before.length, after.length];
  for (let changes = trace.length - 1; changes >= 0; changes -= 1) {
    const reach = trace[changes] as Int32Array;
    const at = (diagonal: number) => reach[diagonal + changes + 1] as number;
    const diagonal = x - y;
    const down = diagonal === -changes || (diagonal !== changes && at(diagonal - 1) < at(diagonal + 1));
    const previous = down ? diagonal + 1 : diagonal - 1;
    const fromX = changes === 0 ? 0 : at(previous);
    const fromY = changes === 0 ? 0 : fromX - previous;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      back.push(["same", after[y] as string]);
    }
    if (changes === 0) break;
    if (down) back.push(["inserted", after[fromY] as string]);
    else back.push(["deleted", before[fromX] as string]);
    [x, y] = [fromX, fromY];
  }
  return back.reverse();
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
  for (const [change, token] of steps(tokensOf(before), tokensOf(after), budget)) {
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
