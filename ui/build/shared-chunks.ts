import { type Modules, UsedImports } from "./used-imports.ts";

/**
 * Names the chunks of modules that several parts of the pages share. A bundler by itself makes a chunk for each set of
 * parts that share something: some 200 for these pages, most of them smaller than the request for them. Here, modules
 * share a chunk where the same pages load them at their beginning, and the same pages load them later.
 *
 * `entries`: the module that each page begins with; `firsts`: parts that are loaded apart, but are what most people see
 * first; each counts as a page of its own.
 */
export function sharedChunks(entries: Readonly<Record<string, string>>, firsts: Readonly<Record<string, string>>) {
  let names: Map<string, string> | undefined;
  return (id: string, modules: Modules): string | null => {
    names ??= chunkNames({ ...entries, ...firsts }, modules);
    return names.get(id) ?? null;
  };
}

/** Throws where chunks import each other: the one that runs first would find nothing in the other. */
export function assertNoCycle(chunks: readonly { fileName: string; imports: readonly string[] }[]): void {
  const left = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]));
  const isImported = (name: string) => [...left.values()].some((imports) => imports.includes(name));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [name, imports] of left)
      if (!imports.some((one) => left.has(one)) || !isImported(name)) left.delete(name);
  }
  if (left.size > 0) throw new Error(`Chunks import each other: ${[...left.keys()].join(", ")}`);
}

function chunkNames(pages: Readonly<Record<string, string>>, modules: Modules): Map<string, string> {
  const imports = new UsedImports(modules);
  const beginnings = new Set(Object.values(pages));
  /** Of each module: pages that load it at once, pages that load it later, and how many parts it is in. */
  const uses = new Map<string, { atOnce: Set<string>; later: Set<string>; parts: Set<string> }>();
  const visit = (page: string, part: string, isLater: boolean, begun: Set<string>): void => {
    begun.add(part);
    const seen = new Set<string>([part]);
    const parts = new Set<string>();
    for (const id of seen) {
      const use = uses.get(id) ?? { atOnce: new Set(), later: new Set(), parts: new Set() };
      uses.set(id, use);
      use[isLater ? "later" : "atOnce"].add(page);
      use.parts.add(part);
      for (const next of imports.of(id)) seen.add(next);
      for (const next of modules.getModuleInfo(id)?.dynamicallyImportedIds ?? []) parts.add(next);
    }
    for (const next of parts) if (!begun.has(next) && !beginnings.has(next)) visit(page, next, true, begun);
  };
  for (const [page, id] of Object.entries(pages)) visit(page, id, false, new Set());
  const names = new Map<string, string>();
  for (const [id, { atOnce, later, parts }] of uses) {
    if (parts.size < 2) continue; // it is in the chunk of its part
    const first = [...atOnce].sort().join("-");
    const rest = [...later].filter((page) => !atOnce.has(page)).sort();
    if (first === "") names.set(id, `parts-${rest.join("-")}`);
    else names.set(id, rest.length === 0 ? `shared-${first}` : `shared-${first}-and-${rest.join("-")}`);
  }
  return names;
}
