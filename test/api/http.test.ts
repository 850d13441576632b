import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { z } from "zod";
import { ApiError, badRequest } from "../../server/errors.ts";
import {
  endpointFor,
  type InputOf,
  type ParamsOf,
  RawJson,
  type ResponseOf,
  type RouteOf,
  type Transact,
} from "../../server/http/endpoint.ts";
import type { HttpOptions, HttpStore } from "../../server/http/options.ts";
import { integer, json, listOf, rawOrJson, text } from "../../server/http/params.ts";
import { createHttp } from "../../server/http/server.ts";

interface User {
  bot_type?: number | null;
  id: number;
  email: string;
  role: number;
  is_bot: boolean;
}
interface App {
  greeting: string;
  held: ((value: RawJson) => void)[];
  gone: () => void;
}
const endpoint = endpointFor<App, User>();

const sendMessage = endpoint({
  route: "POST /messages",
  summary: "Send a message.",
  who: "member",
  guests: true,
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

const endpoints = [
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
              reject(Object.assign(new Error("The caller has gone."), { name: "AbortError" }));
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
      throw Object.assign(new Error("x"), { name: params.name });
    },
  }),
  endpoint({
    route: "GET /refused",
    summary: "A refusal.",
    who: "member",
    handle: () => {
      throw badRequest("Not today.", { day: 1 });
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

// The typed client of ui/ depends on these types.
const typedInput: InputOf<typeof sendMessage> = { to: [1], content: "x" };
const typedParams: ParamsOf<typeof sendMessage>["topic"] = undefined;
const typedRoute: RouteOf<typeof sendMessage> = "POST /messages";
const typedResponse: ResponseOf<typeof sendMessage>["id"] = 1;
assert.ok([typedInput, typedParams, typedRoute, typedResponse]);

export function doesNotCompile(transact: Transact) {
  // @ts-expect-error a transaction is synchronous
  transact(async () => 1);
  const viewers: [number, number | undefined] = [0, 0];
  endpoint({
    route: "GET /typed",
    summary: "Types.",
    who: "member",
    handle: ({ viewer }) => {
      viewers[0] = viewer.id;
      return {};
    },
  });
  // @ts-expect-error `who` is required
  endpoint({ route: "GET /typed", summary: "Types.", handle: () => ({}) });
  endpoint({
    route: "GET /typed",
    summary: "Types.",
    who: "anyone",
    handle: ({ viewer }) => {
      // @ts-expect-error the caller may be anonymous
      viewers[0] = viewer.id;
      return {};
    },
  });
}

const PEOPLE: Record<string, User> = {};
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
const as = (name: string, key = "k".repeat(32)) => ({ authorization: `Basic ${btoa(`${name}@x.y:${key}`)}` });
const operator = { authorization: "Bearer operator-token" };
const form = { "content-type": "application/x-www-form-urlencoded" };

async function start(t: TestContext, overrides: Partial<HttpOptions<App, User>> = {}) {
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
      if (!user || key.length !== 32) throw new ApiError("INVALID_API_KEY", "Invalid API key", {}, { status: 401 });
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
  /** Sends raw bytes and returns everything until the server closes the connection. */
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
      headers,
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

test("parameters merge from query, form and multipart, body first", async (t) => {
  const { call, post } = await start(t);
  const sent = async (answer: ReturnType<typeof call>) => (await answer).body.sent;
  assert.deepEqual(await sent(post("/api/v1/messages", "to=general&topic=a+b&content=%C3%A9")), {
    to: "general",
    topic: "a b",
    content: "é",
  });
  assert.deepEqual(await sent(post("/api/v1/messages?content=query&to=5", "content=first&content=body")), {
    to: 5,
    content: "body",
  });
  assert.deepEqual(await sent(call("POST", "/api/v1/messages?to=5&content=x", { headers: as("member") })), {
    to: 5,
    content: "x",
  });
  const multipart = new FormData();
  multipart.append("to", "[1,2]");
  multipart.append("subject", "b\r\nc");
  multipart.append("content", "é👍");
  assert.deepEqual(await sent(call("POST", "/api/v1/messages", { headers: as("member"), body: multipart })), {
    to: [1, 2],
    topic: "b\r\nc",
    content: "é👍",
  });
  for (const method of ["PATCH", "DELETE"]) {
    const field = method === "PATCH" ? "content" : "reason";
    const byQuery = await call(method, `/api/v1/messages/3?${field}=q`, { headers: as("member") });
    assert.equal(byQuery.body[field], "q");
    const byBody = await call(method, `/api/v1/messages/3?${field}=q`, {
      headers: { ...as("member"), ...form },
      body: `${field}=b`,
    });
    assert.equal(byBody.body[field], "b");
  }
});

test("a success lists ignored parameters in the order sent", async (t) => {
  const { get, post } = await start(t);
  const { body } = await post("/api/v1/messages?zebra=1", "to=a&apple=2&content=c");
  assert.deepEqual(body.ignored_parameters_unsupported, ["zebra", "apple"]);
  assert.equal("ignored_parameters_unsupported" in (await post("/api/v1/messages", "to=a&content=c")).body, false);
  const raw = await get("/api/v1/events?queue_id=1&dont_block=true&odd=1");
  assert.deepEqual(raw.body, { result: "success", msg: "", events: [], ignored_parameters_unsupported: ["odd"] });
  const refused = await get("/api/v1/refused?odd=1");
  assert.deepEqual(refused.body, { result: "error", msg: "Not today.", code: "BAD_REQUEST", day: 1 });
});

test("missing, malformed and duplicate parameters are named", async (t) => {
  const { get, post } = await start(t);
  const refusal = async (answer: ReturnType<typeof post>) => {
    const { status, body } = await answer;
    assert.equal(status, 400);
    assert.equal(body.result, "error");
    return body;
  };
  assert.deepEqual(await refusal(post("/api/v1/messages", "to=a")), {
    result: "error",
    msg: "The parameter content is missing.",
    code: "REQUEST_VARIABLE_MISSING",
    var_name: "content",
  });
  assert.equal(
    (await refusal(post("/api/v1/messages", "to=a&content=x&topic=1&subject=2"))).code,
    "REQUEST_CONFUSING_VAR",
  );
  assert.equal(
    (await refusal(post("/api/v1/messages?subject=2", "to=a&content=x&topic=1"))).code,
    "REQUEST_CONFUSING_VAR",
  );
  assert.match((await refusal(post("/api/v1/messages", `to=a&content=${"x".repeat(11)}`))).msg, /content .*10/);
  assert.match((await refusal(get("/api/v1/messages?narrow=[{}]"))).msg, /narrow\[0\]\.operator is missing/);
  assert.match((await refusal(get("/api/v1/messages?ids=%zz"))).msg, /ids/);
  assert.match((await refusal(post("/api/v1/messages", `${"a=1&".repeat(1001)}`))).msg, /too many fields/);
});

test("routing collapses slashes, prefers literals and rejects bad numbers", async (t) => {
  const { call, get } = await start(t);
  for (const path of ["/api/v1//users/me", "//api/v1/users//me/", "/api/v1/users/me/"])
    assert.equal((await get(path)).body.user_id, 4, path);
  assert.equal((await get("/api/v1/users/12")).body.user_id, 12);
  assert.equal((await get("/api/v1/users/a%40b.c")).body.email, "a@b.c");
  const bad = await call("PATCH", "/api/v1/messages/abc", { headers: as("member") });
  assert.deepEqual([bad.status, bad.body.msg], [400, "message_id must be an integer."]);
  const encoded = await get("/api/v1/users/%ff");
  assert.deepEqual([encoded.status, encoded.body.result], [404, "error"]);
});

test("HEAD, OPTIONS and method overrides work", async (t) => {
  const { call, get, post, raw } = await start(t);
  const patched = await post("/api/v1/messages/5", "method=PATCH&content=x");
  assert.deepEqual(patched.body, { result: "success", msg: "", message_id: 5, content: "x" });
  const put = await post("/api/v1/messages/5", "method=PUT");
  assert.equal(put.status, 405);
  assert.match(put.body.msg, /PUT/);
  assert.deepEqual((await get("/api/v1/messages?method=DELETE")).body.ignored_parameters_unsupported, ["method"]);
  const head = await call("HEAD", "/api/v1/users/me", { headers: as("member") });
  assert.deepEqual([head.status, head.body], [200, undefined]);
  assert.ok(Number(head.headers.get("content-length")) > 20);
  const options = await call("OPTIONS", "/api/v1/messages");
  assert.deepEqual([options.status, options.headers.get("allow")], [204, "GET, HEAD, POST"]);
  assert.equal(options.headers.get("access-control-allow-origin"), null);
  assert.equal((await raw("OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")).status, 204);
});

test("long answers are compressed for callers who take gzip", async (t) => {
  const { call } = await start(t);
  const echoOf = (operator: string) => `/api/v1/messages?narrow=${JSON.stringify([{ operator }])}`;
  const long = "long ".repeat(4000);
  for (const [accepted, encoding] of [
    ["gzip", "gzip"],
    ["br, gzip;q=0.5", "gzip"],
    ["identity", null],
    ["gzip;q=0", null],
    ["gzip;q=0.0, br", null],
    ["x-gzip-like", null],
  ] as const) {
    const headers = { ...as("member"), "accept-encoding": accepted };
    const answer = await call("GET", echoOf(long), { headers });
    assert.deepEqual([answer.status, answer.headers.get("content-encoding")], [200, encoding], accepted);
    assert.equal(answer.body.narrow[0].operator, long);
    const length = Number(answer.headers.get("content-length"));
    assert.ok(encoding ? length < 1000 : length > 20_000, `${length} bytes for ${accepted}`);
    assert.equal((await call("GET", echoOf("short"), { headers })).headers.get("content-encoding"), null);
  }
});

test("unknown paths, methods and body types get error envelopes", async (t) => {
  const { call, get, post } = await start(t);
  for (const path of ["/api/v1/nothing", "/", "/nothing", "/host/nothing"]) {
    const { status, body } = await get(path);
    assert.deepEqual([status, body.result, body.code], [404, "error", "BAD_REQUEST"], path);
  }
  assert.equal((await post("/nothing", "a=1")).status, 404);
  for (const [method, path] of [
    ["DELETE", "/api/v1/messages"],
    ["POST", "/api/v1/users/me"],
  ] as const) {
    const { status, body, headers } = await call(method, path, { headers: as("member") });
    assert.equal(status, 405);
    assert.deepEqual(Object.keys(body), ["result", "msg", "allowed_methods"]);
    assert.equal(headers.get("allow"), body.allowed_methods.join(", "));
  }
  const send = (type: string, body: string | Buffer<ArrayBuffer>, more = {}) =>
    call("POST", "/api/v1/messages", { headers: { ...as("member"), "content-type": type, ...more }, body });
  const codes = async (answer: ReturnType<typeof send>) => [(await answer).status, (await answer).body.code];
  assert.deepEqual(await codes(send("application/json", "{")), [400, "INVALID_JSON"]);
  assert.deepEqual(await codes(send("application/json", "{}")), [415, "BAD_REQUEST"]);
  assert.deepEqual(await codes(send("text/plain", "x")), [415, "BAD_REQUEST"]);
  assert.deepEqual(await codes(send(form["content-type"], "x=1", { "content-encoding": "gzip" })), [
    415,
    "BAD_REQUEST",
  ]);
  assert.deepEqual(await codes(send("multipart/form-data", "x")), [400, "BAD_REQUEST"]);
  const latin1 = Buffer.from('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\xff\r\n--b--\r\n', "latin1");
  assert.match((await send("multipart/form-data; boundary=b", latin1)).body.msg, /not UTF-8/);
  for (const part of [
    "Content-Disposition: form-data\r\n\r\nno name",
    'Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=utf-16le\r\n\r\nA\u0600A',
  ]) {
    const { body } = await send("multipart/form-data; boundary=b", `--b\r\n${part}\r\n--b--\r\n`);
    assert.match(body.msg, /multipart body is malformed/);
  }
  assert.deepEqual(
    await codes(send("multipart/form-data; boundary=b", '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\ncut')),
    [400, "BAD_REQUEST"],
  );
  const file = new FormData();
  file.append("picture", new Blob(["x"]), "x.png");
  const refused = await call("POST", "/api/v1/messages", { headers: as("member"), body: file });
  assert.deepEqual([refused.status, refused.body.msg], [400, "picture is a file: this endpoint takes none."]);
});

test("a body over the limit gets 413", async (t) => {
  const { call, raw } = await start(t, { bodyLimit: 1000 });
  const big = await call("POST", "/api/v1/messages", {
    headers: { ...as("member"), ...form },
    body: "x".repeat(200_000),
  });
  assert.deepEqual([big.status, big.body.code], [413, "BAD_REQUEST"]);
  assert.match(big.body.msg, /1000 bytes/);
  const head = "POST /api/v1/messages HTTP/1.1\r\nHost: localhost\r\n";
  const chunk = `400\r\n${"x".repeat(1024)}\r\n`;
  assert.equal((await raw(`${head}Transfer-Encoding: chunked\r\n\r\n`, chunk, "0\r\n\r\n")).status, 413);
  assert.equal((await raw(`${head}Expect: 100-continue\r\nContent-Length: 5000\r\n\r\n`)).status, 413);
  const continued = await raw(`${head}Expect: 100-continue\r\nContent-Length: 1\r\nConnection: close\r\n\r\n`, "a");
  assert.equal(continued.status, 100);
});

test("malformed HTTP gets an error envelope", async (t) => {
  const { raw } = await start(t);
  const status = async (...parts: string[]) => {
    const { status, body, head } = await raw(...parts);
    assert.deepEqual([body.result, body.code], ["error", "BAD_REQUEST"]);
    assert.match(head.toLowerCase(), /content-type: application\/json/);
    return status;
  };
  const rest = "Host: localhost\r\nConnection: close\r\n\r\n";
  assert.equal(await status("NONSENSE\r\n\r\n"), 400);
  assert.equal(await status(`GET /api/v1/users/me HTTP/1.1\r\nConnection: close\r\n\r\n`), 400);
  assert.equal(await status(`GET / HTTP/1.1\r\nX-Long: ${"x".repeat(200_000)}\r\n${rest}`), 431);
  assert.equal(await status(`GET /${"x".repeat(135_000)} HTTP/1.1\r\n${rest}`), 414);
  assert.equal(await status(`CONNECT example.com:80 HTTP/1.1\r\n${rest}`), 400);
  assert.equal(
    await status("POST /api/v1/messages HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
    400,
  );
  assert.equal(await status(`GET http://localhost/api/v1/nothing HTTP/1.1\r\n${rest}`), 404);
});

test("slow requests get 408, held answers do not", async (t) => {
  const { raw, app, port } = await start(t, { timeouts: { headers: 500, request: 700, check: 10 } });
  const poll = connect(port, "127.0.0.1");
  poll.write(
    `GET /api/v1/events?queue_id=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${as("member").authorization}\r\n\r\n`,
  );
  const slowHeaders = await raw("GET / HTTP/1.1\r\nHost: loc");
  assert.deepEqual([slowHeaders.status, slowHeaders.body.result], [408, "error"]);
  const slowBody = await raw("POST /api/v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
  assert.deepEqual([slowBody.status, slowBody.body.result], [408, "error"]);
  app.held[0]?.(new RawJson('{"result":"success","msg":"","events":[]}'));
  const [data] = await once(poll, "data");
  assert.match(String(data), /^HTTP\/1.1 200/);
  poll.destroy();
});

/** A connection from this address that has had an answer and is kept alive. */
async function idleFrom(localAddress: string, port: number) {
  const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
  const closed = once(socket, "close");
  socket.write("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await Promise.race([once(socket, "data"), closed]);
  return { socket, closed, isOpen: () => !socket.destroyed && socket.bytesRead > 0 };
}

const loopback = { skip: process.platform !== "linux" && "only Linux has all of 127.0.0.0/8" };

test("one address takes its own connections, not those of others", loopback, async (t) => {
  const { port } = await start(t, { connections: { total: 10, perAddress: 3, perLoopback: 8 }, rateLimit: "off" });
  const [greedy, proxy] = ["127.0.0.2", "127.0.0.1"];
  const other = await idleFrom("127.0.0.3", port);
  const first = await idleFrom(greedy, port);
  const rest = [];
  for (let at = 0; at < 12; at++) rest.push(await idleFrom(greedy, port));
  await first.closed;
  assert.deepEqual(rest.map(({ isOpen }) => isOpen()).slice(-3), [true, true, true], "the newest are kept");
  assert.equal([first, ...rest].filter(({ isOpen }) => isOpen()).length, 3);
  assert.ok(other.isOpen());
  const behindProxy = [];
  for (let at = 0; at < 6; at++) behindProxy.push(await idleFrom(proxy, port));
  assert.ok(behindProxy.every(({ isOpen }) => isOpen()));
  const late = await idleFrom("127.0.0.4", port);
  assert.ok(late.isOpen(), "where all are taken, the longest idle one of all makes room");
  assert.ok(!other.isOpen());
  for (const { socket } of [other, first, ...rest, ...behindProxy, late]) socket.destroy();
});

test("a held poll makes no room for anybody", loopback, async (t) => {
  const { port, app } = await start(t, { connections: { perAddress: 2 }, rateLimit: "off" });
  const poll = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" });
  poll.write(
    `GET /api/v1/events?queue_id=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${as("member").authorization}\r\n\r\n`,
  );
  while (app.held.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const idle = [];
  for (let at = 0; at < 4; at++) idle.push(await idleFrom("127.0.0.2", port));
  app.held[0]?.(new RawJson('{"result":"success","msg":"","events":[]}'));
  assert.match(String(await once(poll, "data")), /^HTTP\/1.1 200/);
  for (const { socket } of [{ socket: poll }, ...idle]) socket.destroy();
});

for (const [what, limits] of [
  ["in all", { unsentBytes: 40 << 20 }],
  ["for long", { readingGrace: 100, readingRate: 1 << 30 }],
] as const) {
  test(`callers leave only so much unread ${what}`, async (t) => {
    const large = endpoint({
      route: "GET /large",
      summary: "Sends 30 MB.",
      who: "member",
      handle: () => new RawJson(`{"result":"success","msg":"","x":"${"x".repeat(30 << 20)}"}`),
    });
    const { port, http } = await start(t, {
      endpoints: [...endpoints, large],
      connections: { check: 20, ...limits },
      checkResponses: false,
    });
    const lazy = Array.from({ length: 3 }, () => {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      socket.write(
        `GET /api/v1/large HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${as("member").authorization}\r\n\r\n`,
      );
      return socket.pause();
    });
    const cut = new Promise((resolve) => {
      http.server.on("connection", (socket) => socket.once("close", resolve));
    });
    await cut;
    for (const socket of lazy) socket.destroy();
  });
}

test("only the machine's own host names are answered", async (t) => {
  let allowed: string[] = [];
  const { raw } = await start(t, { allowedHosts: () => allowed });
  const ask = (name: string) =>
    raw(`GET /api/v1/server_settings HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
  const { status, body } = await ask("evil.example");
  assert.deepEqual([status, body.result], [421, "error"]);
  assert.match(body.msg, /ALLOWED_HOSTS/);
  allowed = ["evil.example"];
  assert.equal((await ask("evil.example")).body.baseUrl, "http://evil.example");
  allowed = [];
  assert.equal((await ask("evil.example")).status, 421);
  assert.equal((await raw("GET /page HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")).status, 421);
});

test("missing, malformed and wrong credentials get 401", async (t) => {
  const { get, post } = await start(t);
  const refusal = async (headers: Record<string, string>, path = "/api/v1/users/me") => {
    const { status, body, headers: sent } = await get(path, headers);
    assert.equal(status, 401);
    return [body.code, sent.get("www-authenticate")];
  };
  const basic = 'Basic realm="zulip"';
  assert.deepEqual(await refusal({}), ["UNAUTHORIZED", basic]);
  for (const malformed of ["Basic", "Basic !!!", `Basic ${btoa("nocolon")}`, `Basic ${btoa(":key")}`, "Digest x"]) {
    assert.deepEqual(await refusal({ authorization: malformed }), ["UNAUTHORIZED", basic], malformed);
  }
  assert.deepEqual(await refusal(as("nobody")), ["INVALID_API_KEY", basic]);
  assert.deepEqual(await refusal(as("member", "short")), ["INVALID_API_KEY", basic]);
  assert.deepEqual(await refusal({ authorization: "Bearer wrong" }), ["UNAUTHORIZED", "Bearer"]);
  assert.deepEqual(await refusal(as("owner"), "/host/state"), ["UNAUTHORIZED", "Bearer"]);
  // zulip-js sends `user:undefined` when it fetches its key.
  assert.equal((await post("/api/v1/fetch_api_key", "a=1", as("member", "undefined"))).status, 200);
  assert.deepEqual(await refusal(as("member", "short"), "/api/v1/server_settings"), ["INVALID_API_KEY", basic]);
  assert.equal((await get("/api/v1/server_settings", as("member"))).body.viewer, 4);
});

test("who is not signed in is told so before the body is read", async (t) => {
  const { call, raw } = await start(t, { bodyLimit: 1000 });
  const json = { headers: { "content-type": "application/json" }, body: "{" };
  assert.equal((await call("PATCH", "/api/v1/messages/3", json)).status, 401);
  const announced = "Host: localhost\r\nContent-Length: 500\r\nConnection: close\r\n\r\n";
  assert.equal((await raw(`PATCH /api/v1/messages/3 HTTP/1.1\r\n${announced}`)).status, 401);
  // This path has no other method that a field could name; /messages has.
  assert.equal((await call("POST", "/api/v1/for/nobody", json)).status, 401);
  assert.equal((await call("POST", "/api/v1/messages", json)).status, 400);
});

test("roles are checked before parameters", async (t) => {
  const { get } = await start(t);
  const outcome = async (name: string, path: string) => {
    const { status, body } = await get(`/api/v1/for/${path}`, as(name));
    return status === 200 ? "in" : `${status} ${body.code}`;
  };
  const table: Record<string, string[]> = {};
  const doors = ["members", "people", "webhooks", "moderators", "administrators", "owners", "owners/abc"];
  for (const name of ["owner", "admin", "moderator", "member", "guest", "bot", "webhook"]) {
    table[name] = await Promise.all(doors.map((door) => outcome(name, door)));
  }
  const bad = "400 BAD_REQUEST";
  const above = "400 UNAUTHORIZED_PRINCIPAL";
  assert.deepEqual(table, {
    owner: ["in", "in", "in", "in", "in", "in", bad],
    admin: ["in", "in", "in", "in", "in", above, above],
    moderator: ["in", "in", "in", "in", above, above, above],
    member: ["in", "in", "in", above, above, above, above],
    guest: [bad, bad, bad, bad, bad, bad, bad],
    bot: ["in", bad, "in", above, above, above, above],
    webhook: [bad, bad, "in", bad, bad, bad, bad],
  });
  assert.equal((await get("/api/v1/for/owners/abc", as("guest"))).body.msg, "Guests cannot do this.");
  for (const caller of [operator, as("owner"), as("admin")])
    assert.equal((await get("/host/audit", caller)).status, 200);
  const moderator = await get("/host/audit", as("moderator"));
  assert.deepEqual([moderator.status, moderator.body.code], [400, "UNAUTHORIZED_PRINCIPAL"]);
});

test("the operator's token acts as the owner", async (t) => {
  const { get } = await start(t, { limits: () => ({ api_by_user: [[60, 1]], api_by_ip: [[60, 1]] }) });
  assert.deepEqual((await get("/host/state", operator)).body, { result: "success", msg: "", as: 1 });
  for (let i = 0; i < 3; i++) assert.equal((await get("/api/v1/for/owners", operator)).status, 200);
  assert.equal((await get("/host/settings", operator)).status, 200);
  assert.equal((await get("/host/settings", as("owner"))).status, 200);
  const admin = await get("/host/settings", as("admin"));
  assert.deepEqual([admin.status, admin.body.code], [400, "UNAUTHORIZED_PRINCIPAL"]);
  const without = await start(t, { operatorActsAs: () => undefined });
  assert.equal((await without.get("/api/v1/users/me", operator)).status, 401);
  assert.equal((await without.get("/host/state", operator)).body.as, null);
  const closed = await start(t, { operatorToken: undefined });
  assert.equal((await closed.get("/host/state", { authorization: "Bearer " })).status, 401);
});

test("users are rate limited, except for held long polls", async (t) => {
  let now = 1_000_000;
  const { get, app } = await start(t, { now: () => now, limits: () => ({ api_by_user: [[60, 2]] }) });
  const first = await get("/api/v1/users/me");
  const limits = (answer: typeof first) =>
    ["limit", "remaining", "reset"].map((name) => answer.headers.get(`x-ratelimit-${name}`));
  assert.deepEqual(limits(first), ["2", "1", "1030"]);
  const polls = [get("/api/v1/events?queue_id=1"), get("/api/v1/events?queue_id=1")];
  assert.deepEqual(limits(await get("/api/v1/refused")), ["2", "0", "1060"]);
  const hit = await get("/api/v1/users/me");
  assert.deepEqual(
    [hit.status, hit.body.code, hit.body["retry-after"], hit.headers.get("retry-after")],
    [429, "RATE_LIMIT_HIT", 30, "30"],
  );
  assert.deepEqual(limits(hit), ["2", "0", "1060"]);
  assert.equal((await get("/api/v1/events?queue_id=1&dont_block=true")).status, 429);
  assert.equal((await get("/api/v1/users/me", as("admin"))).status, 200);
  now += 30_000;
  assert.equal((await get("/api/v1/users/me")).status, 200);
  while (app.held.length < 2) await new Promise(setImmediate);
  for (const resolve of app.held) resolve(new RawJson('{"result":"success","msg":""}'));
  for (const poll of polls) assert.equal((await poll).status, 200);
});

test("an address is limited for requests without valid credentials", async (t) => {
  const { call, get } = await start(t, { now: () => 0, limits: () => ({ api_by_ip: [[60, 5]] }) });
  assert.equal((await get("/api/v1/server_settings", {})).headers.get("x-ratelimit-remaining"), "4");
  assert.equal((await get("/api/v1/nothing")).status, 404);
  assert.equal((await get("/api/v1/users/me", {})).status, 401);
  assert.equal((await get("/api/v1/users/me", as("nobody"))).status, 401);
  assert.equal((await call("DELETE", "/api/v1/messages")).status, 405);
  for (const headers of [{}, as("nobody"), { authorization: "Bearer x" }])
    assert.equal((await get("/api/v1/users/me", headers)).status, 429);
  assert.equal((await get("/api/v1/server_settings", {})).status, 429);
  assert.equal((await get("/nothing", {})).status, 429);
  assert.equal((await get("/api/v1/users/me")).status, 200);
  const off = await start(t, { rateLimit: "off", limits: () => ({ api_by_ip: [[60, 1]] }) });
  for (let i = 0; i < 3; i++) assert.equal((await off.get("/api/v1/server_settings", {})).status, 200);
});

test("an unexpected error is logged and answers 500", async (t) => {
  const { get, errors } = await start(t);
  for (const path of ["/api/v1/broken", "/api/v1/broken/later", "/api/v1/lies"]) {
    const { status, body } = await get(path);
    assert.equal(status, 500);
    assert.deepEqual(body, { result: "error", msg: "Something went wrong inside the server." });
  }
  assert.deepEqual(errors.slice(0, 2).map(String), ["Error: secret: 42", "Error: secret: 43"]);
  assert.match(String(errors[2]), /GET \/lies/);
});

test("storage errors get their own status codes", async (t) => {
  const { get, errors } = await start(t);
  for (const [name, expected] of [
    ["StorageFailed", 503],
    ["StorageFull", 507],
    ["StorageBusy", 503],
    ["StorageClosed", 503],
    ["RecordTooLarge", 413],
  ] as const) {
    const { status, body } = await get(`/api/v1/broken/storage/${name}`);
    assert.deepEqual([status, body.result], [expected, "error"], name);
  }
  assert.deepEqual(errors, []);
});

test("answers wait until visible writes are durable", async (t) => {
  const { get, store } = await start(t);
  const waits: { seq: number | undefined; resolve(): void; reject(error: Error): void }[] = [];
  store.durable = (seq) => new Promise<void>((resolve, reject) => waits.push({ seq, resolve, reject }));
  let answered = 0;
  const asked = ["/api/v1/users/me", "/api/v1/refused", "/api/v1/broken"].map((path) =>
    get(path).finally(() => answered++),
  );
  while (waits.length < 3) await new Promise(setImmediate);
  assert.equal((await get("/api/v1/events?queue_id=1&dont_block=true")).status, 200);
  assert.equal(answered, 0);
  assert.deepEqual(
    waits.map(({ seq }) => seq),
    [3, 3, 3],
  );
  for (const { resolve } of waits) resolve();
  assert.deepEqual(
    (await Promise.all(asked)).map(({ status }) => status),
    [200, 400, 500],
  );
  store.durable = () => Promise.reject(Object.assign(new Error("EIO"), { name: "StorageFailed" }));
  const failed = await get("/api/v1/users/me");
  assert.deepEqual(
    [failed.status, failed.body.code, failed.headers.get("retry-after")],
    [503, "SERVER_NOT_READY", "1"],
  );
});

test("a change waits for room in the log, and a read does not", async (t) => {
  const { get, post, store } = await start(t);
  const waits: (() => void)[] = [];
  store.untilRoom = () => new Promise<void>((resolve) => waits.push(resolve));
  let answered = false;
  const sent = post("/api/v1/messages", "to=1&content=hi").finally(() => {
    answered = true;
  });
  assert.equal((await get("/api/v1/users/me")).status, 200);
  while (waits.length < 1) await new Promise(setImmediate);
  waits[0]?.(); // others have taken that room
  while (waits.length < 2) await new Promise(setImmediate);
  assert.equal((await get("/api/v1/users/me")).status, 200);
  assert.equal(answered, false);
  store.untilRoom = () => undefined;
  waits[1]?.();
  assert.equal((await sent).status, 200);
});

/** Counts turns of the event loop, from now on. */
function countTurns(t: TestContext): () => number {
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  t.after(() => clearImmediate(timer));
  return () => turns;
}

/** Requests that arrive together, on one connection, and their answers. */
async function together(port: number, requests: readonly string[]): Promise<string[]> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  let got = "";
  const answers = () => got.split("HTTP/1.1 ").slice(1);
  socket.write(requests.join(""));
  for await (const chunk of socket) {
    got += chunk;
    if (answers().length === requests.length && /\}$/.test(got)) break;
  }
  return answers();
}
const readBy = (name: string, path = "/api/v1/read") =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${as(name).authorization}\r\n\r\n`;

test("reads that arrive together have a turn each, and callers take turns", async (t) => {
  const turn = countTurns(t);
  const handled: { by: number; turn: number }[] = [];
  const read = endpoint({
    route: "GET /read",
    summary: "Reads much.",
    who: "member",
    handle: ({ viewer }) => {
      handled.push({ by: viewer.id, turn: turn() });
      return {};
    },
  });
  const { port } = await start(t, { endpoints: [read] });
  const names = [...new Array<string>(10).fill("member"), "admin", "admin"];
  const answers = await together(
    port,
    names.map((name) => readBy(name)),
  );
  assert.ok(answers.every((answer) => answer.startsWith("200")));
  assert.equal(new Set(handled.map((one) => one.turn)).size, 12, "one in a turn");
  const [admin, member] = [PEOPLE["admin@x.y"]?.id, PEOPLE["member@x.y"]?.id];
  const first = handled.slice(0, 5).map(({ by }) => by);
  // In turn; after a turn that took long, both of the admin's.
  assert.equal(first[0], member);
  assert.equal(first.filter((by) => by === admin).length, 2);
});

test("changes of one caller that arrive together have a turn each", async (t) => {
  const turn = countTurns(t);
  const handled: { by: number; turn: number }[] = [];
  const write = endpoint({
    route: "POST /write",
    summary: "Writes.",
    who: "member",
    params: { number: integer() },
    handle: ({ viewer }) => {
      handled.push({ by: viewer.id, turn: turn() });
      return {};
    },
  });
  const { port } = await start(t, { endpoints: [write] });
  const names = [...new Array<string>(8).fill("member"), "admin", "owner"];
  const requests = names.map((name, number) =>
    readBy(name, `/api/v1/write?number=${number}`)
      .replace("GET", "POST")
      .replace("\r\n\r\n", "\r\nContent-Length: 0\r\n\r\n"),
  );
  const answers = await together(port, requests);
  assert.ok(answers.every((answer) => answer.startsWith("200")));
  const ofMember = handled.filter(({ by }) => by === PEOPLE["member@x.y"]?.id);
  assert.equal(new Set(ofMember.map((one) => one.turn)).size, 8);
  const others = handled.filter((one) => !ofMember.includes(one));
  assert.ok(
    others.every((one) => one.turn < (ofMember[3]?.turn as number)),
    "others do not wait for them",
  );
});

test("who is signed out while a read waits is not answered", async (t) => {
  let handled = 0;
  const read = endpoint({
    route: "GET /read",
    summary: "Reads much.",
    who: "member",
    handle: () => {
      handled += 1;
      return {};
    },
  });
  const { port } = await start(t, {
    endpoints: [read],
    identify: (email) => {
      if (handled > 0) throw new ApiError("USER_DEACTIVATED", "Deactivated.", {}, { status: 401 });
      return PEOPLE[email] as User;
    },
  });
  const answers = await together(
    port,
    ["member", "member", "member"].map((name) => readBy(name)),
  );
  assert.deepEqual(
    answers.map((answer) => answer.slice(0, 3)),
    ["200", "401", "401"],
  );
  assert.equal(handled, 1);
});

test("large answers are compressed one after the other, and few of them wait", async (t) => {
  const text = "word ".repeat(400_000);
  const read = endpoint({
    route: "GET /read",
    summary: "Reads much.",
    who: "member",
    handle: () => new RawJson(`{"result":"success","msg":"","text":"${text}"}`),
  });
  const { get } = await start(t, { endpoints: [read], checkResponses: false });
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => get("/api/v1/read", { ...as("member"), "accept-encoding": "gzip" })),
  );
  assert.ok(answers.every(({ body }) => body.text === text));
  const encodings = answers.map(({ headers }) => headers.get("content-encoding"));
  assert.ok(encodings.includes("gzip"));
  assert.ok(encodings.includes(null), "what would wait in memory goes out as it is");
  const { headers } = await get("/api/v1/read", { ...as("member"), "accept-encoding": "gzip" });
  assert.equal(headers.get("content-encoding"), "gzip", "later ones are compressed again");
});

test("a large answer is written in several turns", async (t) => {
  const turn = countTurns(t);
  const written = new Set<number>();
  const long = "word ".repeat(20_000);
  const item = (id: number) => ({
    toJSON() {
      written.add(turn());
      return { id, long };
    },
  });
  const read = endpoint({
    route: "GET /read",
    summary: "Reads much.",
    who: "member",
    response: z.object({ items: z.array(z.unknown()) }),
    handle: () => ({ items: Array.from({ length: 400 }, (_, id) => item(id)) }),
  });
  const { get } = await start(t, { endpoints: [read], checkResponses: false });
  const { body, headers } = await get("/api/v1/read?more=1", { ...as("member"), "accept-encoding": "identity" });
  assert.equal(body.items.length, 400);
  assert.deepEqual(body.items[399], { id: 399, long });
  assert.deepEqual([body.result, body.msg, body.ignored_parameters_unsupported], ["success", "", ["more"]]);
  assert.equal(Number(headers.get("content-length")), Buffer.byteLength(JSON.stringify(body)));
  assert.ok(written.size > 2, `${written.size} turns`); // 40 MB
});

test("a large answer is written before the next of its caller is begun", async (t) => {
  const steps: string[] = [];
  let reads = 0;
  const read = endpoint({
    route: "GET /read",
    summary: "Reads much.",
    who: "member",
    response: z.object({ items: z.array(z.unknown()) }),
    handle: () => {
      const number = ++reads;
      steps.push(`begun ${number}`);
      const items = Array.from({ length: 60 }, (_, index) => ({
        toJSON() {
          for (const end = performance.now() + 1; performance.now() < end; );
          if (index === 59) steps.push(`written ${number}`);
          return "text".repeat(3000);
        },
      }));
      return { items };
    },
  });
  const { port } = await start(t, { endpoints: [read], checkResponses: false });
  const answers = await together(port, new Array(3).fill(readBy("member")));
  assert.equal(answers.length, 3);
  assert.deepEqual(
    steps,
    [1, 2, 3].flatMap((number) => [`begun ${number}`, `written ${number}`]),
  );
});

test("new connections are not held up by each long read of one caller", async (t) => {
  const CALLERS = 20;
  const long: number[] = [];
  const read = endpoint({
    route: "GET /read",
    summary: "Takes long in one turn.",
    who: "member",
    handle: ({ viewer }) => {
      if (viewer.email !== "member@x.y") return {};
      long.push(performance.now());
      for (const end = performance.now() + 20; performance.now() < end; );
      return {};
    },
  });
  const { port } = await start(t, { endpoints: [read] });
  const attack = together(port, new Array(30).fill(readBy("member")));
  while (long.length === 0) await new Promise(setImmediate);
  const before = long.length;
  await Promise.all(Array.from({ length: CALLERS }, () => together(port, [readBy("admin")])));
  // libuv accepts one in each iteration of the loop, which would have a long read each.
  assert.ok(long.length - before < CALLERS / 2, `${long.length - before} long reads meanwhile`);
  await attack;
});

test("a handler learns its caller's program, address and disconnection", async (t) => {
  const { get, app, port, emitted, errors } = await start(t);
  const client = async (agent: string) => (await get("/api/v1/server_settings", { "user-agent": agent })).body.client;
  assert.equal(await client("ZulipPython/0.9.0 (Linux)"), "ZulipPython");
  assert.equal(await client("ZulipMobile flutter"), "ZulipMobile");
  assert.equal(await client("x".repeat(50)), "x".repeat(30));
  assert.equal(await client(""), "unspecified");
  const { address, baseUrl } = (await get("/api/v1/server_settings", {})).body;
  assert.deepEqual([address, baseUrl], ["127.0.0.1", `http://127.0.0.1:${port}`]);
  const gone = new Promise<void>((resolve) => {
    emitted.gone = resolve;
  });
  const socket = connect(port, "127.0.0.1");
  socket.write(
    `GET /api/v1/events?queue_id=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${as("member").authorization}\r\n\r\n`,
  );
  while (app.held.length === 0) await new Promise(setImmediate);
  socket.destroy();
  await gone;
  assert.deepEqual(errors, []);
});

test("the OpenAPI document describes every endpoint", async (t) => {
  const { get } = await start(t);
  const { body: document, status } = await get("/api/v1/openapi.json", {});
  assert.equal(status, 200);
  assert.equal(document.openapi, "3.1.0");
  const operations = Object.values(document.paths).flatMap((pathItem) => Object.values(pathItem as object));
  assert.equal(operations.length, endpoints.length + 1);
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  const pathsUsed = Object.entries(
    document.paths as Record<string, Record<string, { parameters: { name: string; in: string }[] }>>,
  );
  for (const [path, pathItem] of pathsUsed) {
    for (const { parameters } of Object.values(pathItem)) {
      const declared = parameters.filter((each) => each.in === "path").map(({ name }) => `{${name}}`);
      assert.deepEqual(declared, path.match(/\{\w+\}/g) ?? []);
    }
  }
  const references = new Set(JSON.stringify(document).match(/"#\/[^"]+"/g));
  for (const reference of references) {
    const target = JSON.parse(reference)
      .slice(2)
      .split("/")
      .reduce((node: Record<string, never>, step: string) => node?.[step] as never, document);
    assert.ok(target, reference);
  }
  const send = document.paths["/api/v1/messages"].post;
  assert.equal(send.summary, "Send a message.");
  const content = send.requestBody.content["application/x-www-form-urlencoded"];
  assert.deepEqual(content.schema.required, ["to", "content"]);
  assert.match(content.schema.properties.topic.description, /subject/);
  assert.equal(content.schema.properties.content.maxLength, 10);
  assert.deepEqual(send.responses[200].content["application/json"].schema.required, ["result", "msg", "id"]);
  assert.ok(send.responses[429].headers["Retry-After"]);
});

test("Fastify serves pages beside the API", async (t) => {
  const logged: unknown[] = [];
  const http = createHttp<App, User>({
    endpoints,
    store: {} as HttpStore,
    app: {} as App,
    identify: () => assert.fail(),
    logger: { error: (_message, error) => logged.push(error) },
  });
  http.fastify.get("/page", () => "<p>");
  http.fastify.get("/page/broken", () => {
    throw new Error("secret");
  });
  const { port } = await http.listen({ host: "127.0.0.1", port: 0 });
  t.after(() => http.close());
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return [response.status, await response.text()] as const;
  };
  assert.deepEqual(await ask("/page"), [200, "<p>"]);
  const [status, body] = await ask("/page/broken");
  assert.deepEqual([status, JSON.parse(body).result, body.includes("secret")], [500, "error", false]);
  assert.match(String(logged[0]), /secret/);
  const [missing, envelope] = await ask("/other", {
    method: "PUT",
    headers: { "content-type": "text/odd" },
    body: "x",
  });
  assert.deepEqual([missing, JSON.parse(envelope).result], [404, "error"]);
});

test("stopping rejects new requests and answers held ones", async (t) => {
  const { http, app, get, raw, port, errors } = await start(t, { timeouts: { stop: 50 } });
  const held = get("/api/v1/events?queue_id=1");
  const stubborn = get("/api/v1/events?queue_id=2").catch(() => "cut");
  const idle = connect(port, "127.0.0.1");
  await once(idle, "connect");
  while (app.held.length < 2) await new Promise(setImmediate);
  http.closing();
  const late = await raw("GET /api/v1/users/me HTTP/1.1\r\nHost: localhost\r\n\r\n");
  assert.deepEqual([late.status, late.body.code], [503, "SERVER_NOT_READY"]);
  assert.match(late.head, /connection: close/i);
  app.held[0]?.(new RawJson('{"result":"success","msg":"","events":[]}'));
  const answer = await held;
  assert.deepEqual([answer.status, answer.headers.get("connection")], [200, "close"]);
  await http.close();
  assert.equal(await stubborn, "cut");
  await http.close();
  assert.deepEqual(errors, []);
});
