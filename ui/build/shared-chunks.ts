import { type Modules, UsedImports } from "./used-imports.ts";

/**
 * Names the chunks of modules that several parts of the pages share. A bundler by itself makes a chunk for each set of
 * parts that share something: some 200 for these pages, most of them smaller than the request for them. Here, modules
 * share a chunk where the same pages load them at their beginning, and the same pages load them later; small chunks are
 * joined to others where that saves more requests than it adds bytes.
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

/** How a page loads a module: not at all, when somebody asks for a part of it, or at its beginning. */
const NEVER = 0;
const LATER = 1;
const AT_ONCE = 2;
type Loading = typeof NEVER | typeof LATER | typeof AT_ONCE;

/** Code that costs a browser and a server as much as one more request: about 1 kB as it is sent. */
const CHARACTERS_OF_A_REQUEST = 8000;

interface Chunk {
  readonly name: string;
  readonly modules: readonly string[];
  /** Of all modules together, before anything is taken out or made small. */
  readonly characters: number;
  /** Of each page, by its place. */
  readonly loading: readonly Loading[];
}

function chunkNames(pages: Readonly<Record<string, string>>, modules: Modules): Map<string, string> {
  const imports = new UsedImports(modules);
  const apart = chunksByPages(pages, modules, imports);
  const imported = new Map(apart.flatMap((chunk) => chunk.modules.map((id) => [id, imports.of(id)])));
  const chunks = joined(apart, imported);
  return new Map(chunks.flatMap(({ name, modules }) => modules.map((id) => [id, name])));
}

/** What several parts share, together where the same pages load it in the same way. */
function chunksByPages(pages: Readonly<Record<string, string>>, modules: Modules, imports: UsedImports): Chunk[] {
  const names = Object.keys(pages);
  const beginnings = new Set(Object.values(pages));
  const uses = new Map<string, { loading: Loading[]; parts: Set<string> }>();
  const visit = (page: number, part: string, how: Loading, begun: Set<string>): void => {
    begun.add(part);
    const seen = new Set<string>([part]);
    const parts = new Set<string>();
    for (const id of seen) {
      const use = uses.get(id) ?? { loading: names.map(() => NEVER), parts: new Set() };
      uses.set(id, use);
      use.loading[page] = Math.max(use.loading[page] as Loading, how) as Loading;
      use.parts.add(part);
      for (const next of imports.of(id)) seen.add(next);
      for (const next of modules.getModuleInfo(id)?.dynamicallyImportedIds ?? []) parts.add(next);
    }
    for (const next of parts) if (!begun.has(next) && !beginnings.has(next)) visit(page, next, LATER, begun);
  };
  for (const [page, id] of Object.values(pages).entries()) visit(page, id, AT_ONCE, new Set());
  const chunks = new Map<string, Chunk>();
  for (const [id, { loading, parts }] of uses) {
    if (parts.size < 2) continue; // it is in the chunk of its part
    const pagesThat = (how: Loading) => names.filter((_, page) => loading[page] === how).sort();
    const [first, rest] = [pagesThat(AT_ONCE).join("-"), pagesThat(LATER).join("-")];
    const name = first === "" ? `parts-${rest}` : `shared-${first}${rest && `-and-${rest}`}`;
    const chunk = chunks.get(name);
    const characters = modules.getModuleInfo(id)?.code?.length ?? 0;
    chunks.set(name, {
      name,
      modules: [...(chunk?.modules ?? []), id],
      characters: (chunk?.characters ?? 0) + characters,
      loading,
    });
  }
  return [...chunks.values()];
}

/** The same modules in fewer chunks: joins what saves most, until nothing saves anything. */
function joined(chunks: readonly Chunk[], imported: ReadonlyMap<string, readonly string[]>): Chunk[] {
  let left = [...chunks];
  for (;;) {
    const pairs = left.flatMap((a, place) => left.slice(place + 1).map((b) => ({ a, b, saved: savedBy(a, b) })));
    const apart = new Separation(left, imported);
    const best = pairs
      .filter(({ saved }) => saved > 0)
      .sort((one, other) => other.saved - one.saved)
      .find(({ a, b }) => !apart.isBetween(a, b));
    if (!best) return left;
    const { a, b } = best;
    const join: Chunk = {
      name: a.characters > b.characters ? a.name : b.name,
      modules: [...a.modules, ...b.modules],
      characters: a.characters + b.characters,
      loading: a.loading.map((how, page) => Math.max(how, b.loading[page] as Loading) as Loading),
    };
    left = [...left.filter((one) => one !== a && one !== b), join];
  }
}

/** What all pages together save where two chunks are one, in characters. What is loaded later weighs half. */
function savedBy(a: Chunk, b: Chunk): number {
  return a.loading.reduce<number>((saved, ofA, page) => {
    const ofB = b.loading[page] as Loading;
    const fewer = Math.min(ofA, ofB) * CHARACTERS_OF_A_REQUEST;
    const more = ofA > ofB ? (ofA - ofB) * b.characters : (ofB - ofA) * a.characters;
    return saved + (fewer - more) / AT_ONCE;
  }, 0);
}

/** Which chunks import which, to tell where two cannot be one: what lies between them would import and be imported. */
class Separation {
  readonly #imported = new Map<Chunk, ReadonlySet<Chunk>>();

  constructor(chunks: readonly Chunk[], imported: ReadonlyMap<string, readonly string[]>) {
    const chunkOf = new Map(chunks.flatMap((chunk) => chunk.modules.map((id) => [id, chunk])));
    for (const chunk of chunks) {
      const ids = chunk.modules.flatMap((id) => imported.get(id) ?? []);
      const found = ids.flatMap((id) => chunkOf.get(id) ?? []);
      this.#imported.set(chunk, new Set(found.filter((one) => one !== chunk)));
    }
  }

  isBetween(a: Chunk, b: Chunk): boolean {
    return this.#leadsRound(a, b) || this.#leadsRound(b, a);
  }

  /** Whether one imports the other by a third. */
  #leadsRound(from: Chunk, to: Chunk): boolean {
    const reached = new Set([...(this.#imported.get(from) ?? [])].filter((next) => next !== to));
    for (const chunk of reached) for (const next of this.#imported.get(chunk) ?? []) reached.add(next);
    return reached.has(to);
  }
}
