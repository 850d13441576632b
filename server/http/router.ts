import type { AnyEndpoint } from "./endpoint.ts";
import { type AnyParam, ParamReader, REST } from "./params.ts";

/** An endpoint with everything that can be worked out before a request comes. */
export interface Route {
  readonly endpoint: AnyEndpoint;
  readonly method: string;
  /** The whole path, `{name}` for parameters. */
  readonly path: string;
  readonly reader: ParamReader;
  readonly needsUser: boolean;
}

/** One path and what it answers to. */
export interface Place {
  readonly methods: Map<string, Route>;
  readonly allowed: string[];
}

export interface Found {
  readonly place: Place;
  /** Decoded values of the path parameters, in order. */
  readonly values: readonly string[];
}

interface Branch {
  readonly literals: Map<string, Branch>;
  /** Parameters with a pattern come before those that take anything. */
  readonly params: { pattern: RegExp | undefined; branch: Branch }[];
  /** What takes all that is left of the path. */
  rest: Place | undefined;
  place: Place | undefined;
}

const newBranch = (): Branch => ({ literals: new Map(), params: [], rest: undefined, place: undefined });
const NO_VALUES: readonly string[] = [];

export class Router {
  readonly routes: readonly Route[];
  readonly #root = newBranch();
  /** Paths without parameters, for the usual case. */
  readonly #static = new Map<string, Found>();

  /** @throws Error on routes that are malformed or declared twice. */
  constructor(endpoints: readonly AnyEndpoint[]) {
    this.routes = endpoints.map((endpoint) => this.#add(endpoint));
  }

  /**
   * The place of a path (without query), or undefined. Repeated and trailing slashes do not matter. Literal segments
   * win over parameters, and numbers over text.
   */
  find(path: string): Found | undefined {
    const found = this.#static.get(path);
    if (found) return found;
    const segments = path.split("/").filter(Boolean);
    const values: string[] = [];
    const place = this.#walk(this.#root, segments, 0, values);
    return place && { place, values };
  }

  #walk(branch: Branch, segments: readonly string[], at: number, values: string[]): Place | undefined {
    if (at === segments.length) return branch.place;
    const segment = segments[at] as string;
    const literal = branch.literals.get(segment);
    const place = literal && this.#walk(literal, segments, at + 1, values);
    if (place) return place;
    for (const { pattern, branch: next } of branch.params) {
      const value = decodeSegment(segment);
      // The last alternative takes what does not fit too, so that its parameter can say what is wrong.
      if (value === undefined || (pattern && !pattern.test(value) && next !== branch.params.at(-1)?.branch)) continue;
      values.push(value);
      const below = this.#walk(next, segments, at + 1, values);
      if (below) return below;
      values.pop();
    }
    const rest = branch.rest && segments.slice(at).map(decodeSegment);
    if (!rest || rest.includes(undefined)) return undefined;
    values.push(rest.join("/"));
    return branch.rest;
  }

  #add(endpoint: AnyEndpoint): Route {
    const match = /^(GET|POST|PUT|PATCH|DELETE) (\/\S+)$/.exec(endpoint.route);
    if (!match) throw new Error(`Not a route: ${endpoint.route}`);
    const method = match[1] as string;
    const path = (endpoint.outsideApi ? "" : "/api/v1") + match[2];
    const params = endpoint.params as Record<string, AnyParam>;
    const names: string[] = [];
    let branch = this.#root;
    let takesRest = false;
    for (const segment of path.split("/").filter(Boolean)) {
      if (takesRest) throw new Error(`Nothing can follow the rest of a path: ${endpoint.route}`);
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name === undefined) {
        let next = branch.literals.get(segment);
        if (!next) {
          next = newBranch();
          branch.literals.set(segment, next);
        }
        branch = next;
        continue;
      }
      names.push(name);
      const pattern = params[name]?.inPath;
      if (pattern === REST) {
        takesRest = true;
        continue;
      }
      let next = branch.params.find((each) => String(each.pattern) === String(pattern));
      if (!next) {
        next = { pattern, branch: newBranch() };
        if (pattern) branch.params.unshift(next);
        else branch.params.push(next);
      }
      branch = next.branch;
    }
    const place = (takesRest ? branch.rest : branch.place) ?? { methods: new Map(), allowed: [] };
    if (takesRest) branch.rest = place;
    else branch.place = place;
    if (place.methods.has(method)) throw new Error(`Declared twice: ${endpoint.route}`);
    const { who } = endpoint;
    const route: Route = {
      endpoint,
      method,
      path,
      reader: new ParamReader(params, names),
      needsUser: who !== "anyone" && who !== "host" && who !== "host or owner",
    };
    place.methods.set(method, route);
    if (method === "GET") place.methods.set("HEAD", route);
    place.allowed.splice(0, Number.POSITIVE_INFINITY, ...[...place.methods.keys()].sort());
    if (names.length === 0) this.#static.set(path, { place, values: NO_VALUES });
    return route;
  }
}

function decodeSegment(segment: string): string | undefined {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
