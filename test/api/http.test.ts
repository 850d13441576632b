import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import {
  type InputOf,
  type ParamsOf,
  RawJson,
  type ResponseOf,
  type RouteOf,
  type Transact,
} from "../../server/http/endpoint.ts";
import type { HttpStore } from "../../server/http/options.ts";
import { createHttp } from "../../server/http/server.ts";
import { type App, as, endpoint, endpoints, form, type sendMessage, start, type User } from "../support/http-api.ts";

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

test("ignores the body of a GET", async (t) => {
  const { raw } = await start(t);
  const head = `Host: localhost\r\nAuthorization: ${as("member").authorization}\r\nConnection: close\r\n`;
  for (const [type, body] of [
    ["application/x-www-form-urlencoded", "message_id=x&odd=1"],
    ["application/json", "{"],
    ["text/plain", "?"],
  ] as const) {
    const lengths = `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`;
    const answer = await raw(`GET /api/v1/users/12?odd=2 HTTP/1.1\r\n${head}${lengths}\r\n${body}`);
    assert.equal(answer.status, 200, type);
    assert.deepEqual([answer.body.user_id, answer.body.ignored_parameters_unsupported], [12, ["odd"]]);
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
  const problem = { msg: "Not today.", reason: "unknown", params: { cause: "Not today." } };
  assert.deepEqual(refused.body, { result: "error", code: "BAD_REQUEST", day: 1, ...problem });
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
    reason: "parameter_missing",
    params: { parameter: "content" },
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
  assert.equal((await call("PURGE", "/api/v1//%6dessages/")).status, 405);
  const options = await call("OPTIONS", "/api/v1/messages");
  assert.deepEqual([options.status, options.headers.get("allow")], [204, "GET, HEAD, POST"]);
  assert.equal(options.headers.get("access-control-allow-origin"), null);
  assert.equal((await raw("OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")).status, 204);
});

test("compresses long responses for gzip clients", async (t) => {
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
    assert.deepEqual(Object.keys(body), ["result", "msg", "allowed_methods", "reason", "params"]);
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
  assert.match((await send("multipart/form-data; boundary=b", latin1)).body.msg, /not valid UTF-8/);
  for (const part of [
    "Content-Disposition: form-data\r\n\r\nno name",
    'Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=utf-16le\r\n\r\nA\u0600A',
  ]) {
    const { body } = await send("multipart/form-data; boundary=b", `--b\r\n${part}\r\n--b--\r\n`);
    assert.equal(body.reason, "multipart_malformed");
  }
  assert.deepEqual(
    await codes(send("multipart/form-data; boundary=b", '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\ncut')),
    [400, "BAD_REQUEST"],
  );
  const file = new FormData();
  file.append("picture", new Blob(["x"]), "x.png");
  const refused = await call("POST", "/api/v1/messages", { headers: as("member"), body: file });
  assert.deepEqual(
    [refused.status, refused.body.msg],
    [400, "picture is a file, but this endpoint does not accept files."],
  );
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

test("serves pages next to the API", async (t) => {
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

test("stopping rejects new requests and ends held ones", async (t) => {
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

test("a file in a truncated body does not end the server", async (t) => {
  const { call, get } = await start(t);
  const headers = { ...as("member"), "content-type": "multipart/form-data; boundary=b" };
  const body = '--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\ncut';
  assert.equal((await call("POST", "/api/v1/messages", { headers, body })).status, 400);
  assert.equal((await get("/api/v1/users/me")).status, 200);
});
