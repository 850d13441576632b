import { type AnyEndpoint, needsUser } from "./endpoint.ts";
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

/** One path with all that is declared for it. */
export interface RouteEntry {
  /** The path as Fastify's router reads it: `/api/v1/users/:user_id(^-?\d+$)`. */
  readonly url: string;
  /** As they are routed: a number that takes any text is one. */
  readonly segments: readonly Segment[];
  /** By method; HEAD has the route of GET. */
  readonly methods: ReadonlyMap<string, Route>;
  readonly allowed: readonly string[];
}

/** @throws Error for a declaration that is malformed. */
export function routeOf(endpoint: AnyEndpoint): Route {
  const match = /^(GET|POST|PUT|PATCH|DELETE) (\/\S+)$/.exec(endpoint.route);
  if (!match) throw new Error(`Not a route: ${endpoint.route}`);
  const { who } = endpoint;
  const path = (endpoint.outsideApi ? "" : "/api/v1") + match[2];
  return {
    endpoint,
    method: match[1] as string,
    path,
    reader: new ParamReader(endpoint.params, path.match(/(?<=\{)\w+(?=\})/g) ?? []),
    needsUser: needsUser(who),
  };
}

/**
 * The routes by path. In Fastify's router literal segments win over parameters, and parameters with a pattern over
 * others. A number has its pattern only where a text may stand as well: elsewhere it takes any segment, so that the
 * parameter itself can say what is wrong.
 *
 * @throws Error for a route that is declared twice, and for a path that goes on after its rest.
 */
export function routeEntries(routes: readonly Route[]): RouteEntry[] {
  const textAt = new Set<string>();
  for (const route of routes) {
    for (const { kind, before } of segmentsOf(route)) if (kind === "text") textAt.add(before);
  }
  const entries = new Map<string, RouteEntry & { methods: Map<string, Route>; allowed: string[] }>();
  for (const route of routes) {
    const segments = segmentsOf(route).map((segment) =>
      segment.kind === "number" && !textAt.has(segment.before) ? { ...segment, kind: "text" as const } : segment,
    );
    const shape = segments.at(-1)?.shape ?? "";
    let entry = entries.get(shape);
    if (!entry) {
      const parts = segments.map(({ literal, name, kind, pattern }) => {
        if (kind === "literal") return literal;
        if (kind === "rest") return "*";
        return kind === "number" ? `:${name}(${pattern?.source})` : `:${name}`;
      });
      entry = { url: `/${parts.join("/")}`, segments, methods: new Map(), allowed: [] };
      entries.set(shape, entry);
    }
    const { methods } = entry;
    if (methods.has(route.method)) throw new Error(`Declared twice: ${route.endpoint.route}`);
    methods.set(route.method, route);
    if (route.method === "GET") methods.set("HEAD", route);
    entry.allowed = [...methods.keys()].sort();
  }
  return [...entries.values()];
}

/**
 * The methods for which an entry is a route of Fastify's. Each would do, but a route costs time and memory at every
 * start: so those that it takes; POST, whose body may mean another; and those of entries that would be found in its place.
 */
export function routedMethods(entry: RouteEntry, all: readonly RouteEntry[]): string[] {
  const methods = new Set([...entry.allowed, "POST"]);
  for (const other of all) if (overlaps(other, entry)) for (const method of other.allowed) methods.add(method);
  return [...methods];
}

/** Whether what is asked of the entry may fit the other one as well. */
const overlaps = (other: RouteEntry, entry: RouteEntry): boolean =>
  fits(other, entry.segments, (own, segment) =>
    own.kind === "literal" && segment.kind === "literal" ? own.literal === segment.literal : true,
  );

/** The entry of a path, whatever the method. Its segments decide as in Fastify's router, from the first to the last. */
export function entryAt(path: string, all: readonly RouteEntry[]): RouteEntry | undefined {
  const names = path.split("/").filter(Boolean);
  const takes = (name: string, { kind, literal, pattern }: Segment) =>
    kind === "literal" ? name === literal : kind !== "number" || pattern?.test(name) === true;
  const rank = ({ segments }: RouteEntry) => segments.map(({ kind }) => KINDS.indexOf(kind)).join("");
  const fitting = all.filter((entry) => fits(entry, names, takes));
  return fitting.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0];
}

function fits<Part>(
  { segments }: RouteEntry,
  parts: readonly Part[],
  takes: (part: Part, segment: Segment) => boolean,
): boolean {
  const hasRest = segments.at(-1)?.kind === "rest";
  if (hasRest ? parts.length < segments.length : parts.length !== segments.length) return false;
  return segments.every((segment, at) => takes(parts[at] as Part, segment));
}

/** What a segment can be, in the order in which the router tries them. */
const KINDS = ["literal", "number", "text", "rest"] as const;

interface Segment {
  readonly kind: (typeof KINDS)[number];
  readonly literal: string;
  readonly name: string;
  readonly pattern: RegExp | undefined;
  /** What stands before it, and with it: alike for paths that differ only in the names of their parameters. */
  readonly before: string;
  readonly shape: string;
}

function segmentsOf({ endpoint, path }: Route): Segment[] {
  const params = endpoint.params as Record<string, AnyParam>;
  const segments: Segment[] = [];
  for (const literal of path.split("/").filter(Boolean)) {
    const last = segments.at(-1);
    const before = last?.shape ?? "";
    if (last?.kind === "rest") throw new Error(`Nothing can follow the rest of a path: ${endpoint.route}`);
    const name = /^\{(\w+)\}$/.exec(literal)?.[1] ?? "";
    const pattern = params[name]?.inPath;
    const kind = name === "" ? "literal" : pattern === REST ? "rest" : pattern ? "number" : "text";
    const shape = `${before}/${kind === "literal" ? literal : `{${kind}}`}`;
    segments.push({ kind, literal, name, pattern, before, shape });
  }
  return segments;
}

const API_PATH = /^\/+(?:api|host)(?:\/|$)/;

/**
 * A request's target as it is routed. A proxy's absolute form loses its origin. Repeated and trailing slashes do not
 * matter to the API; pages are told apart by theirs.
 */
export function routedUrl(target: string): string {
  const url = target.startsWith("/") || target === "*" ? target : target.replace(/^https?:\/\/[^/]*/i, "") || "/";
  const question = url.indexOf("?");
  const length = question < 0 ? url.length : question;
  if (!url.endsWith("/", length) && !url.includes("//")) return url;
  const path = url.slice(0, length);
  if (!API_PATH.test(path)) return url;
  return path.replace(/\/+/g, "/").replace(/\/$/, "") + url.slice(path.length);
}
