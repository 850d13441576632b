import { type Modules, UsedImports } from "./used-imports.ts";

/**
 * Names the chunks of modules that several parts of the pages share. Rolldown's default is a chunk for each set of
 * parts: 271 files, and 65 scripts and styles to start the chat page instead of 16. Its options `entriesAware` and
 * `minShareCount` make fewer chunks, but Overview then loads 379 to 450 kB instead of 238 kB.
 *
 * Here, modules share a chunk if the same pages load them at their start and the same pages load them later. Small
 * chunks join others if that saves more requests than it adds bytes.
 *
 * `entries`: the first module of each page. `firsts`: parts that load separately but show first; each counts as a page.
 */
export function sharedChunks(entries: Readonly<Record<string, string>>, firsts: Readonly<Record<string, string>>) {
  let names: Map<string, string> | undefined;
  return (id: string, modules: Modules): string | null => {
    names ??= chunkNames({ ...entries, ...firsts }, modules);
    return names.get(id) ?? null;
  };
}

/** Throws if chunks import each other: the one that runs first would find the other empty. */
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

/** When a page loads a module. */
const NEVER = 0;
const LATER = 1;
const AT_START = 2;
type Loading = typeof NEVER | typeof LATER | typeof AT_START;

/** Source code that costs as much as a request: about 1 kB when compressed. */
const CHARACTERS_OF_A_REQUEST = 8000;

interface Chunk {
  readonly name: string;
  readonly modules: readonly string[];
  /** The total of all modules, before tree shaking and compression. */
  readonly characters: number;
  /** By the index of the page. */
  readonly loading: readonly Loading[];
}

function chunkNames(pages: Readonly<Record<string, string>>, modules: Modules): Map<string, string> {
  const imports = new UsedImports(modules);
  const apart = chunksByPages(pages, modules, imports);
  const imported = new Map(apart.flatMap((chunk) => chunk.modules.map((id) => [id, imports.of(id)])));
  const chunks = joined(apart, imported);
  return new Map(chunks.flatMap(({ name, modules }) => modules.map((id) => [id, name])));
}

/** Groups shared modules by the pages that load them, and when. */
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
  for (const [page, id] of Object.values(pages).entries()) visit(page, id, AT_START, new Set());
  const chunks = new Map<string, Chunk>();
  for (const [id, { loading, parts }] of uses) {
    if (parts.size < 2) continue; // not shared
    const pagesThat = (how: Loading) => names.filter((_, page) => loading[page] === how).sort();
    const [first, rest] = [pagesThat(AT_START).join("-"), pagesThat(LATER).join("-")];
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

/** Joins the pair of chunks that saves most, until no pair saves anything. */
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

/** The characters that all pages save if two chunks become one. Modules that load later count half. */
function savedBy(a: Chunk, b: Chunk): number {
  return a.loading.reduce<number>((saved, ofA, page) => {
    const ofB = b.loading[page] as Loading;
    const fewer = Math.min(ofA, ofB) * CHARACTERS_OF_A_REQUEST;
    const more = ofA > ofB ? (ofA - ofB) * b.characters : (ofB - ofA) * a.characters;
    return saved + (fewer - more) / AT_START;
  }, 0);
}

/** Finds chunks that cannot be joined, because another chunk imports one and is imported by the other. */
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

  /** Whether one imports the other through a third. */
  #leadsRound(from: Chunk, to: Chunk): boolean {
    const reached = new Set([...(this.#imported.get(from) ?? [])].filter((next) => next !== to));
    for (const chunk of reached) for (const next of this.#imported.get(chunk) ?? []) reached.add(next);
    return reached.has(to);
  }
}
