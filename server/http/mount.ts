import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { ApiError } from "../errors.ts";
import type { Answers } from "./answers.ts";
import { Authentication, assertRole } from "./authentication.ts";
import { addFieldParsers, addRawParser, announcedLength, assertLength, fieldsOf, type RawBody } from "./body.ts";
import { RequestCall } from "./call.ts";
import type { Viewer } from "./endpoint.ts";
import { NO_CODE } from "./envelope.ts";
import {
  type FileReceiver,
  isMultipart,
  type MultipartForm,
  receiveMultipart,
  type SizeLimit,
} from "./multipart-files.ts";
import { BODY_LIMIT, type HttpOptions } from "./options.ts";
import type { Fields } from "./params.ts";
import type { RequestLimits } from "./rate-limits.ts";
import { entryAt, type Route, type RouteEntry, routedMethods, routeEntries } from "./routes.ts";
import { badOrigin, isOwnOrigin } from "./session-cookie.ts";
import { mayGoAtOnce, nextTurn, turnFor } from "./turns.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Null for what is no endpoint. */
    call: RequestCall<unknown, Viewer> | null;
  }
}

/** Some services send long lists of changes. Strangers send less. */
const RAW_BODY_LIMIT = 5 * 1024 * 1024;

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Whether a path is of endpoints that read their requests themselves: none of their fields means another method. */
const entryReadsRaw = ({ methods }: RouteEntry): boolean =>
  [...methods.values()].some(({ endpoint }) => endpoint.readsRaw);

const entryTakesFiles = ({ methods }: RouteEntry): boolean =>
  [...methods.values()].some(({ endpoint }) => endpoint.takesFiles);

/** A body with files is of the POST that takes them: it is read when its sender has signed in, so no field of it says otherwise. */
const bringsFiles = (entry: RouteEntry, request: IncomingMessage): boolean =>
  entry.methods.get("POST")?.endpoint.takesFiles !== undefined && isMultipart(request);

const isForm = (body: unknown): body is MultipartForm =>
  body !== null && typeof body === "object" && "files" in body && "fields" in body;

/**
 * Makes each declared path a route of Fastify: docs/architecture.md#a-requests-way. What it gives answers whoever asks
 * for one of these paths by a method that is no route, and says whether it did.
 */
