import { posix } from "node:path";

/** The part of the bundler's plugin context that is used here. Ids are paths with forward slashes. */
export interface Modules {
  getModuleInfo(id: string): {
    readonly code: string | null;
    readonly importedIds: readonly string[];
    readonly dynamicallyImportedIds: readonly string[];
  } | null;
}

const STATEMENT = /\b(import|export)\s*(?:([\w$*{}\s,]+?)\s*from\s*)?["']([^"'\n]+)["'];?|\bexport\s*\{([^}]*)\};?/g;
const COMMENT = /\/\*.*?\*\/|^\s*\/\/.*$/gms;

/** The names in `a, b as c`, each with its alias. */
const namesIn = (list: string): [name: string, alias: string][] =>
  list
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => {
      const [name = "", alias = name] = one.split(/\s+as\s+/);
      return [name, alias];
    });

/** The names in `{ a, b as c }`; undefined for a default import or `*`. */
function namesInBraces(clause: string): [name: string, alias: string][] | undefined {
  const list = /^\{(.*)\}$/s.exec(clause.trim())?.[1];
  return list === undefined ? undefined : namesIn(list);
}

/**
 * The modules that a module uses. A package's index imports the whole package, so a module that imports two names of it
 * only uses the two modules that define them. If that is unclear, everything counts as used.
 */
export class UsedImports {
  readonly #modules: Modules;
  /** By index module: the modules that define its names. Undefined: the module is not an index. */
  readonly #indexes = new Map<string, ReadonlyMap<string, string> | undefined>();

  constructor(modules: Modules) {
    this.#modules = modules;
  }

  of(id: string): string[] {
    const info = this.#modules.getModuleInfo(id);
    if (!info || this.#indexOf(id)) return []; // depends on the importing module
    return info.importedIds.flatMap((next) => {
      const index = this.#indexOf(next);
      return index ? [next, ...this.#usedOf(next, index, info.code ?? "")] : [next];
    });
  }

  #indexOf(id: string): ReadonlyMap<string, string> | undefined {
    if (!this.#indexes.has(id)) this.#indexes.set(id, this.#readIndex(id));
    return this.#indexes.get(id);
  }

  #readIndex(id: string): ReadonlyMap<string, string> | undefined {
    const info = this.#modules.getModuleInfo(id);
    const code = info?.code?.replace(COMMENT, "");
    if (!info || !code || !id.includes("/node_modules/") || code.replace(STATEMENT, "").trim() !== "") return undefined;
    const imported = new Map<string, string>();
    const exported = new Map<string, string>();
    for (const [, keyword, clause = "", from = "", own] of code.matchAll(STATEMENT)) {
      if (own !== undefined) {
        for (const [name, alias] of namesIn(own)) {
          const module = imported.get(name);
          if (module !== undefined) exported.set(alias, module);
        }
        continue;
      }
      const names = namesInBraces(clause);
      if (!names) return undefined; // `export *`: the names are elsewhere
      const path = posix.join(posix.dirname(id), from);
      const module = info.importedIds.find((one) => one === path || one.startsWith(`${path}.`));
      if (module === undefined) continue;
      for (const [, alias] of names) (keyword === "import" ? imported : exported).set(alias, module);
    }
    return exported.size > 0 ? exported : undefined;
  }

  /** The modules of an index that a module with this code uses. */
  #usedOf(id: string, index: ReadonlyMap<string, string>, code: string): readonly string[] {
    const all = this.#modules.getModuleInfo(id)?.importedIds ?? [];
    const used = new Set<string>();
    for (const [, , clause = "", from = ""] of code.matchAll(STATEMENT)) {
      if (!id.includes(`/node_modules/${from}/`)) continue;
      const names = namesInBraces(clause);
      if (!names?.every(([name]) => index.has(name))) return all;
      for (const [name] of names) used.add(index.get(name) as string);
    }
    return used.size > 0 ? [...used] : all; // perhaps imported by a path
  }
}
