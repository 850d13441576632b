import { once } from "node:events";
import { connect } from "node:net";
import type { TestContext } from "node:test";
import { z } from "zod";
import { ApiError, badRequest, problem } from "../../server/errors.ts";
import { endpointFor, RawJson } from "../../server/http/endpoint.ts";
import type { HttpOptions, HttpStore } from "../../server/http/options.ts";
import { integer, json, listOf, rawOrJson, text } from "../../server/http/params.ts";
import { createHttp } from "../../server/http/server.ts";
import { RecordTooLarge, StorageBusy, StorageClosed, StorageFailed, StorageFull } from "../../server/storage/errors.ts";

const STORAGE_ERRORS: readonly Error[] = [
  new StorageFailed("the disk"),
  new StorageFull(),
  new StorageBusy(),
  new StorageClosed(),
  new RecordTooLarge(2, 1),
];

// An API for testing server/http: endpoints that echo their requests, and a user of each role.

export interface User {
  bot_type?: number | null;
  id: number;
  email: string;
  role: number;
  is_bot: boolean;
}
export interface App {
  greeting: string;
  held: ((value: RawJson) => void)[];
  gone: () => void;
}
export const endpoint = endpointFor<App, User>();

export const sendMessage = endpoint({
  route: "POST /messages",
  summary: "Send a message.",
  who: "guest",
  params: {
    to: rawOrJson(z.union([z.string(), z.int(), z.array(z.int())])).describe("Where to."),
    topic: text().alias("subject").optional(),
    content: text().maxLength(10),
  },
  response: z.looseObject({ id: z.int() }),
  handle: ({ params, viewer, transact }) => ({ id: transact(() => 7), sent: params, by: viewer.id }),
});
const answered = <const R extends string, const W extends "member" | "moderator" | "administrator" | "owner">(
  route: R,
  who: W,
  more = {},
) => endpoint({ route, summary: "Answers.", who, ...more, handle: () => ({}) });

export const endpoints = [
  sendMessage,
  endpoint({
    route: "GET /messages",
    summary: "Read messages.",
    who: "member",
    params: {
      ids: listOf(integer()).optional(),
      narrow: json(z.array(z.object({ operator: z.string() }))).default([]),
    },
    response: z.object({ ids: z.array(z.int()).optional(), narrow: z.array(z.unknown()) }),
    handle: ({ params: { ids, narrow } }) => ({ ...(ids && { ids }), narrow }),
  }),
  endpoint({
    route: "PATCH /messages/{message_id}",
    summary: "Edit a message.",
    who: "member",
    params: { message_id: integer(), content: text().optional() },
    response: z.object({ message_id: z.int(), content: z.string().optional() }),
    handle: ({ params: { message_id, content } }) => ({ message_id, ...(content !== undefined && { content }) }),
  }),
  endpoint({
    route: "DELETE /messages/{message_id}",
    summary: "Delete a message.",
    who: "member",
    params: { message_id: integer(), reason: text().optional() },
    response: z.looseObject({}),
    handle: ({ params: { message_id, reason } }) => ({ deleted: message_id, reason }),
  }),
  endpoint({
    route: "GET /users/me",
    summary: "Oneself.",
    who: "member",
    response: z.looseObject({}),
    handle: ({ viewer }) => ({ user_id: viewer.id }),
  }),
  endpoint({
    route: "GET /users/{user_id}",
    summary: "A user by id.",
    who: "member",
    params: { user_id: integer() },
    response: z.object({ by: z.literal("id"), user_id: z.int() }),
    handle: ({ params }) => ({ by: "id" as const, user_id: params.user_id }),
  }),
  endpoint({
    route: "GET /users/{email}",
    summary: "A user by email.",
    who: "member",
    params: { email: text() },
    response: z.object({ by: z.literal("email"), email: z.string() }),
    handle: ({ params }) => ({ by: "email" as const, email: params.email }),
  }),
  answered("GET /for/members", "member"),
  answered("GET /for/people", "member", { bots: false }),
  answered("GET /for/webhooks", "member", { incomingWebhooks: true }),
  answered("GET /for/moderators", "moderator"),
  answered("GET /for/administrators", "administrator"),
  answered("GET /for/owners", "owner"),
  answered("POST /for/nobody", "member"),
  endpoint({
    route: "GET /for/owners/{id}",
    summary: "For the order of refusals.",
    who: "owner",
    params: { id: integer() },
    handle: () => ({}),
  }),
  endpoint({
    route: "GET /host/state",
    summary: "The host's.",
    who: "operator",
    outsideApi: true,
    response: z.looseObject({}),
    handle: ({ viewer }) => ({ as: viewer?.id ?? null }),
  }),
  endpoint({
    route: "GET /host/settings",
    summary: "The host's or owners'.",
    who: "operator or owner",
    outsideApi: true,
    handle: () => ({}),
  }),
  endpoint({
    route: "GET /host/audit",
    summary: "The host's or administrators'.",
    who: "operator or administrator",
    outsideApi: true,
    handle: () => ({}),
  }),
  endpoint({
    route: "GET /server_settings",
    summary: "Greeting.",
    who: "anyone",
    response: z.looseObject({}),
    handle: ({ app, client, address, baseUrl, viewer }) => ({
      greeting: app.greeting,
      client,
      address,
      baseUrl,
      viewer: viewer?.id ?? null,
    }),
  }),
  endpoint({
    route: "POST /fetch_api_key",
    summary: "Sign in.",
    who: "anyone",
    ignoreCredentials: true,
    handle: () => ({}),
  }),
  endpoint({
    route: "GET /events",
    summary: "Held.",
    who: "member",
    params: { queue_id: text(), dont_block: text().optional() },
    countsTowardsLimit: (fields) => fields.get("dont_block") === "true",
    handle: (call) =>
      call.params.dont_block
        ? new RawJson('{"result":"success","msg":"","events":[]}')
        : new Promise<RawJson>((resolve, reject) => {
            call.app.held.push(resolve);
            call.onGone(() => {
              call.app.gone();
              reject(Object.assign(new Error("The client disconnected."), { name: "AbortError" }));
            });
          }),
  }),
  endpoint({
    route: "GET /broken",
    summary: "A bug.",
    who: "member",
    handle: () => {
      throw new Error("secret: 42");
    },
  }),
  endpoint({
    route: "GET /broken/later",
    summary: "A bug.",
    who: "member",
    handle: async () => {
      throw new Error("secret: 43");
    },
  }),
  endpoint({
    route: "GET /broken/storage/{name}",
    summary: "A failure.",
    who: "member",
    params: { name: text() },
    handle: ({ params }) => {
      throw STORAGE_ERRORS.find(({ name }) => name === params.name) ?? new Error(`No error ${params.name}`);
    },
  }),
  endpoint({
    route: "GET /refused",
    summary: "A refusal.",
    who: "member",
    handle: () => {
      throw badRequest("unknown", { cause: "Not today." }, { day: 1 });
    },
  }),
  endpoint({
    route: "GET /lies",
    summary: "Answers otherwise.",
    who: "member",
    response: z.object({ id: z.int() }),
    handle: () => ({ id: "x" }) as unknown as { id: number },
  }),
];

