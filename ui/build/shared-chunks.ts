import { dirname, resolve } from "node:path";

/** What a bundler tells of a module: those that it imports, now or when they are asked for. */
export interface ModuleImports {
  readonly code: string | null;
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}

export interface ChunkContext {
  getModuleInfo(id: string): ModuleImports | null;
}

/**
 * Names the chunks of modules that several parts of the pages share. A bundler by itself makes a chunk for each set of
 * parts that share something: here some 200, most of them smaller than the request for them. Here, modules share a chunk
 * where the same pages load them at their beginning (`firsts`), and the same pages load them later.
 *
 * `entries`: the module that each page begins with; `firsts`: parts that are loaded apart, but are what most people see
 * first; each counts as a page of its own.
 */
export function sharedChunks(entries: Readonly<Record<string, string>>, firsts: Readonly<Record<string, string>>) {
  let names: Map<string, string> | undefined;
  return (id: string, context: ChunkContext): string | null => {
    names ??= chunkNames({ ...entries, ...firsts }, context);
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

function chunkNames(pages: Readonly<Record<string, string>>, context: ChunkContext): Map<string, string> {
  const imports = new UsedImports(context);
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
      for (const next of context.getModuleInfo(id)?.dynamicallyImportedIds ?? []) parts.add(next);
    }
    for (const next of parts) if (!begun.has(next) && !beginnings.has(next)) visit(page, next, true, begun);
  };
  for (const [page, id] of Object.entries(pages)) visit(page, id, false, new Set());
  const names = new Map<string, string>();
  for (const [id, { atOnce, later, parts }] of uses) {
    if (parts.size < 2) continue; // it is in the chunk of its part
    const rest = [...later].filter((page) => !atOnce.has(page)).sort();
    const also = rest.length > 0 ? `-and-${rest.join("-")}` : "";
    names.set(
      id,
      atOnce.size > 0 ? `shared-${[...atOnce].sort().join("-")}${also}` : `parts${also.replace("-and", "")}`,
    );
  }
  return names;
}

const STATEMENT = /\b(import|export)\s*(?:([\w$*{}\s,]+?)\s*from\s*)?["']([^"'\n]+)["'];?|\bexport\s*\{([^}]*)\};?/g;
const COMMENT = /\/\*.*?\*\/|^\s*\/\/.*$/gms;

/** The names in `{ a, b as c }`, each with what it is called from there on; undefined where it is something else. */
function namesIn(list: string): [name: string, alias: string][] | undefined {
  const braces = /^\{(.*)\}$/s.exec(list.trim());
  return braces?.[1]
    ?.split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => {
      const [name = "", alias = name] = one.split(/\s+as\s+/);
      return [name, alias];
    });
}

/**
 * The modules that a module uses. A package's index imports all of the package: who imports two names of it uses the
 * two modules that have them.
 */
class UsedImports {
  readonly #context: ChunkContext;
  readonly #indexes = new Map<string, ReadonlyMap<string, string> | undefined>();

  constructor(context: ChunkContext) {
    this.#context = context;
  }

  of(id: string): string[] {
    const info = this.#context.getModuleInfo(id);
    if (!info || this.#indexOf(id)) return []; // what is used of an index, those say who use it
    return info.importedIds.flatMap((next) => {
      const index = this.#indexOf(next);
      return index ? [next, ...this.#usedOf(next, index, info.code ?? "")] : [next];
    });
  }

  /** The modules that a package's index has its names from; undefined: the module is something else. */
  #indexOf(id: string): ReadonlyMap<string, string> | undefined {
    if (!this.#indexes.has(id)) this.#indexes.set(id, this.#readIndex(id));
    return this.#indexes.get(id);
  }

  #readIndex(id: string): ReadonlyMap<string, string> | undefined {
    const info = this.#context.getModuleInfo(id);
    const code = info?.code?.replace(COMMENT, "");
    if (!info || !code || !id.includes("/node_modules/") || code.replace(STATEMENT, "").trim() !== "") return undefined;
    const local = new Map<string, string>();
    const exported = new Map<string, string>();
    for (const [, keyword, list = "", from = "", own] of code.matchAll(STATEMENT)) {
      if (own !== undefined)
        for (const [name, alias] of namesIn(`{${own}}`) ?? []) {
          const module = local.get(name);
          if (module) exported.set(alias, module);
        }
      else {
        const names = namesIn(list);
        if (!names) return undefined; // `export *`, with names that are not here
        const path = resolve(dirname(id), from);
        const module = info.importedIds.find((one) => one === path || one.startsWith(`${path}.`)); // without its suffix
        for (const [, alias] of module === undefined ? [] : names)
          (keyword === "import" ? local : exported).set(alias, module as string);
      }
    }
    return exported.size > 0 ? exported : undefined;
  }

  #usedOf(id: string, index: ReadonlyMap<string, string>, code: string): string[] {
    const all = [...(this.#context.getModuleInfo(id)?.importedIds ?? [])];
    const used = new Set<string>();
    for (const [, , list = "", from = ""] of code.matchAll(STATEMENT)) {
      if (!id.includes(`/node_modules/${from}/`)) continue;
      const names = namesIn(list);
      if (!names?.every(([name]) => index.has(name))) return all;
      for (const [name] of names) used.add(index.get(name) as string);
    }
    return used.size > 0 ? [...used] : all; // it may be imported by a path
  }
}
