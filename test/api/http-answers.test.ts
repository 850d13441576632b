import assert from "node:assert/strict";
import { test } from "node:test";
import { RawJson } from "../../server/http/endpoint.ts";
import { as, endpoint, form, start } from "../support/http-api.ts";

test("an unexpected error is logged and returns 500", async (t) => {
  const { get, errors } = await start(t);
  for (const path of ["/api/v1/broken", "/api/v1/broken/later", "/api/v1/lies"]) {
    const { status, body } = await get(path);
    assert.equal(status, 500);
    assert.deepEqual(body, {
      result: "error",
      msg: "Something went wrong on the server.",
      reason: "internal_error",
      params: {},
    });
  }
  assert.deepEqual(errors.slice(0, 2).map(String), ["Error: secret: 42", "Error: secret: 43"]);
  assert.match(String(errors[2]), /GET \/lies/);
});

test("an error has a reason and the values of its text", async (t) => {
  const { post } = await start(t);
  const { body } = await post("/api/v1/messages", `to=a&content=${"x".repeat(11)}`);
  assert.deepEqual([body.reason, body.params], ["too_long", { parameter: "content", count: 10, length: 11 }]);
  assert.equal(body.msg, "content is too long: 11 characters. It can have at most 10.");
});

test("other clients get only the fields of the public protocol", async (t) => {
  const { port } = await start(t);
  const ask = (path: string, body: string) =>
    fetch(`http://127.0.0.1:${port}/api/v1${path}`, { method: "POST", headers: { ...form, ...as("member") }, body });
  const invalid = await (await ask("/messages", `to=a&content=${"x".repeat(11)}`)).json();
  assert.deepEqual(Object.keys(invalid), ["result", "msg", "code"]);
  const missing = await (await ask("/messages", "to=a")).json();
  assert.deepEqual(Object.keys(missing), ["result", "msg", "code", "var_name"]);
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

test("responses wait until visible writes are durable", async (t) => {
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

test("a change waits for room in the log, a read does not", async (t) => {
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

/** Counts turns of the event loop from now on. */
test("a response written in several turns is complete, compressed or not", async (t) => {
  const list = Array.from({ length: 100_000 }, (_, id) => ({ id, text: `word ${id}` }));
  const read = endpoint({
    route: "GET /read",
    summary: "Reads much.",
    who: "member",
    handle: () => ({ list }) as never,
  });
  const { get } = await start(t, { endpoints: [read], checkResponses: false });
  for (const encoding of ["gzip", "identity"]) {
    const { body, headers } = await get("/api/v1/read", { ...as("member"), "accept-encoding": encoding });
    assert.equal(headers.get("content-encoding"), encoding === "gzip" ? encoding : null);
    assert.deepEqual(body, { result: "success", msg: "", list });
  }
});

test("compresses large responses in turn, with a short queue", async (t) => {
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