export const PEOPLE: Record<string, User> = {};
for (const [name, role, is_bot] of [
  ["owner", 100, false],
  ["admin", 200, false],
  ["moderator", 300, false],
  ["member", 400, false],
  ["guest", 600, false],
  ["bot", 400, true],
  ["webhook", 400, true],
] as const) {
  PEOPLE[`${name}@x.y`] = {
    id: Object.keys(PEOPLE).length + 1,
    email: `${name}@x.y`,
    role,
    is_bot,
    bot_type: name === "webhook" ? 2 : is_bot ? 1 : null,
  };
}
export const as = (name: string, key = "k".repeat(32)) => ({ authorization: `Basic ${btoa(`${name}@x.y:${key}`)}` });
export const operator = { authorization: "Bearer operator-token" };
export const form = { "content-type": "application/x-www-form-urlencoded" };

/** Serves the endpoints above, or others, on a free port without a store. */
export async function start(t: TestContext, overrides: Partial<HttpOptions<App, User>> = {}) {
  const errors: unknown[] = [];
  const emitted: { gone?: () => void } = {};
  const app: App = { greeting: "hello", held: [], gone: () => emitted.gone?.() };
  const store = {
    seq: 3,
    durable: () => undefined,
    untilRoom: () => undefined,
    transact: (_about: unknown, fn: (tx: never) => unknown) => fn(undefined as never),
  } as unknown as HttpStore & Pick<{ -readonly [K in keyof HttpStore]: HttpStore[K] }, "seq" | "durable" | "untilRoom">;
  const http = createHttp<App, User>({
    endpoints,
    store,
    app,
    identify: (email, key) => {
      const user = PEOPLE[email];
      if (!user || key.length !== 32)
        throw new ApiError("INVALID_API_KEY", problem("unknown", { cause: "Invalid API key" }), {}, { status: 401 });
      return user;
    },
    operatorToken: "operator-token",
    operatorActsAs: () => PEOPLE["owner@x.y"],
    logger: { error: (_message, error) => errors.push(error) },
    checkResponses: true,
    ...overrides,
  });
  const { port } = await http.listen({ host: "127.0.0.1", port: 0 });
  t.after(() => http.close());
  /** Sends raw bytes and returns all output until the server closes the connection. */
  const raw = async (...parts: string[]) => {
    const socket = connect(port, "127.0.0.1");
    let got = "";
    socket
      .setEncoding("utf8")
      .on("data", (chunk) => (got += chunk))
      .on("error", () => {});
    await once(socket, "connect");
    for (const part of parts) socket.write(part);
    await new Promise((resolve) => socket.once("close", resolve));
    const [head = "", body = ""] = got.split("\r\n\r\n");
    return { status: Number(head.split(" ")[1]), head, body: body.startsWith("{") ? JSON.parse(body) : undefined };
  };
  const call = async (
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string | FormData | Buffer<ArrayBuffer> } = {},
  ) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { "hearth-error-reason": "1", ...headers },
      ...(body !== undefined && { body }),
    });
    const textBody = await response.text();
    return { status: response.status, headers: response.headers, body: textBody ? JSON.parse(textBody) : undefined };
  };
  const get = (path: string, headers: Record<string, string> = as("member")) => call("GET", path, { headers });
  const post = (path: string, body: string, headers: Record<string, string> = as("member")) =>
    call("POST", path, { headers: { ...form, ...headers }, body });
  return { http, app, store, errors, port, raw, call, get, post, emitted };
}
