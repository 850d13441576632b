import type { IncomingMessage } from "node:http";
import { type AnyEndpoint, needsUser } from "./endpoint.ts";
import { type AnyParam, ParamReader } from "./params.ts";

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** An endpoint with everything that can be computed before a request arrives. */
export interface Route {
  readonly endpoint: AnyEndpoint;
  readonly method: string;
  /** The whole path, `{name}` for parameters. */
  readonly path: string;
  readonly reader: ParamReader;
  readonly needsUser: boolean;
}

/** A path with the routes of all its methods. */
export interface RoutePath {
  /** As Fastify's router reads it: `/api/v1/users/:p1(^-?\d+$)`. */
  readonly url: string;
  /** By method. HEAD has the route of GET. */
  readonly routes: ReadonlyMap<string, Route>;
  readonly allowed: readonly string[];
  /** Whether its endpoints read requests themselves. */
  readonly readsRaw: boolean;
}

/** @throws Error for a malformed declaration. */
export function routeOf(endpoint: AnyEndpoint): Route {
  const match = /^(GET|POST|PUT|PATCH|DELETE) (\/\S+)$/.exec(endpoint.route);
  if (!match) throw new Error(`Not a route: ${endpoint.route}`);
  const path = (endpoint.outsideApi ? "" : "/api/v1") + match[2];
  return {
    endpoint,
    method: match[1] as string,
    path,
    reader: new ParamReader(endpoint.params, path.match(/(?<=\{)\w+(?=\})/g) ?? []),
    needsUser: needsUser(endpoint.who),
  };
}

/**
 * The routes by path. Fastify's router prefers literal segments to parameters with a pattern, and those to other
 * parameters. A number has a pattern only if another route has text in its place. Otherwise it takes any segment, so
 * that the error names the parameter.
 *
 * @throws Error for a route that is declared twice.
 */
export function routePaths(routes: readonly Route[]): RoutePath[] {
  const shapes = routes.map(shapeOf);
  const beforeText = new Set(
    shapes.flatMap((shape) => [...shape.matchAll(/\{text\}/g)].map(({ index }) => shape.slice(0, index))),
  );
  const byShape = new Map<string, Map<string, Route>>();
  for (const [index, route] of routes.entries()) {
    const shape = shapes[index] as string;
    const methods = byShape.get(shape) ?? new Map<string, Route>();
    byShape.set(shape, methods);
    if (methods.has(route.method)) throw new Error(`Declared twice: ${route.endpoint.route}`);
    methods.set(route.method, route);
    if (route.method === "GET") methods.set("HEAD", route);
  }
  return [...byShape].map(([shape, methods]) => ({
    url: urlOf(shape, beforeText),
    routes: methods,
    allowed: [...methods.keys()].sort(),
    readsRaw: [...methods.values()].some(({ endpoint }) => endpoint.readsRaw),
  }));
}

/** A path without parameter names, so that paths which only differ in them are equal: `/api/v1/users/{number}`. */
function shapeOf({ path, endpoint }: Route): string {
  const params = endpoint.params as Record<string, AnyParam>;
  return path.replace(/\{(\w+)\}/g, (_, name) => `{${params[name]?.inPath ?? "text"}}`);
}

function urlOf(shape: string, beforeText: ReadonlySet<string>): string {
  return shape.replace(/\{(\w+)\}/g, (_, kind, start) => {
    if (kind === "rest") return "*";
    // A parameter's name in the router only has to be unique in its path.
    const pattern = kind === "number" && beforeText.has(shape.slice(0, start)) ? "(^-?\\d+$)" : "";
    return `:p${start}${pattern}`;
  });
}

const API_PATH = /^\/+(?:api|host)(?:\/|$)/;

/**
 * A request's target for the router. A proxy's absolute form loses its origin. The API ignores repeated and trailing
 * slashes; pages do not.
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

const sentMethods = new WeakMap<IncomingMessage, string>();

/**
 * Routes other methods, such as PURGE, like OPTIONS, which no endpoint declares: the router needs a tree of all paths
 * for each method. `sentMethod` keeps the original.
 */
export function routeOtherMethod(request: IncomingMessage): void {
  const { method = "" } = request;
  if (METHODS.includes(method) || method === "OPTIONS") return;
  sentMethods.set(request, method);
  request.method = "OPTIONS";
}

export const sentMethod = (request: IncomingMessage): string => sentMethods.get(request) ?? (request.method as string);