export function mountEndpoints<App, V extends Viewer>(
  fastify: FastifyInstance,
  routes: readonly Route[],
  options: HttpOptions<App, V>,
  limits: RequestLimits,
  answers: Answers,
): (request: IncomingMessage, reply: FastifyReply) => boolean {
  const { bodyLimit = BODY_LIMIT } = options;
  const authentication = new Authentication(options, limits);
  type OwnCall = RequestCall<App, V>;

  /** What a request goes through, in order, after the hooks of server.ts. What a stage throws, answers.ts answers. */
  const lifecycle = (entry: RouteEntry) => ({
    onRequest: begin(entry),
    // Here Fastify reads the body: body.ts.
    handler(request: FastifyRequest, reply: FastifyReply): void {
      const call = request.call as OwnCall;
      readFields(call, request);
      chooseRoute(call, entry);
      signIn(call);
      countTowardsLimits(call);
      assertRoleOf(call);
      readParams(call, request);
      const turn = turnOf(call);
      if (turn) answerAfter(turn, call, request, reply);
      else answer(call, request, reply);
    },
  });

  const begin =
    (entry: RouteEntry): onRequestHookHandler =>
    (request, reply, done) => {
      const { raw } = request;
      const method = raw.method as string;
      // Of a POST, the body may say that it means another method.
      const mayMeanAnother =
        method === "POST" && entry.methods.size > 1 && !entryReadsRaw(entry) && !bringsFiles(entry, raw);
      const route = mayMeanAnother ? undefined : entry.methods.get(method);
      if (!route && method !== "POST") return answerWrongMethod(entry, raw, reply);
      const call = new RequestCall<App, V>(options, route, raw, reply.raw);
      request.call = call;
      if (route?.endpoint.readsRaw) readRawQuery(call, raw.url as string);
      if (raw.headers.expect !== undefined && isMultipart(raw)) hearFirst(call, reply);
      signInBeforeBody(call);
      done();
    };

  function readRawQuery(call: OwnCall, url: string): void {
    const question = url.indexOf("?");
    if (question >= 0) call.rawQuery = fieldsOf(url.slice(question + 1));
  }

  /** Whether a request that its handler reads itself comes in the name of an account: docs/protocol.md#rate-limits. */
  const namesAccount = (call: OwnCall): boolean => call.route?.endpoint.countsAs?.(call) !== undefined;

  /** For a sender who waits to hear whether to send its body. server.ts has a refusal end the connection. */
  function hearFirst(call: OwnCall, { raw: response }: FastifyReply): void {
    signInBeforeBody(call);
    if (call.route?.endpoint.takesFiles) {
      assertRoleOf(call);
      const { limit, maxFiles } = filesOf(call);
      if (announcedLength(call.request) > maxFiles * limit.bytes + bodyLimit) throw limit.refusal();
    } else assertLength(call.request, bodyLimit);
    response.shouldKeepAlive = true;
    response.writeContinue();
  }

  /** How many files this caller may send, and how large. */
  function filesOf(call: OwnCall): { limit: SizeLimit; maxFiles: number } {
    const { takesFiles } = (call.route as Route).endpoint;
    const { reader, app, viewer } = call;
    return { limit: takesFiles?.limit({ reader, app, viewer }) as SizeLimit, maxFiles: takesFiles?.most ?? 1 };
  }

  /** Reads a body with files, after what tells whether this caller may send any. */
  async function readFiles(call: OwnCall): Promise<MultipartForm> {
    const receiver = options.files as FileReceiver;
    assertRoleOf(call);
    countTowardsLimits(call);
    const form = await receiveMultipart(call.request, { ...filesOf(call), receiver, fieldBytes: bodyLimit });
    call.onAnswered(() => {
      receiver
        .discard(form.files.map(({ content }) => content))
        .catch((error) => options.logger.error("The remains of an upload could not be removed", error));
    });
    return form;
  }

  /** Not for a POST that may mean another method: its body says which. */
  function signInBeforeBody(call: OwnCall): void {
    if (call.route) signIn(call);
  }

  function signIn(call: OwnCall): void {
    if (call.isSignedIn) return;
    const route = call.route as Route;
    const { request } = call;
    if (route.endpoint.ownPagesOnly && request.headers.origin !== undefined && !isOwnOrigin(request)) throw badOrigin();
    const { viewer, atDesktop } = authentication.viewerOf(request, route);
    call.viewer = viewer;
    call.atDesktop = atDesktop;
    call.isSignedIn = true;
  }

  /** Those of the query and of the body, which wins. */
  function readFields(call: OwnCall, { raw, body }: FastifyRequest): void {
    const url = raw.url as string;
    const question = url.indexOf("?");
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
    if (question < 0) return;
    const fields = fieldsOf(url.slice(question + 1));
    for (const [name, value] of call.fields) fields.set(name, value);
    call.fields = fields;
  }

  /** A POST may say in a field that it means another method. */
  function chooseRoute(call: OwnCall, entry: RouteEntry): void {
    if (call.request.method !== "POST" || bringsFiles(entry, call.request)) return;
    const post = entry.methods.get("POST");
    // The field is used up only where it overrides; an endpoint may still have a parameter of this name.
    const override = post?.endpoint.params.method ? undefined : call.fields.get("method");
    if (override !== undefined) (call.fields as Map<string, string>).delete("method");
    const method = override?.slice(0, 20).toUpperCase() ?? "POST";
    call.route = entry.methods.get(method);
    if (!call.route) throw notAllowed(method, entry, call.request);
  }

  function countTowardsLimits(call: OwnCall): void {
    const { viewer, request, fields } = call;
    if (call.atDesktop || call.rateLimit) return;
    const named = call.route?.endpoint.countsAs?.(call);
    if (named !== undefined) call.rateLimit = limits.countUser(named);
    else if (!viewer || viewer.id === 0) call.rateLimit = limits.countAddress(request);
    else if (call.route?.endpoint.countsTowardsLimit?.(fields) !== false) call.rateLimit = limits.countUser(viewer.id);
  }

  function assertRoleOf({ viewer, atDesktop, route }: OwnCall): void {
    if (viewer && route && !(atDesktop && !route.needsUser)) assertRole(route.endpoint, viewer);
  }

  function readParams(call: OwnCall, { params }: FastifyRequest): void {
    const { reader } = call.route as Route;
    call.params = reader.read(call.fields, reader.readsPath ? Object.values(params as Record<string, string>) : []);
  }

  /**
   * What the call has to wait for, if anything. Reads take turns, except long polls, which cost little. Other requests
   * take turns only if the same caller sends several in parallel.
   */
  function turnOf(call: OwnCall): Promise<void> | undefined {
    const { route, fields, caller } = call;
    const { takesTurns = route?.method === "GET", countsTowardsLimit } = (route as Route).endpoint;
    call.takesTurns = takesTurns && countsTowardsLimit?.(fields) !== false;
    if (call.takesTurns) return turnFor(caller);
    if (mayGoAtOnce(caller)) return undefined;
    call.takesTurns = true;
    return nextTurn(caller);
  }

  function answerAfter(turn: Promise<void>, call: OwnCall, request: FastifyRequest, reply: FastifyReply): void {
    turn
      .then(() => {
        if (reply.raw.destroyed) return reply.hijack();
        // Who waited may have been deactivated meanwhile, or have another role.
        call.isSignedIn = false;
        signIn(call);
        assertRoleOf(call);
        answer(call, request, reply);
      })
      .catch((error) => answers.error(error, request, reply));
  }

  function answer(call: OwnCall, request: FastifyRequest, reply: FastifyReply): void {
    const room = call.route?.method === "GET" ? undefined : options.store.untilRoom();
    if (room) {
      room.then(() => answer(call, request, reply)).catch((error) => answers.error(error, request, reply));
      return;
    }
    const result = call.route?.endpoint.handle(call) as unknown;
    if (!(result instanceof Promise)) {
      void answers.success(result, request, reply);
      return;
    }
    result.then(
      (settled) => answers.success(settled, request, reply),
      (error) => answers.error(error, request, reply),
    );
  }

  function answerWrongMethod(entry: RouteEntry, request: IncomingMessage, reply: FastifyReply): void {
    if (request.method !== "OPTIONS") throw notAllowed(request.method as string, entry, request);
    reply.code(204).header("allow", entry.allowed.join(", ")).send();
  }

  function notAllowed(method: string, { allowed }: RouteEntry, request: IncomingMessage): ApiError {
    limits.countAddress(request);
    return new ApiError(
      NO_CODE,
      `This address does not take the method ${method}.`,
      { allowed_methods: allowed },
      { status: 405, headers: { allow: allowed.join(", ") } },
    );
  }

  const entries = routeEntries(routes);
  const mount = (api: FastifyInstance, isOurs: (entry: RouteEntry) => boolean) => {
    for (const entry of entries) {
      if (isOurs(entry)) api.route({ method: routedMethods(entry, entries), url: entry.url, ...lifecycle(entry) });
    }
  };

  fastify.decorateRequest("call", null);
  // Parameters come in bodies of any method.
  for (const method of ["GET", "HEAD"]) fastify.addHttpMethod(method, { hasBody: true, overrideExisting: true });
  fastify.register(async (api) => {
    addFieldParsers(api, bodyLimit);
    mount(api, (entry) => !entryReadsRaw(entry) && !entryTakesFiles(entry));
  });
  fastify.register(async (api) => {
    addRawParser(api, ({ call }) => (call && namesAccount(call as OwnCall) ? RAW_BODY_LIMIT : bodyLimit));
    mount(api, entryReadsRaw);
  });
  fastify.register(async (api) => {
    addFieldParsers(api, bodyLimit, ({ call }) =>
      call?.route?.endpoint.takesFiles ? readFiles(call as OwnCall) : undefined,
    );
    mount(api, entryTakesFiles);
  });
  return (request, reply) => {
    const [path = ""] = (request.url as string).split("?", 1);
    const entry = entryAt(decodeURI(path), entries);
    if (entry) answerWrongMethod(entry, request, reply);
    return entry !== undefined;
  };
}
