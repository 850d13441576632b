import type { IncomingMessage } from "node:http";
import type { FastifyReply } from "fastify";
import { ApiError, problem } from "../errors.ts";
import type { Answers } from "./answers.ts";
import { type Authentication, assertRole } from "./authentication.ts";
import { fieldsOfQuery, type RawBody } from "./body.ts";
import { announcedLength, assertLength } from "./body-limits.ts";
import type { RequestCall } from "./call.ts";
import type { Viewer } from "./endpoint.ts";
import { NO_CODE } from "./envelope.ts";
import { type FileReceiver, isMultipart, type MultipartForm, receiveMultipart } from "./multipart.ts";
import type { HttpOptions } from "./options.ts";
import type { Fields } from "./params.ts";
import type { RequestLimits } from "./rate-limits.ts";
import { type Route, type RoutePath, sentMethod } from "./routes.ts";
import { badOrigin, isOwnOrigin } from "./session-cookie.ts";
import { mayGoAtOnce, nextTurn, turnFor } from "./turns.ts";

/*
 * The stages of a request to an endpoint, in the order in which mount.ts calls them. A stage throws to refuse the
 * request, and answers.ts responds with the error.
 */

/** The context that all stages share. */
export interface HttpParts {
  readonly options: HttpOptions<unknown, Viewer>;
  readonly authentication: Authentication;
  readonly limits: RequestLimits;
  readonly answers: Answers;
}

/** Services send large bodies to incoming webhooks. Requests without the key of a bot have the usual limit. */
const RAW_BODY_LIMIT = 5 * 1024 * 1024;

/** The body of a POST with files is read after sign-in, so no field of it can name another method. */
const hasFiles = ({ routes }: RoutePath, request: IncomingMessage): boolean =>
  routes.get("POST")?.endpoint.takesFiles !== undefined && isMultipart(request);

export function respondToOptions({ allowed }: RoutePath, request: IncomingMessage, reply: FastifyReply): boolean {
  if (sentMethod(request) !== "OPTIONS") return false;
  reply.code(204).header("allow", allowed.join(", ")).send();
  return true;
}

/**
 * The route of the method. Undefined if the body of a POST can name another method: `applyOverride` finds it then.
 * @throws ApiError 405
 */
export function findRoute(path: RoutePath, request: IncomingMessage, http: HttpParts): Route | undefined {
  const isPost = request.method === "POST";
  if (isPost && path.routes.size > 1 && !path.readsRaw && !hasFiles(path, request)) return undefined;
  const route = path.routes.get(request.method as string);
  if (!route && !isPost) throw methodNotAllowed(sentMethod(request), path, request, http);
  return route;
}

function methodNotAllowed(
  method: string,
  { allowed }: RoutePath,
  request: IncomingMessage,
  { limits }: HttpParts,
): ApiError {
  limits.countAddress(request);
  return new ApiError(
    NO_CODE,
    problem("method_not_allowed", { method }),
    { allowed_methods: allowed },
    { status: 405, headers: { allow: allowed.join(", ") } },
  );
}

export function readRawQuery(call: RequestCall): void {
  if (call.route?.endpoint.readsRaw) call.rawQuery = fieldsOfQuery(call.request.url as string) ?? call.rawQuery;
}

export function signIn(call: RequestCall, { authentication }: HttpParts): void {
  if (call.isSignedIn) return;
  const { request } = call;
  const route = call.route as Route;
  if (route.endpoint.ownPagesOnly && request.headers.origin !== undefined && !isOwnOrigin(request)) throw badOrigin();
  const { viewer, isOperator } = authentication.viewerOf(request, route);
  call.viewer = viewer;
  call.isOperator = isOperator;
  call.isSignedIn = true;
}

/** Responds 100 to a client that waits before it sends a multipart body. After a refusal, server.ts closes the connection. */
export function confirmExpectation(call: RequestCall, { raw: response }: FastifyReply): void {
  const { request, bodyLimit } = call;
  if (request.headers.expect === undefined || !isMultipart(request)) return;
  if (call.route?.endpoint.takesFiles) {
    assertRoleOf(call);
    const { limit, maxFiles } = filesOf(call);
    if (announcedLength(request) > maxFiles * limit.bytes + bodyLimit) throw limit.refusal();
  } else assertLength(request, bodyLimit);
  response.shouldKeepAlive = true;
  response.writeContinue();
}

/** Whether the request itself names an account, whose rate limit counts: docs/protocol.md#rate-limits. */
const namesAccount = (call: RequestCall): boolean => call.route?.endpoint.countsAs?.(call) !== undefined;

export const rawBodyLimit = (call: RequestCall): number => (namesAccount(call) ? RAW_BODY_LIMIT : call.bodyLimit);

