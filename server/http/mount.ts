import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addFieldParsers, addRawParser } from "./body.ts";
import { RequestCall } from "./call.ts";
import { BODY_LIMIT } from "./options.ts";
import { METHODS, type Route, type RoutePath, routePaths } from "./routes.ts";
import {
  applyOverride,
  assertRoleOf,
  checkAgain,
  confirmExpectation,
  countTowardsLimits,
  findRoute,
  type HttpParts,
  rawBodyLimit,
  readFields,
  readFiles,
  readParams,
  readRawQuery,
  respondToOptions,
  runHandler,
  signIn,
  turnOf,
} from "./stages.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Null for pages, and before the route is found. */
    call: RequestCall | null;
  }
}

/**
 * Adds the declared paths to Fastify: docs/architecture.md#path-of-a-request. Each path takes all methods: with a
 * method that `/users/me` does not have, a request must not reach `/users/{user_id}`. One route for all methods of a
 * path, since each route makes the start a third of a millisecond longer.
 */
export function mountEndpoints(fastify: FastifyInstance, routes: readonly Route[], http: HttpParts): void {
  const { bodyLimit = BODY_LIMIT } = http.options;
  const addPaths = (api: FastifyInstance, paths: readonly RoutePath[]) => {
    for (const path of paths) {
      api.route({
        method: [...METHODS, "OPTIONS"],
        url: path.url,
        onRequest: (request, reply, done) => {
          if (beforeBody(path, request, reply, http)) done();
        },
        // Between them, Fastify reads the body: body.ts.
        handler: (request, reply) => afterBody(request, reply, http),
      });
    }
  };
  fastify.decorateRequest("call", null);
  // Their bodies are ignored, but bounded like all others.
  for (const method of ["GET", "HEAD"]) fastify.addHttpMethod(method, { hasBody: true, overrideExisting: true });
  const paths = Map.groupBy(routePaths(routes), ({ readsRaw }) => readsRaw);
  fastify.register(async (api) => {
    addFieldParsers(api, bodyLimit, ({ call }) => (call ? readFiles(call, http) : undefined));
    addPaths(api, paths.get(false) ?? []);
  });
  fastify.register(async (api) => {
    addRawParser(api, ({ call }) => (call ? rawBodyLimit(call) : bodyLimit));
    addPaths(api, paths.get(true) ?? []);
  });
}

/** Returns false after a response. */
function beforeBody(path: RoutePath, request: FastifyRequest, reply: FastifyReply, http: HttpParts): boolean {
  if (respondToOptions(path, request.raw, reply)) return false;
  const route = findRoute(path, request.raw, http);
  const call = new RequestCall(http.options, path, route, request.raw, reply.raw);
  request.call = call;
  readRawQuery(call);
  if (route) signIn(call, http);
  confirmExpectation(call, reply);
  return true;
}

function afterBody(request: FastifyRequest, reply: FastifyReply, http: HttpParts): void {
  const call = request.call as RequestCall;
  readFields(call, request.body);
  applyOverride(call, http);
  signIn(call, http);
  countTowardsLimits(call, http);
  assertRoleOf(call);
  readParams(call, request.params);
  const turn = turnOf(call);
  if (turn) respondAfter(turn, call, request, reply, http);
  else respond(call, request, reply, http);
}

function respondAfter(
  turn: Promise<void>,
  call: RequestCall,
  request: FastifyRequest,
  reply: FastifyReply,
  http: HttpParts,
): void {
  turn
    .then(() => {
      if (reply.raw.destroyed) return reply.hijack();
      checkAgain(call, http);
      respond(call, request, reply, http);
    })
    .catch((error) => http.answers.error(error, request, reply));
}

/** Without `await`: a promise for each request measurably slows down sends. */
function respond(call: RequestCall, request: FastifyRequest, reply: FastifyReply, { answers }: HttpParts): void {
  const result = runHandler(call);
  if (!(result instanceof Promise)) return void answers.success(result, request, reply);
  result.then(
    (settled) => answers.success(settled, request, reply),
    (error) => answers.error(error, request, reply),
  );
}
