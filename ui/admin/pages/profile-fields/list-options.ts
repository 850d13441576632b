/** A stored option of a list. People's choices refer to its key. */
export interface ListOption {
  readonly key: string;
  readonly text: string;
}

export interface ChangedOptions {
  readonly options: readonly ListOption[];
  readonly renamed: readonly { readonly key: string; readonly from: string; readonly to: string }[];
  readonly removed: readonly ListOption[];
}

/**
 * Compares stored options with lines of text. An option keeps its key, and with it people's choices, if its text stays or
 * if only its text changes between the same neighbours.
 */
export function changedOptions(before: readonly ListOption[], lines: string): ChangedOptions {
  const texts = [...new Set(lines.split("\n").map((line) => line.trim()))].filter(Boolean);
  const keyOf = new Map(before.map(({ key, text }) => [text, key]));
  const stays = new Set(texts.filter((text) => keyOf.has(text)));
  const goneIn = gaps(
    before.map(({ text }) => text),
    stays,
  );
  const renamed = [...gaps(texts, stays)].flatMap(([gap, added]) => {
    const gone = goneIn.get(gap) ?? [];
    // With different counts it is unknown which option was renamed to which.
    if (gone.length !== added.length) return [];
    return gone.map((from, at) => ({ key: keyOf.get(from) as string, from, to: added[at] as string }));
  });
  for (const { key, to } of renamed) keyOf.set(to, key);

  const taken = new Set(before.map(({ key }) => key));
  let next = 0;
  const newKey = () => {
    while (taken.has(String(next))) next += 1;
    taken.add(String(next));
    return String(next);
  };
  const options = texts.map((text) => ({ key: keyOf.get(text) ?? newKey(), text }));
  const kept = new Set(options.map(({ key }) => key));
  return { options, renamed, removed: before.filter(({ key }) => !kept.has(key)) };
}

/** The texts that do not stay, by the neighbours that stay. */
function gaps(texts: readonly string[], stays: ReadonlySet<string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let gap: string[] = [];
  let left = "";
  for (const text of [...texts, ""]) {
    if (text !== "" && !stays.has(text)) gap.push(text);
    else {
      if (gap.length > 0) found.set(JSON.stringify([left, text]), gap);
      [gap, left] = [[], text];
    }
  }
  return found;
}