/** Reads a body with files, after the checks that can refuse it. Returns undefined for endpoints without files. */
export function readFiles(call: RequestCall, http: HttpParts): Promise<MultipartForm> | undefined {
  if (!call.route?.endpoint.takesFiles) return undefined;
  assertRoleOf(call);
  countTowardsLimits(call, http);
  return receiveFiles(call);
}

async function receiveFiles(call: RequestCall): Promise<MultipartForm> {
  const { files, logger } = call.options;
  const receiver = files as FileReceiver;
  const form = await receiveMultipart(call.request, { ...filesOf(call), receiver, fieldBytes: call.bodyLimit });
  call.onAnswered(() => {
    receiver
      .discard(form.files.map(({ content }) => content))
      .catch((error) => logger.error("The remains of an upload could not be removed", error));
  });
  return form;
}

/** The number and size limits of this caller's files. */
function filesOf({ route, reader, app, viewer }: RequestCall) {
  const { limit, most = 1 } = (route as Route).endpoint.takesFiles as NonNullable<Route["endpoint"]["takesFiles"]>;
  return { limit: limit({ reader, app, viewer }), maxFiles: most };
}

/** The fields of the query and of the body. The body wins. */
export function readFields(call: RequestCall, body: unknown): void {
  if (call.route?.endpoint.readsRaw) {
    call.rawBody = body as RawBody | undefined;
    const refusal = call.rawBody?.refusal;
    if (refusal && !namesAccount(call)) throw refusal;
    return;
  }
  if (isForm(body)) {
    call.fields = body.fields;
    call.files = body.files;
  } else if (body) call.fields = body as Fields;
  const fields = fieldsOfQuery(call.request.url as string);
  if (!fields) return;
  for (const [name, value] of call.fields) fields.set(name, value);
  call.fields = fields;
}

const isForm = (body: unknown): body is MultipartForm =>
  body !== null && typeof body === "object" && "files" in body && "fields" in body;

/**
 * Replaces the route of a POST by that of the method in the field `method`.
 * @throws ApiError 405
 */
export function applyOverride(call: RequestCall, http: HttpParts): void {
  const { path, request } = call;
  if (request.method !== "POST" || hasFiles(path, request)) return;
  // An endpoint with a parameter of this name gets the field.
  const override = path.routes.get("POST")?.endpoint.params.method ? undefined : call.fields.get("method");
  if (override !== undefined) (call.fields as Map<string, string>).delete("method");
  const method = override?.slice(0, 20).toUpperCase() ?? "POST";
  call.route = path.routes.get(method);
  if (!call.route) throw methodNotAllowed(method, path, request, http);
}

export function countTowardsLimits(call: RequestCall, { limits }: HttpParts): void {
  const { viewer, request, fields } = call;
  if (call.isOperator || call.rateLimit) return;
  const named = call.route?.endpoint.countsAs?.(call);
  if (named !== undefined) call.rateLimit = limits.countUser(named);
  else if (!viewer || viewer.id === 0) call.rateLimit = limits.countAddress(request);
  else if (call.route?.endpoint.countsTowardsLimit?.(fields) !== false) call.rateLimit = limits.countUser(viewer.id);
}

export function assertRoleOf({ viewer, isOperator, route }: RequestCall): void {
  if (viewer && route && !(isOperator && !route.needsUser)) assertRole(route.endpoint, viewer);
}

export function readParams(call: RequestCall, inPath: unknown): void {
  const { reader } = call.route as Route;
  call.params = reader.read(call.fields, reader.readsPath ? Object.values(inPath as Record<string, string>) : []);
}

/**
 * The turn that the call has to wait for, if any. Reads take turns, except for long polls, which cost little. Parallel
 * requests of one caller take turns too.
 */
export function turnOf(call: RequestCall): Promise<void> | undefined {
  const { route, fields, caller } = call;
  const { takesTurns = route?.method === "GET", countsTowardsLimit } = (route as Route).endpoint;
  call.takesTurns = takesTurns && countsTowardsLimit?.(fields) !== false;
  if (call.takesTurns) return turnFor(caller);
  if (mayGoAtOnce(caller)) return undefined;
  call.takesTurns = true;
  return nextTurn(caller);
}

/** Signs in and checks the role again: both can change while the call waits. */
export function checkAgain(call: RequestCall, http: HttpParts): void {
  call.isSignedIn = false;
  signIn(call, http);
  assertRoleOf(call);
}

/** The result of the handler. A change first waits for room on the disk. */
export function runHandler(call: RequestCall): unknown {
  const room = call.route?.method === "GET" ? undefined : call.options.store.untilRoom();
  if (room) return room.then(() => runHandler(call));
  return call.route?.endpoint.handle(call);
}
